package wire

import (
	"encoding/json"
	"time"

	"github.com/multigrain/multigrain/modules"
)

// Conform holds the parameters of "conform" in addition to Workers, Stop, Timeout and Seed. With
// Replay it does that one trace.
type Conform struct {
	Depth   int                `json:"depth,omitempty"`   // as of Simulate
	Number  int64              `json:"number,omitempty"`  // as of Simulate
	Weights map[string]float64 `json:"weights,omitempty"` // as of Simulate
	// Strategy is as of Simulate. With Cover there is none.
	Strategy *AskedStrategy `json:"strategy,omitempty"`
	// From is as of Simulate.
	From []From `json:"from,omitempty"`
	// Cover asks for walks that cover the "edges" or "pairs" of the graph. The graph may have
	// Options.MaxStates states. "": walks are random.
	Cover string `json:"cover,omitempty"`
	// Version is the version that the manifest requires, "" for any. Settings are those of its
	// implementation block.
	Version  string            `json:"version,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
	// Driver is the process that runs the implementation; nil where the program has an adapter.
	Driver *Driver `json:"driver,omitempty"`
	// Second is another implementation that does the same walks side by side: see package pair.
	// Nil: there is none.
	Second *Second `json:"second,omitempty"`
	// Accepted are known differences: of type Acceptance of package checker/conform.
	Accepted []json.RawMessage `json:"accepted,omitempty"`
	// Replay is the trace to be done. Its states are compared with the specification's if States
	// says so, else its actions and parameters alone are taken.
	Replay *Trace `json:"replay,omitempty"`
	States bool   `json:"states,omitempty"`
	// Follow lets walks continue after a difference, with what the implementation has, and judges
	// invariants there. Options.Footprints say which invariants read observed variables only.
	Follow *Follow `json:"follow,omitempty"`
	// Keep is as of conform.Setup.
	Keep string `json:"keep,omitempty"`
	// Code is code that takes the place of a part of the implementation's own.
	Code *Code `json:"code,omitempty"`
	// Build asks to make such code. Nothing else is done then.
	Build *Build `json:"build,omitempty"`
	// Sides asks what changed lines write. Nothing else is done then.
	Sides *Sides `json:"sides,omitempty"`
	// Held and Most are as of conform.Options.
	Held bool          `json:"held,omitempty"`
	Most time.Duration `json:"most,omitempty"`
	// Journal is a folder in which the program notes each step before it does it; "": it does not.
	Journal string `json:"journal,omitempty"`
	// Again is a walk that has ended a process: it is done once more.
	Again *Again `json:"again,omitempty"`
	// Ended is how the process of this request ended by itself. Then the walks of Journal are done
	// again, each in a process of its own, and the report says whether they end it, too.
	Ended *CrashError `json:"ended,omitempty"`
	// Confirm asks for attempts to do Replay and to see its symptoms.
	Confirm *Confirm `json:"confirm,omitempty"`
	// Follows asks which compositions the adapter can follow, each by the names of its actions. No
	// walk is taken.
	Follows [][]string `json:"follows,omitempty"`
}

// Second is an implementation that runs next to that of a request.
type Second struct {
	Driver   Driver            `json:"driver"`
	Version  string            `json:"version,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
}

// Driver says how the process is started that runs an implementation. Fields are those of
// driver.Command. Name is the name of the implementation.
type Driver struct {
	Name       string            `json:"name"`
	Command    []string          `json:"command"`
	Dir        string            `json:"dir"`
	Env        []string          `json:"env,omitempty"`
	Transcript string            `json:"transcript,omitempty"`
	Remedy     string            `json:"remedy,omitempty"`
	Names      map[string]string `json:"names,omitempty"`
}

// Follow is conform.Follow.
type Follow struct {
	Least  int64         `json:"least,omitempty"`
	Share  time.Duration `json:"share,omitempty"`
	Shared []Departure   `json:"shared,omitempty"`
	First  bool          `json:"first,omitempty"`
	Begin  *Trace        `json:"begin,omitempty"`
	Ahead  int           `json:"ahead,omitempty"`
	Always bool          `json:"always,omitempty"`
	// Rehearse is as of conform.Follow.
	Rehearse int64 `json:"rehearse,omitempty"`
	// Unobserved judges invariants that read variables which the adapter does not observe, too.
	// These have the values of the specification's steps. The names are in Unjudged and in Judged.
	Unobserved bool `json:"unobserved,omitempty"`
}

// Departure names a difference: see conform.Departure.
type Departure struct {
	Action   string `json:"action"`
	Variable string `json:"variable"`
}

// Followed reports how walks continued after differences. Only with Conform.Follow.
type Followed struct {
	// Departed counts the walks that departed from the specification.
	Departed   int64      `json:"departed"`
	Violations []Broken   `json:"violations"`
	Unjudged   []Unjudged `json:"unjudged"`
	Judged     []string   `json:"judged"` // invariants
	Ran        []RanPlace `json:"ran"`    // of the changed code, by the number of the place
	// Equal is Ran before the first difference of each walk; only with Conform.Code.
	Equal []RanPlace `json:"equal,omitempty"`
	// Places are those of Conform.Code, by number. Other places are known to who built the program.
	Places []NotedPlace `json:"places,omitempty"`
}

// RanPlace says what a place of the changed code did: whether a condition was false, and whether it
// was true or the line ran.
type RanPlace struct {
	False bool `json:"false,omitempty"`
	True  bool `json:"true,omitempty"`
}

// Unjudged is an invariant that reads a variable which the adapter does not observe.
type Unjudged struct {
	Invariant string `json:"invariant"`
	Variable  string `json:"variable"`
}

// Broken is an invariant that the implementation breaks. Fields are those of conform.Violation.
type Broken struct {
	Invariant string   `json:"invariant"`
	Kind      string   `json:"kind"`
	Doc       string   `json:"doc,omitempty"`
	Trace     *Trace   `json:"trace"` // with the states of the implementation
	Departed  int      `json:"departed"`
	Walk      int64    `json:"walk"`
	Length    int      `json:"length"`
	Minimal   bool     `json:"minimal,omitempty"`
	Count     int64    `json:"count"`
	Log       []string `json:"log,omitempty"`
	Frames    []string `json:"frames,omitempty"` // of a panic, whose text is Doc
	// Values differ after the step that departs.
	Values []Differing `json:"values,omitempty"`
	Beside string      `json:"beside,omitempty"` // as in conform.Violation
}

// Again is a walk as a journal has it. Fields are those of conform.Walk.
type Again struct {
	Init      []byte  `json:"init"`
	Instances []int32 `json:"instances"`
}

// Kinds of errors of "conform" next to those of all verbs.
const (
	ErrorVersion = "version" // another version of the implementation was built in than is pinned
	ErrorAdapter = "adapter" // the adapter cannot be opened
	// a difference did not show again: the implementation or its adapter is not deterministic
	ErrorUnstable = "unstable"
	ErrorDriver   = "driver" // the driver does not keep to the protocol
	ErrorStart    = "start"  // the driver does not start
	ErrorTrace    = "trace"  // Replay, or what walks begin with, is no behaviour of the composition
)

// Conformance is the report of "conform" without the verdict, its reason, seconds, workers and the
// actions. Of the actions only Fired is counted. Fields are those of conform.Result.
type Conformance struct {
	Version    string `json:"version,omitempty"`
	Seed       uint64 `json:"seed"`
	Traces     int64  `json:"traces"`
	Steps      int64  `json:"steps"`
	Longest    int    `json:"longest"`
	Short      int64  `json:"short,omitempty"`
	Half       int64  `json:"half,omitempty"`
	Refused    int64  `json:"refused,omitempty"`
	Exceeded   int64  `json:"exceeded,omitempty"`
	Undriven   int64  `json:"undriven,omitempty"`
	UndrivenAt string `json:"undriven_at,omitempty"`
	// UndrivenNext names the steps of further walks that were not driven to their end.
	UndrivenNext []string      `json:"undriven_next,omitempty"`
	Repeated     int64         `json:"repeated,omitempty"`
	LeftOut      []LeftOut     `json:"left_out,omitempty"`
	Accepted     []Accepted    `json:"accepted,omitempty"`
	Ended        int64         `json:"ended,omitempty"`
	Instances    []Fired       `json:"instances"` // by action
	Coverage     []Conformed   `json:"coverage"`
	Branches     *Branches     `json:"branches,omitempty"` // of a program that notes them
	Covered      *Covered      `json:"covered,omitempty"`  // with Conform.Cover
	Strategy     *Strategy     `json:"strategy,omitempty"` // with Conform.Strategy
	Observed     []string      `json:"observed"`
	Unobserved   []string      `json:"unobserved,omitempty"`
	Count        int64         `json:"differences"`
	Found        []Discrepancy `json:"found"`
	Waited       float64       `json:"waited,omitempty"` // seconds, for processors
	Followed     *Followed     `json:"followed,omitempty"`
	// Held are the sums of the fields of the implementation's objects: see conform.Result. Nil for
	// an adapter that does not name these objects.
	Held map[string]uint64 `json:"held,omitempty"`
	// Written is the answer to Conform.Sides.
	Written *Written `json:"written,omitempty"`
	// NotFollowed says for each composition of Conform.Follows why the adapter cannot follow it; ""
	// where it can.
	NotFollowed []string `json:"not_followed,omitempty"`
	Built       *Built   `json:"built,omitempty"`
	// Attempts are those that Conform.Confirm asked for.
	Attempts []Attempt `json:"attempts,omitempty"`
}

// Accepted counts walks that ended in an accepted difference. Fields are those of
// conform.AcceptedDifference.
type Accepted struct {
	Name  string `json:"name"`
	Walks int64  `json:"walks"`
}

// Covered counts what planned walks covered. Fields are those of conform.Covered.
type Covered struct {
	Kind   string `json:"kind"`
	States int    `json:"states"`
	Edges  int    `json:"edges"`
	// Targets are edges or pairs; Beyond of them need longer walks; Done of them were done and
	// compared.
	Targets int `json:"targets"`
	Beyond  int `json:"beyond"`
	Done    int `json:"done"`
	Walks   int `json:"walks"`
	Least   int `json:"least"` // a lower bound of the number of walks that take all targets
	Steps   int `json:"steps"` // of all planned walks
}

// LeftOut counts steps that walks did without. Fields are those of conform.LeftOut.
type LeftOut struct {
	Action string `json:"action"`
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
}

// Conformed is the coverage of the first walks.
type Conformed struct {
	Traces    int64   `json:"traces"`
	Steps     int64   `json:"steps"`
	Actions   int     `json:"actions"`
	Instances int     `json:"instances"`
	Branches  int     `json:"branches,omitempty"`
	Seconds   float64 `json:"seconds"`
}

// Branches is which branches were taken, of guards, effects and rules or of invariants: each
// condition has two.
type Branches struct {
	Taken   int       `json:"taken"`
	Of      int       `json:"of"`
	Missing []Untaken `json:"missing"`
}

// Untaken is a branch that was not taken: a condition never had this value. Evaluated says that it
// had the other one. Fields are those of checker.Branch.
type Untaken struct {
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Condition string `json:"condition"`
	Value     bool   `json:"value"`
	Evaluated bool   `json:"evaluated"`
}

// Discrepancy is a difference between specification and implementation. Fields are those of
// conform.Difference.
type Discrepancy struct {
	Kind    string      `json:"kind"`
	Values  []Differing `json:"values,omitempty"`
	Message string      `json:"message,omitempty"`
	Frames  []string    `json:"frames,omitempty"`
	Walk    int64       `json:"walk"`
	Length  int         `json:"length"`
	Minimal bool        `json:"minimal"`
	Count   int64       `json:"count"`
	Trace   *Trace      `json:"trace"`
	Log     []string    `json:"log"`
	// Explained: the adapter wrote Log where the difference occurred; otherwise Log is that of a
	// second run.
	Explained bool `json:"explained,omitempty"`
}

// Differing is a part of the state that has two values; nil is none.
type Differing struct {
	Path           string        `json:"path"`
	Specification  *modules.View `json:"specification"`
	Implementation *modules.View `json:"implementation"`
}

// Sides is conform.Sides: it asks what changed lines write, and for no walks.
type Sides struct {
	Before   string     `json:"before,omitempty"`
	After    string     `json:"after,omitempty"`
	Lines    []SideLine `json:"lines"`
	Compared []string   `json:"compared"`
	Inert    bool       `json:"inert,omitempty"`
}

// SideLine is conform.SideLine.
type SideLine struct {
	File   string `json:"file"`
	Number int    `json:"number"`
	Before bool   `json:"before,omitempty"`
	Gap    bool   `json:"gap,omitempty"`
}

// Written is the answer to Sides: conform.Written, or why it is not known.
type Written struct {
	Writes []LineWrite `json:"writes"`
	Same   []SideLine  `json:"same"`
	Inert  []string    `json:"inert,omitempty"`
	Rests  []string    `json:"rests,omitempty"`
	Lacks  string      `json:"lacks,omitempty"`
}

// LineWrite is conform.LineWrite.
type LineWrite struct {
	SideLine
	Function string `json:"function"`
	Place    string `json:"place"`
	Changes  bool   `json:"changes,omitempty"`
	Observed bool   `json:"observed"`
}
