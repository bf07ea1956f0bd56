//go:build !multigrain_runtime

package replay

import (
	"testing"

	"github.com/multigrain/multigrain/checker/conform"
)

// TestConfirm does the shortest behaviours with bugs on ZooKeeper 3.8.0 and looks for their
// symptoms.
func TestConfirm(t *testing.T) {
	needServers(t)
	but := func(more ...string) []string { return append(more, masked...) }
	threads := func(crashes int, except []string) chosen {
		return chosen{"coarse", "fine-concurrent", "fine-concurrent", crashes, 0, 2, except}
	}
	log := func(text string) conform.Symptom {
		return conform.Symptom{Word: "log-line", Settings: map[string]string{"text": text}}
	}
	for _, x := range []struct {
		bug       string
		chosen    chosen
		invariant string
		symptom   conform.Symptom
	}{
		{"ZOOKEEPER-4394", chosen{"coarse", "baseline", "baseline", 0, 0, 2, nil}, "I-14.npe",
			log("NullPointerException\nLearner.syncWithLeader")},
		{"ZOOKEEPER-4643", zk4643, "I-8", conform.Symptom{Word: "lost-write"}},
		{"ZOOKEEPER-4685", threads(1, masked), "I-12.epoch", log("is from a different epoch")},
		{"ZOOKEEPER-4712", threads(1, but("I-12.epoch")), "I-10", conform.Symptom{Word: "diverged-logs"}},
		{"ZOOKEEPER-3023", threads(1, but("I-12.epoch", "I-10")), "I-11.uptodate", conform.Symptom{Word: "serves-unapplied"}},
	} {
		t.Run(x.bug, func(t *testing.T) {
			c := compose(t, x.chosen, x.invariant)
			what := conform.Confirming{Trace: counterexample(t, c, x.invariant), Runs: 2, Symptoms: []conform.Symptom{x.symptom}}
			all, _, err := conform.Confirm(c, Implementation, what, conform.Options{Setup: setup(t, c, "3.8.0", nil)})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range all {
				t.Logf("%s after %d steps in %v: %s %s %v", a.Outcome, a.Steps, a.Duration, a.Action, a.Message, a.Sightings)
				if a.Outcome != conform.Shown && a.Outcome != conform.Spoilt {
					t.Errorf("%s", a.Log)
				}
			}
		})
	}
}
