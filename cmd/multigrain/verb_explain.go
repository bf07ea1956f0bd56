package main

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/explain"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var explainVerb = verb{
	name: "explain", args: "[CODE]...", summary: "what a diagnostic code means, an example and the remedy", most: -1,
	about: `CODE is what a message has in brackets, such as MG210. Without a code, all codes are listed with their titles.
`,
	options: func() options { return plain(runExplain) },
}

func runExplain(c *call) int {
	asked := c.args
	if len(asked) == 0 {
		asked = explain.Codes()
	}
	for _, code := range asked {
		title, ok := explain.Title(code)
		if !ok {
			c.report(hcl.Diagnostics{configs.Errorf(codes.Arguments, "Unknown code", hcl.Range{},
				"There is no code %q. multigrain explain lists all codes.", code)}, nil)
			return shell.Usage
		}
		e := result.Explanation{Code: strings.ToUpper(code), Title: title}
		if len(c.args) > 0 {
			e.Text, _ = explain.Text(code)
		}
		c.doc.Explanations = append(c.doc.Explanations, e)
	}
	c.print(text.Explanations(c.doc.Explanations))
	return shell.OK
}
