package narrate_test

import (
	"encoding/json"
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
