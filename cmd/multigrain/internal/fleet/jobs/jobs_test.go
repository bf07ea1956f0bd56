package jobs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// tree writes files below a folder and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// whole returns the manifests that arguments mean: those that name a system.
func whole(args []string) (found, skipped []string, diags hcl.Diagnostics) {
	for _, arg := range args {
		_ = filepath.Walk(arg, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() || filepath.Ext(path) != ".hcl" {
				return nil
			}
			if m, _ := configs.Load(path, configs.Options{}); m.System != nil {
				found = append(found, path)
			} else {
				skipped = append(skipped, path)
			}
			return nil
		})
	}
	return found, skipped, nil
}

const manifest = `
system "s" {
  source = "./s"
}

variable "n" {
  default = 1
}

variable "m" {
  default = "x"
}

module "a" {
  grain = "baseline"
}
`

var sample = map[string]string{
	"a.hcl":       manifest,
	"b.hcl":       manifest + "\nexpect {\n  invariant = \"Order\"\n  interaction = \"gap\"\n  level = \"L1\"\n}\n",
	"sub/c.hcl":   manifest,
	"part.hcl":    "variable \"q\" {}\n",
	"jobs/ok.hcl": "job \"one\" {\n  manifests = [\"../*.hcl\"]\n  vars = { m = \"y\" }\n  each = { n = \"1..2\" }\n}\n\njob \"two\" {\n  verb = \"simulate\"\n  manifests = [\"../**/*.hcl\"]\n  seeds = \"3..4\"\n  flags = [\"-number=10\"]\n}\n",
}

func (r Request) titles(t *testing.T) (titles []string, errs string) {
	t.Helper()
	list, _, _, diags := r.Read()
	for _, j := range list {
		titles = append(titles, j.Title())
	}
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			errs += fmt.Sprintf("%s: %s\n", d.Summary, d.Detail)
		}
	}
	return titles, errs
}

// TestRead expands command lines and job files.
func TestRead(t *testing.T) {
	t.Parallel()
	root := tree(t, sample)
	at := func(names ...string) (out []string) {
		for _, name := range names {
			out = append(out, filepath.Join(root, name))
		}
		return out
	}
	for _, c := range []struct {
		ask  Request
		want []string
	}{
		{Request{Args: at("a.hcl")}, []string{"check: check a.hcl"}},
		{Request{Args: at("sub", "a.hcl"), Each: []string{"n=1..2", "m=a,b"}}, []string{
			"check: check sub/c.hcl n=1 m=a", "check: check sub/c.hcl n=1 m=b", "check: check sub/c.hcl n=2 m=a", "check: check sub/c.hcl n=2 m=b",
			"check: check a.hcl n=1 m=a", "check: check a.hcl n=1 m=b", "check: check a.hcl n=2 m=a", "check: check a.hcl n=2 m=b"}},
		{Request{Args: at("a.hcl"), Verb: "simulate", Seeds: "7..9"}, []string{"simulate: simulate a.hcl seed=7", "simulate: simulate a.hcl seed=8", "simulate: simulate a.hcl seed=9"}},
		{Request{Args: at("a.hcl"), Vars: []configs.Assignment{{Var: "n=2"}, {Set: "crashes=1"}}}, []string{"check: check a.hcl n=2 crashes=1"}},
		{Request{Args: at("jobs/ok.hcl")}, []string{
			"one: check a.hcl m=y n=1", "one: check a.hcl m=y n=2", "one: check b.hcl m=y n=1", "one: check b.hcl m=y n=2",
			"two: simulate a.hcl -number=10 seed=3", "two: simulate a.hcl -number=10 seed=4", "two: simulate b.hcl -number=10 seed=3",
			"two: simulate b.hcl -number=10 seed=4", "two: simulate sub/c.hcl -number=10 seed=3", "two: simulate sub/c.hcl -number=10 seed=4"}},
	} {
		c.ask.Root, c.ask.Manifests = root, whole
		got, errs := c.ask.titles(t)
		if !slices.Equal(got, c.want) || errs != "" {
			t.Errorf("%+v:\n%s\nwant\n%s\n%s", c.ask.Args, strings.Join(got, "\n"), strings.Join(c.want, "\n"), errs)
		}
	}
}

// TestRefused lists requests that are no jobs.
func TestRefused(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for name, body := range map[string]string{
		"verb": "verb = \"change\"\n  manifests = [\"../a.hcl\"]", "none": "manifests = [\"../nothing*.hcl\"]", "missing": "manifests = [\"../nothing.hcl\"]",
		"empty": "manifests = []", "flag": "manifests = [\"../a.hcl\"]\n  flags = [\"-report=/tmp\"]", "bare": "manifests = [\"../a.hcl\"]\n  flags = [\"strict\"]",
		"seeds": "manifests = [\"../a.hcl\"]\n  seeds = \"1..3\"", "list": "manifests = [\"../a.hcl\"]\n  vars = { n = [1, 2] }",
		"unknown": "manifests = [\"../a.hcl\"]\n  vars = { nobody = 2 }", "attr": "manifests = [\"../a.hcl\"]\n  colour = 1", "range": "manifests = [\"../a.hcl\"]\n  each = { n = \"3..1\" }",
		"outside": "manifests = [\"/tmp\"]",
	} {
		files["jobs/"+name+".hcl"] = "job \"x\" {\n  " + body + "\n}\n"
	}
	files["jobs/same.hcl"] = "job \"x\" {\n  manifests = [\"../a.hcl\"]\n}\n\njob \"x\" {\n  manifests = [\"../a.hcl\"]\n}\n"
	// more than the stack of a parser has
	files["jobs/nested.hcl"] = "x = " + strings.Repeat("[", 5_000_000)
	for name, text := range sample {
		files[name] = text
	}
	root := tree(t, files)
	for name, want := range map[string]string{
		"nested": "nested too deep", "verb": "cannot be a job", "none": "no manifest matches", "missing": "no manifest matches", "empty": "a list is empty", "flag": "cannot be a flag",
		"bare": "cannot be a flag", "seeds": "makes no random choices", "list": "has several values", "unknown": "nobody", "attr": "colour", "range": "is not a range",
		"same": "two jobs are the same",
	} {
		ask := Request{Args: []string{filepath.Join(root, "jobs", name+".hcl")}, Root: root, Manifests: whole}
		if _, errs := ask.titles(t); !strings.Contains(errs, want) {
			t.Errorf("%s: %q does not say %q", name, errs, want)
		}
	}
	for _, c := range []struct {
		ask  Request
		want string
	}{
		{Request{Args: []string{filepath.Join(root, "jobs", "ok.hcl")}, Seeds: "1..2"}, "-verb and -seeds"},
		{Request{Args: []string{filepath.Join(root, "a.hcl")}, Each: []string{"n"}}, "names no variable"},
		{Request{Args: []string{filepath.Join(root, "a.hcl")}, Each: []string{"k=1..2"}}, "k"},
		{Request{Args: []string{filepath.Join(root, "a.hcl")}, Vars: []configs.Assignment{{File: "x"}}}, "-var-file"},
		{Request{Args: []string{filepath.Join(root, "a.hcl")}, Verb: "simulate", Seeds: "1..99999999"}, "more than"},
	} {
		c.ask.Root, c.ask.Manifests = root, whole
		if _, errs := c.ask.titles(t); !strings.Contains(errs, c.want) {
			t.Errorf("%+v: %q does not say %q", c.ask, errs, c.want)
		}
	}
}

// TestComplete: a job has what its manifest expects, and values from the environment.
func TestComplete(t *testing.T) {
	t.Parallel()
	root := tree(t, sample)
	ask := Request{Args: []string{filepath.Join(root, "b.hcl")}, Verb: "interaction", Root: root, Manifests: whole, Environ: []string{"MULTIGRAIN_VAR_n=3", "MULTIGRAIN_VAR_other=4", "HOME=/"}}
	list, _, _, diags := ask.Read()
	if len(list) != 1 || diags.HasErrors() {
		t.Fatal(list, diags)
	}
	j := list[0]
	if want := (Expects{Verdict: "violated", Invariant: "Order", Interaction: "gap", Level: "L1", Block: true}); j.Expects != want {
		t.Errorf("%+v, want %+v", j.Expects, want)
	}
	if !slices.Equal(j.Environ, []string{"MULTIGRAIN_VAR_n=3"}) {
		t.Errorf("environment %q", j.Environ)
	}
	if args := strings.Join(j.Args("T"), " "); args != "interaction -json -quiet -traces T -level L1 -- b.hcl" {
		t.Error(args)
	}
	j.Verb = "check"
	if args := strings.Join(j.Args("T"), " "); args != "test -json -quiet -traces T -workers 1 -- b.hcl" {
		t.Error(args)
	}
	for flag, want := range map[string]bool{"-strict": true, "-strict=true": true, "-strict=false": false, "--strict=0": false} {
		if j.Flags = []string{flag}; j.Tested() != want {
			t.Errorf("%s: compared with all of the block: %v, want %v", flag, !want, want)
		}
	}
	j.Flags = []string{"-mem=1GiB", "--symmetry"} // which the verb test does not have
	if args := strings.Join(j.Args("T"), " "); args != "check -json -quiet -traces T -workers 1 -mem=1GiB --symmetry -- b.hcl" {
		t.Error(args)
	}
}

// TestCheck: what reaches a worker from a network is checked there.
func TestCheck(t *testing.T) {
	t.Parallel()
	good := Job{Name: "x", Verb: "check", Manifest: "a/b.hcl", Flags: []string{"-timeout=1m", "--strict"}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Job){
		"verb":        func(j *Job) { j.Verb = "build" },
		"above":       func(j *Job) { j.Manifest = "../b.hcl" },
		"absolute":    func(j *Job) { j.Manifest = "/etc/b.hcl" },
		"no manifest": func(j *Job) { j.Manifest = "a/b.go" },
		"file":        func(j *Job) { j.Flags = []string{"-report=/tmp/x"} },
		"word":        func(j *Job) { j.Flags = []string{"-timeout", "1m"} },
		"end":         func(j *Job) { j.Flags = []string{"--"} },
		"environment": func(j *Job) { j.Environ = []string{"LD_PRELOAD=x"} },
	} {
		j := good
		change(&j)
		if j.Check() == nil {
			t.Errorf("%s: a worker takes %+v", name, j)
		}
	}
}
