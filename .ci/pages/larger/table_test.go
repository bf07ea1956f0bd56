package larger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// resolved resolves a shipped manifest, with one cache for all tests.
func resolved(t *testing.T, path string) *compose.Composition {
	t.Helper()
	m, diags := configs.Load(path, configs.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	cache := os.Getenv("MULTIGRAIN_CACHE")
	if cache == "" {
		cache = t.TempDir()
	}
	c, diags := compose.Resolve(m, compose.Env{CacheDir: cache})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return c
}

// TestVariants: faults are doubled, the nodes are five, and all other bounds are those within
// which the manifest is compared.
func TestVariants(t *testing.T) {
	t.Parallel()
	c := resolved(t, "../../../configs/examples/chain-coarse-master.hcl")
	got := variants(c)
	for kind, want := range map[string]map[string]int{
		faults: {"servers": 3, "puts": 1, "gets": 1, "crashes": 2},
		nodes:  {"servers": 5, "puts": 1, "gets": 1, "crashes": 1},
	} {
		if len(got[kind]) != len(want) {
			t.Errorf("%s: got %v, want %v", kind, got[kind], want)
		}
		for name, n := range want {
			if got[kind][name] != n {
				t.Errorf("%s: %s is %d, want %d", kind, name, got[kind][name], n)
			}
		}
	}
	if g := comparedGrains(c); len(g) != 1 || g[0] != "master/coarse" {
		t.Errorf("compared: %v, want the coarse grain of the master", g)
	}
}

// TestRoomier: the bound with the value of an exceeded capacity is doubled. Without one, sizes get
// the values with which check explores the manifest.
func TestRoomier(t *testing.T) {
	t.Parallel()
	c := resolved(t, "../../../configs/examples/chain-coarse-master.hcl")
	l := &larger{bounds: map[string]int{"servers": 3, "puts": 1, "gets": 1, "crashes": 2}, own: ownBounds(c)}
	if !l.roomier(c, 4) || l.bounds["puts"] != 2 || l.bounds["gets"] != 2 || l.bounds["crashes"] != 2 {
		t.Errorf("a capacity of 4: %v, want two puts and two gets", l.bounds)
	}
	if l.roomier(c, 7) {
		t.Errorf("a capacity of 7: %v, and no bound sets it", l.bounds)
	}
	if !l.roomier(c, 2) || l.bounds["puts"] != 4 || l.bounds["servers"] != 3 {
		t.Errorf("a capacity of 2: %v, want four puts", l.bounds)
	}
}

// TestVariantsWithoutFaults: a manifest that compares without faults has one of each kind that its
// own bounds allow. The coarse grain of Election has as many epochs more.
func TestVariantsWithoutFaults(t *testing.T) {
	t.Parallel()
	all := variants(resolved(t, "../../../configs/zab/mspec-1.hcl"))
	if got := all[faults]; got["crashes"] != 1 || got["partitions"] != 1 || got["epochs"] != 4 || got["servers"] != 3 {
		t.Errorf("got %v, want a crash, a partition and four epochs", got)
	}
	if got := all[nodes]; got["servers"] != 5 || got["crashes"] != 0 {
		t.Errorf("got %v, want five servers and no crash", got)
	}
}

// TestRows: a result is a row, and a row stays where nothing is compared. What was never compared
// is named as such.
func TestRows(t *testing.T) {
	t.Parallel()
	first := &larger{"configs/examples/chain-coarse-master.hcl", faults, []string{"master/coarse"}, map[string]int{"crashes": 2}, nil}
	second := &larger{"configs/examples/chain-coarse-master.hcl", nodes, []string{"master/coarse"}, map[string]int{"servers": 5}, nil}
	all := []*larger{first, second}
	got := &outcome{Verdict: "gap", Views: 47, States: [2]int64{12, 7}, Seconds: 3, Gaps: []gap{{"Tell", 5}}}
	path := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(path, []byte(page(all, map[string]string{first.name(): first.row(got)})), 0o644); err != nil {
		t.Fatal(err)
	}
	again := page(all, readRows(path))
	for _, want := range []string{
		"| master/coarse | twice the faults | gap: Tell misses 5 of 47 views | 12, 7 | 3 |",
		"| master/coarse | five nodes | not run | . | . |",
	} {
		if !strings.Contains(again, want) {
			t.Errorf("no row %q in\n%s", want, again)
		}
	}
	if rows := readRows(path); !ran(rows[first.name()]) || ran(rows[second.name()]) || ran("") {
		t.Errorf("which rows have a result: %q", rows)
	}
	walked := outcome{Verdict: "gap", Gaps: []gap{{"Tell", 0}}, Reason: "the time is over"}
	if v := walked.verdict(); v != "gap, not decided whole: Tell misses what a walk shows; the time is over" {
		t.Errorf("a gap of a walk: %q", v)
	}
	open := outcome{Verdict: "undecided", Reason: "the time is over"}
	if v := open.verdict(); v != "undecided; the time is over" {
		t.Errorf("undecided: %q", v)
	}
	wrong := outcome{Verdict: "broken", False: []string{"Adopt"}}
	if v := wrong.verdict(); v != "broken: false: Adopt" {
		t.Errorf("broken: %q", v)
	}
}

// TestRefused: bounds that a system does not have are a row, and no end of the table.
func TestRefused(t *testing.T) {
	t.Parallel()
	got := refused(hcl.Diagnostics{{Severity: hcl.DiagWarning, Summary: "Stale"}, {Severity: hcl.DiagError, Summary: "Quorums without common member"}})
	if v := got.verdict(); v != "refused; Quorums without common member" {
		t.Errorf("got %q", v)
	}
}
