package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// Exit codes of the command.
const (
	exitBroken    = 10
	exitUndecided = 20
	exitInvalid   = 150
)

// resumed ends a run by limits of states and by SIGKILL, and continues it from its checkpoints.
func (t *trial) resumed(c oracle.Choice) {
	g := t.search(c)
	os.RemoveAll(filepath.Join(t.dir, "kept"))
	args := []string{"check", "main.hcl", "-traces", "traces", "-stop", "never", "-checkpoint", "kept"}
	for limit, k := 0, 0; k < 3; k++ {
		limit += 1 + t.r.IntN(1+len(g.States)/2)
		limited := append(slices.Clone(args), "-max-states", fmt.Sprint(limit))
		r := t.run(limited...)
		if r.code == exitUndecided && len(r.Violations) > 0 || r.code != exitUndecided && len(r.Levels) < len(g.Levels) && len(r.Violations) == 0 {
			t.fail(limited, "exit code %d with %d violations after %d of %d levels", r.code, len(r.Violations), len(r.Levels), len(g.Levels))
		}
		for k := range r.Violations {
			if t.missing(g, &r.Violations[k]) {
				t.fail(limited, "%s is violated, oracle holds", r.Violations[k].Invariant)
			}
		}
		args = t.next(args)
	}
	for range 2 {
		kill := time.Duration(30+t.r.IntN(250)) * time.Millisecond
		t.runWith(nil, kill, append(slices.Clone(args), "-checkpoint-interval", "1ms")...)
		args = t.next(args)
	}
	t.whole(g, c, args)
}

// next returns the arguments of a run that continues where there is a checkpoint.
func (t *trial) next(args []string) []string {
	at := "-checkpoint"
	if _, err := os.Stat(filepath.Join(t.dir, "kept", "checkpoint")); err == nil {
		at = "-resume"
		t.notes["runs that continued"]++
	}
	out := slices.Clone(args)
	for k := range out {
		if out[k] == "-checkpoint" || out[k] == "-resume" {
			out[k] = at
		}
	}
	return out
}

func (t *trial) missing(g *oracle.Graph, v *violation) bool {
	return !slices.ContainsFunc(g.Found, func(f oracle.Finding) bool { return f.Property == t.property(v) })
}

// reductions compares what reductions promise: the verdict and the violated properties, never more
// states; with variables left out also the lengths, and with symmetry the states up to permutations.
func (t *trial) reductions(c oracle.Choice) {
	g := t.search(c)
	slice := []string{"check", "reduced.hcl", "-traces", "traces", "-stop", "never", "-slice"}
	t.reduced(g, c, slice, t.run(slice...), true)
	por := []string{"check", "reduced.hcl", "-traces", "traces", "-stop", "never", "-por"}
	t.reduced(g, c, por, t.run(por...), false)
	por = append(por, "-slice")
	t.reduced(g, c, por, t.run(por...), false)

	args := []string{"check", "reduced.hcl", "-traces", "traces", "-stop", "never", "-symmetry"}
	r := t.run(args...)
	if r.code == exitInvalid && r.refused("MG220") {
		t.notes["symmetry refused"]++
		return
	}
	t.notes["symmetry"]++
	if !g.Alike() {
		t.fail(args, "symmetry is accepted, and the nodes are not alike")
		return
	}
	c.Symmetric = true
	up := t.search(c)
	t.compareWhole(up, c, args, r)
	c.Symmetric = false
	args = append(args, "-slice")
	t.reduced(g, c, args, t.run(args...), true)
}

// reduced compares a run with fewer states.
func (t *trial) reduced(g *oracle.Graph, c oracle.Choice, args []string, r *result, lengths bool) {
	if len(g.Found) == 0 && !t.code(args, r, 0) {
		return
	}
	if len(g.Found) > 0 && lengths && !t.code(args, r, kindCodes[t.kind(g.Found[0].Property)]) {
		return
	}
	if r.code >= exitInvalid || r.code == exitUndecided {
		t.fail(args, "%s", r.problem())
		return
	}
	if !t.violated(g, args, r) {
		return
	}
	if r.Distinct > len(g.States) {
		t.fail(args, "%d states, oracle %d without the reduction", r.Distinct, len(g.States))
	}
	if r.Distinct < len(g.States) {
		t.notes["runs with fewer states"]++
	}
	for _, f := range g.Found {
		_, depth := t.found(r, f.Property)
		if lengths && depth != f.Depth || depth < f.Depth {
			t.fail(args, "%s is violated after %d steps, oracle %d", t.name(f.Property), depth, f.Depth)
		}
	}
	t.traces(r, c, args)
}

// live compares liveness properties.
func (t *trial) live() {
	c := t.choice(false, oracle.State, oracle.Step, oracle.Assert)
	g := t.search(c)
	args := []string{"check", "live.hcl", "-traces", "traces", "-stop", "never"}
	r := t.run(args...)
	var mine, theirs []string
	for k, l := range t.s.Liveness {
		if g.Live(k) {
			mine = append(mine, l.ID)
		}
	}
	for k := range r.Violations {
		v := &r.Violations[k]
		if v.Kind == "liveness" {
			theirs = append(theirs, v.Invariant)
			t.lasso(v, args)
		}
	}
	t.notes["liveness violated"] += len(mine)
	t.notes["liveness holds"] += len(t.s.Liveness) - len(mine)
	slices.Sort(theirs)
	if theirs = slices.Compact(theirs); !slices.Equal(mine, theirs) {
		t.fail(args, "liveness %v is violated, oracle %v: %s", theirs, mine, r.problem())
	}
	want := 0
	switch {
	case len(g.Found) > 0:
		want = kindCodes[t.kind(g.Found[0].Property)]
	case len(mine) > 0:
		want = kindCodes["liveness"]
	}
	if t.code(args, r, want) {
		t.violated(g, args, r)
	}
}

func (t *trial) lasso(v *violation, args []string) {
	trace, err := t.read(v.Trace)
	k := slices.IndexFunc(t.s.Liveness, func(l oracle.Leads) bool { return l.ID == v.Invariant })
	if err == nil && v.Counterexample.Loop == nil {
		err = fmt.Errorf("it has no loop")
	}
	if err == nil {
		err = t.m.Repeats(trace, *v.Counterexample.Loop, k)
	}
	if err != nil {
		t.fail(args, "counterexample of %s: %v", v.Invariant, err)
	}
}

// strategies of random walks that take steps of the specification only.
var strategies = []string{"weighted", "learned", "guided", "auto", "pct", "delays"}

// walks compares random walks: they find nothing that the oracle does not find.
func (t *trial) walks(c oracle.Choice) {
	g := t.search(c)
	args := []string{"simulate", "main.hcl", "-traces", "traces", "-number", "200", "-depth", "30", "-seed", fmt.Sprint(t.r.IntN(1000)),
		"-strategy", strategies[t.r.IntN(len(strategies))]}
	r := t.run(args...)
	if r.Distinct > len(g.States) {
		t.fail(args, "%d states, oracle %d", r.Distinct, len(g.States))
	}
	if len(r.Violations) == 0 {
		t.code(args, r, 0)
		return
	}
	t.notes["walks that found a violation"]++
	for k := range r.Violations {
		v := &r.Violations[k]
		if t.missing(g, v) {
			t.fail(args, "%s is violated, oracle holds", v.Invariant)
			return
		}
		for _, f := range g.Found {
			if f.Property == t.property(v) && v.Depth < f.Depth {
				t.fail(args, "%s is violated after %d steps, oracle %d", v.Invariant, v.Depth, f.Depth)
			}
		}
	}
	t.code(args, r, kindCodes[t.kind(t.property(&r.Violations[0]))])
	t.traces(r, c, args)
}
