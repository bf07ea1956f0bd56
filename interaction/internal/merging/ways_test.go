package merging_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// A client asks a server for a value. Floor records what the client knew when it asked, and only
// the property reads it. Finish resets Floor, so it has several writers in both grains. The coarse
// client asks in one step, Get. Each case has another Get, or another Call that it stands for.
const client = `package spec

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

type ID int8

type Phase uint8

const (
	Idle Phase = iota
	Called
	Sent
	Answered
)

type State struct {
	Phase   [2]Phase
	Known   [2]uint8 // the latest version that the client has read
	Floor   [2]uint8 // Known when the client asked
	Asked   [2]bool  // a query is under way
	Answer  [2]uint8
	Urgent  [2]bool
	Noted   [2]bool
	Calls   [2]uint8
	Queued  [2]bool  // at the server
	Replied [2]bool
	Reply   [2]uint8
	Value   uint8
}

type (
	One     = modules.One[ID]
	Action  = modules.Action[State, One]
	actions = []modules.AnyAction[State]
)

var clients = modules.Each[ID](2)

var Call = Action{Name: "Call", Params: clients,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Idle && s.Calls[p.I] < 3 },
	Effect: func(s, n *State, p One) { n.Phase[p.I] = Called; n.Calls[p.I]++; CALL }}

var Ask = Action{Name: "Ask", Params: clients,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Called },
	Effect: func(s, n *State, p One) { n.Phase[p.I] = Sent; n.Queued[p.I] = true }}

// Note is a step that a query can do without.
var Note = Action{Name: "Note", Params: clients,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Called && !s.Noted[p.I] },
	Effect: func(s, n *State, p One) { n.Noted[p.I] = true; floor(s, n, p.I) }}

var Take = Action{Name: "Take", Params: clients,
	Guard: func(s *State, p One) bool { return s.Phase[p.I] == Sent && s.Replied[p.I] },
	Effect: func(s, n *State, p One) {
		n.Phase[p.I], n.Replied[p.I] = Answered, false
		n.Answer[p.I], n.Known[p.I] = s.Reply[p.I], max(s.Known[p.I], s.Reply[p.I])
	}}

var Finish = Action{Name: "Finish", Params: clients,
	Guard: func(s *State, p One) bool { return s.Phase[p.I] == Answered },
	Effect: func(s, n *State, p One) {
		n.Phase[p.I], n.Floor[p.I], n.Answer[p.I], n.Asked[p.I] = Idle, 0, 0, false
	}}

var Hurry = Action{Name: "Hurry", Params: clients,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Idle && !s.Urgent[p.I] },
	Effect: func(s, n *State, p One) { n.Urgent[p.I] = true }}

var Serve = Action{Name: "Serve", Params: clients,
	Guard:  func(s *State, p One) bool { return s.Queued[p.I] && !s.Replied[p.I] },
	Effect: func(s, n *State, p One) { n.Queued[p.I], n.Replied[p.I], n.Reply[p.I] = false, true, s.Value }}

var Grow = Action{Name: "Grow", Params: clients,
	Guard:  func(s *State, _ One) bool { return s.Value < 3 },
	Effect: func(s, n *State, _ One) { n.Value++ }}

func get(s, n *State, p One) { n.Phase[p.I], n.Queued[p.I] = Sent, true; n.Calls[p.I]++ }

func floor(s, n *State, i ID) { n.Floor[i] = s.Known[i] }

var Get = Action{Name: "Get", Params: clients,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Idle && s.Calls[p.I] < 3 },
	Effect: func(s, n *State, p One) { GET }}

// GetToo is right.
var GetToo = Action{Name: "GetToo", Params: clients,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Idle && s.Calls[p.I] < 3 },
	Effect: func(s, n *State, p One) { get(s, n, p); floor(s, n, p.I); n.Asked[p.I] = true }}

// Skip is a whole query in one step.
var Skip = Action{Name: "Skip", Params: clients,
	Guard: func(s *State, p One) bool { return s.Phase[p.I] == Sent && s.Replied[p.I] },
	Effect: func(s, n *State, p One) {
		n.Phase[p.I], n.Replied[p.I], n.Floor[p.I], n.Answer[p.I], n.Asked[p.I] = Idle, false, 0, 0, false
		n.Known[p.I] = max(s.Known[p.I], s.Reply[p.I])
	}}

var baseline = grains.Grain[State]{Name: "baseline", Covers: []string{"client"}, Actions: actions{&Call, &Ask, NOTE &Take, &Finish, &Hurry}}

var System = grains.System[State]{
	Name:    "spec",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "client"}, {Name: "server"}},
	Grains: []grains.Grain[State]{
		baseline,
		grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: actions{ACTIONS}}, baseline),
		{Name: "baseline", Covers: []string{"server"}, Actions: actions{&Serve, &Grow}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "FreshReads", State: func(s *State) bool { return s.Phase[0] != Answered || s.Asked[0] && s.Answer[0] >= s.Floor[0] }},
		{ID: "FreshReads1", State: func(s *State) bool { return s.Phase[1] != Answered || s.Asked[1] && s.Answer[1] >= s.Floor[1] }},
	},
}
`

// TestEveryWay analyses coarse clients. An error is expected where each merging has the update, and
// a warning where footprints do not decide it.
func TestEveryWay(t *testing.T) {
	t.Parallel()
	const always = "n.Floor[p.I] = s.Known[p.I]; n.Asked[p.I] = true"
	for _, c := range []struct{ name, call, note, get, actions, want string }{
		{name: "right", get: "get(s, n, p); n.Floor[p.I] = s.Known[p.I]; n.Asked[p.I] = true"},
		{name: "forgotten", get: "get(s, n, p); n.Asked[p.I] = true", want: "error Get Floor"},
		{name: "constant forgotten", get: "get(s, n, p); n.Floor[p.I] = s.Known[p.I]", want: "error Get Asked"},
		{name: "another constant", get: "get(s, n, p); n.Floor[p.I] = s.Known[p.I]; n.Asked[p.I] = false", want: "error Get Asked"},
		{name: "constant in place of a source", get: "get(s, n, p); n.Floor[p.I] = 0; n.Asked[p.I] = true", want: "error Get Floor"},
		{name: "another source", get: "get(s, n, p); n.Floor[p.I] = s.Calls[p.I]; n.Asked[p.I] = true", want: "error Get Floor"},
		{name: "by a helper", get: "get(s, n, p); floor(s, n, p.I); n.Asked[p.I] = true"},
		{name: "on one branch only", get: "get(s, n, p); n.Asked[p.I] = true; if s.Urgent[p.I] { floor(s, n, p.I) }", want: "warning Get Floor"},
		{name: "under a guard", get: "get(s, n, p); n.Asked[p.I] = true; if s.Known[p.I] > 1 { floor(s, n, p.I) }", want: "warning Get Floor"},
		{name: "early return", get: "get(s, n, p); n.Asked[p.I] = true; if s.Urgent[p.I] { return }; floor(s, n, p.I)", want: "warning Get Floor"},
		{name: "in a loop over some", get: "get(s, n, p); n.Asked[p.I] = true; for i := range ID(2) { if i == p.I && s.Urgent[i] { floor(s, n, i) } }", want: "warning Get Floor"},
		{name: "of another client", get: "get(s, n, p); n.Asked[p.I] = true; n.Floor[1-p.I] = s.Known[1-p.I]", want: "warning Get Floor"},
		{name: "on every branch", get: "get(s, n, p); n.Asked[p.I] = true; if s.Urgent[p.I] { n.Floor[p.I] = s.Known[p.I] } else { floor(s, n, p.I) }"},
		{name: "by an early return of a right branch", get: "n.Asked[p.I] = true; floor(s, n, p.I); if s.Urgent[p.I] { get(s, n, p); return }; get(s, n, p)"},
		{name: "the branch that does not write does not ask", get: "if s.Urgent[p.I] { return }; get(s, n, p); " + always},
		// no answer is left, which is true
		{name: "a whole query in one step", get: "get(s, n, p); " + always, actions: "&Get, &Skip, &Hurry", want: "warning  Answer"},
		// the element is not known
		{name: "in a loop", get: "get(s, n, p); n.Asked[p.I] = true; for i := range ID(2) { if i == p.I { floor(s, n, i) } }", want: "warning Get Floor"},
		{name: "the finer step on a branch, too", call: "n.Asked[p.I] = true; if s.Urgent[p.I] { floor(s, n, p.I) }",
			get: "get(s, n, p); n.Asked[p.I] = true; if s.Urgent[p.I] { floor(s, n, p.I) }"},
		{name: "the finer step on a branch, forgotten", call: "n.Asked[p.I] = true; if s.Urgent[p.I] { floor(s, n, p.I) }",
			get: "get(s, n, p); n.Asked[p.I] = true", want: "warning Get Floor"},
		{name: "the finer step by a helper, forgotten", call: "floor(s, n, p.I); n.Asked[p.I] = true",
			get: "get(s, n, p); n.Asked[p.I] = true", want: "error Get Floor"},
		{name: "a switch with one case missing", get: "get(s, n, p); n.Asked[p.I] = true; switch s.Known[p.I] { case 0: case 1: n.Floor[p.I] = s.Known[p.I]; default: floor(s, n, p.I) }", want: "warning Get Floor"},
		{name: "nothing is asked when urgent", get: "if !s.Urgent[p.I] { get(s, n, p); floor(s, n, p.I); n.Asked[p.I] = true }"},
		{name: "reset by the coarse action itself", get: "get(s, n, p); floor(s, n, p.I); n.Asked[p.I] = true; n.Floor[p.I] = 0", want: "error Get Floor"},
		{name: "through a local variable", get: "get(s, n, p); k := s.Known[p.I]; n.Asked[p.I] = true; n.Floor[p.I] = k"},
		{name: "in one of two coarse actions", get: "get(s, n, p); n.Asked[p.I] = true", actions: "&Get, &GetToo, &Take, &Finish, &Hurry", want: "error Get Floor"},
		{name: "in the other of two coarse actions", get: "get(s, n, p); floor(s, n, p.I); n.Asked[p.I] = true", actions: "&Get, &GetToo, &Take, &Finish, &Hurry"},
		{name: "the finer step is kept beside", get: "get(s, n, p); n.Asked[p.I] = true", actions: "&Get, &Call, &Ask, &Take, &Finish, &Hurry", want: "error Get Floor"},
		{name: "a step that can be left out", call: "n.Asked[p.I] = true", note: "&Note,", get: "get(s, n, p); " + always, actions: "&Get, &Take, &Finish, &Hurry"},
		{name: "a step that can be left out, forgotten", call: "n.Asked[p.I] = true", note: "&Note,",
			get: "get(s, n, p); n.Asked[p.I] = true", want: "warning Get Floor"},
		{name: "a step that can be left out, on one branch only", call: "n.Asked[p.I] = true", note: "&Note,",
			get: "get(s, n, p); n.Asked[p.I] = true; if s.Known[p.I] > 1 { n.Floor[p.I] = s.Known[p.I] }", want: "warning Get Floor"},
		{name: "a step that can be left out, by its code on one branch", call: "n.Asked[p.I] = true", note: "&Note,",
			get: "get(s, n, p); n.Asked[p.I] = true; if s.Known[p.I] > 1 { floor(s, n, p.I) }", want: "warning Get Floor"},
	} {
		t.Run(strings.NewReplacer(" ", "-", ",", "").Replace(c.name), func(t *testing.T) {
			t.Parallel()
			call, list := always, "&Get, &Take, &Finish, &Hurry"
			if c.call != "" {
				call = c.call
			}
			if c.actions != "" {
				list = c.actions
			}
			got := levelZero(t, strings.NewReplacer("CALL", call, "NOTE ", c.note, "GET", c.get, "ACTIONS", list).Replace(client),
				grains.Choice{Grains: []grains.Ref{{Module: "client", Grain: "coarse"}, {Module: "server", Grain: "baseline"}}, Invariants: []string{"*"}}, "server")
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// query is a client that asks one of two servers, and reads the answer. The coarse grain of the
// client has no answers: Query is Answer and TakeAnswer in one step, at the server. Clients have
// the numbers after those of the servers, so the element of a client is computed. Each case has
// another Query.
const query = `package spec

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

const (
	Servers = 2
	nodes   = 4
)

type (
	Node  int8
	Kind  uint8
	queue = modules.Channel[Msg, [2]Msg]
	At    = modules.At[Node]
	Action = modules.Action[State, At]
	actions = []modules.AnyAction[State]
)

const (
	GET Kind = iota + 1
	GETOK
)

type Msg struct {
	Kind  Kind
	Value uint8
}

type State struct {
	Value [Servers]uint8
	Read  [2]uint8 // only the property reads it
	Done  [2]bool
	Msgs  modules.Bag[Node, Kind, Msg, [2]Msg, [nodes]queue, [nodes][nodes]queue]
}

var received = modules.Positions[Node](nodes, 2)

var Answer = Action{Name: "Answer", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, GET) && s.Value[p.I] > 0 },
	Effect: func(s, n *State, p At) {
		n.Msgs.Take(p, GET)
		n.Msgs.Reply(p, Msg{Kind: GETOK, Value: s.Value[p.I]})
	}}

var TakeAnswer = Action{Name: "TakeAnswer", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, GETOK) },
	Effect: func(s, n *State, p At) {
		value := n.Msgs.Take(p, GETOK).Value
		TAKE
	}}

var Query = Action{Name: "Query", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, GET) && s.Value[p.I] > 0 },
	Effect: func(s, n *State, p At) { QUERY }}

var Grow = Action{Name: "Grow", Params: received,
	Guard:  func(s *State, p At) bool { return p.I < Servers && s.Value[p.I] < 3 },
	Effect: func(s, n *State, p At) { n.Value[p.I]++ }}

var answered = grains.Grain[State]{Name: "baseline", Covers: []string{"client"}, Actions: actions{&Answer, &TakeAnswer}}

var System = grains.System[State]{
	Name: "spec",
	Init: func(yield func(State) bool) {
		var s State
		s.Msgs.Send(2, 0, Msg{Kind: GET})
		s.Msgs.Send(3, 1, Msg{Kind: GET})
		yield(s)
	},
	Modules: []grains.Module{{Name: "client"}, {Name: "server"}},
	Grains: []grains.Grain[State]{
		answered, grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: actions{&Query}}, answered),
		{Name: "baseline", Covers: []string{"server"}, Actions: actions{&Grow}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Reads", State: func(s *State) bool { return !s.Done[0] && !s.Done[1] || s.Read[0]+s.Read[1] > 0 }},
	},
}
`

// TestAnswerIsForgotten: an action that takes a message and writes on some of its ways only gets a
// warning, though the element is computed. One that does nothing on these ways gets none, nor does
// one whose finer step has a condition, too.
func TestAnswerIsForgotten(t *testing.T) {
	t.Parallel()
	const right = "n.Read[p.J-Servers], n.Done[p.J-Servers] = s.Value[p.I], true"
	const takes = "n.Msgs.Take(p, GET); "
	for _, c := range []struct{ name, take, query, want string }{
		{name: "right", query: takes + right},
		{name: "by an early return", query: takes + "if s.Value[p.I] == 2 { return }; " + right, want: "warning Query Read; warning Query Done"},
		{name: "under a condition", query: takes + "n.Done[p.J-Servers] = true; if s.Value[p.I] > 1 { n.Read[p.J-Servers] = s.Value[p.I] }", want: "warning Query Read"},
		{name: "never", query: takes + "n.Done[p.J-Servers] = true", want: "error Query Read"},
		{name: "on every branch", query: takes + "if s.Value[p.I] == 2 { " + right + "; return }; " + right},
		{name: "nothing is done", query: "if s.Value[p.I] == 2 { return }; " + takes + right},
		{name: "the finer step on a branch, too", take: "if value > 1 { n.Read[p.I-Servers] = value }; n.Done[p.I-Servers] = true",
			query: takes + "n.Done[p.J-Servers] = true; if s.Value[p.I] > 1 { n.Read[p.J-Servers] = s.Value[p.I] }"},
	} {
		t.Run(strings.NewReplacer(" ", "-", ",", "").Replace(c.name), func(t *testing.T) {
			t.Parallel()
			take := cmp.Or(c.take, "n.Read[p.I-Servers], n.Done[p.I-Servers] = value, true")
			got := levelZero(t, strings.NewReplacer("TAKE", take, "QUERY", c.query).Replace(query),
				grains.Choice{Grains: []grains.Ref{{Module: "client", Grain: "coarse"}, {Module: "server", Grain: "baseline"}}, Invariants: []string{"*"}}, "server")
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// levelZero returns severity, action and variable of each finding of level L0.
func levelZero(t *testing.T, spec string, c grains.Choice, targets ...string) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("testdata", strings.NewReplacer("/", "-", "#", "-").Replace(t.Name())))
	if err != nil {
		t.Fatal(err)
	}
	p, findings, err := interaction.Load(interaction.Config{Dir: ".", Package: "./testdata/" + filepath.Base(folder),
		Overlay: map[string][]byte{filepath.Join(folder, "spec.go"): []byte(spec)}})
	if err != nil || p == nil {
		t.Fatal(err, findings)
	}
	rep, findings := p.Analyze(c, targets)
	if interaction.HasErrors(findings) || rep == nil {
		t.Fatal(findings)
	}
	var out []string
	for _, f := range rep.Findings {
		if f.Severity != interaction.Note {
			out = append(out, fmt.Sprint(f.Severity, " ", f.Action, " ", f.Variable))
		}
	}
	return strings.Join(out, "; ")
}
