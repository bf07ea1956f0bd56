package configs

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/json"
)

var rewrite = flag.Bool("rewrite", false, "write what was found into the golden files")

// fixtures returns the manifests directly in a folder of testdata.
func fixtures(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.hcl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in testdata/%s: %v", folder, err)
	}
	return paths
}

// Every valid manifest loads without a diagnostic, is formatted, and decodes
// to what its golden file says.
func TestValid(t *testing.T) {
	t.Parallel()
	for _, path := range fixtures(t, "valid") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m, diags := Load(path, Options{})
			for _, d := range diags {
				t.Errorf("%s [%s] %s", d, CodeOf(d), d.Summary)
			}
			for _, file := range m.Files {
				src := m.Sources[file].Bytes
				formatted, _ := Format(file, src)
				if diff := Diff(file, "formatted", src, formatted); diff != "" {
					t.Errorf("not formatted:\n%s", diff)
				}
			}
			golden := strings.TrimSuffix(path, ".hcl") + ".golden"
			got := dump(m)
			if *rewrite {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := Diff(golden, "found", want, []byte(got)); diff != "" {
				t.Errorf("decoded differently:\n%s", diff)
			}
		})
	}
}

// Every invalid manifest has exactly the diagnostics that it announces on the
// guilty lines, in its own file and in those that it extends.
func TestInvalid(t *testing.T) {
	t.Parallel()
	paths := fixtures(t, "invalid")
	if len(paths) < 25 {
		t.Errorf("only %d fixtures", len(paths))
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m, diags := Load(path, Options{})
			wanted := announced(m)
			if len(wanted) == 0 {
				t.Fatal("the fixture announces no error")
			}
			for _, d := range diags {
				checkForm(t, d, m)
				i := slices.IndexFunc(wanted, func(w announcement) bool { return w.matches(d) })
				if i < 0 {
					t.Errorf("unexpected: %s [%s]", d, CodeOf(d))
					continue
				}
				wanted = slices.Delete(wanted, i, i+1)
			}
			for _, w := range wanted {
				t.Errorf("missing: %s:%d: %s %s", w.file, w.line, w.code, w.text)
			}
		})
	}
}

// announcement is a comment "# ERROR: CODE text" on a line of a fixture.
type announcement struct {
	file string
	line int
	code Code
	text string
}

func (w announcement) matches(d *hcl.Diagnostic) bool {
	return d.Subject != nil && d.Subject.Filename == w.file && d.Subject.Start.Line == w.line &&
		CodeOf(d) == w.code && strings.Contains(d.Summary+"; "+d.Detail, w.text)
}

func announced(m *Manifest) []announcement {
	var all []announcement
	for _, file := range slices.Sorted(maps.Keys(m.Sources)) {
		for i, line := range strings.Split(string(m.Sources[file].Bytes), "\n") {
			for _, mark := range strings.Split(line, "# ERROR: ")[1:] {
				code, text, _ := strings.Cut(strings.TrimSpace(mark), " ")
				all = append(all, announcement{file, i + 1, Code(code), text})
			}
		}
	}
	return all
}

// checkForm compares a diagnostic with the form that all have.
func checkForm(t *testing.T, d *hcl.Diagnostic, m *Manifest) {
	t.Helper()
	if n := len(strings.Fields(d.Summary)); n == 0 || n > 6 || strings.HasSuffix(d.Summary, ".") {
		t.Errorf("summary %q: want one to six words without a period", d.Summary)
	}
	if CodeOf(d) == "" || d.Detail == "" {
		t.Errorf("%s: code %q, detail %q", d, CodeOf(d), d.Detail)
	}
	ranges := []hcl.Range{}
	for _, r := range []*hcl.Range{d.Subject, d.Context} {
		if r != nil {
			ranges = append(ranges, *r)
		}
	}
	for _, r := range RelatedOf(d) {
		ranges = append(ranges, r.At)
	}
	for _, r := range ranges {
		src := m.Sources[r.Filename]
		if src == nil || !r.CanSliceBytes(src.Bytes) {
			t.Errorf("%s: range %s is not in any source", d.Summary, r)
		}
	}
}

// Every code of the package that a file alone can bring about is announced by
// a fixture.
func TestEveryCode(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, pattern := range []string{"testdata/invalid/*.hcl", "testdata/invalid/parts/*.hcl", "assign_test.go"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(src)
		}
	}
	src, err := os.ReadFile("code.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(src), "\n") {
		if _, quoted, ok := strings.Cut(line, ` Code = "`); ok {
			if code := strings.Trim(quoted, `"`); !strings.Contains(text.String(), code+" ") {
				t.Errorf("no fixture announces %s", code)
			}
		}
	}
}

// accepted prints accept blocks.
func accepted(all []*Acceptance) string {
	var b strings.Builder
	for _, x := range all {
		fmt.Fprintf(&b, "\n accept %s%s%s%s%s%s%s%s", at(x.DeclRange), attr("action", x.Action), attr("variable", x.Variable),
			attr("reason", x.Reason), attr("missed", x.Missed), attr("views", x.Views), attr("digest", x.Digest), attr("sequences", x.Sequences))
	}
	return b.String()
}

// dump prints a manifest with line and column of every part.
func dump(m *Manifest) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("name %s", m.Name())
	p("files %s", strings.Join(m.Files, " "))
	p("system %s %s dir %s%s", m.System.Name, at(m.System.DeclRange), m.System.Dir, attr("source", m.System.Source))
	for _, v := range m.Variables {
		p("variable %s %s = %s from %s%s", v.Name, at(v.DeclRange), show(v.Value), at(v.ValueRange), attr("description", v.Description))
	}
	for _, x := range m.Modules {
		p("module %s %s%s%s%s", x.Name, at(x.DeclRange), attr("grain", x.Grain), attr("target", x.Target), accepted(x.Accept))
	}
	p("bounds%s", settings(m.Bounds))
	p("options%s", settings(m.Options))
	c := m.Check
	p("check %s%s%s%s%s%s%s%s%s%s", at(c.DeclRange), attr("invariants", c.Invariants), attr("except", c.Except), attr("stop", c.Stop),
		attr("constraints", c.Constraints), attr("properties", c.Properties), attr("deadlock", c.Deadlock), attr("strict", c.Strict), attr("symmetry", c.Symmetry), attr("por", c.POR))
	if x := m.Interaction; x != nil {
		p("interaction %s%s%s%s%s\n bounds%s", at(x.DeclRange), attr("level", x.Level), attr("max_states", x.MaxStates),
			attr("timeout", x.Timeout), accepted(x.Accept), settings(x.Bounds))
	}
	for _, x := range m.Implementations {
		p("implementation %s %s dir %s%s%s\n settings%s", x.Name, at(x.DeclRange), x.Dir,
			attr("adapter", x.Adapter), attr("version", x.Version), settings(x.Settings))
		if w := x.Walks; w != nil {
			p(" walks %s%s%s%s%s", at(w.DeclRange), attr("number", w.Number), attr("depth", w.Depth), attr("seed", w.Seed), settings(w.Weights))
		}
		for _, y := range x.Differences {
			p(" difference %s %s%s%s%s%s%s\n  when %s", y.Name, at(y.DeclRange), attr("action", y.Action), "\n  variables "+strings.Join(y.Variables, " "),
				attr("ticket", y.Ticket), attr("deviation", y.Deviation), attr("versions", y.Versions), y.When.Text)
		}
		if src := x.Sources; src != nil {
			p(" sources dir %s%s%s%s", src.LinesDir, attr("lines", src.Lines), attr("packages", src.Packages), attr("ignore", src.Ignore))
			for _, u := range src.Unmodelled {
				p("  unmodelled %q %s%s", u.Pattern.Value, at(u.Pattern.Range), attr("policy", u.Policy))
			}
			for _, m := range src.Models {
				p("  models %s%s", m.Module, attr("functions", m.Functions))
			}
		}
	}
	if x := m.Simulate; x != nil {
		p("simulate %s%s%s%s%s\n weights%s", at(x.DeclRange), attr("depth", x.Depth), attr("number", x.Number),
			attr("timeout", x.Timeout), attr("seed", x.Seed), settings(x.Weights))
		if y := x.Strategy; y != nil {
			p(" strategy %s %s%s\n roles%s", y.Name, at(y.NameRange), settings(y.Parameters), settings(y.Roles))
			for _, f := range y.Waypoints {
				p(" waypoint %s", f.Text)
			}
		}
	}
	if x := m.Expect; x != nil {
		p("expect %s%s%s%s%s%s%s%s%s%s%s", at(x.DeclRange), attr("verdict", x.Verdict), attr("invariant", x.Invariant),
			attr("instance", x.Instance), attr("kind", x.Kind), attr("depth", x.Depth), attr("distinct", x.Distinct),
			attr("generated", x.Generated), attr("distinct_at", x.DistinctAt), attr("interaction", x.Interaction), attr("level", x.Level))
	}
	return b.String()
}

func at(r hcl.Range) string {
	if r == (hcl.Range{}) {
		return "nowhere"
	}
	return fmt.Sprintf("%s:%d:%d-%d:%d", filepath.Base(r.Filename), r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

func attr[T any](name string, a Attr[T]) string {
	if !a.IsSet() {
		return ""
	}
	value := fmt.Sprint(a.Value)
	switch v := any(a.Value).(type) {
	case cty.Value:
		value = show(v)
	case []Text:
		value = ""
		for _, e := range v {
			value += fmt.Sprintf("[%q %s]", e.Value, at(e.Range))
		}
	}
	s := fmt.Sprintf("\n  %s = %s at %s", name, value, at(a.ValueRange))
	for _, o := range a.Origins {
		s += fmt.Sprintf(" (%s: %s)", o.Message, at(o.At))
	}
	return s
}

func settings(all Settings) string {
	var s string
	for _, x := range all {
		s += attr(x.Name, x.Attr)
	}
	return s
}

func show(v cty.Value) string {
	text, err := json.Marshal(v, v.Type())
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s %s", v.Type().FriendlyName(), text)
}
