package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// workshop builds programs and runs them.
type workshop struct {
	folder string
	built  map[string]*built // by the name of the program
}

// built is the program of mistakes, with the request that all its runs share.
type built struct {
	Program    string
	Request    wire.Request
	Footprints *wire.Footprints
	Depth      int // that the manifest gives; 0: none
	Manual     map[string]float64
}

// defaultDepth is the number of steps of a walk where neither manifest nor strategy give one.
const defaultDepth = 100

// run takes the walks of a cell on a subject and notes in the cell what they found. The error says
// why a program could not be built or run.
func (w *workshop) run(ctx context.Context, x subject, c *cell) error {
	b := w.built[x.program()]
	if b == nil {
		var err error
		if b, err = w.program(ctx, x); err != nil {
			return err
		}
		w.built[x.program()] = b
	}
	if x.Mutant != nil {
		os.Setenv(mutants.Variable, x.Mutant.Name)
	}
	req, err := b.asking(x, c)
	if err != nil {
		return err
	}
	before := childSeconds()
	report, err := limited(ctx, b.Program, req, time.Duration(c.Limit*float64(time.Second)))
	c.Seconds = childSeconds() - before
	if refused, ok := errors.AsType[*wire.Error](err); ok && refused.Kind == wire.ErrorStrategy {
		c.Refused = refused.Message
		return nil
	}
	if err != nil {
		return err
	}
	if x.Kind == inLibrary {
		r := report.Conformance
		c.Walks, c.Steps, c.Found = r.Traces, r.Steps, r.Count > 0
		if len(r.Found) > 0 {
			c.What = r.Found[0].Kind
			if len(r.Found[0].Values) > 0 {
				c.What = r.Found[0].Values[0].Path
			}
		}
		return nil
	}
	r := report.Simulation
	c.Walks, c.Steps, c.Found = r.Walks, r.Steps, len(report.Violations) > 0
	if c.Found {
		c.What = report.Violations[0].Invariant
	}
	return nil
}

// asking returns the request of a cell.
func (b *built) asking(x subject, c *cell) (wire.Request, error) {
	req := b.Request
	req.Options.Seed = uint64(c.Seed)
	asked, err := strategyOf(c.Strategy)
	if err != nil {
		return req, err
	}
	depth := b.Depth
	hash, learned := strings.CutPrefix(c.Strategy, "learned")
	if asked != nil {
		known := wire.StrategyNamed(asked.Name)
		if depth == 0 {
			depth = known.Depth
		}
		if known.Footprints {
			req.Options.Footprints = b.Footprints
		}
	}
	if depth == 0 {
		depth = defaultDepth
	}
	if x.Kind == inLibrary {
		conform := *req.Options.Conform
		conform.Depth, conform.Strategy = depth, asked
		req.Options.Conform = &conform
		if c.Strategy == covering {
			conform.Depth, conform.Cover, req.Options.MaxStates = 0, "edges", 20_000
			req.Choice, err = oneElection(req.Choice)
		}
		return req, err
	}
	simulate := *req.Options.Simulate
	simulate.Depth, simulate.Strategy, simulate.Learned, simulate.Hash = depth, asked, learned, ""
	if learned {
		simulate.Hash = strings.TrimPrefix(hash, "-")
	}
	if c.Strategy == manual {
		simulate.Weights = b.Manual
	}
	req.Options.Simulate = &simulate
	return req, nil
}

// oneElection lowers the bounds of a composition for planned walks, whose graph must be small: one
// election, and nothing else. The program stays the same.
func oneElection(encoded json.RawMessage) (json.RawMessage, error) {
	var choice grains.Choice
	if err := json.Unmarshal(encoded, &choice); err != nil {
		return nil, err
	}
	for _, name := range []string{"changes", "compactions", "drops", "duplicates", "elapses", "heartbeats", "learners", "partitions", "reads",
		"requests", "restarts", "transfers"} {
		choice.Budgets[name] = 0
	}
	choice.Budgets["timeouts"] = 1
	return json.Marshal(choice)
}

// strategyOf reads a strategy, such as rounds:heuristic=1; nil for those that weights draw, and for
// planned walks.
func strategyOf(text string) (*wire.AskedStrategy, error) {
	name, rest, _ := strings.Cut(text, ":")
	if name == "weighted" || name == manual || name == covering || strings.HasPrefix(name, "learned") {
		return nil, nil
	}
	if wire.StrategyNamed(name) == nil {
		return nil, fmt.Errorf("there is no strategy %q", name)
	}
	a := &wire.AskedStrategy{Name: name, Parameters: map[string]float64{}}
	for part := range strings.SplitSeq(rest, ",") {
		if part == "" {
			continue
		}
		key, number, _ := strings.Cut(part, "=")
		x, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return nil, fmt.Errorf("strategy %q: %w", text, err)
		}
		a.Parameters[key] = x
	}
	return a, nil
}

// file keeps what was built for a mistake.
func (w *workshop) file(x subject) string {
	return filepath.Join(w.folder, "built", x.program()+".json")
}

// has reports whether the program of a mistake is built.
func (w *workshop) has(x subject) bool {
	_, err := os.Stat(w.file(x))
	return err == nil
}

// program returns the program of a mistake, and builds it if the folder does not have it.
func (w *workshop) program(ctx context.Context, x subject) (*built, error) {
	b := new(built)
	text, err := os.ReadFile(w.file(x))
	if err == nil {
		return b, json.Unmarshal(text, b)
	}
	if b, err = w.build(ctx, x); err != nil {
		return nil, err
	}
	if text, err = json.Marshal(b); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(w.file(x)), 0o755); err != nil {
		return nil, err
	}
	return b, os.WriteFile(w.file(x), text, 0o644)
}

// build builds the program of a mistake.
func (w *workshop) build(ctx context.Context, x subject) (*built, error) {
	fmt.Fprintln(os.Stderr, time.Now().UTC().Format(time.TimeOnly), "building", x.program())
	if x.Mutant != nil { // one program has all mutants
		all, err := mutants.All()
		if err != nil {
			return nil, err
		}
		workspace, err := mutants.MakeAll(all, ".", filepath.Join(w.folder, "library"))
		if err != nil {
			return nil, err
		}
		os.Setenv("GOWORK", workspace)
		defer os.Unsetenv("GOWORK")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	m, diags := configs.Load(x.Manifest, configs.Options{})
	if diags.HasErrors() {
		return nil, diags
	}
	comp, diags := compose.Resolve(m, compose.Env{CacheDir: filepath.Join(cache, "multigrain")})
	if diags.HasErrors() {
		return nil, diags
	}
	b := &built{}
	if x.Mutant == nil {
		b.Program, diags = comp.Assemble(ctx, compose.Simulate)
		b.Request = wire.Request{Verb: "simulate", Options: wire.Options{Workers: 1, Stop: 1, Deadlock: m.Check.Deadlock.Or(false), Simulate: &wire.Simulate{}}}
	} else {
		comp, b.Program, diags = w.withLibrary(ctx, comp, b)
		m = withWalks(m)
	}
	if diags.HasErrors() {
		return nil, diags
	}
	b.Request.Choice = comp.EncodedChoice()
	actions, seen, diags := comp.Footprints()
	if diags.HasErrors() {
		return nil, diags
	}
	b.Footprints, b.Manual = &wire.Footprints{Actions: actions, Seen: seen}, byHand(comp)
	if m.Simulate != nil {
		b.Depth = m.Simulate.Depth.Value
		weights := weightsOf(m.Simulate, comp)
		if x.Mutant == nil {
			b.Request.Options.Simulate.Weights = weights
		} else {
			b.Request.Options.Conform.Weights = weights
		}
	}
	return b, nil
}

// withWalks returns a manifest with the walks of its implementation block, if there are some.
func withWalks(m *configs.Manifest) *configs.Manifest {
	with := *m
	with.Simulate = m.Implementations[0].Walks.Or(m.Simulate)
	return &with
}

// withLibrary builds the program that the library is built into. The composition has the bounds for
// walks then, and no invariants.
func (w *workshop) withLibrary(ctx context.Context, comp *compose.Composition, b *built) (*compose.Composition, string, hcl.Diagnostics) {
	impl := comp.Manifest.Implementations[0]
	comp, diags := comp.ForWalks(impl)
	if diags.HasErrors() {
		return nil, "", diags
	}
	program, diags := comp.AssembleWith(ctx, impl)
	settings := map[string]string{}
	for _, s := range impl.Settings {
		if v, err := convert.Convert(s.Value, cty.String); err == nil && !v.IsNull() {
			settings[s.Name] = v.AsString()
		}
	}
	asked := &wire.Conform{Version: impl.Version.Value, Settings: settings}
	for _, d := range impl.Differences {
		asked.Accepted = append(asked.Accepted, d.Encoded())
	}
	b.Request = wire.Request{Verb: "conform", Options: wire.Options{Workers: 1, Stop: 1, Conform: asked}}
	plain := *comp
	plain.Choice.Invariants, plain.Choice.Except = nil, nil
	return &plain, program, diags
}

// fails reports whether an action begins an election or ends a leadership, by its name.
func fails(action string) bool {
	return strings.HasSuffix(action, "Timeout") || strings.Contains(action, "TimesOut") || action == "CheckQuorum" || strings.HasSuffix(action, "GivesUp")
}

// byHand returns the weights of strategy manual: 0.1 for actions of modules that only fail, and for
// failures of other modules.
func byHand(comp *compose.Composition) map[string]float64 {
	out := map[string]float64{}
	for _, g := range comp.Chosen() {
		for _, name := range g.Actions {
			if g.Covers[0] == "faults" || g.Covers[0] == "network" || fails(name) {
				out[name] = 0.1
			}
		}
	}
	return out
}

// weightsOf returns the weights of the actions that a composition has.
func weightsOf(s *configs.Simulate, comp *compose.Composition) map[string]float64 {
	out := map[string]float64{}
	for _, g := range comp.Chosen() {
		for _, name := range g.Actions {
			if w, ok := s.Weights.Get(name); ok {
				out[name], _ = w.Value.AsBigFloat().Float64()
			}
		}
	}
	return out
}

// limited runs a program and asks it to end when it has used so much processor time.
func limited(ctx context.Context, path string, req wire.Request, limit time.Duration) (*wire.Report, error) {
	stop, done := make(chan struct{}), make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for wait := limit; ; { // a program with one worker cannot use it up earlier
			select {
			case <-done:
				return
			case <-time.After(max(wait, 10*time.Millisecond)):
				wait = limit - time.Duration(runningSeconds()*float64(time.Second))
				if wait <= 0 {
					close(stop)
					return
				}
			}
		}
	}()
	p := wire.Program{Path: path, Stop: stop}
	report, err := p.Run(ctx, req)
	close(done)
	<-ended
	return report, err
}

// runningSeconds returns the processor time of the children of this process that run. Linux tells
// it.
func runningSeconds() (total float64) {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(text)) {
			stat, err := os.ReadFile("/proc/" + child + "/stat")
			if err != nil {
				continue
			}
			// The name of the program, which is in parentheses, may have spaces.
			_, rest, _ := strings.Cut(string(stat), ") ")
			fields := strings.Fields(rest)
			if len(fields) < 13 {
				continue
			}
			for _, ticks := range fields[11:13] { // user and system time, in hundredths of a second
				n, _ := strconv.ParseFloat(ticks, 64)
				total += n / 100
			}
		}
	}
	return total
}
