package zab

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// narrated are the traces of the published bugs in testdata, with the grains of Synchronization and
// Broadcast and the invariant that they violate. Each file has a few sentences, the commands, and
// what the last of them prints.
var narrated = []struct{ file, synchronization, broadcast, invariant string }{
	{"zk-3023", "follower-threads", "follower-threads", "I-11.uptodate"},
	{"zk-4394", "baseline", "baseline", "I-14.npe"},
	{"zk-4643", "follower-steps", "baseline", "I-8"},
	{"zk-4646", "follower-threads", "follower-threads", "I-8"},
	{"zk-4685", "follower-threads", "follower-threads", "I-12.epoch"},
	{"zk-4712", "follower-threads", "follower-threads", "I-10"},
}

// stepLine is a line of a trace that names a step: its number, the action, the parameters, the
// module.
var stepLine = regexp.MustCompile(`^ *[1-9][0-9]*  (\w+)\((.*)\)  \w+$`)

// TestNarratedTraces takes the steps of the traces one by one: each is enabled, the last one
// violates the invariant and none before it does.
func TestNarratedTraces(t *testing.T) {
	t.Parallel()
	for _, c := range narrated {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", c.file+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			spec, err := grains.Compose(&System, grains.Choice{
				Grains: []grains.Ref{
					{Module: "election", Grain: "coarse"}, {Module: "synchronization", Grain: c.synchronization},
					{Module: "broadcast", Grain: c.broadcast}, {Module: "faults", Grain: "crash-partition"},
				},
				Invariants: []string{c.invariant},
			})
			if err != nil {
				t.Fatal(err)
			}
			s, broken := initial(), false
			for line := range strings.Lines(string(text)) {
				m := stepLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
				if m == nil {
					continue
				}
				if broken {
					t.Fatalf("%s is violated before %s", c.invariant, m[1])
				}
				s, broken = follow(t, spec, s, m[1], m[2])
			}
			if !broken {
				t.Errorf("%s holds at the end of the trace", c.invariant)
			}
		})
	}
}

// follow takes the step of an action with the parameters of that text, and reports whether it
// violates the invariant.
func follow(t *testing.T, spec *modules.Spec[State], s State, action, params string) (State, bool) {
	t.Helper()
	for _, a := range spec.Actions {
		for k, p := range a.Params {
			if a.Name != action || itf.Text(modules.ViewOf(p, nil)) != "{"+params+"}" {
				continue
			}
			if !a.Enabled(&s, k) {
				t.Fatalf("%s(%s) is not enabled", action, params)
			}
			n := s
			a.Apply(&s, &n, k)
			inv := spec.Invariants[0]
			switch {
			case len(a.Steps) > 0:
				return n, !a.Steps[0].Holds(&s, &n, k)
			case inv.State != nil:
				return n, !inv.State(&n)
			}
			for e := range Assertion(modules.MaxAssertions) {
				if inv.Raises == modules.Bit(e) && n.Raised.Has(e) {
					return n, true
				}
			}
			return n, false
		}
	}
	t.Fatalf("there is no %s(%s)", action, params)
	return s, false
}

// TestNarrationIsCurrent finds the bugs once more, by the commands of the narrated traces, and
// compares what they print.
func TestNarrationIsCurrent(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds the compositions; set MULTIGRAIN_SLOW=1")
	}
	dir := t.TempDir()
	command := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"published/sandtable/testdata/zk-1419-sandtable.txt"}
	for _, name := range narratedEarlier {
		files = append(files, filepath.Join("testdata", name+".txt"))
	}
	for _, c := range narrated {
		files = append(files, filepath.Join("testdata", c.file+".txt"))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out, want := "", string(text)
			for line := range strings.Lines(string(text)) {
				call, ok := strings.CutPrefix(line, "$ multigrain ")
				if !ok {
					continue
				}
				_, want, _ = strings.Cut(want, line)
				run := exec.Command(command, strings.Fields(strings.ReplaceAll(call, "configs/", root+"/configs/"))...)
				run.Dir = dir
				b, _ := run.Output() // a violation's exit code is not 0
				out = string(b)
			}
			if out != want {
				t.Errorf("the last command prints\n%s", out)
			}
		})
	}
}
