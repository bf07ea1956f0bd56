package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscripts prints runs step by step: see testdata. "start" begins with a grain of module
// synchronization. Every line of "run" is an action with its servers. Below it stand the variables
// that it changes, the invariants that it breaks, or that it is not enabled. "reach" does the same
// and prints only what is not expected.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	dir := map[int]string{2: "testdata/pair", 3: "testdata/ensemble"}[Servers]
	if dir == "" || MaxTransactions < 1 {
		t.Skip("no run is told for these sizes")
	}
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		var r *told
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "start" {
				r = begin(t, d.CmdArgs[0].Key)
				return ""
			}
			return r.run(t, d.Input, d.Cmd == "reach")
		})
	})
}

// TestEnsembleTranscripts tells the runs of three servers.
func TestEnsembleTranscripts(t *testing.T) {
	t.Parallel()
	if Servers == 3 {
		t.Skip("TestTranscripts does it")
	}
	withSizes(t, "^TestTranscripts$", sizes{3, 1, 2, 3, false})
}

type told struct {
	spec *checker.Spec[node]
	now  node
}

func begin(t *testing.T, grain string) *told {
	c := choice(grain, "limits", map[string]int{"timeouts": 2, "restarts": 2}, grains.Ref{Module: "ghosts", Grain: "established"})
	r := &told{spec: compose(t, c)}
	r.spec.Init(func(n *node) bool { r.now = *n; return true })
	return r
}

func (r *told) run(t *testing.T, lines string, quiet bool) string {
	var out strings.Builder
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		k := slices.IndexFunc(r.spec.Instances, func(x checker.Instance) bool {
			call := []string{r.spec.Actions[x.Action].Name}
			for _, p := range x.Params.Elems {
				call = append(call, p.Text)
			}
			return slices.Equal(call, words)
		})
		if k < 0 {
			t.Fatalf("no action %q", strings.TrimSpace(line))
		}
		if !quiet {
			fmt.Fprintln(&out, strings.Join(words, " "))
		}
		if !r.spec.Enabled(&r.now, k) {
			fmt.Fprintln(&out, "  is not enabled")
			continue
		}
		next := r.now
		r.spec.Apply(&r.now, &next, k)
		for _, d := range differences(r.spec.Describe(&r.now), r.spec.Describe(&next)) {
			if !quiet {
				fmt.Fprintln(&out, "  "+d)
			}
		}
		for x, v := range r.spec.Invariants {
			if r.spec.State(&next)>>x&1 != 0 {
				fmt.Fprintln(&out, "  breaks "+v.Name())
			}
		}
		r.now = next
	}
	return out.String()
}
