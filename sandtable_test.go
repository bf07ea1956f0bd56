package multigrain_test

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestSandTable compares table 2 of docs/results/sandtable.md with the rows of the snapshot: steps
// and states of each of the sixteen manifests. The invariant must be the one that its file names.
func TestSandTable(t *testing.T) {
	const page = "docs/results/sandtable.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]snapshotRow{}
	for _, r := range readSnapshot(t) {
		found[r.Manifest] = r
	}
	row := regexp.MustCompile(`(?m)^\| (\S+#\d) \| \[\S+\]\((\S+\.hcl)\) \| (\S+) \| [\d ]+, [\d ]+ \| (\d+), ([\d ]+) \|`)
	rows := row.FindAllStringSubmatch(string(text), -1)
	if len(rows) != 16 {
		t.Errorf("%s has %d rows with a manifest in table 2, want 16", page, len(rows))
	}
	for _, cells := range rows {
		manifest := path.Join("docs/results", cells[2])
		r, ok := found[manifest]
		if got := strings.Join([]string{cells[4], strings.ReplaceAll(cells[5], " ", "")}, ", "); !ok || got != stepsAndStates(r) {
			t.Errorf("%s: %s has %s for %s, the snapshot %s", page, cells[1], got, manifest, stepsAndStates(r))
		}
		source, err := os.ReadFile(manifest)
		if err != nil || !strings.Contains(string(source), `"`+cells[3]+`"`) {
			t.Errorf("%s: %s does not name %s: %v", page, manifest, cells[3], err)
		}
	}
}

func stepsAndStates(r snapshotRow) string { return fmt.Sprintf("%d, %d", r.Steps, r.Distinct) }
