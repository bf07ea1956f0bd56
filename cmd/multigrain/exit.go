package main

import "github.com/multigrain/multigrain/cmd/multigrain/internal/shell"

// exitCode is the exit code that the outcome leads to.
func exitCode(o *outcome) int {
	if code := shell.ExitOf(o.diags); code != shell.OK {
		if o.report != nil && len(o.report.Violations) > 0 {
			return shell.ExitOfKind(o.report.Violations[0].Kind)
		}
		return code
	}
	switch {
	case o.stopped != "":
		return shell.Undecided
	case o.report == nil:
		return shell.OK
	case len(o.report.Violations) > 0:
		return shell.ExitOfKind(o.report.Violations[0].Kind)
	case o.report.Verdict == "undecided":
		return shell.Undecided
	}
	return shell.OK
}
