package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestAblation leaves out the reductions of the monitor's search one by one, on random behaviours,
// and prints the table of docs/results/monitor.md. No reduction changes a judgement.
func TestAblation(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs twelve self-tests; set MULTIGRAIN_SLOW=1")
	}
	table := "| manifest | left out | processor seconds | states on average | explored for a message | explored at most |\n|---|---|---|---|---|---|\n"
	for _, m := range []struct{ manifest, number string }{{"raft/monitor", "500"}, {"zab/zookeeper", "10"}} {
		for _, without := range []string{"", "asap", "domination", "look-ahead", "declared"} {
			args := []string{"monitor", "../../configs/" + m.manifest + ".hcl", "-selftest", m.number, "-mutants", "0", "-laws", "0", "-workers", "1", "-json", "-quiet"}
			if without != "" {
				args = append(args, "-without", without)
			}
			var doc struct{ Selftest result.Selftest }
			var cost float64
			for range 2 { // the first one builds the program
				cmd := exec.Command(binary(t), args...)
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v: %v\n%s", args, err, out)
				}
				if err := json.Unmarshal(out, &doc); err != nil {
					t.Fatal(err)
				}
				cost = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
				if without != "" {
					break
				}
			}
			x := &doc.Selftest.Tried
			if x.Failed > 0 || x.Undecided > 0 || x.Decided != x.Sent || x.Sent == 0 {
				t.Errorf("%v: %d failures, %d of %d decided", args, x.Failed, x.Decided, x.Sent)
			}
			if without == "" {
				without = "nothing"
			}
			table += fmt.Sprintf("| %s | %s | %.1f | %.2f | %.1f | %d |\n", m.manifest, without, cost,
				float64(x.SumStates)/float64(x.Decided), float64(x.Explored)/float64(x.Sent), x.Largest)
		}
	}
	t.Log("\n" + table)
}
