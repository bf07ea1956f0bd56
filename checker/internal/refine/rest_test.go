package refine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// ring is a time-out of the relay that calls one server. Its number says how many calls the server
// has made before, to all servers.
var ring = &relayPair{Name: "Ring", Params: modules.EachPair[server](3),
	Guard: func(s *relayState, p modules.Pair[server]) bool { return s.Passed[p.I][p.I] < 200 },
	Effect: func(s, n *relayState, p modules.Pair[server]) {
		n.Passed[p.I][p.I]++
		n.Msgs.Send(p.I, p.J, relayMsg{tell, n.Passed[p.I][p.I]})
	}}

// beat is a time-out of the relay that tells one server how many items the server has taken.
var beat = &relayPair{Name: "Beat", Params: modules.EachPair[server](3),
	Effect: func(s, n *relayState, p modules.Pair[server]) {
		n.Msgs.Send(p.I, p.J, relayMsg{tell, s.Queue[p.I]})
	}}

// ringing makes a checker of a relay that only rings, or only takes items and beats.
func ringing(t *testing.T, beats bool) *Checker[relayState] {
	t.Helper()
	r := &modules.Runtime[relayState]{Restart: startRelay, Timeouts: []relayAction{ring, beat}}
	spec := relaySpec(r, ring, beat)
	spec.Composition.Actions = slices.DeleteFunc(spec.Composition.Actions, func(a modules.SpecAction[relayState]) bool {
		return a.Name != "Restart" && (a.Name == "Ring") == beats || a.Name != "Take" && a.Name != "Beat" && a.Name != "Restart" && a.Name != "Ring"
	})
	c, err := New(spec, 0, Options{Window: 16})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rings feeds a stream of calls and beats, as "1:3" for number 3 to server 1, and "<2:item" for an
// item of server 2. At "rest" it rests.
func rings(t *testing.T, c *Checker[relayState], events string) (a *Alarm) {
	t.Helper()
	for _, short := range strings.Fields(events) {
		if short == "rest" {
			a = c.Run(true)
			continue
		}
		text := line(strings.ReplaceAll(short, ":item", " item 0"))
		if peer, number, ok := strings.Cut(short, ":"); ok && number != "item" {
			text = fmt.Sprintf(`{"event":"out","peer":%s,"msg":{"Kind":"tell","Number":%s}}`, peer, number)
		}
		e, err := c.Decoder.Decode([]byte(strings.ReplaceAll(text, "Ticket", "Number")))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		c.Add(e)
		if x := c.Run(false); x != nil {
			a = x
		}
	}
	return a
}

// TestRests judges streams that rest before what a late tap has: the calls to server 1 come after
// later ones to server 2. What is checked at the rest is checked again with them.
func TestRests(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		events  string
		alarm   int64 // position; 0: none
		returns int64
	}{
		{"2:3 rest 1:1 1:2 end rest", 0, 0},
		// Three unobserved time-outs are searched at a rest, and six if there is no other schedule.
		{"2:6 rest 1:1 1:2 1:3 1:4 1:5 end rest", 0, 0},
		{"2:8 rest end rest", 1, 0},
		// The calls before the last one to server 2 are more than six. They are all seen after it.
		{"2:4 rest 2:8 rest 2:12 rest 1:1 1:2 1:3 1:5 1:6 1:7 1:9 1:10 1:11 end rest", 0, 0},
		{"2:4 rest 2:8 rest 1:1 1:2 1:3 1:5 1:6 1:8 end rest", 2, 1},
		{"2:1 rest 2:1 rest 1:2 end rest", 2, 1},
		{"2:1 rest 2:3 rest 1:4 end rest", 3, 1},
		{"2:2 rest 1:1 rest restart 2:1 rest 2:4 rest 1:2 1:3 end rest", 0, 0},
		{"2:2 rest 1:1 rest restart 2:1 rest 2:4 rest 1:2 1:4 end rest", 7, 1},
		{"lost 2:2 rest 1:3 rest end", 0, 0},
		// Eight beats tell server 1 of no item, before one is taken. At the rest six are found.
		{"2:0 rest <2:item 2:1 rest 1:0 1:0 1:0 1:0 1:0 1:0 1:0 1:0 end rest", 0, 1},
		{"2:0 rest <2:item 2:1 rest 1:0 1:0 1:0 1:0 1:0 1:0 1:0 1:0 1:1 1:0 end rest", 13, 1},
		{"2:0 <2:item 2:1 1:0 1:0 1:0 1:0 1:0 1:0 1:0 1:0 end rest", 0, 0},
		{"2:0 rest <2:item rest 2:1 rest 1:0 rest 1:0 rest 1:0 rest 1:0 rest 1:0 rest 1:0 rest 1:0 rest 1:0 rest", 0, 1},
	} {
		c := ringing(t, strings.Contains(x.events, "item"))
		a := rings(t, c, x.events)
		at := int64(0)
		if a != nil {
			at = a.Position
		}
		if got := c.Finish(); at != x.alarm || got.Returns != x.returns {
			t.Errorf("%s: alarm at event %d, want %d; checked again %d times, want %d", x.events, at, x.alarm, got.Returns, x.returns)
		}
	}
}

// TestRestsAlways judges a long stream that rests after every second call to server 2. The calls to
// server 1 are late by up to three events. The mark is renewed, and old events are forgotten.
func TestRestsAlways(t *testing.T) {
	t.Parallel()
	c := ringing(t, false)
	var b strings.Builder
	for range 2 * foldEvery / 10 {
		b.WriteString("restart ")
		for k := 0; k < 12; k += 3 {
			fmt.Fprintf(&b, "2:%d rest 1:%d 2:%d rest ", k+2, k+1, k+3)
		}
	}
	if a := rings(t, c, b.String()+"end rest"); a != nil {
		t.Fatalf("%+v", a)
	}
	if s := c.Finish(); s.Undecided != 0 || s.Decided != s.Out || s.Returns == 0 || s.Returns > 8 || s.Events < 2*foldEvery {
		t.Errorf("%+v", s)
	}
	if len(c.events) > 2*foldEvery+16 {
		t.Errorf("%d events are kept", len(c.events))
	}
	if a := rings(t, c, "restart 2:1 rest 2:1 rest"); a == nil {
		t.Error("no alarm at the end")
	}
}

// TestRestSnapshot continues with another checker after a rest, before what a late tap has. It goes
// back like the one before it.
func TestRestSnapshot(t *testing.T) {
	t.Parallel()
	const beats = "1:0 1:0 1:0 1:0 1:0 1:0 1:0 1:0"
	for late, want := range map[string]bool{beats: false, beats + " 1:1 1:0": true} {
		c := ringing(t, true)
		if a := rings(t, c, "2:0 rest <2:item 2:1 rest"); a != nil {
			t.Fatalf("%+v", a)
		}
		b, err := c.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		next := ringing(t, true)
		if err := next.Restore(b); err != nil {
			t.Fatal(err)
		}
		if a := rings(t, next, late+" end rest"); (a != nil) != want || !want && next.Finish().Decided != 10 {
			t.Errorf("%s: alarm %+v, %+v", late, a, next.Finish())
		}
	}
}

// TestElectionsOnce holds that an election is handed on once, also where its events are checked
// again.
func TestElectionsOnce(t *testing.T) {
	t.Parallel()
	var k part[relayState]
	for _, x := range []struct {
		on   Occasion
		at   int64
		want int // parts
	}{{OnElection, 5, 1}, {OnElection, 5, 1}, {OnElection, 4, 1}, {OnAlarm, 5, 2}, {OnElection, 9, 3}} {
		if k.occur(x.on, x.at, nil); len(k.parts) != x.want {
			t.Errorf("%s at event %d: %d parts, want %d", x.on, x.at, len(k.parts), x.want)
		}
	}
}
