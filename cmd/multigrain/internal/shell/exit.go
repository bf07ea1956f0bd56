package shell

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

// Exit codes, as package verdicts has them.
const (
	OK        = verdicts.ExitOK
	Usage     = verdicts.ExitUsage
	Undecided = verdicts.ExitUndecided
	Invalid   = verdicts.ExitInvalid
	System    = verdicts.ExitSystem
)

// ExitOf returns the exit code that errors among diagnostics lead to; 0 without one. The most
// specific cause decides: a failing machine before an exceeded capacity before an invalid manifest
// before wrong usage.
func ExitOf(diags hcl.Diagnostics) int {
	worst := OK
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			worst = max(worst, ExitOfCode(configs.CodeOf(d)))
		}
	}
	return worst
}

// ExitOfCode returns the exit code of an error with a diagnostic code.
func ExitOfCode(code configs.Code) int {
	switch code {
	case configs.CodeAssignment, codes.MonitorSettings:
		return Usage
	case codes.NoGo, codes.Cache, codes.Room, codes.Network, codes.Crash, codes.Machine, codes.Internal, codes.Write, codes.SideGone, codes.ExplorePage,
		codes.DriverFault, codes.DriverStart, codes.DriverRequires, codes.DriverBuild, codes.Engine, codes.OtherSources, codes.OtherStore:
		return System
	case codes.Capacity:
		return verdicts.ExitCapacity
	case codes.Undistributed: // no finding about interaction, as its neighbours are
		return Invalid
	}
	switch {
	case strings.HasPrefix(string(code), "MG50"):
		return Usage
	case strings.HasPrefix(string(code), "MG21"), strings.HasPrefix(string(code), "MG23"), code == "MG240", code == codes.Unsequenced:
		return verdicts.ExitInteraction
	}
	return Invalid
}
