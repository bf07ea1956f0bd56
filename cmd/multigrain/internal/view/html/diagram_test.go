package html_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/modules"
)

// exchange returns a trace of two servers with a channel for each pair: what is in them after each
// step, as [from][to] of kinds.
func exchange(steps ...exchanged) *wire.Trace {
	t := &wire.Trace{Init: channels([2][2]string{})}
	for _, s := range steps {
		t.Steps = append(t.Steps, wire.Step{
			Action: s.action, Module: "m", Server: s.server, Environment: s.environment,
			Params: modules.View{Shape: modules.Record}, State: channels(s.channels),
		})
	}
	return t
}

type exchanged struct {
	action      string
	server      int
	environment bool
	channels    [2][2]string // kinds, a letter each; a disconnected channel begins with /
}

func channels(c [2][2]string) modules.View {
	net := modules.View{Shape: modules.Function}
	for i := range c {
		r := modules.View{Shape: modules.Function}
		for j := range c[i] {
			kinds, cut := strings.CutPrefix(c[i][j], "/")
			q := modules.View{Shape: modules.Sequence}
			for _, k := range kinds {
				q.Elems = append(q.Elems, modules.View{Shape: modules.Record, Names: []string{"Kind"}, Elems: []modules.View{{Text: string(k)}}})
			}
			if cut {
				q = modules.View{Shape: modules.Record, Names: []string{"cut", "messages"}, Elems: []modules.View{{Text: "true"}, q}}
			}
			r.Elems = append(r.Elems, q)
		}
		net.Elems = append(net.Elems, r)
	}
	return modules.View{Shape: modules.Record, Names: []string{"Turn", "Msgs"}, Elems: []modules.View{{Text: "1"}, net}}
}

// TestDiagram: messages are followed from the step that sends them to the one that receives or
// loses them.
func TestDiagram(t *testing.T) {
	t.Parallel()
	d := narrate.DiagramOf(exchange(
		exchanged{"Send", 0, false, [2][2]string{{"", "ab"}, {"", ""}}},
		exchanged{"Answer", 1, false, [2][2]string{{"", "b"}, {"c", ""}}},
		exchanged{"Send", 0, false, [2][2]string{{"s", "bb"}, {"c", ""}}},
		exchanged{"TakeSecond", 1, false, [2][2]string{{"s", "b"}, {"c", ""}}},
		exchanged{"Cut", -1, true, [2][2]string{{"s", "/"}, {"/", ""}}},
		exchanged{"Mend", -1, true, [2][2]string{{"s", ""}, {"", ""}}},
	), narrate.Known{})
	var got []string
	for _, m := range d.Messages {
		got = append(got, fmt.Sprintf("%s%d%d %d-%d%s", m.Text, m.From, m.To, m.Sent+1, m.End+1, map[bool]string{true: " lost"}[m.Lost]))
	}
	want := []string{"a01 1-2", "b01 1-4", "c10 2-5 lost", "s00 3-0", "b01 3-5 lost"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if d.Lanes != 2 || fmt.Sprint(d.Rows[4].Marks, d.Rows[5].Marks) != "[{cut 0 1}] [{mended 0 1}]" {
		t.Errorf("%d lanes, links %v, %v", d.Lanes, d.Rows[4].Marks, d.Rows[5].Marks)
	}
	for _, line := range []string{"S0->>S1: a (sent in 1)", "S1-xS0: c lost (sent in 2)", "S0-)S0: s, in flight at the end", "Note over S0,S1: link cut"} {
		if !strings.Contains(diagram.Mermaid(d, ""), "    "+line+"\n") {
			t.Errorf("no %q in %s", line, diagram.Mermaid(d, ""))
		}
	}
	x := xml.NewDecoder(strings.NewReader(diagram.Svg(d, "a <title> & more")))
	elements := map[string]int{}
	for {
		token, err := x.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
	// Lines are lanes, links, arrows and marks of the legend. A message to its sender is a curve.
	if elements["path"] != 1+2+1 || elements["circle"] != 4+2 || elements["line"] != 2+2+(len(d.Messages)-1)+5 {
		t.Errorf("the picture has %v", elements)
	}
}

// TestNoChannels: a trace without channels is rows only.
func TestNoChannels(t *testing.T) {
	t.Parallel()
	state := modules.View{Shape: modules.Record, Names: []string{"x"}, Elems: []modules.View{{Text: "1"}}}
	d := narrate.DiagramOf(&wire.Trace{Init: state, Steps: []wire.Step{{Action: "Move", Server: -1, State: state}}}, narrate.Known{})
	if len(d.Messages) != 0 || d.Lanes != 1 || len(d.Rows) != 1 || !strings.Contains(diagram.Mermaid(d, ""), "Note over S0: 1 Move") {
		t.Errorf("%+v", d)
	}
}

// TestNodes: nodes have the names of the specification, a step belongs to its actor, and a message
// shows the fields of its kind and those that have a value.
func TestNodes(t *testing.T) {
	t.Parallel()
	trace := exchange(
		exchanged{"Send", 0, false, [2][2]string{{"", "a"}, {"", ""}}},
		exchanged{"Turn", 1, false, [2][2]string{{"", "a"}, {"", ""}}},
		exchanged{"Crash", 1, true, [2][2]string{{"", "/"}, {"/", "/"}}},
		exchanged{"Restart", 1, true, [2][2]string{{"", ""}, {"", ""}}},
	)
	trace.Nodes = []string{"master", "client 1"}
	trace.Steps[1].State.Elems[0].Text = "2"
	msg := &trace.Steps[0].State.Elems[1].Elems[0].Elems[1].Elems[0]
	for _, name := range []string{"Epoch", "Vote", "Data"} {
		msg.Names, msg.Elems = append(msg.Names, name), append(msg.Elems, modules.View{Text: "0"})
	}
	msg.Elems[3].Text = "7"
	// Messages of this kind carry no entry. Its zero value has the name of a constant.
	msg.Names, msg.Elems = append(msg.Names, "Entry"), append(msg.Elems, modules.View{Shape: modules.Record, Names: []string{"Change", "Term"},
		Elems: []modules.View{{Shape: modules.Function, Elems: []modules.View{{Text: "AddNode"}}}, {Text: "0"}}})
	trace.Steps[1].State.Elems[1] = trace.Steps[0].State.Elems[1]
	d := narrate.DiagramOf(trace, narrate.Known{Messages: map[string][]string{"a": {"Epoch"}}, Zeros: []string{"AddNode"}})
	if m := d.Messages[0]; m.Fields != "Epoch: 0, Data: 7" || !m.Lost {
		t.Errorf("%+v", m)
	}
	if got := fmt.Sprint(d.Rows[1].Changed); got != "[Turn 1 \u2192 2]" {
		t.Errorf("the second step changes %s", got)
	}
	if !d.Rows[2].Stops || d.Rows[3].Stops || d.Rows[0].Stops {
		t.Error("a crash stops a node, and nothing else does")
	}
	svg := diagram.Svg(d, "")
	for _, want := range []string{">master<", ">client 1<", "→ client 1  a  Epoch: 0, Data: 7", "every link of client 1 is cut"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	// One line says that the links are disconnected. The other node is not crossed.
	if n := strings.Count(svg, `<line class="link cut" x1="2`); n != 1 || strings.Count(svg, `class="stop"`) != 1+1 {
		t.Errorf("%d lines of the cut: %s", n, svg)
	}
	text := diagram.Mermaid(d, "")
	for _, line := range []string{"participant S0 as master", "Note over S1: all links cut", "S0-xS1: a Epoch: 0, Data: 7 lost (sent in 1)", "Note over S1: 2 Turn()<br/>Turn 1 → 2"} {
		if !strings.Contains(text, "    "+line+"\n") {
			t.Errorf("no %q in %s", line, text)
		}
	}
}

// TestStops: a step that the specification counts as a crash stops its node, and one that takes it
// from the nodes that run does, whether messages are lost or not. A time-out that loses messages
// does not.
func TestStops(t *testing.T) {
	t.Parallel()
	quiet, message := [2][2]string{}, [2][2]string{{"", "a"}, {"", ""}}
	trace := exchange(
		exchanged{"NodeCrash", 1, true, quiet},
		exchanged{"NodeStart", 1, true, quiet},
		exchanged{"Send", 0, false, message},
		exchanged{"TimesOut", 1, true, quiet},
		exchanged{"NodeLosesPower", 0, true, quiet},
		exchanged{"NodeStart", 0, true, quiet},
		exchanged{"NodeCrashUnnoticed", 0, true, message},
	)
	running := func(state *modules.View, crashes string, nodes ...string) {
		set := modules.View{Shape: modules.Collection}
		for _, n := range nodes {
			set.Elems = append(set.Elems, modules.View{Text: n})
		}
		state.Names, state.Elems = append(state.Names, "Status", "crashes"), append(state.Elems, set, modules.View{Text: crashes})
	}
	running(&trace.Init, "0", "0", "1")
	running(&trace.Steps[0].State, "1", "0")
	running(&trace.Steps[1].State, "1", "0", "1")
	running(&trace.Steps[2].State, "1", "0", "1")
	running(&trace.Steps[3].State, "1", "0", "1")
	running(&trace.Steps[4].State, "1", "1")
	running(&trace.Steps[5].State, "1", "0", "1")
	running(&trace.Steps[6].State, "2", "0", "1") // counted, and still in Status
	d := narrate.DiagramOf(trace, narrate.Known{})
	for k, want := range []bool{true, false, false, false, true, false, true} {
		if d.Rows[k].Stops != want {
			t.Errorf("step %d, %s: stops is %v, want %v", k+1, d.Rows[k].Label, d.Rows[k].Stops, want)
		}
	}
	if n := strings.Count(diagram.Svg(d, ""), `class="stop"`); n != 3+1 {
		t.Errorf("%d crossed signs with the legend, want 4", n)
	}
}

// TestNamesStayWhole: a browser must not break the name of an invariant or a manifest at a hyphen.
// A name that may be wider than a phone is broken.
func TestNamesStayWhole(t *testing.T) {
	t.Parallel()
	page, err := html.Trace(html.About{Title: "I-12.epoch <of> mspec-3", Lines: []string{"a-name-that-is-longer-than-a-phone-is-wide"}},
		narrate.BehaviourOf(exchange(exchanged{"Send", 0, false, [2][2]string{{"", "a"}, {"", ""}}}), narrate.Known{}, false))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<h1><span class="whole">I-12.epoch</span> &lt;of&gt; <span class="whole">mspec-3</span></h1>`,
		"<p>a-name-that-is-longer-than-a-phone-is-wide</p>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
