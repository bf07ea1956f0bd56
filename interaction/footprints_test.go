package interaction

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/modules"
)

// render writes a footprint in lines, as the comments of testdata/awkward do.
func render(f *modules.Footprint) (lines []string) {
	list := func(as []modules.Access) string {
		var s []string
		for _, a := range as {
			s = append(s, a.String())
		}
		return strings.Join(s, " ")
	}
	if len(f.Guard) > 0 {
		lines = append(lines, "reads "+list(f.Guard))
	}
	for _, w := range f.Writes {
		var b strings.Builder
		b.WriteString("writes ")
		for k, e := range w.Elements {
			if k > 0 {
				b.WriteString(" ")
			}
			b.WriteString(w.Variable + e.String())
		}
		values := slices.Clone(w.Constants)
		if w.Computed {
			values = append(values, "...")
		}
		b.WriteString(" = " + strings.Join(values, " "))
		for _, x := range []struct {
			name string
			from []modules.Access
		}{{"data", w.Data}, {"control", w.Control}, {"index", w.Indices}} {
			if len(x.from) > 0 {
				b.WriteString("; " + x.name + " " + list(x.from))
			}
		}
		lines = append(lines, b.String())
	}
	return lines
}

// required reads the footprints from the comments above the actions of a folder: the lines after
// "Footprint:".
func required(t *testing.T, dir string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for s := bufio.NewScanner(f); s.Scan(); {
			text := s.Text()
			if rest, ok := strings.CutPrefix(text, "//\t"); ok {
				lines = append(lines, rest)
				continue
			}
			if rest, ok := strings.CutPrefix(text, "var "); ok && lines != nil {
				out[strings.Fields(rest)[0]] = lines
			}
			if !strings.HasPrefix(text, "//") {
				lines = nil
			}
		}
		f.Close()
	}
	return out
}

func TestAwkward(t *testing.T) {
	t.Parallel()
	p, findings, err := Load(Config{Dir: ".", Package: "./testdata/awkward"})
	if err != nil || len(findings) > 0 {
		t.Fatal(findings, err)
	}
	// The package leaves the subset on purpose: footprints know more than speclint allows.
	cat := p.reading().cat
	if findings = p.reading().findings; len(findings) > 0 {
		t.Fatal(findings)
	}
	want := required(t, "testdata/awkward")
	prints := p.footprints()
	for _, a := range cat.Actions {
		pr := prints.action(p.reading().byName[a.Name], nil)
		f, findings := prints.public(pr), pr.findings
		if slices.Contains(cat.Grains[0].Actions, a.Name) {
			f, findings = p.Footprint(a.Name)
		}
		for _, x := range findings {
			t.Errorf("%s: %v", a.Name, x)
		}
		got := render(f)
		if !slices.Equal(got, want[a.Var]) {
			comment := func(lines []string) string { return "//\t" + strings.Join(lines, "\n//\t") + "\n" }
			t.Errorf("%s:\n%s", a.Name, udiff.Unified("comment", "footprint", comment(want[a.Var]), comment(got)))
		}
	}
	if len(cat.Actions) < 35 {
		t.Errorf("%d actions", len(cat.Actions))
	}
}

// TestProperties: what invariants read, what Init sets, and the rules that ride on an action.
func TestProperties(t *testing.T) {
	t.Parallel()
	p, findings, err := Load(Config{Dir: ".", Package: "./testdata/awkward"})
	if err != nil || len(findings) > 0 {
		t.Fatal(findings, err)
	}
	c, findings := p.Footprints(choice("all/baseline", "*"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for k, want := range []string{"reads Boss Flag", "reads Clock.Now Clock.Now'", "reads A[p.I]' B[p.J]"} {
		if got := strings.Join(render(&c.Invariants[k]), "; "); got != want {
			t.Errorf("%s: got %s, want %s", c.Invariants[k].Name, got, want)
		}
	}
	if got, want := strings.Join(render(&c.Init), "; "), "writes Boss = ...; writes Nodes.On = false true"; got != want {
		t.Errorf("Init: got %s, want %s", got, want)
	}
	if len(c.Actions) != 2 || c.Actions[0].Name != "Ridden" || !slices.Contains(c.Untouched, "Grid") || slices.Contains(c.Untouched, "Boss") {
		t.Errorf("got %+v", c)
	}
	b, err := json.Marshal(c)
	var back Composed
	if err != nil || json.Unmarshal(b, &back) != nil || !reflect.DeepEqual(*c, back) {
		t.Errorf("the JSON form loses something: %s", b)
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a    modules.Access
		want bool
	}{
		{modules.Access{Variable: "History", Index: []string{"p.I"}}, true},
		{modules.Access{Variable: "History", Index: []string{"p.J"}}, false},
		{modules.Access{Variable: "History", Index: []string{"*"}}, false},
		{modules.Access{Variable: "Leader"}, false},
		{modules.Access{Variable: "Status", Key: "p.I"}, true},
		{modules.Access{Variable: "Msgs#ACK", Index: []string{"p.J", "p.I"}}, true},
		{modules.Access{Variable: "Msgs.cut", Index: []string{"p.I", "*"}}, true},
		{modules.Access{Variable: "Msgs#ACK", Index: []string{"p.J", "*"}}, false},
	} {
		if got := c.a.Local(); got != c.want {
			t.Errorf("%s: got %v", c.a, got)
		}
	}
}
