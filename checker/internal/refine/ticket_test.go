package refine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/modules"
)

// The ticket lock of Ellsberg, section 3.2 and listing 1: server 0 keeps the lock, servers 1 and 2
// are its clients.

type server int8

type ticketKind uint8

const (
	_ ticketKind = iota
	assign
	assigned
	acquire
	acquired
	release
	released
)

type ticketMsg struct {
	Kind   ticketKind
	Ticket uint8
}

type (
	ticketChannel = modules.Channel[ticketMsg, [4]ticketMsg]
	ticketNet     = modules.Net[server, ticketKind, ticketMsg, [4]ticketMsg, [3]ticketChannel, [3][3]ticketChannel]
)

type ticketState struct {
	Highest, Current [3]uint8
	Held             [3]bool
	Msgs             ticketNet
}

type ticketAction = modules.Action[ticketState, modules.Pair[server]]

func ticketHandler(name string, kind ticketKind, do func(n *ticketState, i, j server, m ticketMsg)) *ticketAction {
	return &ticketAction{
		Name:   name,
		Params: modules.EachPair[server](3),
		Guard:  func(s *ticketState, p modules.Pair[server]) bool { return s.Msgs.Is(p.J, p.I, kind) },
		Effect: func(s, n *ticketState, p modules.Pair[server]) { do(n, p.I, p.J, n.Msgs.Recv(p.J, p.I, kind)) },
	}
}

var (
	handleAssign = ticketHandler("HandleAssign", assign, func(n *ticketState, i, j server, m ticketMsg) {
		n.Msgs.Send(i, j, ticketMsg{assigned, n.Highest[i]})
		n.Highest[i]++
	})
	handleAcquire = ticketHandler("HandleAcquire", acquire, func(n *ticketState, i, j server, m ticketMsg) {
		if n.Current[i] == m.Ticket {
			n.Held[i] = true
			n.Msgs.Send(i, j, ticketMsg{acquired, m.Ticket})
		}
	})
	handleRelease = ticketHandler("HandleRelease", release, func(n *ticketState, i, j server, m ticketMsg) {
		n.Msgs.Send(i, j, ticketMsg{released, n.Current[i]})
		n.Current[i]++
		n.Held[i] = false
	})
	ticketRestart = &modules.Action[ticketState, modules.One[server]]{
		Name:   "Restart",
		Params: modules.Each[server](3),
		Effect: func(s, n *ticketState, p modules.One[server]) { n.Held[p.I] = false },
	}
)

// ticketSpec returns the lock with footprints as package interaction computes them.
func ticketSpec() *Spec[ticketState] {
	actions := []modules.AnyAction[ticketState]{handleAssign, handleAcquire, handleRelease, ticketRestart}
	composition := &modules.Spec[ticketState]{System: "ticket", Init: func(yield func(ticketState) bool) { yield(ticketState{}) }}
	for _, b := range modules.Bind(actions, nil, nil) {
		composition.Actions = append(composition.Actions, modules.SpecAction[ticketState]{Bound: b, Environment: b.Name == "Restart"})
	}
	own := func(v string) modules.Access { return modules.Access{Variable: v, Index: []string{"p.I"}} }
	print := func(name, from, to string, variables ...string) modules.Footprint {
		in, out := "Msgs#"+from, "Msgs#"+to
		f := modules.Footprint{Name: name, Receives: []string{in}, Sends: []string{out},
			Guard: []modules.Access{{Variable: in, Index: []string{"p.J", "p.I"}}}}
		f.Writes = []modules.Write{{Variable: in, Elements: []modules.Element{{Index: []string{"p.J", "p.I"}}}},
			{Variable: out, Elements: []modules.Element{{Index: []string{"p.I", "p.J"}}}, Data: []modules.Access{own("Current")}}}
		for _, v := range variables {
			f.Writes = append(f.Writes, modules.Write{Variable: v, Elements: []modules.Element{{Index: []string{"p.I"}}}, Data: []modules.Access{own(v)}})
		}
		return f
	}
	enum := map[string]int64{"assign": 1, "assigned": 2, "acquire": 3, "acquired": 4, "release": 5, "released": 6}
	return &Spec[ticketState]{
		Composition: composition,
		Footprints: []modules.Footprint{
			print("HandleAssign", "assign", "assigned", "Highest"), print("HandleAcquire", "acquire", "acquired", "Held"),
			print("HandleRelease", "release", "released", "Current", "Held"),
			{Name: "Restart", Writes: []modules.Write{{Variable: "Held", Elements: []modules.Element{{Index: []string{"p.I"}}}}}},
		},
		Runtime: &modules.Runtime[ticketState]{Restart: ticketRestart},
		Enum: func(t reflect.Type) map[string]int64 {
			if t == reflect.TypeFor[ticketKind]() {
				return enum
			}
			return nil
		},
	}
}

func ticketChecker(t testing.TB, opt Options) *Checker[ticketState] {
	t.Helper()
	c, err := New(ticketSpec(), 0, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// line writes an event in short: "<1 acquire 2" is received from 1, ">1 acquired 2" sent to 1.
func line(short string) string {
	switch short {
	case "restart", "end":
		return fmt.Sprintf(`{"event":%q}`, short)
	case "lost":
		return `{"event":"lost","count":3}`
	}
	var peer, ticket int
	var kind string
	event := map[byte]string{'<': "in", '>': "out"}[short[0]]
	fmt.Sscanf(short[1:], "%d %s %d", &peer, &kind, &ticket)
	return fmt.Sprintf(`{"event":%q,"peer":%d,"msg":{"Kind":%q,"Ticket":%d}}`, event, peer, kind, ticket)
}

func feed(t testing.TB, c *Checker[ticketState], events string) *Alarm {
	t.Helper()
	for _, short := range strings.Split(events, ",") {
		e, err := c.Decoder.Decode([]byte(line(strings.TrimSpace(short))))
		if err != nil {
			t.Fatal(err)
		}
		c.Add(e)
		c.Run(false)
	}
	return c.Run(true)
}

const opening = "<1 assign 0, >1 assigned 0, <2 assign 0, >2 assigned 1, <1 acquire 0, >1 acquired 0, "

// TestTicketLock tells schedules of the paper's running example.
func TestTicketLock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, events string
		alarm        int64 // position from 0; -1: none
		undecided    int64
	}{
		{"in order", opening + "<1 release 0, >1 released 0, <2 acquire 1, >2 acquired 1, end", -1, 0},
		// section 3.4.1, challenge 1: the acquire is received first and taken after the release
		{"a request that waited", opening + "<2 acquire 1, <1 release 0, >2 acquired 1, >1 released 0, end", -1, 0},
		{"a request that changed nothing and is taken later", opening + "<2 acquire 1, <1 release 0, >1 released 0, >2 acquired 1, end", -1, 0},
		// section 3.4: Acquired(2) without a release that is pending
		{"two holders", opening + "<2 acquire 1, >2 acquired 1, end", 7, 0},
		{"a ticket twice", "<1 assign 0, >1 assigned 0, <2 assign 0, >2 assigned 0, end", 3, 0},
		{"an answer to nobody", "<1 assign 0, >1 assigned 0, >2 assigned 1, end", 2, 0},
		{"an answer before the request", ">1 assigned 0, <1 assign 0, end", 0, 0},
		{"a crash before an answer", "<1 assign 0, restart, <1 assign 0, >1 assigned 1, end", -1, 0},
		{"a crash before the request was taken", "<1 assign 0, restart, <1 assign 0, >1 assigned 0, end", -1, 0},
		{"a request that a crash has lost", "<1 assign 0, restart, >1 assigned 0, end", 2, 0},
		{"blind behind a loss", "<1 assign 0, lost, >1 assigned 7, >1 assigned 9, end", -1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, window := range []int{1, 2, 256} {
				x := ticketChecker(t, Options{Window: window})
				a := feed(t, x, c.events)
				at := int64(-1)
				if a != nil {
					at = a.Position - 1
				}
				if late := at > c.alarm && c.alarm >= 0 && window == 1; at != c.alarm && !late {
					t.Errorf("window %d: alarm at %d, want %d", window, at, c.alarm)
				}
				if a == nil && x.Finish().Undecided != c.undecided {
					t.Errorf("window %d: %d undecided, want %d", window, x.Finish().Undecided, c.undecided)
				}
			}
		})
	}
}

// TestExpected says what an alarm lists.
func TestExpected(t *testing.T) {
	t.Parallel()
	a := feed(t, ticketChecker(t, Options{}), "<1 assign 0, >1 assigned 0, <2 assign 0, >2 assigned 0, end")
	if a == nil || len(a.Expected) != 1 || a.Expected[0].Action != "HandleAssign" || a.Outgoing != 2 || len(a.Last) != 3 ||
		a.Expected[0].Differs != "Ticket" || a.Why != "" {
		t.Fatalf("%+v", a)
	}
	a = feed(t, ticketChecker(t, Options{}), "<1 assign 0, >2 assigned 0, end")
	if a == nil || len(a.Expected) != 0 || a.Why != "no schedule sends anything to server 2 here, from any of the 1 states in which the node may be" ||
		a.State == nil || len(a.State.Names) != 3 {
		t.Fatalf("%+v", a)
	}
}

// TestAlarmStays continues after an alarm: what it tells of the events before it stays.
func TestAlarmStays(t *testing.T) {
	t.Parallel()
	x := ticketChecker(t, Options{})
	a := feed(t, x, strings.Repeat("restart, ", 2*maxRecent)+"<1 assign 0, >1 assigned 0, <2 assign 0, >2 assigned 0, end")
	before, err := json.MarshalIndent(a, "", " ")
	if err != nil || a == nil {
		t.Fatal(a, err)
	}
	feed(t, x, strings.Repeat("lost, ", 2*maxRecent)+"end")
	if after, err := json.MarshalIndent(a, "", " "); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v\n%s", err, udiff.Unified("before", "after", string(before), string(after)))
	}
}

// TestSnapshot stops a check anywhere and continues with another checker: nothing changes.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	events := strings.Split(opening+"<2 acquire 1, <1 release 0, >1 released 0, >2 acquired 1, <2 acquire 1, restart, <1 assign 0, >1 assigned 2, end", ",")
	for cut := range events {
		for _, bad := range []bool{false, true} {
			c := ticketChecker(t, Options{Window: 3})
			feed(t, c, strings.Join(append(events[:cut:cut], "<1 acquire 9"), ","))
			b, err := c.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			again := ticketChecker(t, Options{Window: 3})
			if err := again.Restore(b); err != nil {
				t.Fatal(err)
			}
			rest := strings.Join(events[cut:], ",")
			if bad {
				rest = ">1 assigned 9," + rest
			}
			if a := feed(t, again, rest); (a != nil) != bad {
				t.Errorf("behind event %d: alarm %+v, want one: %t", cut, a, bad)
			}
			if !bad && again.Finish().Out != 6 {
				t.Errorf("behind event %d: %d messages", cut, again.Finish().Out)
			}
		}
	}
}

// TestOffenders refuses a composition whose actions use what is another server's.
func TestOffenders(t *testing.T) {
	t.Parallel()
	spec := ticketSpec()
	spec.Footprints[0].Guard = append(spec.Footprints[0].Guard, modules.Access{Variable: "Held", Index: []string{"p.J"}})
	if _, err := New(spec, 0, Options{}); err == nil || !strings.Contains(err.Error(), "HandleAssign uses Held[p.J]") {
		t.Errorf("%v", err)
	}
}

// TestOwn: an action of an environment module is the node's own if the runtime says so.
func TestOwn(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{false, true} {
		spec, want := ticketSpec(), Environment
		for k := range spec.Composition.Actions {
			if a := &spec.Composition.Actions[k]; a.Name == "HandleRelease" {
				a.Environment = true
			}
		}
		if own {
			spec.Runtime.Own, want = []modules.AnyAction[ticketState]{handleRelease}, Receive
		}
		c, err := New(spec, 0, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range c.Plan().Actions {
			if a.Name == "HandleRelease" && a.Class != want {
				t.Errorf("own %v: HandleRelease is %s, want %s", own, a.Class, want)
			}
		}
	}
}

// FuzzDecode gives the decoder anything: what it takes can be checked.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"<1 assign 0", ">2 acquired 1", "restart", "lost", "end"} {
		f.Add([]byte(line(s)))
	}
	f.Add([]byte(`{"event":"in","peer":1,"msg":{"Kind":300,"Ticket":-1},"x":[{"y":null}]}`))
	f.Add([]byte(`{"event":"restart","state":{"Current":3,"Highest":4,"Held":true}}`))
	f.Add([]byte(`{"event":"input","action":"None","params":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := ticketChecker(t, Options{})
		e, err := c.Decoder.Decode(b)
		if err != nil {
			return
		}
		c.Add(e)
		c.Run(true)
	})
}
