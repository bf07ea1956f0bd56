package regress

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// TestWrite: the test is Go of the package of its folder. The copy of the trace names the manifest
// relative to the folder. A file of another hand stays.
func TestWrite(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	folder := filepath.Join(root, "2-lock", "sub")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(root, "m.hcl"), "")
	state := modules.View{Shape: modules.Record, Names: []string{"X"}, Elems: []modules.View{{Text: "1"}}}
	x := Test{
		File: filepath.Join(folder, "lost-write_test.go"), On: "lockd v1\n}", Sees: "the two differ: X after step 1, Go\nfunc evil() {}",
		Flags: []string{"-impl", `a"b`},
		Meta:  itf.Meta{Manifest: filepath.Join(root, "m.hcl"), Kind: "conform"},
		Trace: &wire.Trace{Init: state, Steps: []wire.Step{{Action: "Go", State: state}}},
	}
	copied, err := x.Write()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(x.File)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), x.File, text, 0)
	if err != nil || f.Name.Name != "sub" || len(f.Decls) != 2 || f.Scope.Lookup("TestLostWrite") == nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if want := filepath.Join(folder, "testdata", "multigrain", "lost-write.itf.json"); copied != want {
		t.Errorf("the copy is %s, not %s", copied, want)
	}
	trace, err := os.ReadFile(copied)
	if err != nil || !strings.Contains(string(trace), `"manifest":"../../m.hcl"`) {
		t.Errorf("%v in %s", err, trace)
	}
	write(filepath.Join(folder, "a.go"), "package lock")
	if _, err := x.Write(); err != nil {
		t.Errorf("what was written is not replaced: %v", err)
	}
	if text, _ := os.ReadFile(x.File); !strings.Contains(string(text), "\npackage lock\n") {
		t.Errorf("the package is not that of the folder:\n%s", text)
	}
	write(x.File, "package lock // mine")
	if _, err := x.Write(); err == nil {
		t.Error("a test of another hand is replaced")
	}
}

// TestPackageOf: a folder without Go files gives a name that Go accepts.
func TestPackageOf(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for folder, want := range map[string]string{"lock-service": "lockservice", "2pc": "regresspc", "go": "regressgo", "é": "regress", "Zab": "zab"} {
		if got, err := packageOf(filepath.Join(root, folder)); err != nil || got != want {
			t.Errorf("%s: package %s, want %s; %v", folder, got, want, err)
		}
	}
}

// TestWriteScript: the script is one of the shell that can be run, and texts of traces and flags
// are no commands. A script of another hand stays.
func TestWriteScript(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it has no /bin/sh")
	}
	root := t.TempDir()
	folder := filepath.Join(root, "a 'folder'")
	state := modules.View{Shape: modules.Record, Names: []string{"X"}, Elems: []modules.View{{Text: "1"}}}
	x := Test{
		File: filepath.Join(folder, "lost.sh"), On: "lockd\ntouch evil", Sees: "the two differ\u2028touch evil",
		Flags: []string{"-impl", "a'$(touch evil)`touch evil`\nb"},
		Meta:  itf.Meta{Manifest: filepath.Join(root, "m.hcl"), Kind: "conform"},
		Trace: &wire.Trace{Init: state, Steps: []wire.Step{{Action: "Go", State: state}}},
	}
	if _, err := x.Write(); err != nil {
		t.Fatal(err)
	}
	said := filepath.Join(root, "said")
	command := "#!/bin/sh\npwd >" + said + "\nprintf '%s|' \"$@\" >>" + said + "\nexit 30\n"
	if err := os.WriteFile(filepath.Join(root, "multigrain"), []byte(command), 0o755); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(x.File)
	run.Dir, run.Env = root, append(os.Environ(), "MULTIGRAIN="+filepath.Join(root, "multigrain"))
	out, _ := run.CombinedOutput()
	if code := run.ProcessState.ExitCode(); code != 30 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	got, err := os.ReadFile(said)
	want := folder + "\nreplay|-judge|-quiet|-impl|" + x.Flags[1] + "|testdata/multigrain/lost.itf.json|"
	if err != nil || string(got) != want {
		t.Errorf("%v: it runs %q, want %q", err, got, want)
	}
	for _, dir := range []string{root, folder} {
		if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
			t.Error("a text of the trace is run")
		}
	}
	if _, err := x.Write(); err != nil {
		t.Errorf("what was written is not replaced: %v", err)
	}
	if err := os.WriteFile(x.File, []byte("#!/bin/sh\necho mine\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Write(); err == nil {
		t.Error("a script of another hand is replaced")
	}
}

// TestNamed: only names that go test reads, and scripts.
func TestNamed(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{"a_test.go": true, "x/b_test.go": true, "_test.go": false, "a.go": false, "a_test.go.txt": false, "": false,
		"a.sh": true, "x/b-c.sh": true, ".sh": false, "sh": false, "a.bash": false} {
		if Named(file) != want {
			t.Errorf("%q: %v", file, !want)
		}
	}
}

// TestJudged: only traces whose bug is seen in observed states.
func TestJudged(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{"conform": true, "state": true, "step": true, "assert": false, "deadlock": false, "liveness": false, "explored": false, "": false} {
		if Judged(itf.Meta{Kind: kind}) != want {
			t.Errorf("%q: %v", kind, !want)
		}
	}
	if Judged(itf.Meta{Kind: "state", Change: &itf.OfChange{}}) {
		t.Error("a trace of changed code is judged by replay itself")
	}
}
