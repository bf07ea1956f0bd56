package main

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/explain"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var explainVerb = command.Verb{
	Name: "explain", Args: "[CODE]...", Summary: "what a diagnostic code means, an example and the remedy", Most: -1,
	About: `CODE stands in brackets in a message, such as MG210. Without a code, all codes are listed with their titles.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return command.Plain(runExplain) },
}

func runExplain(c *command.Call) int {
	asked := c.Args
	if len(asked) == 0 {
		asked = explain.Codes()
	}
	for _, code := range asked {
		title, ok := explain.Title(code)
		if !ok {
			c.Report(hcl.Diagnostics{configs.Errorf(codes.UnknownName, "Unknown code", hcl.Range{},
				"There is no code %q. multigrain explain lists all codes.", code)}, nil)
			return shell.Usage
		}
		e := result.Explanation{Code: strings.ToUpper(code), Title: title}
		if len(c.Args) > 0 {
			e.Text, _ = explain.Text(code)
		}
		c.Doc.Explanations = append(c.Doc.Explanations, e)
	}
	c.Print(text.Explanations(c.Doc.Explanations))
	return shell.OK
}
