package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/change"
)

// named returns what traces say of the change, and of the composition that is walked.
func (o *observer) named(shared ...wire.Departure) *itf.OfChange {
	c := &itf.OfChange{Hash: o.sides.Hash, Before: filepath.Base(o.sides.Before), After: filepath.Base(o.sides.After),
		Renamed: o.x.settings(nil), Repo: o.x.of.Repo, Diff: o.x.of.Diff, Base: o.x.of.Base, Shared: shared}
	if o.coded != nil && o.coded.after != "" {
		if rest, err := filepath.Rel(sidesIn(o.first), o.coded.after); err == nil && filepath.IsLocal(rest) {
			c.Code = filepath.ToSlash(rest)
			c.Content, _ = contentOf(o.coded.after)
		}
	}
	if o.pass != nil && o.run != o.first && o.of != nil {
		c.Composed = &itf.Composed{Options: byName(o.of.Options), Bounds: byName(o.of.Bounds)}
	}
	return c
}

func byName(all []grains.Setting) map[string]string {
	out := map[string]string{}
	for _, s := range all {
		out[s.Name] = s.Value
	}
	return out
}

// Composed returns the run of the composition in which the trace of a change was done. That is r if
// it is the manifest's own. If the composition cannot be made, an error says why.
func Composed(r *session.Run, meta itf.Meta) *session.Run {
	if meta.Change == nil || meta.Change.Composed == nil || r.Composition == nil {
		return r
	}
	a := compose.Alternative{Implementation: meta.Implementation}
	for _, m := range meta.Modules {
		if m.Grain == "" {
			continue
		}
		if a.Grains = append(a.Grains, grains.Ref{Module: m.Module, Grain: m.Grain}); m.Target {
			a.Targets = append(a.Targets, m.Module)
		}
	}
	settings := func(all map[string]string) (out []grains.Setting) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			out = append(out, grains.Setting{Name: name, Value: all[name]})
		}
		return out
	}
	a.Options, a.Bounds = settings(meta.Change.Composed.Options), settings(meta.Change.Composed.Bounds)
	of, _ := walkedWith(r, a, "")
	if of.Composition == nil {
		r.Add(configs.Errorf(codes.OfChange, "Trace of changed code", hcl.Range{},
			"The composition of the trace cannot be made: %s Do the walks of the change again.", words.Sentence(firstError(of.Diagnostics))))
		r.Composition = nil
		return r
	}
	of.Diagnostics = nil
	return of
}

// walkedWith resolves an alternative as a manifest that extends the one of a run, and returns its
// text, too.
func walkedWith(manifest *session.Run, a compose.Alternative, comment string) (*session.Run, []byte) {
	path := filepath.Join(filepath.Dir(manifest.Manifest.Path), manifest.Manifest.Name()+"-walked.hcl")
	text, _ := manifest.Composition.Write(a, filepath.Dir(path), comment)
	return manifest.Env.ResolveWith(path, configs.Options{Environ: manifest.Env.Environ, ReadFile: func(name string) ([]byte, error) {
		if name == path {
			return text, nil
		}
		return files.Read(name)
	}}), text
}

// Again does the trace of a change once more on the changed code, which the cache has by its hash.
// It sets r.Report. If the code is not there, an error says how to make it.
func Again(r *session.Run, impl *configs.Implementation, meta itf.Meta, path string, trace *wire.Trace, limits session.Limits) {
	coded := impl.Sources == nil || len(impl.Sources.Packages.Value) == 0 || impl.Driver.IsSet()
	dir, err := "", error(nil)
	if coded {
		dir, err = codeIn(sidesIn(r), meta.Change)
	} else {
		dir, err = change.SideIn(sidesIn(r), meta.Change.After)
	}
	if err != nil {
		r.Add(configs.Errorf(codes.SideGone, "Changed code of the trace not found", hcl.Range{},
			"%s was done on the changed code of change %s, and the cache does not have that code: %v. A trace of a change is not done on other code. Make the code again with:\n%s",
			path, meta.Change.Hash, err, madeBy(r, impl, meta)))
		return
	}
	r.OfChange(meta.Change, meta.Invariant)
	if coded {
		if program := r.Program(impl); program != "" {
			r.Retrace(impl, program, trace, limits, &wire.Code{Path: dir})
		}
		return
	}
	code, diags := r.BuildCode(impl, sideIn(dir))
	if r.Add(diags...); diags.HasErrors() || r.Stopped != "" {
		return
	}
	r.Retrace(impl, code.Program, trace, limits, nil)
}

// codeIn returns the path of the compiled code that a trace names, if its files are those that were
// run.
func codeIn(folder string, c *itf.OfChange) (string, error) {
	rest := filepath.FromSlash(c.Code)
	if rest == "" || !filepath.IsLocal(rest) {
		return "", fmt.Errorf("the trace names no compiled code")
	}
	path := filepath.Join(folder, rest)
	switch content, err := contentOf(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no %s", path)
	case err != nil:
		return "", err
	case content != c.Content:
		return "", fmt.Errorf("the files in %s are not those that were run", path)
	}
	return path, nil
}

// contentOf returns a hash of a file, or of the files in a folder with their names: 32 hexadecimal
// digits.
func contentOf(path string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := host.ReadFile(at)
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(path, at)
		fmt.Fprintf(h, "%q %d ", filepath.ToSlash(rest), len(text))
		h.Write(text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:16]), err
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
		if v.Changed() {
			args = append(args, "-var", v.Name+"="+strings.Trim(meta.Variables[v.Name], `"`))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(meta.Set)) {
		args = append(args, "-set", name+"="+meta.Set[name])
	}
	for k := range args {
		args[k] = words.Shell(args[k])
	}
	return strings.Join(args, " ")
}
