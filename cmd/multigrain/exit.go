package main

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// Exit codes: those of TLC where it has one.
const (
	exitOK          = 0   // what was asked was completed and nothing found
	exitDiffers     = 1   // test or fmt -check differ
	exitUsage       = 2   // wrong usage
	exitInteraction = 10  // interaction not preserved, or a gap that is not accepted
	exitDeadlock    = 11  // a state without successors
	exitSafety      = 12  // a state invariant is violated
	exitStep        = 13  // a step property or liveness is violated
	exitAssert      = 14  // a code-level assertion is raised
	exitUndecided   = 20  // what was asked was not completed
	exitInvalid     = 150 // manifest, specification or trace invalid
	exitCapacity    = 151 // a capacity was exceeded
	exitSystem      = 153 // the machine, the toolchain or this command failed
)

// The codes of diagnostics about the command line and about runs, MG5xx.
const (
	CodeUnknownVerb configs.Code = "MG501"
	CodeUnknownFlag configs.Code = "MG502"
	CodeFlagValue   configs.Code = "MG503"
	CodeArguments   configs.Code = "MG504" // too few or too many arguments
	CodeSettings    configs.Code = "MG505" // user settings that cannot be read or make no sense
	CodeNoManifest  configs.Code = "MG506" // test found no manifest

	CodeTrace  configs.Code = "MG511" // a file that is no trace
	CodeChange configs.Code = "MG514" // a change of the implementation that cannot be read
	CodeImpl   configs.Code = "MG515" // no implementation block says where the code is
	CodeLines  configs.Code = "MG516" // a table of methods and lines that cannot be read
	CodeStale  configs.Code = "MG517" // a modelled function that the code does not have
	CodeWrite  configs.Code = "MG512" // a file cannot be written

	CodeCheckpoint      configs.Code = "MG513" // a checkpoint that cannot be gone on from, or would be overwritten
	CodeCheckpointWrite configs.Code = "MG518" // a checkpoint cannot be written

	CodeNeverEnabled configs.Code = "MG521" // an action was enabled in no state
	CodeNotUnused    configs.Code = "MG536" // an action that the manifest calls unused is enabled
	CodeGoalMissed   configs.Code = "MG522" // a goal was reached in no state
	CodeNoInvariant  configs.Code = "MG523" // nothing was checked
	CodeBroken       configs.Code = "MG524" // a composition that is not preserved was checked all the same
	CodeWeight       configs.Code = "MG525" // a weight for an action that the composition does not have, or one that makes no sense

	CodeCapacity  configs.Code = "MG531" // a value of the state was full
	CodeSpecFault configs.Code = "MG532" // the specification failed while it ran
	CodeCrash     configs.Code = "MG533" // the assembled program ended without a result
	CodeMachine   configs.Code = "MG534" // memory, disk
	CodeInternal  configs.Code = "MG535" // a fault of this command
)

// codeNoToolchain is that of package interaction.
const codeNoToolchain configs.Code = "MG201"

// exitOf is the exit code that errors among diagnostics lead to; 0 without one. The most specific cause decides: a failing
// machine before an exceeded capacity before an invalid manifest before wrong usage.
func exitOf(diags hcl.Diagnostics) int {
	worst := exitOK
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			worst = max(worst, exitOfCode(configs.CodeOf(d)))
		}
	}
	return worst
}

func exitOfCode(code configs.Code) int {
	switch code {
	case configs.CodeAssignment, CodeMonitorSettings:
		return exitUsage
	case compose.CodeNoGo, compose.CodeCache, codeNoToolchain, CodeCrash, CodeMachine, CodeInternal, CodeWrite:
		return exitSystem
	case CodeCapacity:
		return exitCapacity
	}
	switch {
	case strings.HasPrefix(string(code), "MG50"):
		return exitUsage
	case strings.HasPrefix(string(code), "MG21"):
		return exitInteraction
	}
	return exitInvalid
}

// exitOfKind is the exit code of a violation of that kind.
func exitOfKind(kind string) int {
	switch kind {
	case "deadlock":
		return exitDeadlock
	case "step", "liveness":
		return exitStep
	case "assert":
		return exitAssert
	}
	return exitSafety
}
