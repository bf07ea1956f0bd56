package configs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// consequences are the invariants that mistakes of Raft violate, with the least bounds at which
// their consequence can happen. It is two leaders, a server that ends, a stale read, or a committed
// entry that a later leader lacks. MonotonicMatch and NextAboveMatch are broken by entries that are
// sent again, AnsweredVotes and Panic by what a client or an operator sees.
var consequences = []struct {
	invariants []string
	least      map[string]int
}{
	{[]string{"AnsweredVotes", "Panic.commit", "Panic.next", "MonotonicMatch", "NextAboveMatch"}, nil},
	{[]string{"ElectionSafety", "VoteForSelf"}, map[string]int{"timeouts": 2}},
	{[]string{"CommitInLog"}, map[string]int{"requests": 1}},
	{[]string{"LeaderCompleteness"}, map[string]int{"timeouts": 2, "terms": 2}},
	{[]string{"Linearizability"}, map[string]int{"timeouts": 2, "requests": 1, "reads": 1}},
	{[]string{"AppliedCommitted"}, map[string]int{"timeouts": 2, "terms": 2, "changes": 1}},
	{[]string{"OneChange"}, map[string]int{"timeouts": 2, "terms": 2, "changes": 2, "requests": 1}},
	{[]string{"CommittedOnMajority"}, map[string]int{"timeouts": 2, "terms": 2, "requests": 1}},
}

// TestConsequences: the bounds of a manifest with a mistake of Raft let its consequence happen.
func TestConsequences(t *testing.T) {
	paths, err := filepath.Glob("raft/mistakes/*.hcl")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d manifests (%v)", len(paths), err)
	}
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), "ccf-") { // another system has other bounds
			continue
		}
		m, diags := Load(path, Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		found := m.Expect.Invariant.Value
		for _, c := range consequences {
			if !slices.Contains(c.invariants, found) {
				continue
			}
			found = ""
			for bound, least := range c.least {
				x, _ := m.Bounds.Get(bound)
				if n, _ := x.Int(); n < least {
					t.Errorf("%s: the consequence of %s needs %s = %d, and the bound is %d", path, m.Expect.Invariant.Value, bound, least, n)
				}
			}
		}
		if found != "" {
			t.Errorf("%s: say in consequences what %s leads to", path, found)
		}
	}
}
