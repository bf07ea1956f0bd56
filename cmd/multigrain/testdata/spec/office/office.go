// Package office is a specification whose declarations for running next to a node hold in its
// baseline. Each of thirteen grains breaks one law of them: law-1 the first law, and so
// on. The coarse grain strict does less than the baseline.
//
// Servers write letters to one another. A server takes a letter, may keep on its disk that it has
// it, and sends a copy of it to each other server.
package office

import (
	"unsafe"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Servers is the number of servers, Most the number of letters that each writes.
const (
	Servers = 3
	Most    = 3
)

// Server is a server.
type Server int8

// Kind is the kind of a message.
type Kind uint8

// The kinds.
const (
	_ Kind = iota
	LETTER
	COPY
)

// Msg is a message.
type Msg struct {
	Kind Kind
	Age  uint8
}

// Net is the network.
type Net = modules.Net[Server, Kind, Msg, [4]Msg, [Servers]modules.Channel[Msg, [4]Msg], [Servers][Servers]modules.Channel[Msg, [4]Msg]]

// State is the state of all servers.
type State struct {
	Written, Held, Disk [Servers]uint8
	Copied              [Servers][Servers]uint8 // copies that a server has sent to another one
	// Grown, Shut, Booted and Stamped are for the grains that break laws. Booted is Disk at the
	// last restart plus 1, and 0 before a restart.
	Grown, Booted [Servers]uint8
	Shut, Stamped [Servers]bool
	// Dated and Sealed are for laws 12 and 14.
	Dated, Sealed [Servers]bool
	Msgs          Net
}

type (
	pair = modules.Action[State, modules.Pair[Server]]
	one  = modules.Action[State, modules.One[Server]]
	both = modules.Pair[Server]
)

func third(p both) Server { return Server(Servers) - p.I - p.J }

// Write sends a letter.
var Write = pair{
	Name:   "Write",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: s.Written[p.I] + 1})
	},
}

// Drop takes a copy, which changes nothing.
var Drop = pair{
	Name:   "Drop",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Msgs.Is(p.J, p.I, COPY) },
	Effect: func(s, n *State, p both) { n.Msgs.Recv(p.J, p.I, COPY) },
}

// Take takes a letter.
var Take = pair{
	Name:   "Take",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Msgs.Is(p.J, p.I, LETTER) },
	Effect: func(s, n *State, p both) {
		n.Msgs.Recv(p.J, p.I, LETTER)
		n.Held[p.I]++
	},
}

// Copy sends a copy of a letter.
var Copy = pair{
	Name:   "Copy",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Copied[p.I][p.J] < s.Held[p.I] },
	Effect: func(s, n *State, p both) {
		n.Copied[p.I][p.J]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: COPY, Age: s.Copied[p.I][p.J] + 1})
	},
}

// Keep writes to the disk that the server has one letter more.
var Keep = one{
	Name:   "Keep",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p modules.One[Server]) bool { return s.Disk[p.I] < s.Held[p.I] },
	Effect: func(s, n *State, p modules.One[Server]) { n.Disk[p.I]++ },
}

// Restart ends a server and begins it again with what is on its disk.
var Restart = one{
	Name:   "Restart",
	Params: modules.Each[Server](Servers),
	Effect: func(s, n *State, p modules.One[Server]) {
		n.Held[p.I] = s.Disk[p.I]
		n.Booted[p.I] = s.Disk[p.I] + 1
		n.Copied[p.I] = [Servers]uint8{}
		n.Grown[p.I] = 0
		n.Shut[p.I] = false
		n.Stamped[p.I] = false
	},
}

// Grow changes a number.
var Grow = one{
	Name:   "Grow",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p modules.One[Server]) bool { return s.Grown[p.I] == 0 },
	Effect: func(s, n *State, p modules.One[Server]) { n.Grown[p.I] = 1 },
}

// CopyToBoth is a Copy that also goes to the third server. It breaks law 1.
var CopyToBoth = pair{
	Name:   "CopyToBoth",
	Params: modules.EachPair[Server](Servers),
	Guard:  Copy.Guard,
	Effect: func(s, n *State, p both) {
		n.Copied[p.I][p.J]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: COPY, Age: s.Copied[p.I][p.J] + 1})
		n.Msgs.Send(p.I, third(p), Msg{Kind: COPY, Age: s.Copied[p.I][p.J] + 1})
	},
}

// TellCopied sends a letter to the third server after a copy. It waits for Copy: law 2.
var TellCopied = pair{
	Name:   "TellCopied",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Copied[p.I][p.J] == 1 && s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, third(p), Msg{Kind: LETTER, Age: 9})
	},
}

// CopyGrown is a Copy whose message has what Grow changes. It breaks law 3.
var CopyGrown = pair{
	Name:   "CopyGrown",
	Params: modules.EachPair[Server](Servers),
	Guard:  Copy.Guard,
	Effect: func(s, n *State, p both) {
		n.Copied[p.I][p.J]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: COPY, Age: 4*s.Grown[p.I] + s.Copied[p.I][p.J] + 1})
	},
}

// TellEmpty sends a letter while the server has none. It is not possible after Take: law 4.
var TellEmpty = pair{
	Name:   "TellEmpty",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Held[p.I] == 0 && s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: 9})
	},
}

// TakeGrown is a Take that counts twice after Grow. It breaks law 5.
var TakeGrown = pair{
	Name:   "TakeGrown",
	Params: modules.EachPair[Server](Servers),
	Guard:  Take.Guard,
	Effect: func(s, n *State, p both) {
		n.Msgs.Recv(p.J, p.I, LETTER)
		n.Held[p.I] += 1 + s.Grown[p.I]
	},
}

// TakeOpen is a Take that is not possible after Close. With Close and Report it breaks law 6.
var TakeOpen = pair{
	Name:   "TakeOpen",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return !s.Shut[p.I] && s.Msgs.Is(p.J, p.I, LETTER) },
	Effect: func(s, n *State, p both) {
		n.Msgs.Recv(p.J, p.I, LETTER)
		n.Held[p.I]++
	},
}

// Close ends the taking of letters.
var Close = one{
	Name:   "Close",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p modules.One[Server]) bool { return !s.Shut[p.I] },
	Effect: func(s, n *State, p modules.One[Server]) { n.Shut[p.I] = true },
}

// Report sends a letter after Close if the server has none.
var Report = pair{
	Name:   "Report",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Shut[p.I] && s.Held[p.I] == 0 && s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: 9})
	},
}

// KeepAloud is a Keep that sends a letter. It breaks law 7.
var KeepAloud = one{
	Name:   "KeepAloud",
	Params: modules.Each[Server](Servers),
	Guard:  Keep.Guard,
	Effect: func(s, n *State, p modules.One[Server]) {
		n.Disk[p.I]++
		n.Msgs.Send(p.I, (p.I+1)%Servers, Msg{Kind: LETTER, Age: 9})
	},
}

// TellKept sends a letter after Keep. It waits for Keep: law 8.
var TellKept = pair{
	Name:   "TellKept",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Disk[p.I] == 1 && s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: 9})
	},
}

// KeepGrown writes another number to the disk after Grow. With Hello it breaks law 9.
var KeepGrown = one{
	Name:   "KeepGrown",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p modules.One[Server]) bool { return s.Disk[p.I] == 0 && s.Held[p.I] > 0 },
	Effect: func(s, n *State, p modules.One[Server]) { n.Disk[p.I] = 2 - s.Grown[p.I] },
}

// Hello sends what was on the disk at the last restart.
var Hello = pair{
	Name:   "Hello",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Booted[p.I] > 0 },
	Effect: func(s, n *State, p both) {
		n.Booted[p.I] = 0
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: 4 + s.Booted[p.I]})
	},
}

// TakeOne is a Take that is not possible twice: the grain strict leaves out what a server may do.
var TakeOne = pair{
	Name:   "TakeOne",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Held[p.I] == 0 && s.Msgs.Is(p.J, p.I, LETTER) },
	Effect: func(s, n *State, p both) {
		n.Msgs.Recv(p.J, p.I, LETTER)
		n.Held[p.I]++
	},
}

// Stamp makes Says deny letters. TellStamped sends one nevertheless: law 10.
var Stamp = one{
	Name:   "Stamp",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p modules.One[Server]) bool { return !s.Stamped[p.I] },
	Effect: func(s, n *State, p modules.One[Server]) { n.Stamped[p.I] = true },
}

// TellStamped sends a letter after Stamp.
var TellStamped = pair{
	Name:   "TellStamped",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Stamped[p.I] && s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: 9})
	},
}

// TellGated sends a letter also where its gate is closed: law 11.
var TellGated = pair{
	Name:   "TellGated",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Written[p.I] < Most && s.Grown[p.I] <= 1 },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: 9})
	},
}

// Date notes what Merge leaves out. TellDated sends a letter after it: law 12.
var Date = one{
	Name:   "Date",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p modules.One[Server]) bool { return !s.Dated[p.I] },
	Effect: func(s, n *State, p modules.One[Server]) { n.Dated[p.I] = true },
}

// TellDated sends a letter after Date.
var TellDated = pair{
	Name:   "TellDated",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Dated[p.I] && s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: 9})
	},
}

// Seal comes before TellSealed, and Sends denies what that sends until then: law 14.
var Seal = one{
	Name:   "Seal",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p modules.One[Server]) bool { return !s.Sealed[p.I] },
	Effect: func(s, n *State, p modules.One[Server]) { n.Sealed[p.I] = true },
}

// sealed is the age of a letter that TellSealed sends.
const sealed = 11

// TellSealed sends a letter after Seal.
var TellSealed = pair{
	Name:   "TellSealed",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p both) bool { return s.Sealed[p.I] && s.Written[p.I] < Most },
	Effect: func(s, n *State, p both) {
		n.Written[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: LETTER, Age: sealed})
	},
}

type actions = []modules.AnyAction[State]

// Runtime is what a node declares.
var Runtime = modules.Runtime[State]{
	Restart: &Restart,
	Lazy: actions{
		&Copy,
		&CopyToBoth,
		&CopyGrown,
	},
	Eager: actions{
		&Take,
		&TakeGrown,
		&TakeOpen,
	},
	Hidden: actions{
		&Keep,
		&KeepAloud,
		&KeepGrown,
	},
	Says:  func(s *State, i, peer int, kind uint8) bool { return kind != uint8(LETTER) || !s.Stamped[i] },
	Sends: func(s *State, i, peer int, msg unsafe.Pointer) bool { return (*Msg)(msg).Age != sealed || s.Sealed[i] },
	Merge: func(s *State, i int) { s.Dated[i] = false },
	Gates: []modules.Gate[State]{
		{Action: &TellGated, Open: func(s *State, i, j int) bool { return s.Grown[i] == 0 }},
	},
}

var baseline = grains.Grain[State]{Name: "baseline", Doc: "All laws hold.", Covers: []string{"office"}, Actions: actions{&Take, &Copy, &Keep}}

func breaks(name, doc string, more ...modules.AnyAction[State]) grains.Grain[State] {
	return grains.Refine(grains.Grain[State]{Name: name, Doc: doc, Actions: more}, baseline)
}

// System is the catalog.
var System = grains.System[State]{
	Name: "office",
	Doc:  "Servers pass copies of letters on.",
	Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{
		{Name: "mail", Doc: "writes letters"},
		{Name: "office", Doc: "takes, keeps and copies letters"},
		{Name: "faults", Doc: "restarts servers", Environment: true},
	},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Doc: "A server writes some letters.", Covers: []string{"mail"}, Actions: actions{&Write, &Drop}},
		baseline,
		breaks("law-1", "A copy goes to two servers.", &Take, &CopyToBoth, &Keep),
		breaks("law-2", "A letter waits for a copy.", &Take, &Copy, &Keep, &TellCopied),
		breaks("law-3", "A copy has what another step changes.", &Take, &CopyGrown, &Keep, &Grow),
		breaks("law-4", "A letter is sent only before one is taken.", &Take, &Copy, &Keep, &TellEmpty),
		breaks("law-5", "A letter that is taken counts twice.", &TakeGrown, &Copy, &Keep, &Grow),
		breaks("law-6", "A server that takes nothing more reports that it has nothing.", &TakeOpen, &Copy, &Keep, &Close, &Report),
		breaks("law-7", "What is written to the disk sends a letter.", &Take, &Copy, &KeepAloud),
		breaks("law-8", "A letter waits for the disk.", &Take, &Copy, &Keep, &TellKept),
		breaks("law-9", "The disk gets another number later.", &Take, &Copy, &KeepGrown, &Grow, &Hello),
		breaks("law-10", "A server that says no sends a letter.", &Take, &Copy, &Keep, &Stamp, &TellStamped),
		breaks("law-11", "A letter is sent where its gate is closed.", &Take, &Copy, &Keep, &Grow, &TellGated),
		breaks("law-12", "A letter waits for what is left out of states.", &Take, &Copy, &Keep, &Date, &TellDated),
		breaks("law-14", "A server that cannot send a letter sends it.", &Take, &Copy, &Keep, &Seal, &TellSealed),
		grains.Coarsen(grains.Grain[State]{Name: "strict", Doc: "A server takes one letter.", Actions: actions{&TakeOne, &Copy, &Keep}}, baseline),
		{Name: "restarts", Doc: "A server ends and begins again.", Covers: []string{"faults"}, Actions: actions{&Restart}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Kept", Doc: "What is on the disk is held.", State: func(s *State) bool { return s.Disk[0] <= s.Held[0] }},
	},
}
