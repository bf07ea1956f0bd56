package classic

import "github.com/multigrain/multigrain/modules"

const (
	fischers = 3
	delta    = 2
	epsilon  = 3
	infinity = 255
)

// Labels of Fischer.
const (
	fischerA Label = iota
	fischerB
	fischerC
	fischerD
	fischerE
	fischerCS
	fischerF
)

// Timers is the state of Fischer. X is the process that holds the lock, counted from 1, or 0.
type Timers struct {
	PC    [fischers]Label
	X     uint8
	Timer [fischers]uint8
}

func (s *Timers) at(i id) *Label { return &s.PC[i] }

func fischerStep(name string, from Label, when func(s *Timers, i id) bool, do func(s, n *Timers, i id) Label) *modules.Action[Timers, one] {
	return labelStep(name, fischers, from, when, do)
}

var tick = modules.Action[Timers, none]{
	Name: "t1", Params: modules.Once,
	Guard: func(s *Timers, _ none) bool {
		for _, t := range s.Timer {
			if t == 0 {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *Timers, _ none) {
		for i, t := range s.Timer {
			if t < infinity {
				n.Timer[i] = t - 1
			}
		}
	},
}

// Fischer is pcal/Fischer.tla, Fischer's timed mutual exclusion, for three processes.
func Fischer() Model[Timers] {
	first := Timers{}
	for i := range first.Timer {
		first.Timer[i] = infinity
	}
	return Model[Timers]{
		Name: "Fischer", Init: start(first),
		Actions: []modules.AnyAction[Timers]{
			&tick,
			fischerStep("a", fischerA, nil, func(s, n *Timers, i id) Label { return fischerB }),
			fischerStep("b", fischerB, nil, func(s, n *Timers, i id) Label {
				if s.X != uint8(i)+1 {
					return fischerC
				}
				return fischerCS
			}),
			fischerStep("c", fischerC, func(s *Timers, i id) bool { return s.X == 0 }, func(s, n *Timers, i id) Label {
				n.Timer[i] = delta
				return fischerD
			}),
			fischerStep("d", fischerD, nil, func(s, n *Timers, i id) Label {
				n.X, n.Timer[i] = uint8(i)+1, epsilon
				return fischerE
			}),
			fischerStep("e", fischerE, func(s *Timers, i id) bool { return s.Timer[i] == 0 }, func(s, n *Timers, i id) Label {
				n.Timer[i] = infinity
				return fischerB
			}),
			fischerStep("cs", fischerCS, nil, func(s, n *Timers, i id) Label { return fischerF }),
			fischerStep("f", fischerF, nil, func(s, n *Timers, i id) Label { n.X = 0; return fischerA }),
		},
		Invariants: exclusive(fischers, func(s *Timers, i id) bool { return s.PC[i] == fischerCS }),
		Distinct:   1_002, Generated: 2_487, Depth: 23,
	}
}
