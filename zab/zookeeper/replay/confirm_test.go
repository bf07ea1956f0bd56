//go:build !multigrain_runtime

package replay

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// TestConfirm does the shortest behaviours with bugs on ZooKeeper 3.8.0 and sees their symptoms.
// The first one runs wherever the jars are. The manifests of configs/zab/bugs declare these
// symptoms.
func TestConfirm(t *testing.T) {
	but := func(more ...string) []string { return append(more, masked...) }
	threads := func(crashes int, except []string) chosen {
		return chosen{"coarse", "follower-threads", "follower-threads", crashes, 0, 2, except}
	}
	log := func(text string) conform.Symptom {
		return conform.Symptom{Word: "log-line", Settings: map[string]string{"text": text}}
	}
	for k, x := range []struct {
		bug       string
		chosen    chosen
		invariant string
		symptom   conform.Symptom
	}{
		{"ZOOKEEPER-4394", chosen{"coarse", "baseline", "baseline", 0, 0, 2, nil}, "I-14.npe", log("NullPointerException\nLearner.syncWithLeader")},
		{"ZOOKEEPER-4643", zk4643, "I-8", conform.Symptom{Word: "lost-write"}},
		{"ZOOKEEPER-4685", threads(1, masked), "I-12.epoch", log("is from a different epoch")},
		{"ZOOKEEPER-4712", threads(1, but("I-12.epoch")), "I-10", conform.Symptom{Word: "diverged-logs"}},
		{"ZOOKEEPER-3023", threads(1, but("I-12.epoch", "I-10")), "I-11.uptodate", conform.Symptom{Word: "serves-unapplied"}},
	} {
		t.Run(x.bug, func(t *testing.T) {
			if k > 0 {
				needServers(t)
			} else if _, err := control.Find(control.Places{}, "3.8.0"); err != nil {
				t.Skip(err)
			}
			c := compose(t, x.chosen, x.invariant)
			what := conform.Confirming{Trace: counterexample(t, c, x.invariant), Runs: 1, Symptoms: []conform.Symptom{x.symptom}}
			all, version, err := conform.Confirm(c, Implementation, what, conform.Options{Setup: setup(t, c, "3.8.0", nil)})
			if err != nil || version != "3.8.0" {
				t.Fatal(version, err)
			}
			last := all[len(all)-1]
			if last.Outcome != conform.Shown || last.Steps != len(what.Trace) {
				t.Errorf("%s after %d of %d steps: %s %s %v\n%s", last.Outcome, last.Steps, len(what.Trace), last.Action, last.Message, last.Sightings,
					strings.Join(last.Log, "\n"))
			}
		})
	}
}

// TestVocabulary compares the vocabulary that manifests are checked against with the symptoms that
// the adapter looks for, and with the page that explains them.
func TestVocabulary(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/how-to/zookeeper.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(strings.TrimSpace(Symptoms)) {
		head, _, _ := strings.Cut(line, ":")
		word, settings, _ := strings.Cut(strings.TrimSuffix(head, ")"), "(")
		listed = append(listed, word)
		if have := strings.Join(symptoms[word].settings, ", "); have != settings {
			t.Errorf("%s has the settings %q, and %q are listed", word, have, settings)
		}
		if !strings.Contains(string(page), "| `"+word+"` |") {
			t.Errorf("docs/how-to/zookeeper.md has no row for the symptom %s", word)
		}
	}
	slices.Sort(listed)
	if known := slices.Sorted(maps.Keys(symptoms)); !slices.Equal(listed, known) {
		t.Errorf("%v are listed, and the adapter looks for %v", listed, known)
	}
}

// TestFollow finds successive lines of a log that contain texts.
func TestFollow(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		log, text string
		want      bool
	}{
		{"a b c\nd", "b", true},
		{"a b c\nx d\n", "b\nd", true},
		{"a\nb\nc", "a\nc", false},
		{"a", "a\nb", false},
	} {
		if have := follow(strings.Split(x.log, "\n"), strings.Split(x.text, "\n")); have != x.want {
			t.Errorf("%q in %q: %t", x.text, x.log, have)
		}
	}
}
