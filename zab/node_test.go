package zab

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// TestLocals tests that local effects stand for actions of the catalog and that no grain has the
// local actions. It also tests that the steps which a server takes by itself are in a grain of the
// environment, which nothing else lets run.
func TestLocals(t *testing.T) {
	t.Parallel()
	var chosen, faults []string
	for k := range System.Grains {
		for _, a := range System.Grains[k].Actions {
			chosen = append(chosen, modules.NameOf(a))
			if slices.Contains(System.Grains[k].Covers, "faults") {
				faults = append(faults, modules.NameOf(a))
			}
		}
	}
	var seen []string
	for _, l := range Runtime.Locals {
		if of := modules.NameOf(l.Of); !slices.Contains(chosen, of) {
			t.Errorf("no grain has %s", of)
		} else if slices.Contains(seen, of) {
			t.Errorf("%s has two local effects", of)
		} else {
			seen = append(seen, of)
		}
		for _, a := range l.Actions {
			if name := modules.NameOf(a); slices.Contains(chosen, name) {
				t.Errorf("a grain has %s", name)
			}
		}
	}
	for _, a := range Runtime.Own {
		if name := modules.NameOf(a); !slices.Contains(faults, name) {
			t.Errorf("no grain of faults has %s", name)
		}
	}
}

// TestSyncModeOfNode compares the choice of a leader with LearnerHandler.syncFollower of 3.8.0,
// read by hand.
func TestSyncModeOfNode(t *testing.T) {
	t.Parallel()
	z := func(epoch, counter Number) Zxid { return Zxid{epoch, counter} }
	for _, c := range []struct {
		name      string
		history   []Zxid
		committed Number
		peer      Zxid
		mode      Kind
		seen      int
	}{
		{"nothing on both sides", nil, 0, z(0, 0), DIFF, 0},
		{"the same last transaction", []Zxid{z(1, 1), z(1, 2)}, 2, z(1, 2), DIFF, 2},
		{"one behind", []Zxid{z(1, 1), z(1, 2)}, 2, z(1, 1), DIFF, 1},
		{"one ahead, of the same epoch", []Zxid{z(1, 1)}, 1, z(1, 2), TRUNC, 1},
		{"one ahead, of a later epoch", []Zxid{z(1, 1)}, 1, z(2, 1), TRUNC, 1},
		{"the start of a later epoch", []Zxid{z(1, 1)}, 1, z(2, 0), SNAP, 1},
		{"a fresh learner", []Zxid{z(1, 1), z(1, 2)}, 2, z(0, 0), SNAP, 2},
		{"a lost transaction of the epoch before", []Zxid{z(1, 1), z(2, 1)}, 2, z(1, 2), SNAP, 2},
		{"the start of an epoch in between", []Zxid{z(1, 1), z(3, 1)}, 2, z(2, 0), DIFF, 1},
		{"committed behind what is proposed", []Zxid{z(1, 1), z(1, 2)}, 1, z(1, 1), DIFF, 1},
	} {
		var s State
		for k, x := range c.history {
			if k < MaxHistory {
				s.History[0].Append(Txn{Zxid: x})
			}
		}
		s.State[0], s.ZabState[0] = LEADING, BROADCAST
		s.LastCommitted[0], s.LastProcessed[0] = c.committed, c.committed
		if mode, seen := s.syncModeOfNode(0, c.peer, 0, c.mode == SNAP); mode != c.mode || seen != c.seen {
			t.Errorf("%s: mode %d behind %d transactions, want %d behind %d", c.name, mode, seen, c.mode, c.seen)
		}
	}
}
