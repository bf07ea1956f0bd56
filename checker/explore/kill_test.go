package explore_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
)

// childFolder is the environment variable that makes the test binary explore and keep checkpoints
// in that folder.
const childFolder = "EXPLORE_TEST_CHECKPOINTS"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		child(folder)
		return
	}
	os.Exit(m.Run())
}

// killed returns a model with a violation that is found long before the end.
func killed() *checker.Spec[wide] {
	spec := grid(2)
	spec.Invariants = append(spec.Invariants, checker.Property{ID: "I", Kind: "state"})
	spec.State = func(n *wide) uint64 {
		if n.D[0] == 7 && n.D[33] == 2 && n.D[66] == 0 {
			return 1
		}
		return 0
	}
	return spec
}

// child explores until it is killed, from the checkpoint that is there.
func child(folder string) {
	opt := explore.Options{Workers: 2, Checkpoint: folder, Interval: 10 * time.Millisecond}
	if _, err := os.Stat(filepath.Join(folder, "checkpoint")); err == nil {
		opt.Resume = folder
	}
	fmt.Println("started")
	res, err := explore.Run(killed(), explore.Small(opt))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(res)
}

// TestKilled kills an exploration at random moments, often while it writes a checkpoint. The next
// exploration continues, and the last one runs to the end.
func TestKilled(t *testing.T) {
	t.Parallel()
	if underRace || testing.Short() {
		t.Skip("a minute")
	}
	kills := 4
	if os.Getenv("MULTIGRAIN_SLOW") == "1" {
		kills = 40
	}
	want := run(t, killed(), explore.Options{Workers: 1})
	folder := t.TempDir()
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	died, resumed := 0, 0
	for died < kills || resumed == 0 {
		res, ok := start(t, folder, time.Duration(r.IntN(300))*time.Millisecond)
		if !ok {
			died++
			if _, err := os.Stat(filepath.Join(folder, "checkpoint")); err == nil {
				resumed++
			}
			continue
		}
		same(t, &res, &want) // it was faster
	}
	res, ok := start(t, folder, time.Hour)
	if !ok {
		t.Fatal("the last run did not end")
	}
	checkTraces(t, killed(), &res)
	same(t, &res, &want)
	t.Logf("%d killed, %d of them left a checkpoint, the last one with %d nodes of %d", died, resumed, res.Checkpoint.Resumed, res.Distinct)
}

// start runs the child and kills it after some time. ok reports whether it came to its end before.
func start(t *testing.T, folder string, life time.Duration) (res checker.Result[wide], ok bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childFolder+"="+folder)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "started\n" {
		t.Fatalf("%q, %v", line, err)
	}
	timer := time.AfterFunc(life, func() { cmd.Process.Kill() })
	defer timer.Stop()
	line, _ := lines.ReadBytes('\n')
	err = cmd.Wait()
	if json.Unmarshal(line, &res) == nil && err == nil {
		return res, true
	}
	if cmd.ProcessState.ExitCode() == 1 {
		t.Fatal("it failed")
	}
	return res, false
}
