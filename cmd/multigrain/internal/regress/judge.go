package regress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

// Asked completes a request of replay: the property of the trace is judged on the implementation.
// A trace of conform has no property, and its request stays as it is.
func Asked(r *session.Run, meta itf.Meta, req *wire.Request) {
	if property(meta) == "" {
		return
	}
	actions, seen, diags := r.Composition.Footprints()
	if r.Add(diags...); diags.HasErrors() {
		return
	}
	req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	req.Options.Conform.Follow = &wire.Follow{Always: true, Unobserved: true}
}

// property returns the name of the property that a trace violates; "" for a trace of conform.
func property(meta itf.Meta) string {
	if meta.Kind == "conform" || meta.Instance == "" {
		return meta.Invariant
	}
	return meta.Invariant + "." + meta.Instance
}

// About says what a trace was kept for, as the end of a sentence.
func About(meta itf.Meta) string {
	switch meta.Kind {
	case "conform":
		return "the two differ: " + strings.TrimSuffix(meta.Doc, ".")
	case "state", "step":
		return "the implementation violates " + property(meta) + " on it"
	case "":
		return "a trace of no violation"
	}
	return "a trace of kind " + meta.Kind
}

// Pinned returns the value of -impl for a test: what the user gave, or else the name of the block.
// A driver's version is added, since the test is edited there when another version is tested.
func Pinned(given string, impl *configs.Implementation) string {
	if given == "" {
		given = impl.Name
	}
	if !strings.Contains(given, "@") && impl.Driver.IsSet() && impl.Version.Value != "" {
		given += "@" + impl.Version.Value
	}
	return given
}

// Judge gives the verdict of a replay that Asked completed. D is its result without that verdict.
// What makes the trace worthless is among the diagnostics of r.
func Judge(r *session.Run, meta itf.Meta, trace *wire.Trace, d *result.Conformance) {
	name := property(meta)
	f := r.Report.Conformance.Followed
	if name == "" || f == nil {
		return
	}
	if k := slices.IndexFunc(f.Unjudged, func(u wire.Unjudged) bool { return u.Invariant == name }); k >= 0 {
		d.Ghost = f.Unjudged[k].Variable
	}
	own := slices.IndexFunc(d.Broken, func(b result.BrokenInCode) bool { return b.Invariant == name || b.Kind == verdicts.Panic })
	if own >= 0 {
		d.Broken = []result.BrokenInCode{d.Broken[own]} // the trace was kept for no other
		d.Judged, d.Verdict, d.Reason = name, verdicts.Violated, ""
		return
	}
	d.Broken = nil
	departs := len(d.Found) > 0
	undecided := func(format string, args ...any) {
		d.Verdict, d.Reason = verdicts.Undecided, fmt.Sprintf(format, args...)
	}
	switch {
	case departs && d.Found[0].Kind != "variable" && len(d.Found[0].Values) == 0:
		return // the implementation failed, so its states say nothing
	case d.Undriven > 0 || r.Report.Reason != "":
		undecided("%s", r.Report.Reason)
	case !slices.Contains(f.Judged, name):
		r.Add(configs.Errorf(codes.Trace, "Property of the trace not found", hcl.Range{},
			"The composition does not check %s, which the trace violates. Name it in the check block, or keep a new trace.", name))
		undecided("%s is not checked", name)
	case !departs && d.Steps < int64(len(trace.Steps)):
		r.Add(configs.Errorf(codes.Trace, "Not a trace of the composition", hcl.Range{},
			"Only %d of the %d steps are possible in the specification of today, and the implementation does not differ from it. Keep a new trace.", d.Steps, len(trace.Steps)))
		undecided("the trace is no longer possible")
	default:
		d.Judged, d.Verdict, d.Reason = name, verdicts.Holds, ""
	}
}
