// Package registry is a registry that hands out numbers. A clerk opens a number, collects
// signatures, and issues it to itself. The owner of a number serves with it. The coarse grain of
// module issue does that in one step.
package registry

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Constants that a manifest sets.
const (
	Clerks = 3
	Most   = 2
	Fault  = "none"
)

// Clerk identifies a clerk.
type Clerk int8

// Nobody is no clerk.
const Nobody = Clerk(-1)

// Set is a set of clerks.
type Set = modules.Set[Clerk]

// State is what the clerks share.
type State struct {
	Number uint8         // issue: the last number that was opened
	Opener Clerk         // issue: who collects signatures
	Signed Set           // issue: who signed
	Owner  Clerk         // issue and serve: who has the number
	Ever   [Most + 1]Set // ghost: who ever had a number
	Served [Clerks]uint8 // serve: the last number with which a clerk served
	Away   [Clerks]bool  // faults
}

type (
	// One is a clerk.
	One = modules.One[Clerk]
	// Party is a clerk and a set of clerks.
	Party         = modules.Party[Clerk]
	action[P any] = modules.Action[State, P]
	actions       = []modules.AnyAction[State]
	invariants    = []modules.Invariant[State]
)

var each = modules.Each[Clerk](Clerks)

// Open begins a number.
var Open = action[One]{Name: "Open", Params: each,
	Guard: func(s *State, p One) bool {
		return s.Opener == Nobody && s.Owner == Nobody && s.Number < Most && !s.Away[p.I]
	},
	Effect: func(s, n *State, p One) { n.Number, n.Opener = s.Number+1, p.I }}

// Sign adds a signature.
var Sign = action[One]{Name: "Sign", Params: each,
	Guard:  func(s *State, p One) bool { return s.Opener != Nobody && !s.Away[p.I] && !s.Signed.Has(p.I) },
	Effect: func(s, n *State, p One) { n.Signed.Add(p.I) }}

// Issue gives the number to the clerk that opened it.
var Issue = action[One]{Name: "Issue", Params: each,
	Guard: func(s *State, p One) bool { return s.Opener == p.I && !s.Away[p.I] && s.Signed.IsQuorum(Clerks) },
	Effect: func(s, n *State, p One) {
		n.Owner, n.Opener, n.Signed = p.I, Nobody, 0
		n.Ever[s.Number].Add(p.I)
	}}

// Drop ends a number that was opened.
var Drop = action[One]{Name: "Drop", Params: each,
	Guard:  func(s *State, p One) bool { return s.Opener == p.I && !s.Away[p.I] },
	Effect: func(s, n *State, p One) { n.Opener, n.Signed = Nobody, 0 }}

// Wait changes nothing while no number is open.
var Wait = action[One]{Name: "Wait", Params: each,
	Guard:  func(s *State, p One) bool { return s.Opener == Nobody && !s.Away[p.I] },
	Effect: func(s, n *State, _ One) {}}

// WaitAtOnce is Wait of a registry in which no number is open for long.
var WaitAtOnce = action[One]{Name: "WaitAtOnce", Params: each,
	Guard:  func(s *State, p One) bool { return !s.Away[p.I] },
	Effect: func(s, n *State, _ One) {}}

// Skip is Open and Drop.
var Skip = action[One]{Name: "Skip", Params: each,
	Guard:  func(s *State, p One) bool { return s.Owner == Nobody && s.Number < Most && !s.Away[p.I] },
	Effect: func(s, n *State, _ One) { n.Number = s.Number + 1 }}

// IssueAtOnce is Open to Issue.
var IssueAtOnce = action[Party]{Name: "IssueAtOnce", Params: modules.Quorums[Clerk](Clerks),
	Guard: func(s *State, p Party) bool {
		for i := range Clerk(Clerks) {
			if p.S.Has(i) && s.Away[i] {
				return false
			}
		}
		return s.Owner == Nobody && s.Number < Most && !s.Away[p.I]
	},
	Effect: func(s, n *State, p Party) {
		n.Number = s.Number + 1
		n.Owner = p.I
		n.Ever[n.Number].Add(p.I)
	}}

// Serve uses a number.
var Serve = action[One]{Name: "Serve", Params: each,
	Guard:  func(s *State, p One) bool { return s.Owner == p.I && !s.Away[p.I] },
	Effect: func(s, n *State, p One) { n.Served[p.I], n.Owner = s.Number, Nobody }}

// Leave takes a clerk away. With the fault "stuck" what it opened stays open.
var Leave = action[One]{Name: "Leave", Params: each,
	Guard: func(s *State, p One) bool { return !s.Away[p.I] },
	Effect: func(s, n *State, p One) {
		n.Away[p.I] = true
		if s.Opener == p.I && Fault != "stuck" {
			n.Opener, n.Signed = Nobody, 0
		}
		if s.Owner == p.I {
			n.Owner = Nobody
			if Fault == "again" {
				n.Number = s.Number - 1
			}
		}
	}}

// Return brings a clerk back.
var Return = action[One]{Name: "Return", Params: each,
	Guard:  func(s *State, p One) bool { return s.Away[p.I] },
	Effect: func(s, n *State, p One) { n.Away[p.I] = false }}

var issueBaseline = grains.Grain[State]{
	Name: "baseline", Covers: []string{"issue"}, Actions: actions{&Open, &Sign, &Issue, &Drop, &Wait},
}

var issueSilent = grains.Coarsen(grains.Grain[State]{Name: "silent", Actions: actions{&Skip, &IssueAtOnce, &WaitAtOnce}}, issueBaseline)

var issueCoarse = grains.Coarsen(grains.Grain[State]{
	Name: "coarse", Actions: actions{&Skip, &IssueAtOnce, &WaitAtOnce}, Stands: issuing,
}, issueBaseline)

// issueIdle cannot wait.
var issueIdle = grains.Coarsen(grains.Grain[State]{Name: "idle", Actions: actions{&Skip, &IssueAtOnce}, Stands: issuing}, issueBaseline)

var issuing = []modules.StandIn[State]{
	modules.StandsFor(&IssueAtOnce, &Issue, issued, begun),
	modules.StandsFor(&IssueAtOnce, &Sign, signers, begun),
}

// issued: a coarse step issues one number.
func issued(p Party, yield func(One) bool) { yield(One{I: p.I}) }

// signers: everyone in a quorum signs.
func signers(p Party, yield func(One) bool) {
	for i := range Clerk(Clerks) {
		if p.S.Has(i) && !yield(One{I: i}) {
			return
		}
	}
}

// begun is the state after the number was opened.
func begun(s, b *State, p Party) { b.Number, b.Opener = s.Number+1, p.I }

var serveBaseline = grains.Grain[State]{Name: "baseline", Covers: []string{"serve"}, Actions: actions{&Serve}}

var leaving = []modules.Budget[State]{modules.Spend[State]("leaves", &Leave)}

var (
	faultsReturn = grains.Grain[State]{Name: "return", Covers: []string{"faults"}, Actions: actions{&Leave, &Return}, Budgets: leaving}
	faultsStay   = grains.Grain[State]{Name: "stay", Covers: []string{"faults"}, Actions: actions{&Leave}, Budgets: leaving}
)

// System is the catalog.
var System = grains.System[State]{
	Name: "registry", Doc: "A registry that hands out numbers.",
	Init: func(yield func(State) bool) { yield(State{Opener: Nobody, Owner: Nobody}) },
	Modules: []grains.Module{
		{Name: "issue", Doc: "hands out a number"},
		{Name: "serve", Doc: "uses it"},
		{Name: "faults", Doc: "takes clerks away", Environment: true},
	},
	Grains: []grains.Grain[State]{issueBaseline, issueSilent, issueCoarse, issueIdle, serveBaseline, faultsReturn, faultsStay},
	Invariants: invariants{
		{ID: "IssuedOnce", Doc: "A number is issued once.",
			OnStep: modules.OnStep(&Issue, func(s, _ *State, _ One) bool { return s.Ever[s.Number].Empty() })},
		{ID: "SignersPresent", Doc: "Who signs is present and did not sign a number that was issued.",
			OnStep: modules.OnStep(&Sign, func(s, _ *State, p One) bool { return !s.Away[p.I] && s.Ever[s.Number].Empty() })},
		{ID: "ServedIssued", Doc: "Who serves has the number.",
			OnStep: modules.OnStep(&Serve, func(s, _ *State, p One) bool { return s.Ever[s.Number].Has(p.I) })},
	},
	Liveness: []modules.Liveness[State]{
		{ID: "Ends", Doc: "All numbers are handed out and used, or dropped.",
			To: func(s *State) bool { return s.Number == Most && s.Owner == Nobody && s.Opener == Nobody }},
	},
	Bounds: []grains.Bound{
		{Name: "clerks", Doc: "clerks", Min: 1, Max: 5, Default: 3, Const: "Clerks"},
		{Name: "most", Doc: "numbers", Min: 1, Max: 6, Default: 2, Const: "Most"},
		{Name: "leaves", Doc: "times that a clerk leaves", Min: 0, Max: 6, Default: 1},
	},
	Options: []grains.Option{{Name: "fault", Doc: "a mistake", Values: []string{"none", "again", "stuck"}, Default: "none", Const: "Fault"}},
}
