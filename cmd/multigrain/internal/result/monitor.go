package result

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Monitor is the result of monitoring a node.
type Monitor struct {
	Node      int     `json:"node"`
	Verdict   string  `json:"verdict" enum:"holds violated undecided"`
	Reason    string  `json:"reason,omitempty"`
	Seconds   float64 `json:"seconds"`
	Malformed int64   `json:"malformed"`
	// Unreadable has the first malformed line for each reason.
	Unreadable []wire.Unreadable `json:"unreadable,omitempty"`
	Stats      MonitorStats      `json:"stats"`
	Alarms     int64             `json:"alarms,omitempty"`
	Alarm      *Alarm            `json:"alarm,omitempty"` // the first
	// Substitutions lists how the running composition differs from the manifest's.
	Substitutions []Substitution `json:"substitutions,omitempty"`
	// Finer are the judgements of parts of the stream by finer grains: -finer. Unjudged counts
	// parts that came faster than they could be judged, or were too many.
	Finer    []Finer `json:"finer,omitempty"`
	Unjudged int64   `json:"unjudged,omitempty"`
}

// Finer is the judgement of a part of a stream by a composition with a finer grain.
type Finer struct {
	Occasion string   `json:"occasion" enum:"alarm undecided election"`
	At       int64    `json:"at"`      // position of the event that is the occasion
	Modules  []string `json:"modules"` // of the coarse grain
	Grains   []string `json:"grains"`  // in its place
	From     int64    `json:"from"`    // events before this part
	Events   int      `json:"events"`  // of this part, with the states that it begins in
	Verdict  string   `json:"verdict" enum:"holds violated undecided"`
	Reason   string   `json:"reason,omitempty"`
	Alarm    *Alarm   `json:"alarm,omitempty"` // Position counts the events of this part
}

// Substitution is a grain, an option or a bound that is another one next to a node.
type Substitution struct {
	What    string `json:"what"` // modules, or an option or a bound
	Setting bool   `json:"setting,omitempty"`
	From    string `json:"from"`
	To      string `json:"to"`
	Why     string `json:"why"`
}

// NodePlan explains the composition that runs next to a node.
type NodePlan struct {
	Substitutions []Substitution `json:"substitutions,omitempty"`
	Actions       []NodeAction   `json:"actions"`
	Networks      []string       `json:"networks,omitempty"` // whose messages are compared
	// Remains are the parts of the specification that exist only for running next to a node.
	Remains []Remainder `json:"remains,omitempty"`
}

// NodeAction is an action next to a node.
type NodeAction struct {
	Name   string `json:"name"`
	Module string `json:"module"` // "local" for a local action
	// Class is how the action happens at a node.
	Class    string   `json:"class"`
	For      []string `json:"for,omitempty"`      // actions of several servers
	Declared []string `json:"declared,omitempty"` // declarations about it
	Why      string   `json:"why,omitempty"`
}

// Remainder is a part of the specification that exists only for running next to a node.
type Remainder struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Why  string `json:"why"`
}

// MonitorStats are the statistics of the checker since it began. All are counts: of events by kind,
// of events that are decided or not, of searches with the states that they explored, and of steps.
// The largest search and the states now and at most are numbers of states.
type MonitorStats struct {
	Events    int64           `json:"events"`
	In        int64           `json:"in"`
	Out       int64           `json:"out"`
	Inputs    int64           `json:"inputs"`
	Restarts  int64           `json:"restarts"`
	Lost      int64           `json:"lost"`
	Decided   int64           `json:"decided"`
	Undecided int64           `json:"undecided"`
	Searches  int64           `json:"searches"`
	Explored  int64           `json:"explored"`
	Steps     int64           `json:"steps"`
	Largest   int             `json:"largest_search"`
	States    int             `json:"states"`
	Most      int             `json:"most_states"`
	SumStates int64           `json:"sum_states"`
	Pending   int64           `json:"sum_pending"`
	Entries   int             `json:"log_entries"`
	LeftOut   []Omission      `json:"left_out,omitempty"`
	Causes    []UndecidedSpan `json:"undecided_intervals,omitempty"`
}

// Omission counts the events of a network that the composition does not model.
type Omission struct {
	Network string `json:"network"`
	Events  int64  `json:"events"`
}

// UndecidedSpan is a part of a stream in which nothing is decided.
type UndecidedSpan struct {
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Out   int64  `json:"out"`
	Cause string `json:"cause"`
}

// Alarm is a message that the composition does not allow the node to send, or a restart that
// contradicts a message.
type Alarm struct {
	Node     int           `json:"node"`
	Position int64         `json:"position"`
	Outgoing int64         `json:"outgoing"`
	At       int64         `json:"at,omitempty"`
	Peer     int           `json:"peer"`
	Message  Shown         `json:"message"`
	Expected []Shown       `json:"expected"`
	Why      string        `json:"why,omitempty"`
	State    *modules.View `json:"state,omitempty"`
	Last     []Shown       `json:"last"`
	// Sent is the position of the message if Position is a restart without what the message says is
	// on disk.
	Sent int64 `json:"sent,omitempty"`
}

// Shown is an event or a message.
type Shown struct {
	Event   string        `json:"event,omitempty"`
	Peer    *int          `json:"peer,omitempty"`
	Action  string        `json:"action,omitempty"`
	Value   *modules.View `json:"value,omitempty"`
	Text    string        `json:"text,omitempty"`
	Differs string        `json:"differs,omitempty"`
}

// Line describes an event or a message in one line.
func (s *Shown) Line() string {
	var b strings.Builder
	if s.Event != "" {
		fmt.Fprintf(&b, "%-7s ", s.Event)
	}
	if s.Peer != nil {
		fmt.Fprintf(&b, "peer %d  ", *s.Peer)
	}
	if s.Value != nil {
		b.WriteString(Brief(s.Value))
	}
	b.WriteString(s.Text)
	if s.Action != "" {
		b.WriteString("  by " + s.Action)
	}
	if s.Differs != "" {
		b.WriteString("; differs in " + s.Differs)
	}
	return strings.TrimSpace(b.String())
}

// Brief returns a value as text, without fields that are zero.
func Brief(v *modules.View) string {
	if v.Shape != modules.Record {
		if v.Shape == modules.Scalar {
			return v.Text
		}
		var parts []string
		for k := range v.Elems {
			parts = append(parts, Brief(&v.Elems[k]))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	var parts []string
	for k := range v.Elems {
		switch text := Brief(&v.Elems[k]); text {
		case "0", "false", "[]", "{}":
		default:
			parts = append(parts, v.Names[k]+"="+text)
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}
