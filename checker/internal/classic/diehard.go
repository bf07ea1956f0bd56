package classic

import "github.com/multigrain/multigrain/modules"

// Jugs is the state of DieHard: a jug of five gallons, one of three, what was done last and how
// much was poured last.
type Jugs struct {
	Big, Small, Action, Water uint8
}

// Values of Jugs.Action; 0 is "nondet".
const (
	fillsBig = iota + 1
	emptiesBig
	fillsSmall
	emptiesSmall
	poursToSmall
	poursToBig
)

func onJugs(name string, effect func(s, n *Jugs)) *modules.Action[Jugs, none] {
	return &modules.Action[Jugs, none]{
		Name: name, Params: modules.Once, Effect: func(s, n *Jugs, _ none) { effect(s, n) },
	}
}

// DieHard is DieHard.tla: how to get four gallons. Its invariant says that it cannot be done.
func DieHard() Model[Jugs] {
	return Model[Jugs]{
		Name: "DieHard", Init: start(Jugs{}),
		Actions: []modules.AnyAction[Jugs]{
			onJugs("FillBig", func(s, n *Jugs) { n.Action, n.Big = fillsBig, 5 }),
			onJugs("EmptyBig", func(s, n *Jugs) { n.Action, n.Big = emptiesBig, 0 }),
			onJugs("FillSmall", func(s, n *Jugs) { n.Action, n.Small = fillsSmall, 3 }),
			onJugs("EmptySmall", func(s, n *Jugs) { n.Action, n.Small = emptiesSmall, 0 }),
			onJugs("BigToSmall", func(s, n *Jugs) {
				n.Action, n.Water = poursToSmall, min(3-s.Small, s.Big)
				n.Small, n.Big = s.Small+n.Water, s.Big-n.Water
			}),
			onJugs("SmallToBig", func(s, n *Jugs) {
				n.Action, n.Water = poursToBig, min(5-s.Big, s.Small)
				n.Small, n.Big = s.Small-n.Water, s.Big+n.Water
			}),
		},
		Invariants: []modules.Invariant[Jugs]{
			{ID: "Inv", Doc: "the big jug never holds four gallons", State: func(s *Jugs) bool { return s.Big != 4 }},
		},
		Distinct: 101, Generated: 607, Depth: 9, Violation: 6,
	}
}
