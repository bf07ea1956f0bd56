package monitor

import (
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// NextTo assembles the program that runs next to a node, and runs it until the stream or the user
// ends it.
func NextTo(o *session.Run, opt *Options, log *slog.Logger) *result.Monitor {
	built, diags := o.Composition.AssembleMonitor(o.Env.Soft)
	if o.Env.Soft.Err() != nil {
		return &result.Monitor{Node: opt.Node, Verdict: verdicts.Undecided, Reason: session.InterruptedBuild}
	}
	if o.Add(diags...); diags.HasErrors() {
		return nil
	}
	opt.Footprints, opt.Settings = built.Footprints, built.Settings
	s := &Service{node: opt.Node, log: log, started: host.Now()}
	if err := s.open(opt); err != nil {
		o.Add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%v.", err))
		return nil
	}
	defer s.close()
	source := opt.Source
	if piped(source) {
		path, remove, err := feed(source)
		if err != nil {
			o.Add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%v.", err))
			return nil
		}
		defer remove()
		opt.Source = path
	}
	s.log.Info("monitor started", "manifest", o.Manifest.Name(), "node", opt.Node, "source", source)
	review := newReviewer(o, built, opt, log)
	p := wire.Program{Path: built.Path, Stop: o.Env.Soft.Done(), Refinement: func(r wire.Refinement) {
		s.heard(r)
		if r.Part != nil {
			review.hear(r.Part, s.leftOut())
		}
	}}
	req := wire.Request{Verb: "monitor", Choice: built.Choice, Options: wire.Options{Monitor: &opt.Monitor}}
	report, err := p.Run(o.Env.Hard, req)
	again, unjudged := review.close()
	if err != nil {
		s.log.Error("monitor failed", "error", err)
		if failed(o, err); o.Stopped != "" {
			return &result.Monitor{Node: opt.Node, Verdict: verdicts.Undecided, Reason: o.Stopped}
		}
		return nil
	}
	last := *report.Refinement
	doc := &result.Monitor{Node: opt.Node, Verdict: report.Verdict, Reason: report.Reason, Seconds: report.Seconds, Alarms: last.Alarms,
		Malformed: last.Malformed, Unreadable: last.Unreadable}
	doc.Substitutions = substituted(built, planOf(report).Actions)
	s.heard(last)
	remarshal(report.Refinement.Stats, &doc.Stats)
	if report.Refinement.Alarm != nil {
		doc.Alarm = &result.Alarm{}
		remarshal(report.Refinement.Alarm, doc.Alarm)
	}
	doc.Finer, doc.Unjudged = again, unjudged
	s.log.Info("monitor ended", "verdict", doc.Verdict, "outgoing", doc.Stats.Out, "decided", doc.Stats.Decided)
	s.finish()
	return doc
}

// Explain says how the composition runs next to a node.
func Explain(o *session.Run, node int) *result.NodePlan {
	built, diags := o.Composition.AssembleMonitor(o.Env.Soft)
	if o.Add(diags...); diags.HasErrors() {
		return nil
	}
	p := wire.Program{Path: built.Path, Stop: o.Env.Soft.Done()}
	req := wire.Request{Verb: "monitor", Choice: built.Choice, Options: wire.Options{Monitor: &wire.Monitor{Node: node, Footprints: built.Footprints, Plan: true}}}
	report, err := p.Run(o.Env.Hard, req)
	if err != nil {
		if failed(o, err); o.Stopped != "" {
			o.Add(configs.Errorf(codes.SpecFault, "Specification does not return", hcl.Range{}, "%s", words.Sentence(o.Stopped)))
		}
		return nil
	}
	doc := planOf(report)
	doc.Substitutions = substituted(built, doc.Actions)
	return doc
}

// planOf returns what the program has derived.
func planOf(report *wire.Report) *result.NodePlan {
	var doc result.NodePlan
	remarshal(report.Refinement.Plan, &doc)
	return &doc
}

// substituted lists the substitutions of a monitor: grains, options and bounds. It adds the grains
// whose actions of several servers run by local actions.
func substituted(built *compose.Monitor, actions []result.NodeAction) (out []result.Substitution) {
	remarshal(built.Substitutions, &out)
	for _, g := range built.Grains {
		var by []string
		for _, l := range actions {
			if slices.ContainsFunc(actions, func(a result.NodeAction) bool { return a.Module == g.Module && slices.Contains(l.For, a.Name) }) {
				by = append(by, l.Name)
			}
		}
		if len(by) > 0 {
			out = append(out, result.Substitution{What: g.Module, From: g.Grain, To: "its local actions " + strings.Join(by, ", "),
				Why: "some of its steps concern several servers, or both ends of a connection"})
		}
	}
	return out
}

// failed reports why a monitor could not start or continue.
func failed(o *session.Run, err error) {
	var fault *wire.Error
	if !errors.As(err, &fault) {
		o.Failed(err, session.NextToManifest)
		return
	}
	switch fault.Kind {
	case wire.ErrorOptions:
		o.Add(configs.Errorf(codes.MonitorSettings, "Invalid settings", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorInput:
		o.Add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorLocal:
		o.Add(configs.Errorf(codes.MonitorLocal, "Not for one node", hcl.Range{},
			"%s Give the grain that has the action a form next to a node: Node: grains.Form{As: ..., Why: ...}. Or declare what one server sees of the action: "+
				"modules.Local{Of: &..., Actions: ...} in Runtime.Locals.", words.Sentence(fault.Message)))
	case wire.ErrorDeclared:
		o.Add(configs.Errorf(codes.MonitorLocal, "Declaration does not hold", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorSystem:
		o.Add(configs.Errorf(codes.Machine, "Monitor failed", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	default:
		o.Failed(err, session.NextToManifest)
	}
}

// remarshal reads what the program sent as JSON into a type of this package.
func remarshal(from, to any) {
	if b, err := json.Marshal(from); err == nil {
		_ = json.Unmarshal(b, to) // a field of another type stays zero
	}
}
