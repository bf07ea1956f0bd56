package codes

import (
	"github.com/multigrain/multigrain/configs"
)

// The codes of diagnostics about the command line and about runs, MG5xx.
const (
	UnknownVerb configs.Code = "MG501"
	UnknownFlag configs.Code = "MG502"
	FlagValue   configs.Code = "MG503"
	Arguments   configs.Code = "MG504" // too few or too many arguments
	Settings    configs.Code = "MG505" // user settings that cannot be read or make no sense
	NoManifest  configs.Code = "MG506" // test found no manifest

	Trace  configs.Code = "MG511" // a file that is no trace
	Change configs.Code = "MG514" // a change of the implementation that cannot be read
	Impl   configs.Code = "MG515" // no implementation block says where the code is
	Lines  configs.Code = "MG516" // a table of methods and lines that cannot be read
	Stale  configs.Code = "MG517" // a modelled function that the code does not have
	Write  configs.Code = "MG512" // a file cannot be written or removed

	Foreign configs.Code = "MG519" // a folder that the command did not make and does not clean

	Checkpoint      configs.Code = "MG513" // a checkpoint that cannot be gone on from, or would be overwritten
	CheckpointWrite configs.Code = "MG518" // a checkpoint cannot be written

	NeverEnabled configs.Code = "MG521" // an action was enabled in no state
	NotUnused    configs.Code = "MG536" // an action that the manifest calls unused is enabled
	GoalMissed   configs.Code = "MG522" // a goal was reached in no state
	NoInvariant  configs.Code = "MG523" // nothing was checked
	Broken       configs.Code = "MG524" // a composition that is not preserved was checked all the same
	Weight       configs.Code = "MG525" // a weight for an action that the composition does not have, or one that makes no sense

	Capacity  configs.Code = "MG531" // a value of the state was full
	SpecFault configs.Code = "MG532" // the specification failed while it ran
	Crash     configs.Code = "MG533" // the assembled program ended without a result
	Machine   configs.Code = "MG534" // memory, disk
	Internal  configs.Code = "MG535" // a fault of this command
)

// Codes of packages compose and interaction that say that the machine failed.
const (
	NoToolchain configs.Code = "MG201"
	NoGo        configs.Code = "MG301"
	Cache       configs.Code = "MG307"
)

// Liveness is the code of liveness properties that cannot be checked together with what else is
// asked for.
const Liveness configs.Code = "MG538"

// Asymmetric is the code of a specification that was found to tell servers apart while it ran.
const Asymmetric configs.Code = "MG537"

// Reduction is the code of a reduction that is unsound for what is checked.
const Reduction configs.Code = "MG539"

// The codes of diagnostics about implementations.
const (
	NoImplementation configs.Code = "MG541" // the manifest has no implementation block
	Version          configs.Code = "MG542" // another version was built in than the manifest pins
	Adapter          configs.Code = "MG543" // the adapter cannot be opened, or is not deterministic
)

// The codes of diagnostics about running beside a node.
const (
	MonitorSettings configs.Code = "MG561" // a setting is missing or makes no sense: wrong usage
	MonitorService  configs.Code = "MG562" // what a setting names cannot be used: a stream, a snapshot, a file, an address
	MonitorLocal    configs.Code = "MG563" // the composition cannot run beside one node, or what it declares for that does not hold
)

// The codes of diagnostics about trace validation.
const (
	NoTrace      configs.Code = "MG551" // the manifest has no trace block
	TraceAction  configs.Code = "MG552" // an action that the composition does not have
	TraceName    configs.Code = "MG553" // a name in a formula that means nothing, or a field that no parameter has
	TraceType    configs.Code = "MG554" // a formula that cannot be evaluated for an event
	NeverDecided configs.Code = "MG555" // a condition on fields that no event has
	NoReason     configs.Code = "MG556" // a violation that cannot be explained
)
