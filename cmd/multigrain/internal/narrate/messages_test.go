package narrate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/modules"
)

func record(fields ...string) modules.View {
	v := modules.View{Shape: modules.Record}
	for k := 0; k < len(fields); k += 2 {
		v.Names, v.Elems = append(v.Names, fields[k]), append(v.Elems, modules.View{Text: fields[k+1]})
	}
	return v
}

// TestValue: a message has the fields of its kind, and those that are not zero. Other records stay
// as they are.
func TestValue(t *testing.T) {
	known := narrate.Known{Messages: map[string][]string{"ASK": {"For"}, "PING": {}}, Zeros: []string{"Nobody"}}
	for _, x := range []struct {
		in   modules.View
		want string
	}{
		{record("Kind", "ASK", "For", "0", "Round", "0", "From", "Nobody", "Late", "false"), "{Kind: ASK, For: 0}"},
		{record("Kind", "ASK", "For", "0", "Round", "2", "From", "Nobody", "Late", "true"), "{Kind: ASK, For: 0, Round: 2, Late: true}"},
		{record("Kind", "PING", "For", "0", "Round", "0"), "{Kind: PING}"},
		{record("Kind", "OTHER", "For", "0"), "{Kind: OTHER, For: 0}"},   // of an unknown kind
		{record("Phase", "ASK", "Round", "0"), "{Phase: ASK, Round: 0}"}, // no field For
		{modules.View{Text: "ASK"}, "ASK"},
		{modules.View{Shape: modules.Sequence, Elems: []modules.View{record("Kind", "ASK", "For", "1", "Round", "0")}}, "<<{Kind: ASK, For: 1}>>"},
	} {
		before := itf.Text(x.in)
		if got := itf.Text(known.Value(x.in)); got != x.want {
			t.Errorf("%s is shown as %s, want %s", before, got, x.want)
		}
		if itf.Text(x.in) != before {
			t.Errorf("%s itself was changed", before)
		}
	}
}

// TestBrief: zeros that say nothing are left out of a line of text, and no other value is. Places
// of servers before the kind stay, and so do fields that a known kind carries.
func TestBrief(t *testing.T) {
	known := narrate.Known{Messages: map[string][]string{"ASK": {"For"}}, Zeros: []string{"NoKind"}}
	array := func(elems ...modules.View) modules.View { return modules.View{Shape: modules.Function, Elems: elems} }
	repeat := func(n int, v modules.View) []modules.View { return slices.Repeat([]modules.View{v}, n) }
	zero, none := modules.View{Text: "0"}, record("Kind", "NoKind", "Term", "0")
	for _, x := range []struct {
		in   modules.View
		want string
	}{
		{record("I", "0", "J", "1", "Kind", "BEAT", "Term", "2", "Index", "0", "Reject", "false"), "{I: 0, J: 1, Kind: BEAT, Term: 2}"},
		{record("I", "0", "Kind", "ASK", "For", "0", "Term", "0"), "{I: 0, Kind: ASK, For: 0}"},
		{record("Term", "0", "Index", "3"), "{Term: 0, Index: 3}"},
		{array(append(repeat(2, record("Kind", "BEAT", "Term", "1")), repeat(500, none)...)...), "[{Kind: BEAT, Term: 1}, {Kind: BEAT, Term: 1}, 500 times zero]"},
		{array(repeat(500, none)...), "[500 times zero]"},
		{array(repeat(7, zero)...), "[0, 0, 0, 0, 0, 0, 0]"},
		{array(append(repeat(1, zero), repeat(8, modules.View{Text: "None"})...)...), "[0, 8 times None]"},
		{array(repeat(8, array(repeat(8, zero)...))...), "[8 times [8 times 0]]"},
		{modules.View{Shape: modules.Sequence, Elems: repeat(9, zero)}, "<<0, 0, 0, 0, 0, 0, 0, 0, 0>>"},
		{array(append(repeat(9, zero), modules.View{Text: "1"})...), "[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]"},
		{array(none, record("Kind", "BEAT", "Term", "1")), "[zero, {Kind: BEAT, Term: 1}]"},
	} {
		before := itf.Text(x.in)
		if got := itf.Text(known.Brief(x.in)); got != x.want {
			t.Errorf("%s is shown as %s, want %s", before, got, x.want)
		}
		if itf.Text(x.in) != before {
			t.Errorf("%s itself was changed", before)
		}
	}
}

// TestBehaviour: nothing in a behaviour shows a field of another kind: neither changes, nor whole
// states, nor the values that the page computes states from, nor the diagram.
func TestBehaviour(t *testing.T) {
	channels := func(messages ...modules.View) modules.View {
		none := modules.View{Shape: modules.Sequence}
		row := func(q modules.View) modules.View {
			return modules.View{Shape: modules.Function, Elems: []modules.View{none, q}}
		}
		net := modules.View{Shape: modules.Function, Elems: []modules.View{row(modules.View{Shape: modules.Sequence, Elems: messages}), row(none)}}
		return modules.View{Shape: modules.Record, Names: []string{"Net"}, Elems: []modules.View{net}}
	}
	ping, ask := record("Kind", "PING", "For", "0", "Round", "0"), record("Kind", "ASK", "For", "1", "Round", "0")
	trace := &wire.Trace{Init: channels(ping), Steps: []wire.Step{
		{Action: "Send", State: channels(ping, ask)},
		{Action: "Take", Server: 1, State: channels(ask)},
	}}
	b := narrate.BehaviourOf(trace, narrate.Known{Messages: map[string][]string{"ASK": {"For"}, "PING": {}}}, true)
	text, err := json.Marshal([]any{b, b.Parts, b.Steps[0].Set, b.Steps[1].Set})
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"Round: 0", "PING, For: 0"} {
		if n := strings.Count(string(text), field); n > 0 {
			t.Errorf("%q is shown %d times: %s", field, n, text)
		}
	}
	if n := strings.Count(string(text), "For: 1"); n < 5 {
		t.Errorf("the field of a question is shown %d times: %s", n, text)
	}
	if got := itf.Text(trace.Steps[0].State); !strings.Contains(got, "Round: 0") {
		t.Errorf("the trace itself was changed: %s", got)
	}
}
