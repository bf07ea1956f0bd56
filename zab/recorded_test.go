package zab_test

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/zab"
)

// ghostsOf returns the variables that Record writes, as a text.
func ghostsOf(s *zab.State) string {
	return fmt.Sprint(s.EpochLeader, s.EpochHistory, s.Established, s.ProposalMsgsLog, s.CommittedLog)
}

// TestRecord: an observer records the same as the specification's rules keep, at each step of
// random walks of compositions that servers can follow.
func TestRecord(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ election, discovery, synchronization, broadcast, faults string }{
		{"coarse", "", "follower-threads", "follower-threads", "crash-partition"},
		{"coarse", "", "baseline", "baseline", "crash-partition"},
		{"coarse", "", "follower-steps", "baseline", "crash-partition"},
		{"baseline", "baseline", "baseline", "baseline", "crash-partition"},
		{"coarse", "", "follower-threads", "follower-threads apply_before_log=true", "crash-partition"},
		{"coarse", "", "follower-threads", "leader-threads leader_threads=log", "crash-partition"},
		{"coarse", "", "leader-threads", "follower-threads", "crash-partition"},
	} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			refs := []grains.Ref{{Module: "election", Grain: x.election}, {Module: "synchronization", Grain: x.synchronization}, {Module: "broadcast", Grain: x.broadcast}, {Module: "faults", Grain: x.faults}}
			if x.discovery != "" {
				refs = append(refs, grains.Ref{Module: "discovery", Grain: x.discovery})
			}
			spec, err := grains.Compose(&zab.System, grains.Choice{Grains: refs, Budgets: map[string]int{"crashes": 2, "partitions": 2, "requests": 2, "epochs": 5, "fle_timeouts": 1}})
			if err != nil {
				t.Fatal(err)
			}
			bound, err := checker.Of[zab.State, [16]uint8](spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			walk, err := spectest.NewStepper(bound, map[string]float64{"NodeCrash": 0.2, "PartitionStart": 0.2})
			if err != nil {
				t.Fatal(err)
			}
			elected, committed := 0, 0
			for number := range int64(300) {
				rng := spectest.Source(1, number)
				walk.Start(rng)
				for step := range 80 {
					before := *walk.Node()
					k, err := walk.Step(rng)
					if err != nil || k < 0 {
						break
					}
					have := walk.Node().State
					have.EpochHistory[0].Clear() // the record must not depend on it
					var upTo [zab.Servers]zab.Zxid
					for i := range upTo {
						if n := have.LastCommitted[i]; n > 0 && have.State[i] == zab.LEADING {
							upTo[i] = have.History[i].At(int(n)).Zxid
						}
					}
					zab.Record(&before.State, &have, upTo)
					if got, want := ghostsOf(&have), ghostsOf(&walk.Node().State); got != want {
						t.Fatalf("walk %d, step %d, %s: recorded\n%s, and the specification has\n%s", number, step+1, bound.Actions[bound.Instances[k].Action].Name, got, want)
					}
					if have.EpochLeader != before.State.EpochLeader {
						elected++
					}
					if have.CommittedLog != before.State.CommittedLog {
						committed++
					}
				}
			}
			if elected < 100 || committed < 20 {
				t.Errorf("the walks have %d epochs and %d deliveries", elected, committed)
			}
		})
	}
}
