// Package mgtest runs multigrain from tests of Go.
//
//	func TestSpecification(t *testing.T) { mgtest.Check(t, "lock.hcl") }
//	func TestServer(t *testing.T)        { mgtest.Conform(t, "lockd.hcl", "lockd") }
//	func FuzzServer(f *testing.F)        { mgtest.Fuzz(f, "lockd.hcl", "lockd") }
//
// The command is a process of its own. The environment variable MULTIGRAIN names its file. Without
// the variable it is multigrain of the PATH, or else go tool multigrain, a tool of the module under
// test. If there is none of them, a test fails.
//
// A run ends at the deadline of the test (go test -timeout) at the latest, as at Ctrl-C. A result
// that is undecided fails a test: nothing is green that was not looked at.
package mgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Check compares a manifest with its expect block, as multigrain test does. Without a block it has
// to hold. Flags are those of that verb. If the result is another one, the test fails, and the log
// has what multigrain check prints: the verdict and the counterexample.
func Check(t testing.TB, manifest string, flags ...string) {
	t.Helper()
	out, code := run(t, of([]string{"test", "-quiet"}, flags, manifest)...)
	if code == 0 {
		return
	}
	whole, _ := run(t, "check", "-quiet", "--", manifest)
	t.Fatalf("%s is not as expected:\n%s\n%s", manifest, out, whole)
}

// Conform does walks of a manifest's composition on the implementation that the block of this name
// describes, and compares the states. Flags are those of multigrain conform. The test fails with
// the shrunk walk after which the two differ.
func Conform(t testing.TB, manifest, implementation string, flags ...string) {
	t.Helper()
	args := of([]string{"conform", "-impl", implementation, "-quiet"}, flags, manifest)
	if out, code := run(t, args...); code != 0 {
		t.Fatalf("%s does not conform to %s (exit code %d):\n%s", implementation, manifest, code, out)
	}
}

// fuzzed is how many walks one input of Fuzz stands for.
const fuzzed = "20"

// Fuzz lets the fuzzer of Go choose seeds of walks, which Conform then takes. An input that fails
// is kept by the fuzzer in testdata/fuzz, and is done again by each later go test.
func Fuzz(f *testing.F, manifest, implementation string, flags ...string) {
	f.Helper()
	for seed := range uint64(3) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		Conform(t, manifest, implementation, append([]string{"-walks", fuzzed, "-seed", strconv.FormatUint(seed, 10)}, flags...)...)
	})
}

// Monitor returns a writer for the stream of one node under test: lines as docs/reference/stream.md
// describes them. When the test ends, the monitor explains the stream by the manifest. The test
// fails with the alarm if it cannot, and also if nothing was written. Flags are those of multigrain
// monitor. The writer is not for several goroutines at once.
func Monitor(t testing.TB, manifest string, node int, flags ...string) io.Writer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stream.ndjson")
	file, err := os.Create(path)
	if err != nil {
		t.Fatalf("the stream cannot be kept: %v", err)
	}
	t.Cleanup(func() {
		t.Helper()
		size, err := file.Seek(0, io.SeekEnd)
		if err = errors.Join(err, file.Close()); err != nil {
			t.Errorf("the stream cannot be kept: %v", err)
			return
		}
		if size == 0 {
			t.Errorf("nothing was written to the stream of node %d, so nothing was monitored", node)
			return
		}
		args := of([]string{"monitor", "--node", strconv.Itoa(node), "--source", path, "-quiet"}, flags, manifest)
		if out, code := run(t, args...); code != 0 {
			t.Errorf("%s does not explain what node %d did (exit code %d):\n%s", manifest, node, code, out)
		}
	})
	return file
}

// Replay does a trace again on the implementation of its manifest, without a search. It is for
// tests that multigrain replay -write-test writes. The test fails if the implementation violates
// the property that the trace was kept for, or differs from the specification as it did. A trace
// that is no longer possible fails, too. Flags are those of multigrain replay.
func Replay(t testing.TB, trace string, flags ...string) {
	t.Helper()
	args := of([]string{"replay", "-judge", "-quiet"}, flags, trace)
	out, code := run(t, args...)
	if code != 0 {
		t.Fatalf("the trace %s shows the bug, or cannot be judged (exit code %d):\n%s", trace, code, out)
	}
	line, _, _ := strings.Cut(strings.TrimLeft(out, "\n"), "\n")
	t.Log(line)
}

// of returns a command line in which the manifest is no flag, whatever its name.
func of(verb, flags []string, manifest string) []string {
	return slices.Concat(verb, flags, []string{"--", manifest})
}

// run runs the command and returns what it prints and its exit code.
func run(t testing.TB, args ...string) (out string, code int) {
	t.Helper()
	name, before, err := command()
	if err != nil {
		t.Fatalf("multigrain: %v", err)
	}
	ctx := context.Background()
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, at.Add(-time.Second)) // to print what was found
			defer cancel()
		}
	}
	cmd := exec.CommandContext(ctx, name, append(before, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Second
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return string(b), exit.ExitCode()
	case err != nil:
		t.Fatalf("multigrain %s: %v\n%s", strings.Join(args, " "), err, b)
	}
	return string(b), 0
}

// command returns the command and the arguments that precede those of a verb.
func command() (name string, args []string, err error) {
	if name = os.Getenv("MULTIGRAIN"); name != "" {
		return name, nil, nil
	}
	if name, err = exec.LookPath("multigrain"); err == nil {
		return name, nil, nil
	}
	if err := exec.Command("go", "tool", "-n", "multigrain").Run(); err != nil {
		return "", nil, fmt.Errorf("the command is neither in MULTIGRAIN nor in the PATH nor a tool of this module. " +
			"Write: go get -tool github.com/multigrain/multigrain/cmd/multigrain@latest")
	}
	return "go", []string{"tool", "multigrain"}, nil
}
