package main

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/junit"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var testVerb = verb{
	name: "test", args: "DIR|MANIFEST...", summary: "check manifests against their expect blocks", least: 1, most: -1,
	about: `Every manifest below a folder that names a system, itself or through extends, is checked, and what is found is compared
with its expect block; without one it is expected to hold. Actions that are never enabled and goals that are not reached
are errors where a run holds. One that expects the verdict "unexplored" is left out. An expected level of interaction preservation is examined, as with the verb interaction. Counterexamples are written only with -traces or -report.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		exploring(fs, o)
		traceFolder(fs, o, "they are not written")
		fs.Func("filter", "only manifests whose path matches a regular `expression`", func(s string) error {
			o.filter = s
			_, err := regexp.Compile(s)
			return err
		})
		junitFile(fs, o)
		comparing(fs, o)
	},
	run: runTest,
}

func runTest(c *call) int {
	c.opt.strict = true
	paths, diags := c.manifests()
	c.report(diags, nil)
	if diags.HasErrors() {
		return shell.ExitOf(diags)
	}
	in := shell.Catch()
	defer in.Release()
	failed := 0
	for _, path := range paths {
		if in.Soft.Err() != nil {
			break
		}
		c.note("%s", path)
		t := c.test(path, in)
		if !t.OK {
			failed++
		}
		c.doc.Tests = append(c.doc.Tests, t)
	}
	c.print(text.Tests(c.doc.Tests, c.painter(c.outWidth)))
	c.shownFailures()
	code := shell.OK
	if failed > 0 {
		code = shell.Differs
	}
	if c.opt.junit != "" {
		if err := files.WriteFile(c.opt.junit, junit.OfTests(c.doc.Tests), 0o644); err != nil {
			d := configs.Errorf(codes.Write, "Results cannot be written", hcl.Range{}, "%v. Name another file with -junit.", err)
			c.report(hcl.Diagnostics{d}, nil)
			code = max(code, shell.System)
		}
	}
	if c.opt.report != "" && !c.writeReport("test", text.Tests(c.doc.Tests, text.Painter(false))) {
		code = max(code, shell.System)
	}
	if in.Soft.Err() != nil {
		c.print("Interrupted: not all manifests were checked.\n")
		return shell.Undecided
	}
	return code
}

// manifests are the files that the arguments mean and the filter lets through.
func (c *call) manifests() ([]string, hcl.Diagnostics) {
	filter := regexp.MustCompile(c.opt.filter) // compiled once already where the flag was read
	var out []string
	var diags hcl.Diagnostics
	for _, arg := range c.args {
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
			case c.whole(path):
				out = append(out, path)
			default:
				c.doc.Skipped = append(c.doc.Skipped, path)
			}
			return nil
		})
		if err != nil {
			return nil, hcl.Diagnostics{configs.Errorf(configs.CodeUnreadable, "Cannot read folder", hcl.Range{}, "%v.", err)}
		}
	}
	if diags.HasErrors() {
		return nil, diags
	}
	out = slices.DeleteFunc(out, func(path string) bool { return !filter.MatchString(path) })
	if len(out) == 0 {
		what := "No manifest is found in " + strings.Join(c.args, ", ")
		if c.opt.filter != "" {
			what += " whose path matches " + c.opt.filter
		}
		return nil, hcl.Diagnostics{configs.Errorf(codes.NoManifest, "No manifest found", hcl.Range{},
			"%s. A manifest is a file *.hcl that names a system, itself or through extends.", what)}
	}
	return out, nil
}

// whole reports whether a file is a manifest of its own: no part of others, and none for logs, which has a trace block and no
// expect block. One that cannot be understood counts as one, so
// that a syntax error does not take it out of the tests.
func (c *call) whole(path string) bool {
	m, diags := configs.Load(path, configs.Options{Assignments: c.opt.vars, Environ: c.environ})
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

// test checks one manifest against its expect block.
func (c *call) test(path string, in shell.Interrupts) result.Test {
	start := time.Now()
	o := c.resolve(path)
	want := expectationOf(o.manifest.Expect)
	if o.comp != nil {
		own := *c
		own.opt.allowBroken = want.interaction == "broken"
		own.preserve(o)
		if want.level > "L0" && o.comparable() {
			own.deepen(o, want.level, in)
			if want.interaction == "gap" || want.interaction == "broken" {
				tolerate(o.diags)
			}
		}
		if !o.diags.HasErrors() && want.explores() {
			own.explore(o, own.request(o), in)
		}
	}
	t := result.Test{Manifest: path, Expected: want.text(), Differences: want.differences(o), Result: new(result.Document)}
	t.OK = len(t.Differences) == 0
	t.Result.Start("check")
	c.describe(t.Result, o)
	t.Result.Diagnostics = diagnosticsOf(o.diags, o.manifest.Sources)
	t.Found, t.Seconds = t.Result.Found(), time.Since(start).Seconds()
	return t
}

// shownFailures shows the diagnostics of manifests that failed, in text.
func (c *call) shownFailures() {
	for _, t := range c.doc.Tests {
		if !t.OK {
			c.showBelow(t.Manifest, t.Result.Diagnostics)
		}
	}
}
