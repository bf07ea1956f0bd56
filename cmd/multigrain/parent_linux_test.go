package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// endless starts the command on a specification whose code does not return, and waits until its
// program runs.
func endless(t *testing.T, text string, environ ...string) (cmd *exec.Cmd, program string, out *bytes.Buffer) {
	t.Helper()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(t.TempDir(), "endless.hcl")
	if err := os.WriteFile(manifest, []byte(strings.ReplaceAll(text, "REPO", repo)), 0o644); err != nil {
		t.Fatal(err)
	}
	out = new(bytes.Buffer)
	cmd = exec.Command("multigrain", "check", manifest, "-quiet")
	cmd.Env = append(os.Environ(), environ...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for range 6000 {
		if p := programOf(cmd.Process.Pid); p != "" {
			time.Sleep(200 * time.Millisecond) // into the user's code
			return cmd, p, out
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no program began\n%s", out)
	return nil, "", nil
}

// programOf returns the folder in /proc of the program that a command runs.
func programOf(parent int) string {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range all {
		stat, _ := os.ReadFile(p + "/status")
		exe, _ := os.Readlink(p + "/exe")
		if strings.Contains(string(stat), fmt.Sprintf("\nPPid:\t%d\n", parent)) && strings.Contains(exe, "/programs/") {
			return p
		}
	}
	return ""
}

// alive reports whether a process runs.
func alive(program string) bool {
	stat, err := os.ReadFile(program + "/status")
	return err == nil && !strings.Contains(string(stat), "State:\tZ")
}

const (
	unreadyText = "system \"unready\" {\n  source = \"REPO/cmd/multigrain/testdata/spec/unready\"\n}\nmodule \"counter\" {\n  grain = \"baseline\"\n}\n"
	bufferText  = "system \"buffer\" {\n  source = \"REPO/cmd/multigrain/testdata/spec/buffer\"\n}\nmodule \"producer\" {\n  grain = \"baseline\"\n}\n" +
		"module \"consumers\" {\n  grain = \"baseline\"\n}\noptions {\n  fault = \"endless\"\n}\n"
)

// TestParentKilled: a program does not outlive the command, whatever the user's code does, and
// although the command cannot say goodbye.
func TestParentKilled(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"initialisation": unreadyText, "effect": bufferText} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, program, _ := endless(t, text, "UNREADY=endless")
			if !alive(program) {
				t.Fatal("the program ended by itself")
			}
			cmd.Process.Kill()
			cmd.Wait()
			for range 500 {
				if !alive(program) {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Error("the program outlives the command")
		})
	}
}

// TestInterruptInit: one interrupt ends a run whose initialisation does not return.
func TestInterruptInit(t *testing.T) {
	t.Parallel()
	cmd, program, out := endless(t, unreadyText, "UNREADY=endless")
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != verdicts.ExitUndecided ||
		!strings.Contains(out.String(), "undecided: interrupted while the specification was initialised, at ") || !strings.Contains(out.String(), "unready.go line ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if alive(program) {
		t.Error("the program is still there")
	}
}

// TestServersKilled kills the command with SIGKILL while it runs ZooKeeper servers: when the first
// one runs, and later. No process, port or folder is left.
func TestServersKilled(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	needsZooKeeper(t, "3.8.0")
	traces := t.TempDir()
	bug := "../../configs/zab/bugs/zk-4394.hcl"
	if out, err := exec.Command(binary(t), "check", bug, "-traces", traces, "-quiet").CombinedOutput(); err == nil {
		t.Fatalf("the bug is not found\n%s", out)
	}
	trace, _ := filepath.Glob(filepath.Join(traces, "*.itf.json"))
	if len(trace) != 1 {
		t.Fatalf("the traces are %q", trace)
	}
	for verb, args := range map[string][]string{
		"conform": {"../../configs/zab/mspec-3.hcl", "-branches=false"}, "confirm": {bug, "-runs", "20"}, "replay": {trace[0], "-manifest", bug},
	} {
		for _, later := range []time.Duration{0, 3 * time.Second} {
			t.Run(fmt.Sprintf("%s/%v", verb, later), func(t *testing.T) {
				serversKilled(t, later, append([]string{verb, "-impl", "zookeeper@3.8.0", "-to", t.TempDir()}, args...))
			})
		}
	}
}

// serversKilled kills the command some time after it has started a server.
func serversKilled(t *testing.T, later time.Duration, args []string) {
	dir := t.TempDir()
	cmd := exec.Command(binary(t), args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	out := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	defer func() { cmd.Process.Kill(); <-ended }()
	servers := func() (n int) {
		for _, p := range processesIn(dir) {
			if name, _ := os.ReadFile(p + "/comm"); string(name) == "java\n" {
				n++
			}
		}
		return n
	}
	for n := servers(); n == 0; n = servers() {
		select {
		case <-ended:
			t.Fatalf("the command ended before a server ran\n%s", out)
		case <-time.After(5 * time.Millisecond):
		}
	}
	time.Sleep(later)
	ports := portsIn(dir)
	t.Logf("%d processes, %d of them servers, with %d ports", len(processesIn(dir)), servers(), len(ports))
	if servers() == 0 || len(ports) == 0 {
		t.Fatalf("no servers run\n%s", out)
	}
	cmd.Process.Kill()
	<-ended
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		taken := slices.DeleteFunc(slices.Clone(ports), func(p string) bool { return free(p) })
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		processes := processesIn(dir)
		if len(taken) == 0 && len(files) == 0 && len(processes) == 0 {
			return
		}
		if time.Now().After(end) {
			for k, p := range processes {
				line, _ := os.ReadFile(p + "/cmdline")
				processes[k] = strings.ReplaceAll(string(line), "\x00", " ")
			}
			t.Fatalf("processes %q, ports %v and files %v are left", processes, taken, files)
		}
	}
}

// processesIn returns the folders in /proc of processes that run and have a temporary folder.
func processesIn(tmp string) (out []string) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range all {
		environ, _ := os.ReadFile(p + "/environ")
		if slices.Contains(strings.Split(string(environ), "\x00"), "TMPDIR="+tmp) && alive(p) {
			out = append(out, p)
		}
	}
	return out
}

// portsIn returns the ports in the settings of the servers below a folder: their own, and those at
// which the command forwards what they send.
func portsIn(dir string) (out []string) {
	all, _ := filepath.Glob(filepath.Join(dir, "*/server*/zoo.cfg"))
	for _, path := range all {
		text, _ := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^(?:clientPort=|server.*:)(\d+)(?::(\d+))?$`).FindAllStringSubmatch(string(text), -1) {
			out = append(out, m[1:]...)
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(p string) bool { return p == "" })
}

// free reports whether nobody listens on a port and no ensemble keeps it for its servers.
func free(port string) bool {
	for network, address := range map[string]string{"tcp": "127.0.0.1:" + port, "unix": "@multigrain-port-" + port} {
		l, err := net.Listen(network, address)
		if err != nil {
			return false
		}
		l.Close()
	}
	return true
}
