package change

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/interaction/change/internal/methods"
)

// zabTable returns the catalog of zab and the table of ZooKeeper 3.9.1.
func zabTable(t *testing.T) (*grains.Catalog, *Table) {
	t.Helper()
	zab, findings, err := interaction.Load(interaction.Config{Dir: "../../zab", Package: "."})
	if err != nil || interaction.HasErrors(findings) {
		t.Fatal(err, findings)
	}
	cat, findings := zab.Catalog()
	if interaction.HasErrors(findings) {
		t.Fatal(findings)
	}
	text, err := os.ReadFile("../../configs/zab/changes/zookeeper.tsv")
	if err != nil {
		t.Fatal(err)
	}
	table, err := ParseTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return cat, table.Of("3.9.1")
}

// TestZooKeeperLeads changes methods on which the protocol rests, and some that it does not rest
// on, and compares the modules that they lead to.
func TestZooKeeperLeads(t *testing.T) {
	t.Parallel()
	cat, table := zabTable(t)
	g, places := table.Graph(), NewPlaces(cat, nil)
	modelled := func(name string) bool { return places.of(name) != nil }
	for name, want := range map[string]string{
		"server.SyncRequestProcessor.flush":                    "broadcast faults",
		"server.persistence.FileTxnLog.commit":                 "broadcast faults synchronization",
		"server.persistence.FilePadding.padFile":               "broadcast faults synchronization",
		"server.quorum.QuorumPeer.setAcceptedEpoch":            "discovery",
		"server.quorum.QuorumPeer.setCurrentEpoch":             "discovery synchronization",
		"server.quorum.QuorumPeer.writeLongToFile":             "discovery faults synchronization",
		"common.AtomicFileWritingIdiom.AtomicFileWritingIdiom": "broadcast discovery election faults synchronization",
		"server.quorum.flexible.QuorumMaj.containsQuorum":      "broadcast discovery election synchronization",
		"server.quorum.SyncedLearnerTracker.hasAllQuorums":     "broadcast discovery election faults synchronization",
		"server.quorum.LearnerHandler.SyncLimitCheck.check":    "faults",
		"server.quorum.QuorumPeer.getTickTime":                 "discovery faults synchronization",
		"server.quorum.QuorumPeerConfig.parseProperties":       "",
		"server.persistence.TxnLogToolkit.dump":                "",
	} {
		var modules []string
		for _, path := range g.Follow([]string{"org.apache.zookeeper." + name}, modelled) {
			for _, r := range places.of(path[len(path)-1]).Grains {
				modules = append(modules, r.Module)
			}
		}
		slices.Sort(modules)
		if got := strings.Join(slices.Compact(modules), " "); got != want {
			t.Errorf("%s leads to %q, want %q", name, got, want)
		}
	}
}

// TestListOfUnmodelled compares the list in docs/how-to/change.md of the classes of server/quorum
// and server/persistence that lead to no module with the table.
func TestListOfUnmodelled(t *testing.T) {
	t.Parallel()
	cat, table := zabTable(t)
	g, places := table.Graph(), NewPlaces(cat, nil)
	leads := map[string]bool{}
	for _, name := range g.Names() {
		if p := methods.PackageOf(name); p == "org.apache.zookeeper.server.quorum" || p == "org.apache.zookeeper.server.persistence" {
			paths := g.Follow([]string{name}, func(name string) bool { return places.of(name) != nil })
			class := methods.Short(methods.ClassOf(name))
			leads[class] = leads[class] || len(paths) > 0
		}
	}
	text, err := os.ReadFile("../../docs/how-to/change.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "### What the grains do not model\n")
	words := strings.FieldsFunc(list, func(c rune) bool { return strings.ContainsRune(" \n,:*", c) })
	for class, does := range leads {
		listed := slices.ContainsFunc(words, func(w string) bool { return strings.TrimSuffix(w, ".") == class })
		if !does && !listed {
			t.Errorf("%s leads to no module, and docs/how-to/change.md does not list it", class)
		}
	}
	for _, class := range []string{"QuorumPeerMain", "QuorumStats", "TxnLogToolkit"} {
		if leads[class] {
			t.Errorf("%s leads to a module, and docs/how-to/change.md says that it does not", class)
		}
	}
}
