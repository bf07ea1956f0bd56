package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/modules"
)

// place is the end of a path: an initial state, from 0, and the calls that follow.
type place struct {
	Init int      `json:"init"`
	Path []string `json:"path"`
}

// key identifies the first n steps of a place.
func (p place) key(n int) string {
	return fmt.Sprint(p.Init) + "\x00" + strings.Join(p.Path[:n], "\x00")
}

// engine runs the programs of one composition.
type engine struct {
	run    *session.Run
	name   string // of a side of a comparison; "": that of the manifest
	known  narrate.Known
	owners map[string]string // variables: the module that writes each
	limits session.Limits    // of searches

	mu      sync.Mutex
	stage   string // what is done before the programs answer; "" once they do
	since   time.Time
	failed  string // why there is no program, in words for people; "" where there may be one
	program string
	steps   *asker
	reasons *asker        // nil until its program is built
	ready   chan struct{} // closed once steps are answered, or will not be
	whys    chan struct{} // closed once reasons are, or will not be
	whyNot  string        // why there are no reasons

	asking sync.Mutex           // guards what follows
	cache  map[string]wire.Step // states of visited paths, by place.key
	inits  map[int]modules.View // by number
}

// mostCached bounds the states that an engine keeps.
const mostCached = 20_000

func newEngine(r *session.Run, limits session.Limits) *engine {
	return &engine{run: r, known: narrate.KnownOf(r.Composition.Catalog), limits: limits, stage: "waiting", since: host.Now(),
		ready: make(chan struct{}), whys: make(chan struct{}), cache: map[string]wire.Step{}, inits: map[int]modules.View{}}
}

// buildSteps builds the program of steps and searches.
func (e *engine) buildSteps(ctx context.Context) hcl.Diagnostics {
	e.begin("analysing the modules of the composition")
	e.owners = ownersOf(e.run)
	e.begin("building the program of the composition, which is kept for the next time")
	program, interrupted, diags := e.run.Env.Assemble(e.run.Composition.Assembling(compose.Step, compose.Find))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stage, e.program = "finding the first state", program
	switch {
	case interrupted:
		e.failed = session.InterruptedBuild
	case program == "":
		e.failed = diags.Error()
	default:
		e.steps = &asker{program: program, choice: e.run.Composition.EncodedChoice(), ctx: ctx}
	}
	return diags
}

// announce makes the engine answer, or say why it does not.
func (e *engine) announce() {
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-e.ready:
	default:
		e.stage = ""
		close(e.ready)
	}
}

// buildReasons builds the program of refusals.
func (e *engine) buildReasons(ctx context.Context) {
	program, _, diags := e.run.Env.Assemble(e.run.Composition.AssembleExplaining)
	e.mu.Lock()
	defer e.mu.Unlock()
	if program == "" {
		e.whyNot = "the program that explains could not be built"
		if diags.HasErrors() {
			e.whyNot += ": " + diags.Error()
		}
	} else {
		e.reasons = &asker{program: program, choice: e.run.Composition.EncodedChoice(), ctx: ctx}
	}
	close(e.whys)
}

func (e *engine) begin(stage string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stage, e.since = stage, host.Now()
}

// end ends the programs.
func (e *engine) end() {
	e.mu.Lock()
	steps, reasons := e.steps, e.reasons
	e.mu.Unlock()
	for _, a := range []*asker{steps, reasons} {
		if a != nil {
			a.stop()
		}
	}
}

// ownersOf returns the first module that writes each variable. The environment owns what nobody
// else writes.
func ownersOf(r *session.Run) map[string]string {
	out := map[string]string{}
	rep, _ := r.Composition.Interaction()
	if rep == nil {
		return out
	}
	for _, v := range rep.Variables {
		for k, role := range v.Roles {
			if role.Writes && out[v.Name] == "" {
				out[v.Name] = rep.Modules[k].Name
			}
		}
	}
	return out
}

// wait waits until steps are answered.
func (e *engine) wait(ctx context.Context) error {
	select {
	case <-e.ready:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if e.failed != "" {
		return errors.New(e.failed)
	}
	return nil
}

// at returns what is at a place: the trace to it, and the steps that are possible there. Where a
// step of the path is not possible, the trace ends before it.
func (e *engine) at(p place) (*wire.Answer, *wire.Trace, error) {
	e.asking.Lock()
	defer e.asking.Unlock()
	if len(e.cache) > mostCached {
		clear(e.cache)
	}
	q := &wire.Question{Init: p.Init, Path: p.Path, Known: -1}
	if _, ok := e.inits[p.Init]; ok {
		for q.Known = 0; q.Known < len(p.Path); q.Known++ {
			if _, ok := e.cache[p.key(q.Known+1)]; !ok {
				break
			}
		}
	}
	a, err := e.steps.ask(q)
	if err != nil {
		return nil, nil, err
	}
	if a.Init != nil {
		e.inits[p.Init] = *a.Init
	}
	t := &wire.Trace{Nodes: a.Nodes, Init: e.inits[p.Init], Steps: []wire.Step{}}
	taken := len(p.Path)
	if a.Halted != nil {
		taken = a.Halted.Step - 1
	}
	for k, s := range a.Steps {
		e.cache[p.key(max(q.Known, 0)+k+1)] = s
	}
	for k := range taken {
		t.Steps = append(t.Steps, e.cache[p.key(k+1)])
	}
	return a, t, nil
}

// why returns what refuses an action, or one step, at a place.
func (e *engine) why(ctx context.Context, p place, action string) (*wire.Answer, error) {
	select {
	case <-e.whys:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if e.reasons == nil {
		return nil, errors.New(e.whyNot)
	}
	return e.reasons.ask(&wire.Question{Init: p.Init, Path: p.Path, Known: len(p.Path), Why: action})
}

// explaining reports whether refusals are answered without waiting.
func (e *engine) explaining() bool {
	select {
	case <-e.whys:
		return true
	default:
		return false
	}
}

// actions returns the names of the composition's actions, sorted.
func (e *engine) actions(a *wire.Answer) []string {
	names := map[string]bool{}
	for _, x := range a.Enabled {
		names[x.Step.Action] = true
	}
	for _, x := range a.Idle {
		names[x.Action] = true
	}
	var out []string
	for name := range names {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// callsOf returns the path of a trace.
func callsOf(t *wire.Trace) (out []string) {
	for k := range t.Steps {
		out = append(out, itf.Call(t.Steps[k].Action, t.Steps[k].Params))
	}
	return out
}

// questionAt asks for the value of a formula at a place.
func questionAt(p place, formula json.RawMessage) *wire.Question {
	return &wire.Question{Init: p.Init, Path: p.Path, Known: len(p.Path), Formula: formula}
}
