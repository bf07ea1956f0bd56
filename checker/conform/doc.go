// Package conform compares an implementation with its specification. It repeats random walks of the
// specification, step by step, on the implementation. After every step it compares the
// implementation's variables with the state of the specification.
//
// # The loop
//
// An adapter (Adapter) starts the implementation, performs the action of a step with its
// parameters, and writes what it observes into a State of the specification. So variables have the
// names, types and sizes that the specification gives them, and messages in flight are variables
// like any other. The comparison is one of memory: names and values are worked out only where it
// differs. Crashes, restarts and what the network does are actions of the specification's
// environment modules and come to the adapter as such.
//
// A difference is a variable whose value is another one in the implementation, a panic of the
// implementation, or an error of the adapter. Such an error says what the implementation has and
// the specification has no value for. The walk ends there. It is made shorter by delta debugging:
// steps are left out as long as the rest, done again on both sides, still ends in a difference of
// the same variable. What is left is done once more for the implementation's log.
//
// # The same seed, the same walks
//
// Walk n of a seed draws from a generator of its own, and walks are merged in the order of their
// numbers. So counts, coverage, differences and where a run stops do not depend on the number of
// workers, provided the implementation is deterministic. Limits of time, and interrupts, are not.
//
// # Limits
//
// That walks show no difference says nothing about other behaviours; coverage is reported so that
// one can judge how much was seen. What an adapter does not observe is not compared:
// Result.Unobserved names those variables. Steps that raise an assertion of the specification are
// never taken, nor are those that leave the state constraints or exceed a capacity; they are
// counted.
//
// Conformance in the sense of SandTable (EuroSys 2025), section 3.2.
package conform
