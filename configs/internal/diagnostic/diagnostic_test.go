package diagnostic

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// Two codes of manifests.
const (
	badValue   Code = "MG017"
	evaluation Code = "MG013"
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	modules := []string{"election", "discovery", "synchronization", "broadcast", "faults"}
	tests := []struct {
		given string
		known []string
		want  string
	}{
		{"elction", modules, "election"},
		{"Election", modules, "election"},
		{"fault", modules, "faults"},
		{"sync", modules, "synchronization"},
		{"s", modules, ""},
		{"", modules, ""},
		{"replication", modules, ""},
		{"fine", []string{"fine-atomic", "fine-concurrent"}, ""},
		{"fine-concurent", []string{"fine-atomic", "fine-concurrent"}, "fine-concurrent"},
		{"a", []string{"b"}, "b"},
		{"x", []string{"servers"}, ""},
		{"I-14", []string{"I-1", "I-4"}, "I-1"},
		{"crashes", nil, ""},
	}
	for _, test := range tests {
		if got := Suggest(test.given, test.known); got != test.want {
			t.Errorf("Suggest(%q, %q) = %q, want %q", test.given, test.known, got, test.want)
		}
	}
}

func TestHint(t *testing.T) {
	t.Parallel()
	many := strings.Split("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike", " ")
	tests := []struct {
		given string
		known []string
		want  string
	}{
		{"elction", []string{"election"}, ` Did you mean "election"?`},
		{"zzz", []string{"election"}, ` The only one is "election".`},
		{"zzz", []string{"election", "discovery"}, " Those that exist: discovery, election."},
		{"zzzzzz", many, ""},
		{"zzz", nil, ""},
	}
	for _, test := range tests {
		if got := Hint(test.given, test.known); got != test.want {
			t.Errorf("Hint(%q) = %q, want %q", test.given, got, test.want)
		}
	}
}

func TestDiagnosticExtra(t *testing.T) {
	t.Parallel()
	here := hcl.Range{Filename: "a.hcl", Start: hcl.Pos{Line: 2, Column: 3, Byte: 20}, End: hcl.Pos{Line: 2, Column: 8, Byte: 25}}
	wide := hcl.Range{Filename: "a.hcl", Start: hcl.Pos{Line: 1, Column: 1}, End: hcl.Pos{Line: 3, Column: 1, Byte: 30}}
	other := wide
	other.Filename = "b.hcl"

	d := Errorf(badValue, "Value not allowed", here, "Found %q.", "x")
	WithRelated(WithContext(d, wide), other, "see %s", "there")
	WithRelated(d, hcl.Range{}, "nowhere")
	if d.Severity != hcl.DiagError || *d.Subject != here || *d.Context != wide || d.Detail != `Found "x".` {
		t.Errorf("diagnostic %+v", d)
	}
	if got := RelatedOf(d); len(got) != 1 || got[0] != (Related{other, "see there"}) {
		t.Errorf("related %+v", got)
	}
	if WithContext(Errorf(badValue, "x", here, "x"), other).Context != nil {
		t.Error("a context in another file is kept")
	}
	if w := Warnf("MG100", "x", hcl.Range{}, "x"); w.Severity != hcl.DiagWarning || w.Subject != nil {
		t.Errorf("warning %+v", w)
	}

	foreign := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "x", Extra: "inner"}
	if CodeOf(foreign) != "" || RelatedOf(foreign) != nil {
		t.Error("a foreign diagnostic has a code or related positions")
	}
	WithCode(evaluation, hcl.Diagnostics{foreign, d})
	if CodeOf(foreign) != evaluation || CodeOf(d) != badValue {
		t.Errorf("codes %s and %s", CodeOf(foreign), CodeOf(d))
	}
	if inner, ok := hcl.DiagnosticExtra[string](foreign); !ok || inner != "inner" {
		t.Errorf("what HCL had attached is lost: %q", inner)
	}
}
