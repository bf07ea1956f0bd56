package session

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// Run is what became of one manifest, as far as it went.
type Run struct {
	Env         *Env
	Manifest    *configs.Manifest
	Composition *compose.Composition // nil where the manifest could not be resolved
	Interaction *result.Interaction  // nil where it was not examined
	Analysis    *interaction.Report  // what static is made of; nil where the sources could not be loaded
	request     wire.Request         // what the program was asked, where report is set
	Report      *wire.Report         // nil where nothing was explored
	traces      []string             // paths, one for each violation; "" for one that could not be written
	progress    []wire.Progress      // samples of the run, where a report is asked for
	Stopped     string               // why exploration was not begun, or ended without a report
	Diagnostics hcl.Diagnostics
}

// off reports whether the manifest's options or bounds switch an action off: constants make its guard false in every state.
func (o *Run) off(action string) bool {
	return o.Analysis != nil && slices.Contains(o.Analysis.Never, action)
}

func (o *Run) Add(diags ...*hcl.Diagnostic) { o.Diagnostics = append(o.Diagnostics, diags...) }

// Resolve loads a manifest and compares it with the catalog of its system.
func (e *Env) Resolve(path string, vars []configs.Assignment) *Run {
	return e.ResolveWith(path, configs.Options{Assignments: vars, Environ: e.Environ})
}

func (e *Env) ResolveWith(path string, opt configs.Options) *Run {
	o := &Run{Env: e}
	m, diags := configs.Load(path, opt)
	o.Manifest = m
	o.Add(diags...)
	if diags.HasErrors() {
		unread := func(d *hcl.Diagnostic) bool {
			return slices.Contains([]configs.Code{configs.CodeUnreadable, configs.CodeNotUTF8, configs.CodeSyntax, configs.CodeExtends, configs.CodeExtendsCycle}, configs.CodeOf(d))
		}
		if !slices.ContainsFunc(diags, unread) {
			o.Add(compose.Mistakes(m, diags, e.Composing())...)
		}
		return o
	}
	comp, diags := compose.Resolve(m, e.Composing())
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(line(m, a), line(m, b)) })
	o.Add(diags...)
	if !diags.HasErrors() {
		o.Composition = comp
	}
	return o
}

// line numbers the lines of a manifest's files one after the other. What stands elsewhere comes last.
func line(m *configs.Manifest, d *hcl.Diagnostic) int {
	const longest = 1 << 20 // no file of configs has as many lines
	if d.Subject != nil {
		if k := slices.Index(m.Files, d.Subject.Filename); k >= 0 {
			return k*longest + d.Subject.Start.Line
		}
	}
	return len(m.Files) * longest
}

// assembled is the path of a program that is built now or was before; "" where there is none.
func (o *Run) assembled(assemble func(context.Context) (string, hcl.Diagnostics)) string {
	program, diags := assemble(o.Env.Soft)
	if o.Env.Soft.Err() != nil {
		o.Stopped = InterruptedBuild
		return ""
	}
	o.Add(diags...)
	if diags.HasErrors() {
		return ""
	}
	return program
}

// InterruptedBuild is why nothing was run.
const InterruptedBuild = "interrupted while the program was built"
