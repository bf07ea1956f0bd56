package plan

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var measure = flag.Bool("levels", false, "measure the compositions of testdata/levels.tsv, and write it")

// mostMeasured bounds the states of the compositions that TestLevels explores.
const mostMeasured = 50_000_000

// TestLevels writes testdata/levels.tsv. It has the levels of each shipped manifest that holds and
// ends within mostMeasured states, as configs/testdata/snapshot.tsv says. With them is the longest
// of its random walks, or 0 if those do not end. A composition that has a line keeps it, so that a
// run that was ended continues. Remove the lines of those that have changed.
func TestLevels(t *testing.T) {
	if !*measure {
		t.Skip("explores all shipped manifests that hold, which takes half an hour: give -levels")
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(t.TempDir(), "multigrain")
	build := exec.Command("go", "build", "-o", command, "./cmd/multigrain")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rows, err := os.ReadFile(filepath.Join(root, "configs/testdata/snapshot.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]measured{}
	for _, m := range readMeasured(t) {
		have[m.manifest] = m
	}
	lines := slices.Collect(strings.Lines(string(rows)))
	states := func(line string) int { // small compositions come first
		n, _ := strconv.Atoi(strings.Split(line, "\t")[3])
		return n
	}
	slices.SortStableFunc(lines, func(a, b string) int { return states(a) - states(b) })
	for _, line := range lines {
		f := strings.Split(line, "\t")
		if states, err := strconv.Atoi(f[3]); f[2] != "holds" || err != nil || states > mostMeasured {
			continue
		}
		m, ok := have[f[0]]
		if !ok {
			m = measureOne(t, root, command, f[0])
		}
		if len(m.levels) > 0 {
			have[f[0]] = m
			writeMeasured(t, string(rows), have)
		}
	}
}

// measureOne explores a composition whole, and takes random walks as plan does.
func measureOne(t *testing.T, root, command, manifest string) measured {
	t.Helper()
	var d struct {
		Completed bool
		Depth     int
		Levels    []int64
	}
	run := func(args ...string) {
		cmd := exec.Command(command, append(args, manifest, "-json", "-quiet")...)
		cmd.Dir = root
		var out bytes.Buffer
		cmd.Stdout = &out
		_ = cmd.Run() // the exit code says the verdict; the document says whether it ended
		if err := json.Unmarshal(out.Bytes(), &d); err != nil {
			t.Errorf("%s: %v", manifest, err)
		}
	}
	run("check", "-mem", "6G")
	m := measured{manifest: manifest, levels: d.Levels}
	if !d.Completed {
		t.Logf("%s: the search did not end", manifest)
		return measured{}
	}
	run("simulate", "-number", strconv.Itoa(walks), "-depth", strconv.Itoa(walkDepth), "-seed", "1")
	if m.longest = d.Depth; m.longest >= walkDepth {
		t.Logf("%s: walks do not end, so nothing is predicted", manifest)
		m.longest = 0
	}
	return m
}

// writeMeasured writes testdata/levels.tsv in the order of the snapshot's rows.
func writeMeasured(t *testing.T, rows string, all map[string]measured) {
	t.Helper()
	var b strings.Builder
	b.WriteString("manifest\tlongest walk\tlevels\n")
	for line := range strings.Lines(rows) {
		name, _, _ := strings.Cut(line, "\t")
		if m, ok := all[name]; ok {
			fmt.Fprintf(&b, "%s\t%d\t%s\n", name, m.longest, strings.Trim(fmt.Sprint(m.levels), "[]"))
		}
	}
	if err := os.WriteFile("testdata/levels.tsv", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
