//go:build unix

package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// TestChangeIsInterrupted interrupts and kills a change during its walks. What was decided by then
// is printed, and working tree, index and go.mod stay as they are.
func TestChangeIsInterrupted(t *testing.T) {
	inTime(t)
	dir := changedLibrary(t)
	before := hashes(t, dir)
	for _, c := range []struct {
		signal os.Signal
		code   int
		says   string
	}{{os.Interrupt, shell.Undecided, "undecided: interrupted after "}, {os.Kill, -1, ""}} {
		cmd := exec.Command("multigrain", "change", "../../configs/raft/etcd.hcl", "-repo", dir, "-budget", "20m", "-traces", t.TempDir())
		out, errs, sent := signalled(t, cmd, c.signal, func(line string) bool { return strings.Contains(line, "walks") })
		if code := cmd.ProcessState.ExitCode(); code != c.code || !sent || !strings.Contains(out, c.says) {
			t.Errorf("%v: %v, sent %t\n%s\n%s", c.signal, cmd.ProcessState, sent, out, errs)
		}
		if after := hashes(t, dir); after != before {
			t.Errorf("%v: the folder is\n%s, and was\n%s", c.signal, after, before)
		}
	}
}

// changedLibrary returns a repository with the library of the Raft manifests. Its working tree has
// a line that is never reached, so that walks do not end by themselves, and an untracked file.
func changedLibrary(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on the PATH")
	}
	from, err := mutants.Library("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "raft")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	run("chmod", "-R", "u+w", ".")
	run("git", "init", "-q")
	run("git", "add", "-A")
	run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "base")
	path := filepath.Join(dir, "log.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	lines[459] = "\t\tif at.index > 1<<40 {\n\t\t\treturn false\n\t\t}\n" + lines[459]
	for name, text := range map[string]string{path: strings.Join(lines, ""), filepath.Join(dir, "more.go"): "package raft\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hashes returns the files below a folder with their sizes, modes and hashes, those of Git among
// them.
func hashes(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		info, failed := e.Info()
		if err != nil || failed != nil {
			return fmt.Errorf("%v, %v", err, failed)
		}
		fmt.Fprintf(&b, "%s %s %x\n", path, info.Mode(), sha256.Sum256(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
