package modules

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// Runtime holds the declarations of a specification for running next to one node: package
// checker/internal/refine. The rest is derived from its code. A package declares it in a variable
// of this name:
//
//	var Runtime = modules.Runtime[State]{...}
//
// and the types and capacities of that build in files with the build tag multigrain_runtime.
type Runtime[S any] struct {
	// Lane is the lane of a kind of messages, 0 to Lanes-1: on a connection, messages of one lane
	// keep their order. Messages of different lanes may overtake one another. Nil: one lane.
	Lane  func(kind uint8) int
	Lanes int
	// Ordered says that a message does not overtake those of lower lanes that were sent before it
	// on its connection: it waits for more than they do.
	Ordered bool
	// Lossy reports whether messages of a kind may be lost before anybody sees them; nil: none. A
	// step that sends such a message may also be taken without sending it. The search lets it send
	// only if the stream has that message next.
	Lossy func(kind uint8) bool
	// Elided reports whether a message of a kind may be left out where a later one says as much;
	// nil: none. A step may send such a message without anybody seeing it.
	Elided func(kind uint8) bool
	// Arrival is the stream by which a node receives a kind of messages from a peer, 0 to
	// Arrivals-1. Messages of one stream arrive in their order, those of different streams in any
	// order. Nil: one stream.
	Arrival  func(kind uint8) int
	Arrivals int
	// Inputs are the actions by which something outside the protocol reaches a node: they are
	// events of the stream.
	Inputs []Input[S]
	// Early says that an input may have come earlier than the stream has it: a tap knows of it by a
	// message that it has caused.
	Early bool
	// Steps says that all actions of Inputs that are the node's own can be taken from a stream that
	// tells of them.
	Steps bool
	// Own are actions of an environment module that a node takes by itself, as where it notices
	// that a connection has ended. The other actions of such a module happen to a node, or to
	// several.
	Own []AnyAction[S]
	// Restart is the action of the environment for an event "restart". A node keeps what this
	// action keeps.
	Restart AnyAction[S]
	// Written are groups of variables that a restart keeps. A node writes one group after the
	// other. A crash in between leaves the first groups new, with the beginning of a Chain, and the
	// others old. Variables without a group belong to the last one.
	Written [][]string
	// Promises say what messages tell about the disk of the node that sends them. A restart that
	// tells a state without it is an alarm.
	Promises []Promise[S]
	// Fatal says that an assertion which a step raises ends the node's process: nothing that it
	// sends later can come of such a step.
	Fatal bool
	// Timeouts are spontaneous actions that can happen again and again: the search takes one only
	// where it explains a message.
	Timeouts []AnyAction[S]
	// Lazy, Eager, Hidden and Says prune schedules: of some orders of steps the search takes one.
	// That is right where this one stands for the others. Below, s is a state of node I. Step e is
	// any other step enabled in s, crashes included. The state s·d·e results from s by d and then
	// e. A state stands for another one if the node can send from it whatever it can send from the
	// other. A monitor with -verify tries the conditions at the states that it meets, with the
	// steps that there are, and follows what stands for what two steps further.

	// Lazy are spontaneous actions that only send to their J what was decided before: no other step
	// depends on when. The search takes one only where a message to that server is asked for. For a
	// lazy step d and e that is no lazy step to the same J:
	//   - d sends, and to its J alone;
	//   - what e can do in s·d it can do in s, with the same messages;
	//   - if d, or another step of its action to J, is enabled in s·e, it sends the same messages,
	//     and s·e·d stands for s·d·e;
	//   - if none is, since the connection ended or e is a crash, s·e stands for s·d·e;
	//   - s·e also stands for s·d·e if AfterCrash leaves open in s·e what s·d·e has chosen.
	//
	// Where e sends to J as well, and comes before d, the search finds it by itself.
	Lazy []AnyAction[S]
	// Eager actions take a message, send nothing, and commute with every other step of the node.
	// (The node may still crash before it takes the message.) The search takes them at once. For an
	// eager step d, and e that does not take from the same lane:
	//   - what e can do in s it can do in s·d, with the same messages;
	//   - s·d·e stands for s·e·d;
	//   - where d is not possible in s·e, s·d·e stands for s·e.
	Eager []AnyAction[S]
	// Hidden actions are spontaneous, and only a crash shows whether they happened. The search
	// takes them only right before a crash. For a hidden step d and e that is neither hidden nor a
	// crash:
	//   - d sends nothing;
	//   - what e can do in s·d it can do in s, with the same messages;
	//   - s·e·d stands for s·d·e, or, where d is not possible in s·e, s·e does.
	Hidden []AnyAction[S]
	// BeforeCrash declares coarser steps for the time between the last observed event of a node and
	// its crash. What the node sends in that time is lost, and only what the restart keeps matters.
	// With Actions instead of Of, a node must reach each state after a restart that it reaches with
	// Of; it may reach more. Actions may be those of a coarser grain, with or without the
	// composition having them, and none of them counts as a time-out there. Where nothing is
	// declared the search takes the ordinary steps. A monitor with -verify does both searches.
	BeforeCrash Coarsening[S]
	// AfterCrash says what a restart leaves open. Some steps before the crash need not be taken
	// then.
	AfterCrash Openness[S]
	// Says reports whether the next message that node i sends to peer can be of a kind; nil: it
	// always can. The search ends schedules for which the next message in the stream says no. If it
	// says no in s, no schedule from s without a crash begins with a message of that kind to peer,
	// or in that lane.
	Says func(s *S, i, peer int, kind uint8) bool
	// Sends reports whether node i can still send msg to peer, which points to a message of the
	// specification; nil: it always can. The search ends schedules after which the next message in
	// the stream cannot come. If it says no in s, no schedule from s without a crash sends msg to
	// peer, now or later.
	Sends func(s *S, i, peer int, msg unsafe.Pointer) bool
	// Waits reports whether node i may take msg from peer later than in s; nil: it must not. The
	// search takes such a message later, or never. What Foresee notes is noted in s. next is the
	// message after msg by the same stream; nil: none has come. The search does not ask where
	// another stream from peer has a message that changes something. Below, a step d takes msg. A
	// step e is no crash and takes nothing of that stream. It sends no other messages than those
	// that the node is seen to send next:
	//   - d sends nothing, or what the node is not seen to send next;
	//   - what e can do in s·d it can do in s, with the same messages;
	//   - s·e·d stands for s·d·e;
	//   - a step that takes next has the same messages in s as in s·d, and leads to the same state.
	Waits func(s *S, i, peer int, msg, next unsafe.Pointer) bool
	// Merge makes the state of node i one that stands for it; nil: each state stands for itself.
	// The search calls it after each step, so states that differ in what it leaves out are one.
	// Where m is the state that Merge makes of s:
	//   - what a step can do in s it can do in m, with the same messages, and s·e stands for m·e;
	//   - what a step can do in m it can do in s, or after a step from s that sends nothing.
	Merge func(s *S, i int)
	// Gates are necessary conditions of actions with many parameters. The search asks a gate once
	// where it would ask the guard for each parameter with the same I and J.
	Gates []Gate[S]
	// Foresee handles a choice that the specification leaves open, such as how much a message
	// carries. It reads the choice from an observed message to peer and notes it in the variables
	// of the environment that Foresees names. It is called before each step with the next messages
	// to each server, in their order. msg points to a message of the specification. The earlier
	// values of the variables are forgotten.
	Foresee  func(s *S, peer int, msg unsafe.Pointer)
	Foresees []string
	// Committed is the position up to which the Chains of node i are final, for folding; nil where
	// there are none.
	Committed func(s *S, i int) uint64
	// Elected returns the number of the election whose outcome node i knows, such as the term of
	// its leader, and 0 while it knows of no leader. With -finer, a monitor judges the part of the
	// stream around each election again with finer grains. Nil: elections are not judged again.
	Elected func(s *S, i int) uint64
	// Locals describe how one node sees coarse actions of several servers.
	Locals []Local[S]
	// Remains lists the parts of the specification that exist only for a node.
	Remains []Remainder
}

// Gate is a necessary condition of an action. If Open reports false in s, no step of the action
// with this I and J is enabled in s. Open reads nothing that the guard does not read.
type Gate[S any] struct {
	Action AnyAction[S]
	Open   func(s *S, i, j int) bool
}

// Remainder is a part of a specification that exists only for running next to a node.
type Remainder struct {
	Kind RemainderKind `json:"kind"`
	Name string        `json:"name"`
	Why  string        `json:"why"` // why the explored grains cannot give it
}

// RemainderKind is the kind of a Remainder.
type RemainderKind string

// Kinds of remainders.
const (
	RemainingAction      RemainderKind = "action"
	RemainingDeclaration RemainderKind = "declaration" // of a field of Runtime
	RemainingHook        RemainderKind = "hook"        // of a function that differs
	RemainingDecoding    RemainderKind = "decoding"    // a difference of stream and wire
)

// Unlisted returns the parts that Remains does not list with a reason: actions without a grain, and
// fields of Runtime that are set. It also returns entries for which there is no such part.
// inGrain reports whether a grain of the catalog has an action.
func (r *Runtime[S]) Unlisted(inGrain func(action string) bool) (out []string) {
	var need []Remainder
	add := func(kind RemainderKind, name string) {
		x := Remainder{Kind: kind, Name: name}
		if name != "" && !slices.Contains(need, x) {
			need = append(need, x)
		}
	}
	actions := slices.Concat(r.BeforeCrash.Actions, r.Timeouts, r.Lazy, r.Eager, r.Hidden)
	for _, l := range r.Locals {
		actions = append(actions, l.Actions...)
	}
	for _, in := range r.Inputs {
		actions = append(actions, in.Action)
	}
	if r.Restart != nil {
		actions = append(actions, r.Restart)
	}
	for _, a := range actions {
		if !inGrain(a.name()) {
			add(RemainingAction, a.name())
		}
	}
	v := reflect.ValueOf(r).Elem()
	for f, x := range v.Fields() {
		if f.Name != "Remains" && !x.IsZero() {
			add(RemainingDeclaration, f.Name)
		}
	}
	for _, n := range need {
		if !slices.ContainsFunc(r.Remains, func(x Remainder) bool { return x.Kind == n.Kind && x.Name == n.Name && x.Why != "" }) {
			out = append(out, fmt.Sprintf("%s %s is not listed with a reason", n.Kind, n.Name))
		}
	}
	for _, x := range r.Remains {
		counted := x.Kind == RemainingAction || x.Kind == RemainingDeclaration
		if x.Why == "" || counted && !slices.Contains(need, Remainder{Kind: x.Kind, Name: x.Name}) {
			out = append(out, fmt.Sprintf("%s %s is listed, and there is none, or its reason is missing", x.Kind, x.Name))
		}
	}
	return out
}

// Promise is something that a message says is on the disk of the node that sends it, and stays
// there.
type Promise[S any] struct {
	Name string // what is on the disk, as "the vote of a term"
	// Made returns what a message to peer promises. ok is false where it promises nothing. The
	// greatest promise, by major and then by minor, implies those before it.
	Made func(peer int, msg unsafe.Pointer) (major, minor uint64, ok bool)
	// Kept reports whether node i keeps the promise where s is on its disk.
	Kept func(s *S, i int, major, minor uint64) bool
	// Torn says that a crash within a write may leave a disk without it in a correct node, too. The
	// promise then counts only where no order of writes explains the restart.
	Torn bool
}

// Input is an action by which the environment gives something to a node.
type Input[S any] struct {
	Action AnyAction[S]
	// Sets are the variables of the environment that the event sets before the step and that mean
	// nothing afterwards.
	Sets []string
	// Done says that the event tells of something that the node has done, not of something that it
	// is asked for and may refuse: the action is enabled then.
	Done bool
	// Network is the network that the event is about; "" where it is not about one. Where the
	// composition does not model that network, the event is left out like its messages.
	Network string
	// Ends says that a connection in Network to the server J of the parameter has ended. The node
	// may not have read the last messages that it received over that connection.
	Ends bool
	// Loses says, with Ends, that the connection also loses what the node sends to J. Messages
	// between the last one before this event and the first one after it need not be seen.
	Loses bool
	// Own says that it is a step that the node takes by itself, which a tap inside the process may
	// tell of. Where a stream is not stated to have such steps, the action is a spontaneous one.
	Own bool
}

// Local is the effect that a coarse action of several servers has on one of them, as a set of
// actions of that one. Every step of the finer grain, seen by one server, must be a step of one of
// them or none at all: a test holds that.
type Local[S any] struct {
	Of      AnyAction[S]
	Actions []AnyAction[S]
	Rules   []Rule[S]
}

// BindLocals returns the local actions of those coarse actions that the composition has, bound like
// the others.
func (r *Runtime[S]) BindLocals(has func(name string) bool) (out []Bound[S], replaced []string) {
	for _, l := range r.Locals {
		if has(l.Of.name()) {
			replaced = append(replaced, l.Of.name())
			out = append(out, Bind(l.Actions, l.Rules, nil)...)
		}
	}
	return out, replaced
}

// Openness says what a restart of a node leaves open: a choice that is made later, when a message
// depends on it. A state after a restart stands for each state that More and then Settle make of
// it.
type Openness[S any] struct {
	// Of are actions that a search leaves out right before a crash. The restart leaves open whether
	// they were taken: for a step d of them and a restart r, s·r stands for s·d·r. A monitor with
	// -verify takes these steps, too, and compares.
	Of []AnyAction[S]
	// More chooses one more of what is open for node i. It returns false, and changes nothing,
	// where all is chosen.
	More func(s *S, i int) bool
	// Settle chooses nothing more for node i.
	Settle func(s *S, i int)
}

// Coarsening are actions that stand for others: some steps for any number of theirs.
type Coarsening[S any] struct{ Of, Actions []AnyAction[S] }

// Use is an access of an action.
type Use struct {
	Action string
	Access Access
}
