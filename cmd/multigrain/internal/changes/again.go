package changes

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction/change"
)

// named returns what traces say of the change.
func (o *observer) named(shared ...wire.Departure) *itf.OfChange {
	return &itf.OfChange{Hash: o.sides.Hash, Before: filepath.Base(o.sides.Before), After: filepath.Base(o.sides.After),
		Renamed: o.x.settings(nil), Repo: o.x.of.Repo, Diff: o.x.of.Diff, Base: o.x.of.Base, Shared: shared}
}

// Again does the trace of a change once more on the changed code, which the cache has by its hash.
// It sets r.Report. If the code is not there, an error says how to make it.
func Again(r *session.Run, impl *configs.Implementation, meta itf.Meta, path string, trace *wire.Trace, limits session.Limits) {
	if impl.Sources == nil || len(impl.Sources.Packages.Value) == 0 {
		r.Add(configs.Errorf(codes.OfChange, "Trace of changed code", impl.DeclRange,
			"%s was done on the changed code of change %s, and replay builds changed code in Go only. Do its walks again with:\n%s", path, meta.Change.Hash, madeBy(r, impl, meta)))
		return
	}
	dir, err := change.SideIn(sidesIn(r), meta.Change.After)
	if err != nil {
		r.Add(configs.Errorf(codes.SideGone, "Changed code of the trace not found", hcl.Range{},
			"%s was done on the changed code of change %s, and the cache does not have that code: %v. A trace of a change is not done on other code. Make the code again with:\n%s",
			path, meta.Change.Hash, err, madeBy(r, impl, meta)))
		return
	}
	r.OfChange(meta.Change, meta.Invariant)
	code, diags := r.BuildCode(impl, compose.Code{Dir: dir})
	if r.Add(diags...); diags.HasErrors() || r.Stopped != "" {
		return
	}
	r.Retrace(impl, code.Program, trace, limits)
}

// madeBy returns the command that reads the change of a trace again, as a shell takes it.
func madeBy(r *session.Run, impl *configs.Implementation, meta itf.Meta) string {
	c := meta.Change
	args := []string{"multigrain", "change", meta.Manifest}
	for _, f := range [][2]string{{"-repo", c.Repo}, {"-diff", c.Diff}, {"-base", c.Base}} {
		if f[1] != "" {
			args = append(args, f[0], f[1])
		}
	}
	if len(r.Manifest.Implementations) > 1 {
		args = append(args, "-impl", impl.Name)
	}
	for _, v := range r.Manifest.Variables {
		if v.Changed() && meta.Variables[v.Name] != "null" {
			args = append(args, "-var", v.Name+"="+strings.Trim(meta.Variables[v.Name], `"`))
		}
	}
	for k := range args {
		args[k] = words.Shell(args[k])
	}
	return strings.Join(args, " ")
}
