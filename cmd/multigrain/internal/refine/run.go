package refine

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// mostStates is the limit of each composition's states where no flag sets one.
const mostStates = 4_000_000

// comparer compares two manifests.
type comparer struct {
	*options
	concrete, abstract *session.Run
}

// run fills in the document. It reports false if errors say why there is no result.
func (x *comparer) run(d *result.Document) bool {
	if x.concrete.Composition == nil || x.abstract.Composition == nil {
		return false
	}
	session.CompositionOf(d, x.concrete.Composition)
	guided, diags := x.concrete.Simulation(session.Walks{}, x.Limits, false)
	x.concrete.Add(diags...)
	x.concrete.Preserve(false)
	x.abstract.Preserve(false)
	if x.concrete.Diagnostics.HasErrors() || x.abstract.Diagnostics.HasErrors() {
		return false
	}
	both, diags := x.concrete.Composition.Refining(x.abstract.Composition)
	if x.concrete.Add(diags...); diags.HasErrors() {
		return false
	}
	x.abstract.Composition = both.Abstract
	out := &result.Refinement{Verdict: verdicts.Undecided, Abstract: x.abstract.Manifest.Path, System: x.abstract.Manifest.System.Name, Liveness: "not-compared"}
	for _, s := range both.Shared {
		n, _ := s.Int()
		out.Shared = append(out.Shared, result.Bound{Name: s.Name, Value: n})
	}
	rep := x.compare(both, guided.Options.Simulate)
	if rep == nil {
		if x.concrete.Stopped == "" {
			return false
		}
		out.Reason = x.concrete.Stopped
		d.Refinement = out
		return true
	}
	if len(rep.Refined.Problems) > 0 {
		x.problems(both, rep.Refined.Problems)
		return false
	}
	out.Verdict, out.Reason, out.Refined = rep.Verdict, rep.Reason, *rep.Refined
	x.keep(out)
	d.Refinement = out
	d.Looked.Initial, d.Looked.Observed = min(1, out.Sides[0].States), out.Visible
	return true
}

// compare runs the program with both compositions; nil if it gives no result. Random walks have the
// weights and waypoints of the simulate block of the concrete manifest.
func (x *comparer) compare(both *compose.Refinement, guided *wire.Simulate) *wire.Report {
	program, interrupted, diags := x.concrete.Env.Assemble(both.Assemble)
	x.concrete.Add(diags...)
	if interrupted {
		x.concrete.Stopped = session.InterruptedBuild
	}
	if program == "" {
		return nil
	}
	ask := wire.Refine{Abstract: both.Abstract.EncodedChoice(), Variables: []wire.RefineVariable{}, Walks: x.walks, Depth: x.depth, Weights: guided.Weights}
	if guided.Strategy != nil {
		ask.Waypoints = guided.Strategy.Waypoints
	}
	for _, v := range both.Block.Variables.Value {
		ask.Variables = append(ask.Variables, wire.RefineVariable{Name: v.Value})
	}
	for _, f := range both.Block.Map {
		ask.Variables = append(ask.Variables, wire.RefineVariable{Name: f.Field, Formula: f.Encoded()})
	}
	for _, s := range both.Block.Actions {
		ask.Actions = append(ask.Actions, wire.RefineAction{Concrete: s.Name, Abstract: s.Value.AsString()})
	}
	req := wire.Request{Verb: "refine", Choice: both.Concrete.EncodedChoice(), Options: wire.Options{
		MaxStates: cmp.Or(x.MaxStates, mostStates), Timeout: x.Timeout, Memory: x.Memory, Progress: true, Refine: &ask}}
	if x.Seed != nil {
		req.Options.Seed = *x.Seed
	}
	ran, err := x.concrete.Env.Explore(program, req, false)
	if err != nil {
		x.concrete.Failed(err, x.traces())
		return nil
	}
	return ran.Report
}

// problems reports what is wrong with a mapping.
func (x *comparer) problems(both *compose.Refinement, all []wire.RefineProblem) {
	for k, p := range all {
		at, whole := both.Block.MapRange, both.Block.DeclRange
		for _, f := range both.Block.Map {
			if f.Field == p.Variable {
				at, whole = f.Value.Range, both.Block.MapRange
				if strings.HasPrefix(p.Message, "the abstract state has no variable") {
					at = f.FieldRange
				}
			}
		}
		for _, v := range both.Block.Variables.Value {
			if v.Value == p.Variable {
				at, whole = v.Range, both.Block.Variables.Range
			}
		}
		detail := words.Sentence(p.Message)
		if p.Variable != "" && !strings.Contains(p.Message, p.Variable) {
			detail = fmt.Sprintf("Variable %s of the abstract state: %s.", p.Variable, p.Message)
		}
		detail += " A mapping is a function of the concrete state: it reads that, writes nothing but the abstract state, and gives each variable a value of its type."
		if path := x.concrete.KeepWitness(x.traces(), fmt.Sprintf("mapping-%d", k+1), "refinement", "A behaviour to a state whose successors cannot be mapped.", p.Trace); path != "" {
			detail += fmt.Sprintf(" The trace %s leads to the state before.", path)
		}
		x.concrete.Add(configs.WithContext(configs.Errorf(compose.CodeMapping, "Wrong mapping", at, "%s", detail), whole))
	}
}

// keep writes the behaviours of a difference.
func (x *comparer) keep(d *result.Refinement) {
	if d.Difference == nil {
		return
	}
	doc := fmt.Sprintf("A behaviour whose last step the abstract composition %s does not have.", x.abstract.Manifest.Name())
	d.ConcreteTrace = x.concrete.KeepWitness(x.traces(), "refines-"+d.System, "refinement", doc, d.Difference.Concrete)
	if d.Difference.Abstract != nil {
		doc = fmt.Sprintf("A behaviour with the observations of %s before the step that it does not have.", x.concrete.Manifest.Name())
		d.AbstractTrace = x.abstract.KeepWitness(x.traces(), "refined-by-"+x.concrete.Manifest.Name(), "refinement", doc, d.Difference.Abstract)
	}
}
