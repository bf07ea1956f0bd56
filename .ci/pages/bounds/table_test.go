package bounds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/configs"
)

// TestCells: a result is shown with its larger bound. One that was not run says so. A cell of an
// earlier document stays if the folder has no result for the same value.
func TestCells(t *testing.T) {
	read := func(text string) *document {
		var d document
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		return &d
	}
	undecided := read(`{"verdict": "undecided", "distinct": 1234567, "depth": 30}`)
	all := []*result{
		{manifest: "configs/zab/a.hcl", bound: "transactions", value: 3, check: read(`{"verdict": "violated", "distinct": 10, "violations": [{"invariant": "I-15", "instance": "hole", "depth": 34}]}`)},
		{manifest: "configs/zab/a.hcl", bound: "crashes", value: 2, check: read(`{"verdict": "holds", "distinct": 1000}`)},
		{manifest: "configs/zab/a.hcl", bound: "partitions"},
		{manifest: "configs/zab/b.hcl", bound: "transactions", value: 2, check: undecided, walks: read(`{"verdict": "nothing-found", "seconds": 61, "simulation": {"walks": 4321}}`)},
		{manifest: "configs/zab/b.hcl", bound: "crashes", value: 2, check: undecided},
		{manifest: "configs/zab/b.hcl", bound: "partitions", value: 1},
	}
	got := text(all, "", nil, causesOf("a, transactions = 3\tzk-1, as b\n"))
	for _, want := range []string{
		"| 3: **violated I-15.hole** in 34 steps, 10 states, ", "| 2: holds, 1 000 states, ", "| no variable |",
		"| 2: not ended, 1 234 567 states to depth 30; 4 321 walks in 1 min without a violation, ", "These were shorter:\n\n- b, transactions = 2: 1 min\n", "; no walks", "| 1: not run |",
		"4 of 5 cells were run.", "| a, transactions = 3 | zk-1, as b |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	before := cellsOf(strings.ReplaceAll(got, "1: not run", "1: holds, 7 states, 2026-11-28"))
	if again := text(all, "", before, nil); !strings.Contains(again, "| 1: holds, 7 states, 2026-11-28 |") || !strings.Contains(again, "not looked at") {
		t.Errorf("an earlier cell does not stay:\n%s", again)
	}
	for k, want := range []bool{true, true, false, true, false, true} {
		if got := all[k].isKnown(before); got != want {
			t.Errorf("cell %d is known: %v, want %v", k, got, want)
		}
	}
	all[5].value = 2
	if all[5].isKnown(before) {
		t.Error("a cell of another value is known")
	}
	if again := text(all, "", before, nil); !strings.Contains(again, "| 2: not run |") {
		t.Errorf("a cell of another value stays:\n%s", again)
	}
}

// TestShortWalks: walks that were shorter than they should be are named, as are those of unknown
// time. Ten minutes are asked of the longer list only.
func TestShortWalks(t *testing.T) {
	for _, test := range []struct {
		long       bool
		cell, want string
	}{
		{false, "2: not ended, 7 states to depth 30; 4 walks in 2 min without a violation, 2026-11-29", ""},
		{false, "2: not ended, 7 states to depth 30; 4 walks in 1 min without a violation, 2026-11-29", "1 min"},
		{false, "2: not ended, 7 states to depth 30; 4 walks without a violation, 2026-11-29", "not known"},
		{true, "3: not ended, 7 states to depth 30; 4 walks in 2 min without a violation, 2026-11-29", "2 min"},
		{true, "3: not ended, 7 states to depth 30; 4 walks in 10 min without a violation, 2026-11-29", ""},
		{false, "2: holds, 1 000 states", ""},
		{false, "2: not ended, 7 states to depth 30; a walk is **violated I-10** in 20 steps", ""},
		{false, "2: not ended, 7 states to depth 30; no walks", ""},
	} {
		if got := shortWalks(test.long, test.cell); got != test.want {
			t.Errorf("%v, %s: %q, want %q", test.long, test.cell, got, test.want)
		}
	}
}

// TestIsLong: walks take longer in mspec-* and in fixes whose disks are apart, whatever their
// names.
func TestIsLong(t *testing.T) {
	t.Chdir("../../..")
	for path, want := range map[string]bool{
		"configs/zab/mspec-1-join.hcl":       true,
		"configs/zab/fixes/forces-names.hcl": true,
		"configs/zab/fixes/final.hcl":        false,
		"configs/zab/hunt/power.hcl":         false,
		"configs/zab/sysspec.hcl":            false,
	} {
		m, diags := configs.Load(path, configs.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if isLong(m) != want {
			t.Errorf("%s: %v, want %v", path, !want, want)
		}
	}
}

// TestWithWalks: walks that are taken again stand with the search that the document has, and both
// have their dates. A cell without such a search stays.
func TestWithWalks(t *testing.T) {
	r := &result{value: 2, made: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), walks: &document{Verdict: "nothing-found", Seconds: 600, Simulation: &struct{ Walks int64 }{4321}}}
	for old, want := range map[string]string{
		"2: not ended, 7 000 states to depth 30; 4 walks without a violation, 2026-11-29, b509687f":        "2: not ended, 7 000 states to depth 30, 2026-11-29, b509687f; 4 321 walks in 10 min without a violation, 2026-11-30, c",
		"2: not ended, 7 states to depth 30, 2026-11-28; 4 walks in 4 min without a violation, 2026-11-29": "2: not ended, 7 states to depth 30, 2026-11-28; 4 321 walks in 10 min without a violation, 2026-11-30, c",
		"2: holds, 7 states, 2026-11-29": "2: holds, 7 states, 2026-11-29",
	} {
		got := r.withWalks(old, "c")
		if got != want {
			t.Errorf("%s:\n%s, want\n%s", old, got, want)
		}
		if again := r.withWalks(got, "c"); again != got {
			t.Errorf("the second time it is %s", again)
		}
	}
}

// TestChoose: a bound that follows no variable of its name is not made larger, and a manifest that
// changes has another file.
func TestChoose(t *testing.T) {
	dir := t.TempDir()
	write := func(crashes string) *configs.Manifest {
		path := filepath.Join(dir, "m.hcl")
		text := `system "s" { source = "example.com/s" }
variable "crashes" { default = 1 }
bounds {
  crashes    = ` + crashes + `
  partitions = 2
}
`
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, diags := configs.Load(path, configs.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return m
	}
	m := write("var.crashes")
	choose := func(bound string) *result {
		r := &result{manifest: m.Path, bound: bound}
		if err := r.choose(m, dir, nil); err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := choose("crashes")
	if first.value != 2 || choose("partitions").value != 0 || choose("transactions").value != 0 {
		t.Errorf("crashes %d, partitions %d, transactions %d", first.value, choose("partitions").value, choose("transactions").value)
	}
	m = write("var.crashes + 0")
	if again := choose("crashes"); again.value != 2 || again.file == first.file {
		t.Errorf("%+v keeps the file of %+v", again, first)
	}
	m = write("2 * var.crashes")
	if choose("crashes").value != 0 {
		t.Error("a bound that grows by two is taken for the next larger one")
	}
}
