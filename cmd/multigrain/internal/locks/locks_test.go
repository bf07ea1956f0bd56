package locks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// compared returns a comparison that found a gap at level L2.
func compared() *result.Comparison {
	d := &result.Comparison{Bounds: "servers=3"}
	d.Level, d.Asked = "L2", "L2"
	d.Differences = []wire.Difference{{Missed: true, Level: "L2", Cause: "Open", Observer: "SendJOB", Variable: "Term",
		Extent: &wire.Extent{Missed: 5, Views: 47, Digest: "64", Complete: true}}}
	return d
}

// TestPut writes entries and reads them again.
func TestPut(t *testing.T) {
	path := PathFor(filepath.Join(t.TempDir(), "a.hcl"))
	gap, plain := Of("late", "d1", map[string]string{"function f": "a1"}, compared()), Of("early", "d2", map[string]string{}, &result.Comparison{Bounds: "servers=2"})
	plain.Level = "L0"
	for _, e := range []Entry{gap, plain, gap} {
		if _, diags := Put(path, e); diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	less := gap
	less.Level = "L1"
	if written, diags := Put(path, less); written || diags.HasErrors() {
		t.Errorf("a result that decides less was written: %v", diags)
	}
	f, diags := Read(path)
	if diags.HasErrors() || fmt.Sprint(f.Entries) != fmt.Sprint([]Entry{plain, gap}) {
		t.Fatalf("%v: %+v", diags, f)
	}
	if gap.L1 != "preserved" || gap.L2 != "gap" || plain.L1 != "undecided" || plain.L2 != "undecided" {
		t.Errorf("verdicts %s %s %s %s", gap.L1, gap.L2, plain.L1, plain.L2)
	}
	for _, c := range []struct {
		manifest, digest, want string
		stale                  bool
	}{{"late", "d1", "late", false}, {"other", "d1", "late", false}, {"late", "d3", "late", true}, {"other", "d3", "", false}} {
		e, stale := f.Find(c.manifest, c.digest)
		if name := fmt.Sprint(e != nil && e.Manifest == c.want); stale != c.stale || (c.want != "") != (e != nil) || e != nil && name != "true" {
			t.Errorf("%+v: got %+v, stale %t", c, e, stale)
		}
	}
}

// TestFalse finds a false behaviour broken at its level and above, also where nothing is decided.
func TestFalse(t *testing.T) {
	d := compared()
	d.Level = "L0"
	d.Differences = append(d.Differences, wire.Difference{Level: "L1", Observer: "SendJOB"})
	if e := Of("m", "d", nil, d); e.L1 != "broken" || e.L2 != "broken" {
		t.Errorf("got %+v", e)
	}
}

// TestNoBounds writes the entry of a manifest that sets no bounds, and reads it again.
func TestNoBounds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), Name)
	d := compared()
	d.Bounds = ""
	if _, diags := Put(path, Of("a", "d1", nil, d)); diags.HasErrors() {
		t.Fatal(diags)
	}
	if f, diags := Read(path); diags.HasErrors() || len(f.Entries) != 1 || f.Entries[0].L2 != "gap" {
		t.Errorf("%v: %+v", diags, f)
	}
}

// TestSeconds: an entry that is written again from a stored result keeps the time of the comparison
// with building. A new comparison has its own time, and so has another one.
func TestSeconds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), Name)
	put := func(digest string, seconds int, reused bool) int {
		d := compared()
		d.Seconds, d.Reused = 1, reused
		e := Of("a", digest, nil, d)
		if !reused {
			e.Seconds = seconds
		}
		if _, diags := Put(path, e); diags.HasErrors() {
			t.Fatal(diags)
		}
		f, diags := Read(path)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return f.Entries[0].Seconds
	}
	for k, c := range []struct {
		digest  string
		seconds int
		reused  bool
		want    int
	}{{"d1", 40, false, 40}, {"d1", 0, true, 40}, {"d1", 30, false, 30}, {"d2", 0, true, 1}} {
		if got := put(c.digest, c.seconds, c.reused); got != c.want {
			t.Errorf("%d: %d seconds, want %d", k, got, c.want)
		}
	}
}

// TestDamaged changes a file in many ways. Each is an error with the remedy, and none is a crash.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	if _, diags := Put(path, Of("late", "d1", map[string]string{"function f": "a1"}, compared())); diags.HasErrors() {
		t.Fatal(diags)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{`"gap"`, `"preserved"`}, {`l2     = "gap"`, ``}, {`"L2"`, `"L3"`}, {`format = 2`, `format = 1`}, {`format = 2`, `format = 3`}, {`format = 2`, ``}, {`format = 2`, `format = "one"`}, {`"function f a1"`, `"f"`},
		{`manifest "late" {`, `manifest {`}, {`manifest "late" {`, `proof "late" {`}, {`missed   = 5`, `missed   = "many"`}, {`kind     = "gap"`, `kind     = "none"`},
		{`digest   = "64"`, `digest   = var.x`}, {`digest   = "64"`, "digest = " + strings.Repeat("(", 5_000_000)}, {string(whole[len(whole)/2:]), ``},
		{string(whole[strings.Index(string(whole), "manifest \"late"):]), string(whole[strings.Index(string(whole), "manifest \"late"):]) + string(whole[strings.Index(string(whole), "manifest \"late"):])},
	} {
		text := strings.Replace(string(whole), c[0], c[1], 1)
		if text == string(whole) {
			t.Fatalf("%q is not in the file:\n%s", c[0], whole)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, diags := Read(path)
		if !diags.HasErrors() || !strings.Contains(diags.Error(), "multigrain interaction -lock") {
			t.Errorf("%q for %q: %v", c[1], c[0], diags)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, diags := Read(path); !diags.HasErrors() {
		t.Error("a folder was read")
	}
}
