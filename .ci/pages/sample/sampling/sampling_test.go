package sampling

import (
	"maps"
	"math/big"
	"testing"
)

func harness(t *testing.T, text string) Harness {
	t.Helper()
	h, err := ParseHarness(text)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestHarness reads harnesses and writes them again.
func TestHarness(t *testing.T) {
	for name, text := range Named {
		h := harness(t, name)
		if h.String() != text {
			t.Errorf("%s is %q, and reads as %q", name, text, h)
		}
	}
	h := harness(t, "div")
	if r, k := h.Phases(Stop); r != 5 || k != 2 || len(h.Keys()) != 2 {
		t.Errorf("div has %d phases, %d in a step, and the keys %v; the paper's has 5, 2 and two keys", r, k, h.Keys())
	}
	for _, bad := range []string{"", "s1: k0", "empty;", "s1: k0=0 k1=1", "k0=1"} {
		if _, err := ParseHarness(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestSchedules compares the space with all sequences of phases, one by one, for each form of
// isolation.
func TestSchedules(t *testing.T) {
	h := harness(t, "s1: k0=101; empty")
	for _, isolation := range []string{Stop, Late} {
		all := map[int]map[string]bool{}
		empty := NewSpace(3, 0, false, h, isolation)
		empty.phases(0, func(p Phase, first int) bool {
			empty.phases(1, func(q Phase, second int) bool {
				d := first + second
				if all[d] == nil {
					all[d] = map[string]bool{}
				}
				all[d][Schedule{p, q}.String()] = true
				return true
			})
			return true
		})
		upTo := map[string]bool{}
		for d := range 7 {
			maps.Copy(upTo, all[d])
			s := NewSpace(3, d, true, h, isolation)
			got := map[string]bool{}
			for k := range s.Size().Int64() {
				got[s.Schedule(big.NewInt(k)).String()] = true
			}
			if s.Size().Int64() != int64(len(upTo)) || !maps.Equal(got, upTo) {
				t.Errorf("%s: at most %d faults have %v schedules, counted one by one %d", isolation, d, s.Size(), len(upTo))
			}
		}
		for d := range 7 {
			s := NewSpace(3, d, false, h, isolation)
			if s.Size().Int64() != int64(len(all[d])) {
				t.Errorf("%s: %d faults have %v schedules, counted one by one %d", isolation, d, s.Size(), len(all[d]))
			}
			got := map[string]bool{}
			for k := range s.Size().Int64() {
				x := s.Schedule(big.NewInt(k))
				if !all[d][x.String()] {
					t.Errorf("%s: %v has not %d faults", isolation, x, d)
				}
				got[x.String()] = true
				if again, err := ParseSchedule(x.String(), 3, h); err != nil || again.String() != x.String() {
					t.Errorf("%v reads as %v, %v", x, again, err)
				}
			}
			if len(got) != len(all[d]) {
				t.Errorf("%s: numbers give %d of %d schedules with %d faults", isolation, len(got), len(all[d]), d)
			}
		}
	}
	// A server is absent, isolated before the request or after it; in the second step it is absent.
	if n := NewSpace(3, 1, false, h, Late).Size().Int64(); n != 3*3+3 {
		t.Errorf("one fault has %d schedules with late servers, expected 12", n)
	}
	for _, bad := range []string{"012-0-0,012", "01-0-2,012", "012,012--0"} {
		if _, err := ParseSchedule(bad, 3, h); err == nil {
			t.Errorf("the schedule %s is read", bad)
		}
	}
	// The bound of the paper's table 1.
	div := harness(t, "div")
	phases, _ := div.Phases(Stop)
	for d := range 10 {
		bound := new(big.Int).Exp(big.NewInt(int64(3*phases)), big.NewInt(int64(d)), nil)
		if s := NewSpace(3, d, false, div, Stop); s.Size().Sign() == 0 || s.Size().Cmp(bound) > 0 {
			t.Errorf("%d faults have %v schedules, the bound is %v", d, s.Size(), bound)
		}
	}
	if NewSpace(3, 10, false, div, Stop).Size().Sign() != 0 {
		t.Error("ten faults do not fit into three steps of three servers")
	}
}

// TestDraw draws each schedule about as often as any other, and the same one from the same seed.
func TestDraw(t *testing.T) {
	s := NewSpace(3, 1, false, harness(t, "s1: k0=101; empty"), Stop)
	count := map[string]int{}
	for n := range uint64(9000) {
		count[s.Draw(7, n).String()]++
	}
	size := int(s.Size().Int64())
	if len(count) != size {
		t.Fatalf("%d of %d schedules were drawn", len(count), size)
	}
	for x, n := range count {
		if expected := 9000 / size; n < expected*8/10 || n > expected*12/10 {
			t.Errorf("%s was drawn %d times, expected about %d", x, n, expected)
		}
	}
	if a, b := s.Draw(7, 3).String(), s.Draw(7, 3).String(); a != b {
		t.Errorf("the same execution has the schedules %s and %s", a, b)
	}
}

// TestConsistent judges histories by hand. Those of sc4 are the paper's, section 7.3.
func TestConsistent(t *testing.T) {
	zero, set := 0, 101
	done := func(read *int) Outcome { return Outcome{Request: Done, Read: read} }
	unknown := func(read *int) Outcome { return Outcome{Request: Unknown, Read: read} }
	for _, test := range []struct {
		name     string
		harness  string
		outcomes []Outcome
		final    map[int]int
		want     bool
	}{
		{"all took effect", "div", []Outcome{done(nil), {}, done(nil)}, map[int]int{0: 101, 1: 302}, true},
		{"an answered request is lost", "div", []Outcome{done(nil), {}, done(nil)}, map[int]int{0: 0, 1: 302}, false},
		{"a request without an answer is lost", "div", []Outcome{unknown(nil), {}, done(nil)}, map[int]int{0: 0, 1: 302}, true},
		{"a request without an answer took effect", "div", []Outcome{unknown(nil), {}, done(nil)}, map[int]int{0: 101, 1: 302}, true},
		{"a request that was not sent took effect", "div", []Outcome{{Request: NotSent}, {}, done(nil)}, map[int]int{0: 101, 1: 302}, false},
		{"a value of nobody", "div", []Outcome{done(nil), {}, done(nil)}, map[int]int{0: 7, 1: 302}, false},
		// s0 has read the 101 of s1, and s1 then reads 0 again.
		{"ZOOKEEPER-3875", "sc4", []Outcome{unknown(&zero), {}, done(&set), done(&zero)}, map[int]int{0: 200, 1: 301}, false},
		{"s1 does not see its own write", "sc4", []Outcome{done(&zero), {}, {Request: NotSent}, done(&zero)}, map[int]int{0: 0, 1: 301}, false},
		{"s1 sees its write", "sc4", []Outcome{unknown(&zero), {}, done(&set), {Request: NotTrue, Read: &set}}, map[int]int{0: 200, 1: 101}, true},
		// Clients of different servers have no common order.
		{"a stale read at another server", "s1: k0=1; s0: k0=0? k1=2", []Outcome{done(nil), done(&zero)}, map[int]int{0: 1, 1: 2}, true},
	} {
		if got := Consistent(3, harness(t, test.harness), test.outcomes, test.final); got != test.want {
			t.Errorf("%s: consistent is %v", test.name, got)
		}
	}
}
