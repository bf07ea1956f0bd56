package selftest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/modules"
)

// Posts: each server may take a letter that it has received, writes it to its disk, and passes what
// is on its disk on to each other server.

type server int8

type postKind uint8

const (
	_ postKind = iota
	letter
	copied
)

type post struct {
	Kind postKind
	Age  uint8
}

type (
	postChannel = modules.Channel[post, [4]post]
	postNet     = modules.Net[server, postKind, post, [4]post, [3]postChannel, [3][3]postChannel]
)

type office struct {
	Held, Disk [3]uint8
	Told       [3][3]uint8
	Msgs       postNet
}

type (
	pair  = modules.Action[office, modules.Pair[server]]
	one   = modules.Action[office, modules.One[server]]
	anyOf = modules.AnyAction[office]
)

var (
	write = &pair{Name: "Write", Params: modules.EachPair[server](3),
		Guard: func(s *office, p modules.Pair[server]) bool { return s.Disk[p.I] < 3 },
		Effect: func(s, n *office, p modules.Pair[server]) {
			n.Disk[p.I]++
			n.Msgs.Send(p.I, p.J, post{letter, n.Disk[p.I]})
		}}
	take = &pair{Name: "Take", Params: modules.EachPair[server](3),
		Guard: func(s *office, p modules.Pair[server]) bool { return s.Held[p.I] < 3 && s.Msgs.Is(p.J, p.I, letter) },
		Effect: func(s, n *office, p modules.Pair[server]) {
			n.Msgs.Recv(p.J, p.I, letter)
			n.Held[p.I]++
		}}
	pass = &pair{Name: "Pass", Params: modules.EachPair[server](3),
		Guard: func(s *office, p modules.Pair[server]) bool { return s.Told[p.I][p.J] < s.Held[p.I] },
		Effect: func(s, n *office, p modules.Pair[server]) {
			n.Told[p.I][p.J]++
			n.Msgs.Send(p.I, p.J, post{copied, n.Told[p.I][p.J]})
		}}
	// tell makes Take be no eager step, and Pass no lazy one.
	tell = &pair{Name: "Tell", Params: modules.EachPair[server](3),
		Guard: func(s *office, p modules.Pair[server]) bool { return s.Held[p.I] == 1 && s.Told[p.I][3-p.I-p.J] == 0 },
		Effect: func(s, n *office, p modules.Pair[server]) {
			n.Held[p.I] = 3
			n.Msgs.Send(p.I, p.J, post{letter, 9})
		}}
	drop = &pair{Name: "Drop", Params: modules.EachPair[server](3),
		Guard:  func(s *office, p modules.Pair[server]) bool { return s.Msgs.Is(p.J, p.I, copied) },
		Effect: func(s, n *office, p modules.Pair[server]) { n.Msgs.Recv(p.J, p.I, copied) }}
	start = &one{Name: "Start", Params: modules.Each[server](3),
		Effect: func(s, n *office, p modules.One[server]) { n.Held[p.I], n.Told[p.I] = 0, [3]uint8{} }}
)

var kinds = map[string]int64{"letter": int64(letter), "copied": int64(copied)}

// officeSpec composes actions, whose footprints have all variables.
func officeSpec(runtime *modules.Runtime[office], more ...anyOf) *refine.Spec[office] {
	runtime.Restart = start
	spec := &refine.Spec[office]{Runtime: runtime,
		Composition: &modules.Spec[office]{System: "office", Init: func(yield func(office) bool) { yield(office{}) }},
		Enum: func(t reflect.Type) map[string]int64 {
			if t == reflect.TypeFor[postKind]() {
				return kinds
			}
			return nil
		},
		Names: func(t reflect.Type, x int64) (string, bool) {
			for name, y := range kinds {
				if x == y && t == reflect.TypeFor[postKind]() {
					return name, true
				}
			}
			return "", false
		}}
	sends := map[string]string{"Write": "letter", "Pass": "copied", "Tell": "letter", "ToBoth": "letter", "Answer": "copied", "Call": "letter"}
	takes := map[string]string{"Take": "letter", "Drop": "copied", "Answer": "letter"}
	for _, b := range modules.Bind(append([]anyOf{write, take, pass, drop, start}, more...), nil, nil) {
		spec.Composition.Actions = append(spec.Composition.Actions, modules.SpecAction[office]{Bound: b, Environment: b.Name == "Start"})
		f := modules.Footprint{Name: b.Name}
		for _, v := range []string{"Held", "Disk", "Told"} {
			own := modules.Access{Variable: v, Index: []string{"p.I"}}
			f.Guard = append(f.Guard, own)
			f.Writes = append(f.Writes, modules.Write{Variable: v, Elements: []modules.Element{{Index: own.Index}}, Data: []modules.Access{own}})
		}
		if kind := sends[b.Name]; kind != "" {
			f.Sends = []string{"Msgs#" + kind}
			f.Writes = append(f.Writes, modules.Write{Variable: "Msgs#" + kind, Elements: []modules.Element{{Index: []string{"p.I", "p.J"}}}, Data: f.Guard})
		}
		if kind := takes[b.Name]; kind != "" {
			f.Receives = []string{"Msgs#" + kind}
			f.Guard = append(f.Guard, modules.Access{Variable: "Msgs#" + kind, Index: []string{"p.J", "p.I"}})
			f.Writes = append(f.Writes, modules.Write{Variable: "Msgs#" + kind, Elements: []modules.Element{{Index: []string{"p.J", "p.I"}}}})
		}
		spec.Footprints = append(spec.Footprints, f)
	}
	return spec
}

func try(t *testing.T, spec *refine.Spec[office], opt Options) *Report {
	t.Helper()
	opt.Steps, opt.Orders, opt.Mutants, opt.Budget = 10, 4, 2, 5000
	r, err := Run(context.Background(), spec, opt, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestHolds tries a runtime whose declarations hold, with and without a total order.
func TestHolds(t *testing.T) {
	for _, total := range []bool{false, true} {
		r := try(t, officeSpec(&modules.Runtime[office]{Eager: []anyOf{take}, Lazy: []anyOf{pass}}),
			Options{Number: 60, Seed: 1, Laws: 3, Refine: refine.Options{Total: total}})
		if r.Failed > 0 || r.Behaviours != 60 || r.Noticed == 0 || r.Legal == 0 || r.Exhaustive == 0 || r.Sampled == 0 || r.Undecided > 0 || r.Lazy == 0 || r.Eager == 0 {
			t.Errorf("total %v: %+v", total, r)
		}
		for _, name := range []string{"Write", "Take", "Pass", "Drop", "Start"} {
			if r.Taken[name] == 0 {
				t.Errorf("total %v: no behaviour takes %s", total, name)
			}
		}
	}
}

// TestWrongDeclaration declares Take as Eager though Tell depends on when it is taken. The laws
// find that, and so do the streams, without the laws.
func TestWrongDeclaration(t *testing.T) {
	wrong := func() *refine.Spec[office] {
		return officeSpec(&modules.Runtime[office]{Eager: []anyOf{take}}, tell)
	}
	r := try(t, wrong(), Options{Number: 100, Seed: 1, Laws: 1})
	k := slices.IndexFunc(r.Failures, func(f Failure) bool { return f.Kind == Law })
	if k < 0 || r.Failures[k].Law != 4 || r.Failures[k].Declared != "Eager" || r.Failures[k].Action != "Take" || !strings.Contains(r.Failures[k].Detail, "(law 4)") {
		t.Errorf("no law is broken: %+v", r.Failures)
	}
	r = try(t, wrong(), Options{Number: 100, Seed: 1})
	k = slices.IndexFunc(r.Failures, func(f Failure) bool { return f.Kind == FalseAlarm })
	if k < 0 {
		t.Fatalf("no false alarm: %+v", r)
	}
	f := r.Failures[k]
	if len(f.Stream) > 6 || f.Stream[len(f.Stream)-1] != `{"event":"end"}` {
		t.Errorf("not the shortest stream: %s", strings.Join(f.Stream, "\n"))
	}
	again := try(t, wrong(), Options{Number: 1, Seed: f.Seed})
	if !slices.ContainsFunc(again.Failures, func(x Failure) bool { return reflect.DeepEqual(x, f) }) {
		t.Errorf("seed %d does not repeat %+v: %+v", f.Seed, f, again.Failures)
	}
}

// TestNaive compares the judge with streams whose judgement is known, and the runtime with both.
func TestNaive(t *testing.T) {
	r := &runner[office]{opt: Options{Steps: 4, Orders: 2, Budget: 1000}}
	if err := r.prepare(officeSpec(&modules.Runtime[office]{})); err != nil {
		t.Fatal(err)
	}
	defer modules.UseArena(modules.UseArena(modules.NewArena()))
	for _, c := range []struct {
		events string
		want   judgement
		at     int
	}{
		{">1 letter 1", legal, 2},
		{">1 letter 1, >2 letter 2, >1 letter 3", legal, 4},
		{">1 letter 1, >1 letter 3", legal, 3},   // the second is for server 2
		{">1 letter 2, >1 letter 1", illegal, 1}, // they are out of order
		{">1 letter 1, >1 letter 1", illegal, 1}, // twice
		{">1 letter 4", illegal, 0},              // there are three
		{">1 copied 1", illegal, 0},              // nothing was received
		{"<2 letter 1, >1 copied 1", legal, 3},   // it is passed on
		{">1 copied 1, <2 letter 1", illegal, 0}, // before it comes
		{"<2 letter 1, >1 copied 1, restart, >1 copied 1", illegal, 3},
		{">1 letter 1, restart, >1 letter 1", illegal, 2},
		{">1 letter 1, restart, >1 letter 2", legal, 4},
	} {
		var events []event[office]
		for _, short := range strings.Split(c.events, ", ") {
			e := event[office]{kind: refine.Restart, peer: -1, line: []byte(`{"event":"restart"}`)}
			var kind string
			var age uint8
			if short != "restart" {
				e.kind = map[byte]refine.EventKind{'<': refine.In, '>': refine.Out}[short[0]]
				if _, err := fmt.Sscanf(short[1:], "%d %s %d", &e.peer, &kind, &age); err != nil {
					t.Fatal(err)
				}
				e.msg = []byte{uint8(kinds[kind]), age}
				e.line = r.enc.message(e.kind, e.peer, e.msg)
			}
			events = append(events, e)
		}
		events = append(events, end[office]())
		got, at, _ := r.model.naive(0, events, 1000)
		if got != c.want || at != c.at {
			t.Errorf("%s: %d at event %d, not %d at %d", c.events, got, at, c.want, c.at)
		}
		if v, err := r.check(r.checkers, 0, events); err != nil || v.alarm != (c.want == illegal) {
			t.Errorf("%s: the runtime says %+v, %v", c.events, v, err)
		}
	}
}

// TestOrders enumerates the orders of events that depend on one another.
func TestOrders(t *testing.T) {
	r := &runner[office]{opt: Options{Steps: 4, Orders: 2, Budget: 1000}}
	if err := r.prepare(officeSpec(&modules.Runtime[office]{})); err != nil {
		t.Fatal(err)
	}
	in := func(peer, step int, known ...uint16) event[office] {
		return event[office]{kind: refine.In, peer: peer, msg: []byte{1, uint8(step)}, step: step, known: known, line: fmt.Appendf(nil, "in %d %d", peer, step)}
	}
	out := func(peer, step int) event[office] {
		return event[office]{kind: refine.Out, peer: peer, msg: []byte{1, uint8(step)}, step: step, line: fmt.Appendf(nil, "out %d %d", peer, step)}
	}
	for _, c := range []struct {
		name  string
		seen  []segment[office]
		total bool
		want  int
	}{
		{"two connections", []segment[office]{{in(1, 1, 0, 0, 0), in(2, 2, 0, 0, 0)}}, false, 2},
		{"the order in which they are taken", []segment[office]{{in(1, 1, 0, 0, 0), in(2, 2, 0, 0, 0)}}, true, 1},
		{"one connection", []segment[office]{{in(1, 1, 0, 0, 0), in(1, 2, 0, 0, 0)}}, false, 1},
		{"an answer", []segment[office]{{in(1, 1, 0, 0, 0), out(1, 1)}}, false, 1},
		{"a message before one that arrives later", []segment[office]{{out(1, 1), in(1, 2, 0, 0, 0)}}, false, 2},
		{"an answer to it", []segment[office]{{out(1, 1), in(1, 2, 0, 1, 0)}}, false, 1},
		{"an answer through another server", []segment[office]{{out(1, 1), in(2, 2, 0, 1, 0)}}, false, 1},
		{"restarts", []segment[office]{{out(1, 1)}, nil, {out(1, 2), out(2, 2)}}, false, 2},
	} {
		r.model.opt.Total = c.total
		orders, all := r.model.posetOf(c.seen).orders(10, rand.New(rand.NewPCG(1, 1)))
		if len(orders) != c.want || !all {
			t.Errorf("%s: %d orders, not %d", c.name, len(orders), c.want)
		}
	}
}

var (
	// toBoth sends a letter to both other servers. reply sends a copy for a letter.
	toBoth = &pair{Name: "ToBoth", Params: modules.EachPair[server](3),
		Guard: func(s *office, p modules.Pair[server]) bool { return s.Disk[p.I] < 3 },
		Effect: func(s, n *office, p modules.Pair[server]) {
			n.Disk[p.I]++
			n.Msgs.Send(p.I, p.J, post{letter, n.Disk[p.I]})
			n.Msgs.Send(p.I, 3-p.I-p.J, post{letter, n.Disk[p.I]})
		}}
	reply = &pair{Name: "Answer", Params: modules.EachPair[server](3),
		Guard: func(s *office, p modules.Pair[server]) bool { return s.Msgs.Is(p.J, p.I, letter) },
		Effect: func(s, n *office, p modules.Pair[server]) {
			n.Msgs.Recv(p.J, p.I, letter)
			n.Held[p.I]++
			n.Msgs.Send(p.I, p.J, post{copied, n.Held[p.I]})
		}}
)

// call is a time-out that sends a letter. Its age says how many the server has sent before.
var call = &pair{Name: "Call", Params: modules.EachPair[server](3),
	Guard: func(s *office, p modules.Pair[server]) bool { return s.Held[p.I] < 9 },
	Effect: func(s, n *office, p modules.Pair[server]) {
		n.Held[p.I]++
		n.Msgs.Send(p.I, p.J, post{letter, n.Held[p.I]})
	}}

// TestUnseen judges streams in which a message is not seen: it was produced before the stream rests
// or ends. Three raised false alarms, and one raised none.
func TestUnseen(t *testing.T) {
	letters := func(peer int, kind refine.EventKind, of postKind, age uint8) event[office] {
		return event[office]{kind: kind, peer: peer, msg: []byte{uint8(of), age}}
	}
	for _, c := range []struct {
		name   string
		spec   *refine.Spec[office]
		only   []string
		events []event[office]
		rest   int
		want   judgement
	}{
		// The first letter is for server 1, after the copy. The lazy step comes before it.
		{"a lazy step before an unseen message", officeSpec(&modules.Runtime[office]{Eager: []anyOf{take}, Lazy: []anyOf{pass}}), nil,
			[]event[office]{letters(2, refine.In, letter, 1), letters(2, refine.Out, letter, 2), letters(1, refine.Out, copied, 1), end[office]()}, -1, legal},
		// The answer comes before ToBoth, whose letter to server 1 it does not overtake. While the
		// stream rests, no state shows which of the two came first.
		{"two lanes at a rest", officeSpec(&modules.Runtime[office]{Lanes: 2, Lane: func(kind uint8) int { return int(kind - 1) }, Ordered: true}, toBoth, reply),
			[]string{"ToBoth", "Answer", "Start"},
			[]event[office]{letters(1, refine.In, letter, 1), letters(2, refine.Out, letter, 1), letters(1, refine.Out, copied, 1), end[office]()}, 1, legal},
		// The letter to server 1 is produced before both answers, and the first answer before the
		// second.
		{"overtaking at a rest", officeSpec(&modules.Runtime[office]{Lanes: 2, Lane: func(kind uint8) int { return int(kind - 1) }, Ordered: true}, toBoth, reply),
			[]string{"ToBoth", "Answer", "Start"},
			[]event[office]{letters(2, refine.Out, letter, 1), letters(1, refine.In, letter, 1), letters(2, refine.In, letter, 1), letters(2, refine.Out, copied, 2),
				letters(1, refine.Out, copied, 1), end[office]()}, 3, illegal},
		// Five letters to server 1 come before the one to server 2, and are seen after the rest.
		{"time-outs before a rest", officeSpec(&modules.Runtime[office]{Timeouts: []anyOf{call}}, call), []string{"Call", "Start"},
			[]event[office]{letters(2, refine.Out, letter, 6), letters(1, refine.Out, letter, 1), letters(1, refine.Out, letter, 2), letters(1, refine.Out, letter, 3),
				letters(1, refine.Out, letter, 4), letters(1, refine.Out, letter, 5), end[office]()}, 0, legal},
		{"a letter is missing", officeSpec(&modules.Runtime[office]{Timeouts: []anyOf{call}}, call), []string{"Call", "Start"},
			[]event[office]{letters(2, refine.Out, letter, 6), letters(1, refine.Out, letter, 1), letters(1, refine.Out, letter, 2), letters(1, refine.Out, letter, 3),
				letters(1, refine.Out, letter, 5), end[office]()}, 0, illegal},
	} {
		if c.only != nil {
			c.spec.Composition.Actions = slices.DeleteFunc(c.spec.Composition.Actions, func(a modules.SpecAction[office]) bool { return !slices.Contains(c.only, a.Name) })
		}
		r := &runner[office]{opt: Options{Steps: 4, Orders: 2, Budget: 1000}}
		if err := r.prepare(c.spec); err != nil {
			t.Fatal(err)
		}
		leave := modules.UseArena(modules.NewArena())
		for k := range c.events {
			e := &c.events[k]
			if e.rest = k == c.rest; e.line == nil {
				e.line = r.enc.message(e.kind, e.peer, e.msg)
			}
		}
		j, _, _ := r.model.naive(0, c.events, 1000)
		if v, err := r.check(r.checkers, 0, c.events); err != nil || j != c.want || v.alarm != (c.want == illegal) || v.undecided != "" {
			t.Errorf("%s: %d, %+v, %v", c.name, j, v, err)
		}
		modules.UseArena(leave)
	}
}
