package refine

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// A relay: server 0 takes items into a queue, writes them to its disk one by one, and passes on
// what it has written, to servers 1 and 2 at any time. When it stops it says goodbye to both, what
// is left in its queue is written later or never, and it tells who it is.

type relayKind uint8

const (
	_ relayKind = iota
	item
	pass
	bye
	tell
)

type relayMsg struct {
	Kind   relayKind
	Number uint8
}

type (
	relayChannel = modules.Channel[relayMsg, [8]relayMsg]
	relayNet     = modules.Net[server, relayKind, relayMsg, [8]relayMsg, [3]relayChannel, [3][3]relayChannel]
)

type relayState struct {
	Queue, Left, Disk [3]uint8
	Passed            [3][3]uint8
	Stopped           [3]bool
	Msgs              relayNet
}

type (
	relayPair   = modules.Action[relayState, modules.Pair[server]]
	relayOne    = modules.Action[relayState, modules.One[server]]
	relayAction = modules.AnyAction[relayState]
)

var (
	takeItem = &relayPair{Name: "Take", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return !s.Stopped[p.I] && s.Msgs.Is(p.J, p.I, item) },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Recv(p.J, p.I, item)
			n.Queue[p.I]++
		}}
	writeItem = &relayOne{Name: "Write", Params: modules.Each[server](3),
		Guard:  func(s *relayState, p modules.One[server]) bool { return s.Queue[p.I] > 0 },
		Effect: func(s, n *relayState, p modules.One[server]) { n.Queue[p.I]--; n.Disk[p.I]++ }}
	passItem = &relayPair{Name: "Pass", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool {
			return !s.Stopped[p.I] && s.Passed[p.I][p.J] < s.Disk[p.I]
		},
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Passed[p.I][p.J]++
			n.Msgs.Send(p.I, p.J, relayMsg{pass, n.Passed[p.I][p.J]})
		}}
	stopRelay = &relayOne{Name: "Stop", Params: modules.Each[server](3),
		Guard: func(s *relayState, p modules.One[server]) bool { return !s.Stopped[p.I] },
		Effect: func(s, n *relayState, p modules.One[server]) {
			n.Stopped[p.I] = true
			n.Queue[p.I], n.Left[p.I] = 0, s.Queue[p.I]
			n.Passed[p.I] = [3]uint8{}
			for j := range server(3) {
				if j != p.I {
					n.Msgs.Send(p.I, j, relayMsg{Kind: bye})
				}
			}
		}}
	writeLeft = &relayOne{Name: "WriteLeft", Params: modules.Each[server](3),
		Guard:  func(s *relayState, p modules.One[server]) bool { return s.Left[p.I] > 0 },
		Effect: func(s, n *relayState, p modules.One[server]) { n.Left[p.I]--; n.Disk[p.I]++ }}
	startRelay = &relayOne{Name: "Restart", Params: modules.Each[server](3),
		Effect: func(s, n *relayState, p modules.One[server]) {
			n.Stopped[p.I], n.Queue[p.I], n.Left[p.I], n.Passed[p.I] = false, 0, 0, [3]uint8{}
		}}
	answer = &relayPair{Name: "Answer", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return s.Stopped[p.I] && s.Passed[p.I][p.J] == 0 },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Passed[p.I][p.J] = 1
			n.Msgs.Send(p.I, p.J, relayMsg{Kind: tell})
		}}
	// noteBye and echoBye receive what tells the relay nothing. echoBye answers.
	noteBye = &relayPair{Name: "Note", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return s.Msgs.Is(p.J, p.I, bye) },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Recv(p.J, p.I, bye)
			n.Passed[p.I][p.I] = 1
		}}
	echoBye = &relayPair{Name: "Echo", Params: modules.EachPair[server](3), Guard: noteBye.Guard,
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Recv(p.J, p.I, bye)
			n.Msgs.Send(p.I, p.J, relayMsg{Kind: tell})
		}}
	// keepCount notes once how long the queue is, and tellCount tells it.
	keepCount = &relayOne{Name: "KeepCount", Params: modules.Each[server](3),
		Guard: func(s *relayState, p modules.One[server]) bool {
			return !s.Stopped[p.I] && s.Queue[p.I] > 0 && s.Left[p.I] == 0
		},
		Effect: func(s, n *relayState, p modules.One[server]) { n.Left[p.I] = s.Queue[p.I] }}
	tellCount = &relayPair{Name: "TellCount", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return !s.Stopped[p.I] && s.Left[p.I] > 0 },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Send(p.I, p.J, relayMsg{tell, s.Left[p.I]})
		}}
	// writeUnseen is writeItem under another name.
	writeUnseen = &relayOne{Name: "WriteUnseen", Params: modules.Each[server](3), Guard: writeItem.Guard, Effect: writeItem.Effect}
	// What is not in the relay, and makes a declaration of it wrong.
	tellQueue = &relayPair{Name: "TellQueue", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return !s.Stopped[p.I] && s.Queue[p.I] > 0 },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Send(p.I, p.J, relayMsg{tell, s.Queue[p.I]})
		}}
	tellPassed = &relayPair{Name: "TellPassed", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return !s.Stopped[p.I] && s.Passed[p.I][3-p.J] > 0 },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Send(p.I, p.J, relayMsg{Kind: tell})
		}}
	tellDisk = &relayPair{Name: "TellDisk", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return s.Stopped[p.I] },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Send(p.I, p.J, relayMsg{tell, 1 + s.Disk[p.I]})
		}}
	tellOnce = &relayPair{Name: "TellOnce", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return !s.Stopped[p.I] && s.Passed[p.I][p.I] == 0 },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Passed[p.I][p.I] = 1
			n.Msgs.Send(p.I, p.J, relayMsg{tell, 1 + s.Disk[p.I]})
		}}
	// quitTo is a time-out that says goodbye to one server only.
	quitTo = &relayPair{Name: "QuitTo", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return !s.Stopped[p.I] },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Stopped[p.I] = true
			n.Msgs.Send(p.I, p.J, relayMsg{Kind: bye})
		}}
	tellEmpty = &relayPair{Name: "TellEmpty", Params: modules.EachPair[server](3),
		Guard: func(s *relayState, p modules.Pair[server]) bool { return s.Stopped[p.I] && s.Left[p.I] == 0 },
		Effect: func(s, n *relayState, p modules.Pair[server]) {
			n.Msgs.Send(p.I, p.J, relayMsg{tell, 9})
		}}
)

func relayRuntime() *modules.Runtime[relayState] {
	return &modules.Runtime[relayState]{
		Restart: startRelay,
		Eager:   []relayAction{takeItem},
		Lazy:    []relayAction{passItem},
		Hidden:  []relayAction{writeLeft},
		Says: func(s *relayState, i, peer int, kind uint8) bool {
			return s.Stopped[i] == (relayKind(kind) == tell)
		},
	}
}

// relaySpec returns the relay and more actions, all of whose footprints have every variable.
func relaySpec(runtime *modules.Runtime[relayState], more ...relayAction) *Spec[relayState] {
	actions := append([]relayAction{takeItem, writeItem, passItem, stopRelay, writeLeft, startRelay, answer}, more...)
	composition := &modules.Spec[relayState]{System: "relay", Init: func(yield func(relayState) bool) { yield(relayState{}) }}
	spec := &Spec[relayState]{Composition: composition, Runtime: runtime, Enum: func(t reflect.Type) map[string]int64 {
		if t == reflect.TypeFor[relayKind]() {
			return map[string]int64{"item": 1, "pass": 2, "bye": 3, "tell": 4}
		}
		return nil
	}}
	for _, b := range modules.Bind(actions, nil, nil) {
		composition.Actions = append(composition.Actions, modules.SpecAction[relayState]{Bound: b, Environment: b.Name == "Restart"})
		f := modules.Footprint{Name: b.Name}
		for _, v := range []string{"Queue", "Left", "Disk", "Passed", "Stopped"} {
			own := modules.Access{Variable: v, Index: []string{"p.I"}}
			f.Guard = append(f.Guard, own)
			f.Writes = append(f.Writes, modules.Write{Variable: v, Elements: []modules.Element{{Index: own.Index}}, Data: []modules.Access{own}})
		}
		sends := map[string]string{"Pass": "pass", "Stop": "bye", "QuitTo": "bye", "Answer": "tell", "TellQueue": "tell", "TellPassed": "tell", "TellDisk": "tell", "TellOnce": "tell", "TellEmpty": "tell", "Ring": "tell", "Beat": "tell", "Echo": "tell", "TellCount": "tell"}
		if kind := sends[b.Name]; kind != "" {
			f.Sends = []string{"Msgs#" + kind}
			f.Writes = append(f.Writes, modules.Write{Variable: "Msgs#" + kind, Elements: []modules.Element{{Index: []string{"p.I", "p.J"}}}, Data: f.Guard})
		}
		if kind := map[string]string{"Take": "Msgs#item", "Note": "Msgs#bye", "Echo": "Msgs#bye"}[b.Name]; kind != "" {
			f.Receives = []string{kind}
			f.Guard = append(f.Guard, modules.Access{Variable: kind, Index: []string{"p.J", "p.I"}})
			f.Writes = append(f.Writes, modules.Write{Variable: kind, Elements: []modules.Element{{Index: []string{"p.J", "p.I"}}}})
		}
		spec.Footprints = append(spec.Footprints, f)
	}
	return spec
}

func relayRun(t *testing.T, spec *Spec[relayState], opt Options, events string) (*Checker[relayState], *Alarm) {
	t.Helper()
	c, err := New(spec, 0, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, short := range strings.Split(events, ",") {
		text := line(strings.TrimSpace(short))
		e, err := c.Decoder.Decode([]byte(strings.ReplaceAll(text, `"Ticket"`, `"Number"`)))
		if err != nil {
			t.Fatal(err)
		}
		c.Add(e)
		c.Run(false)
	}
	return c, c.Run(true)
}

const relayed = "<1 item 0, <2 item 0, >1 pass 1, <1 item 0, >1 pass 2, >2 pass 1, <1 item 0, >2 pass 2, >1 bye 0, >2 bye 0, >1 tell 0, restart, >1 pass 1, >2 pass 1, >1 pass 2, end"

// TestDeclared tries declarations that hold, and ones that do not.
func TestDeclared(t *testing.T) {
	t.Parallel()
	c, alarm := relayRun(t, relaySpec(relayRuntime()), Options{Verify: 1}, relayed)
	v := c.Verified
	if alarm != nil || v.Err() != nil || v.Broken != "" || v.Eager < 5 || v.Lazy < 5 || v.Hidden < 2 || v.Says < 5 {
		t.Errorf("%+v, %v", v, alarm)
	}
	list := func(a ...relayAction) []relayAction { return a }
	for _, w := range []struct {
		name   string
		more   []relayAction
		change func(r *modules.Runtime[relayState])
		want   ConditionError
	}{
		{"its queue is told", list(tellQueue), nil,
			ConditionError{"Take", "Eager", "another step is not possible after it, or sends something else", "TellQueue", 4}},
		{"what it stops with is told", list(tellEmpty), nil,
			ConditionError{"Take", "Eager", "a node that stops before it can do what one that stops after it cannot", "Stop", 6}},
		{"another message waits for what it has passed on", list(tellPassed), nil,
			ConditionError{"Pass", "Lazy", "another step waits for it, or sends something else", "TellPassed", 2}},
		{"what it tells of its disk is decided when it comes", list(tellOnce), func(r *modules.Runtime[relayState]) { r.Lazy = list(tellOnce) },
			ConditionError{"TellOnce", "Lazy", "its place among other steps makes a difference", "Write", 3}},
		{"nothing is sent", nil, func(r *modules.Runtime[relayState]) { r.Hidden, r.Lazy = nil, list(writeTo) },
			ConditionError{"WriteTo", "Lazy", "it does not send to its J alone", "", 1}},
		{"its disk is told", list(tellDisk), nil,
			ConditionError{"WriteLeft", "Hidden", "another step waits for it, or sends something else", "TellDisk", 8}},
		{"what is hidden sends", nil, func(r *modules.Runtime[relayState]) { r.Lazy, r.Hidden = nil, list(passItem) },
			ConditionError{"Pass", "Hidden", "it sends something", "", 7}},
		{"it says goodbye", nil, func(r *modules.Runtime[relayState]) {
			r.Says = func(s *relayState, i, peer int, kind uint8) bool { return relayKind(kind) != bye || s.Disk[i] > 0 }
		}, ConditionError{"Says", "what a node cannot say", "Stop sends such a message to 1", "", 10}},
		{"it passes on what it has not said that it can", nil, func(r *modules.Runtime[relayState]) {
			r.Sends = func(s *relayState, i, peer int, msg unsafe.Pointer) bool {
				m := (*relayMsg)(msg)
				return m.Kind != pass || m.Number <= s.Passed[i][peer]
			}
		}, ConditionError{"Pass", "Sends", "it sends the message that a node cannot send", "", 14}},
		{"what it wrote is forgotten", nil, func(r *modules.Runtime[relayState]) {
			r.Merge = func(s *relayState, i int) { s.Disk[i] = 0 }
		}, ConditionError{"Write", "Merge", "the state after it can do what the merged one cannot", "", 12}},
		{"it has written more", nil, func(r *modules.Runtime[relayState]) {
			r.Merge = func(s *relayState, i int) { s.Disk[i] = max(s.Disk[i], 1) }
		}, ConditionError{"Take", "Merge", "the merged state after it can do what that state cannot", "", 13}},
	} {
		t.Run(w.name, func(t *testing.T) {
			r := relayRuntime()
			if len(w.more) > 0 {
				r.Says = nil // which does not know of it
			}
			if w.change != nil {
				w.change(r)
			}
			more := w.more
			if w.want.Action == "WriteTo" {
				more = list(writeTo)
			}
			c, _ := relayRun(t, relaySpec(r, more...), Options{Verify: 1}, relayed)
			var got *ConditionError
			if err := c.Verified.Err(); !errors.As(err, &got) || got.Action != w.want.Action || got.Declared != w.want.Declared ||
				got.Condition != w.want.Condition || got.Law != w.want.Law || !strings.HasPrefix(got.Detail, w.want.Detail) {
				t.Errorf("%v\nwant %v", err, &w.want)
			}
		})
	}
}

// TestWaits declares messages that may wait. Those that nothing depends on may: fewer records are
// explored, no law is broken, and what cannot be sent is an alarm. The others break a law each.
func TestWaits(t *testing.T) {
	t.Parallel()
	kindIs := func(k relayKind) func(s *relayState, i, peer int, msg, next unsafe.Pointer) bool {
		return func(s *relayState, i, peer int, msg, next unsafe.Pointer) bool {
			return (*relayMsg)(msg).Kind == k && (next == nil || (*relayMsg)(next).Kind == k)
		}
	}
	const heard = "<1 item 0, <1 bye 0, <1 bye 0, <2 bye 0, >1 pass 1, <1 bye 0, >2 pass 1, <2 item 0, >1 pass 2, >1 bye 0, end"
	var explored [2]int64
	for k, waits := range []func(s *relayState, i, peer int, msg, next unsafe.Pointer) bool{nil, kindIs(bye)} {
		r := relayRuntime()
		r.Eager, r.Lazy, r.Waits = nil, nil, waits
		c, alarm := relayRun(t, relaySpec(r, noteBye), Options{Verify: 1}, heard)
		if v := c.Verified; alarm != nil || v.Err() != nil || (v.Waits > 0) != (waits != nil) {
			t.Errorf("%+v, %v", v, alarm)
		}
		explored[k] = c.Finish().Explored
		if _, alarm := relayRun(t, relaySpec(r, noteBye), Options{}, strings.Replace(heard, "pass 2", "pass 3", 1)); alarm == nil {
			t.Error("no alarm")
		}
	}
	if explored[1] >= explored[0] {
		t.Errorf("%d records are explored with Waits, and %d without", explored[1], explored[0])
	}
	queued := func(last bool) func(s *relayState, i, peer int, msg, next unsafe.Pointer) bool {
		return func(s *relayState, i, peer int, msg, next unsafe.Pointer) bool {
			return s.Queue[i] > 0 && (next == nil || !last)
		}
	}
	const items = "<1 item 0, <1 item 0, <1 item 0, <2 bye 0, >1 pass 1, end"
	for _, w := range []struct {
		more   []relayAction
		events string
		waits  func(s *relayState, i, peer int, msg, next unsafe.Pointer) bool
		want   ConditionError
	}{
		{[]relayAction{echoBye}, "<1 bye 0, >1 tell 0, end", kindIs(bye), ConditionError{"Echo", "Waits", "it sends something", "", 15}},
		{nil, items, kindIs(item), ConditionError{"Take", "Waits", "another step waits for it, or sends something else", "Write", 16}},
		{[]relayAction{keepCount, tellCount}, items, queued(true), ConditionError{"Take", "Waits", "its place among other steps makes a difference", "KeepCount", 17}},
		{nil, items, queued(false), ConditionError{"Take", "Waits", "the message after it does something else without it", "Take", 18}},
	} {
		r := relayRuntime()
		r.Eager, r.Lazy, r.Hidden, r.Says, r.Waits = nil, nil, nil, nil, w.waits
		c, _ := relayRun(t, relaySpec(r, w.more...), Options{Verify: 1}, w.events)
		var got *ConditionError
		if err := c.Verified.Err(); !errors.As(err, &got) || got.Action != w.want.Action || got.Declared != w.want.Declared ||
			got.Condition != w.want.Condition || got.Law != w.want.Law || !strings.HasPrefix(got.Detail, w.want.Detail) {
			t.Errorf("%v\nwant %v", err, &w.want)
		}
	}
}

// TestMerge merges states that differ in what no step depends on. The stream is explained with
// fewer states, no law is broken, and a message that comes twice is an alarm.
func TestMerge(t *testing.T) {
	t.Parallel()
	var states [2]int64
	for k, merge := range []func(s *relayState, i int){nil, func(s *relayState, i int) { s.Passed[i][i] = 0 }} {
		r := relayRuntime()
		r.Lazy, r.Merge = nil, merge
		c, alarm := relayRun(t, relaySpec(r, countUp), Options{Verify: 1}, relayed)
		if v := c.Verified; alarm != nil || v.Err() != nil || (v.Merge > 0) != (merge != nil) {
			t.Errorf("%+v, %v", v, alarm)
		}
		states[k] = c.Finish().Explored
		if _, alarm := relayRun(t, relaySpec(r, countUp), Options{}, "<1 item 0, >1 pass 1, >1 pass 1, end"); alarm == nil {
			t.Error("no alarm")
		}
	}
	if states[1] >= states[0] {
		t.Errorf("%d records are explored with Merge, and %d without", states[1], states[0])
	}
}

// countUp changes something that no other step reads.
var countUp = &relayOne{Name: "CountUp", Params: modules.Each[server](3),
	Guard:  func(s *relayState, p modules.One[server]) bool { return !s.Stopped[p.I] && s.Passed[p.I][p.I] < 3 },
	Effect: func(s, n *relayState, p modules.One[server]) { n.Passed[p.I][p.I]++ }}

// writeTo is Write with a J to whom it does not send.
var writeTo = &relayPair{Name: "WriteTo", Params: modules.EachPair[server](3),
	Guard:  func(s *relayState, p modules.Pair[server]) bool { return s.Queue[p.I] > 0 },
	Effect: func(s, n *relayState, p modules.Pair[server]) { n.Queue[p.I]--; n.Disk[p.I]++ }}

// TestUnseenAtTheEnd ends a stream before it has what a time-out sends. What the node does after
// that time-out, towards another server, is explained.
func TestUnseenAtTheEnd(t *testing.T) {
	t.Parallel()
	r := relayRuntime()
	r.Says, r.Timeouts = nil, []relayAction{quitTo}
	for _, events := range []string{">2 tell 0, end", ">2 tell 0, >1 bye 0, end", ">2 tell 0, restart, end"} {
		c, alarm := relayRun(t, relaySpec(r, quitTo), Options{}, events)
		if alarm != nil || c.Stats.Decided == 0 {
			t.Errorf("%s: %+v", events, alarm)
		}
	}
}

// TestUndeclared checks streams with and without the declarations: they say the same.
func TestUndeclared(t *testing.T) {
	t.Parallel()
	for _, events := range []string{
		relayed,
		// twice
		"<1 item 0, >1 pass 1, >1 pass 1, end",
		// not in order
		"<1 item 0, <1 item 0, >1 pass 2, end",
		// after the goodbye
		"<1 item 0, >1 bye 0, >1 pass 1, end",
		// the goodbye to 2 is seen first
		"<1 item 0, >2 bye 0, >1 pass 1, >1 bye 0, end",
		// by more
		"<1 item 0, <1 item 0, >2 bye 0, >1 pass 1, >1 pass 2, >1 bye 0, end",
		// written after the end
		"<1 item 0, >1 bye 0, >2 bye 0, restart, >1 pass 1, end",
		// written, and not passed on
		"<1 item 0, restart, >1 pass 1, end",
		// more than there is
		"<1 item 0, restart, >1 pass 1, >1 pass 2, end",
		// taken when it had stopped
		"<1 item 0, >1 pass 1, restart, >2 bye 0, >1 bye 0, <1 item 0, restart, >1 pass 2, end",
	} {
		var told [2]string
		for k, undeclared := range []bool{false, true} {
			c, alarm := relayRun(t, relaySpec(relayRuntime()), Options{Undeclared: undeclared}, events)
			told[k] = fmt.Sprint(c.Finish().Decided, " decided")
			if alarm != nil { // Says may show earlier that it comes
				told[k] = fmt.Sprint("alarm at ", alarm.Position)
			}
		}
		if told[0] != told[1] {
			t.Errorf("%s: with declarations %s, without %s", events, told[0], told[1])
		}
	}
}

// TestNotLocal gives an action a write to another server's variable. The error names the action. A
// declared local effect ends that.
func TestNotLocal(t *testing.T) {
	t.Parallel()
	spec := relaySpec(relayRuntime(), tellDisk)
	for k := range spec.Footprints {
		if f := &spec.Footprints[k]; f.Name == "TellDisk" {
			f.Writes = append(f.Writes, modules.Write{Variable: "Disk", Elements: []modules.Element{{Index: []string{"p.J"}}}})
		}
	}
	_, err := New(spec, 0, Options{})
	var local *LocalityError
	if !errors.As(err, &local) || !strings.Contains(err.Error(), "action TellDisk uses Disk[p.J], which is not the acting server's") {
		t.Fatalf("got %v", err)
	}
	spec.Runtime.Locals = []modules.Local[relayState]{{Of: tellDisk}}
	c, err := New(spec, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range c.Plan().Actions {
		if a.Name == "TellDisk" && a.Class != Replaced {
			t.Errorf("TellDisk is %s", a.Class)
		}
	}
}
