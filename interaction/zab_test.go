package interaction

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab"
)

const zabDir = "../zab"

func loadZab(t *testing.T, edits ...string) *Program {
	t.Helper()
	p, findings, err := Load(Config{Dir: "..", Package: "./zab", Overlay: overlay(t, zabDir, edits)})
	if err != nil || len(findings) > 0 {
		t.Fatal(findings, err)
	}
	if _, findings := p.Catalog(); len(findings) > 0 {
		t.Fatal(findings)
	}
	return p
}

const mspec1 = "election/coarse synchronization/baseline broadcast/baseline faults/crash-partition"

// TestZab: the coarse Election and Discovery of figure 5b passes L0 for Synchronization and
// Broadcast. It drops what the paper's coarse grain drops: votes, notifications and the messages of
// Discovery.
func TestZab(t *testing.T) {
	t.Parallel()
	rep := analyze(t, loadZab(t), choice(mspec1, "*"), "synchronization", "broadcast")
	if rep.Verdict != Preserved {
		t.Errorf("got %s: %v", rep.Verdict, rep.Findings)
	}
	g := rep.Grains[0]
	for _, v := range []string{"ReceiveVotes", "LogicalClock", "ElectionMsgs#NOTIFICATION", "Msgs#FOLLOWERINFO", "Msgs#LEADERINFO", "Msgs#ACKEPOCH"} {
		if !slices.Contains(g.Drops, v) {
			t.Errorf("%s is not dropped: %+v", v, rep.Variable(v))
		}
	}
	for _, v := range []string{"State", "ZabState", "AcceptedEpoch", "CurrentEpoch", "InitialHistory", "Learners", "LeaderAddr", "EpochLeader"} {
		if !slices.Contains(g.Keeps, v) {
			t.Errorf("%s is not kept", v)
		}
	}
}

// TestWrongZab: copies of the coarse action with one mistake each are refused.
func TestWrongZab(t *testing.T) {
	t.Parallel()
	const file = "election_discovery_coarse.go"
	for _, c := range []struct {
		name, edit string
		kind       Kind
		variable   string
		mark       string
	}{
		{"forgets an interaction variable", "n.Learners[p.I] = p.S => _ = p.S", LostUpdate, "Learners", "var ElectionAndDiscovery"},
		{"invents an update", "n.Learners[p.I] = p.S => n.Learners[p.I] = p.S; n.LastCommitted[p.I] = 0", InventedUpdate, "LastCommitted", "n.Learners[p.I] = p.S"},
		{"reads a dropped variable", "n.Learners[p.I] = p.S => if s.LogicalClock[p.I] > 0 { n.Learners[p.I] = p.S }", StaleRead, "LogicalClock", "n.Learners[p.I] = p.S"},
		{"forgets what only an invariant reads", "n.EpochLeader[epoch-1].Add(i) => _ = i", LostForInvariant, "EpochLeader", "var ElectionAndDiscovery"},
		{"assigns what the baseline never assigns", "n.ZabState[k] = SYNCHRONIZATION => n.ZabState[k] = BROADCAST", WrongConstant, "ZabState", "n.ZabState[k] = SYNCHRONIZATION"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rep := analyze(t, loadZab(t, file+": "+c.edit), choice(mspec1, "*"), "synchronization", "broadcast")
			line := lineOf(t, zabDir, file, c.mark)
			if rep.Verdict != Broken || !slices.ContainsFunc(rep.Findings, func(f Finding) bool {
				return f.Kind == c.kind && f.Variable == c.variable && f.Line == line && f.Severity == Error
			}) {
				t.Errorf("got %s, want %s of %s in line %d: %v", rep.Verdict, c.kind, c.variable, line, rep.Findings)
			}
		})
	}
}

// TestForgottenCall: a coarse action that leaves out a call of a function loses updates of kept
// variables and of others. That other steps read the others is the same fault, so it is one error.
func TestForgottenCall(t *testing.T) {
	t.Parallel()
	const election = "election/coarse-election discovery/baseline synchronization/baseline broadcast/baseline faults/crash-partition"
	for _, c := range []struct{ edit, mark, others string }{
		{"n.turnToLeading(p.I) => _ = n", "var ElectLeader", "Forwarding"},
		{"n.turnToFollowing(p.J) => _ = n", "var FollowElected", "PacketsSync.Committed"},
	} {
		t.Run(c.mark, func(t *testing.T) {
			t.Parallel()
			rep := analyze(t, loadZab(t, "election_coarse.go: "+c.edit), choice(election, "*"), "discovery")
			var errors []Finding
			for _, f := range rep.Findings {
				if f.Severity == Error {
					errors = append(errors, f)
				}
			}
			if len(errors) != 1 {
				t.Fatalf("got %d errors: %v", len(errors), errors)
			}
			f := errors[0]
			if f.Kind != LostUpdate || f.Line != lineOf(t, zabDir, "election_coarse.go", c.mark) {
				t.Errorf("got %s in line %d: %v", f.Kind, f.Line, f)
			}
			if !slices.ContainsFunc(f.Related, func(r Related) bool { return strings.Contains(r.Message, c.others) }) {
				t.Errorf("nothing about %s: %v", c.others, f.Related)
			}
		})
	}
}

// TestDynamicZab cross-checks the footprints of the whole specification.
func TestDynamicZab(t *testing.T) {
	t.Parallel()
	p := loadZab(t)
	cat, _ := p.Catalog()
	for _, refs := range []string{
		"election/baseline discovery/baseline synchronization/baseline broadcast/baseline faults/crash-partition",
		mspec1,
	} {
		x := newCheck(t, p, &zab.System, choice(refs, "*"))
		x.sample(8, 60)
		x.run(40, kinds(cat.Enums))
		for _, s := range x.failures {
			t.Errorf("%s: %s", refs, s)
		}
		t.Logf("%d states, %d steps, %d changes", len(x.states), x.fired, x.perturbed)
	}
}

// BenchmarkLoad loads the whole specification and reads its catalog.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		p, findings, err := Load(Config{Dir: "..", Package: "./zab"})
		if err != nil || len(findings) > 0 {
			b.Fatal(findings, err)
		}
		p.Catalog()
	}
}

// BenchmarkAnalyze computes all footprints of a composition and the report, without loading.
func BenchmarkAnalyze(b *testing.B) {
	p, findings, err := Load(Config{Dir: "..", Package: "./zab"})
	if err != nil || len(findings) > 0 {
		b.Fatal(findings, err)
	}
	for b.Loop() {
		p.prints = nil
		if rep, _ := p.Analyze(choice(mspec1, "*"), []string{"synchronization", "broadcast"}); rep.Verdict != Preserved {
			b.Fatal(rep.Findings)
		}
	}
	b.ReportMetric(float64(p.prints.steps), "instructions")
}
