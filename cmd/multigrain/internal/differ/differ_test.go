package differ

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

func doc() *result.Document {
	return &result.Document{FormatVersion: "1", Verb: "check", Spec: "lock", Bounds: []result.Bound{{Name: "items", Value: 3}}, Looked: verdicts.Looked{Initial: 1, Beyond: 1, Judged: 1},
		Exploration: &result.Exploration{Verdict: verdicts.Holds, Distinct: 59, Depth: 9, Seconds: 1.5, Invariants: []string{"Order"},
			Actions: []result.Action{{Name: "Take", Module: "consumers", Enabled: 9, Fired: 9}}}}
}

// TestCompare: a line for each thing that differs. Times never count.
func TestCompare(t *testing.T) {
	t.Parallel()
	same := doc()
	same.Seconds, same.Memory = 99, 1<<30
	if d := Compare(doc(), same); d.Verdict != verdicts.Same || len(d.Lines) != 3 {
		t.Errorf("other times: %+v", d)
	}
	for name, change := range map[string]func(*result.Document){
		"settings: bound items":           func(d *result.Document) { d.Bounds[0].Value = 4 },
		"counts: distinct states":         func(d *result.Document) { d.Distinct++ },
		"coverage: action consumers/Take": func(d *result.Document) { d.Actions[0].Fired-- },
		"coverage: action consumers/Rest": func(d *result.Document) {
			d.Actions = append(d.Actions, result.Action{Name: "Rest", Module: "consumers"})
		},
		"settings: invariants": func(d *result.Document) { d.Invariants = nil },
		"what: specification":  func(d *result.Document) { d.Spec = "other" },
		"messages: warning MG117 No effect": func(d *result.Document) {
			d.Diagnostics = []result.Diagnostic{{Severity: "warning", Code: "MG117", Summary: "No effect"}}
		},
		"verdict: verdict": func(d *result.Document) {
			d.Exploration.Verdict = verdicts.Undecided
		},
	} {
		other := doc()
		change(other)
		d := Compare(doc(), other)
		found := false
		for _, l := range d.Lines {
			found = found || l.Group+": "+l.Name == name
		}
		if d.Verdict != verdicts.Differs || !found {
			t.Errorf("%s is not among %+v", name, d.Lines)
		}
	}
}

// TestInvalidSide compares with the document of a manifest that is invalid: it has no verdict, and
// no line has the same text on both sides.
func TestInvalidSide(t *testing.T) {
	t.Parallel()
	was := doc()
	was.Interaction = &result.Interaction{Verdict: verdicts.None}
	is := &result.Document{FormatVersion: "1", Verb: "check", Diagnostics: []result.Diagnostic{{Severity: "error", Code: "MG103", Summary: "Unknown grain"}}}
	verdict := ""
	for _, l := range Compare(was, is).Lines {
		if l.Name == "verdict" {
			verdict = l.B
		}
		if l.A == l.B || l.A == "none" || l.B == "none" {
			t.Errorf("a line reads as if nothing differed: %+v", l)
		}
	}
	if !strings.HasPrefix(verdict, "no verdict") {
		t.Errorf("the invalid side has the verdict %q", verdict)
	}
}

// TestSetOnce checks that a bound that -set changes is one difference, and that what is no bound
// and no option is one, too.
func TestSetOnce(t *testing.T) {
	t.Parallel()
	other := doc()
	other.Bounds[0].Value = 4
	other.Set = []result.Setting{{Name: "items", Value: "4"}, {Name: "goals", Value: "Full"}}
	var names []string
	for _, l := range Compare(doc(), other).Lines {
		names = append(names, l.Name)
	}
	if want := []string{"bound items", "set goals"}; !slices.Equal(names, want) {
		t.Errorf("differences are %q, want %q", names, want)
	}
}

// TestRead: what is no result of this command is refused.
func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{`{"format_version":"1","verb":"check","diagnostics":[]}`: true, `{"format_version":"2","verb":"check"}`: false, `{}`: false, `[]`: false, `x`: false} {
		path := filepath.Join(t.TempDir(), "a.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
