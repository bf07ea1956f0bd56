package main

import (
	"cmp"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/compose"
)

// env is what runs need of this call, until in is released.
func (c *call) env(in shell.Interrupts) *session.Env {
	return &session.Env{Environ: c.environ, Input: c.in, Cache: c.settings.Cache, Building: c.composing().Building, Keep: c.keep, Soft: in.Soft, Hard: in.Hard,
		Watch: func(req wire.Request) (func(wire.Progress), func()) {
			if bar := c.progress(req); bar != nil {
				return bar.Show, bar.End
			}
			return nil, func() {}
		}}
}

// composing is what composing needs.
func (c *call) composing() compose.Env {
	e := compose.Env{CacheDir: c.settings.Cache}
	if c.errWidth > 0 { // somebody waits at a terminal
		e.Building = func() { c.note("building the program of this composition, which is kept for the next time") }
	}
	return e
}

// resolve resolves the manifest that the first argument names.
func (c *call) resolve(in shell.Interrupts) *session.Run {
	return c.env(in).Resolve(c.args[0], c.opt.vars)
}

// limits are those that flags and settings set.
func (c *call) limits() session.Limits {
	return session.Limits{Workers: c.opt.workers, Timeout: c.opt.timeout, MaxStates: c.opt.maxStates, Memory: c.opt.memory, Seed: c.opt.seed, Stop: c.opt.stop}
}

// exploring is how flags say that a composition is explored.
func (c *call) exploring() session.Exploring {
	return session.Exploring{Reductions: session.Reductions{Slice: c.opt.slice, Symmetry: c.opt.symmetry, Por: c.opt.por}, Keeping: c.opt.keeping, Strict: c.opt.strict,
		Explain: c.opt.explain, Nearest: c.opt.verbose, Sample: c.opt.report != "", Traces: c.tracesIn()}
}

// comparing is how flags say that compositions are compared.
func (c *call) comparing() session.Comparing {
	return session.Comparing{Limits: c.limits(), Again: c.opt.again, Traces: cmp.Or(c.opt.traces, c.opt.report), Faults: c.tracesIn()}
}

// tracesIn is the folder for counterexamples; "" where they are not kept.
func (c *call) tracesIn() string {
	switch {
	case c.opt.traces != "":
		return c.opt.traces
	case c.opt.report != "":
		return c.opt.report
	case c.verb.name == "test" || c.verb.name == "compare":
		return ""
	}
	return "."
}
