package classic

import "github.com/multigrain/multigrain/modules"

// Label is the place of a process in a PlusCal algorithm.
type Label uint8

// labelled is a state whose processes are at labels.
type labelled[S any] interface {
	*S
	at(i id) *Label
}

// labelStep is one labelled step of n processes: where when holds, do runs and gives the next
// label.
func labelStep[S any, P labelled[S]](name string, n int, from Label, when func(s *S, i id) bool, do func(s, n *S, i id) Label) *modules.Action[S, one] {
	return &modules.Action[S, one]{
		Name: name, Params: modules.Each[id](n),
		Guard: func(s *S, p one) bool { return *P(s).at(p.I) == from && (when == nil || when(s, p.I)) },
		Effect: func(s, n *S, p one) {
			to := do(s, n, p.I)
			*P(n).at(p.I) = to
		},
	}
}

// exclusive returns the invariant that at most one process is in the critical section.
func exclusive[S any](n int, critical func(s *S, i id) bool) []modules.Invariant[S] {
	return []modules.Invariant[S]{{ID: "Invariant", Doc: "at most one process is in the critical section", State: func(s *S) bool {
		inside := 0
		for i := range id(n) {
			if critical(s, i) {
				inside++
			}
		}
		return inside <= 1
	}}}
}
