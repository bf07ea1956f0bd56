package compose

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// losses are the kinds of findings that compare coarse actions with mergings.
var losses = []interaction.Kind{
	interaction.LostSource, interaction.OtherElement, interaction.LostReceive, interaction.ForeignRead, interaction.LostUpdate,
	interaction.UndecidedUpdate,
}

// broken are shipped manifests whose coarse grains level L0 refuses, on purpose.
var broken = []string{"../configs/raft/monitor-coarse-election.hcl"}

// warned are the warnings that level L2 has to settle, by grain and variable. Results of these
// manifests show them. Fixes that hold are compared at L2, and docs/results/holds.md lists the
// manifests that rest on L0.
var warned = map[string]string{
	"election/coarse History":         "with disks apart: LeaderProcessACKEPOCH takes it from Disks",
	"election/coarse-join History":    "with disks apart: LeaderProcessACKEPOCH takes it from Disks",
	"election/coarse-join Forwarding": "JoinLeader, which property I-17 reads",
	// LeaderProcessACKEPOCH updates them where the quorum is complete, to which a server of
	// JoinLeader does not belong.
	"election/coarse-join EpochLeader":  "JoinLeader, which property I-1 reads",
	"election/coarse-join EpochHistory": "JoinLeader, which property I-8 reads",
}

// TestShippedGrains examines the coarse grains of all shipped manifests at level L0. None is
// refused, and none gets another warning than those in warned. Without MULTIGRAIN_SLOW only the
// example is examined.
func TestShippedGrains(t *testing.T) {
	t.Parallel()
	examined := map[string]bool{}
	err := filepath.WalkDir("../configs", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".hcl" || strings.Contains(path, "testdata") || strings.Contains(path, "/parts/") || slices.Contains(broken, path) {
			return err
		}
		if os.Getenv("MULTIGRAIN_SLOW") == "" && !strings.Contains(path, "examples/") {
			return nil
		}
		shippedGrain(t, path, examined)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(examined) < 3 || os.Getenv("MULTIGRAIN_SLOW") != "" && len(examined) < 15 {
		t.Errorf("only %d compositions were examined", len(examined))
	}
}

// shippedGrain examines one manifest, unless the same grains with the same targets were examined.
func shippedGrain(t *testing.T, path string, examined map[string]bool) {
	t.Helper()
	m, diags := configs.Load(path, configs.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	c, diags := Resolve(m, testEnv(t))
	if diags.HasErrors() {
		t.Errorf("%s: %v", path, diags)
		return
	}
	key := m.System.Name
	coarse := false
	for _, g := range c.Chosen() {
		key += " " + g.Covers[0] + "/" + g.Name
		coarse = coarse || g.Coarsens
	}
	if key += " for " + strings.Join(c.Targets(), " "); !coarse || examined[key] {
		return
	}
	examined[key] = true
	rep, diags := c.Interaction()
	if rep == nil {
		t.Errorf("%s: %v", path, diags)
		return
	}
	for _, f := range rep.Findings {
		if f.Severity == interaction.Warning && warned[f.Grain+" "+f.Variable] != "" {
			continue
		}
		if f.Severity == interaction.Error || f.Severity == interaction.Warning && slices.Contains(losses, f.Kind) {
			t.Errorf("%s: %s", path, f.Error())
		}
	}
}
