package main

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// monitorDoc is what -json says of a monitored stream.
type monitorDoc struct {
	Node      int     `json:"node"`
	Verdict   string  `json:"verdict"`
	Reason    string  `json:"reason,omitempty"`
	Seconds   float64 `json:"seconds"`
	Malformed int64   `json:"malformed"`
	// Unreadable are the first of the malformed lines.
	Unreadable []wire.Unreadable `json:"unreadable,omitempty"`
	Stats      monitorStats      `json:"stats"`
	Alarms     int64             `json:"alarms,omitempty"`
	Alarm      *alarmDoc         `json:"alarm,omitempty"` // the first
}

// monitorStats are the statistics of the checker.
type monitorStats struct {
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
	LeftOut   []omission      `json:"left_out,omitempty"`
	Causes    []undecidedSpan `json:"undecided_intervals,omitempty"`
}

// omission counts the events of a network that the composition does not model.
type omission struct {
	Network string `json:"network"`
	Events  int64  `json:"events"`
}

// undecidedSpan is a part of a stream in which nothing is decided.
type undecidedSpan struct {
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Out   int64  `json:"out"`
	Cause string `json:"cause"`
}

// alarmDoc is an alarm.
type alarmDoc struct {
	Node     int           `json:"node"`
	Position int64         `json:"position"`
	Outgoing int64         `json:"outgoing"`
	At       int64         `json:"at,omitempty"`
	Peer     int           `json:"peer"`
	Message  shownDoc      `json:"message"`
	Expected []shownDoc    `json:"expected"`
	Why      string        `json:"why,omitempty"`
	State    *modules.View `json:"state,omitempty"`
	Last     []shownDoc    `json:"last"`
}

// shownDoc is an event or a message.
type shownDoc struct {
	Event   string        `json:"event,omitempty"`
	Peer    *int          `json:"peer,omitempty"`
	Action  string        `json:"action,omitempty"`
	Value   *modules.View `json:"value,omitempty"`
	Text    string        `json:"text,omitempty"`
	Differs string        `json:"differs,omitempty"`
}

// line is a shown event or message in one line.
func (s *shownDoc) line() string {
	var b strings.Builder
	if s.Event != "" {
		fmt.Fprintf(&b, "%-7s ", s.Event)
	}
	if s.Peer != nil {
		fmt.Fprintf(&b, "peer %d  ", *s.Peer)
	}
	if s.Value != nil {
		b.WriteString(brief(s.Value))
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

// brief is a message with the fields that are not zero.
func brief(v *modules.View) string {
	if v.Shape != modules.Record {
		if v.Shape == modules.Scalar {
			return v.Text
		}
		var parts []string
		for k := range v.Elems {
			parts = append(parts, brief(&v.Elems[k]))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	var parts []string
	for k := range v.Elems {
		switch text := brief(&v.Elems[k]); text {
		case "0", "false", "[]", "{}":
		default:
			parts = append(parts, v.Names[k]+"="+text)
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// maxShown is how many unreadable lines and undecided intervals are listed for people; -json has more.
const maxShown = 5

// text is the result for people.
func monitorText(d *monitorDoc, paint painter) string {
	var b strings.Builder
	st := &d.Stats
	switch {
	case d.Alarm != nil:
		a := d.Alarm
		fmt.Fprintf(&b, "%s: node %d must not have sent to %d\n\n    %s\n\n", paint.in(red, "alarm"), a.Node, a.Peer, a.Message.line())
		fmt.Fprintf(&b, "event %d of the stream, its outgoing message %d\n", a.Position, a.Outgoing)
		if d.Alarms > 1 {
			fmt.Fprintf(&b, "the first of %d alarms\n", d.Alarms)
		}
		if len(a.Expected) > 0 {
			b.WriteString("\nwhat would have been allowed in its place:\n")
			for k := range a.Expected {
				b.WriteString("    " + a.Expected[k].line() + "\n")
			}
		}
		if a.Why != "" {
			b.WriteString("\n" + a.Why + "\n")
		}
		if a.State != nil {
			b.WriteString("one of them: " + brief(a.State) + "\n")
		}
		b.WriteString("\nthe events before it:\n")
		for k := range a.Last {
			b.WriteString("    " + a.Last[k].line() + "\n")
		}
		b.WriteString("\n")
	case d.Verdict == "undecided":
		fmt.Fprintf(&b, "%s: %s\n", paint.in(yellow, "undecided"), d.Reason)
	default:
		fmt.Fprintf(&b, "%s: every message of node %d is explained\n", paint.in(green, "holds"), d.Node)
	}
	fmt.Fprintf(&b, "%d outgoing messages: %d decided, %d undecided; %d received, %d inputs, %d restarts, %d lost, %d malformed\n",
		st.Out, st.Decided, st.Undecided, st.In, st.Inputs, st.Restarts, st.Lost, d.Malformed)
	for _, x := range st.LeftOut {
		fmt.Fprintf(&b, "    %d events of %s left out: the composition does not model that network\n", x.Events, x.Network)
	}
	for k, x := range d.Unreadable {
		if k == maxShown {
			fmt.Fprintf(&b, "    and %d more lines that cannot be read\n", d.Malformed-maxShown)
			break
		}
		fmt.Fprintf(&b, "    line %d cannot be read: %s: %s\n", x.Line, x.Why, printable(x.Text))
	}
	for k, x := range st.Causes {
		if k == maxShown {
			fmt.Fprintf(&b, "    and %d more intervals\n", len(st.Causes)-maxShown)
			break
		}
		fmt.Fprintf(&b, "    undecided: events %d to %d, %d outgoing messages: %s\n", x.From, x.To, x.Out, x.Cause)
	}
	fmt.Fprintf(&b, "%.2f s, %.0f messages a second; %.2f simulation states on average, %d at most; %.1f explored for a message, %d at most\n",
		d.Seconds, float64(st.In+st.Out)/max(d.Seconds, 1e-9), float64(st.SumStates)/float64(max(st.Decided, 1)), st.Most,
		float64(st.Explored)/float64(max(st.Out, 1)), st.Largest)
	return b.String()
}
