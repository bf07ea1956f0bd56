package codes

import "github.com/multigrain/multigrain/configs"

// The command line and the user's settings.
const (
	UnknownVerb configs.Code = "MG501"
	UnknownFlag configs.Code = "MG502"
	FlagValue   configs.Code = "MG503"
	Arguments   configs.Code = "MG504" // too few or too many arguments
	Settings    configs.Code = "MG505" // settings that cannot be read or make no sense
	NoManifest  configs.Code = "MG506" // test or fmt finds no manifest
	UnknownName configs.Code = "MG507" // an argument that names nothing
	SystemName  configs.Code = "MG508" // a name that a new system cannot have
	Flags       configs.Code = "MG509" // flags that do not fit together, or a missing one
)

// Files.
const (
	Trace           configs.Code = "MG511" // a file that is not a trace
	Write           configs.Code = "MG512" // a file that cannot be written or removed
	Checkpoint      configs.Code = "MG513" // an unusable checkpoint, or one to be overwritten
	Change          configs.Code = "MG514" // an unreadable change of the implementation
	Impl            configs.Code = "MG515" // no implementation block says where the code is
	Lines           configs.Code = "MG516" // an unreadable table of methods and lines
	Stale           configs.Code = "MG517" // a modelled function that the code does not have
	CheckpointWrite configs.Code = "MG518" // a checkpoint that cannot be written
	NoResult        configs.Code = "MG595" // a file that is not a result of this command
	LostWorker      configs.Code = "MG596" // a worker of a search was lost, so it began again
	// a folder that the command did not make and does not clean
	Foreign configs.Code = "MG519"
)

// Results that say less than they seem to.
const (
	NeverEnabled configs.Code = "MG521" // an action that is enabled in no state
	GoalMissed   configs.Code = "MG522" // a goal that no state reaches
	NoInvariant  configs.Code = "MG523" // nothing was checked
	Weight       configs.Code = "MG525" // a weight of an unknown action, or one out of range
	IdleTarget   configs.Code = "MG526" // a module under test that took no step
	NeverAsked   configs.Code = "MG241" // a property that was judged nowhere
	NotVacuous   configs.Code = "MG238" // what the manifest declares as vacuous is asked
	// what is asked of a search and not possible on several workers
	Undistributed configs.Code = "MG239"
	NoPremise     configs.Code = "MG590" // a liveness property whose premise is never true
	MetAtOnce     configs.Code = "MG591" // its conclusion is always true with the premise
)

// Runs that fail.
const (
	Capacity  configs.Code = "MG531" // a value of the state is full
	SpecFault configs.Code = "MG532" // the specification fails while it runs
	Crash     configs.Code = "MG533" // the assembled program ends without a result
	Machine   configs.Code = "MG534" // memory or disk
	Internal  configs.Code = "MG535" // a fault of this command

	NotUnused  configs.Code = "MG536" // an enabled action that the manifest calls unused
	Asymmetric configs.Code = "MG220" // a specification that distinguishes servers
	Liveness   configs.Code = "MG538" // liveness together with an option that excludes it
	Reduction  configs.Code = "MG539" // a reduction that is unsound for a property
	Strategy   configs.Code = "MG540" // a strategy of walks that does not fit the composition
)

// Implementations.
const (
	NoImplementation configs.Code = "MG541" // a manifest without implementation block
	Version          configs.Code = "MG542" // another version is built in than the manifest pins
	Adapter          configs.Code = "MG543" // an adapter that fails, or is not deterministic
	Unseen           configs.Code = "MG544" // a known difference that does not occur
	NoSymptom        configs.Code = "MG546" // an implementation block without a symptom
	SideGone         configs.Code = "MG584" // the changed code of a trace is not in the cache
	Unkept           configs.Code = "MG586" // a damaged result in the cache, which is ignored
	OfChange         configs.Code = "MG585" // a trace of changed code where it cannot be used
)

// Exploring step by step.
const (
	ExplorePage configs.Code = "MG581" // the page cannot be served
	ExploreLine configs.Code = "MG582" // a line of a script fails
)

// Trace validation.
const (
	NoTrace      configs.Code = "MG551" // a manifest without trace block
	TraceAction  configs.Code = "MG552" // an action that the composition does not have
	TraceName    configs.Code = "MG553" // an unknown name in a formula
	TraceType    configs.Code = "MG554" // a formula that cannot be evaluated for an event
	NeverDecided configs.Code = "MG555" // a condition on fields that no event has
	NoReason     configs.Code = "MG556" // a violation that cannot be explained
	TraceEvent   configs.Code = "MG557" // an event that the trace block does not know
)

// Monitoring a node.
const (
	MonitorSettings configs.Code = "MG561" // a missing or senseless setting: wrong usage
	MonitorService  configs.Code = "MG562" // an unusable stream, snapshot, file or address
	MonitorLocal    configs.Code = "MG563" // a composition that cannot run next to one node
	MonitorLaw      configs.Code = "MG564" // a declaration that breaks a law
)

// Decided results of interaction preservation.
const (
	Lock   configs.Code = "MG571" // a lock file that is damaged or of another format
	Locked configs.Code = "MG235" // the level of the manifest is decided, and broken
	// a mistake of the module under test that only the fine composition finds, and one that only
	// the mixed one finds
	MutantLost  configs.Code = "MG236"
	MutantFalse configs.Code = "MG237"
	// a gap is accepted by its views alone
	Unsequenced configs.Code = "MG242"
)

// Changed code of other languages than Go.
const (
	Compile  configs.Code = "MG572" // changed code that does not compile
	Compiled configs.Code = "MG573" // compiled code that cannot be used
	BuildRun configs.Code = "MG574" // a build command that fails
)

// Drivers: processes that run implementations in other languages than Go.
const (
	DriverFault    configs.Code = "MG575" // a driver that does not keep to the protocol
	DriverStart    configs.Code = "MG576" // a driver that does not start
	DriverRequires configs.Code = "MG577" // a requirement of a driver that is missing
	DriverBuild    configs.Code = "MG578" // a driver that cannot be built
	DriverCode     configs.Code = "MG589" // a change of a library that is not installed
)

// Servers for editors and language models.
const (
	Lsp     configs.Code = "MG583" // a connection to an editor fails
	Mcp     configs.Code = "MG580" // tools cannot be served
	McpCall configs.Code = "MG579" // a call of a tool is refused
)

// Fleets of jobs.
const (
	Jobs         configs.Code = "MG592" // jobs that cannot be expanded
	Engine       configs.Code = "MG593" // no server for the queue
	OtherSources configs.Code = "MG594" // a run with other sources than the worker's
	OtherStore   configs.Code = "MG599" // a run whose objects are in another store
)

// Codes of the packages interaction and compose for a machine that fails.
const (
	NoGo    configs.Code = "MG301"
	Cache   configs.Code = "MG307"
	Room    configs.Code = "MG311"
	Network configs.Code = "MG310"
)
