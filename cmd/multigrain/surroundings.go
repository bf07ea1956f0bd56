package main

import (
	"cmp"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/compose"
)

// env is what runs need of this call, until in is released.
func (c *call) env(in shell.Interrupts) *env {
	return &env{environ: c.environ, input: c.in, cache: c.settings.Cache, building: c.composing().Building, keep: c.keep, soft: in.Soft, hard: in.Hard,
		watch: func(req wire.Request) (func(wire.Progress), func()) {
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
func (c *call) resolve(in shell.Interrupts) *outcome { return c.env(in).resolve(c.args[0], c.opt.vars) }

// limits are those that flags and settings set.
func (c *call) limits() limits {
	return limits{workers: c.opt.workers, timeout: c.opt.timeout, maxStates: c.opt.maxStates, memory: c.opt.memory, seed: c.opt.seed, stop: c.opt.stop}
}

// exploring is how flags say that a composition is explored.
func (c *call) exploring() exploring {
	return exploring{reductions: reductions{slice: c.opt.slice, symmetry: c.opt.symmetry, por: c.opt.por}, keeping: c.opt.keeping, strict: c.opt.strict,
		explain: c.opt.explain, nearest: c.opt.verbose, sample: c.opt.report != "", traces: c.tracesIn()}
}

// comparing is how flags say that compositions are compared.
func (c *call) comparing() comparing {
	return comparing{limits: c.limits(), again: c.opt.again, traces: cmp.Or(c.opt.traces, c.opt.report), faults: c.tracesIn()}
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
