package shell

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// Exit codes: those of TLC where it has one.
const (
	OK          = 0   // what was asked was completed and nothing found
	Differs     = 1   // test or fmt -check differ
	Usage       = 2   // wrong usage
	Interaction = 10  // interaction not preserved, or a gap that is not accepted
	Deadlock    = 11  // a state without successors
	Safety      = 12  // a state invariant is violated
	Step        = 13  // a step property or liveness is violated
	Assert      = 14  // a code-level assertion is raised
	Undecided   = 20  // what was asked was not completed
	Invalid     = 150 // manifest, specification or trace invalid
	Capacity    = 151 // a capacity was exceeded
	System      = 153 // the machine, the toolchain or this command failed
)

// ExitOf is the exit code that errors among diagnostics lead to; 0 without one. The most specific
// cause decides: a failing machine before an exceeded capacity before an invalid manifest before
// wrong usage.
func ExitOf(diags hcl.Diagnostics) int {
	worst := OK
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			worst = max(worst, ExitOfCode(configs.CodeOf(d)))
		}
	}
	return worst
}

func ExitOfCode(code configs.Code) int {
	switch code {
	case configs.CodeAssignment, codes.MonitorSettings:
		return Usage
	case codes.NoGo, codes.Cache, codes.NoToolchain, codes.Crash, codes.Machine, codes.Internal, codes.Write:
		return System
	case codes.Capacity:
		return Capacity
	}
	switch {
	case strings.HasPrefix(string(code), "MG50"):
		return Usage
	case strings.HasPrefix(string(code), "MG21"), strings.HasPrefix(string(code), "MG23"):
		return Interaction
	}
	return Invalid
}

// ExitOfKind is the exit code of a violation of that kind.
func ExitOfKind(kind string) int {
	switch kind {
	case "deadlock":
		return Deadlock
	case "step", "liveness":
		return Step
	case "assert":
		return Assert
	}
	return Safety
}

// FirstBad is the first of exit codes that is not 0, or else 0.
func FirstBad(codes []int) int {
	if k := slices.IndexFunc(codes, func(code int) bool { return code != OK }); k >= 0 {
		return codes[k]
	}
	return OK
}

// Mismatch is for an implementation that does not do what the specification does.
const Mismatch = 30
