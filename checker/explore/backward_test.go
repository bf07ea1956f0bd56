package explore_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/modules"
)

// clearestOf goes through all shortest counterexamples of a violation, in all orders of all steps.
// They end in a node, or in a step, that breaks the invariant and was not there before. It says how
// many changes of servers the one with the fewest has, and how many of all among these. The last
// action is the violation's, unless any will do.
func clearestOf[T comparable](spec *checker.Spec[T], v *checker.Violation[T], any bool) (servers, all int) {
	type at struct {
		node         T
		server, last int // of the last step that has one, and of the last step
	}
	type cost [2]int
	worst := cost{1000, 1000}
	less := func(a, b cost) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }
	rep := func(n T) T { var r T; return *spec.Representative(&n, &r) }
	raised := func(n *T) (bool, uint64) {
		if spec.Raised == nil {
			return false, 0
		}
		return spec.Raised(n)
	}
	stored := func(n *T) bool {
		end, _ := raised(n)
		return !end && (spec.Within == nil || spec.Within(n))
	}
	first := map[at]cost{}
	depth := map[T]int{}
	var level []T
	take := func(n T, d int) {
		if _, ok := depth[rep(n)]; stored(&n) && !ok {
			depth[rep(n)] = d
			level = append(level, n)
		}
	}
	spec.Init(func(n *T) bool {
		if stored(n) {
			first[at{*n, -1, -2}] = cost{}
		}
		take(*n, 0)
		return true
	})
	for d := 1; d <= v.Depth; d++ {
		before := level
		level = nil
		for _, s := range before {
			for k := range spec.Instances {
				if spec.Enabled(&s, k) {
					n := s
					spec.Apply(&s, &n, k)
					take(n, d)
				}
			}
		}
	}
	step := func(a at, c cost, k int) (at, cost) {
		b := at{server: a.server, last: spec.Instances[k].Server}
		if b.last >= 0 {
			if a.server >= 0 && a.server != b.last {
				c[0]++
			}
			b.server = b.last
		}
		if a.last != -2 && a.last != b.last {
			c[1]++
		}
		return b, c
	}
	best, mask, now := worst, uint64(1)<<max(v.Invariant, 0), first
	length := v.Depth
	if v.Invariant >= 0 {
		length--
	}
	for d := range length {
		next := map[at]cost{}
		for a, c := range now {
			for k := range spec.Instances {
				if !spec.Enabled(&a.node, k) {
					continue
				}
				b, c := step(a, c, k)
				b.node = a.node
				spec.Apply(&a.node, &b.node, k)
				if !stored(&b.node) || depth[rep(b.node)] != d+1 {
					continue
				}
				if old, ok := next[b]; !ok || less(c, old) {
					next[b] = c
				}
			}
		}
		now = next
	}
	action := -1
	if v.Depth > 0 {
		action = spec.Instances[v.Trace.Steps[v.Depth-1].Instance].Action
	}
	for a, c := range now {
		enabled := 0
		for k := range spec.Instances {
			if !spec.Enabled(&a.node, k) {
				continue
			}
			enabled++
			_, c := step(a, c, k)
			n := a.node
			spec.Apply(&a.node, &n, k)
			broken := uint64(0)
			if end, by := raised(&n); end {
				broken = by
			} else {
				if spec.Steps != nil {
					broken = spec.Steps(&a.node, &n, k)
				}
				if d, ok := depth[rep(n)]; !stored(&n) || ok && d == v.Depth {
					broken |= spec.State(&n)
				}
			}
			if v.Invariant >= 0 && broken&mask != 0 && (any || spec.Instances[k].Action == action) && less(c, best) {
				best = c
			}
		}
		if v.Invariant < 0 && enabled == 0 && less(c, best) {
			best = c
		}
	}
	return best[0], best[1]
}

// clearestModel compares the counterexamples of a model with all shortest ones, and those of
// several workers against those of one. It reports how many there are of each kind, and how many
// have fewer changes of servers than any order of the steps that were logged.
func clearestModel[T comparable](t *testing.T, name string, spec *checker.Spec[T], opt explore.Options, tried map[string]int, fewer *int) {
	t.Helper()
	opt.Workers = 1
	logged := run(t, spec, explore.Small(opt))
	if logged.Reason != "" {
		return
	}
	got := clearest(t, spec, explore.Small(opt))
	if len(got.Violations) != len(logged.Violations) {
		t.Fatalf("%s: %d violations, want %d", name, len(got.Violations), len(logged.Violations))
	}
	for k := range got.Violations {
		v, was := &got.Violations[k], &logged.Violations[k]
		if v.Invariant != was.Invariant || v.Depth != was.Depth || v.At != was.At || opt.Stop != 1 && v.Count != was.Count {
			t.Errorf("%s: violation %+v, want %+v", name, v, was)
		}
		if v.Depth == 0 || v.Depth > 9 {
			continue
		}
		tried[v.Kind]++
		servers, all := switches(spec, instancesOf(&v.Trace))
		if x, y := clearestOf(spec, v, opt.Stop == 1); x != servers || y != all {
			t.Errorf("%s: %v, %s, has %d changes of servers, %d of all, and %d, %d do", name, instancesOf(&v.Trace), v.Kind, servers, all, x, y)
		}
		if x, _ := switches(spec, instancesOf(&was.Trace)); servers < x {
			*fewer++
		}
	}
	for _, workers := range []int{1, 3} {
		opt := explore.Sharing(explore.SpillingAgain(explore.Spilling(explore.Edgeless(explore.Small(opt)))))
		opt.Workers = workers
		more := clearest(t, spec, opt)
		// by which action a node is reached first depends on the order of work
		if opt.Stop != 1 && workers > 1 {
			return
		}
		for k := range more.Violations {
			if a, b := instancesOf(&got.Violations[k].Trace), instancesOf(&more.Violations[k].Trace); !slices.Equal(a, b) {
				t.Errorf("%s: with %d workers and without edges %v, with one and edges %v", name, workers, b, a)
			}
		}
	}
}

// TestClearest: no shortest counterexample has fewer changes of the acting server, whatever its
// steps, and it is the same with several workers.
func TestClearest(t *testing.T) {
	t.Parallel()
	fewer, tried := 0, map[string]int{}
	seeds := uint64(60)
	if underRace {
		seeds = 10
	}
	for seed := range seeds {
		opt := explore.Options{Stop: int(seed % 2), Deadlock: seed%4 < 2, MaxStates: 3000}
		name := func(kind string) string { return fmt.Sprintf("seed %d, %s", seed, kind) }
		clearestModel(t, name("random"), model(t, seed), opt, tried, &fewer)
		composed, prints := spareable(t, seed)
		spared := orderlyNode(t, composed)
		if err := reduce.Prune(composed, spared, prints, true); err != nil {
			t.Fatal(err)
		}
		clearestModel(t, name("with footprints"), spared, opt, tried, &fewer)
		ghosts := randomModel(t, &random{Rand: rand.New(rand.NewPCG(seed, 99)), ghosts: true})
		if err := reduce.Slice(ghosts, []string{"Ghost"}); err != nil {
			t.Fatal(err)
		}
		clearestModel(t, name("sliced"), ghosts, opt, tried, &fewer)
		clearestModel(t, name("desks"), desksSpec(t, seed), opt, tried, &fewer)
		if seed < 20 {
			symmetric := herdModel(t, seed)
			if _, err := reduce.BySymmetry(symmetric, hosts, nil); err != nil {
				t.Fatal(err)
			}
			clearestModel(t, name("symmetric"), symmetric, opt, tried, &fewer)
		}
		if seed < broadSeeds() { // of more than one word, which tell causes apart
			composed, prints := broadly(seed)
			clearestModel(t, name("large"), broadOf(t, composed, &prints), opt, tried, &fewer)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%v traces, %d of them have fewer changes than any order of the steps that were logged", tried, fewer)
	if !underRace && (fewer < 20 || len(tried) < 4) {
		t.Error("the models do not exercise what they are made for")
	}
}

// TestEdges finds the nodes that lead to violations from the edges and by expanding all nodes. Both
// sets must be equal, also where steps are left out.
func TestEdges(t *testing.T) {
	t.Parallel()
	var tried, leading, left, saved int64
	seeds := uint64(400)
	if underRace {
		seeds = 40
	}
	for seed := range seeds {
		opt := explore.Small(explore.Options{Stop: int(seed % 2), Deadlock: seed%4 < 2, MaxStates: 20_000, Workers: 1 + int(seed%3)})
		if seed < 20 { // checkpoints are written in the midst of levels
			opt.Interval = 20 * time.Microsecond
		}
		edgesModel(t, fmt.Sprintf("seed %d, desks", seed), desksSpec(t, seed), opt, &tried, &leading, new(int64), &saved)
		edgesModel(t, fmt.Sprintf("seed %d, random", seed), model(t, seed), opt, &tried, &leading, new(int64), &saved)
		composed, prints := spareable(t, seed)
		most, all := 4+int(seed%11), modules.Footprint{Name: "I0", Guard: []modules.Access{{Variable: "V", Index: []string{"*"}}}}
		composed.Invariants[0].State = func(s *cells) bool {
			sum := 0
			for _, v := range s.V {
				sum += int(v)
			}
			return sum < most
		}
		prints.Seen = slices.Clone(prints.Seen)
		prints.Seen[0] = all
		spared := orderlyNode(t, composed)
		if err := reduce.Prune(composed, spared, prints, true); err != nil {
			t.Fatal(err)
		}
		edgesModel(t, fmt.Sprintf("seed %d, with footprints", seed), spared, opt, &tried, &leading, &left, &saved)
		if seed < broadSeeds() {
			composed, prints := broadly(seed)
			edgesModel(t, fmt.Sprintf("seed %d, large", seed), broadOf(t, composed, &prints), opt, &tried, &leading, &left, &saved)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d models, %d nodes that lead to violations, %d steps left out, %d checkpoints", tried, leading, left, saved)
	if !underRace && (tried < 300 || left < 10_000 || saved == 0) {
		t.Error("the models do not exercise what they are made for")
	}
}

func edgesModel[T any](t *testing.T, name string, spec *checker.Spec[T], opt explore.Options, tried, leading, left, saved *int64) {
	t.Helper()
	if opt.Interval > 0 {
		opt.Checkpoint = t.TempDir()
	}
	near, far, omitted, written, ok, err := explore.BackwardSets(spec, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return
	}
	*tried++
	*left, *saved = *left+omitted, *saved+written
	for level := range far {
		*leading += int64(len(far[level]))
		if !maps.Equal(near[level], far[level]) {
			t.Errorf("%s: at distance %d edges tell of %d nodes, all nodes of %d", name, level, len(near[level]), len(far[level]))
		}
	}
}
