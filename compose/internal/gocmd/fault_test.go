package gocmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// TestMachineFault: messages of the go command, as it printed them, and those of system calls.
func TestMachineFault(t *testing.T) {
	t.Parallel()
	full := func() string {
		f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			return syscall.ENOSPC.Error()
		}
		defer f.Close()
		_, err = f.Write([]byte("x"))
		return err.Error()
	}()
	for message, want := range map[string]configs.Code{
		full: CodeRoom,
		"/usr/local/go/pkg/tool/linux_amd64/link: mapping output file failed: file too large":                      CodeRoom,
		"# p\np.go:3:1: x\nwrite /tmp/b001/importcfg.link: disk quota exceeded\n":                                  CodeRoom,
		"open /x/go.mod: " + syscall.EMFILE.Error():                                                                CodeRoom,
		"fork/exec /usr/bin/go: " + syscall.EBADF.Error():                                                          CodeRoom,
		"fork/exec /usr/bin/go: " + syscall.EAGAIN.Error():                                                         CodeRoom,
		"go: example.com/a@v1.0.0: module lookup disabled by GOPROXY=off":                                          CodeNetwork,
		"go: Get \"http://127.0.0.1:9/a/@v/v1.mod\": dial tcp 127.0.0.1:9: connect: connection refused":            CodeNetwork,
		"failed to initialize build cache at /proc/.cache/go-build: mkdir /proc/.cache: no such file or directory": CodeNoGo,
		"build cache is required, but could not be located: GOCACHE is not an absolute path":                       CodeNoGo,
		"build cache is disabled by GOCACHE=off, but required as of Go 1.12":                                       CodeNoGo,
		"go: could not create module cache: mkdir /dev/null: not a directory":                                      CodeNoGo,
		"go: creating work dir: stat /nonexistent: no such file or directory":                                      CodeNoGo,
		"go: parsing $GOFLAGS: non-flag \"bad\"":                                                                   CodeNoGo,
		"go: invalid GOTOOLCHAIN \"bad\"":                                                                          CodeNoGo,
		"go: unsupported GOOS/GOARCH pair plan10/amd64":                                                            CodeNoGo,
		"go: download go1.99.0 for linux/amd64: toolchain not available":                                           CodeNoGo,
		"open /x/y: read-only file system":                                                                         CodeRoom,
		"x.go:3:8: undefined: space":                                                                               "",
		"package example.com/x is not in std":                                                                      "",
	} {
		d := machineFault(hcl.Range{}, message)
		switch {
		case d == nil && want != "":
			t.Errorf("%q is no fault of the machine", message)
		case d != nil && configs.CodeOf(d) != want:
			t.Errorf("%q has code %s, want %q", message, configs.CodeOf(d), want)
		}
	}
	if d := MachineFault(hcl.Range{}, errors.New("write: no space left on device")); !strings.HasPrefix(d.Detail, "write: no space left on device. Free") {
		t.Errorf("detail %q", d.Detail)
	}
	// A build error that ends in a full disk is one diagnostic, and not one for each line.
	if diags := buildErrors("x.go:3:8: undefined: y\nlink: no space left on device\n", nil); len(diags) != 1 || configs.CodeOf(diags[0]) != CodeRoom {
		t.Errorf("%v", diags)
	}
}

// TestCommandEndsSilently: a go command that ends without a reason is no missing source.
func TestCommandEndsSilently(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nkill -9 $$\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	s := &Source{Dir: dir}
	_, d := s.command("env", "GOVERSION")
	if d == nil || configs.CodeOf(d) != CodeNoGo || !strings.Contains(d.Detail, "signal: killed") {
		t.Errorf("%v, want %s with the signal", d, CodeNoGo)
	}
}
