package observes_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/effects"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/observes"
	"github.com/multigrain/multigrain/zab/zookeeper/mutants"
)

// compared are the variables that walks of mspec-3 compare.
var compared = []string{"State", "ElectionMsgs", "ZabState", "ServingState", "AcceptedEpoch", "CurrentEpoch", "History", "LastCommitted", "LastProcessed", "Learners", "Electing",
	"AckldRecv", "Forwarding", "AckSid", "LeaderAddr", "PacketsSync", "Msgs", "Status", "ClientRequest", "QueuedRequests", "LeftRequests", "PendingTxns", "CommittedRequests"}

// edit replaces a text of a class of package server by another one.
type edit struct{ name, class, old, new string }

// harmless are refactorings that keep all steps.
var harmless = []edit{
	{"temporary variable", "quorum/Leader", "        if (!p.hasAllQuorums()) {", "        boolean enough = p.hasAllQuorums();\n        if (!enough) {"},
	{"extracted method", "quorum/Leader", "            commit(zxid);\n            inform(p);\n", "            announce(p, zxid);\n"},
	{"its declaration", "quorum/Leader", "    static class ToBeAppliedRequestProcessor", "    private void announce(Proposal p, long zxid) {\n        commit(zxid);\n        inform(p);\n    }\n\n    static class ToBeAppliedRequestProcessor"},
	{"independent order", "quorum/Leader", "        outstandingProposals.remove(zxid);\n\n        if (p.request != null) {\n            toBeApplied.add(p);\n        }\n",
		"        if (p.request != null) {\n            toBeApplied.add(p);\n        }\n\n        outstandingProposals.remove(zxid);\n"},
	{"negation", "quorum/Leader", "            if (zxid != currentZxid) {", "            if (!(zxid == currentZxid)) {"},
	{"another name", "quorum/FollowerZooKeeperServer", "        Request request = new Request(hdr.getClientId(), hdr.getCxid(), hdr.getType(), hdr, txn, hdr.getZxid());\n        request.setTxnDigest(digest);\n        if ((request.zxid & 0xffffffffL) != 0) {\n            pendingTxns.add(request);\n        }\n        syncProcessor.processRequest(request);",
		"        Request logged = new Request(hdr.getClientId(), hdr.getCxid(), hdr.getType(), hdr, txn, hdr.getZxid());\n        logged.setTxnDigest(digest);\n        long counter = logged.zxid & 0xffffffffL;\n        if (counter != 0) {\n            pendingTxns.add(logged);\n        }\n        syncProcessor.processRequest(logged);"},
	{"log", "quorum/FollowerZooKeeperServer", "        commitProcessor.commit(request);", "        LOG.debug(\"committing 0x{}\", Long.toHexString(zxid));\n        commitProcessor.commit(request);"},
	{"log under a condition", "quorum/Learner", "                        packetsCommitted.add(qp.getZxid());\n                    }\n                    break;\n                case Leader.INFORM:", "                        if (LOG.isDebugEnabled()) {\n                            LOG.debug(\"committed {}\", qp.getZxid());\n                        }\n                        packetsCommitted.add(qp.getZxid());\n                    }\n                    break;\n                case Leader.INFORM:"},
	{"name of the opening packet", "quorum/Learner", "        long newEpoch = ZxidUtils.getEpochFromZxid(newLeaderZxid);", "        final long epochOfLeader = ZxidUtils.getEpochFromZxid(newLeaderZxid);\n        long newEpoch = epochOfLeader;"},
	{"setting that no server has", "quorum/QuorumPeerConfig", "                purgeInterval = Integer.parseInt(value);", "                purgeInterval = Integer.parseInt(value) + 1;"},
}

// telling are changes that outlive a call where the driver does not look, with the place.
var telling = []edit{
	{"Leader.leaderStartTime", "quorum/Leader", "        outstandingProposals.remove(zxid);\n\n        if (p.request", "        outstandingProposals.remove(zxid);\n        leaderStartTime = zxid;\n\n        if (p.request"},
	{"Leader.toBeApplied", "quorum/Leader", "            toBeApplied.add(p);\n        }\n", "            toBeApplied.add(p);\n            toBeApplied.add(p);\n        }\n"},
	{"ZKDatabase.committedLog", "ZKDatabase", "            committedLog.add(p);", "            committedLog.add(new Proposal());"},
	{"QuorumPeerConfig.syncLimit", "quorum/QuorumPeerConfig", "                syncLimit = Integer.parseInt(value);", "                syncLimit = Integer.parseInt(value) + 1;"},
	{"QuorumPeerConfig.dataLogDir", "quorum/QuorumPeerConfig", "                dataLogDir = vff.create(value);", "                dataLogDir = vff.create(value + \"x\");"},
}

// zookeeper makes classes of sources of a version.
type zookeeper struct {
	*mutants.Builder
	t *testing.T
}

func newZookeeper(t *testing.T, version string) *zookeeper {
	t.Helper()
	jars, err := control.Find(control.Places{}, version)
	if err != nil {
		t.Skip(err)
	}
	b, err := mutants.NewBuilder(jars)
	if err != nil {
		t.Skip(err)
	}
	return &zookeeper{b, t}
}

// source returns a source, and its name in the jar.
func (z *zookeeper) source(class string) (name, text string) {
	z.t.Helper()
	r, err := zip.OpenReader(z.Sources)
	if err != nil {
		z.t.Fatal(err)
	}
	defer r.Close()
	name = "org/apache/zookeeper/server/" + class + ".java"
	b, err := fs.ReadFile(r, name)
	if err != nil {
		z.t.Fatal(err)
	}
	return name, string(b)
}

// load compiles a side.
func (z *zookeeper) load(texts map[string]string) *effects.Program {
	z.t.Helper()
	dir := filepath.Join(z.t.TempDir(), "classes")
	if err := javac.Compile(z.t.Context(), slices.Concat(z.Jars.Path, z.Libraries), dir, texts); err != nil {
		z.t.Fatal(err)
	}
	p, err := effects.Load(observes.Of(compared), append([]string{dir}, observes.Own(z.Jars.Path)...)...)
	if err != nil {
		z.t.Fatal(err)
	}
	return p
}

// compare compiles both sides and compares them.
func (z *zookeeper) compare(before, after map[string]string) (*effects.Comparison, map[string][]int) {
	z.t.Helper()
	was, is := map[string][]int{}, map[string][]int{}
	for name := range after {
		was[name], is[name] = unlike(strings.Split(before[name], "\n"), strings.Split(after[name], "\n"))
	}
	return effects.Compare(z.load(before), z.load(after), effects.Changed{Lines: was}, effects.Changed{Lines: is}), is
}

// unlike returns the lines, from 1, that are not in a longest common subsequence.
func unlike(a, b []string) (x, y []int) {
	if len(a) == 0 || len(b) == 0 {
		for k := range a {
			x = append(x, k+1)
		}
		for k := range b {
			y = append(y, k+1)
		}
		return x, y
	}
	best := make([][]int32, len(a)+1)
	for k := range best {
		best[k] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if best[i][j] = max(best[i+1][j], best[i][j+1]); a[i] == b[j] {
				best[i][j] = best[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && best[i+1][j] >= best[i][j+1]:
			i++
			x = append(x, i)
		default:
			j++
			y = append(y, j)
		}
	}
	return x, y
}

// TestHarmless: refactorings of modelled code write nothing that differs.
func TestHarmless(t *testing.T) {
	z := newZookeeper(t, "3.9.1")
	before, after := map[string]string{}, map[string]string{}
	for _, e := range harmless {
		name, text := z.source(e.class)
		if before[name] == "" {
			before[name], after[name] = text, text
		}
		if strings.Count(after[name], e.old) != 1 {
			t.Fatalf("%s: its text is there %d times", e.name, strings.Count(after[name], e.old))
		}
		after[name] = strings.Replace(after[name], e.old, e.new, 1)
	}
	got, lines := z.compare(before, after)
	for _, w := range got.Writes {
		t.Errorf("%s:%d writes %s (observed: %t)", w.File, w.Number, w.Place, w.Observed)
	}
	n := 0
	for _, all := range lines {
		n += len(all)
	}
	if n < 20 || len(got.Same) < n-6 { // blank lines and closing brackets outside of methods
		t.Errorf("%d of %d changed lines are as before: %v of %v", len(got.Same), n, got.Same, lines)
	}
}

// TestTelling: what changed lines write where the driver does not look is named.
func TestTelling(t *testing.T) {
	z := newZookeeper(t, "3.9.1")
	for k, e := range telling {
		t.Run(e.name, func(t *testing.T) {
			if k%4 > 0 && os.Getenv("MULTIGRAIN_SLOW") == "" {
				t.Skip("one of four compares two versions of a class; set MULTIGRAIN_SLOW=1")
			}
			z.t = t
			name, text := z.source(e.class)
			if !strings.Contains(text, e.old) {
				t.Fatal("its text is not there")
			}
			got, _ := z.compare(map[string]string{name: text}, map[string]string{name: strings.Replace(text, e.old, e.new, 1)})
			if !slices.ContainsFunc(got.Writes, func(w effects.Write) bool { return !w.Observed && w.Place == e.name }) {
				t.Errorf("%v", got.Writes)
			}
		})
	}
}

// TestInert: files with refactorings of modelled code are known to do all as before. Those with
// exchanged steps are not, and neither are those with what the driver does not see.
func TestInert(t *testing.T) {
	z := newZookeeper(t, "3.9.1")
	before := map[string]string{}
	edited := func(all []edit) map[string]string {
		after := map[string]string{}
		for _, e := range all {
			name, text := z.source(e.class)
			if before[name] == "" {
				before[name] = text
			}
			if after[name] == "" {
				after[name] = text
			}
			if !strings.Contains(after[name], e.old) {
				t.Fatalf("%s: its text is not there", e.name)
			}
			after[name] = strings.Replace(after[name], e.old, e.new, 1)
		}
		return after
	}
	order := func(e edit) bool { return e.name == "independent order" }
	same := edited(slices.DeleteFunc(slices.Clone(harmless), order))
	exchanged := edited(slices.DeleteFunc(slices.Clone(harmless), func(e edit) bool { return !order(e) }))
	told := edited([]edit{telling[0], telling[2]})
	was := z.load(before)
	for _, c := range []struct {
		after map[string]string
		want  int
	}{{same, len(same)}, {exchanged, 0}, {told, 0}} {
		var changed []string
		for name := range c.after {
			changed = append(changed, name)
		}
		if got, _ := effects.Inert(was, z.load(c.after), changed); len(got) != c.want {
			t.Errorf("of %v %v are inert, not %d", changed, got, c.want)
		}
	}
}

// TestSent: what a notification says of the vote is observed where the election is compared, and
// the configuration in it is not.
func TestSent(t *testing.T) {
	z := newZookeeper(t, "3.9.1")
	const class = "quorum/FastLeaderElection"
	for _, e := range []struct {
		old, new, place string
		observed        bool
	}{
		{"                proposedLeader,\n                proposedZxid,\n                logicalclock.get(),\n                QuorumPeer.ServerState.LOOKING,", "                proposedLeader,\n                proposedZxid + 1,\n                logicalclock.get(),\n                QuorumPeer.ServerState.LOOKING,", "FastLeaderElection.ToSend.zxid", true},
		{"            this.configData = configData;", "            this.configData = new byte[3];", "FastLeaderElection.ToSend.configData", false},
	} {
		name, text := z.source(class)
		if !strings.Contains(text, e.old) {
			t.Fatalf("%q is not there", e.old)
		}
		got, _ := z.compare(map[string]string{name: text}, map[string]string{name: strings.Replace(text, e.old, e.new, 1)})
		if !slices.ContainsFunc(got.Writes, func(w effects.Write) bool { return w.Place == e.place && w.Observed == e.observed }) {
			t.Errorf("%q: %v", e.new, got.Writes)
		}
	}
}

// TestMistakes: the line of each mutant of ZooKeeper does something else than before, and none
// counts as code that the specification does not have.
func TestMistakes(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it compiles each mutant, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	z := newZookeeper(t, mutants.Version)
	all, err := mutants.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			z.t = t
			name, before, after, err := z.Sides(m)
			if err != nil {
				t.Fatal(err)
			}
			was, is := z.load(map[string]string{name: before}), z.load(map[string]string{name: after})
			gone, lines := unlike(strings.Split(before, "\n"), strings.Split(after, "\n"))
			got := effects.Compare(was, is, effects.Changed{Lines: map[string][]int{name: gone}}, effects.Changed{Lines: map[string][]int{name: lines}})
			if len(got.Writes) == 0 {
				t.Error("it writes nothing else")
			}
			if same, _ := effects.Inert(was, is, []string{name}); len(same) > 0 {
				t.Error("nothing can notice it")
			}
			t.Log(got.Writes)
		})
	}
}
