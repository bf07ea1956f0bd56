package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

const (
	chain   = "../../../../configs/examples/chain.hcl"
	phases  = "../../../../configs/examples/phases.hcl"
	mspec3  = "../../../../configs/zab/mspec-3.hcl"
	raftHcl = "../../../../configs/raft/election.hcl"
)

func TestMain(m *testing.M) {
	if os.Getenv("MULTIGRAIN_CACHE") == "" {
		dir, err := os.MkdirTemp("", "multigrain-explorer-*")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		os.Setenv("MULTIGRAIN_CACHE", dir)
	}
	m.Run()
}

// resolved resolves a manifest.
func resolved(t testing.TB, manifest string, vars ...string) *session.Run {
	t.Helper()
	env := &session.Env{Cache: os.Getenv("MULTIGRAIN_CACHE"), Soft: t.Context(), Hard: t.Context(),
		Watch: func(wire.Request) (func(wire.Progress), func()) { return nil, func() {} }}
	var values []configs.Assignment
	for _, v := range vars {
		values = append(values, configs.Assignment{Var: v})
	}
	r := env.Resolve(manifest, values)
	if r.Diagnostics.HasErrors() {
		t.Fatal(r.Diagnostics)
	}
	return r
}

// explored returns an explorer whose programs are built.
func explored(t testing.TB, manifest string, vars ...string) *explorer {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	x := &explorer{engine: newEngine(resolved(t, manifest, vars...), session.Limits{Workers: 1}), ctx: ctx}
	t.Cleanup(func() {
		end()
		x.end()
	})
	if err := x.prepare(ctx, nil); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestWalks compares random walks with the answers for their paths: each step is possible, leads to
// the same state, and is offered as a step before it is taken. What is not offered is refused.
func TestWalks(t *testing.T) {
	for _, manifest := range []string{chain, phases, raftHcl} {
		if manifest == phases && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue // a large program
		}
		x := explored(t, manifest)
		path, diags := x.run.Composition.Assemble(t.Context(), compose.Simulate)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		program := wire.Program{Path: path}
		r, err := program.Run(t.Context(), wire.Request{Verb: "simulate", Choice: x.run.Composition.EncodedChoice(),
			Options: wire.Options{Workers: 1, Seed: 7, Simulate: &wire.Simulate{Number: 1, Depth: 15, Keep: 34}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, walk := range r.Simulation.Kept {
			path := callsOf(walk)
			a, own, err := x.at(place{Path: path})
			if err != nil || a.Halted != nil {
				t.Fatalf("%s: %v, %+v", manifest, err, a)
			}
			if itf.Text(own.Init) != itf.Text(walk.Init) || len(own.Steps) != len(walk.Steps) {
				t.Fatalf("%s: %d steps, want %d", manifest, len(own.Steps), len(walk.Steps))
			}
			for k := range walk.Steps {
				if itf.Text(own.Steps[k].State) != itf.Text(walk.Steps[k].State) {
					t.Fatalf("%s: step %d, %s, leads to another state", manifest, k+1, path[k])
				}
			}
			k := len(path) / 2
			a, _, err = x.at(place{Path: path[:k]})
			if err != nil || k < len(path) && !slices.ContainsFunc(a.Enabled, func(e wire.Enabled) bool { return e.Call == path[k] }) {
				t.Fatalf("%s: step %d, %s, is not offered; %v", manifest, k+1, path[k], err)
			}
		}
		if len(r.Simulation.Kept) != 34 {
			t.Fatalf("%d walks", len(r.Simulation.Kept))
		}
	}
}

// TestRefusals: each action that has no possible step says why, with a place in its sources.
func TestRefusals(t *testing.T) {
	x := explored(t, chain)
	a, _, err := x.at(place{Path: []string{}})
	if err != nil || len(a.Idle) == 0 {
		t.Fatalf("%v, %+v", err, a)
	}
	for _, idle := range a.Idle {
		why, err := x.why(t.Context(), place{Path: []string{}}, idle.Action)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range refusals(why) {
			if g.Place == "" && !strings.Contains(g.Lines[0], "bound") {
				t.Errorf("%s: %v", idle.Action, g)
			}
		}
	}
	crashed := place{Path: []string{"Crash(0)"}}
	why, err := x.why(t.Context(), crashed, "Crash")
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprint(refusals(why))
	if !strings.Contains(all, "the bound crashes = 1 is used up") {
		t.Errorf("a second crash is refused by %s", all)
	}
}

// TestFind: the way to a formula, to an action and to nothing.
func TestFind(t *testing.T) {
	x := explored(t, chain)
	start := place{Path: []string{"CallPut()"}}
	for _, c := range []struct {
		goal  goal
		found bool
	}{
		{goal{Formula: "Alive[0] == false"}, true},
		{goal{Formula: "Puts == 0"}, false},
		{goal{Action: "Serve"}, true},
		{goal{}, false},
	} {
		f, err := x.find(t.Context(), start, c.goal, nil)
		if err != nil || f.Found != c.found || !f.Found && !f.Whole {
			t.Fatalf("%+v: %+v, %v", c.goal, f, err)
		}
		if !f.Found {
			continue
		}
		a, _, err := x.at(place{Path: f.Path})
		if err != nil || a.Halted != nil {
			t.Fatalf("the way to %+v is not possible: %v, %+v", c.goal, err, a)
		}
		if c.goal.Formula != "" {
			if v, err := x.value(place{Path: f.Path}, c.goal.Formula); err != nil || v != "true" {
				t.Errorf("%s is %s, %v", c.goal.Formula, v, err)
			}
		} else if !slices.ContainsFunc(a.Enabled, func(e wire.Enabled) bool { return e.Step.Action == c.goal.Action }) {
			t.Errorf("%s is not possible where it was found", c.goal.Action)
		}
	}
	for _, wrong := range []goal{{Formula: "Nobody == 1"}, {Formula: "Puts =="}, {Action: "Nothing"}, {Formula: "Puts"}} {
		if f, err := x.find(t.Context(), start, wrong, nil); err == nil {
			t.Errorf("%+v: %+v", wrong, f)
		}
	}
}

// TestStop: a search that is stopped ends soon and says so.
func TestStop(t *testing.T) {
	x := explored(t, raftHcl)
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	start := time.Now()
	f, err := x.find(ctx, place{Path: []string{}}, goal{Formula: "false"}, nil)
	if err != nil || f.Found {
		t.Fatalf("%+v, %v", f, err)
	}
	if !f.Whole && f.Reason == "" || time.Since(start) > 20*time.Second {
		t.Errorf("%+v after %s", f, time.Since(start))
	}
}

// posted sends a request to a handler and decodes the answer.
func posted(t *testing.T, h http.Handler, path string, body, into any) int {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "http://127.0.0.1:8080"+path, bytes.NewReader(text))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s: %v in %s", path, err, w.Body)
	}
	return w.Code
}

// TestSaved: a session that is saved as ITF has all branches when it is opened.
func TestSaved(t *testing.T) {
	x := explored(t, chain)
	s, err := newServer(x)
	if err != nil {
		t.Fatal(err)
	}
	h, root := s.Site, s.Root()
	var v view
	for _, path := range [][]string{{"CallPut()", "Crash(0)"}, {"CallGet()"}, {"CallPut()", "CallGet()"}} {
		if code := posted(t, h, root+"look", asked{place: place{Path: path}}, &v); code != 200 || v.Taken != len(path) {
			t.Fatalf("%v: %d, %+v", path, code, v)
		}
	}
	var text string
	posted(t, h, root+"trace", asked{place: place{Path: v.Path}}, &text)
	ends := x.tree.ends()
	if len(ends) != 3 || ends[0].Path[1] != "Crash(I: 0)" {
		t.Fatalf("%+v", ends)
	}
	x.tree = tree{}
	var p place
	if code := posted(t, h, root+"open", asked{Step: -1, Trace: json.RawMessage(text)}, &p); code != 200 || !slices.Equal(p.Path, v.Path) {
		t.Fatalf("%d, %+v", code, p)
	}
	if got := x.tree.ends(); fmt.Sprint(got) != fmt.Sprint(ends) {
		t.Errorf("%+v, want %+v", got, ends)
	}
	var failed struct{ Error string }
	if code := posted(t, h, root+"open", asked{Trace: json.RawMessage(`{"no":"trace"}`)}, &failed); code != 422 || failed.Error == "" {
		t.Errorf("%d, %+v", code, failed)
	}
	if code := posted(t, h, root+"look", asked{place: place{Init: 9}}, &failed); code != 422 || !strings.Contains(failed.Error, "initial state 9") {
		t.Errorf("%d, %+v", code, failed)
	}
}

const buffer = `system "buffer" {
  source = "%s"
}
module "producer" {
  grain = "baseline"
}
module "consumers" {
  grain = "baseline"
}
options {
  fault = "%s"
}
`

// buffered writes a manifest of the system buffer with a fault.
func buffered(t *testing.T, fault string) string {
	t.Helper()
	dir, err := filepath.Abs("../../testdata/spec/buffer")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "buffer.hcl")
	if err := os.WriteFile(path, fmt.Appendf(nil, buffer, dir, fault), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEndless: an effect that does not return is named, and other states are answered afterwards.
func TestEndless(t *testing.T) {
	x := explored(t, buffered(t, "endless"))
	path := []string{"Put()", "Take(0)", "Put()", "Take(1)"} // Rest does not return now
	if _, _, err := x.at(place{Path: path}); err == nil || !strings.Contains(err.Error(), "buffer.go") {
		t.Errorf("%v", err)
	}
	if a, _, err := x.at(place{Path: path[:3]}); err != nil || len(a.Enabled) == 0 {
		t.Errorf("%v, %+v", err, a)
	}
}

// TestAlongside follows a path of the fine composition in the coarse one, and the coarse path in
// the fine one. A path that only one of two compositions has parts at its step, and says why.
func TestAlongside(t *testing.T) {
	const coarse = "../../../../configs/examples/chain-coarse-client.hcl"
	fine := explored(t, chain)
	fine.beside = explored(t, coarse).engine
	put := []string{"CallPut()", "SendPut()", "TakePut(I: 0)", "Pass(I: 0)"}
	p, err := fine.parted(t.Context(), place{Path: put})
	if err != nil || p.Step != 0 || fmt.Sprint(p.Bridged, p.Alone) != "[Put()] [CallPut() SendPut()]" || len(p.Differs) != 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	if p.Says != "does the same" {
		t.Errorf("it %s", p.Says)
	}
	// Where a path ends within a coarse step, the steps that both have are possible, and no
	// behaviour has the values.
	if p, err := fine.parted(t.Context(), place{Path: put[:1]}); err != nil || p.Step != 1 || p.Call != "CallPut()" || p.Limited ||
		!strings.HasPrefix(p.Says, "takes the steps that both have, and parts at step 1, CallPut()") || len(p.Differs) == 0 {
		t.Errorf("%+v, %v", p, err)
	}
	// The end of a coarse step has them, although the behaviour that takes no step is shorter.
	if p, err := fine.parted(t.Context(), place{Path: put[:2]}); err != nil || p.Step != 0 || p.Says != "does the same" || !slices.Equal(p.Taken, []string{"Put()"}) {
		t.Errorf("%+v, %v", p, err)
	}
	back := &explorer{engine: fine.beside, beside: fine.engine, ctx: t.Context()}
	if p, err := back.parted(t.Context(), place{Path: p.Taken}); err != nil || p.Step != 0 || !slices.Equal(p.Taken, put) {
		t.Errorf("%+v, %v", p, err)
	}
	// With no crash allowed, the second composition parts at the crash.
	calm := explored(t, chain, "crashes=0")
	fine.beside = calm.engine
	p, err = fine.parted(t.Context(), place{Path: []string{"CallPut()", "Crash(I: 1)", "SendPut()"}})
	if err != nil || p.Step != 2 || p.Call != "Crash(I: 1)" || p.Limited || !strings.HasPrefix(p.Says, "parts at step 2, Crash(I: 1)") || !strings.Contains(fmt.Sprint(p.Why), "crashes = 0") {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestEdit types lines as at a terminal, with completion, history and a key that stops a search.
func TestEdit(t *testing.T) {
	x := explored(t, buffered(t, "none"))
	c := &talk{explorer: x, out: io.Discard, here: place{Path: []string{}}}
	if err := c.show(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	typed := "do P\t\r" + "why not Re\t\r" + "Ma\t + 1\r" + "\x1b[A\r" + "nonsense(\r" + "quit\r"
	if err := c.edit(strings.NewReader(typed), &out, 200); err != nil {
		t.Fatal(err)
	}
	if len(c.here.Path) != 1 || c.here.Path[0] != "Put()" {
		t.Errorf("the path is %v", c.here.Path)
	}
	for _, want := range []string{"why not Rest\r\n", "s.Moods[p.I] == Full is false", "Made + 1\r\n2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%q", want, out.String())
		}
	}
	if n := strings.Count(out.String(), "\r\n2\r\n"); n != 2 {
		t.Errorf("the value is printed %d times, want it again from the history", n)
	}
}
