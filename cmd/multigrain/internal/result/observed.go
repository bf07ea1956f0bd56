package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Observed describes how the changed code ran under the composed specification.
type Observed struct {
	Verdict verdicts.Word `json:"verdict" enum:"behaves differs undecided verified violated"`
	Reason  string        `json:"reason,omitempty"`
	Hash    string        `json:"hash"`    // of the change: 16 hexadecimal digits
	Modules []Module      `json:"modules"` // of the composition that was walked first
	// Walked are the compositions that were walked, NotWalked those that were not, with the reason.
	Walked    []Walked   `json:"walked"`
	NotWalked []Rejected `json:"not_walked"`
	Seed      uint64     `json:"seed"`    // of the walks
	Walks     int64      `json:"walks"`   // that came to their end
	Steps     int64      `json:"steps"`   // done and compared
	Departs   int64      `json:"departs"` // walks that departed from the specification
	Seconds   float64    `json:"seconds"` // of the walks, without building
	Places    []RanPlace `json:"places"`  // of the changed code
	Unfired   []string   `json:"unfired"` // actions of touched modules that no walk took
	// Never are such actions that the specification itself does not take here: they decide nothing.
	Never []Never `json:"never,omitempty"`
	// Untaken are branches of actions of touched modules that walks of the specification alone
	// took, and those of the code did not.
	Untaken []string       `json:"untaken"`
	Found   []Difference   `json:"found"`  // the change's own
	Shared  []Difference   `json:"shared"` // those that the code before the change has, too
	Broken  []BrokenInCode `json:"broken"` // what the implementation breaks after it departed
	// Accepted names what walks did not cover, with -accept-uncovered.
	Accepted []string `json:"accepted,omitempty"`
	Judged   []string `json:"judged"` // invariants that were judged after a difference
	// Unjudged read a variable that the adapter does not observe.
	Unjudged []wire.Unjudged `json:"unjudged"`
	// Checked is the result of the model checker on the composition for the change. It is there if
	// the changed code behaves as the specification.
	Checked *Checked `json:"checked,omitempty"`
	// Written are the places that changed lines write and that outlive a call, where that decides.
	Written []Written `json:"written,omitempty"`
	// Rests are assumptions about the implementation on which Written rests: code that runs without
	// them alone is left out.
	Rests []string `json:"rests,omitempty"`
	// Held is there if lines write places that the adapter does not observe, and it names the
	// implementation's objects.
	Held *Held `json:"held,omitempty"`
	// Compared are the variables that the adapter observes, Unobserved the others.
	Compared   []string `json:"compared"`
	Unobserved []string `json:"unobserved"`
}

// Never are actions of touched modules that the specification itself does not take.
type Never struct {
	Actions []string `json:"actions"`
	Why     string   `json:"why"`
}

// Written is a place that a changed line writes and that outlives a call.
type Written struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Removed says that the line is one of the code before the change.
	Removed  bool   `json:"removed,omitempty"`
	Place    string `json:"place"`             // as raft.readOnly.acks, or a result or an argument
	Changes  bool   `json:"changes,omitempty"` // the place is a result or an argument
	Observed bool   `json:"observed"`          // by the adapter
	// Equal says that it had the same contents as before the change after each step of Held, and
	// Differs that it had other contents after some step.
	Equal   bool `json:"equal,omitempty"`
	Differs bool `json:"differs,omitempty"`
}

// Held describes walks after whose steps all that the implementation's objects had was compared
// with what they had before the change.
type Held struct {
	Walks  int64 `json:"walks"` // on each side, the same ones
	Steps  int64 `json:"steps"`
	Fields int   `json:"fields"` // of types of the implementation
	// Differ are the fields that differ in some step, or that only one side has.
	Differ []string `json:"differ"`
	// Random are fields that differ between two runs of the code before the change.
	Random []string `json:"random"`
	Reason string   `json:"reason,omitempty"` // why nothing was compared
}

// String describes what was compared, in one sentence.
func (h *Held) String() string {
	if h.Reason != "" {
		return "what no variable has was not compared with the code before the change: " + h.Reason
	}
	text := fmt.Sprintf("what no variable has: %d fields compared with the code before the change after each of %d steps, ", h.Fields-len(h.Random), h.Steps)
	if len(h.Differ) == 0 {
		text += "all equal"
	} else {
		text += "other contents in " + strings.Join(h.Differ, ", ")
	}
	if len(h.Random) > 0 {
		text += "; random in that code, so not compared: " + strings.Join(h.Random, ", ")
	}
	return text
}

// Unlike reports whether a field is not known to be equal.
func (h *Held) Unlike(field string) bool {
	return slices.Contains(h.Differ, field) || slices.Contains(h.Random, field)
}

// fewPlaces is how many places of one line are named.
const fewPlaces = 3

// NotObserved says which of the places that changed lines write are not observed, and not known to
// be equal: a text for each line. Those with other contents than before the change come first. Of
// many places that a line writes, the first ones are named, and the others counted.
func NotObserved(all []Written) (out []string) {
	for _, differs := range []bool{true, false} {
		var lines []string
		places := map[string][]string{}
		for k := range all {
			w := &all[k]
			if w.Observed || w.Equal || w.Differs != differs {
				continue
			}
			at := w.at()
			if places[at] == nil {
				lines = append(lines, at)
			}
			if !slices.Contains(places[at], w.Place) {
				places[at] = append(places[at], w.Place)
			}
		}
		for _, at := range lines {
			names, rest := places[at], 0
			if rest = len(names) - fewPlaces; rest > 1 {
				names = names[:fewPlaces:fewPlaces]
			} else {
				rest = 0
			}
			text := at + " " + strings.Join(names, ", ")
			if rest > 0 {
				text += fmt.Sprintf(" and %d more places", rest)
			}
			if text += ", which the adapter does not observe"; differs {
				text += map[bool]string{true: " and which has", false: " and which have"}[len(names) == 1] + " other contents than before the change"
			}
			out = append(out, text)
		}
	}
	return out
}

// at returns the line that writes a place, with the verb.
func (w *Written) at() string {
	verb, before := "writes", ""
	if w.Changes {
		verb = "changes"
	}
	if w.Removed {
		before = "before the change "
	}
	return fmt.Sprintf("%s%s:%d %s", before, w.File, w.Line, verb)
}

// RanPlace is a changed line, or an operand of a changed condition, and what it did.
type RanPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
	Func   string `json:"function"`
	Text   string `json:"text"`
	Kind   string `json:"kind" enum:"line branch jump"`
	// False and True say which values a condition had, and of a jump whether it jumped or not. Of a
	// line True says that it ran.
	False bool `json:"false"`
	True  bool `json:"true"`
	// Same says that all is done there as before the change: whether it ran decides nothing.
	Same bool `json:"same,omitempty"`
}

// Covered reports whether a line ran, and whether a condition had both values.
func (p *RanPlace) Covered() bool { return p.True && (p.False || p.Kind == "line") }

// Missing says which value of a place is missing: "" where it is covered.
func (p *RanPlace) Missing() string {
	at := fmt.Sprintf("%s:%d", p.File, p.Line)
	switch {
	case p.Covered() || p.Same:
		return ""
	case p.Kind == "line":
		return at + " did not run"
	case p.Kind == "jump" && (p.True || p.False):
		return fmt.Sprintf("%s: %s had one outcome only", at, p.Text)
	case !p.True && !p.False:
		return fmt.Sprintf("%s did not evaluate %s", at, p.Text)
	case !p.True:
		return fmt.Sprintf("%s: %s was never true", at, p.Text)
	}
	return fmt.Sprintf("%s: %s was never false", at, p.Text)
}

// BrokenInCode is an invariant that the implementation breaks after it departed from the
// specification, or a panic.
type BrokenInCode struct {
	Invariant string `json:"invariant"` // or "panic"
	Kind      string `json:"kind" enum:"state step assert panic"`
	Doc       string `json:"doc,omitempty"` // of a panic, its text
	Depth     int    `json:"depth"`         // steps of the trace
	Departed  int    `json:"departed"`      // number of the step that departs, from 1
	Walk      int64  `json:"walk"`
	Length    int    `json:"length"` // steps of the walk before it was made shorter
	Minimal   bool   `json:"minimal"`
	Count     int64  `json:"count"`           // walks that broke it
	Trace     string `json:"trace,omitempty"` // path of the ITF file
	Log       string `json:"log,omitempty"`   // path of the implementation's log
	// Counterexample has the states of the implementation.
	Counterexample *Behaviour `json:"counterexample,omitempty"`
	Frames         []string   `json:"frames,omitempty"`
	// Values are the parts of the state that differ after the step that departs.
	Values []Differing `json:"values,omitempty"`
	// Message says what the code has there that no variable of the specification has.
	Message string `json:"message,omitempty"`
}
