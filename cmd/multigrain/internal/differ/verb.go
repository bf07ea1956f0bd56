package differ

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb diff.
var Verb = command.Verb{
	Name: "diff", Args: "A.json B.json", Summary: "compare two results: verdict, settings, counts and coverage", Least: 2, Most: 2,
	About: `A and B are documents that -json printed or that -report wrote into its folder. What differs is listed: the verdict and its
reasons, modules, bounds and options, counts of states or walks, how often actions were enabled and fired, branches, and
messages. Times and sizes of memory are shown as well, and never count as a difference.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return command.Plain(run) },
}

func run(c *command.Call) int {
	a, err := Read(c.Args[0])
	if err == nil {
		b, second := Read(c.Args[1])
		if err = second; err == nil {
			c.Doc.Diff = Compare(a, b)
			c.Doc.Diff.A, c.Doc.Diff.B = c.Args[0], c.Args[1]
		}
	}
	if err != nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.NoResult, "Not a result", hcl.Range{},
			"%v. Write one with -json or -report.", err)}, nil)
		return shell.Invalid
	}
	c.Print(text.Diff(c.Doc.Diff, c.Painter(c.OutWidth)))
	return c.Exit()
}
