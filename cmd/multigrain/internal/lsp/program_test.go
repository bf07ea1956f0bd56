package lsp

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// build returns the command, built for this test.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "multigrain.exe")
	if out, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// TestProgram checks a manifest with the code lens of the command itself, and leaves it by exit
// while its input is open.
func TestProgram(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(build(t), "lsp", "-stdio")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	e := connect(t, out, in)
	for _, c := range []struct {
		path, has string
		kind      int
	}{
		{"../../../../configs/examples/phases.hcl", "holds", 3},
		{"../../../../configs/examples/chain-read-at-head.hcl", "violated", 1},
	} {
		base, err := filepath.Abs(c.path)
		if err != nil {
			t.Fatal(err)
		}
		path, text := filepath.Join(t.TempDir(), "m.hcl"), "extends = "+quoted(base)+"\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		uri := uriOf(path)
		e.open(uri, text)
		var lenses []lens
		e.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": uri}}, &lenses)
		e.call("workspace/executeCommand", lenses[0].Command, nil)
		select {
		case m := <-e.told:
			if m.Type != c.kind || !strings.Contains(m.Message, c.has) {
				t.Errorf("%s: check shows %+v", c.path, m)
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("%s: check shows nothing", c.path)
		}
	}
	e.call("shutdown", nil, nil)
	e.notify("exit", nil)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil || complaints.Len() > 0 {
			t.Errorf("the command ended with %v: %s", err, &complaints)
		}
	case <-time.After(time.Minute):
		t.Error("the command does not end after exit")
	}
	e.rpc.Close()
}

// TestNoEditor gives the command text that is no message of the protocol.
func TestNoEditor(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(build(t), "lsp")
	cmd.Stdin = strings.NewReader("check manifest.hcl\n\n")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "MG583") || !strings.Contains(string(out), "from an editor") {
		t.Errorf("the command ends with %v: %s", err, out)
	}
	cmd = exec.Command(cmd.Path, "lsp")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("without input the command ends with %v: %s", err, out)
	}
}
