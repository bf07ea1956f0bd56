package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestModels compares the models of two-phase commit: each has as many states as the specification
// with five resource managers, which compose.TestTwoPhaseCounts compares for seven and more.
func TestModels(t *testing.T) {
	const states = 8_832
	repeat = 1
	r := &row{vars: map[string]int{"managers": 5}}
	for _, tool := range twoPhase {
		t.Run(tool.name, func(t *testing.T) {
			if tool.name == "stateright" && os.Getenv("MULTIGRAIN_SLOW") == "" {
				t.Skip("building stateright takes half a minute: set MULTIGRAIN_SLOW=1")
			}
			m, err := tool.run(t.TempDir(), r)
			if err != nil && strings.HasPrefix(err.Error(), "not run: ") {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !m.complete || m.distinct != states || m.seconds <= 0 {
				t.Errorf("%+v, want %d states", m, states)
			}
		})
	}
}

// TestModelsAreChecked checks that each model can be violated: a search that checks nothing is
// faster.
func TestModelsAreChecked(t *testing.T) {
	repeat = 1
	right := promela
	defer func() { promela = right }()
	promela = strings.Replace(right, "known == {{.All}}", "known != 0", 1)
	if promela == right {
		t.Fatal("the model of SPIN has another guard")
	}
	_, err := spinDepth(t.TempDir(), &row{vars: map[string]int{"managers": 3}})
	if err != nil && strings.HasPrefix(err.Error(), "not run: ") {
		t.Skip(err)
	}
	if err == nil || !strings.Contains(err.Error(), "assertion violated") {
		t.Errorf("early commit gives %v", err)
	}
}

// TestManagers checks that a model refuses a number that it does not have.
func TestManagers(t *testing.T) {
	for _, n := range []int{0, 16} {
		if _, err := promelaOf(n); err == nil {
			t.Errorf("%d resource managers have a model", n)
		}
	}
	if _, err := staterightTwoPhase(t.TempDir(), &row{vars: map[string]int{"managers": 17}}); err == nil || strings.HasPrefix(err.Error(), "not run") {
		t.Errorf("17 resource managers: %v", err)
	}
}

// TestFastest checks that the fastest run counts, with the least processor time and memory.
func TestFastest(t *testing.T) {
	repeat = 2
	runs := []measured{{10, true, 2, time.Second, 100}, {10, true, 1, 2 * time.Second, 200}}
	m, err := fastest(func() (measured, error) {
		next := runs[0]
		runs = runs[1:]
		return next, nil
	})
	if err != nil || m != (measured{10, true, 1, time.Second, 100}) {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestManifests checks that the manifests of all rows are there.
func TestManifests(t *testing.T) {
	for _, r := range rows {
		if _, err := os.Stat(filepath.Join("../../..", r.manifest)); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}
