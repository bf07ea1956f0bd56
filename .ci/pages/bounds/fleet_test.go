package bounds

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestJobs: a search that the folder lacks is a job, then the walks after a search that did not
// end. A search that ended is none.
func TestJobs(t *testing.T) {
	keep := t.TempDir()
	a := asked{keep: keep, workers: 1, time: defaultWalks, walks: defaultWalks, long: defaultLong}
	cell := func(name, check string) *result {
		r := &result{manifest: "configs/zab/" + name + ".hcl", bound: "crashes", value: 2, file: filepath.Join(keep, name+".json")}
		if check != "" {
			write(t, r.file, check)
		}
		return r
	}
	all := []*result{cell("new", ""), cell("ended", `{"verdict": "holds"}`), cell("long", `{"verdict": "undecided"}`)}
	all[2].long = true
	list, files, err := a.lacked(all)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d jobs, %v; want 2", len(list), err)
	}
	if j := list[0]; j.Verb != "check" || j.Manifest != all[0].manifest || !slices.Contains(j.Flags, "-workers=1") || files[0] != all[0].file {
		t.Errorf("the search is %+v", j)
	}
	if j := list[1]; j.Verb != "simulate" || *j.Seed != 1 || !slices.Contains(j.Flags, "-timeout="+defaultLong.String()) || files[1] != all[2].walksFile() {
		t.Errorf("the walks are %+v", j)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
