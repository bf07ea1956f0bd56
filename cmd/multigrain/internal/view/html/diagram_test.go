package html_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/modules"
)

// exchange is a trace of two servers with a channel for each pair: what is in them after each step,
// as [from][to] of kinds.
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
	channels    [2][2]string // kinds, a letter each; a cut channel begins with /
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
	))
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
	if elements["path"] != len(d.Messages)+2 || elements["circle"] != 4 {
		t.Errorf("the picture has %v", elements)
	}
}

// TestNoChannels: a trace without channels is rows only.
func TestNoChannels(t *testing.T) {
	t.Parallel()
	state := modules.View{Shape: modules.Record, Names: []string{"x"}, Elems: []modules.View{{Text: "1"}}}
	d := narrate.DiagramOf(&wire.Trace{Init: state, Steps: []wire.Step{{Action: "Move", Server: -1, State: state}}})
	if len(d.Messages) != 0 || d.Lanes != 1 || len(d.Rows) != 1 || !strings.Contains(diagram.Mermaid(d, ""), "Note over S0: 1 Move") {
		t.Errorf("%+v", d)
	}
}

// TestPage opens the page of a long trace in a browser: it steps, filters, searches and computes
// states.
func TestPage(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil || os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it opens pages in Chromium; install it and set MULTIGRAIN_SLOW=1")
	}
	var steps []exchanged
	for k := range 1000 {
		from := k % 2
		steps = append(steps, exchanged{fmt.Sprint("Send", k), from, false, [2][2]string{{"", strings.Repeat("a", 1-from)}, {strings.Repeat("z", from), ""}}},
			exchanged{"Receive", 1 - from, false, [2][2]string{}})
	}
	page, err := html.Trace("long </script> trace", []string{"a line"}, nil, narrate.BehaviourOf(exchange(steps...), false))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "t.html")
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	dom := func(hash string) string {
		cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file+hash)
		cmd.WaitDelay = time.Minute
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	whole := dom("#step=3&full=1")
	for _, want := range []string{`<b id="at">3 of 2000</b>`, "step 3: Send1", `<td class="path">Msgs[1][0]</td>`, "added {Kind: z}", `<table id="whole">`, "long &lt;/script&gt; trace"} {
		if !strings.Contains(whole, want) {
			t.Errorf("step 3 does not show %q", want)
		}
	}
	found := dom("#step=1&q=send77&server=1")
	for _, want := range []string{`<span id="count">6 hits</span>`} { // 77, 771, 773, 775, 777, 779 are server 1's
		if !strings.Contains(found, want) {
			t.Errorf("a search does not show %q: %s", want, found[strings.Index(found, `id="count"`):][:60])
		}
	}
	if n := strings.Count(dom("#step=1&var=Msgs[0]"), `hidden=""`); n != 1000 {
		t.Errorf("%d of 2000 steps are hidden where half of them change the variable", n)
	}
}
