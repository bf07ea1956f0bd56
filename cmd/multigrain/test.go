package main

import (
	"flag"
	"regexp"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/mutants"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/junit"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var testVerb = command.Verb{
	Name: "test", Args: "DIR|MANIFEST...", Summary: "check manifests against their expect blocks", Least: 1, Most: -1,
	About: `Every manifest below a folder that names a system, itself or through extends, is checked. The result is compared with the
manifest's expect block. Without such a block the manifest is expected to hold. Actions that are never enabled, goals that are not reached and premises of liveness properties that are never true
are errors where a run holds. One that expects the verdict "unexplored" is left out. An expected level of interaction preservation is examined, as with the verb interaction. A manifest
whose stated level is stale in the lock file is not as expected. Counterexamples are written only with -traces or -report.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(testOptions) },
}

// testOptions are the options of test.
type testOptions struct {
	command.Explored
	filter string
	again  bool
}

func (o *testOptions) Flags(fs *flag.FlagSet) {
	o.Declare(fs, "they are not written")
	fs.Func("filter", "only manifests whose path matches a regular `expression`", func(s string) error {
		o.filter = s
		_, err := regexp.Compile(s)
		return err
	})
	o.JunitFlag(fs)
	command.AgainFlag(fs, &o.again)
}

// Logs returns no files: the verb itself writes its logs.
func (o *testOptions) Logs() *command.Written { return &command.Written{} }

func (o *testOptions) Run(c *command.Call) int {
	o.Strict = true
	paths, skipped, diags := c.Env(shell.Uncaught()).Manifests(c.Args, o.filter, c.Vars)
	c.Doc.Skipped = skipped
	c.Report(diags, nil)
	if diags.HasErrors() {
		return shell.ExitOf(diags)
	}
	in := shell.Catch()
	defer in.Release()
	how := session.Testing{Limits: o.Limits, Exploring: o.Exploring(session.NoTraces), Comparing: o.Comparing(&o.Bounded, o.again, session.NoTraces)}
	how.Mutants = func(r *session.Run) {
		mutants.Run(r, mutants.Options{Comparing: how.Comparing, Most: mutants.Most, Seed: mutants.Seed})
	}
	for _, path := range paths {
		if in.Soft.Err() != nil {
			break
		}
		c.Note("%s", path)
		c.Doc.Tests = append(c.Doc.Tests, c.Env(in).Test(path, c.Vars, how))
		c.Doc.Looked.Manifests++
	}
	c.Doc.Interrupted = in.Soft.Err() != nil
	c.Print(text.Tests(c.Doc.Tests, c.Painter(c.OutWidth)))
	shownFailures(c)
	if o.Junit != "" {
		if err := files.WriteFile(o.Junit, junit.OfTests(c.Doc.Tests, paths[len(c.Doc.Tests):]), 0o644); err != nil {
			d := configs.Errorf(codes.Write, "Results cannot be written", hcl.Range{}, "%v. Name another file with -junit.", err)
			c.Report(hcl.Diagnostics{d}, nil)
		}
	}
	if o.Report != "" {
		c.WriteReport(o.Report, "test", "", text.Tests(c.Doc.Tests, text.Painter(false)))
	}
	if c.Doc.Interrupted {
		c.Print(verdicts.Find("test", verdicts.Undecided, "").Tail + "\n")
	}
	return c.Exit()
}

// shownFailures shows the diagnostics of manifests that failed, in text.
func shownFailures(c *command.Call) {
	for _, t := range c.Doc.Tests {
		if !t.OK {
			c.ShowBelow(t.Manifest, t.Result.Diagnostics)
		}
	}
}
