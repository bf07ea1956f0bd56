package main

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

var versionVerb = command.Verb{
	Name: "version", Summary: "the version of this command", Options: func() command.Options { return command.Plain(runVersion) },
}

func runVersion(c *command.Call) int {
	c.Doc.Version = command.Version()
	c.Print("multigrain " + c.Doc.Version + "\n")
	return shell.OK
}
