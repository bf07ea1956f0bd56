package ensemble_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// judge has the monitor explain streams. MULTIGRAIN_STREAMS names the folder where they are kept.
type judge struct {
	monitor, dir  string
	arguments     []string // further ones of the monitor
	manifest      string   // of configs/zab
	notifications bool     // are part of the streams
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	j := &judge{manifest: "zookeeper.hcl", monitor: filepath.Join(t.TempDir(), "multigrain"), dir: os.Getenv("MULTIGRAIN_STREAMS")}
	if out, err := exec.Command("go", "build", "-o", j.monitor, "github.com/multigrain/multigrain/cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if j.dir == "" {
		j.dir = t.TempDir()
	}
	return j
}

// verdict holds the monitor's answer about a stream.
type verdict struct {
	Verdict string
	Seconds float64
	Stats   struct {
		Out, Decided, Undecided int64
		Entries                 int     `json:"log_entries"`
		Most                    int     `json:"most_states"`
		Sum                     float64 `json:"sum_states"`
		Intervals               []struct {
			Out   int64
			Cause string
		} `json:"undecided_intervals"`
	}
}

// judge explains the stream of a server, counted from 0. An alarm is an error of the test.
func (j *judge) judge(t *testing.T, name string, node int, events []zookeeper.Event) verdict {
	t.Helper()
	v, code, out := j.explain(t, name, node, events)
	if code != 0 && code != 20 {
		t.Errorf("%s, node %d: exit code %d\n%s", name, node, code, out)
	}
	for _, x := range v.Stats.Intervals {
		t.Logf("%s, node %d: %d messages undecided: %s", name, node, x.Out, x.Cause)
	}
	t.Logf("%s, node %d: %s; %d messages sent, %d decided; %.1f s; %.2f states on average, %d at most; %d log entries held", name, node, v.Verdict,
		v.Stats.Out, v.Stats.Decided, v.Seconds, v.Stats.Sum/float64(max(v.Stats.Decided, 1)), v.Stats.Most, v.Stats.Entries)
	return v
}

// explain explains the stream of a server, counted from 0. It returns the exit code and the
// document as well.
func (j *judge) explain(t *testing.T, name string, node int, events []zookeeper.Event) (v verdict, code int, out []byte) {
	t.Helper()
	var b bytes.Buffer
	s, err := zookeeper.NewStream(int64(node+1), []int64{1, 2, 3}, &b)
	if err != nil {
		t.Fatal(err)
	}
	s.Numbered, s.Notifications = true, j.notifications
	for k := range events {
		if err := s.Take(&events[k]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.End(0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(j.dir, fmt.Sprintf("%s-node-%d.ndjson", name, node))
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"monitor", "../../../../configs/zab/" + j.manifest, "-node", fmt.Sprint(node), "-source", path, "-log", "off", "-json"}, j.arguments...)
	run := exec.Command(j.monitor, args...)
	out, err = run.Output()
	var doc struct{ Monitor verdict }
	if bad := json.Unmarshal(out, &doc); bad != nil {
		t.Fatalf("%v, %v: %s", err, bad, out)
	}
	return doc.Monitor, run.ProcessState.ExitCode(), out
}
