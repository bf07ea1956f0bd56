package locks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestMutants writes results of level L3 and reads them. A new result of the comparison keeps them,
// and another digest makes them stale.
func TestMutants(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	m := &result.Mutants{Drawn: 3, Kept: 1, Equal: 1, Lost: 1, List: []result.Mutant{
		{Name: "A: \"x\" => ${y}", Outcome: result.MutantLost}, {Name: "B", Outcome: result.MutantKept}, {Name: "C", Outcome: result.MutantEqual},
	}}
	if written, diags := PutMutants(path, "a", MutantsOf("m", m)); written || diags.HasErrors() {
		t.Errorf("without an entry it is written: %v", diags)
	}
	for range 2 { // the second time the comparison alone
		if _, diags := Put(path, Of("a", "d", nil, compared())); diags.HasErrors() {
			t.Fatal(diags)
		}
		if f, _ := Read(path); len(f.Entries) == 1 && f.Entries[0].Mutants == nil {
			if written, diags := PutMutants(path, "a", MutantsOf("m", m)); !written || diags.HasErrors() {
				t.Fatal(diags)
			}
		}
	}
	f, diags := Read(path)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got, stale := f.Mutants("a", "m")
	if got == nil || stale || len(got.Lost) != 1 || got.Lost[0] != m.List[0].Name || got.Result().Verdict != verdicts.Broken || got.Result().Found != 2 {
		t.Errorf("%+v, stale: %t", got, stale)
	}
	if got, stale := f.Mutants("a", "other"); got == nil || !stale {
		t.Error("another digest is not stale")
	}
	if got, _ := f.Mutants("b", "other"); got != nil {
		t.Error("another manifest has a result")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), "kept      = 1", "kept      = 2", 1)
	if err := os.WriteFile(path, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, diags := Read(path); !diags.HasErrors() || edited == string(text) {
		t.Errorf("numbers that do not fit are read: %v\n%s", diags, edited)
	}
}

// TestMutantsVerdict: undecided mutants, and none that is found, are no green result.
func TestMutantsVerdict(t *testing.T) {
	for _, c := range []struct {
		m    Mutants
		want string
	}{
		{Mutants{Drawn: 2, Kept: 1, Equal: 1}, verdicts.Preserved},
		{Mutants{Drawn: 2, Kept: 1, Undecided: 1}, verdicts.Undecided},
		{Mutants{Drawn: 2, Equal: 2}, verdicts.Undecided},
		{Mutants{Drawn: 2, Kept: 1, False: []string{"x"}}, verdicts.Broken},
		{Mutants{Drawn: 2, Undecided: 1, Lost: []string{"x"}}, verdicts.Broken},
	} {
		if got := c.m.verdict(); got != c.want || c.m.damage() != "" {
			t.Errorf("%+v is %s, want %s; %s", c.m, got, c.want, c.m.damage())
		}
	}
}
