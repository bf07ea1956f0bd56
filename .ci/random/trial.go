package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// trial compares the runs of one specification with the oracle.
type trial struct {
	b      *bench
	s      *oracle.Spec
	m      *oracle.Machine
	r      *rand.Rand
	dir    string
	wrong  []disagreement
	number int // of the specification
	// portable says that the build tag portable is tried, too: it builds another program.
	portable bool
	runs     int
	notes    map[string]int // what the trials had, for the summary
	graphs   map[string]*oracle.Graph
}

// disagreement is a run that does not agree with the oracle.
type disagreement struct {
	Command string // that repeats it in the folder of the specification
	What    string
}

// kindCodes are the exit codes of violations.
var kindCodes = map[string]int{"deadlock": 11, oracle.State: 12, oracle.Step: 13, "liveness": 13, oracle.Assert: 14}

// all runs every case.
func (t *trial) all() error {
	if err := write(t.s, t.dir); err != nil {
		return err
	}
	t.safety("main.hcl", t.choice(false, oracle.State, oracle.Step, oracle.Assert))
	t.resumed(t.choice(false, oracle.State, oracle.Step, oracle.Assert))
	if len(t.s.Constraints) > 0 {
		t.bounded(t.choice(true, oracle.State, oracle.Step, oracle.Assert))
	}
	t.reductions(t.choice(false, oracle.State, oracle.Assert))
	t.live()
	t.walks(t.choice(false, oracle.State, oracle.Step, oracle.Assert))
	t.preservation()
	return nil
}

// search is that of the oracle, once for each choice.
func (t *trial) search(c oracle.Choice) *oracle.Graph {
	key := fmt.Sprint(c)
	if t.graphs[key] == nil {
		t.graphs[key] = t.m.Search(c)
	}
	return t.graphs[key]
}

// choice selects the properties of some kinds.
func (t *trial) choice(constrained bool, kinds ...string) oracle.Choice {
	c := oracle.Choice{Deadlock: t.s.Deadlock}
	for k, p := range t.s.Properties {
		if slices.Contains(kinds, p.Kind) {
			c.Properties = append(c.Properties, k)
		}
	}
	if constrained {
		for k := range t.s.Constraints {
			c.Constraints = append(c.Constraints, k)
		}
	}
	return c
}

// run runs the command and counts.
func (t *trial) run(args ...string) *result { return t.runWith(nil, 0, args...) }

func (t *trial) runWith(environ []string, kill time.Duration, args ...string) *result {
	t.runs++
	before := t.b.spent()
	r := t.b.run(t.dir, environ, kill, args...)
	if t.b.trace != nil {
		t.b.trace(fmt.Sprintf("multigrain %s    # exit code %d, %.1f processor seconds", strings.Join(args, " "), r.code, (t.b.spent() - before).Seconds()))
	}
	return r
}

// fail notes a disagreement.
func (t *trial) fail(args []string, format string, values ...any) {
	t.wrong = append(t.wrong, disagreement{"multigrain " + strings.Join(args, " "), fmt.Sprintf(format, values...)})
}

// safety compares the options that must not change a result, with a search that ends after the first
// violation and with one that never ends.
func (t *trial) safety(manifest string, c oracle.Choice) {
	g := t.search(c)
	if len(g.Found) == 0 {
		t.notes["specifications that hold"]++
	}
	options := [][]string{{"-workers", "1"}, {"-workers", "2"}, {"-fingerprint", "96", "-workers", "2"}, {"-mem", "2MiB", "-workers", "2"}}
	for k, o := range options {
		args := append([]string{"check", manifest, "-traces", "traces"}, o...)
		if k < 2 || t.r.IntN(2) == 0 {
			t.first(g, c, args)
		}
		if args = append(args, "-stop", "never"); k < 2 || t.r.IntN(2) == 0 {
			t.whole(g, c, args)
		}
	}
	if t.portable {
		args := []string{"check", manifest, "-traces", "traces", "-stop", "never"}
		r := t.runWith([]string{"GOFLAGS=-tags=portable"}, 0, args...)
		t.compareWhole(g, c, append([]string{"GOFLAGS=-tags=portable"}, args...), r)
	}
}

// bounded compares searches with state constraints.
func (t *trial) bounded(c oracle.Choice) {
	g := t.search(c)
	t.first(g, c, []string{"check", "bounded.hcl", "-traces", "traces"})
	t.whole(g, c, []string{"check", "bounded.hcl", "-traces", "traces", "-stop", "never"})
}

// first compares a search that ends after the first level with a violation.
func (t *trial) first(g *oracle.Graph, c oracle.Choice, args []string) {
	r := t.run(args...)
	f, at, levels := g.First()
	want := 0
	if f != nil {
		want = kindCodes[t.kind(f.Property)]
	}
	if r.code != want {
		t.fail(args, "exit code %d and not %d: %s", r.code, want, r.problem())
		return
	}
	if got := (oracle.Total{Distinct: r.Distinct, Generated: r.Generated}); got != at {
		t.fail(args, "distinct and generated %v, oracle %v", got, at)
	}
	if len(r.Levels) != levels {
		t.fail(args, "%d levels, oracle %d", len(r.Levels), levels)
	}
	switch {
	case f == nil && len(r.Violations) > 0:
		t.fail(args, "violated, oracle holds")
	case f != nil && (len(r.Violations) != 1 || t.property(&r.Violations[0]) != f.Property || r.Violations[0].Depth != f.Depth):
		t.fail(args, "violations %+v, oracle %s after %d steps", r.Violations, t.name(f.Property), f.Depth)
	}
	t.traces(r, c, args)
}

// whole compares a search that explores everything.
func (t *trial) whole(g *oracle.Graph, c oracle.Choice, args []string) {
	t.compareWhole(g, c, args, t.run(args...))
}

func (t *trial) compareWhole(g *oracle.Graph, c oracle.Choice, args []string, r *result) {
	if !t.verdict(g, args, r) {
		return
	}
	got, at := oracle.Total{Distinct: r.Distinct, Generated: r.Generated}, g.Totals[len(g.Totals)-1]
	if got != at {
		t.fail(args, "distinct and generated %v, oracle %v", got, at)
	}
	if !slices.Equal(r.Levels, g.Levels) || r.Depth != len(g.Levels)-1 {
		t.fail(args, "depth %d, levels %v, oracle %v", r.Depth, r.Levels, g.Levels)
	}
	taken := g.Taken()
	for _, a := range r.Actions {
		k := slices.IndexFunc(t.s.Actions, func(x oracle.Action) bool { return x.Name == a.Name })
		if k < 0 || a.Enabled != taken[k] || a.Fired != taken[k] {
			t.fail(args, "%s is enabled %d times and fires %d times, oracle %v", a.Name, a.Enabled, a.Fired, taken)
		}
	}
	for _, f := range g.Found {
		count, depth := t.found(r, f.Property)
		if count != f.Count || depth != f.Depth {
			t.fail(args, "%s is violated %d times, first after %d steps; oracle %d times, after %d", t.name(f.Property), count, depth, f.Count, f.Depth)
		}
	}
	t.traces(r, c, args)
}

// verdict compares the exit code and the set of violated properties of a search that explores
// everything.
func (t *trial) verdict(g *oracle.Graph, args []string, r *result) bool {
	want := 0
	if len(g.Found) > 0 {
		want = kindCodes[t.kind(g.Found[0].Property)]
	}
	return t.code(args, r, want) && t.violated(g, args, r)
}

// code compares the exit code.
func (t *trial) code(args []string, r *result, want int) bool {
	if r.code != want {
		t.fail(args, "exit code %d and not %d: %s", r.code, want, r.problem())
	}
	return r.code == want
}

// violated compares the set of violated properties.
func (t *trial) violated(g *oracle.Graph, args []string, r *result) bool {
	var mine, theirs []string
	for _, f := range g.Found {
		mine = append(mine, t.name(f.Property))
	}
	for k := range r.Violations {
		if v := &r.Violations[k]; v.Kind != "liveness" {
			theirs = append(theirs, t.name(t.property(v)))
		}
	}
	slices.Sort(mine)
	slices.Sort(theirs)
	if theirs = slices.Compact(theirs); !slices.Equal(mine, theirs) {
		t.fail(args, "%v are violated, oracle %v", theirs, mine)
		return false
	}
	return true
}

// found sums the groups of a property.
func (t *trial) found(r *result, property int) (count, depth int) {
	depth = -1
	for k := range r.Violations {
		if v := &r.Violations[k]; v.Kind != "liveness" && t.property(v) == property {
			count += v.Count
			if depth < 0 || v.Depth < depth {
				depth = v.Depth
			}
		}
	}
	return count, depth
}

func (t *trial) property(v *violation) int {
	return slices.IndexFunc(t.s.Properties, func(p oracle.Property) bool { return p.ID == v.Invariant })
}

func (t *trial) name(property int) string {
	if property == oracle.Deadlock {
		return "deadlock"
	}
	return t.s.Properties[property].ID
}

func (t *trial) kind(property int) string {
	if property == oracle.Deadlock {
		return "deadlock"
	}
	return t.s.Properties[property].Kind
}

// traces replays all counterexamples of safety properties.
func (t *trial) traces(r *result, c oracle.Choice, args []string) {
	for k := range r.Violations {
		v := &r.Violations[k]
		if v.Kind == "liveness" || v.Trace == "" {
			continue
		}
		trace, err := t.read(v.Trace)
		if err == nil && len(trace.States) != v.Depth+1 {
			err = fmt.Errorf("%d steps, the result says %d", len(trace.States)-1, v.Depth)
		}
		if err == nil {
			err = t.m.Violates(trace, t.property(v), c.Constraints)
		}
		if err != nil {
			t.fail(args, "counterexample of %s: %v", t.name(t.property(v)), err)
		}
	}
}

func (t *trial) read(path string) (*oracle.Trace, error) {
	text, err := os.ReadFile(filepath.Join(t.dir, path))
	if err != nil {
		return nil, err
	}
	return oracle.ReadTrace(text)
}
