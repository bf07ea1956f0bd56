package mgtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recorder is a test whose failures are kept instead of reported.
type recorder struct {
	testing.TB
	failed string
	ended  []func()
}

func (r *recorder) Helper()                           {}
func (r *recorder) Cleanup(f func())                  { r.ended = append(r.ended, f) }
func (r *recorder) TempDir() string                   { return r.TB.TempDir() }
func (r *recorder) Errorf(format string, args ...any) { r.failed += fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// failure returns with what a test fails; "" if it does not.
func failure(t *testing.T, test func(t testing.TB)) string {
	r, done := &recorder{TB: t}, make(chan bool)
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	for _, f := range r.ended {
		f()
	}
	return r.failed
}

// built returns the path of the command, built now.
func built(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "multigrain")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestCommand runs the real command on a manifest that holds, one that expects something else, and
// one with a mistake.
func TestCommand(t *testing.T) {
	if testing.Short() || os.Getenv("MULTIGRAIN") == "" && os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds the command; set MULTIGRAIN to a built one, or MULTIGRAIN_SLOW=1")
	}
	if os.Getenv("MULTIGRAIN") == "" {
		t.Setenv("MULTIGRAIN", built(t))
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	chain := filepath.Join(root, "configs", "examples", "chain.hcl")
	if text := failure(t, func(t testing.TB) { Check(t, chain) }); text != "" {
		t.Errorf("chain.hcl fails: %s", text)
	}
	if text := failure(t, func(t testing.TB) { Check(t, filepath.Join(root, "configs", "examples", "chain-read-at-head.hcl")) }); text != "" {
		t.Errorf("a violation that is expected fails: %s", text)
	}
	wrong := filepath.Join(root, "configs", "examples", "no-such.hcl")
	if text := failure(t, func(t testing.TB) { Check(t, wrong) }); !strings.Contains(text, "no-such.hcl") {
		t.Errorf("a manifest that is missing passes: %q", text)
	}
	if text := failure(t, func(t testing.TB) { Check(t, chain, "-max-states", "5") }); !strings.Contains(text, "undecided") {
		t.Errorf("an undecided result passes: %q", text)
	}
	// A recorded node without a bug, and one with ZOOKEEPER-1154.
	zab := filepath.Join(root, "configs", "zab", "zookeeper.hcl")
	if text := failure(t, func(t testing.TB) { Monitor(t, zab, 0) }); !strings.Contains(text, "nothing was written") {
		t.Errorf("a stream without a line passes: %q", text)
	}
	stream := func(name string) func(t testing.TB) {
		return func(t testing.TB) {
			text, err := os.ReadFile(filepath.Join(root, "zab", "zookeeper", "testdata", "streams", name))
			if err != nil {
				t.Fatalf("%v", err)
			}
			Monitor(t, zab, 0).Write(text)
		}
	}
	if text := failure(t, stream("calm-0.ndjson")); text != "" {
		t.Errorf("the stream without a bug fails: %s", text)
	}
	if text := failure(t, stream("zk-1154-0.ndjson")); !strings.Contains(text, "exit code 30") {
		t.Errorf("the stream with a bug passes: %q", text)
	}
}

// TestConform compares a queue of the command's own tests with its specification, as it is and with
// a mistake.
func TestConform(t *testing.T) {
	if os.Getenv("MULTIGRAIN") == "" {
		if os.Getenv("MULTIGRAIN_SLOW") == "" {
			t.Skip("it builds the command; set MULTIGRAIN to a built one, or MULTIGRAIN_SLOW=1")
		}
		t.Setenv("MULTIGRAIN", built(t))
	}
	root, err := filepath.Abs("../../cmd/multigrain/testdata/spec")
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(t.TempDir(), "buffer.hcl")
	text := fmt.Sprintf(queue, filepath.Join(root, "buffer"), filepath.Join(root, "ring"))
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if text := failure(t, func(t testing.TB) { Conform(t, manifest, "ring", "-traces", "50") }); text != "" {
		t.Errorf("a right implementation fails: %s", text)
	}
	if text := failure(t, func(t testing.TB) { Conform(t, manifest, "ring", "-traces", "50", "-set", "fault=order") }); !strings.Contains(text, "exit code 30") {
		t.Errorf("a wrong implementation passes: %q", text)
	}
}

// FuzzConform takes walks for a few seeds, and for those that the fuzzer of Go chooses.
func FuzzConform(f *testing.F) {
	if os.Getenv("MULTIGRAIN") == "" {
		f.Skip("set MULTIGRAIN to a built command")
	}
	root, err := filepath.Abs("../../cmd/multigrain/testdata/spec")
	if err != nil {
		f.Fatal(err)
	}
	manifest := filepath.Join(f.TempDir(), "buffer.hcl")
	if err := os.WriteFile(manifest, fmt.Appendf(nil, queue, filepath.Join(root, "buffer"), filepath.Join(root, "ring")), 0o600); err != nil {
		f.Fatal(err)
	}
	Fuzz(f, manifest, "ring")
}

// queue is a manifest with an implementation.
const queue = `system "buffer" {
  source = %q
}

module "producer" {
  grain = "baseline"
}

module "consumers" {
  grain = "baseline"
}

implementation "ring" {
  adapter = %q
}
`

// TestMissing: without the command a test fails, and says how to get it.
func TestMissing(t *testing.T) {
	t.Setenv("MULTIGRAIN", filepath.Join(t.TempDir(), "none"))
	if text := failure(t, func(t testing.TB) { Check(t, "a.hcl") }); !strings.Contains(text, "none") {
		t.Errorf("a command that is missing passes: %q", text)
	}
}
