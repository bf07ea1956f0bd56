package session

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/drivers"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

// Connected returns the implementation block that NAME or NAME@VERSION means; nil, with a
// diagnostic, where there is none. The version replaces that of the block.
func (r *Run) Connected(name string) *configs.Implementation {
	if r.Composition == nil {
		return nil
	}
	name, version, pinned := strings.Cut(name, "@")
	impl := r.named(name)
	if impl == nil || !pinned {
		return impl
	}
	if version != impl.Version.Value {
		r.pinned = version
	}
	other := *impl
	other.Version = configs.Attr[string]{Value: version}
	return &other
}

// named returns the implementation block with a name, or the only one.
func (r *Run) named(name string) *configs.Implementation {
	all := r.Manifest.Implementations
	var names []string
	for _, impl := range all {
		if impl.Name == name {
			return impl
		}
		names = append(names, impl.Name)
	}
	switch {
	case len(all) == 0:
		r.Add(configs.Errorf(codes.NoImplementation, "Manifest without implementation", hcl.Range{Filename: r.Manifest.Path},
			`%s names no implementation. Add a block implementation "name" { adapter = "..." }.`, r.Manifest.Path))
	case name != "":
		r.Add(configs.Errorf(codes.FlagValue, "Unknown implementation", hcl.Range{},
			"%s has no implementation %q.%s", r.Manifest.Path, name, configs.Hint(name, names)))
	case len(all) == 1:
		return all[0]
	default:
		r.Add(configs.Errorf(codes.FlagValue, "Several implementations", hcl.Range{},
			"%s names %s. Say which one is meant with -impl.", r.Manifest.Path, strings.Join(names, ", ")))
	}
	return nil
}

// Walking gives the composition the bounds of the implementation block.
func (r *Run) Walking(impl *configs.Implementation) {
	comp, diags := r.Composition.ForWalks(impl)
	r.Add(diags...)
	if r.Composition = comp; diags.HasErrors() {
		r.Composition = nil
	}
}

// Conform builds the program with the implementation and runs the request with each of n seeds,
// from that of the request on. It sets r.Report to the answer: to that of the first seed with a
// difference; or else of the first that is undecided, or of the first. It writes the traces of
// differences. Errors are among the diagnostics of r.
func (r *Run) Conform(impl *configs.Implementation, req wire.Request, n int, branches bool, traces Traces) (all []result.Seeded) {
	program := r.connectedProgram(impl, &req, branches)
	if program == "" {
		return nil
	}
	for k := 0; k < n && (k == 0 || r.Env.Soft.Err() == nil); k++ {
		report, err := r.driven(program, req)
		if err != nil {
			if r.Report != nil && r.Report.Verdict != verdicts.Violated {
				r.Report = nil
			}
			r.unanswered(impl, err, traces)
			return all
		}
		all = append(all, seeded(req.Options.Seed, report))
		if decides(all) {
			r.request, r.Report = req, report
		}
		req.Options.Seed++
	}
	r.unfinished(len(all), n)
	return all
}

// connectedProgram builds the program with the implementation, and adds to a request what the
// implementation block says. It returns "" where there is none.
func (r *Run) connectedProgram(impl *configs.Implementation, req *wire.Request, branches bool) string {
	settings, diags := settingsOf(impl)
	if r.Add(diags...); r.Diagnostics.HasErrors() {
		return ""
	}
	if impl.Driver.IsSet() {
		if req.Options.Conform.Driver, diags = drivers.Command(impl, r.Manifest.Path, r.Env.Cache, r.Transcript); diags.HasErrors() {
			r.Add(diags...)
			return ""
		}
	}
	choice := r.Composition.Choice
	if req.Options.Conform.Follow == nil {
		choice.Invariants, choice.Except = nil, nil // they are check's
	}
	plain := *r.Composition
	plain.Choice = choice
	req.Choice = plain.EncodedChoice()
	req.Options.Simulate = nil
	req.Options.Conform.Version, req.Options.Conform.Settings = impl.Version.Value, settings
	for _, x := range impl.Differences {
		req.Options.Conform.Accepted = append(req.Options.Conform.Accepted, x.Encoded())
	}
	assemble := r.Composition.AssembleWith
	if branches || req.Options.Conform.Strategy.LearnsBranches() {
		assemble = r.Composition.AssembleCovering
	}
	return r.assembled(func(ctx context.Context) (string, hcl.Diagnostics) { return assemble(ctx, impl) })
}

// unanswered reports why a program with an implementation gave no answer.
func (r *Run) unanswered(impl *configs.Implementation, err error, traces Traces) {
	var fault *wire.Error
	switch errors.As(err, &fault); {
	case fault != nil && fault.Stuck && r.Env.Soft.Err() != nil:
		r.Failed(err, traces)
	case fault != nil && fault.Kind == wire.ErrorVersion:
		r.Add(impl.Version.Errorf(codes.Version, "Another version is built in",
			"%s. Change the requirement in go.mod, or compare the specification with the other version and pin that.", strings.TrimSuffix(words.Sentence(fault.Message), ".")))
	case fault != nil && fault.Kind == wire.ErrorUnstable:
		r.Add(configs.Warnf(codes.Adapter, "Implementation cannot be followed", impl.DeclRange, "%s", words.Sentence(fault.Message)))
		r.Stopped = fault.Message
	case fault != nil && fault.Kind == wire.ErrorAdapter:
		r.Add(configs.Errorf(codes.Adapter, "Implementation cannot be followed", impl.DeclRange, "%s", words.Sentence(fault.Message)))
	case fault != nil && (fault.Kind == wire.ErrorDriver || fault.Kind == wire.ErrorStart):
		r.driverFault(impl, fault)
	case fault != nil && fault.Kind == wire.ErrorTrace:
		r.Add(configs.Errorf(codes.Trace, "Not a trace of the composition", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	default:
		r.Failed(err, traces)
	}
}

// SideBySide adds an implementation with a driver to a request for walks: it does the same steps.
// It reports false where a diagnostic says why it cannot.
func (r *Run) SideBySide(impl *configs.Implementation, req *wire.Request) bool {
	settings, diags := settingsOf(impl)
	d, more := drivers.Command(impl, r.Manifest.Path, r.Env.Cache, r.Transcript)
	if r.Add(append(diags, more...)...); r.Diagnostics.HasErrors() {
		return false
	}
	req.Options.Conform.Second = &wire.Second{Driver: *d, Version: impl.Version.Value, Settings: settings}
	return true
}

// driverFault reports that a driver breaks the protocol, or does not start.
func (r *Run) driverFault(impl *configs.Implementation, fault *wire.Error) {
	if fault.Kind == wire.ErrorStart {
		r.Add(impl.Driver.Errorf(codes.DriverStart, "Driver does not start", "%s", words.Sentence(fault.Message)))
		return
	}
	r.Add(impl.Driver.Errorf(codes.DriverFault, "Driver breaks the protocol", "%s", words.Sentence(fault.Message)))
}

// driven runs a program with an implementation. If the implementation ends the process, the walks
// that it was on are done again, each in a process of its own. One that ends its process, too, is
// a difference.
func (r *Run) driven(program string, req wire.Request) (*wire.Report, error) {
	folder, err := r.Env.journals()
	if err == nil {
		defer host.RemoveAll(folder)
		asked := *req.Options.Conform
		asked.Journal = folder
		req.Options.Conform = &asked
	}
	report, err := r.Env.ask(program, req, nil)
	crash, ok := errors.AsType[*wire.CrashError](err)
	if !ok || folder == "" || r.Env.Hard.Err() != nil || !crash.Implementation() {
		return report, err
	}
	if left, _ := os.ReadDir(folder); len(left) == 0 {
		return nil, err // no walk was begun
	}
	req.Options.Conform.Ended = crash
	report, again := r.Env.ask(program, req, nil)
	if again != nil {
		return nil, err
	}
	if report.Verdict == verdicts.Undecided {
		report.Reason += strings.TrimSuffix(strings.Replace(r.keptOutput(crash), " All", "; all", 1), ".")
	}
	return report, nil
}

// journals makes a folder for what a program with an implementation is doing. It is in the cache: a
// command that is killed cannot remove it, and clean does.
func (e *Env) journals() (string, error) {
	files.Use(e.Cache)
	area := filepath.Join(e.Cache, "journals")
	if err := host.MkdirAll(area, 0o755); err != nil {
		return "", err
	}
	return host.MkdirTemp(area, ".new-")
}

// settingsOf returns the settings of an implementation block as texts.
func settingsOf(impl *configs.Implementation) (map[string]string, hcl.Diagnostics) {
	out := map[string]string{}
	var diags hcl.Diagnostics
	for _, s := range impl.Settings {
		v, err := convert.Convert(s.Value, cty.String)
		if err != nil || v.IsNull() {
			diags = append(diags, s.Errorf(configs.CodeWrongType, "Wrong type of value",
				"The setting %q of an implementation is a text, a number or a truth value.", s.Name))
			continue
		}
		out[s.Name] = v.AsString()
	}
	return out, diags
}

// Settings returns the settings of an implementation block as texts; nil if one is no text.
func (r *Run) Settings(impl *configs.Implementation) map[string]string {
	settings, diags := settingsOf(impl)
	if diags.HasErrors() {
		return nil
	}
	return settings
}

// Conformance makes the document of a run, and writes traces and logs.
func (r *Run) Conformance(impl *configs.Implementation, traces Traces) *result.Conformance {
	rep, f := r.Report, r.Report.Conformance
	d := &result.Conformance{
		Implementation: impl.Name, Version: f.Version, Verdict: rep.Verdict, Reason: rep.Reason, Traces: f.Traces, Steps: f.Steps, Differences: f.Count,
		Depth: r.request.Options.Conform.Depth, Longest: f.Longest, Short: f.Short, Half: f.Half, Refused: f.Refused, Exceeded: f.Exceeded, Seed: f.Seed,
		Seconds: rep.Seconds, Processor: rep.Processor, Workers: rep.Workers, Actions: []result.ConformedAction{}, Coverage: f.Coverage, Branches: shortened(f.Branches), Covered: f.Covered, Strategy: f.Strategy, Observed: f.Observed, Unobserved: f.Unobserved,
		Undriven: f.Undriven, UndrivenAt: f.UndrivenAt, UndrivenNext: append([]string{}, f.UndrivenNext...), Repeated: f.Repeated, LeftOut: append([]wire.LeftOut{}, f.LeftOut...), Accepted: []result.Accepted{}, Ended: f.Ended, Found: []result.Difference{},
	}
	r.accepted(impl, d)
	if f.Followed != nil {
		r.breaks(d, f.Followed)
	}
	if r.change != nil {
		traces = r.ofChange(d, traces)
	}
	for k, a := range rep.Actions {
		d.Actions = append(d.Actions, result.ConformedAction{Name: a.Name, Module: a.Module, Fired: a.Fired, Instances: f.Instances[k]})
	}
	known := narrate.KnownOf(r.Composition.Catalog)
	for k := range f.Found {
		x := &f.Found[k]
		one := DifferenceOf(x, known)
		one.Trace, one.Log = r.KeepBehaviour(traces, impl.Name+"-"+one.Name(), impl.Name, words.Sentence(one.Line()), x.Trace, x.Log)
		if x.Explained && len(d.Found) == 0 {
			one.Places = x.Log
		}
		d.Found = append(d.Found, one)
	}
	return d
}

// DifferenceOf returns a difference as the document has it, without its files.
func DifferenceOf(x *wire.Discrepancy, known narrate.Known) result.Difference {
	steps := len(x.Trace.Steps)
	one := result.Difference{
		Kind: x.Kind, Step: steps, Counterexample: narrate.BehaviourOf(x.Trace, known, false), Message: x.Message, Frames: x.Frames, Walk: x.Walk, Length: x.Length,
		Minimal: x.Minimal, Count: x.Count,
	}
	one.Values = differingOf(x.Values, known)
	if len(x.Values) > 0 {
		one.Variable = x.Values[0].Path
	}
	departs(one.Counterexample, steps, one.Values, one.Message)
	if steps > 0 {
		one.Action = x.Trace.Steps[steps-1].Action
	}
	return one
}

// KeepBehaviour writes a behaviour that was done on an implementation, as MANIFEST-NAME.itf.json,
// and the implementation's log next to it. It returns their paths, "" for what is not written.
func (r *Run) KeepBehaviour(traces Traces, name, implementation, doc string, t *wire.Trace, lines []string) (trace, log string) {
	meta := metaOf(r)
	meta.Implementation, meta.Kind, meta.Doc = implementation, "conform", doc
	if trace = r.keepTrace(traces, name, meta, t); trace != "" {
		log = r.keepLog(strings.TrimSuffix(trace, ".itf.json")+".log", lines)
	}
	return trace, log
}

// accepted fills in the known differences. One that did not occur in the walks that the manifest
// states is an error.
func (r *Run) accepted(impl *configs.Implementation, d *result.Conformance) {
	asked, w := r.request.Options, impl.Walks
	stated := w != nil && r.AsWritten && asked.Conform.Number >= int64(w.Number.Value) && asked.Conform.Depth == w.Depth.Value && asked.Seed == uint64(w.Seed.Value) &&
		d.Traces+d.Undriven == asked.Conform.Number
	for _, a := range r.Report.Conformance.Accepted {
		k := slices.IndexFunc(impl.Differences, func(x *configs.ImplementationDifference) bool { return x.Name == a.Name })
		if k < 0 {
			continue
		}
		x := impl.Differences[k]
		d.Accepted = append(d.Accepted, result.Accepted{Name: x.Name, Action: x.Action.Value, Variable: strings.Join(x.Variables, ", "), Why: x.Why(), Walks: a.Walks})
		if a.Walks == 0 && stated {
			r.Add(configs.Errorf(codes.Unseen, "Known difference does not occur", x.DeclRange,
				"%s did not show the difference %q in %d walks of seed %d. Remove the block, or name in \"versions\" those that have it.",
				strings.TrimSpace(impl.Name+" "+d.Version), x.Name, asked.Conform.Number, asked.Seed))
		}
	}
}

// keepLog writes the implementation's log and returns its path, "" where it cannot be written.
func (r *Run) keepLog(path string, lines []string) string {
	if err := files.WriteFile(filepath.Clean(path), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		r.Add(configs.Warnf(codes.Write, "Log cannot be written", hcl.Range{}, "%v. Name another folder with -traces.", err))
		return ""
	}
	return path
}

// sideText returns the value of one side; "" where it has none.
func sideText(v *modules.View, known *narrate.Known) string {
	if v == nil {
		return ""
	}
	return itf.Text(known.Value(*v))
}

// BuildCode builds the composition's program with a version of the implementation's code. What does
// not compile is among the diagnostics.
func (r *Run) BuildCode(impl *configs.Implementation, code compose.Code) (out compose.Built, diags hcl.Diagnostics) {
	_, interrupted, diags := r.Env.Assemble(func(ctx context.Context) (program string, diags hcl.Diagnostics) {
		out, diags = r.Composition.AssembleCode(ctx, impl, code)
		return out.Program, diags
	})
	if interrupted {
		r.Stopped = InterruptedBuild
	}
	return out, diags
}

// NotFollowed begins the reason of AskCode if the adapter cannot be opened with the code.
const NotFollowed = "the changed code cannot be followed: "

// AskCode runs a program with a version of the implementation's code. Choice says whether
// invariants are judged. The report is nil where the run ended without one, and why is set or
// diagnostics are added.
func (r *Run) AskCode(impl *configs.Implementation, program string, req wire.Request, traces Traces) (rep *wire.Report, why string) {
	settings, diags := settingsOf(impl)
	if r.Add(diags...); diags.HasErrors() {
		return nil, ""
	}
	if impl.Driver.IsSet() {
		if req.Options.Conform.Driver, diags = drivers.Command(impl, r.Manifest.Path, r.Env.Cache, r.Transcript); diags.HasErrors() {
			r.Add(diags...)
			return nil, ""
		}
	}
	req.Verb = "conform"
	req.Options.Simulate = nil
	if req.Options.Conform.Settings = settings; req.Options.Conform.Code != nil || req.Options.Conform.Build != nil || req.Options.Conform.Sides != nil {
		req.Options.Conform.Version = impl.Version.Value // it is not in the program
	}
	for _, x := range impl.Differences {
		req.Options.Conform.Accepted = append(req.Options.Conform.Accepted, x.Encoded())
	}
	rep, err := r.driven(program, req)
	var fault *wire.Error
	switch {
	case err == nil:
		r.request = req
		return rep, ""
	case errors.As(err, &fault) && (fault.Kind == wire.ErrorAdapter || fault.Kind == wire.ErrorVersion):
		return nil, NotFollowed + fault.Message
	case errors.As(err, &fault) && fault.Kind == wire.ErrorStart && req.Options.Conform.Code != nil:
		return nil, fault.Message // changed code may not load
	case errors.As(err, &fault) && (fault.Kind == wire.ErrorDriver || fault.Kind == wire.ErrorStart):
		r.driverFault(impl, fault)
		return nil, ""
	case errors.As(err, &fault) && fault.Kind == wire.ErrorTrace:
		r.Add(configs.Errorf(codes.Trace, "Not a trace of the composition", hcl.Range{}, "%s", words.Sentence(fault.Message)))
		return nil, ""
	}
	r.Failed(err, traces)
	return nil, r.Stopped
}

// OfChange says which changed code the run is about: its traces name it. Own is the invariant that
// a trace breaks which is done once more, "" for none.
func (r *Run) OfChange(c *itf.OfChange, own string) { r.change, r.own = c, own }

// KeepBroken is KeepBehaviour for a behaviour of changed code that breaks an invariant, or panics.
func (r *Run) KeepBroken(traces Traces, name string, impl *configs.Implementation, v *wire.Broken) (trace, log string) {
	meta := metaOf(r)
	meta.Implementation, meta.Invariant, meta.Kind, meta.Doc = impl.Name, v.Invariant, v.Kind, v.Doc
	if trace = r.keepTrace(traces, name, meta, v.Trace); trace != "" {
		log = r.keepLog(strings.TrimSuffix(trace, ".itf.json")+".log", v.Log)
	}
	return trace, log
}

// ofChange adds to a document which change its code has, and returns where its traces go. The trace
// that was done is there already, so further ones go only into a folder that the user names.
func (r *Run) ofChange(d *result.Conformance, traces Traces) Traces {
	d.Change = r.change.Hash
	d.Version, _, _ = strings.Cut(d.Version, " ") // without the folder that replaces it
	if traces == NextToManifest {
		return NoTraces
	}
	return traces
}

// breaks adds to a document what the implementation breaks. What a trace was kept for comes first.
func (r *Run) breaks(d *result.Conformance, f *wire.Followed) {
	known := narrate.KnownOf(r.Composition.Catalog)
	for k := range f.Violations {
		d.Broken = append(d.Broken, BrokenOf(&f.Violations[k], known))
	}
	slices.SortStableFunc(d.Broken, func(a, b result.BrokenInCode) int {
		return map[bool]int{true: 1}[a.Invariant != r.own] - map[bool]int{true: 1}[b.Invariant != r.own]
	})
}

// BrokenOf returns what changed code breaks as the document has it, without its files.
func BrokenOf(v *wire.Broken, known narrate.Known) result.BrokenInCode {
	b := result.BrokenInCode{Invariant: v.Invariant, Kind: v.Kind, Doc: v.Doc, Depth: len(v.Trace.Steps), Departed: v.Departed, Walk: v.Walk, Length: v.Length,
		Minimal: v.Minimal, Count: v.Count, Counterexample: narrate.BehaviourOf(v.Trace, known, false), Frames: v.Frames, Values: differingOf(v.Values, known), Message: v.Beside}
	departs(b.Counterexample, b.Departed, b.Values, b.Message)
	return b
}

// differingOf returns what differs with both values as texts.
func differingOf(values []wire.Differing, known narrate.Known) (out []result.Differing) {
	for _, v := range values {
		out = append(out, result.Differing{Differing: v, SpecificationText: sideText(v.Specification, &known), ImplementationText: sideText(v.Implementation, &known)})
	}
	return out
}

// departs marks the step of a behaviour's diagram after which code and specification differ.
func departs(b *result.Behaviour, step int, values []result.Differing, message string) {
	if b != nil && b.Diagram != nil && len(values)+len(message) > 0 {
		b.Diagram.Departs = &result.Departure{Step: step, Sides: values, Message: message}
	}
}

// Retrace does a trace on a program with changed code, with the implementation as the model after
// the first difference. Code is that code where the program does not contain it, else nil. It sets
// r.Report, or says why there is none.
func (r *Run) Retrace(impl *configs.Implementation, program string, trace *wire.Trace, limits Limits, code *wire.Code) {
	actions, seen, diags := r.Composition.Footprints()
	if r.Add(diags...); diags.HasErrors() {
		return
	}
	var shared []wire.Departure
	if r.change != nil {
		shared = r.change.Shared
	}
	req := r.Exploration(limits, false)
	req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	req.Options.Conform = &wire.Conform{Replay: trace, Follow: &wire.Follow{Shared: shared}, Code: code}
	if r.change != nil {
		req.Settings = r.change.Renamed
	}
	rep, why := r.AskCode(impl, program, req, NoTraces)
	if r.Report = rep; rep == nil {
		r.Stopped = cmp.Or(r.Stopped, why)
	}
}

// Follows asks the adapter of an implementation which compositions it can follow. Each is given by
// the names of its actions; options and bounds are those of r. The answer for each is why the
// adapter cannot follow it, "" where it can. The answers are nil if the program cannot be built or
// does not answer; diagnostics are not added then, since the walks will show the reason.
func (r *Run) Follows(impl *configs.Implementation, compositions [][]string) []string {
	program, interrupted, diags := r.Env.Assemble(func(ctx context.Context) (string, hcl.Diagnostics) {
		return r.Composition.AssembleWith(ctx, impl)
	})
	if interrupted || diags.HasErrors() {
		return nil
	}
	return r.FollowsIn(compose.Built{Program: program}, impl, compositions)
}

// FollowsIn is Follows for a program that is built.
func (r *Run) FollowsIn(code compose.Built, impl *configs.Implementation, compositions [][]string) []string {
	settings, diags := settingsOf(impl)
	if diags.HasErrors() {
		return nil
	}
	program := code.Program
	req := r.Exploration(Limits{}, false)
	req.Verb, req.Settings = "conform", code.Settings
	req.Options.Conform = &wire.Conform{Version: impl.Version.Value, Settings: settings, Follows: compositions}
	if impl.Driver.IsSet() {
		if req.Options.Conform.Driver, diags = drivers.Command(impl, r.Manifest.Path, r.Env.Cache, r.Transcript); diags.HasErrors() {
			return nil
		}
	}
	rep, err := r.Env.ask(program, req, nil)
	if err != nil || rep.Conformance == nil || len(rep.Conformance.NotFollowed) != len(compositions) {
		return nil
	}
	return rep.Conformance.NotFollowed
}

// TraceOf returns the path of the trace of a violation, by its number from 0; "" for none.
func (r *Run) TraceOf(violation int) string {
	if violation < len(r.traces) {
		return r.traces[violation]
	}
	return ""
}

// Program builds the composition's program with an implementation's adapter, which notes branches.
// It returns "" where the build is stopped, or diagnostics say why there is none.
func (r *Run) Program(impl *configs.Implementation) string {
	return r.assembled(func(ctx context.Context) (string, hcl.Diagnostics) { return r.Composition.AssembleCovering(ctx, impl) })
}
