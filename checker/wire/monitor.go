package wire

import "github.com/multigrain/multigrain/modules"

// Monitor holds the parameters of "monitor", which compares a stream of one node's events with the
// composition of Request.Choice.
type Monitor struct {
	Node int `json:"node"` // counted from 0
	// Source is the file that the stream is read from, or the socket on which it arrives, as
	// unix:PATH.
	Source string `json:"source"`
	// Footprints are those of the composition's actions and of the package's local ones.
	Footprints []modules.Footprint `json:"footprints"`
	Window     int                 `json:"window,omitempty"`
	Within     int                 `json:"within,omitempty"`
	Budget     int                 `json:"budget,omitempty"`
	History    int                 `json:"history,omitempty"`
	// incoming events are in the order in which the node took them
	Total bool `json:"total,omitempty"`
	// and the node's own steps are in the stream
	Steps bool `json:"steps,omitempty"`
	// SnapshotEvery is how often the state is kept, in milliseconds; 0: 1000.
	SnapshotEvery int `json:"snapshot_every,omitempty"`
	// Snapshot is a file that the state of the check is kept in while it runs, and that it
	// continues from; "": none.
	Snapshot string `json:"snapshot,omitempty"`
	// Keep is how many of the last events are kept for Refinement.Part; 0: none.
	Keep int `json:"keep,omitempty"`
	// Settings are the values of the composition's options by name.
	Settings map[string]string `json:"settings,omitempty"`
	// Verify says of how many states one is compared with what is derived and declared; 0: none.
	// What does not hold is an error.
	Verify int `json:"verify,omitempty"`
	// Undeclared ignores the declarations by which the search prunes schedules.
	Undeclared bool `json:"undeclared,omitempty"`
	// NoAsap, NoDomination and NoAhead each leave out a reduction of the search.
	NoAsap       bool `json:"no_asap,omitempty"`
	NoDomination bool `json:"no_domination,omitempty"`
	NoAhead      bool `json:"no_ahead,omitempty"`
	Plan         bool `json:"plan,omitempty"` // report what was derived, and read nothing
	// Selftest tries the runtime on random behaviours instead of reading a stream.
	Selftest *Selftest `json:"selftest,omitempty"`
}

// Selftest says which behaviours are tested, and how: selftest.Options of package refine.
type Selftest struct {
	Number  int64 `json:"number"`
	First   int64 `json:"first,omitempty"`
	Stride  int64 `json:"stride,omitempty"`
	Steps   int   `json:"steps"`
	Orders  int   `json:"orders"`
	Mutants int   `json:"mutants"`
	Laws    int64 `json:"laws,omitempty"`
	Judge   int   `json:"judge"`
}

// Refinement is the result of "monitor": a refine.Stats, a refine.Alarm and a refine.Plan.
type Refinement struct {
	Stats any `json:"stats,omitempty"`
	Alarm any `json:"alarm,omitempty"`
	Plan  any `json:"plan,omitempty"`
	// Alarms counts the alarms so far. After an alarm the check continues at a restart whose state
	// is known.
	Alarms int64 `json:"alarms,omitempty"`
	// Selftest is a selftest.Report of package refine.
	Selftest any `json:"selftest,omitempty"`
	Verified any `json:"verified,omitempty"` // a refine.Verification, where it was asked for
	// Part is a part of the stream that finer grains can judge again: see Monitor.Keep.
	Part *Part `json:"part,omitempty"`
	// Malformed counts lines that could not be read. Unreadable has the first one for each reason;
	// in interim results, for new reasons. Waiting counts events that are not processed yet.
	Malformed  int64        `json:"malformed,omitempty"`
	Unreadable []Unreadable `json:"unreadable,omitempty"`
	Waiting    int          `json:"waiting,omitempty"`
	// Memory is the resident memory of the program's process in bytes, 0 if it is unknown.
	Memory int64 `json:"memory,omitempty"`
}

// Part is a part of a stream, as a stream of its own: a refine.Part.
type Part struct {
	Occasion string   `json:"occasion"`
	At       int64    `json:"at"`
	From     int64    `json:"from"` // events before it
	Lines    []string `json:"lines"`
}

// Unreadable is the first line of a stream that cannot be read for a reason.
type Unreadable struct {
	Line int64  `json:"line"` // from 1; of a socket since the monitor began
	Why  string `json:"why"`
	Text string `json:"text"` // how it begins
	// Lines is how many lines cannot be read for this reason, this first one among them.
	Lines int64 `json:"lines"`
}

// Kinds of errors of "monitor".
const (
	ErrorOptions = "options" // they make no sense for the composition
	ErrorLocal   = "local"   // the composition cannot run next to one node
	ErrorInput   = "input"   // the stream or the snapshot cannot be opened
	// ErrorDeclared says that what the specification declares does not hold: Monitor.Verify.
	ErrorDeclared = "declared"
)
