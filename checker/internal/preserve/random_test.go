package preserve

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// point is a state of a random system: a number, and what can be seen of it.
type point struct{ At, Eye uint8 }

// arrow is a transition of a random system: by an instance, in a state.
type arrow struct {
	instance int
	to       uint8
}

// maze is a random system. Instances below silents are silent; then come two steps under test and
// one of the environment.
type maze struct {
	eyes []uint8
	out  [][]arrow
}

const (
	silents  = 3
	visibles = 3
)

func randomMaze(r *rand.Rand) *maze {
	n := 1 + r.IntN(6)
	m := &maze{eyes: make([]uint8, n), out: make([][]arrow, n)}
	for k := range n {
		m.eyes[k] = uint8(r.IntN(2))
		for i := range silents + visibles {
			if r.IntN(10) < 3 {
				m.out[k] = append(m.out[k], arrow{i, uint8(r.IntN(n))})
			}
		}
	}
	return m
}

// mutated is m with a few transitions taken out or added: systems that are nearly equal are the
// interesting ones.
func (m *maze) mutated(r *rand.Rand) *maze {
	c := &maze{eyes: slices.Clone(m.eyes), out: make([][]arrow, len(m.out))}
	for k := range m.out {
		c.out[k] = slices.Clone(m.out[k])
	}
	for range r.IntN(3) {
		k := r.IntN(len(c.out))
		if len(c.out[k]) > 0 && r.IntN(2) == 0 {
			c.out[k] = slices.Delete(c.out[k], 0, 1)
		} else if i := r.IntN(silents); !slices.ContainsFunc(c.out[k], func(a arrow) bool { return a.instance == i }) {
			c.out[k] = append(c.out[k], arrow{i, uint8(r.IntN(len(c.out)))})
		}
	}
	return c
}

func (m *maze) spec() *checker.Spec[point] {
	node := func(k uint8) point { return point{k, m.eyes[k]} }
	find := func(s *point, i int) int {
		return slices.IndexFunc(m.out[s.At], func(a arrow) bool { return a.instance == i })
	}
	spec := &checker.Spec[point]{
		System:  "maze",
		Init:    func(yield func(*point) bool) { p := node(0); yield(&p) },
		State:   func(*point) uint64 { return 0 },
		Enabled: func(s *point, i int) bool { return find(s, i) >= 0 },
		Apply:   func(s, n *point, i int) { *n = node(m.out[s.At][find(s, i)].to) },
	}
	for i := range silents + visibles {
		spec.Actions = append(spec.Actions, checker.Action{Name: fmt.Sprint("A", i)})
		spec.Instances = append(spec.Instances, checker.Instance{Action: i})
	}
	spec.Next = func(s *point, out *checker.Successors[point]) {
		for i := range spec.Instances {
			if spec.Enabled(s, i) {
				spec.Apply(s, out.Slot(s), i)
				out.Emit(s, i)
			}
		}
	}
	return spec
}

// label returns what is observed of an instance in state k, "" for nothing.
func (m *maze) label(k uint8, instance int) string {
	switch {
	case instance < silents:
		return ""
	case instance == silents+visibles-1:
		return "e"
	}
	return fmt.Sprintf("%c%d", 'a'+instance-silents, m.eyes[k])
}

// words returns the observations of m from state k of at most n labels.
func (m *maze) words(k uint8, n int) map[string]bool {
	out := map[string]bool{"": true}
	reach := []uint8{k}
	for at := 0; at < len(reach); at++ {
		s := reach[at]
		for _, a := range m.out[s] {
			l := m.label(s, a.instance)
			switch {
			case l == "" && !slices.Contains(reach, a.to):
				reach = append(reach, a.to)
			case l != "" && n > 0:
				for w := range m.words(a.to, n-1) {
					out[l+w] = true
				}
			}
		}
	}
	return out
}

// has reports whether a word is an observation of m.
func (m *maze) has(word []string) bool {
	now := map[uint8]bool{0: true}
	for k := 0; ; k++ {
		for again := true; again; {
			again = false
			for s := range now {
				for _, a := range m.out[s] {
					if m.label(s, a.instance) == "" && !now[a.to] {
						now[a.to], again = true, true
					}
				}
			}
		}
		if k == len(word) || len(now) == 0 {
			return len(now) > 0
		}
		next := map[uint8]bool{}
		for s := range now {
			for _, a := range m.out[s] {
				if m.label(s, a.instance) == word[k] {
					next[a.to] = true
				}
			}
		}
		now = next
	}
}

// shortest returns the least number of transitions with which a shows an observation that b lacks,
// at most limit; -1 beyond.
func shortest(a, b *maze, limit int) int {
	type end struct {
		at   uint8
		word string
	}
	level := map[end]bool{{0, ""}: true}
	for n := range limit {
		next := map[end]bool{}
		for e := range level {
			for _, x := range a.out[e.at] {
				word := strings.TrimSpace(e.word + " " + a.label(e.at, x.instance))
				if !b.has(strings.Fields(word)) {
					return n + 1
				}
				next[end{x.to, word}] = true
			}
		}
		level = next
	}
	return -1
}

func comparison(fine, coarse *maze) *Comparison[point] {
	c := &Comparison[point]{State: func(n *point) unsafe.Pointer { return unsafe.Pointer(n) }}
	cells, err := layout.CellsOf(reflect.TypeFor[point](), []modules.Access{{Variable: "Eye"}}, modules.None{}, nil)
	if err != nil {
		panic(err)
	}
	for i := range visibles {
		c.Steps = append(c.Steps, Step{Action: fmt.Sprint("A", silents+i), Environment: i == visibles-1, Cells: cells})
	}
	for side, m := range []*maze{fine, coarse} {
		s := Side[point]{Spec: m.spec()}
		for i := range silents + visibles {
			s.Step = append(s.Step, max(i-silents, -1))
		}
		c.Sides[side] = s
	}
	return c
}

// TestRandomSystems compares inclusion and its witnesses with the enumeration of all observations
// up to a length.
func TestRandomSystems(t *testing.T) {
	t.Parallel()
	const length = 4
	r := rand.New(rand.NewPCG(7, 1))
	counts := map[string]int{}
	for round := range 3000 {
		fine := randomMaze(r)
		coarse := fine.mutated(r)
		if round%4 == 0 {
			coarse = randomMaze(r)
		}
		res, err := Run(comparison(fine, coarse), Options{Level: "L2"})
		if err != nil || res.Level != "L2" {
			t.Fatalf("round %d: %+v, %v", round, res, err)
		}
		sides := [2]*maze{fine, coarse}
		for side, got := range []Answer{res.L2.NoMissed, res.L2.NoFalse} {
			a, b := sides[side], sides[1-side]
			counts[fmt.Sprintf("%d%s", side, got)]++
			theirs, lacking := b.words(0, length), ""
			for w := range a.words(0, length) {
				if !theirs[w] {
					lacking = w
				}
			}
			if lacking != "" && got == Yes {
				t.Fatalf("round %d, side %d: the other lacks %s\n%+v\n%+v", round, side, lacking, a, b)
			}
			checkWitness(t, res, side, a, b, got)
		}
	}
	for _, k := range []string{"0yes", "0no", "1yes", "1no"} {
		if counts[k] < 300 {
			t.Errorf("answers %v are not mixed enough", counts)
			break
		}
	}
}

// checkWitness runs the witnesses of a side: the other side cannot match the last step of each.
func checkWitness(t *testing.T, res *Result[point], side int, a, b *maze, got Answer) {
	t.Helper()
	least, n := -1, 0
	for _, d := range res.Differences {
		if d.Side != side {
			continue
		}
		n++
		var word []string
		at := d.Trace.Init.At
		for _, s := range d.Trace.Steps {
			k := slices.IndexFunc(a.out[at], func(x arrow) bool { return x.instance == s.Instance })
			if k < 0 || a.out[at][k].to != s.Node.At {
				t.Fatalf("the witness is no behaviour: %+v of %+v", d.Trace, a)
			}
			if l := a.label(at, s.Instance); l != "" {
				word = append(word, l)
			}
			at = s.Node.At
		}
		if b.has(word) || !b.has(word[:len(word)-1]) && d.Level == "L2" {
			t.Fatalf("%v is no witness of %+v", word, b)
		}
		if least < 0 || len(d.Trace.Steps) < least {
			least = len(d.Trace.Steps)
		}
	}
	if (n > 0) != (got == No) {
		t.Fatalf("answer %s with %d witnesses", got, n)
	}
	if want := shortest(a, b, 6); want >= 0 && want != least || want < 0 && n > 0 && least <= 6 {
		t.Fatalf("shortest witness has %d steps, want %d", least, want)
	}
}

// TestWalks: where the fine system is not exhausted, what is stated to be missed is missed, and
// nothing is stated to be preserved.
func TestWalks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 2))
	walked := 0
	for round := range 3000 {
		fine := randomMaze(r)
		coarse := fine.mutated(r)
		res, err := Run(comparison(fine, coarse), Options{Level: "L2", MaxStates: 3, Seed: 5, Walks: 100})
		if err != nil {
			t.Fatal(err)
		}
		if res.Sides[Fine].Complete || !res.Sides[Coarse].Complete {
			continue
		}
		if res.L2.NoMissed == Yes || res.Level == "L2" && res.L2.NoFalse != Yes || res.Walks == 0 {
			t.Fatalf("round %d: %+v", round, res)
		}
		for _, d := range res.Differences {
			if d.Side != Fine {
				t.Fatalf("round %d: %+v", round, d)
			}
			var word []string
			at := d.Trace.Init.At
			for _, s := range d.Trace.Steps {
				if l := fine.label(at, s.Instance); l != "" {
					word = append(word, l)
				}
				at = s.Node.At
			}
			if coarse.has(word) || !fine.has(word) {
				t.Fatalf("round %d: %v is no witness", round, word)
			}
			if d.Walked {
				walked++
			}
		}
	}
	if walked < 20 {
		t.Errorf("walks found %d differences", walked)
	}
}

// TestWalksEnd: how many walks there are depends on the limit of states, not on the time that is
// left.
func TestWalksEnd(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 3))
	for range 3000 {
		fine := randomMaze(r)
		c := comparison(fine, fine.mutated(r))
		var walks []int64
		for _, timeout := range []time.Duration{time.Second, time.Minute} {
			res, err := Run(c, Options{Level: "L2", MaxStates: 3, Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			if res.Sides[Fine].Complete || !res.Sides[Coarse].Complete {
				break
			}
			walks = append(walks, res.Walks)
		}
		switch {
		case len(walks) < 2:
		case walks[0] != walks[1] || walks[0] == 0:
			t.Fatalf("%v walks", walks)
		default:
			return
		}
	}
	t.Fatal("no system is too large for three states")
}

// ended returns the observations of at most n labels after which m can end: in a state that silent
// steps lead to.
func (m *maze) ended(k uint8, n int, ends func(k uint8) bool) map[string]bool {
	out := map[string]bool{}
	reach := []uint8{k}
	for at := 0; at < len(reach); at++ {
		s := reach[at]
		if ends(s) {
			out[""] = true
		}
		for _, a := range m.out[s] {
			l := m.label(s, a.instance)
			switch {
			case l == "" && !slices.Contains(reach, a.to):
				reach = append(reach, a.to)
			case l != "" && n > 0:
				for w := range m.ended(a.to, n-1, ends) {
					out[l+w] = true
				}
			}
		}
	}
	return out
}

// dead reports whether no instance is enabled in a state.
func (m *maze) dead(k uint8) bool { return len(m.out[k]) == 0 }

// fairInstances are weakly fair in random systems.
var fairInstances = []bool{true, false, true, true, false, false}

// trapped reports whether a state lies in a set of states without an eye that a fair behaviour need
// not leave, and that can be reached without an eye. It tries all sets.
func (m *maze) trapped(k uint8) bool {
	blind := map[uint8]bool{}
	if m.eyes[0] == 0 {
		blind = m.within(0, func(x uint8) bool { return m.eyes[x] == 0 })
	}
	for set := range 1 << len(m.out) {
		in := func(x uint8) bool { return set>>x&1 != 0 && blind[x] }
		if in(k) && m.stays(in) {
			return true
		}
	}
	return false
}

// within returns the states of a set that can be reached in it.
func (m *maze) within(from uint8, in func(uint8) bool) map[uint8]bool {
	seen := map[uint8]bool{from: true}
	for list := []uint8{from}; len(list) > 0; list = list[1:] {
		for _, a := range m.out[list[0]] {
			if in(a.to) && !seen[a.to] {
				seen[a.to] = true
				list = append(list, a.to)
			}
		}
	}
	return seen
}

// stays reports whether a fair behaviour can go through all states of a set for ever. Each reaches
// each. Each fair instance is taken in the set, or somewhere in it cannot change the state.
func (m *maze) stays(in func(uint8) bool) bool {
	var all []uint8
	for k := range uint8(len(m.out)) {
		if in(k) {
			all = append(all, k)
		}
	}
	for _, k := range all {
		if len(m.within(k, in)) != len(all) {
			return false
		}
	}
	for i, fair := range fairInstances {
		enabled, taken := 0, false
		for _, k := range all {
			for _, a := range m.out[k] {
				if a.instance == i && a.to != k {
					enabled++
					taken = taken || in(a.to)
				}
			}
		}
		if fair && enabled == len(all) && !taken {
			return false
		}
	}
	return len(all) > 0
}

// TestEndings compares deadlocks and a liveness property with the enumeration of all observations
// after which a random system can end.
func TestEndings(t *testing.T) {
	t.Parallel()
	const length = 4
	r := rand.New(rand.NewPCG(7, 4))
	counts := map[string]int{}
	for round := range 6000 {
		fine := randomMaze(r)
		coarse := fine.mutated(r)
		c := comparison(fine, coarse)
		c.Deadlock = round%2 == 0
		kind, ends := Deadlock, (*maze).dead
		for side := range c.Sides {
			if spec := c.Sides[side].Spec; !c.Deadlock {
				kind, ends = Liveness, (*maze).trapped
				spec.Liveness = []checker.Temporal[point]{{Property: checker.Property{ID: "P"}, Fair: fairInstances,
					To: func(n *point) bool { return n.Eye == 1 }}}
			}
		}
		res, err := Run(c, Options{Level: "L2"})
		if err != nil || res.Level != "L2" || len(res.Endings) != 1 || res.Endings[0].Kind != kind {
			t.Fatalf("round %d: %+v, %v", round, res, err)
		}
		for side, m := range []*maze{fine, coarse} {
			n := int64(0)
			for k := range m.within(0, func(uint8) bool { return true }) {
				if ends(m, k) {
					n++
				}
			}
			if n != res.Endings[0].States[side] {
				t.Fatalf("round %d, side %d: %s in %d states, want %d\n%+v", round, side, kind, res.Endings[0].States[side], n, m)
			}
		}
		sides := [2]*maze{fine, coarse}
		for side, got := range []Answer{res.L2.NoMissed, res.L2.NoFalse} {
			a, b := sides[side], sides[1-side]
			theirs, lacking := b.ended(0, length, func(k uint8) bool { return ends(b, k) }), false
			for w := range a.ended(0, length, func(k uint8) bool { return ends(a, k) }) {
				lacking = lacking || !theirs[w]
			}
			found := false
			for _, d := range res.Differences {
				if d.Side != side || d.Ending == "" {
					continue
				}
				found = true
				at := d.Trace.Init.At
				for _, s := range d.Trace.Steps {
					at = s.Node.At
				}
				if d.Ending != kind || !ends(a, at) {
					t.Fatalf("round %d: the witness does not end so: %+v", round, d)
				}
			}
			words := b.words(0, length)
			observed := true // all observations of a are ones of b
			for w := range a.words(0, length) {
				observed = observed && words[w]
			}
			if lacking && (got != No || observed && !found) || !lacking && observed && found && len(a.out) <= 3 {
				t.Fatalf("round %d, side %d: %s is lacking: %t, got %s, %+v\n%+v\n%+v", round, side, kind, lacking, got, res.Differences, a, b)
			}
			counts[fmt.Sprintf("%s %d %t", kind, side, found)]++
		}
	}
	for _, k := range []string{"deadlock 0 true", "deadlock 1 true", "liveness 0 true", "liveness 1 true", "deadlock 0 false", "liveness 1 false"} {
		if counts[k] < 25 {
			t.Errorf("answers %v are not mixed enough", counts)
			break
		}
	}
}

// missedWords returns the observations of a of exactly n labels that b can follow up to the last
// one and not in it.
func missedWords(a, b *maze, n int) (out []string) {
	for w := range a.words(0, n) {
		var labels []string // a letter, and a digit after a and b
		for _, c := range w {
			if c == '0' || c == '1' {
				labels[len(labels)-1] += string(c)
			} else {
				labels = append(labels, string(c))
			}
		}
		if len(labels) == n && !b.has(labels) && b.has(labels[:n-1]) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// TestSequences: two coarse systems have the same digests of missed sequences if and only if the
// enumeration of these up to a length has the same ones. Digests tell the lengths that differ.
func TestSequences(t *testing.T) {
	t.Parallel()
	const length = 4
	r := rand.New(rand.NewPCG(7, 5))
	digest := func(fine, coarse *maze) string {
		res, err := Run(comparison(fine, coarse), Options{Level: "L2"})
		if err != nil {
			t.Fatal(err)
		}
		run := &run[point]{c: comparison(fine, coarse), labels: newLabels(), looks: newLooks(0), opt: Options{Level: "L2"}}
		run.expanding.Store(-1)
		if _, err := run.compare(); err != nil {
			t.Fatal(err)
		}
		all := run.residual(run.reduced[Fine], run.reduced[Coarse]).digest(func(uint64) bool { return true })
		for _, d := range res.Differences {
			if d.Side == Fine && d.Sequences == "" || d.Side == Coarse && d.Sequences != "" {
				t.Fatalf("the difference has the sequences %q: %+v", d.Sequences, d)
			}
		}
		return all
	}
	same, other := 0, 0
	for round := range 400 {
		fine := randomMaze(r)
		one := fine.mutated(r)
		two := one.mutated(r)
		a, b := digest(fine, one), digest(fine, two)
		alike := true
		for n := 1; n <= length; n++ {
			x, y := missedWords(fine, one, n), missedWords(fine, two, n)
			equal := slices.Equal(x, y)
			alike = alike && equal
			if at := 7 + n; (a[at] == '0') != (len(x) == 0) || equal && a[at] != b[at] {
				t.Fatalf("round %d: length %d: %v and %v have the digests %s and %s", round, n, x, y, a, b)
			}
		}
		switch {
		case !alike && a == b:
			t.Fatalf("round %d: other sequences have the same digest %s", round, a)
		case !alike:
			other++
		case a[8:8+length] != b[8:8+length]:
			t.Fatalf("round %d: %s and %s", round, a, b)
		case a == b:
			same++
		}
	}
	if same < 20 || other < 20 {
		t.Errorf("%d are alike, %d are not", same, other)
	}
}

// TestMemoryFull: a result that memory ended says so, and does not blame the number of states.
func TestMemoryFull(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 4))
	fine := randomMaze(r)
	for {
		res, err := Run(comparison(fine, fine), Options{Level: "L2", MaxStates: 1})
		if err != nil {
			t.Fatal(err)
		}
		if res.Reason != "" {
			break // it has more than one state
		}
		fine = randomMaze(r)
	}
	for _, c := range []struct {
		opt    Options
		reason string
	}{
		{Options{Level: "L2", Memory: 1}, MemoryFull},
		{Options{Level: "L2", MaxStates: 1}, "there are too many states"},
		{Options{Level: "L2", Memory: 1 << 40}, ""},
	} {
		res, err := Run(comparison(fine, fine), c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(res.Reason, c.reason) || c.reason == "" && res.Reason != "" {
			t.Errorf("%+v: the reason is %q, not %q", c.opt, res.Reason, c.reason)
		}
	}
}

// TestNoMemoryLeft: a comparison ends undecided before a machine has no memory left.
func TestNoMemoryLeft(t *testing.T) {
	defer host.ForTestsMemory(func() (left, total int64) { return 1, 1000 })()
	fine := randomMaze(rand.New(rand.NewPCG(7, 4)))
	res, err := Run(comparison(fine, fine), Options{Level: "L2"})
	if err != nil || !strings.HasPrefix(res.Reason, host.NoMemory) || res.Sides[Fine].Complete {
		t.Errorf("%v, %q, %+v", err, res.Reason, res.Sides)
	}
}
