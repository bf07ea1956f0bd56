package abstraction

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/modules"
)

// node is a state of a small system.
type node struct{ At uint8 }

// system is a small labelled graph: moves by state, values by state, and the initial states.
type system struct {
	moves  [][]move
	values []uint8
	inits  []uint8
	cut    []bool // outside the state constraints
}

type move struct {
	action int // 0, or 1, which is observed
	to     uint8
}

func (s *system) spec() *checker.Spec[node] {
	most := 0
	for _, m := range s.moves {
		most = max(most, len(m))
	}
	spec := &checker.Spec[node]{System: "small", Actions: []checker.Action{{Name: "Move"}, {Name: "Call"}}}
	for k := range 2 * most {
		spec.Instances = append(spec.Instances, checker.Instance{Action: k % 2, Server: -1})
	}
	spec.Init = func(yield func(*node) bool) {
		for _, at := range s.inits {
			if !yield(&node{at}) {
				return
			}
		}
	}
	spec.Enabled = func(n *node, k int) bool {
		m := s.moves[n.At]
		return k/2 < len(m) && m[k/2].action == k%2
	}
	spec.Apply = func(n, to *node, k int) { to.At = s.moves[n.At][k/2].to }
	spec.Next = func(n *node, out *checker.Successors[node]) {
		for k := range spec.Instances {
			if spec.Enabled(n, k) {
				to := out.Slot(n)
				spec.Apply(n, to, k)
				out.Emit(n, k)
			}
		}
	}
	if s.cut != nil {
		spec.Within = func(n *node) bool { return !s.cut[n.At] }
	}
	spec.Describe = func(n *node) checker.View { return modules.ViewOf(n.At, nil) }
	return spec
}

// compared returns the comparison of two small systems. With actions, calls are observed.
func compared(c, a *system, actions bool) *Comparison[node, node] {
	x := &Comparison[node, node]{Concrete: c.spec(), Abstract: a.spec(), Variables: 1,
		Map:      func(n *node, out []byte) []byte { return append(out, c.values[n.At]) },
		View:     func(n *node, out []byte) []byte { return append(out, a.values[n.At]) },
		Observed: [2][]uint32{{0, 0}, {0, 0}},
	}
	if actions {
		x.Names, x.Observed = []string{"Call"}, [2][]uint32{{0, 1}, {0, 1}}
	}
	return x
}

// random returns a small random system.
func random(r *rand.Rand) *system {
	n := 1 + r.IntN(5)
	s := &system{inits: []uint8{0}}
	for range n {
		s.values = append(s.values, uint8(r.IntN(3)))
		var m []move
		for range r.IntN(4) {
			m = append(m, move{r.IntN(2), uint8(r.IntN(n))})
		}
		s.moves = append(s.moves, m)
	}
	s.values[0] = 0
	if r.IntN(4) == 0 {
		s.inits = append(s.inits, uint8(r.IntN(n)))
	}
	return s
}

// length bounds the observations of the oracle.
const length = 5

// traces returns all observations of a system with at most length changes, as an obvious search
// through all its behaviours finds them.
func (s *system) traces(actions bool) map[string]bool {
	type place struct {
		at  uint8
		seq string
	}
	out, todo, known := map[string]bool{}, []place(nil), map[place]bool{}
	add := func(p place) {
		if !known[p] {
			known[p] = true
			out[p.seq] = true
			todo = append(todo, p)
		}
	}
	for _, at := range s.inits {
		add(place{at, fmt.Sprint(s.values[at])})
	}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		for _, m := range s.moves[p.at] {
			seq := p.seq
			switch {
			case actions && m.action == 1:
				seq += fmt.Sprint(" call", s.values[m.to])
			case s.values[m.to] != s.values[p.at]:
				seq += fmt.Sprint(" move", s.values[m.to])
			}
			if changes(seq) <= length {
				add(place{m.to, seq})
			}
		}
	}
	return out
}

func changes(seq string) (n int) {
	for _, c := range seq {
		if c == ' ' {
			n++
		}
	}
	return n
}

// TestRandom compares the engine with explicit sets of observations on small random systems.
func TestRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	count := map[checker.Verdict]int{}
	long := 0
	for k := range 20_000 {
		c, a, actions := random(r), random(r), r.IntN(2) == 0
		res, err := Run(compared(c, a, actions), Options{})
		if err != nil {
			t.Fatal(err)
		}
		count[res.Verdict]++
		have, allowed := c.traces(actions), a.traces(actions)
		var lacking []string
		for seq := range have {
			if !allowed[seq] {
				lacking = append(lacking, seq)
			}
		}
		if res.Verdict != checker.Violated {
			if len(lacking) > 0 {
				t.Fatalf("system %d: %s, and the abstract system lacks %q\n%+v\n%+v", k, res.Verdict, slices.Min(lacking), c, a)
			}
			continue
		}
		seq := c.observed(t, &res.Difference.Concrete, actions)
		if changes(seq) > length {
			long++
			continue
		}
		if !have[seq] || allowed[seq] {
			t.Fatalf("system %d: %q is no difference\n%+v\n%+v", k, seq, c, a)
		}
		shortest := slices.MinFunc(lacking, func(a, b string) int { return changes(a) - changes(b) })
		if changes(shortest) < 1 != (len(res.Difference.Concrete.Steps) == 0) {
			t.Fatalf("system %d: the initial state is the difference in one of the two: %q, %q", k, shortest, seq)
		}
		checkAbstract(t, a, res.Difference, seq, actions)
	}
	if count[checker.Violated] < 500 || count[checker.Holds] < 40 || long > count[checker.Violated]/4 {
		t.Errorf("verdicts %v, %d long differences: the systems say too little", count, long)
	}
}

// observed returns the observation of a behaviour.
func (s *system) observed(t *testing.T, b *checker.Trace[node], actions bool) string {
	t.Helper()
	seq, at := fmt.Sprint(s.values[b.Init.At]), b.Init.At
	for _, step := range b.Steps {
		m := s.moves[at][step.Instance/2]
		if m.to != step.Node.At || m.action != step.Instance%2 {
			t.Fatalf("a step of the behaviour is none of the system: %+v", b)
		}
		switch {
		case actions && m.action == 1:
			seq += fmt.Sprint(" call", s.values[m.to])
		case s.values[m.to] != s.values[at]:
			seq += fmt.Sprint(" move", s.values[m.to])
		}
		at = m.to
	}
	return seq
}

// checkAbstract expects that the abstract behaviour of a difference has its observations before the
// last step.
func checkAbstract(t *testing.T, a *system, d *Difference[node, node], seq string, actions bool) {
	t.Helper()
	if len(d.Concrete.Steps) == 0 {
		if d.Abstract != nil {
			t.Fatal("no abstract initial state has the values, and there is an abstract behaviour")
		}
		return
	}
	if d.Abstract == nil {
		t.Fatalf("there is no abstract behaviour before the last step of %q", seq)
	}
	have := a.observed(t, d.Abstract, actions)
	if len(have) >= len(seq) || seq[:len(have)] != have || changes(have) != changes(seq)-1 {
		t.Fatalf("the abstract behaviour shows %q, the concrete one %q", have, seq)
	}
	if n := len(d.Sets); n != len(d.Concrete.Steps)+1 || d.Sets[n-1] != 0 || d.Sets[n-2] == 0 || len(d.Matches) != len(d.Abstract.Steps) {
		t.Fatalf("sets %v, matches %v", d.Sets, d.Matches)
	}
}

// TestWalks: walks past a limit find what an exploration finds, and never more.
func TestWalks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 9))
	found := 0
	for k := range 1000 {
		c, a := random(r), random(r)
		whole, err := Run(compared(c, a, false), Options{})
		if err != nil {
			t.Fatal(err)
		}
		part, err := Run(compared(c, a, false), Options{MaxStates: 1, Walks: 30, Depth: 20})
		if err != nil {
			t.Fatal(err)
		}
		if part.Difference != nil && part.Difference.Walked {
			found++
		}
		if part.Verdict == checker.Violated && whole.Verdict != checker.Violated {
			t.Fatalf("system %d: a walk finds what is no difference\n%+v\n%+v\n%+v", k, c, a, part.Difference)
		}
		if part.Verdict == checker.Holds && !part.Complete {
			t.Fatalf("system %d holds, and a limit came first", k)
		}
	}
	if found < 30 {
		t.Errorf("walks found %d differences", found)
	}
}

// TestWaypoints: walks that meet waypoints are continued, and so a difference at the end of a long
// way is found. Each place of the way looks alike, and three of its four moves lead to the start.
func TestWaypoints(t *testing.T) {
	t.Parallel()
	const long = 12
	way := &system{inits: []uint8{0}}
	for k := range long {
		next := []move{{0, 0}, {0, 0}, {0, 0}, {0, 0}}
		next[k*7%4].to = uint8(k + 1)
		way.moves, way.values = append(way.moves, next), append(way.values, 0)
	}
	way.moves, way.values = append(way.moves, way.moves[0]), append(way.values, 1)
	for _, c := range []struct {
		waypoints, met int
		values         []uint8 // of the abstract composition
		want           bool
	}{
		{waypoints: 0, values: []uint8{0}},
		{waypoints: long, met: long, values: []uint8{0}, want: true},
		{waypoints: long, met: long, values: []uint8{0, 1}}, // which has the end, too
	} {
		abstract := &system{inits: []uint8{0}, values: c.values, moves: make([][]move, len(c.values))}
		for k := range c.values {
			for to := range c.values {
				abstract.moves[k] = append(abstract.moves[k], move{0, uint8(to)})
			}
		}
		x := compared(way, abstract, false)
		x.Waypoints, x.Waypoint = c.waypoints, func(n *node, number int) bool { return int(n.At) > number }
		res, err := Run(x, Options{MaxStates: 1, Walks: 2000, Depth: 30})
		if err != nil || res.Complete || (res.Difference != nil) != c.want || res.Met != c.met || (res.Followed > 0) != (c.met > 0) {
			t.Errorf("%d waypoints, values %v: %v %+v, %d met", c.waypoints, c.values, err, res.Difference, res.Met)
		}
		x.Weights = []float64{0, 1} // no move is taken
		if res, err = Run(x, Options{MaxStates: 1, Walks: 2000, Depth: 30}); err != nil || res.Difference != nil || res.Steps > 0 {
			t.Errorf("without moves: %v %+v", err, res)
		}
	}
}

// TestPanicOfAWalk: a step past the limit that panics is named, with the steps of the walk to it.
func TestPanicOfAWalk(t *testing.T) {
	t.Parallel()
	const long = 6
	way := &system{inits: []uint8{0}, values: make([]uint8, long+1), moves: make([][]move, long+1)}
	for k := range long {
		way.moves[k] = []move{{0, uint8(k + 1)}}
	}
	abstract := &system{inits: []uint8{0}, values: []uint8{0}, moves: [][]move{{{0, 0}}}}
	x := compared(way, abstract, false)
	apply := x.Concrete.Apply
	x.Concrete.Apply = func(n, to *node, k int) {
		if n.At == long-1 {
			_ = strings.Repeat(" ", -1) // a panic of a package other than this one
		}
		apply(n, to, k)
	}
	_, err := Run(x, Options{MaxStates: 2, Walks: 10, Depth: 20})
	f, ok := errors.AsType[*Fault[node, node]](err)
	if !ok || f.Concrete == nil || f.Concrete.Action != "Move" || len(f.Concrete.Trace.Steps) != long-1 {
		t.Errorf("%v", err)
	}
}

// TestExcludesNothing: an abstract system that allows each observed step after each observation
// excludes nothing, which is undecided. One that lacks a step does.
func TestExcludesNothing(t *testing.T) {
	// ring has values 0 to n-1, and each is followed by the next one; with any, by all.
	ring := func(n int, anyNext bool) *system {
		s := &system{inits: []uint8{0}}
		for k := range n {
			s.values = append(s.values, uint8(k))
			next := []move{{0, uint8((k + 1) % n)}}
			for to := range n {
				if anyNext && to != k {
					next = append(next, move{0, uint8(to)})
				}
			}
			s.moves = append(s.moves, next)
		}
		return s
	}
	for _, c := range []struct {
		name               string
		concrete, abstract *system
		want               checker.Verdict
	}{
		{"a ring of three", ring(3, false), ring(3, false), checker.Holds},
		{"any order of three", ring(3, false), ring(3, true), checker.Undecided},
		{"a ring of two", ring(2, false), ring(2, false), checker.Undecided},
		{"a step that is lacking", ring(3, true), ring(3, false), checker.Violated},
	} {
		res, err := Run(compared(c.concrete, c.abstract, false), Options{})
		if err != nil || res.Verdict != c.want {
			t.Errorf("%s: %v (%s), %v; want %v", c.name, res.Verdict, res.Reason, err, c.want)
		}
	}
}

// TestNoMemoryLeft: a refinement ends undecided before a machine has no memory left.
func TestNoMemoryLeft(t *testing.T) {
	ring := &system{inits: []uint8{0}}
	for k := range 256 {
		ring.values = append(ring.values, uint8(k%3))
		ring.moves = append(ring.moves, []move{{0, uint8(k + 1)}})
	}
	if res, err := Run(compared(ring, ring, false), Options{}); err != nil || res.Verdict != checker.Holds {
		t.Fatalf("with memory: %v, %v, %q", err, res.Verdict, res.Reason)
	}
	defer host.ForTestsMemory(func() (left, total int64) { return 1, 1000 })()
	res, err := Run(compared(ring, ring, false), Options{})
	if err != nil || res.Verdict != checker.Undecided || !strings.Contains(res.Reason, host.NoMemory) {
		t.Errorf("%v, %v, %q", err, res.Verdict, res.Reason)
	}
}

// TestInitialStatesOfWalks: walks begin in all initial states. Of four only one has a move that the
// abstract composition cannot match, or is itself without a match.
func TestInitialStatesOfWalks(t *testing.T) {
	t.Parallel()
	ring := func(values ...uint8) *system {
		s := &system{}
		for k := range values {
			s.moves = append(s.moves, []move{{0, uint8(k)}})
		}
		s.values, s.inits = values, []uint8{0, 1, 2, 3}
		return s
	}
	moves := ring(0, 0, 0, 0, 1)
	moves.moves[2] = append(moves.moves[2], move{0, 4})
	moves.moves[4][0].to = 4
	for _, c := range []struct {
		name               string
		concrete, abstract *system
		steps              int // of the difference; -1: none
	}{
		{"a step of the third", moves, ring(0, 0, 0, 0), 1},
		{"the fourth itself", ring(0, 0, 0, 1), ring(0, 0, 0, 0), 0},
		{"no difference", ring(0, 0, 1, 1), ring(1, 0, 0, 1), -1},
	} {
		for seed := range uint64(20) {
			res, err := Run(compared(c.concrete, c.abstract, false), Options{MaxStates: 1, Walks: 200, Depth: 5, Seed: seed})
			if err != nil || res.Complete || res.Walks != 200 && c.steps < 0 {
				t.Fatalf("%s: %v %+v", c.name, err, res)
			}
			switch d := res.Difference; {
			case (d != nil) != (c.steps >= 0):
				t.Errorf("%s, seed %d: %+v", c.name, seed, d)
			case d != nil && (len(d.Concrete.Steps) != c.steps || !d.Walked):
				t.Errorf("%s, seed %d: %d steps", c.name, seed, len(d.Concrete.Steps))
			}
		}
	}
}

// TestEndOfWalks: walks without a number end where the abstract composition has twice as many
// states as it may have, and the result says so. With a number, no number of states ends them.
func TestEndOfWalks(t *testing.T) {
	t.Parallel()
	const long = 40
	line := &system{inits: []uint8{0}}
	for k := range long {
		line.moves, line.values = append(line.moves, []move{{0, uint8(min(k+1, long-1))}}), append(line.values, uint8(k))
	}
	for _, c := range []struct {
		walks int64
		ended string
	}{
		{0, "the abstract composition has more than 10 states with these observations"},
		{7, ""},
	} {
		res, err := Run(compared(line, line, false), Options{MaxStates: 5, Walks: c.walks})
		if err != nil || res.Ended != c.ended || res.Walks < 1 || c.walks > 0 && res.Walks != c.walks {
			t.Errorf("%d walks: %v, ended by %q after %d", c.walks, err, res.Ended, res.Walks)
		}
	}
}
