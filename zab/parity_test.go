package zab

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// row is what TLC finds of the published mixed specification without its step counter and last step. TLC's depth counts states,
// one more.
type row struct {
	crashes, partitions, timeouts int
	distinct                      int64 // 0: violated
	depth                         int
}

// rowsOf are the rows for so many servers and transactions.
var rowsOf = map[[2]int][]row{
	{3, 2}: {{1, 0, 1, 1_329, 22}, {2, 0, 2, 23_909, 33}, {1, 1, 2, 17_015, 29}, {3, 0, 2, 0, 15}, {2, 1, 3, 0, 15}},
	{3, 3}: {{1, 0, 1, 10_522, 29}, {1, 1, 1, 11_842, 29}},
	{3, 4}: {{1, 0, 1, 51_898, 36}},
	{4, 2}: {{1, 0, 1, 22_675, 31}},
	{2, 3}: {{2, 1, 2, 695, 20}},
	{2, 4}: {{2, 2, 3, 2_648, 25}},
}

// TestPublishedCounts runs where the sizes are those of a published row: see TestParity.
func TestPublishedCounts(t *testing.T) {
	rows := rowsOf[[2]int{Servers, MaxTransactions}]
	if Bookkeeping == 0 || Model != "published" || len(rows) == 0 {
		t.Skip("compiled for other sizes")
	}
	for _, r := range rows {
		choice := choose("fine-atomic", map[string]int{"crashes": r.crashes, "partitions": r.partitions,
			"requests": MaxRequests, "epochs": MaxEpochs})
		choice.Grains = append(choice.Grains, grains.Ref{Module: "bounds", Grain: "mspec-2"})
		choice.Invariants = []string{"leadership", "prefixConsistency", "integrity", "agreement", "totalOrder", "primaryOrder",
			"monotonicRead", "processConsistency", "leaderLogCompleteness", "committedLogDurability", "messageLegal",
			"I-11", "I-12", "I-13", "I-14"}
		// The compiled-in limit of time-outs is the largest; rules keep to fewer.
		spec := compose(t, choice,
			modules.When(&NodeCrash, func(s *State, p Crash) bool { return s.isLooking(p.I) || s.book().NTimeout < uint8(r.timeouts) }),
			modules.When(&PartitionStart, func(s *State, _ Pair) bool { return s.book().NTimeout < uint8(r.timeouts) }))
		have, err := explore.Run(spec, explore.Options{Stop: 1, Workers: 1})
		switch {
		case err != nil:
			t.Error(err)
		case r.distinct == 0:
			if name, depth := found(t, spec, have); name != "leaderLogCompleteness" || depth != r.depth {
				t.Errorf("%+v: %s at depth %d", r, name, depth)
			}
		case have.Verdict != checker.Holds || have.Distinct != r.distinct || have.Depth != r.depth:
			t.Errorf("%+v: %s with %d states, depth %d", r, have.Verdict, have.Distinct, have.Depth)
		}
	}
}

// TestParity compiles the package with the sizes of published rows and runs TestPublishedCounts and its like there.
func TestParity(t *testing.T) {
	t.Parallel()
	for size := range rowsOf {
		if size != [2]int{3, 2} && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue
		}
		t.Run(fmt.Sprintf("%d servers, %d transactions", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			withSizes(t, "^TestPublished(Counts|PropertiesCanFail)$", map[string]string{
				"Servers": fmt.Sprint(size[0]), "MaxTransactions": fmt.Sprint(size[1]), "MaxRequests": fmt.Sprint(4 * size[1]),
				"MaxEpochs": "5", "MaxTimeoutFailures": "3", "Bookkeeping": "1", "Model": `"published"`, "Snap": "false",
				"ElectionSlots": "0", "VotedSlots": "0", "VoterSlots": "0",
			})
		})
	}
}

// withSizes runs tests of this package with other constants in sizes.go.
func withSizes(t *testing.T, run string, constants map[string]string) {
	t.Helper()
	src, err := os.ReadFile("sizes.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range constants {
		decl := regexp.MustCompile(`(?m)^\t` + name + `\s*= .*$`)
		if !decl.Match(src) {
			t.Fatalf("sizes.go has no constant %s", name)
		}
		src = decl.ReplaceAll(src, []byte("\t"+name+" = "+value))
	}
	dir := t.TempDir()
	here, err := filepath.Abs("sizes.go")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{here: filepath.Join(dir, "sizes.go")}
	tests, err := filepath.Glob(filepath.Join(filepath.Dir(here), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range tests {
		// The other tests are written for the sizes as they are.
		if name := filepath.Base(path); name != "compose_test.go" && name != "election_test.go" && !strings.HasSuffix(name, "parity_test.go") {
			replace[path] = ""
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"sizes.go": src, "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-overlay", filepath.Join(dir, "overlay.json"), "-count=1", "-v", "-run", run, ".")
	out, err := cmd.CombinedOutput()
	if err != nil || regexp.MustCompile(`--- SKIP|no tests to run`).Match(out) {
		t.Errorf("%v\n%s", err, out)
	}
}
