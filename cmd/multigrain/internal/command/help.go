package command

import "github.com/multigrain/multigrain/cmd/multigrain/internal/shell"

// HelpVerb prints what verbs do, and which flags they take.
var HelpVerb = Verb{
	Name: "help", Args: "[VERB]", Summary: "what a verb does and which flags it takes", Most: 1, Code: RunsNone,
	Options: func() Options { return Plain(runHelp) },
}

func runHelp(c *Call) int {
	if len(c.Args) == 0 {
		return c.Help(nil)
	}
	v := c.Verbs.Named(c.Args[0])
	if v == nil {
		bad, _ := c.Verbs.Unknown(c.Args[0]).(*shell.UsageError)
		return c.Usage(bad)
	}
	return c.Help(v)
}
