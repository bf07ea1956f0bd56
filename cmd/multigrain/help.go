package main

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

var helpVerb = command.Verb{
	Name: "help", Args: "[VERB]", Summary: "what a verb does and which flags it takes", Most: 1,
	Options: func() command.Options { return command.Plain(runHelp) },
}

func runHelp(c *command.Call) int {
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
