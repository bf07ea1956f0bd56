package toy

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

type (
	grain     = grains.Grain[State]
	actions   = []modules.AnyAction[State]
	rules     = []modules.Rule[State]
	invariant = modules.Invariant[State]
	budgets   = []modules.Budget[State]
)

// System is the catalog.
var System = grains.System[State]{
	Name: "toy",
	Doc:  "A chief, its crew and their jobs.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "choosing", Doc: "Who is chief."},
		{Name: "greeting", Doc: "Which term it is."},
		{Name: "work", Doc: "Jobs are done."},
		{Name: "faults", Doc: "Servers stop and start.", Environment: true},
	},
	Grains: []grain{
		{Name: "baseline", Covers: []string{"choosing"}, Actions: actions{&Nominate, &Hear, &Decide}},
		{Name: "baseline", Covers: []string{"greeting"}, Actions: actions{&SendHELLO, &ProcessHELLO, &ProcessWELCOME, &Open}},
		{Name: "baseline", Covers: []string{"work"}, Actions: actions{&SendJOB, &ProcessJOB, &ProcessREPORT},
			Invariants: []invariant{
				{ID: "T-3", Instance: "term", Doc: "A member works in the term of its chief.", Raises: modules.Bit(WrongTerm)},
				{ID: "T-3", Instance: "report", Doc: "A chief knows what is reported.", Raises: modules.Bit(UnknownReport)},
			}},
		coarse("coarse", &Assemble),
		coarse("forgetful", &Forgetful),
		coarse("inventive", &Inventive),
		coarse("stale", &Stale),
		coarse("vacuous", &Vacuous),
		coarse("confused", &Confused),
		coarse("talkative", &Talkative),
		{Name: "appointed", Covers: []string{"choosing"}, From: []grains.Ref{{Module: "choosing", Grain: "baseline"}}, Coarsens: true,
			Actions: actions{&Appoint}},
		{Name: "instant", Covers: []string{"work"}, From: []grains.Ref{{Module: "work", Grain: "baseline"}}, Coarsens: true,
			Actions: actions{&Finish}},
		{Name: "nosy", Covers: []string{"work"}, From: []grains.Ref{{Module: "work", Grain: "baseline"}}, Coarsens: true,
			Actions: actions{&Nosy}},
		{Name: "crash", Covers: []string{"faults"}, Actions: actions{&Crash, &Start},
			Budgets: budgets{modules.Spend[State]("crashes", &Crash)}},
	},
	Invariants: []invariant{
		{ID: "T-1", Doc: "A term has one chief.", State: oneChief},
		{ID: "T-2", Doc: "Logs only grow.", Step: logsGrow},
		{ID: "T-4", Doc: "A job is given by a chief.", OnStep: modules.OnStep(&SendJOB, func(s, n *State, p Pair) bool {
			return s.Role[p.I] == CHIEF && n.Duty[p.I].Given > 0
		})},
	},
	Constraints: []invariant{{ID: "few-starts", State: func(s *State) bool { return s.Starts < 3 }}},
	Goals:       []invariant{{ID: "done", State: func(s *State) bool { return s.Log[0].Len() == MaxJobs }}},
	Rules: rules{
		modules.After(&Start, func(s, n *State, p One) { n.Starts++ }),
		modules.WhenAny(func(s *State) bool { return !s.Up.Empty() }, &Start),
		modules.When(&Crash, func(s *State, p One) bool { return s.Up.Len() > 1 }),
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers.", Min: 1, Max: 7, Default: 3, Const: "Servers"},
		{Name: "crashes", Doc: "Crashes.", Min: 0, Max: 5, Default: 1},
	},
	Options: []grains.Option{{Name: "eager", Doc: "Work before the term is set.", Default: "false", Const: "Eager"}},
}

// coarse returns a grain of choosing and greeting with one action.
func coarse(name string, a modules.AnyAction[State]) grain {
	return grain{
		Name:     name,
		Covers:   []string{"choosing", "greeting"},
		From:     []grains.Ref{{Module: "choosing", Grain: "baseline"}, {Module: "greeting", Grain: "baseline"}},
		Coarsens: true,
		Actions:  actions{a},
	}
}

func oneChief(s *State) bool {
	for _, c := range s.ChiefsOf {
		if c.Len() > 1 {
			return false
		}
	}
	return true
}

func logsGrow(s, n *State) bool {
	for i := range Servers {
		if !n.Log[i].HasPrefix(&s.Log[i]) {
			return false
		}
	}
	return true
}
