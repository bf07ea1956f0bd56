package modules

import (
	"slices"
	"testing"
)

// tally is a pair of counters: what the actions do and what the rules note.
type tally struct{ Done, Noted [2]uint8 }

var (
	work = Action[tally, One[int8]]{
		Name: "work", Params: Each[int8](2),
		Guard:  func(s *tally, p One[int8]) bool { return s.Done[p.I] < 9 },
		Effect: func(s, n *tally, p One[int8]) { n.Done[p.I] = s.Done[p.I] + 1 },
	}
	rest = Action[tally, None]{Name: "rest", Params: Once, Effect: func(s, n *tally, _ None) { n.Done = [2]uint8{} }}
)

func bindBoth(rules []Rule[tally], invs ...*Invariant[tally]) (onWork, onRest Bound[tally]) {
	b := Bind([]AnyAction[tally]{&work, &rest}, rules, invs)
	return b[0], b[1]
}

func TestBindWithoutRules(t *testing.T) {
	t.Parallel()
	w, r := bindBoth(nil)
	if w.Name != "work" || NameOf[tally](&rest) != "rest" || r.Name != "rest" {
		t.Errorf("names %s, %s", w.Name, r.Name)
	}
	if !slices.Equal(w.Params, []any{One[int8]{0}, One[int8]{1}}) || !slices.Equal(r.Params, []any{None{}}) {
		t.Errorf("parameters %v, %v", w.Params, r.Params)
	}
	for _, c := range []struct {
		p    any
		want int
	}{{One[int8]{0}, 0}, {One[int8]{1}, 1}, {One[int8]{2}, -1}, {One[uint8]{1}, -1}, {nil, -1}} {
		if got := w.Match(c.p); got != c.want {
			t.Errorf("Match(%v) = %d, want %d", c.p, got, c.want)
		}
	}
	s := tally{Done: [2]uint8{9, 3}}
	if w.Enabled(&s, 0) || !w.Enabled(&s, 1) || !r.Enabled(&s, 0) {
		t.Error("the guard decides; without one an action is enabled")
	}
	n := s
	w.Apply(&s, &n, 1)
	if n != (tally{Done: [2]uint8{9, 4}}) || s != (tally{Done: [2]uint8{9, 3}}) {
		t.Errorf("after %v, before %v", n, s)
	}
}

func TestWhenForbids(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		rules            []Rule[tally]
		work0, work1, re bool
	}{
		{"one action, by its parameter", []Rule[tally]{When(&work, func(s *tally, p One[int8]) bool { return p.I == 1 })}, false, true, true},
		{"all", []Rule[tally]{WhenAny(func(s *tally) bool { return false })}, false, false, false},
		{"all but one", []Rule[tally]{WhenAny(func(s *tally) bool { return false }, &work)}, true, true, false},
		{"all must allow", []Rule[tally]{
			When(&work, func(s *tally, p One[int8]) bool { return p.I == 1 }), When(&work, func(s *tally, p One[int8]) bool { return p.I == 0 }),
		}, false, false, true},
		{"bookkeeping forbids nothing", []Rule[tally]{AfterAny(func(s, n *tally) {})}, true, true, true},
	} {
		w, r := bindBoth(c.rules)
		var s tally
		if w.Enabled(&s, 0) != c.work0 || w.Enabled(&s, 1) != c.work1 || r.Enabled(&s, 0) != c.re {
			t.Errorf("%s: %v, %v, %v", c.name, w.Enabled(&s, 0), w.Enabled(&s, 1), r.Enabled(&s, 0))
		}
	}
}

func TestAfterNotesInOrder(t *testing.T) {
	t.Parallel()
	rules := []Rule[tally]{
		After(&work, func(s, n *tally, p One[int8]) { n.Noted[p.I] = n.Done[p.I] - s.Done[p.I] }),
		AfterAny(func(s, n *tally) { n.Noted[0] = n.Noted[0]*10 + 2 }),
		AfterAny(func(s, n *tally) { n.Noted[0] = n.Noted[0]*10 + 3 }, &rest),
	}
	w, r := bindBoth(rules)
	var s tally
	n := s
	w.Apply(&s, &n, 0)
	if want := (tally{Done: [2]uint8{1, 0}, Noted: [2]uint8{123, 0}}); n != want {
		t.Errorf("work: %v, want %v", n, want)
	}
	n = s
	r.Apply(&s, &n, 0)
	if want := (tally{Noted: [2]uint8{2, 0}}); n != want {
		t.Errorf("rest: %v, want %v", n, want)
	}
}

func TestOnStepJudgesOneAction(t *testing.T) {
	t.Parallel()
	grows := &Invariant[tally]{ID: "S", Instance: "grows", OnStep: OnStep(&work, func(s, n *tally, p One[int8]) bool {
		return n.Done[p.I] > s.Done[p.I]
	})}
	other := &Invariant[tally]{ID: "T", State: func(s *tally) bool { return true }}
	w, r := bindBoth(nil, other, grows)
	if len(w.Steps) != 1 || w.Steps[0].Invariant != grows || len(r.Steps) != 0 {
		t.Fatalf("%d properties of work, %d of rest", len(w.Steps), len(r.Steps))
	}
	s := tally{}
	n := tally{Done: [2]uint8{0, 1}}
	if w.Steps[0].Holds(&s, &n, 0) || !w.Steps[0].Holds(&s, &n, 1) {
		t.Error("the property sees the parameter of the step")
	}
	raise := &Invariant[tally]{ID: "A", Raises: Bit(letter(4))}
	if grows.Kind() != KindStep || other.Kind() != KindState || raise.Kind() != KindAssert || raise.Raises != 16 {
		t.Errorf("kinds %s, %s, %s", grows.Kind(), other.Kind(), raise.Kind())
	}
	if grows.Name() != "S.grows" || other.Name() != "T" {
		t.Errorf("names %s, %s", grows.Name(), other.Name())
	}
}

func TestRaised(t *testing.T) {
	t.Parallel()
	for e := range letter(MaxAssertions) {
		var r Raised[letter]
		r.Raise(e)
		for f := range letter(MaxAssertions + 1) {
			if r.Has(f) != (e == f) {
				t.Errorf("raised %d: has %d is %v", e, f, r.Has(f))
			}
		}
	}
	var r Raised[letter]
	if err := caught(func() { r.Raise(MaxAssertions) }); !isOutside(err, MaxAssertions, MaxAssertions) {
		t.Error(err)
	}
}
