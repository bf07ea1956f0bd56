package classic

import "github.com/multigrain/multigrain/modules"

const (
	bakers   = 2
	maxTaken = 3 // the largest ticket that is explored further
)

// Labels of Bakery.
const (
	bakeryLoop Label = iota
	bakeryD1
	bakeryD2
	bakeryD3
	bakeryW1
	bakeryW2
	bakeryCS
	bakeryExit
)

// Tickets is the state of Bakery.
type Tickets struct {
	PC       [bakers]Label
	Num      [bakers]uint8
	Choosing modules.Set[id]
	Read     [bakers]modules.Set[id]
	Max      [bakers]uint8
	Nxt      [bakers]id
}

func (s *Tickets) at(i id) *Label { return &s.PC[i] }

// readAll reports whether i has read from all others, itself counted in.
func (s *Tickets) readAll(i id) bool { return s.Read[i] == modules.Below[id](bakers) }

// first reports whether ticket holder j lets i go first.
func (s *Tickets) first(i, j id) bool {
	return s.Num[j] == 0 || s.Num[j] > s.Num[i] || s.Num[j] == s.Num[i] && j > i
}

func bakeryStep(name string, from Label, when func(s *Tickets, i id) bool, do func(s, n *Tickets, i id) Label) *modules.Action[Tickets, one] {
	return labelStep(name, bakers, from, when, do)
}

// readTicket is the step at d1 with one p out of those not read.
var readTicket = modules.Action[Tickets, pair]{
	Name: "d1.with", Params: modules.EachPair[id](bakers),
	Guard: func(s *Tickets, p pair) bool { return s.PC[p.I] == bakeryD1 && !s.Read[p.I].Has(p.J) },
	Effect: func(s, n *Tickets, p pair) {
		n.Max[p.I] = max(s.Max[p.I], s.Num[p.J])
		n.Read[p.I].Add(p.J)
	},
}

// waitFor is the step at w1 with one p out of those not waited for.
var waitFor = modules.Action[Tickets, pair]{
	Name: "w1.with", Params: modules.EachPair[id](bakers),
	Guard: func(s *Tickets, p pair) bool {
		return s.PC[p.I] == bakeryW1 && !s.Read[p.I].Has(p.J) && !s.Choosing.Has(p.J)
	},
	Effect: func(s, n *Tickets, p pair) {
		n.Nxt[p.I] = p.J
		n.PC[p.I] = bakeryW2
	},
}

// Bakery is pcal/Bakery.tla, Lamport's bakery algorithm, for two processes and tickets up to 3.
func Bakery() Model[Tickets] {
	first := Tickets{}
	for i := range id(bakers) {
		first.Nxt[i] = i
	}
	return Model[Tickets]{
		Name: "Bakery", Init: start(first),
		Actions: []modules.AnyAction[Tickets]{
			bakeryStep("loop", bakeryLoop, nil, func(s, n *Tickets, i id) Label {
				n.Choosing.Add(i)
				n.Read[i], n.Max[i] = modules.SetOf(i), 0
				return bakeryD1
			}),
			&readTicket,
			bakeryStep("d1", bakeryD1, (*Tickets).readAll, func(s, n *Tickets, i id) Label { return bakeryD2 }),
			bakeryStep("d2", bakeryD2, nil, func(s, n *Tickets, i id) Label { n.Num[i] = s.Max[i] + 1; return bakeryD3 }),
			bakeryStep("d3", bakeryD3, nil, func(s, n *Tickets, i id) Label {
				n.Choosing.Remove(i)
				n.Read[i] = modules.SetOf(i)
				return bakeryW1
			}),
			&waitFor,
			bakeryStep("w1", bakeryW1, (*Tickets).readAll, func(s, n *Tickets, i id) Label { return bakeryCS }),
			bakeryStep("w2", bakeryW2, func(s *Tickets, i id) bool { return s.first(i, s.Nxt[i]) }, func(s, n *Tickets, i id) Label {
				n.Read[i].Add(s.Nxt[i])
				return bakeryW1
			}),
			bakeryStep("cs", bakeryCS, nil, func(s, n *Tickets, i id) Label { return bakeryExit }),
			bakeryStep("exit", bakeryExit, nil, func(s, n *Tickets, i id) Label { n.Num[i] = 0; return bakeryLoop }),
		},
		Invariants: exclusive(bakers, func(s *Tickets, i id) bool { return s.PC[i] == bakeryCS }),
		Constraints: []modules.Invariant[Tickets]{{ID: "Constraint", State: func(s *Tickets) bool {
			return max(s.Num[0], s.Num[1]) <= maxTaken
		}}},
		Distinct: 668, Generated: 1_183, Depth: 40,
	}
}
