package sandtable

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// TestPublishedTrace takes the steps of the trace that SandTable published for ZooKeeper#1, within
// its bounds. Each of them is a step here. 7 messages are in flight at the end, as there, and only
// the last step violates NoVoteCircle.
func TestPublishedTrace(t *testing.T) {
	t.Parallel()
	spec, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
			{Module: "faults", Grain: "crash-partition"}, {Module: "bounds", Grain: "zk-3.4.3"},
		},
		Invariants: []string{"votes.again"},
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("testdata/zookeeper-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s, step, violated := State{}, 0, 0
	Init(func(x State) bool {
		s = x
		return false
	})
	line := regexp.MustCompile(`^(\w+)\((.*)\)$`)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		m := line.FindStringSubmatch(lines.Text())
		if m == nil {
			t.Fatalf("%q is no step", lines.Text())
		}
		step++
		n, holds, ok := stepTo(spec, &s, m[1], "{"+m[2]+"}")
		if !ok {
			t.Fatalf("step %d, %s, is not enabled", step, m[0])
		}
		if !holds && violated == 0 {
			violated = step
		}
		s = n
	}
	if step != 40 || violated != step || s.inFlight() != 7 {
		t.Errorf("%d steps, %d messages in flight, violated in step %d", step, s.inFlight(), violated)
	}
}

// stepTo takes a step that is given by name. It reports whether the step property of its action
// holds, and whether the step is enabled.
func stepTo(spec *modules.Spec[State], s *State, action, params string) (n State, holds, ok bool) {
	for _, a := range spec.Actions {
		for k, p := range a.Params {
			if a.Name != action || itf.Text(modules.ViewOf(p, nil)) != params || !a.Enabled(s, k) {
				continue
			}
			n = *s
			a.Apply(s, &n, k)
			return n, len(a.Steps) == 0 || a.Steps[0].Holds(s, &n, k), true
		}
	}
	return *s, true, false
}
