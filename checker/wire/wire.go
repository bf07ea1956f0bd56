// Package wire is the protocol between the command and an assembled program. The program reads one
// Request on its standard input. It writes Events, one JSON document a line, to a pipe of their
// own: see channel.go. A program that a user runs writes them to its standard output. The program
// ends when its standard input closes.
package wire

import (
	"encoding/json"
	"time"

	"github.com/multigrain/multigrain/modules"
)

// Request asks an assembled program for one run.
type Request struct {
	// "check", "simulate", "preserve", "refine", "trace", "explain", "explore" or "conform"
	Verb    string          `json:"verb"`
	Choice  json.RawMessage `json:"choice"` // a grains.Choice
	Options Options         `json:"options"`
	// Settings are the constants that the program takes as it starts, as Go expressions by name:
	// see package setting. Nil for most programs.
	Settings map[string]string `json:"settings,omitempty"`
}

// Options of the exploring verbs.
type Options struct {
	Workers   int           `json:"workers"`           // 0: one for each processor
	Stop      int           `json:"stop"`              // end after so many violations; 0: never
	Deadlock  bool          `json:"deadlock"`          // a node without successors is a violation
	MaxStates int64         `json:"max_states"`        // 0: no limit
	Timeout   time.Duration `json:"timeout,omitempty"` // 0: no limit
	// Processor bounds the processor time of "simulate" and "conform", since the start of the
	// program; 0: no limit. Time of processes that an adapter starts does not count.
	Processor time.Duration `json:"processor,omitempty"`
	Memory    int64         `json:"memory,omitempty"`   // bytes; 0: no limit
	Seed      uint64        `json:"seed,omitempty"`     // of the sampling verbs
	Table     bool          `json:"table,omitempty"`    // run the table of actions
	Mutant    int           `json:"mutant,omitempty"`   // run this mutant, from 1; 0: none
	Progress  bool          `json:"progress,omitempty"` // send progress events
	// Sliced are fields of the State that "check" leaves out of the identity of states.
	Sliced []string `json:"sliced,omitempty"`
	// Symmetry makes "check" take states for one that differ in which node of a role is which; nil:
	// it does not.
	Symmetry *modules.Identities `json:"symmetry,omitempty"`
	// POR makes "check" leave out orders of independent steps, by these footprints; nil: it does
	// not.
	POR *Footprints `json:"por,omitempty"`
	// Footprints let "check" leave out what they say makes no difference: see checker.Pruning. Nil:
	// nothing is left out.
	Footprints *Footprints `json:"footprints,omitempty"`
	// Profile is a file that a CPU profile of the run is written to, for go tool pprof; "": none.
	Profile string `json:"profile,omitempty"`
	// Fingerprint is how many bits of a node "check" keeps: 64 or 96; 0: 64.
	Fingerprint int `json:"fingerprint,omitempty"`
	// Nearest asks "check" for Report.Observed.
	Nearest bool `json:"nearest,omitempty"`
	// Spill is the folder for what Memory leaves no room for; "": the system's for temporary files.
	Spill string `json:"spill,omitempty"`
	// Checkpoint says where "check" keeps checkpoints; nil: nowhere.
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"`
	// Share makes "check" one part of a search; nil: it is the whole search.
	Share *Share `json:"share,omitempty"`
	// Simulate holds the parameters of "simulate" in addition to Workers, Stop, Deadlock,
	// MaxStates, Timeout, Memory and Seed; nil: the zero value. Memory limits only the set of
	// distinct nodes.
	Simulate *Simulate `json:"simulate,omitempty"`
	// Closure makes "check" and "simulate" check that no message of an older round is used.
	Closure *Closure `json:"closure,omitempty"`
	// Preserve holds the parameters of "preserve" in addition to MaxStates and Timeout.
	Preserve *Preserve `json:"preserve,omitempty"`
	// Refine holds the parameters of "refine" in addition to MaxStates, Timeout, Memory and Seed.
	Refine *Refine `json:"refine,omitempty"`
	// Validate holds the parameters of "trace" in addition to MaxStates and Timeout, and Explain
	// those of "explain".
	Validate *Validate `json:"validate,omitempty"`
	Explain  *Explain  `json:"explain,omitempty"`
	// Search makes "check" begin at the end of a path.
	Search *Search `json:"search,omitempty"`
	// Conform holds the parameters of "conform".
	Conform *Conform `json:"conform,omitempty"`
	// Monitor holds the parameters of "monitor".
	Monitor *Monitor `json:"monitor,omitempty"`
}

// Simulate says which random walks are taken.
type Simulate struct {
	Depth  int   `json:"depth,omitempty"`  // transitions of a walk, at most; 0: 100
	Number int64 `json:"number,omitempty"` // walks; 0: as many as fit into Timeout
	// Weights are the relative frequencies of actions by their names, 1 where nothing is stated.
	Weights map[string]float64 `json:"weights,omitempty"`
	Learned bool               `json:"learned,omitempty"` // multiply them by learned ones
	// Hash says which states count as one for learned weights: those with the same enabled actions,
	// instances, roles or states. Empty: actions.
	Hash string `json:"hash,omitempty"`
	// Strategy says what draws the steps, if weights alone do not; nil: they do.
	Strategy *AskedStrategy `json:"strategy,omitempty"`
	// From are behaviours with which walks begin; none: walks begin in initial states.
	From []From `json:"from,omitempty"`
	// Keep is the number of walks, the first ones, that are reported with all their states.
	// Invariants are not evaluated then, and nothing is learned.
	Keep int `json:"keep,omitempty"`
	// Tree asks for Simulation.Tree. Depth, Number and Options.Timeout bound that, too.
	Tree bool `json:"tree,omitempty"`
}

// Closure says what the round number of a server is, by variables with an element for each server,
// and that of a message, by its fields. Numbers are compared from the first on.
type Closure struct {
	Server  []string `json:"server"`
	Message []string `json:"message"`
}

// From is a trace with which walks begin: with its first Steps steps, or with any number of them
// but all if Steps is negative.
type From struct {
	Trace *Trace `json:"trace"`
	Steps int    `json:"steps"`
}

// AskedStrategy is a strategy of walks and its parameters.
type AskedStrategy struct {
	Name string `json:"name"`
	// Parameters are numbers by name. A strategy has a default for each that is absent.
	Parameters map[string]float64 `json:"parameters,omitempty"`
	// Roles override the parts of a round in which actions are taken, by the action's name: see
	// rounds.Role.
	Roles map[string]string `json:"roles,omitempty"`
	// Waypoints are conditions on states: of type Formula of package checker/internal/trace.
	Waypoints []json.RawMessage `json:"waypoints,omitempty"`
	// Aims are the names of actions that guided walks are guided to.
	Aims []string `json:"aims,omitempty"`
}

// LearnsBranches reports whether a strategy learns from branches of steps, which the program must
// note.
func (a *AskedStrategy) LearnsBranches() bool {
	return a != nil && a.Name == "guided" && a.Parameters["branches"] == 1
}

// Event is one line of a program's output. Exactly one field is set; a Report or an Error is the
// last.
type Event struct {
	// Begun is the first event of a program that a command started: its packages are initialised.
	Begun    bool      `json:"begun,omitempty"`
	Progress *Progress `json:"progress,omitempty"`
	Report   *Report   `json:"report,omitempty"`
	Error    *Error    `json:"error,omitempty"`
	Noted    string    `json:"noted,omitempty"` // for people, about one walk
	// Refinement is an interim result of "monitor".
	Refinement *Refinement `json:"refinement,omitempty"`
	// Answer is an answer of "explore": of type Answer of package checker/wire.
	Answer json.RawMessage `json:"answer,omitempty"`
}

// Progress of an exploration or of random walks, which have no depth and queue.
type Progress struct {
	// Doing names what Count counts, such as "states visited"; "" for the states of an exploration
	// and for walks. Count is the number done so far.
	Doing     string  `json:"doing,omitempty"`
	Count     int64   `json:"count,omitempty"`
	Walks     int64   `json:"walks,omitempty"`
	Steps     int64   `json:"steps,omitempty"` // of these walks
	Depth     int     `json:"depth"`
	Distinct  int64   `json:"distinct"`
	Generated int64   `json:"generated"`
	Queue     int64   `json:"queue"`
	Seconds   float64 `json:"seconds"`
	Memory    int64   `json:"memory"` // bytes
	// Noted is that of an event; "" is none. Then nothing else is set.
	Noted string `json:"-"`
}

// Kinds of errors.
const (
	ErrorSpec      = "spec"      // the specification is invalid
	ErrorCapacity  = "capacity"  // a value of the State was full or an index out of range
	ErrorReduction = "reduction" // a reduction is unsound for what is checked
	ErrorStrategy  = "strategy"  // the strategy of walks does not fit the composition
	ErrorClosure   = "closure"   // communication closure cannot be checked on the composition
	ErrorSymmetry  = "symmetry"  // the specification tells servers apart
	ErrorSystem    = "system"    // memory, disk, a fault of the checker itself
	ErrorExchange  = "exchange"  // the parts of a search lost each other
)

// Error ends a run that could not be completed because of the specification or the machine.
type Error struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	// Where it happened, as far as it is known.
	Action    string        `json:"action,omitempty"`
	Params    *modules.View `json:"params,omitempty"`
	Invariant string        `json:"invariant,omitempty"` // the name of the one that was evaluated
	Field     string        `json:"field,omitempty"`     // path in the State, as History[1]
	Capacity  int           `json:"capacity,omitempty"`  // elements that the field holds
	File      string        `json:"file,omitempty"`
	Line      int           `json:"line,omitempty"`
	Trace     *Trace        `json:"trace,omitempty"` // to the node that was expanded
	// Stuck says that a function did not return when the run had to end.
	Stuck bool `json:"stuck,omitempty"`
}

// Report is the result of an exploration or of random walks. Fields are those of checker.Result,
// which simulate.Result says what they mean for walks.
type Report struct {
	Verdict   string `json:"verdict"`
	Reason    string `json:"reason,omitempty"`
	Distinct  int64  `json:"distinct"`
	Generated int64  `json:"generated"`
	// of Generated, what was counted without being made: see Options.Footprints
	Pruned  int64   `json:"spared,omitempty"`
	Depth   int     `json:"depth"`
	Levels  []int64 `json:"levels"`
	Seconds float64 `json:"seconds"`
	// Processor is the processor time in seconds that the program has used, from its start to this
	// report; 0 where the system does not tell it.
	Processor float64 `json:"processor,omitempty"`
	Workers   int     `json:"workers"`
	Digest    string  `json:"digest"` // 16 hexadecimal digits
	Collision float64 `json:"collision_probability"`
	// Observed is the inverse of the smallest difference between two fingerprints, TLC's estimate
	// from the actual ones; 0 where it was not asked for.
	Observed    float64     `json:"collision_observed,omitempty"`
	Fingerprint int         `json:"fingerprint,omitempty"` // bits; of "check" only
	Memory      int64       `json:"memory"`                // bytes at the peak
	MemoryEnd   int64       `json:"memory_end,omitempty"`  // bytes at the end of the search
	Disk        int64       `json:"disk,omitempty"`        // bytes at the peak
	NodeBytes   int         `json:"node_bytes"`
	Actions     []Action    `json:"actions"`
	Violations  []Violation `json:"violations"`
	Invariants  []string    `json:"invariants"` // names of those that were checked
	Masked      int64       `json:"masked"`     // successors that ended in a masked assertion
	// MaskedBy counts them by the assertions' names, those that were raised; a step that raises
	// several counts for each.
	MaskedBy    []Masked `json:"masked_assertions,omitempty"`
	GoalsMissed []string `json:"goals_missed,omitempty"`
	// Liveness is the cost of checking liveness properties; nil if none were checked.
	Liveness   *Liveness   `json:"liveness,omitempty"`
	Simulation *Simulation `json:"simulation,omitempty"` // of "simulate" only
	// Checkpoint reports the checkpoints; nil if none was asked for.
	Checkpoint *Checkpointed `json:"checkpoint,omitempty"`
	// On says on what a search in parts ran; nil for others.
	On *On `json:"on,omitempty"`
	// Symmetry reports the symmetry reduction, if it was asked for.
	Symmetry *Symmetric `json:"symmetry,omitempty"`
	// POR reports the partial-order reduction, if it was asked for.
	POR *Reduced `json:"por,omitempty"`
	// Branches are those of the invariants, where the program notes them.
	Branches *Branches `json:"branches,omitempty"`
	// Preservation is all that "preserve" reports.
	Preservation *Preservation `json:"preservation,omitempty"`
	// Refined is all that "refine" reports.
	Refined *Refined `json:"refined,omitempty"`
	// Validation is all that "trace" reports, Explanation all that "explain" does.
	Validation  *Validation  `json:"validation,omitempty"`
	Explanation *Explanation `json:"explanation,omitempty"`
	// Conformance is the report of "conform".
	Conformance *Conformance `json:"conformance,omitempty"`
	// Refinement is the report of "monitor".
	Refinement *Refinement `json:"refinement,omitempty"`
}

// Simulation is the part of the report of random walks that an exploration does not have. Fields
// are those of simulate.Result.
type Simulation struct {
	Seed         uint64     `json:"seed"`
	Walks        int64      `json:"walks"`
	Steps        int64      `json:"steps"`
	Abstractions int64      `json:"abstractions"`
	Full         bool       `json:"full,omitempty"` // distinct nodes were not all counted
	Instances    []Fired    `json:"instances"`      // by action, as in Report.Actions
	Ends         Ends       `json:"ends"`
	Coverage     []Coverage `json:"coverage"`
	Kept         []*Trace   `json:"kept,omitempty"` // Simulate.Keep
	Strategy     *Strategy  `json:"strategy,omitempty"`
	// Tree are estimates of the number of behaviours; nil where they were not asked for.
	Tree *Tree `json:"tree,omitempty"`
}

// Tree holds estimates of the number of behaviours: those of treesize.Estimates.
type Tree struct {
	Knuth float64 `json:"knuth"` // 0: not known
	Chen  float64 `json:"chen"`  // 0: not known
}

// Strategy says by which strategy walks were taken and what that guarantees.
type Strategy struct {
	Name       string      `json:"name"`
	Parameters []Parameter `json:"parameters"` // all of them
	// Space is how many choices the strategy draws from, and SpaceOf what these are; "" where that
	// is not known.
	Space   string `json:"space,omitempty"`
	SpaceOf string `json:"space_of,omitempty"`
	// Probability is a lower bound of the probability that one walk makes a given choice; 0 where
	// there is none. Guarantee states the bound in words.
	Probability float64 `json:"probability,omitempty"`
	Guarantee   string  `json:"guarantee,omitempty"`
	// Heuristic gives the reasons why walks are not exactly what the strategy is defined to take.
	Heuristic []string `json:"heuristic,omitempty"`
	// Notes are counts over all walks.
	Notes []string `json:"notes,omitempty"`
}

// Parameter is a parameter of a strategy.
type Parameter struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Meaning string  `json:"meaning"`
}

// Fired is how many instances of an action were fired at least once, and how many it has.
type Fired struct {
	Fired int `json:"fired"`
	Of    int `json:"of"`
}

// Ends counts walks by what ended them.
type Ends struct {
	Depth    int64 `json:"depth"`
	Deadlock int64 `json:"deadlock"`
	Finished int64 `json:"finished,omitempty"` // by the strategy
	Blocked  int64 `json:"blocked"`
	Outside  int64 `json:"outside"`
	Violated int64 `json:"violated"`
}

// Coverage is the coverage of the first walks.
type Coverage struct {
	Walks        int64   `json:"walks"`
	Steps        int64   `json:"steps"`
	Actions      int     `json:"actions"`
	Instances    int     `json:"instances"`
	Distinct     int64   `json:"distinct"`
	Abstractions int64   `json:"abstractions"`
	Goals        int     `json:"goals"`
	Seconds      float64 `json:"seconds"`
}

// Symmetric says that the nodes of some roles were taken to be alike. It has the roles, the number
// of their nodes together, and in how many pairs of states that was tried.
type Symmetric struct {
	Servers int             `json:"servers"`
	Roles   []SymmetricRole `json:"roles"`
	Pairs   int             `json:"pairs"`
}

// SymmetricRole is a role with the number of its nodes, which is at least 1.
type SymmetricRole struct {
	Role  string `json:"role"`
	Nodes int    `json:"nodes"`
}

// Footprints are those of a composition's actions, and of the properties that see its states.
type Footprints struct {
	Actions []modules.Footprint `json:"actions"`
	Seen    []modules.Footprint `json:"seen"`
}

// Reduced says what partial-order reduction did. It counts the states that were expanded, and those
// of them that were expanded in part. It says which part of the pairs of instances is independent,
// and how many pairs were checked in sampled states.
type Reduced struct {
	Pairs       int     `json:"pairs"`
	Expanded    int64   `json:"expanded"`
	Reduced     int64   `json:"reduced"`
	Independent float64 `json:"independent"`
}

// Action counts one action.
type Action struct {
	Name        string `json:"name"`
	Module      string `json:"module"`
	Environment bool   `json:"environment,omitempty"`
	Spent       bool   `json:"spent,omitempty"` // its budget is 0
	Enabled     int64  `json:"enabled"`
	Fired       int64  `json:"fired"`
	Distinct    int64  `json:"distinct"`
}

// Liveness is the second pass over the graph, on which liveness properties are checked.
type Liveness struct {
	Properties []string `json:"properties"` // names
	// Premises say, in the order of Properties, how often the premise of each was true. They are
	// absent if the pass did not visit all states.
	Premises []Premise `json:"premises,omitempty"`
	Edges    int64     `json:"edges"`  // steps that change the state
	Memory   int64     `json:"memory"` // bytes, about
	Seconds  float64   `json:"seconds"`
}

// Premise counts the states in which the premise of a liveness property is true: the function From,
// or the initial states for a property without it. In those that are Open the conclusion, the
// function To, is false.
type Premise struct {
	True int64 `json:"true"`
	Open int64 `json:"open"`
}

// Masked is an assertion that the manifest masks, and how many steps ended in it.
type Masked struct {
	Invariant string `json:"invariant"`
	Count     int64  `json:"count"`
	Doc       string `json:"doc,omitempty"`
}

// Violation is a broken property and its counterexample.
type Violation struct {
	Invariant string `json:"invariant"` // ID; "" for a deadlock
	Instance  string `json:"instance,omitempty"`
	Doc       string `json:"doc,omitempty"`
	Kind      string `json:"kind"`
	Depth     int    `json:"depth"`
	At        int64  `json:"distinct_at"`
	Count     int64  `json:"count"`
	Trace     *Trace `json:"trace,omitempty"`
	// Why says which condition decided, where that was asked for.
	Why []Reason `json:"why,omitempty"`
	// Origin is the walk that found it; nil for an exploration.
	Origin *Origin `json:"origin,omitempty"`
}

// Origin says which walk a trace was shrunk from.
type Origin struct {
	Walk    int64 `json:"walk"`    // its number, from 1; 0: an initial node
	Length  int   `json:"length"`  // in transitions
	Minimal bool  `json:"minimal"` // no step of the trace can be left out
	// Sections divide the trace into parts of the walk, where the strategy has such: rounds. The
	// command moves them to the counterexample.
	Sections []Section `json:"sections,omitempty"`
}

// Section is a run of steps of a trace.
type Section struct {
	Step int    `json:"step"` // the first one, from 1
	Text string `json:"text"` // as "round 3, kernel {0, 1}"
	// Of a round: its number from 1, the servers of its kernel, and those that are isolated.
	Round    int   `json:"round,omitempty"`
	Kernel   []int `json:"kernel,omitempty"`
	Isolated []int `json:"isolated,omitempty"`
}

// Trace is a behaviour with whole states. A state is a Record of the variables, then the budgets'
// counters.
type Trace struct {
	// Nodes are the names of the nodes, by their numbers, where the specification names them.
	Nodes []string     `json:"nodes,omitempty"`
	Init  modules.View `json:"init"`
	Steps []Step       `json:"steps"`
	// Loop is the position of the state from which a behaviour without end goes round: the last
	// state equals it, or is it where the behaviour stays there. 0 is the initial state. Nil: the
	// trace ends.
	Loop *int `json:"loop,omitempty"`
}

// Step is an action with its parameters and the state that it leads to.
type Step struct {
	Action string `json:"action"`
	Module string `json:"module"`
	Server int    `json:"server"` // acting node, -1 for none
	// Touched are the nodes that the parameters I and J name.
	Touched []int `json:"touched,omitempty"`
	// Environment says that the module is of the environment: a crash, a partition, a loss of
	// messages.
	Environment bool         `json:"environment,omitempty"`
	Params      modules.View `json:"params"`
	State       modules.View `json:"state"`
}

// Share says which part of a search a program is. The frames that it exchanges with other parts are
// those of package exchange.
type Share struct {
	Index int `json:"index"` // from 0; part 0 reports for all
	Count int `json:"count"`
}

// On reports on what a search in parts ran.
type On struct {
	Engine  string `json:"engine"`  // "embedded" or "nats"
	Workers int    `json:"workers"` // parts of the search, each a process
	Batches int64  `json:"batches"` // of states that were sent from one to another
	Bytes   int64  `json:"bytes"`   // of all that was sent
	// Restarts is how often the search began again, since a worker was lost.
	Restarts int `json:"restarts,omitempty"`
}
