package main

import (
	"bytes"
	"crypto/sha1"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/changes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/mutants"
)

// javaVersion is the release that mutants are made of: the default of configs/zab/changes. Its
// methods have the lines that the table names.
const javaVersion = "3.9.1"

var javaBudgets = flag.String("change.java", changes.CodedBudget.String()+" 15m", "the `times` of the walks with each mutant of ZooKeeper, a run for each")

// builderOf returns what makes mutants of ZooKeeper, or skips the test.
func builderOf(t *testing.T) *mutants.Builder {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs servers, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	jars, err := control.Find(control.Places{}, javaVersion)
	if err != nil {
		t.Skip(err)
	}
	b, err := mutants.NewBuilder(jars)
	if err != nil {
		t.Skip(err)
	}
	return b
}

// javaDiff returns a unified diff of a file of ZooKeeper, with the names of both contents in Git.
func javaDiff(t *testing.T, name, before, after string) string {
	t.Helper()
	name = "zookeeper-server/src/main/java/" + name
	lines, err := udiff.ToUnified("a/"+name, "b/"+name, before, udiff.Strings(before, after), 3)
	if err != nil {
		t.Fatal(err)
	}
	blob := func(text string) string {
		return fmt.Sprintf("%x", sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(text), text))))
	}
	return fmt.Sprintf("diff --git a/%s b/%s\nindex %s..%s 100644\n%s", name, name, blob(before), blob(after), lines)
}

// summary returns what a run showed, in a line.
func summary(doc *result.Document, code int) string {
	o := doc.Change.Observed
	if o == nil {
		return fmt.Sprintf("exit code %d, not run", code)
	}
	var broken []string
	for _, b := range o.Broken {
		broken = append(broken, b.Invariant)
	}
	first := ""
	if len(o.Found) > 0 {
		first = o.Found[0].Line()
	}
	return fmt.Sprintf("exit code %d, %s, %d walks, %.0f s; %s; %s %s", code, o.Verdict, o.Walks, o.Seconds, strings.Join(broken, ", "), first, o.Reason)
}

// TestChangeSeesJavaMutants: each mutant of ZooKeeper that conform can find, as a diff alone,
// behaves differently or violates an invariant within the longest of the times. None is reported to
// behave as the specification.
func TestChangeSeesJavaMutants(t *testing.T) {
	b := builderOf(t)
	all, err := mutants.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			name, before, after, err := b.Sides(m)
			if err != nil {
				t.Fatal(err)
			}
			diff := javaDiff(t, name, before, after)
			seen := false
			for _, budget := range strings.Fields(*javaBudgets) {
				start := time.Now()
				doc, code, text := changed(t, "../../configs/zab/changes/zookeeper.hcl", diff, "-budget", budget)
				if doc.Change == nil || doc.Change.Observed == nil {
					t.Fatalf("exit code %d: not run\n%s", code, text)
				}
				t.Logf("%s, %s, %.0f s in all: %s", m.Name, budget, time.Since(start).Seconds(), summary(doc, code))
				if code == verdicts.ExitOK {
					t.Error("a mistake behaves as the specification")
				}
				seen = seen || code == verdicts.ExitMismatch || len(doc.Change.Observed.Broken) > 0
			}
			if !seen && m.Missing == "" {
				t.Error("it is not seen")
			}
		})
	}
}

// harmlessBudget gives walks of harmless changes time to take all actions.
var harmlessBudget = flag.String("change.harmless", changes.CodedBudget.String(), "the `time` of the walks with each harmless change of ZooKeeper")

// TestChangeJavaInert: refactorings after which nothing is done in another way need no walks. They
// touch no module.
func TestChangeJavaInert(t *testing.T) {
	b := builderOf(t)
	for _, m := range []mutants.Mutant{
		{Name: "variable", Class: "quorum.Leader", Method: "tryToCommit", Line: "if (!p.hasAllQuorums()) {", Becomes: "boolean enough = p.hasAllQuorums(); if (!enough) {"},
		{Name: "negation", Class: "quorum.Leader", Method: "waitForNewLeaderAck", Line: "if (zxid != currentZxid) {", Becomes: "if (!(zxid == currentZxid)) {"},
		{Name: "log", Class: "quorum.QuorumPeer", Method: "setCurrentEpoch", Line: "writeLongToFile(CURRENT_EPOCH_FILENAME, e);", Becomes: `LOG.debug("epoch {}", e); writeLongToFile(CURRENT_EPOCH_FILENAME, e);`},
		{Name: "log of the time", Class: "quorum.QuorumPeer", Method: "setCurrentEpoch", Line: "writeLongToFile(CURRENT_EPOCH_FILENAME, e);", Becomes: `LOG.debug("at {}", System.nanoTime()); writeLongToFile(CURRENT_EPOCH_FILENAME, e);`},
		{Name: "name", Class: "quorum.FollowerZooKeeperServer", Method: "logRequest", Line: "request.setTxnDigest(digest);", Becomes: "final Request logged = request; logged.setTxnDigest(digest);"},
	} {
		t.Run(m.Name, func(t *testing.T) {
			name, before, after, err := b.Sides(m)
			if err != nil {
				t.Fatal(err)
			}
			doc, code, text := changed(t, "../../configs/zab/changes/zookeeper.hcl", javaDiff(t, name, before, after))
			if code != verdicts.ExitOK || doc.Change == nil || doc.Change.Observed != nil || len(doc.Change.Touched) > 0 {
				t.Errorf("exit code %d\n%s", code, text)
			}
		})
	}
}

// TestChangeJavaHarmless: changes that keep the behaviour behave as the specification, once walks
// have taken all actions. No place that they write is named. They call what may fail or wait, as
// far as the analysis knows, so they need walks.
func TestChangeJavaHarmless(t *testing.T) {
	b := builderOf(t)
	for _, m := range []mutants.Mutant{
		{Name: "variable", Class: "quorum.Leader", Method: "tryToCommit", Line: "if (!p.hasAllQuorums()) {", Becomes: `outstandingProposals.size(); boolean enough = p.hasAllQuorums(); if (!enough) {`},
		{Name: "computation", Class: "quorum.QuorumPeer", Method: "setCurrentEpoch", Line: "writeLongToFile(CURRENT_EPOCH_FILENAME, e);", Becomes: `Long.toString(e).isEmpty(); writeLongToFile(CURRENT_EPOCH_FILENAME, e);`},
	} {
		t.Run(m.Name, func(t *testing.T) {
			name, before, after, err := b.Sides(m)
			if err != nil {
				t.Fatal(err)
			}
			doc, code, text := changed(t, "../../configs/zab/changes/zookeeper.hcl", javaDiff(t, name, before, after), "-budget", *harmlessBudget)
			if doc.Change == nil || doc.Change.Observed == nil {
				t.Fatalf("exit code %d: not run\n%s", code, text)
			}
			t.Log(summary(doc, code))
			if o := doc.Change.Observed; code != verdicts.ExitOK && code != verdicts.ExitUndecided || len(o.Found)+len(o.Broken) > 0 {
				t.Errorf("exit code %d", code)
			}
			o := doc.Change.Observed
			if slices.ContainsFunc(o.Written, func(w result.Written) bool { return !w.Observed }) || strings.Contains(o.Reason, "not observe") {
				t.Errorf("it names what the change writes: %s", o.Reason)
			}
			// Load can keep a step from its end, or make a difference that does not show again.
			load := strings.Contains(o.Reason, "driven") || strings.Contains(o.Reason, "did not show again")
			if code != verdicts.ExitOK && len(o.Unfired) == 0 && o.Walks >= 10 && !load {
				t.Errorf("walks took all actions, and it is undecided: %s", o.Reason)
			}
			ran := false
			for k := range doc.Change.Observed.Places {
				ran = ran || doc.Change.Observed.Places[k].True
			}
			if !ran {
				t.Error("no changed line ran")
			}
		})
	}
}

// TestChangeJavaReplays: a mutant that commits without a quorum breaks an invariant on states of
// servers. Its traces are done again on the same classes, with the same exit codes. If the classes
// are not those that were run, the message says so.
func TestChangeJavaReplays(t *testing.T) {
	b := builderOf(t)
	all, err := mutants.All()
	if err != nil {
		t.Fatal(err)
	}
	m := all[slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == "commit-without-quorum" })]
	name, before, after, err := b.Sides(m)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("MULTIGRAIN_CACHE") == "" {
		t.Setenv("MULTIGRAIN_CACHE", t.TempDir())
	}
	doc, code, text := changed(t, "../../configs/zab/changes/zookeeper.hcl", javaDiff(t, name, before, after))
	o := doc.Change.Observed
	if code != verdicts.ExitSafety || o == nil || len(o.Broken) == 0 || len(o.Found) == 0 {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	replayed := func(trace string) (string, int) {
		var out bytes.Buffer
		a := &command.App{Verbs: verbs(), In: strings.NewReader(""), Out: &out, Err: &out, Environ: os.Environ()}
		code := a.Run([]string{"replay", trace, "-quiet", "-to", t.TempDir()})
		return out.String(), code
	}
	for trace, want := range map[string]int{o.Broken[0].Trace: verdicts.ExitSafety, o.Found[0].Trace: verdicts.ExitMismatch} {
		if out, code := replayed(trace); code != want || !strings.Contains(out, "with change "+o.Hash) {
			t.Errorf("replay of %s: exit code %d, want %d\n%s", trace, code, want, out)
		}
	}
	bad, err := os.ReadFile(o.Found[0].Trace)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.itf.json")
	if err := os.WriteFile(other, regexp.MustCompile(`"content":"\w+"`).ReplaceAll(bad, []byte(`"content":"00"`)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, code := replayed(other); code == verdicts.ExitMismatch || !strings.Contains(out, "MG584") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
