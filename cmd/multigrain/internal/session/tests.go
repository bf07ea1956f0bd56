package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/diagnostics"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

// Testing says how manifests are compared with their expect blocks.
type Testing struct {
	Limits    Limits
	Exploring Exploring
	Comparing Comparing
	// Mutants explores mutants, for level L3.
	Mutants func(r *Run)
}

// Manifests returns the files that arguments mean and the filter lets through. Skipped are files
// below their folders that are no manifests of their own.
func (e *Env) Manifests(args []string, filter string, vars []configs.Assignment) (out, skipped []string, diags hcl.Diagnostics) {
	matching := regexp.MustCompile(filter) // compiled once already where the flag was read
	for _, arg := range args {
		info, err := os.Stat(arg)
		if errors.Is(err, fs.ErrNotExist) {
			diags = append(diags, configs.Errorf(codes.NoManifest, "No manifest found", hcl.Range{}, "%s does not exist.", arg))
			continue
		}
		if err != nil || !info.IsDir() {
			out = append(out, arg)
			continue
		}
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != arg && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
				return fs.SkipDir
			case d.IsDir() || filepath.Ext(path) != ".hcl":
			case e.whole(path, vars):
				out = append(out, path)
			default:
				skipped = append(skipped, path)
			}
			return nil
		})
		if err != nil {
			return nil, nil, hcl.Diagnostics{configs.Errorf(configs.CodeUnreadable, "Cannot read folder", hcl.Range{}, "%v.", err)}
		}
	}
	if diags.HasErrors() {
		return nil, nil, diags
	}
	out = slices.DeleteFunc(out, func(path string) bool { return !matching.MatchString(path) })
	if len(out) == 0 {
		what := "No manifest is found in " + strings.Join(args, ", ")
		if filter != "" {
			what += " whose path matches " + filter
		}
		return nil, nil, hcl.Diagnostics{configs.Errorf(codes.NoManifest, "No manifest found", hcl.Range{},
			"%s. A manifest is a file *.hcl that names a system, itself or through extends.", what)}
	}
	return out, skipped, nil
}

// whole reports whether a file is a manifest of its own: no part of others, and none for logs,
// which has a trace block and no expect block. One that cannot be understood counts as one, so
// that a syntax error does not take it out of the tests.
func (e *Env) whole(path string, vars []configs.Assignment) bool {
	m, diags := configs.Load(path, configs.Options{Assignments: vars, Environ: e.Environ})
	if m.System != nil {
		if m.Expect != nil && m.Expect.Verdict.Value == "unexplored" {
			return false
		}
		return m.Trace == nil || m.Expect != nil // one that is for logs has nothing to explore
	}
	return slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool {
		return slices.Contains([]configs.Code{configs.CodeSyntax, configs.CodeUnreadable, configs.CodeNotUTF8, configs.CodeExtendsCycle}, configs.CodeOf(d))
	})
}

// Test checks one manifest against its expect block.
func (e *Env) Test(path string, vars []configs.Assignment, how Testing) result.Test {
	start := host.Now()
	o := e.Resolve(path, vars)
	want := expectationOf(o.Manifest.Expect)
	if o.Composition != nil {
		o.Preserve(want.interaction == verdicts.Broken)
		if want.level > "L0" && o.Comparable() {
			o.Deepen(min(want.level, "L2"), how.Comparing)
			if want.level == "L3" && e.Soft.Err() == nil && o.Interaction.Comparison != nil {
				how.Mutants(o)
			}
			if want.interaction == verdicts.Gap || want.interaction == verdicts.Broken {
				tolerate(o.Diagnostics)
			}
		}
		if !o.Diagnostics.HasErrors() && want.explores() {
			o.Explore(o.Exploration(how.Limits, false), how.Exploring)
		}
	}
	t := result.Test{Manifest: path, Expected: want.text(), Differences: want.differences(o), Result: new(result.Document)}
	if x := o.Interaction; x != nil && x.Locked != nil && x.Locked.Status == result.Stale {
		t.Differences = append(t.Differences, x.Locked.Reason) // whatever this run has compared
	}
	t.OK = len(t.Differences) == 0
	t.Result.Start("check")
	o.Describe(t.Result)
	t.Result.Diagnostics = diagnostics.All(o.Diagnostics, o.Manifest.Sources)
	t.Found, t.Seconds = t.Result.Found(), host.Since(start).Seconds()
	return t
}
