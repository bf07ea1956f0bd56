// Package preserve compares a composition that has coarse grains with the fine one, in which every
// coarse grain is replaced by its finer grains. It decides levels L1 and L2 of interaction
// preservation.
//
// Visible are the steps of the modules under test and of the environment; all others are silent. A
// step under test is observed with its view, the values of the cells that it reads; a step of the
// environment by its action and parameters alone. A parameter that is a position in a Bag counts as
// the message at it, since the position depends on messages that nobody under test reads. A step of
// the environment that loses or duplicates such a message is silent. So an observation is a
// sequence of labels, and Obs of a composition is the set of those of its behaviours.
//
//   - L1: the reachable sets of labels are equal. That is L2 of compositions that remember nothing:
//     any label may follow any other.
//   - L2: Obs(coarse) is within Obs(fine), so there is no false behaviour; and the converse, so
//     none is missed.
//
// L2 implies L1. Inclusion is decided by a subset construction on the fly. Its states are pairs of
// a state of the one composition and the set of states of the other in which the same observation
// can end. Of the pairs of one state only those with minimal sets are kept, an antichain (De Wulf,
// Doyen, Henzinger, Raskin: Antichains, CAV 2006). The other composition is first reduced by
// branching bisimulation, which preserves observations.
//
// Where a manifest asks for them, deadlocks and behaviours that break a liveness property are
// endings. Level L2 compares the observations after which each composition can end so.
//
// Each selected invariant is a memoryless observer: it depends only on the values that its
// footprint takes. So the sets of these values are compared, at both levels. A value that only the
// fine composition reaches hides a violation only if the invariant is false for it. Other missed
// values are counted and are no gap. In the same way a value that only the coarse composition
// reaches is false only if it is a violation. Any other value shows no error, and a step under test
// that can tell it apart has a view of its own. Such values are counted, and one is shown.
//
// Views and sets are compared exactly. States and values of properties are identified by 64-bit
// fingerprints, as in package explore. Budgets are part of states and not of labels: what is spent
// is projected away, and what is left decides which behaviours there are.
package preserve
