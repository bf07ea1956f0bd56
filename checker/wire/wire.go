// Package wire is what the command and an assembled program say to each other: one Request on the program's standard input,
// then Events, one JSON document a line, on its standard output. The program ends when its standard input closes.
package wire

import (
	"encoding/json"
	"time"

	"github.com/multigrain/multigrain/modules"
)

// Request asks an assembled program for one run.
type Request struct {
	Verb    string          `json:"verb"`   // "check", "simulate" or "preserve"
	Choice  json.RawMessage `json:"choice"` // a grains.Choice
	Options Options         `json:"options"`
}

// Options of the exploring verbs.
type Options struct {
	Workers   int           `json:"workers"`            // 0: one for each processor
	Stop      int           `json:"stop"`               // end after so many violations; 0: never
	Deadlock  bool          `json:"deadlock"`           // a node without successors is a violation
	MaxStates int64         `json:"max_states"`         // 0: no limit
	Timeout   time.Duration `json:"timeout,omitempty"`  // 0: no limit
	Memory    int64         `json:"memory,omitempty"`   // bytes; 0: no limit
	Seed      uint64        `json:"seed,omitempty"`     // of the sampling verbs
	Table     bool          `json:"table,omitempty"`    // run the table of actions instead of the generated calls
	Progress  bool          `json:"progress,omitempty"` // send progress events
	// Profile is a file that a CPU profile of the run is written to, for go tool pprof; "": none.
	Profile string `json:"profile,omitempty"`
	// Simulate is what "simulate" takes beside Workers, Stop, Deadlock, MaxStates, Timeout, Memory and Seed; nil: the zero
	// value. Of Memory no more is used than remembering distinct nodes takes.
	Simulate *Simulate `json:"simulate,omitempty"`
	// Preserve is what "preserve" takes beside MaxStates and Timeout.
	Preserve *Preserve `json:"preserve,omitempty"`
}

// Simulate says which random walks are taken.
type Simulate struct {
	Depth  int   `json:"depth,omitempty"`  // transitions of a walk, at most; 0: 100
	Number int64 `json:"number,omitempty"` // walks; 0: as many as fit into Timeout
	// Weights are the relative frequencies of actions by their names, 1 where nothing is said.
	Weights map[string]float64 `json:"weights,omitempty"`
	Learned bool               `json:"learned,omitempty"` // multiply them by learned ones
}

// Event is one line of a program's output. Exactly one field is set; a Report or an Error is the last.
type Event struct {
	Progress *Progress `json:"progress,omitempty"`
	Report   *Report   `json:"report,omitempty"`
	Error    *Error    `json:"error,omitempty"`
}

// Progress of an exploration or of random walks, which have no depth and queue.
type Progress struct {
	Walks     int64   `json:"walks,omitempty"`
	Steps     int64   `json:"steps,omitempty"` // of these walks
	Depth     int     `json:"depth"`
	Distinct  int64   `json:"distinct"`
	Generated int64   `json:"generated"`
	Queue     int64   `json:"queue"`
	Seconds   float64 `json:"seconds"`
	Memory    int64   `json:"memory"` // bytes
}

// Kinds of errors.
const (
	ErrorSpec     = "spec"     // the specification is invalid
	ErrorCapacity = "capacity" // a value of the State was full or an index out of range
	ErrorSystem   = "system"   // memory, disk, a fault of the checker itself
)

// Error ends a run that could not be completed because of the specification or the machine.
type Error struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	// Where it happened, as far as it is known.
	Action   string        `json:"action,omitempty"`
	Params   *modules.View `json:"params,omitempty"`
	Field    string        `json:"field,omitempty"`    // path in the State, as History[1]
	Capacity int           `json:"capacity,omitempty"` // elements that the field holds
	File     string        `json:"file,omitempty"`
	Line     int           `json:"line,omitempty"`
	Trace    *Trace        `json:"trace,omitempty"` // to the node that was expanded
}

// Report is the result of an exploration or of random walks. Fields are those of checker.Result, which simulate.Result says
// what they mean for walks.
type Report struct {
	Verdict     string      `json:"verdict"`
	Reason      string      `json:"reason,omitempty"`
	Distinct    int64       `json:"distinct"`
	Generated   int64       `json:"generated"`
	Depth       int         `json:"depth"`
	Levels      []int64     `json:"levels"`
	Seconds     float64     `json:"seconds"`
	Workers     int         `json:"workers"`
	Digest      string      `json:"digest"` // 16 hexadecimal digits
	Collision   float64     `json:"collision_probability"`
	Memory      int64       `json:"memory"` // bytes at the peak
	NodeBytes   int         `json:"node_bytes"`
	Actions     []Action    `json:"actions"`
	Violations  []Violation `json:"violations"`
	Invariants  []string    `json:"invariants"` // names of those that were checked
	Masked      int64       `json:"masked"`     // successors that ended in a masked assertion
	GoalsMissed []string    `json:"goals_missed,omitempty"`
	Simulation  *Simulation `json:"simulation,omitempty"` // of "simulate" only
	// Preservation is all that "preserve" reports.
	Preservation *Preservation `json:"preservation,omitempty"`
}

// Simulation is what is reported of random walks beside what they share with an exploration. Fields are those of
// simulate.Result.
type Simulation struct {
	Seed         uint64     `json:"seed"`
	Walks        int64      `json:"walks"`
	Steps        int64      `json:"steps"`
	Abstractions int64      `json:"abstractions"`
	Full         bool       `json:"full,omitempty"` // distinct nodes were not all counted
	Instances    []Fired    `json:"instances"`      // by action, as in Report.Actions
	Ends         Ends       `json:"ends"`
	Coverage     []Coverage `json:"coverage"`
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
	Blocked  int64 `json:"blocked"`
	Outside  int64 `json:"outside"`
	Violated int64 `json:"violated"`
}

// Coverage is what the first walks had covered.
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
	// Origin is the walk that found it; nil for an exploration.
	Origin *Origin `json:"origin,omitempty"`
}

// Origin says which walk a trace was shrunk from.
type Origin struct {
	Walk    int64 `json:"walk"`    // its number, from 1; 0: an initial node
	Length  int   `json:"length"`  // in transitions
	Minimal bool  `json:"minimal"` // no step of the trace can be left out
}

// Trace is a behaviour with whole states. A state is a Record of the variables, then the budgets' counters.
type Trace struct {
	Init  modules.View `json:"init"`
	Steps []Step       `json:"steps"`
}

// Step is an action with its parameters and the state that it leads to.
type Step struct {
	Action string       `json:"action"`
	Module string       `json:"module"`
	Server int          `json:"server"` // acting server, -1 for none
	Params modules.View `json:"params"`
	State  modules.View `json:"state"`
}
