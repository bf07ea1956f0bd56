package classic

import "github.com/multigrain/multigrain/modules"

const fasts = 2

// Labels of FastMutex.
const (
	fastStart Label = iota
	fastL1
	fastL2
	fastL3
	fastL4
	fastL5
	fastL6
	fastL7
	fastL8
	fastL9
	fastL10
	fastCS
	fastL11
	fastL12
)

// Fast is the state of FastMutex. X and Y hold processes, counted from 1; 0 is nobody, and X's
// initial value.
type Fast struct {
	PC     [fasts]Label
	X, Y   uint8
	B      [fasts]bool
	J      [fasts]uint8
	Failed [fasts]bool
}

func (s *Fast) at(i id) *Label { return &s.PC[i] }

func fastStep(name string, from Label, when func(s *Fast, i id) bool, do func(s, n *Fast, i id) Label) *modules.Action[Fast, one] {
	return labelStep(name, fasts, from, when, do)
}

func (s *Fast) nobody(i id) bool { return s.Y == 0 }

// FastMutex is pcal/FastMutex.tla, Lamport's fast mutual exclusion, for two processes.
func FastMutex() Model[Fast] {
	return Model[Fast]{
		Name: "FastMutex", Init: start(Fast{}), Actions: append(fastEntry(), fastExit()...),
		Invariants: exclusive(fasts, func(s *Fast, i id) bool { return s.PC[i] == fastCS && !s.Failed[i] }),
		Distinct:   1_415, Generated: 2_679, Depth: 59,
	}
}

// fastEntry returns the steps up to the second look at x.
func fastEntry() []modules.AnyAction[Fast] {
	return []modules.AnyAction[Fast]{
		fastStep("start", fastStart, nil, func(s, n *Fast, i id) Label { return fastL1 }),
		fastStep("l1", fastL1, nil, func(s, n *Fast, i id) Label { n.B[i] = true; return fastL2 }),
		fastStep("l2", fastL2, nil, func(s, n *Fast, i id) Label { n.X = uint8(i) + 1; return fastL3 }),
		fastStep("l3", fastL3, nil, func(s, n *Fast, i id) Label {
			if s.Y != 0 {
				return fastL4
			}
			return fastL6
		}),
		fastStep("l4", fastL4, nil, func(s, n *Fast, i id) Label { n.B[i] = false; return fastL5 }),
		fastStep("l5", fastL5, (*Fast).nobody, func(s, n *Fast, i id) Label { return fastStart }),
		fastStep("l6", fastL6, nil, func(s, n *Fast, i id) Label { n.Y = uint8(i) + 1; return fastL7 }),
		fastStep("l7", fastL7, nil, func(s, n *Fast, i id) Label {
			if s.X != uint8(i)+1 {
				return fastL8
			}
			return fastCS
		}),
	}
}

// fastExit returns the slow way, which waits for all others, and the way out.
func fastExit() []modules.AnyAction[Fast] {
	return []modules.AnyAction[Fast]{
		fastStep("l8", fastL8, nil, func(s, n *Fast, i id) Label { n.B[i], n.J[i] = false, 1; return fastL9 }),
		fastStep("l9", fastL9, func(s *Fast, i id) bool { return s.J[i] > fasts || !s.B[s.J[i]-1] }, func(s, n *Fast, i id) Label {
			if s.J[i] > fasts {
				return fastL10
			}
			n.J[i]++
			return fastL9
		}),
		fastStep("l10", fastL10, func(s *Fast, i id) bool { return s.Y == uint8(i)+1 || s.Y == 0 }, func(s, n *Fast, i id) Label {
			n.Failed[i] = s.Failed[i] || s.Y == 0
			return fastCS
		}),
		fastStep("cs", fastCS, nil, func(s, n *Fast, i id) Label {
			if !s.Failed[i] {
				return fastL11
			}
			n.Failed[i] = false
			return fastStart
		}),
		fastStep("l11", fastL11, nil, func(s, n *Fast, i id) Label { n.Y = 0; return fastL12 }),
		fastStep("l12", fastL12, nil, func(s, n *Fast, i id) Label { n.B[i] = false; return fastStart }),
	}
}
