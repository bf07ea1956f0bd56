// Package classic holds specifications that the TLA+ project ships as test models of TLC, with the
// counts that TLC is held to, written in the vocabulary of package modules. Strategies are tested
// on them: the numbers were not made here.
//
// The modules are those of tlatools/org.lamport.tlatools/test-model in github.com/tlaplus/tlaplus.
// A variable that never changes there (a program counter with one value, a flag that nothing
// writes) is left out, which changes no count.
package classic

import (
	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// Model is a specification and what TLC finds in it.
type Model[S any] struct {
	Name        string // of the TLA+ module, and the size where several are published
	Init        func(yield func(S) bool)
	Actions     []modules.AnyAction[S]
	Invariants  []modules.Invariant[S]
	Constraints []modules.Invariant[S]

	// Distinct and Generated count as TLC does when nothing stops the search. Depth is in
	// transitions: TLC's less one.
	Distinct, Generated int64
	Depth               int
	// Violation is the length, in transitions, of a shortest counterexample to the only invariant;
	// 0 where all hold.
	Violation int
}

// Node is a node of a model: none of them has budgets.
type Node[S any] = checker.Node[S, [0]uint8]

// Compile makes the model runnable.
func (m Model[S]) Compile() (*checker.Spec[Node[S]], error) {
	spec := &modules.Spec[S]{System: m.Name, Init: m.Init}
	for k := range m.Invariants {
		spec.Invariants = append(spec.Invariants, &m.Invariants[k])
	}
	for k := range m.Constraints {
		spec.Constraints = append(spec.Constraints, &m.Constraints[k])
	}
	for _, b := range modules.Bind(m.Actions, nil, spec.Invariants) {
		spec.Actions = append(spec.Actions, modules.SpecAction[S]{Bound: b, Module: m.Name})
	}
	return checker.Of[S, [0]uint8](spec, nil)
}

// id numbers processes, nodes and participants from 0.
type id int8

type (
	none = modules.None
	one  = modules.One[id]
	pair = modules.Pair[id]
)

// start returns an Init of one state.
func start[S any](s S) func(yield func(S) bool) {
	return func(yield func(S) bool) { yield(s) }
}

// because is a step of I for which a guard gives several reasons. TLC makes one successor for each
// disjunct of a guard that is true, so its count of generated states includes equal steps for
// different reasons. Here a reason is a parameter.
type because struct {
	I      id
	Reason uint8
}

func eachBecause(n, reasons int) modules.Domain[because] {
	return func(yield func(because) bool) {
		for i := range id(n) {
			for r := range uint8(reasons) {
				if !yield(because{i, r}) {
					return
				}
			}
		}
	}
}
