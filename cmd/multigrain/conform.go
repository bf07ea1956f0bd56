package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// connected is the implementation block that is meant; nil, with a diagnostic, where there is none.
func (o *outcome) connected(name string) *configs.Implementation {
	if o.comp == nil {
		return nil
	}
	all := o.manifest.Implementations
	var names []string
	for _, impl := range all {
		if impl.Name == name {
			return impl
		}
		names = append(names, impl.Name)
	}
	switch {
	case len(all) == 0:
		o.add(configs.Errorf(codes.NoImplementation, "Manifest without implementation", hcl.Range{Filename: o.manifest.Path},
			`%s names no implementation. Add a block implementation "name" { adapter = "..." }.`, o.manifest.Path))
	case name != "":
		o.add(configs.Errorf(codes.FlagValue, "Unknown implementation", hcl.Range{},
			"%s has no implementation %q.%s", o.manifest.Path, name, configs.Hint(name, names)))
	case len(all) == 1:
		return all[0]
	default:
		o.add(configs.Errorf(codes.FlagValue, "Several implementations", hcl.Range{},
			"%s names %s. Say which one is meant with -impl.", o.manifest.Path, strings.Join(names, ", ")))
	}
	return nil
}

// walking gives the composition the bounds of the implementation block.
func (o *outcome) walking(impl *configs.Implementation) {
	comp, diags := o.comp.ForWalks(impl)
	o.add(diags...)
	if o.comp = comp; diags.HasErrors() {
		o.comp = nil
	}
}

// conform builds the program with the implementation and lets it answer.
func (o *outcome) conform(impl *configs.Implementation, req wire.Request, branches bool, traces string) {
	settings, diags := settingsOf(impl)
	if o.add(diags...); o.diags.HasErrors() {
		return
	}
	choice := o.comp.Choice
	choice.Invariants, choice.Except = nil, nil // they are check's
	plain := *o.comp
	plain.Choice = choice
	req.Choice = plain.EncodedChoice()
	req.Options.Simulate = nil
	req.Options.Conform.Version, req.Options.Conform.Settings = impl.Version.Value, settings
	assemble := o.comp.AssembleWith
	if branches {
		assemble = o.comp.AssembleCovering
	}
	program := o.assembled(func(ctx context.Context) (string, hcl.Diagnostics) { return assemble(ctx, impl) })
	if program == "" {
		return
	}
	report, err := o.env.ask(program, req, nil)
	var fault *wire.Error
	switch errors.As(err, &fault); {
	case err == nil:
		o.request, o.report = req, report
	case fault != nil && fault.Kind == wire.ErrorVersion:
		o.add(impl.Version.Errorf(codes.Version, "Another version is built in",
			"%s. Change the requirement in go.mod, or hold the specification against the other version and pin that.", strings.TrimSuffix(words.Sentence(fault.Message), ".")))
	case fault != nil && fault.Kind == wire.ErrorAdapter:
		o.add(configs.Errorf(codes.Adapter, "Implementation cannot be followed", impl.DeclRange, "%s", words.Sentence(fault.Message)))
	case fault != nil && fault.Kind == wire.ErrorTrace:
		o.add(configs.Errorf(codes.Trace, "Not a trace of the composition", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	default:
		o.failed(err, traces)
	}
}

// settingsOf are the settings of an implementation block as texts.
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

// conformance makes the document of a run, and writes traces and logs.
func (o *outcome) conformance(impl *configs.Implementation, traces string) *result.Conformance {
	r, f := o.report, o.report.Conformance
	d := &result.Conformance{
		Implementation: impl.Name, Version: f.Version, Verdict: r.Verdict, Reason: r.Reason, Traces: f.Traces, Steps: f.Steps, Differences: f.Count,
		Depth: o.request.Options.Conform.Depth, Longest: f.Longest, Short: f.Short, Refused: f.Refused, Exceeded: f.Exceeded, Seed: f.Seed,
		Seconds: r.Seconds, Workers: r.Workers, Actions: []result.ConformedAction{}, Coverage: f.Coverage, Branches: f.Branches, Observed: f.Observed, Unobserved: f.Unobserved,
		Found: []result.Difference{},
	}
	if f.Branches != nil {
		for k := range f.Branches.Missing {
			m := &f.Branches.Missing[k]
			m.File = words.ShortPath(m.File)
		}
	}
	for k, a := range r.Actions {
		d.Actions = append(d.Actions, result.ConformedAction{Name: a.Name, Module: a.Module, Fired: a.Fired, Instances: f.Instances[k]})
	}
	for k := range f.Found {
		x := &f.Found[k]
		steps := len(x.Trace.Steps)
		one := result.Difference{
			Kind: x.Kind, Step: steps, Counterexample: behaviourOf(x.Trace, false), Message: x.Message, Frames: x.Frames, Walk: x.Walk, Length: x.Length,
			Minimal: x.Minimal, Count: x.Count,
		}
		for _, v := range x.Values {
			one.Values = append(one.Values, result.Differing{Differing: v, SpecificationText: sideText(v.Specification), ImplementationText: sideText(v.Implementation)})
		}
		name := x.Kind
		if len(x.Values) > 0 {
			one.Variable = x.Values[0].Path
			name, _, _ = strings.Cut(strings.ReplaceAll(one.Variable, ".", "["), "[")
		}
		if steps > 0 {
			one.Action = x.Trace.Steps[steps-1].Action
		}
		meta := metaOf(o)
		meta.Implementation, meta.Kind, meta.Doc = impl.Name, "conform", words.Sentence(one.Line())
		one.Trace = o.keepTrace(traces, impl.Name+"-"+name, meta, x.Trace)
		if one.Trace != "" {
			one.Log = o.keepLog(strings.TrimSuffix(one.Trace, ".itf.json")+".log", x.Log)
		}
		d.Found = append(d.Found, one)
	}
	return d
}

// keepLog writes the implementation's log and returns its path, "" where it cannot be written.
func (o *outcome) keepLog(path string, lines []string) string {
	if err := files.WriteFile(filepath.Clean(path), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		o.add(configs.Warnf(codes.Write, "Log cannot be written", hcl.Range{}, "%v. Name another folder with -to.", err))
		return ""
	}
	return path
}

// sideText is the value of one side; "" where it has none.
func sideText(v *modules.View) string {
	if v == nil {
		return ""
	}
	return itf.Text(*v)
}
