package html_test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/modules"
)

// evil is a name that a browser, a renderer of diagrams or a terminal would obey.
const evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\x1b[2J\u009b1m\u202e\nS0->>S1: forged\r"

// named returns a trace of two servers in which every text is a name.
func named(name string) *wire.Trace {
	t := exchange(exchanged{name, 0, false, [2][2]string{{"", "a"}, {"", ""}}}, exchanged{name, 1, false, [2][2]string{}}, exchanged{name, -1, true, [2][2]string{}})
	var rename func(v *modules.View)
	rename = func(v *modules.View) {
		if v.Text == "a" || v.Text == "1" {
			v.Text = name
		}
		for k := range v.Elems {
			rename(&v.Elems[k])
		}
	}
	rename(&t.Init)
	for k := range t.Steps {
		t.Steps[k].Module = name
		t.Nodes = []string{name, name}
		rename(&t.Steps[k].State)
	}
	return t
}

// TestHostileNames shows a trace with such names as a picture, a diagram, a page and text. None has
// more elements, or other lines, than with harmless names.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	good, bad := narrate.BehaviourOf(named("name"), narrate.Known{}, true), narrate.BehaviourOf(named(evil), narrate.Known{}, true)
	if have, want := elements(t, diagram.Svg(bad.Diagram, evil)), elements(t, diagram.Svg(good.Diagram, "name")); have != want {
		t.Errorf("elements of the picture: %s, want %s", have, want)
	}
	lines := func(s string) int { return strings.Count(s, "\n") }
	if have := diagram.Mermaid(bad.Diagram, evil); lines(have) != lines(diagram.Mermaid(good.Diagram, "name")) || terminal.Visible(have) != have {
		t.Errorf("the diagram: %s", have)
	}
	if have := strings.ReplaceAll(diagram.Mermaid(bad.Diagram, evil), "<br/>", ""); strings.ContainsAny(have, "<\"'&`$") {
		t.Errorf("the diagram has characters that a page obeys: %s", have)
	}
	whole := func(b *result.Behaviour) string { return text.Behaviour{Full: true}.Text(b) }
	if have, want := lines(whole(bad)), lines(whole(good)); have != want {
		t.Errorf("%d lines of text, want %d:\n%s", have, want, whole(bad))
	}
	page, err := html.Trace(html.About{Title: evil, Lines: []string{evil}, Why: []wire.Reason{{Text: evil}}, Report: evil}, bad)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := html.Trace(html.About{Title: "name", Lines: []string{"name"}, Why: []wire.Reason{{Text: "name"}}, Report: "name"}, good)
	if err != nil {
		t.Fatal(err)
	}
	if terminal.Visible(page) != page {
		t.Error("the page has characters that an editor obeys")
	}
	for _, tag := range []string{"<script", "</script", "<img", "onerror=alert(2)>", "<title"} {
		if have, want := strings.Count(page, tag), strings.Count(plain, tag); have != want {
			t.Errorf("the page has %s %d times, want %d", tag, have, want)
		}
	}
}

// elements lists the elements of a document in XML.
func elements(t *testing.T, doc string) string {
	t.Helper()
	var names []string
	for x := xml.NewDecoder(strings.NewReader(doc)); ; {
		token, err := x.Token()
		if err == io.EOF {
			return strings.Join(names, " ")
		}
		if err != nil {
			t.Fatalf("%v: %q", err, doc)
		}
		if e, ok := token.(xml.StartElement); ok {
			names = append(names, e.Name.Local)
		}
	}
}
