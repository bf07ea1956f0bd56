package monitor

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/compose"
)

// reviewer judges parts of a stream again, with each finer grain of the composition, while the
// monitor continues. It takes one part after the other.
type reviewer struct {
	o      *session.Run
	opt    Options
	log    *slog.Logger
	live   bool
	own    *compose.Monitor // the manifest's composition
	parts  chan heardPart
	done   chan struct{}
	finer  []finerMonitor // assembled for the first part
	judged []result.Finer
	passed atomic.Int64 // parts that nobody judged
}

// heardPart is a part, and the networks whose events the stream has had so far and the manifest's
// composition leaves out.
type heardPart struct {
	*wire.Part
	leftOut []string
}

// finerMonitor is a composition with finer grains, ready to run.
type finerMonitor struct {
	compose.Finer
	built  *compose.Monitor
	extra  []string // networks that it compares and the manifest's composition does not
	reason string   // why it cannot run
}

// Limits of a live stream and of the report: parts that wait, and judgements that are listed.
const (
	maxPartsWaiting = 4
	maxJudged       = 100
)

func newReviewer(o *session.Run, own *compose.Monitor, opt *Options, log *slog.Logger) *reviewer {
	r := &reviewer{o: o, own: own, opt: *opt, log: log, live: strings.HasPrefix(opt.Source, "unix:"), parts: make(chan heardPart, maxPartsWaiting), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		for p := range r.parts {
			r.part(p)
		}
	}()
	return r
}

// hear takes a part. A live stream does not wait for the reviewer: parts beyond the limit are
// counted and passed over.
func (r *reviewer) hear(p *wire.Part, leftOut []string) {
	if r.live {
		select {
		case r.parts <- heardPart{p, leftOut}:
		default:
			r.passed.Add(1)
		}
		return
	}
	select {
	case r.parts <- heardPart{p, leftOut}:
	case <-r.o.Env.Soft.Done():
		r.passed.Add(1)
	}
}

// close waits for the judgements of the parts that were heard.
func (r *reviewer) close() ([]result.Finer, int64) {
	close(r.parts)
	<-r.done
	return r.judged, r.passed.Load()
}

// part judges a part with each finer composition.
func (r *reviewer) part(p heardPart) {
	if r.o.Env.Soft.Err() != nil || len(r.judged) >= maxJudged {
		r.passed.Add(1)
		return
	}
	if r.finer == nil {
		r.assemble()
	}
	source, remove, err := stored(p.Lines)
	if err != nil {
		r.passed.Add(1)
		r.log.Error("a part of the stream cannot be judged again", "error", err)
		return
	}
	defer remove()
	for k := range r.finer {
		f := &r.finer[k]
		d := result.Finer{Occasion: p.Occasion, At: p.At, Modules: f.Modules, From: p.From, Events: len(p.Lines), Verdict: verdicts.Undecided, Reason: f.reason}
		for _, ref := range f.By {
			d.Grains = append(d.Grains, ref.Grain)
		}
		if unheard := f.unheard(p.leftOut); d.Reason == "" && unheard != "" {
			d.Reason = fmt.Sprintf("the stream has no events of %s, which the finer grain compares", unheard)
		}
		if d.Reason == "" {
			r.run(f, source, &d)
		}
		r.log.Info("judged again", "occasion", d.Occasion, "at", d.At, "from", d.From, "grains", strings.Join(d.Grains, " and "), "verdict", d.Verdict)
		r.judged = append(r.judged, d)
	}
}

// stored writes a part into a file of a temporary folder. remove deletes the folder.
func stored(lines []string) (source string, remove func(), err error) {
	dir, err := host.MkdirTemp("", "multigrain-*")
	if err != nil {
		return "", nil, err
	}
	source, remove = filepath.Join(dir, "part"), func() { host.RemoveAll(dir) }
	if err := host.WriteFile(source, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		remove()
		return "", nil, err
	}
	return source, remove, nil
}

// run lets a finer composition judge the part in a file.
func (r *reviewer) run(f *finerMonitor, source string, d *result.Finer) {
	m := r.opt.Monitor
	m.Source, m.Snapshot, m.Keep, m.Footprints, m.Settings = source, "", 0, f.built.Footprints, f.built.Settings
	p := wire.Program{Path: f.built.Path, Stop: r.o.Env.Soft.Done(), Refinement: func(wire.Refinement) {}}
	report, err := p.Run(r.o.Env.Hard, wire.Request{Verb: "monitor", Choice: f.built.Choice, Options: wire.Options{Monitor: &m}})
	if err != nil {
		d.Reason = err.Error()
		return
	}
	d.Verdict, d.Reason = report.Verdict, report.Reason
	if report.Refinement.Alarm != nil {
		d.Alarm = &result.Alarm{}
		remarshal(report.Refinement.Alarm, d.Alarm)
	}
}

// assemble assembles the finer compositions and asks them for their networks.
func (r *reviewer) assemble() {
	r.finer = []finerMonitor{}
	own, err := r.networks(r.own)
	unknown := ""
	if err != nil {
		unknown = err.Error()
	}
	for _, f := range r.o.Composition.Finer() {
		m := finerMonitor{Finer: f, reason: unknown}
		built, diags := f.AssembleMonitor(r.o.Env.Soft)
		switch {
		case r.o.Env.Soft.Err() != nil:
			m.reason = session.InterruptedBuild
		case diags.HasErrors():
			m.reason = diags[0].Summary + ": " + diags[0].Detail
		default:
			m.built = built
			networks, err := r.networks(built)
			if err != nil {
				m.reason = err.Error()
			}
			m.extra = slices.DeleteFunc(networks, func(name string) bool { return slices.Contains(own, name) })
		}
		r.finer = append(r.finer, m)
	}
}

// networks returns the networks whose messages a composition compares.
func (r *reviewer) networks(m *compose.Monitor) ([]string, error) {
	p := wire.Program{Path: m.Path, Stop: r.o.Env.Soft.Done()}
	report, err := p.Run(r.o.Env.Hard, wire.Request{Verb: "monitor", Choice: m.Choice,
		Options: wire.Options{Monitor: &wire.Monitor{Node: r.opt.Node, Footprints: m.Footprints, Plan: true}}})
	if err != nil {
		return nil, err
	}
	return planOf(report).Networks, nil
}

// unheard returns a network that the finer composition compares and the manifest's leaves out, if
// the stream has no events of it; "" if there is none.
func (f *finerMonitor) unheard(leftOut []string) string {
	for _, name := range f.extra {
		if !slices.Contains(leftOut, name) {
			return name
		}
	}
	return ""
}
