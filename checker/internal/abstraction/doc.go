// Package abstraction decides whether a composition refines another one, of another system, under a
// mapping: the verb refine.
//
// The mapping gives each concrete state the values of some variables of the abstract State. The
// other abstract variables are hidden. Some actions may be observed, too. A step is silent if
// neither the mapped values change nor its action is observed. So an observation is the sequence of
// changes, and stuttering on either side does not count. The concrete composition refines the
// abstract one if each of its observations is one of the abstract composition, including the
// values in the initial state.
//
// Package inclusion decides that by a forward simulation over sets of abstract states. Both graphs
// are made while it asks for their edges. So the abstract composition needs no bounds of its own as
// long as few of its states have the observations of the concrete one. A step that the abstract
// composition cannot match is found at its depth, before the concrete one is explored whole.
//
// Only safety is compared. An abstract composition that must do something, and a concrete one that
// stops, are no difference.
package abstraction
