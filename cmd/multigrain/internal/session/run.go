package session

import (
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// Run collects the values that the stages returned for one manifest, and their diagnostics.
type Run struct {
	Env         *Env
	Manifest    *configs.Manifest
	Composition *compose.Composition // nil where the manifest could not be resolved
	Examined
	Explored
	// Stopped is why exploration did not begin, or ended without a report.
	Stopped     string
	Diagnostics hcl.Diagnostics

	// Transcript is the file that gets the lines of a driver; "": none does.
	Transcript string

	// AsWritten says that no flag changes the composition or the weights of its walks.
	AsWritten bool

	// pinned is the version of an implementation that a flag names; "" where the manifest's counts.
	pinned    string
	completed bool // the search ended by itself, without a violation

	// change names the changed code that the run is about; nil for another run. Own is the
	// invariant that its trace breaks.
	change *itf.OfChange
	own    string

	// compared is the composition of a comparison that failed, while that is reported.
	compared *compose.Composition

	// Finer says what became of the counterexample in the fine composition; nil: nobody asked.
	Finer *result.FinerAnswer

	traces []string // paths, one for each violation; "" for one that could not be written
}

// off reports whether the manifest's options or bounds switch an action off: constants make its
// guard false in every state.
func (r *Run) off(action string) bool {
	return r.Analysis != nil && slices.Contains(r.Analysis.Never, action)
}

// Off returns the actions that the manifest's options or bounds switch off. It examines the
// composition. One that cannot be examined switches none off.
func (r *Run) Off() []string {
	x, _ := Preserve(r.Manifest, r.Composition, true)
	if x.Analysis == nil {
		return nil
	}
	return x.Analysis.Never
}

// Add adds diagnostics to those of the run.
func (r *Run) Add(diags ...*hcl.Diagnostic) { r.Diagnostics = append(r.Diagnostics, diags...) }

// Resolve loads a manifest and compares it with the catalog of its system.
func (e *Env) Resolve(path string, vars []configs.Assignment) *Run {
	return e.ResolveWith(path, configs.Options{Assignments: vars, Environ: e.Environ})
}

// ResolveWith is Resolve with other options of loading.
func (e *Env) ResolveWith(path string, opt configs.Options) *Run {
	r := &Run{Env: e}
	m, diags := configs.Load(path, opt)
	r.Manifest = m
	r.Add(diags...)
	if diags.HasErrors() {
		if !slices.ContainsFunc(diags, unreadable) {
			r.Add(compose.Mistakes(m, diags, e.Composing())...)
		}
		return r
	}
	comp, diags := resolve(m, e.Composing())
	r.Composition = comp
	r.Add(diags...)
	return r
}

// unreadable reports whether a diagnostic says that a manifest is not known as a whole.
func unreadable(d *hcl.Diagnostic) bool {
	return slices.Contains([]configs.Code{configs.CodeUnreadable, configs.CodeNotUTF8, configs.CodeSyntax, configs.CodeExtends, configs.CodeExtendsCycle}, configs.CodeOf(d))
}

// Preserve examines the composition: see the function Preserve.
func (r *Run) Preserve(allowBroken bool) {
	x, diags := Preserve(r.Manifest, r.Composition, allowBroken)
	r.Examined = x
	r.Add(diags...)
}

// Reduce adds the reductions that are asked for to a request: see the function Reduce.
func (r *Run) Reduce(req *wire.Request, on Reductions) {
	x, diags := Reduce(r.Manifest, r.Composition, on)
	req.Options.Symmetry, req.Options.POR, req.Options.Footprints = x.Symmetry, x.POR, x.Footprints
	r.Add(diags...)
}

// line numbers the lines of a manifest's files one after the other. What stands elsewhere comes
// last.
func line(m *configs.Manifest, d *hcl.Diagnostic) int {
	const longest = 1 << 20 // no file of configs has as many lines
	if d.Subject != nil {
		if k := slices.Index(m.Files, d.Subject.Filename); k >= 0 {
			return k*longest + d.Subject.Start.Line
		}
	}
	return len(m.Files) * longest
}

// assembled returns the path of a program that is built now or was before; "" where there is none.
func (r *Run) assembled(build Build) string {
	program, interrupted, diags := r.Env.Assemble(build)
	if interrupted {
		r.Stopped = InterruptedBuild
		return ""
	}
	r.Add(diags...)
	return program
}

// InterruptedBuild is why nothing was run.
const InterruptedBuild = "interrupted while the program was built"

// Build assembles the program and copies it to path.
func (r *Run) Build(path string) {
	program := r.assembled(r.Composition.Assembling(compose.Check, compose.Simulate))
	if program == "" {
		return
	}
	content, err := host.ReadFile(program)
	if err == nil {
		err = files.WriteFile(filepath.Clean(path), content, 0o755)
	}
	if err != nil {
		r.Add(configs.Errorf(codes.Write, "Program cannot be written", hcl.Range{}, "%v. Name another file with -r.", err))
	}
}
