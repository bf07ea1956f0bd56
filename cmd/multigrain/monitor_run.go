package main

import (
	"errors"
	"log/slog"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// beside assembles the program and runs it until the stream or the user ends it.
func beside(o *outcome, opt *monitorOptions, log *slog.Logger) *result.Monitor {
	program, prints, diags := o.comp.AssembleMonitor(o.env.soft)
	if o.env.soft.Err() != nil {
		return &result.Monitor{Node: opt.Node, Verdict: "undecided", Reason: interruptedBuild}
	}
	if o.add(diags...); diags.HasErrors() {
		return nil
	}
	opt.Footprints = prints
	s := &service{node: opt.Node, log: log, started: time.Now()}
	if err := s.open(opt); err != nil {
		o.add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%v.", err))
		return nil
	}
	defer s.close()
	source := opt.Source
	if piped(source) {
		path, remove, err := feed(source)
		if err != nil {
			o.add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%v.", err))
			return nil
		}
		defer remove()
		opt.Source = path
	}
	s.log.Info("monitor started", "manifest", o.manifest.Name(), "node", opt.Node, "source", source)
	p := wire.Program{Path: program, Stop: o.env.soft.Done(), Refinement: s.heard}
	req := wire.Request{Verb: "monitor", Choice: o.comp.EncodedChoice(), Options: wire.Options{Monitor: &opt.Monitor}}
	report, err := p.Run(o.env.hard, req)
	if err != nil {
		s.log.Error("monitor failed", "error", err)
		monitorFailed(o, err)
		return nil
	}
	last := *report.Refinement
	doc := &result.Monitor{Node: opt.Node, Verdict: report.Verdict, Reason: report.Reason, Seconds: report.Seconds, Alarms: last.Alarms,
		Malformed: last.Malformed, Unreadable: last.Unreadable}
	s.heard(last)
	remarshal(report.Refinement.Stats, &doc.Stats)
	if report.Refinement.Alarm != nil {
		doc.Alarm = &result.Alarm{}
		remarshal(report.Refinement.Alarm, doc.Alarm)
	}
	s.log.Info("monitor ended", "verdict", doc.Verdict, "outgoing", doc.Stats.Out, "decided", doc.Stats.Decided)
	s.finish()
	return doc
}

// monitorFailed reports why a monitor could not start or go on.
func monitorFailed(o *outcome, err error) {
	var fault *wire.Error
	if !errors.As(err, &fault) {
		o.failed(err, ".")
		return
	}
	switch fault.Kind {
	case wire.ErrorOptions:
		o.add(configs.Errorf(codes.MonitorSettings, "Invalid settings", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorInput:
		o.add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorLocal:
		o.add(configs.Errorf(codes.MonitorLocal, "Not for one node", hcl.Range{},
			"%s Choose grains whose actions use the acting server's variables only, or declare local effects (Runtime.Locals).", words.Sentence(fault.Message)))
	case wire.ErrorDeclared:
		o.add(configs.Errorf(codes.MonitorLocal, "Declaration does not hold", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorSystem:
		o.add(configs.Errorf(codes.Machine, "Monitor failed", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	default:
		o.failed(err, ".")
	}
}
