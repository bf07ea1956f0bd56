package main

import (
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
	return c.env(in).Resolve(c.args[0], c.vars)
}
