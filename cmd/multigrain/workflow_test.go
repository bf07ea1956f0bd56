package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/sariftest"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// workflow holds the fields of a GitHub Actions workflow, as far as the test follows it.
type workflow struct {
	Jobs map[string]struct {
		Env   map[string]string
		Steps []struct {
			Name, Uses, Run, If string
			With                map[string]any
		}
	}
}

// TestWorkflow follows docs/how-to/github-actions.yml in a repository of its own: every step that
// runs the command is run, with the command under test, and what later steps upload must be there.
// The pull request changes a function that the specification models.
func TestWorkflow(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on the PATH")
	}
	text, err := os.ReadFile("../../docs/how-to/github-actions.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, fault string
		env         map[string]string // what a user sets, in addition to MANIFEST
		codes       map[string]int    // by step
		steps       int               // how many run the command
		files       []string
	}{
		{"holds", "none", nil, nil, 2, nil},
		// The violation is that of the version before the change, too, so the change fails nothing.
		{"violated", "order", nil, map[string]int{"Check the manifest": verdicts.ExitSafety}, 2, nil},
		{"system", "none", map[string]string{"CONFORM": "spec/conform.hcl", "CONFIRM": "spec/confirm.hcl", "TRACE": "spec/trace.hcl",
			"MONITOR": "../../configs/raft/monitor-membership.hcl", "STREAM": "logs/stream"}, map[string]int{"Look for a bug that the specification has": verdicts.ExitSafety}, 6,
			[]string{"out/conform/conform-conform.html", "out/confirm/confirm-confirm.html", "out/trace/trace-trace.html", "out/monitor/monitor-membership-monitor.html"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "system" && os.Getenv("MULTIGRAIN_SLOW") == "" {
				t.Skip("it builds four programs; set MULTIGRAIN_SLOW=1")
			}
			dir := pullRequest(t)
			ran := 0
			for _, step := range w.Jobs["check"].Steps {
				if file, ok := step.With["sarif_file"].(string); ok {
					if b, err := os.ReadFile(filepath.Join(dir, file)); err != nil {
						t.Error(err)
					} else if err := sariftest.Check(b); err != nil {
						t.Errorf("%s: %v", file, err)
					}
				}
				if !strings.Contains(step.Run, "multigrain ") || strings.HasPrefix(step.Run, "go install") {
					continue
				}
				env := map[string]string{}
				for name, value := range w.Jobs["check"].Env {
					env[name] = strings.ReplaceAll(value, "${{ github.base_ref }}", "main")
				}
				for name, value := range c.env {
					if strings.HasPrefix(value, "../../") {
						value, err = filepath.Abs(value)
						if err != nil {
							t.Fatal(err)
						}
					}
					env[name] = value
				}
				if _, name, ok := strings.Cut(step.If, "env."); ok && env[strings.TrimSuffix(name, " != ''")] == "" {
					continue
				}
				ran++
				cmd := exec.Command("bash", "-e", "-c", step.Run) // as GitHub's runners do
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "MULTIGRAIN_VAR_fault="+c.fault, "GOFLAGS=")
				for name, value := range env {
					cmd.Env = append(cmd.Env, name+"="+value)
				}
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) {
					t.Fatal(err)
				}
				if code := cmd.ProcessState.ExitCode(); code != c.codes[step.Name] {
					t.Errorf("%s: exit code %d, want %d\n%s", step.Name, code, c.codes[step.Name], out)
				}
			}
			if ran != c.steps {
				t.Errorf("%d steps run the command, want %d", ran, c.steps)
			}
			for _, file := range append([]string{"out/check.xml", "out/change.xml", "out/change.hcl", "out/check/protocol.json"}, c.files...) {
				if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
					t.Error(err)
				}
			}
			traces, _ := filepath.Glob(filepath.Join(dir, "out/*/*.itf.json"))
			if (len(traces) > 0) == (c.name == "holds") {
				t.Errorf("traces: %v", traces)
			}
		})
	}
}

// pullRequest returns a repository with a manifest and code, whose working branch has changed a
// modelled function since origin/main.
func pullRequest(t *testing.T) string {
	dir := t.TempDir()
	buffer, err := filepath.Abs("testdata/spec/buffer")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write("go.mod", "module example.com/app\n\ngo 1.26\n")
	write("app.go", "package app\n\n// Make makes.\nfunc Make() int { return 1 }\n")
	write("spec/buffer.hcl", `system "buffer" {
  source = "`+filepath.ToSlash(buffer)+`"
}

variable "fault" {
  default = "none"
}

module "producer" {
  grain = "baseline"
}

module "consumers" {
  grain = "baseline"
}

options {
  fault = var.fault
}
`)
	write("spec/protocol.hcl", `extends = "buffer.hcl"

implementation "app" {
  packages = ["./..."]

  models {
    producer = ["Make"]
  }
}
`)
	ring, err := filepath.Abs("testdata/spec/ring")
	if err != nil {
		t.Fatal(err)
	}
	ring = filepath.ToSlash(ring)
	write("spec/conform.hcl", "extends = \"buffer.hcl\"\n\nimplementation \"ring\" {\n  adapter = \""+ring+"\"\n}\n")
	write("spec/confirm.hcl", `extends = "conform.hcl"

options {
  fault = "back"
}

check {
  invariants = ["Forward"]
}

implementation "ring" {
  version = "v1"

  symptom "forgets" {}

  settings {
    forgetful = true
  }
}
`)
	write("spec/trace.hcl", `extends = "buffer.hcl"

trace {
  format = "ndjson"

  event "put" {
    action = ["Put"]
    check  = [Made == event.made]
  }
}
`)
	write("logs/a.ndjson", "{\"event\": \"put\", \"made\": 1}\n{\"event\": \"put\", \"made\": 2}\n")
	script, err := txtar.ParseFile("testdata/script/monitor.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range script.Files {
		if f.Name == "applied.ndjson" {
			write("logs/stream", string(f.Data))
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "base")
	git("update-ref", "refs/remotes/origin/main", "HEAD")
	write("app.go", "package app\n\n// Make makes.\nfunc Make() int { return 2 }\n")
	git("commit", "-q", "-a", "-m", "change")
	return dir
}
