package main

import (
	"flag"
	"regexp"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
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
	options: func() options { return new(testOptions) },
}

// testOptions are the options of test.
type testOptions struct {
	explored
	filter string
	again  bool
}

func (o *testOptions) flags(fs *flag.FlagSet) {
	o.declare(fs, "they are not written")
	fs.Func("filter", "only manifests whose path matches a regular `expression`", func(s string) error {
		o.filter = s
		_, err := regexp.Compile(s)
		return err
	})
	o.junitFlag(fs)
	againFlag(fs, &o.again)
}

// logs are written by the verb itself.
func (o *testOptions) logs() *written { return &written{} }

func (o *testOptions) run(c *call) int {
	o.strict = true
	paths, skipped, diags := c.env(shell.Uncaught()).Manifests(c.args, o.filter, c.vars)
	c.doc.Skipped = skipped
	c.report(diags, nil)
	if diags.HasErrors() {
		return shell.ExitOf(diags)
	}
	in := shell.Catch()
	defer in.Release()
	how := session.Testing{Limits: o.Limits, Exploring: o.exploring(""), Comparing: o.comparing(&o.bounded, o.again, "")}
	failed := 0
	for _, path := range paths {
		if in.Soft.Err() != nil {
			break
		}
		c.note("%s", path)
		t := c.env(in).Test(path, c.vars, how)
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
	if o.junit != "" {
		if err := files.WriteFile(o.junit, junit.OfTests(c.doc.Tests), 0o644); err != nil {
			d := configs.Errorf(codes.Write, "Results cannot be written", hcl.Range{}, "%v. Name another file with -junit.", err)
			c.report(hcl.Diagnostics{d}, nil)
			code = max(code, shell.System)
		}
	}
	if o.report != "" && !c.writeReport(o.report, "test", text.Tests(c.doc.Tests, text.Painter(false))) {
		code = max(code, shell.System)
	}
	if in.Soft.Err() != nil {
		c.print("Interrupted: not all manifests were checked.\n")
		return shell.Undecided
	}
	return code
}

// shownFailures shows the diagnostics of manifests that failed, in text.
func (c *call) shownFailures() {
	for _, t := range c.doc.Tests {
		if !t.OK {
			c.showBelow(t.Manifest, t.Result.Diagnostics)
		}
	}
}
