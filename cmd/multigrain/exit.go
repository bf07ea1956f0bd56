package main

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// exitCode is the exit code that the outcome leads to.
func exitCode(o *session.Run) int {
	if code := shell.ExitOf(o.Diagnostics); code != shell.OK {
		if o.Report != nil && len(o.Report.Violations) > 0 {
			return shell.ExitOfKind(o.Report.Violations[0].Kind)
		}
		return code
	}
	switch {
	case o.Stopped != "":
		return shell.Undecided
	case o.Report == nil:
		return shell.OK
	case len(o.Report.Violations) > 0:
		return shell.ExitOfKind(o.Report.Violations[0].Kind)
	case o.Report.Verdict == "undecided":
		return shell.Undecided
	}
	return shell.OK
}
