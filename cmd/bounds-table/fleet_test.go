package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestJobs: a search that the folder lacks is a job, then the walks after a search that did not
// end. A search that ended is none. The file of jobs has paths that are relative to its folder.
func TestJobs(t *testing.T) {
	keep := t.TempDir()
	a := asked{keep: keep, on: "embedded", time: defaultWalks, walks: defaultWalks, long: defaultLong}
	cell := func(name, check string) *result {
		r := &result{manifest: "configs/zab/" + name + ".hcl", bound: "crashes", value: 2, file: filepath.Join(keep, name+".json")}
		if check != "" {
			write(t, r.file, check)
		}
		return r
	}
	all := []*result{cell("new", ""), cell("ended", `{"verdict": "holds"}`), cell("long", `{"verdict": "undecided"}`)}
	all[2].long = true
	list, err := a.jobs(all)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d jobs, %v; want 2", len(list), err)
	}
	if j := list[0]; j.verb != "check" || j.manifest != all[0].manifest || slices.Contains(j.flags, "-workers=0") {
		t.Errorf("the search is %+v", j)
	}
	if j := list[1]; j.verb != "simulate" || !slices.Contains(j.flags, "-timeout="+defaultLong.String()) || j.file != all[2].walksFile() {
		t.Errorf("the walks are %+v", j)
	}
	t.Chdir(t.TempDir())
	folder, err := filepath.Abs("keep")
	if err != nil {
		t.Fatal(err)
	}
	text, err := jobFile(folder, list)
	for _, want := range []string{`manifests = ["../configs/zab/new.hcl"]`, "crashes = 2", `verb      = "simulate"`, `seeds = "1..1"`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s%v", want, text, err)
		}
	}
}

// TestInner: the document of a job that was compared with an expect block has that of its search.
func TestInner(t *testing.T) {
	for text, want := range map[string]bool{
		`{"verdict": "undecided"}`: true,
		`{"verb": "test", "tests": [{"ok": false, "result": {"verdict": "violated"}}]}`: true,
		`{"verb": "test", "tests": [{"ok": false, "result": {"verdict": "invalid"}}]}`:  false,
		`{"verb": "test", "tests": [{"ok": false}]}`:                                    false,
		`{"diagnostics": []}`: false,
	} {
		if got := isResult(inner([]byte(text))); got != want {
			t.Errorf("%s is a result: %v, want %v", text, got, want)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
