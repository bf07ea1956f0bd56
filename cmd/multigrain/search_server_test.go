package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// TestSearchOnServer: workers of a server run parts of a search, whose counts are those of a search
// alone, also if a worker's program is killed. A worker with other sources takes no part.
func TestSearchOnServer(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server and workers")
	}
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	access := filepath.Join(t.TempDir(), "nats.json")
	text, _ := json.Marshal(map[string]string{"url": s.URL(), "token": s.Token})
	if err := os.WriteFile(access, text, 0o600); err != nil {
		t.Fatal(err)
	}
	worker := func(folder string) *exec.Cmd {
		cmd := exec.Command(binary(t), "worker", "-context", access)
		cmd.Dir, cmd.Env = folder, quickly()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
		return cmd
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "go.mod"), []byte("module other\n\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	worker(foreign)
	const manifest = "../../configs/raft/reference.hcl"
	small := []string{"-var", "requests=1", "-var", "crashes=0", "-var", "drops=0"}
	if r := explored(t, manifest, 2_000_000, append(small, "-context", access)...); r.Verdict != "undecided" || !strings.Contains(r.Reason, "0 of 1 workers") {
		t.Errorf("with a worker that has other sources: %+v", r)
	}
	own := []*exec.Cmd{worker("../.."), worker("../..")}
	alone := explored(t, manifest, 2_000_000, small...)
	on := explored(t, manifest, 2_000_000, append(small, "-context", access, "-workers", "3")...)
	same(t, on, alone)
	if on.On == nil || on.On.Workers != 3 || on.On.Engine != "nats" || on.On.Restarts != 0 {
		t.Errorf("on %+v", on.On)
	}
	if runtime.GOOS != "linux" {
		t.Skip("children of a process are listed on Linux only")
	}
	alone = explored(t, manifest, 2_000_000)
	killed := make(chan bool, 1)
	go func() {
		for range 12_000 {
			time.Sleep(5 * time.Millisecond)
			if name, program := child(own[0].Process.Pid); program > 0 && isProgram(program) {
				t.Logf("killed: program %d of command %d", program, name)
				p, err := os.FindProcess(program)
				killed <- err == nil && p.Kill() == nil
				return
			}
		}
		killed <- false
	}()
	on = explored(t, manifest, 2_000_000, "-context", access, "-workers", "3")
	if !<-killed {
		t.Fatal("no program of a worker was killed")
	}
	same(t, on, alone)
	if on.On == nil || on.On.Workers != 3 || on.On.Restarts != 1 {
		t.Errorf("after a program was killed, on %+v", on.On)
	}
}

// same compares the results of two searches.
func same(t *testing.T, on, alone searchResult) {
	t.Helper()
	if on.Verdict != alone.Verdict || on.Distinct != alone.Distinct || on.Generated != alone.Generated || on.Depth != alone.Depth || on.Digest != alone.Digest || on.Distinct == 0 {
		t.Errorf("%+v\nalone: %+v", on, alone)
	}
}

// child returns the command that a worker has started, and the program of that; 0 where there is
// none.
func child(pid int) (command, program int) {
	first := func(pid int) int {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		for _, tid := range tasks(pid) {
			if more, failed := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, tid)); err == nil && failed == nil {
				text = append(text, more...)
			}
		}
		for word := range strings.FieldsSeq(string(text)) {
			n, _ := strconv.Atoi(word)
			return n
		}
		return 0
	}
	if command = first(pid); command > 0 {
		program = first(command)
	}
	return command, program
}

// isProgram reports whether a process runs the assembled program of a composition, and no go
// command.
func isProgram(pid int) bool {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return strings.Contains(path, string(filepath.Separator)+"programs"+string(filepath.Separator))
}

// tasks returns the threads of a process.
func tasks(pid int) (out []string) {
	found, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, d := range found {
		out = append(out, d.Name())
	}
	return out
}
