package scaffold

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
)

// TestFiles: every Go file is formatted, every manifest has the canonical layout, and no template
// is left in a file.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, s := range []System{
		{Name: "ring", Module: "example.org/ring", Version: "v0.0.0", Replace: "/clone"},
		{Name: "ring", Module: "example.org/ring", Version: "v1.2.3"},
		{Name: "ring", Module: "example.org/ring"},
	} {
		texts, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range texts {
			switch {
			case strings.Contains(text, "{{"):
				t.Errorf("%s has a template in it", name)
			case strings.HasSuffix(name, ".go"):
				if out, err := format.Source([]byte(text)); err != nil || string(out) != text {
					t.Errorf("%s is not formatted: %v", name, err)
				}
			case strings.HasSuffix(name, ".hcl"):
				if out, diags := configs.Format(name, []byte(text)); diags.HasErrors() || string(out) != text {
					t.Errorf("%s has another layout: %v", name, diags)
				}
			case name == "README.md":
				for file := range texts {
					if !strings.HasPrefix(file, ".gi") && !strings.Contains(text, file) && !strings.HasPrefix(file, "README") && file != "go.mod" {
						t.Errorf("README.md does not mention %s", file)
					}
				}
			}
		}
		if has := strings.Contains(texts["go.mod"], "replace"); has != (s.Replace != "") {
			t.Errorf("go.mod of %+v: %s", s, texts["go.mod"])
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{"lock": true, "raft2": true, "2pc": false, "Lock": false, "a-b": false, "type": false, "coarse": false, "": false, "modules": false} {
		if wrong := Check(name); (wrong == "") != ok {
			t.Errorf("%q: %q", name, wrong)
		}
	}
}

// TestDriverInC: the driver in C is built, and answers as the protocol says. What it cannot do it
// refuses.
func TestDriverInC(t *testing.T) {
	t.Parallel()
	texts, err := System{Name: "ring", Module: "example.org/ring", Driver: "c"}.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"driver.c", "multigrain.c", "multigrain.h"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(texts["driver/"+name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cc := func(args ...string) ([]byte, error) {
		cmd := exec.Command("cc", args...)
		cmd.Dir = dir
		return cmd.CombinedOutput()
	}
	if out, err := cc("-fsyntax-only", "-include", "cjson/cJSON.h", "-x", "c", os.DevNull); err != nil {
		t.Skipf("cc finds no cjson/cJSON.h: %v\n%s", err, out)
	}
	if out, err := cc("-Wall", "-Wextra", "-Werror", "-o", "driver", "driver.c", "multigrain.c", "-lcjson"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	requests := []string{
		`{"id": 1, "do": "hello", "protocol": 1, "version": "1"}`,
		`{"id": 2, "do": "reset", "nodes": 2}`,
		`{"id": 3, "do": "step", "action": "Ask", "params": {"I": {"#bigint": "1"}}}`,
		`{"id": 4, "do": "step", "action": "Serve", "params": {"I": 1}}`,
		`{"id": 5, "do": "observe"}`,
		`{"id": 6, "do": "step", "action": "Serve", "params": {"I": 1}}`,
		`{"id": 7, "do": "step", "action": "Dance", "params": {"I": 1}}`,
		`{"id": 8, "do": "assert", "action": "Ask", "params": {"I": 1}}`,
		`{"id": 9, "do": "sing"}`,
		`{"id": 10, "do": "stop"}`,
	}
	answers := []string{
		`"name":"ring"`, `{"id":2,"ok":{}}`, `{"id":3,"ok":{}}`, `{"id":4,"ok":{}}`,
		`"Msgs":[[[],[{"Kind":"GRANT","Grant":1}]],[[],[]]]`, `"refused":"from 1 to 0 there is no message 1"`, `"refused":"this driver has no action Dance"`,
		`"refused":"this driver follows no assertions"`, `"refused":"this driver does not know the request sing"`, `{"id":10,"ok":{}}`,
	}
	cmd := exec.Command(filepath.Join(dir, "driver"))
	cmd.Stdin = strings.NewReader(strings.Join(requests, "\n") + "\n")
	out, err := cmd.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != len(answers) {
		t.Fatalf("%d answers, want %d: %v\n%s", len(lines), len(answers), err, out)
	}
	for k, want := range answers {
		if !strings.Contains(lines[k], want) {
			t.Errorf("%s\nis answered by %s\nwithout %s", requests[k], lines[k], want)
		}
	}
}
