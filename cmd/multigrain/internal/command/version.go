package command

import "github.com/multigrain/multigrain/cmd/multigrain/internal/shell"

// VersionVerb is the verb version, which prints the version of this command.
var VersionVerb = Verb{
	Name: "version", Summary: "the version of this command", Code: RunsNone, Options: func() Options { return Plain(runVersion) },
}

func runVersion(c *Call) int {
	c.Doc.Version = Version()
	c.Print("multigrain " + c.Doc.Version + "\n")
	return shell.OK
}
