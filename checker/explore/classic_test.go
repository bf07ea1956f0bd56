package explore_test

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
)

// TestClassics holds both searches against the published counts of specifications that TLC's own tests use. Depth is TLC's less
// one: it counts states.
func TestClassics(t *testing.T) {
	t.Parallel()
	t.Run("DieHard", func(t *testing.T) { classic(t, dieHard(), 101, 607, 9) })
	t.Run("TwoPhaseCommit", func(t *testing.T) { classic(t, twoPhaseCommit(), 26_047, 227_201, 15) })
	t.Run("EWD840", func(t *testing.T) { classic(t, ewd840(), 1_566, 15_986, 11) })
	t.Run("Bakery", func(t *testing.T) { classic(t, bakery(), 668, 1_183, 40) })
	t.Run("Fischer", func(t *testing.T) { classic(t, fischer(), 1_002, 2_487, 23) })
}

func classic[T comparable](t *testing.T, spec *checker.Spec[T], distinct, generated int64, depth int) {
	t.Parallel()
	res := everyWay(t, spec, 0, false)
	if res.Distinct != distinct || res.Generated != generated || res.Depth != depth || res.Verdict != checker.Holds {
		t.Errorf("%s, %d distinct, %d generated, depth %d", res.Verdict, res.Distinct, res.Generated, res.Depth)
	}
}

func always[T any](*T) bool { return true }

// jugs is the puzzle with the last action and the last amount poured as variables, as in TLC's DieHard.
type jugs struct{ Big, Small, Did, Poured uint8 }

func dieHard() *checker.Spec[jugs] {
	do := func(did uint8, apply func(s, n *jugs)) rule[jugs] {
		return rule[jugs]{fmt.Sprint(did), always[jugs], func(s, n *jugs) { n.Did = did; apply(s, n) }}
	}
	return toy([]jugs{{}}, []rule[jugs]{
		do(1, func(_, n *jugs) { n.Big = 5 }),
		do(2, func(_, n *jugs) { n.Big = 0 }),
		do(3, func(_, n *jugs) { n.Small = 3 }),
		do(4, func(_, n *jugs) { n.Small = 0 }),
		do(5, func(s, n *jugs) { n.Poured = min(3-s.Small, s.Big); n.Small += n.Poured; n.Big -= n.Poured }),
		do(6, func(s, n *jugs) { n.Poured = min(5-s.Big, s.Small); n.Small -= n.Poured; n.Big += n.Poured }),
	}, func(s *jugs) bool { return s.Big <= 5 && s.Small <= 3 })
}

// commitment is atomic commitment with 5 participants: what each has decided and been told, what was sent, and whose consent
// the coordinator has heard of.
type commitment struct {
	Part                  [5]uint8 // 0 undecided, 1 ready to commit, 2 ready to abort, 3 committed, 4 aborted
	Coordinator           uint8    // 0, 3 or 4
	Consents, Refusals    uint8    // sent, one bit each
	Heard                 uint8
	ToldCommit, ToldAbort bool
}

func twoPhaseCommit() *checker.Spec[commitment] {
	const everyone = 1<<5 - 1
	var rules []rule[commitment]
	add := func(name string, enabled func(s *commitment) bool, apply func(s, n *commitment)) {
		rules = append(rules, rule[commitment]{name, enabled, apply})
	}
	for p := range 5 {
		bit := uint8(1) << p
		undecided := func(s *commitment) bool { return s.Part[p] == 0 }
		add("consent", undecided, func(_, n *commitment) { n.Part[p] = 1; n.Consents |= bit })
		add("refuse", undecided, func(_, n *commitment) { n.Part[p] = 2; n.Refusals |= bit })
		add("commit", func(s *commitment) bool { return s.ToldCommit }, func(_, n *commitment) { n.Part[p] = 3 })
		add("abort", func(s *commitment) bool { return s.ToldAbort }, func(_, n *commitment) { n.Part[p] = 4 })
		add("hear consent", func(s *commitment) bool { return s.Consents&^s.Heard&bit != 0 }, func(_, n *commitment) {
			if n.Heard |= bit; n.Heard == everyone {
				n.Coordinator, n.ToldCommit = 3, true
			}
		})
		add("hear refusal", func(s *commitment) bool { return s.Refusals&bit != 0 }, func(_, n *commitment) {
			n.Coordinator, n.ToldAbort = 4, true
		})
	}
	return toy([]commitment{{}}, rules, func(s *commitment) bool { return !s.ToldCommit || !s.ToldAbort })
}

// ring is Dijkstra's termination detection, EWD 840, with 4 nodes.
type ring struct {
	Active, Black [4]bool
	At            uint8
	TokenBlack    bool
}

func ewd840() *checker.Spec[ring] {
	var init []ring
	for x := range 1 << 10 {
		r := ring{At: uint8(x >> 8), TokenBlack: true}
		for k := range 4 {
			r.Active[k], r.Black[k] = x>>k&1 != 0, x>>(4+k)&1 != 0
		}
		init = append(init, r)
	}
	var rules []rule[ring]
	// TLC makes a step of each disjunct of a guard that is true, and counts them.
	either := func(apply func(s, n *ring), disjuncts ...func(s *ring) bool) {
		for _, d := range disjuncts {
			rules = append(rules, rule[ring]{"token", d, apply})
		}
	}
	either(func(_, n *ring) { n.At, n.TokenBlack, n.Black[0] = 3, false, false },
		func(s *ring) bool { return s.At == 0 && s.TokenBlack },
		func(s *ring) bool { return s.At == 0 && s.Black[0] })
	for i := range 4 {
		if i > 0 {
			either(func(s, n *ring) { n.At--; n.TokenBlack = s.TokenBlack || s.Black[i]; n.Black[i] = false },
				func(s *ring) bool { return int(s.At) == i && !s.Active[i] },
				func(s *ring) bool { return int(s.At) == i && s.Black[i] },
				func(s *ring) bool { return int(s.At) == i && s.TokenBlack })
		}
		active := func(s *ring) bool { return s.Active[i] }
		rules = append(rules, rule[ring]{"rest", active, func(_, n *ring) { n.Active[i] = false }})
		for j := range 4 {
			if j != i {
				rules = append(rules, rule[ring]{"send", active, func(_, n *ring) { n.Active[j] = true; n.Black[i] = n.Black[i] || j > i }})
			}
		}
	}
	return toy(init, rules, func(s *ring) bool {
		detected := s.At == 0 && !s.TokenBlack && !s.Black[0] && !s.Active[0]
		return !detected || s.Active == [4]bool{}
	})
}

// shop is Lamport's bakery with 2 customers, at the steps of TLC's Bakery; numbers above 3 are outside the constraint.
type shop struct {
	PC, Num, Max, Next, Read [2]uint8
	Choosing                 [2]bool
}

func bakery() *checker.Spec[shop] {
	const (
		loop, d1, d2, d3, w1, w2, cs, exit = 0, 1, 2, 3, 4, 5, 6, 7
		both                               = 3
	)
	var rules []rule[shop]
	for i := range 2 {
		j, self, other := 1-i, uint8(1)<<i, uint8(1)<<(1-i)
		at := func(pc uint8, guard func(s *shop) bool, to uint8, apply func(s, n *shop)) {
			rules = append(rules, rule[shop]{fmt.Sprint(pc),
				func(s *shop) bool { return s.PC[i] == pc && guard(s) },
				func(s, n *shop) { n.PC[i] = to; apply(s, n) }})
		}
		unread := func(s *shop) bool { return s.Read[i] != both }
		read := func(s *shop) bool { return s.Read[i] == both }
		at(loop, always[shop], d1, func(_, n *shop) { n.Choosing[i], n.Read[i], n.Max[i] = true, self, 0 })
		at(d1, unread, d1, func(s, n *shop) { n.Max[i], n.Read[i] = max(s.Max[i], s.Num[j]), s.Read[i]|other })
		at(d1, read, d2, func(_, _ *shop) {})
		at(d2, always[shop], d3, func(s, n *shop) { n.Num[i] = s.Max[i] + 1 })
		at(d3, always[shop], w1, func(_, n *shop) { n.Choosing[i], n.Read[i] = false, self })
		at(w1, func(s *shop) bool { return unread(s) && !s.Choosing[j] }, w2, func(_, n *shop) { n.Next[i] = uint8(j) })
		at(w1, read, cs, func(_, _ *shop) {})
		at(w2, func(s *shop) bool {
			k := s.Next[i]
			return s.Num[k] == 0 || s.Num[k] > s.Num[i] || s.Num[k] == s.Num[i] && int(k) > i
		}, w1, func(s, n *shop) { n.Read[i] = s.Read[i] | 1<<s.Next[i] })
		at(cs, always[shop], exit, func(_, _ *shop) {})
		at(exit, always[shop], loop, func(_, n *shop) { n.Num[i] = 0 })
	}
	spec := toy([]shop{{Next: [2]uint8{0, 1}}}, rules, func(s *shop) bool { return s.PC[0] != cs || s.PC[1] != cs })
	spec.Within = func(s *shop) bool { return s.Num[0] <= 3 && s.Num[1] <= 3 }
	return spec
}

// timed is Fischer's mutual exclusion with 3 processes, delta 2 and epsilon 3, at the steps of TLC's Fischer.
type timed struct {
	PC, Timer [3]uint8
	X         uint8 // 0, or a process counted from 1
}

func fischer() *checker.Spec[timed] {
	const (
		a, b, c, d, e, cs, f = 0, 1, 2, 3, 4, 5, 6
		off                  = 255
	)
	rules := []rule[timed]{{"tick",
		func(s *timed) bool { return s.Timer[0] > 0 && s.Timer[1] > 0 && s.Timer[2] > 0 },
		func(_, n *timed) {
			for i := range n.Timer {
				if n.Timer[i] != off {
					n.Timer[i]--
				}
			}
		}}}
	for i := range 3 {
		self := uint8(i + 1)
		at := func(pc uint8, guard func(s *timed) bool, to uint8, apply func(n *timed)) {
			rules = append(rules, rule[timed]{fmt.Sprint(pc),
				func(s *timed) bool { return s.PC[i] == pc && guard(s) },
				func(_, n *timed) { n.PC[i] = to; apply(n) }})
		}
		at(a, always[timed], b, func(*timed) {})
		at(b, func(s *timed) bool { return s.X != self }, c, func(*timed) {})
		at(b, func(s *timed) bool { return s.X == self }, cs, func(*timed) {})
		at(c, func(s *timed) bool { return s.X == 0 }, d, func(n *timed) { n.Timer[i] = 2 })
		at(d, always[timed], e, func(n *timed) { n.X, n.Timer[i] = self, 3 })
		at(e, func(s *timed) bool { return s.Timer[i] == 0 }, b, func(n *timed) { n.Timer[i] = off })
		at(cs, always[timed], f, func(*timed) {})
		at(f, always[timed], a, func(n *timed) { n.X = 0 })
	}
	return toy([]timed{{Timer: [3]uint8{off, off, off}}}, rules, func(s *timed) bool {
		in := 0
		for _, pc := range s.PC {
			if pc == cs {
				in++
			}
		}
		return in < 2
	})
}
