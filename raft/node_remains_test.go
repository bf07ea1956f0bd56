package raft

import (
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// TestRemains fails on a part that exists only for running next to a node and that Remains does not
// list with a reason.
func TestRemains(t *testing.T) {
	t.Parallel()
	inGrain := func(action string) bool {
		for k := range System.Grains {
			for _, a := range System.Grains[k].Actions {
				if modules.NameOf(a) == action {
					return true
				}
			}
		}
		return false
	}
	for _, x := range Runtime.Unlisted(inGrain) {
		t.Error(x)
	}
}
