package command

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// ExitCode is the exit code that the outcome leads to.
func ExitCode(o *session.Run) int {
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

// ExitOfAll is the exit code of several runs: that of an error, or else that of the first violation,
// or else that of an undecided run.
func ExitOfAll(all []*session.Run) int {
	failed, violated, undecided := shell.OK, shell.OK, shell.OK
	for _, r := range all {
		switch code := ExitCode(r); {
		case code == shell.Undecided:
			undecided = code
		case r.Report != nil && len(r.Report.Violations) > 0:
			if violated == shell.OK {
				violated = code
			}
		default:
			failed = max(failed, code)
		}
	}
	return shell.FirstBad([]int{failed, violated, undecided})
}
