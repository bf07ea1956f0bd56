package tap_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// judgement is the part of the result of multigrain monitor -finer that the test reads.
type judgement struct {
	Verdict string
	Alarm   *struct{ Position int64 }
	Finer   []struct {
		Occasion, Verdict, Reason string
		At                        int64
		Grains                    []string
		Alarm                     *struct {
			Message  json.RawMessage
			Expected []json.RawMessage
			Why      string
		}
	}
	Stats struct{ Out, Decided int64 }
}

// TestFiner runs clusters next to coarse Election and lets its baseline judge elections and alarms
// again. Both explain what the library sends. Where the coarse grain is too strict the finer one
// explains the message of the alarm. Where the node forgets its vote, both raise an alarm. A leader
// without a quorum is seen by the finer grain alone: the coarse one counts no votes.
func TestFiner(t *testing.T) {
	if !slow(t) {
		t.Skip("it builds the command, the library and three programs; set MULTIGRAIN_SLOW=1")
	}
	command := filepath.Join(t.TempDir(), "multigrain")
	build := exec.Command("go", "build", "-o", command, "../../../cmd/multigrain")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	judge := func(manifest string, node int, stream []byte) (doc struct{ Monitor judgement }) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "stream")
		write(t, file, string(stream))
		run := exec.Command(command, "monitor", manifest, "-node", fmt.Sprint(node), "-source", file, "-order", "total", "-finer", "1000", "-log", "off", "-json")
		run.Env = append(os.Environ(), "MULTIGRAIN_CACHE="+cacheDir)
		out, err := run.Output()
		if bad := json.Unmarshal(out, &doc); bad != nil || err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatalf("%v, %v: %s", err, bad, out)
		}
		return doc
	}
	const coarse = "../../../configs/raft/monitor-coarse-election.hcl"
	strict := planted(t, "election_node.go", "grant := n.canVote(p.I, p.J, &m)", "grant := n.canVote(p.I, p.J, &m) && m.Index > n.lastIndex(p.I)")

	t.Run("the library", func(t *testing.T) {
		elections, alarms := 0, 0
		for seed := range 3 {
			c := taptest.New(mistaken(turbulent, seed))
			c.Run()
			for i, stream := range c.Streams {
				doc := judge(coarse, i, stream).Monitor
				if doc.Verdict != "holds" || doc.Stats.Decided != doc.Stats.Out {
					t.Errorf("cluster %d, node %d: %s", seed, i, doc.Verdict)
				}
				for _, f := range doc.Finer {
					if f.Occasion != "election" || f.Verdict != "holds" || fmt.Sprint(f.Grains) != "[baseline]" {
						t.Errorf("cluster %d, node %d: %+v", seed, i, f)
					}
					elections++
				}
				if doc = judge(strict, i, stream).Monitor; doc.Verdict != "violated" {
					continue
				}
				alarms++
				if last := doc.Finer[len(doc.Finer)-1]; last.Occasion != "alarm" || last.Verdict != "holds" {
					t.Errorf("cluster %d, node %d: the strict grain raises an alarm, and the finer one: %+v", seed, i, last)
				}
			}
		}
		if elections < 9 || alarms < 3 {
			t.Errorf("%d elections were judged again and %d alarms of the strict grain, too few to say anything", elections, alarms)
		}
		t.Logf("%d elections judged again, all explained; %d alarms of the strict grain, all explained by the finer one", elections, alarms)
	})

	t.Run("a vote that is forgotten", func(t *testing.T) {
		both := 0
		for seed := range 6 {
			c := taptest.New(mistaken(taptest.Options{Nodes: 3, ForgetVote: true, Crash: 0.05, Cut: 0.01, Tick: 0.9, Calm: true}, seed))
			c.Run()
			for i, stream := range c.Streams {
				doc := judge(coarse, i, stream).Monitor
				if doc.Verdict != "violated" {
					continue
				}
				last := doc.Finer[len(doc.Finer)-1]
				if last.Occasion != "alarm" || last.Verdict != "violated" || last.Alarm == nil {
					t.Errorf("cluster %d, node %d: an alarm, and the finer grain: %+v", seed, i, last)
					continue
				}
				both++
			}
		}
		if both == 0 {
			t.Error("no alarm in six clusters")
		}
		t.Logf("%d alarms of both grains", both)
	})

	t.Run("a leader without a quorum", func(t *testing.T) {
		workspace, err := mutants.Make(mutants.Mutant{Name: "one-vote-wins", File: "quorum/majority.go", Method: "MajorityConfig.VoteResult",
			Line: "q := len(c)/2 + 1", Becomes: "q := 1"}, "../../..", t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		record := recorderOf(t, workspace)
		missing := 0
		for seed := range 3 {
			for i, stream := range record("", mistaken(turbulent, seed)) {
				doc := judge(coarse, i, stream).Monitor
				for _, f := range doc.Finer {
					if f.Occasion == "election" && f.Verdict == "violated" && (len(f.Alarm.Expected) > 0 || f.Alarm.Why != "") {
						missing++
					}
				}
			}
		}
		if missing == 0 {
			t.Error("the finer grain accepts a leader with one vote of three")
		}
		t.Logf("%d elections that the finer grain does not explain", missing)
	})
}

// planted returns the manifest monitor-coarse-election.hcl for a copy of package raft in which a
// line is another one.
func planted(t *testing.T, file, line, becomes string) (manifest string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "spec"), 0o755); err != nil {
		t.Fatal(err)
	}
	read := func(path string) string {
		b, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(read("go.mod"), "module github.com/multigrain/multigrain", "module example.org/planted", 1)+
		"\nrequire github.com/multigrain/multigrain v0.0.0\n\nreplace github.com/multigrain/multigrain => "+root+"\n")
	write(t, filepath.Join(dir, "go.sum"), read("go.sum"))
	sources, _ := filepath.Glob(filepath.Join(root, "raft", "*.go")) // the pattern is right
	found := false
	for _, path := range sources {
		name := filepath.Base(path)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text := read(filepath.Join("raft", name))
		if name == file {
			found = strings.Count(text, line) == 1
			text = strings.Replace(text, line, becomes, 1)
		}
		write(t, filepath.Join(dir, "spec", name), text)
	}
	if !found {
		t.Fatalf("%s does not have %q once", file, line)
	}
	for _, name := range []string{"raft.hcl", "monitor.hcl", "monitor-coarse-election.hcl"} {
		write(t, filepath.Join(dir, name), strings.Replace(read(filepath.Join("configs/raft", name)), `"github.com/multigrain/multigrain/raft"`, `"./spec"`, 1))
	}
	return filepath.Join(dir, "monitor-coarse-election.hcl")
}

// recorderOf builds the recorder with the library of a workspace, and returns the function that
// runs it with a mutant.
func recorderOf(t *testing.T, workspace string) func(mutant string, o taptest.Options) (streams [][]byte) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "record")
	build := exec.Command("go", "build", "-o", program, "./testdata/record")
	build.Env = append(os.Environ(), "GOWORK="+workspace)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(mutant string, o taptest.Options) (streams [][]byte) {
		t.Helper()
		b, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		to := t.TempDir()
		args := []string{string(b), to}
		if mutant != "" {
			args = append([]string{"-" + mutants.Flag + "=" + mutant}, args...)
		}
		run := exec.Command(program, args...)
		var out bytes.Buffer
		run.Stdout, run.Stderr = &out, &out
		if err := run.Run(); err != nil {
			t.Fatalf("%v: %s", err, out.Bytes())
		}
		for i := range o.Nodes {
			s, err := os.ReadFile(filepath.Join(to, fmt.Sprint(i)))
			if err != nil {
				t.Fatal(err)
			}
			streams = append(streams, s)
		}
		return streams
	}
}
