package trace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
)

// TestWindowsAgainstPairs compares the windows of random logs with a naive judge of pairs. Every
// event states the whole state after it. An event is right if its action leads from the state that
// the event before it states to its own.
func TestWindowsAgainstPairs(t *testing.T) {
	t.Parallel()
	at := func(variable string, k int) *Expr { return op(OpIndex, name(variable), literal(int64(k))) }
	var whole []*Formula
	for k := range 3 {
		whole = append(whole, formula(op("==", at("Waiting", k), field(fmt.Sprint("w", k)))), formula(op("==", at("Held", k), field(fmt.Sprint("h", k)))))
	}
	check := func() (out []*Formula) {
		for _, f := range append(whole, formula(op("==", name("Served"), field("served")))) {
			out = append(out, formula(f.Expr))
		}
		return out
	}
	who := func() []Binding { return []Binding{{"I", formula(field("client"))}} }
	m := numbered(&Mapping{Rules: []Rule{
		{Event: "Request", Actions: []string{"Request"}, Where: who(), Check: check()},
		{Event: "Grant", Actions: []string{"Grant"}, Where: who(), Check: check()},
		{Event: "Release", Actions: []string{"Release"}, Where: who(), Check: check()},
	}})
	spec := deskSpec()
	event := func(line int, action string, i int8, s *desk) Event {
		f := map[string]any{"client": int64(i), "served": int64(s.Served)}
		for k := range 3 {
			f[fmt.Sprint("w", k)], f[fmt.Sprint("h", k)] = s.Waiting[k], s.Held[k]
		}
		return Event{File: "f", Line: line, Name: action, Fields: f}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	faults := 0
	for range 300 {
		var log []Event
		var wrong []int
		var before desk
		for len(log) < 25 {
			k, p := rng.IntN(3), client{I: int8(rng.IntN(3))}
			a := &spec.Actions[k]
			legal := a.EnabledWith(&before, p)
			if !legal && rng.IntN(10) > 0 {
				continue
			}
			after := before
			a.ApplyWith(&before, &after, p)
			said := after
			if rng.IntN(10) == 0 {
				said.Waiting[rng.IntN(3)] = rng.IntN(2) == 0
				said.Served += uint8(rng.IntN(2))
			}
			if !legal || said != after {
				wrong = append(wrong, len(log))
			}
			log = append(log, event(len(log)+1, a.Name, p.I, &said))
			before = said
		}
		faults += len(wrong)
		w, reason := JudgeWindows(spec, m, log, Options{})
		var got []int
		sum := Rate{}
		for _, r := range w.Refusals {
			got = append(got, r.Event)
		}
		for _, r := range w.Actions {
			sum.Passed, sum.Refused = sum.Passed+r.Passed, sum.Refused+r.Refused
		}
		if !slices.Equal(got, wrong) || reason != "" || w.Unknown != 0 || sum != (Rate{25 - len(wrong), len(wrong)}) {
			t.Fatalf("refused %v, want %v; %+v %s\n%v", got, wrong, w, reason, log)
		}
		r, _ := Validate(spec, m, log, Options{})
		if first := append(wrong, len(log))[0]; r.Matched != first || (r.Verdict == checker.Holds) != (len(wrong) == 0) {
			t.Fatalf("%d matched, want %d", r.Matched, first)
		}
	}
	if faults < 300 {
		t.Errorf("%d faults are too few for a test", faults)
	}
}

// TestWindowsUnknown: after an event that states too little, nothing of its node is refused before
// an event with a condition shows its state.
func TestWindowsUnknown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log                      string
		passed, refused, unknown int
		first                    string
	}{
		{"request client=0; grant client=0 served=1", 2, 0, 0, ""},
		// a request states nothing, so what follows it is not judged until a grant is matched
		{"request client=0; request client=0; release client=1; grant client=0 served=1; release client=1", 2, 2, 1, "Request guard"},
		{"grant client=0 served=1; grant client=0 served=1; release client=0", 1, 2, 0, "Grant guard"},
		{"request client=0; grant client=0 served=9; release client=0; request client=1; grant client=1 served=9", 3, 2, 0, "Grant check"},
	} {
		w, reason := JudgeWindows(deskSpec(), deskMapping(), eventsOf(t, c.log), Options{})
		if w.Passed != c.passed || w.Refused != c.refused || w.Unknown != c.unknown || reason != "" {
			t.Errorf("%s: %+v %s", c.log, w, reason)
		}
		if len(w.Refusals) > 0 && c.first != deskSpec().Actions[w.Refusals[0].Action].Name+" "+w.Refusals[0].Kind {
			t.Errorf("%s: %+v", c.log, w.Refusals[0])
		}
	}
	w, reason := JudgeWindows(deskSpec(), deskMapping(), eventsOf(t, strings.Repeat("request client=0;", 5)), Options{MaxStates: 1})
	if reason == "" || w.Unknown == 0 || w.Refused != 0 {
		t.Errorf("a limit: %+v %q", w, reason)
	}
}
