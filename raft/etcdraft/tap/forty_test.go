package tap_test

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// TestForty runs forty clusters of three and five nodes with all that servers use. Nodes are new,
// start from a snapshot alone or have state before the tap is added. They restart from the last
// applied entry or from snapshots, and send appends of one or of several entries. No message is an
// alarm or undecided, and no restart is unexplained.
func TestForty(t *testing.T) {
	if !slow(t) {
		t.Skip("it runs forty clusters with six programs; set MULTIGRAIN_SLOW=1")
	}
	for seed := range uint64(40) {
		t.Run(fmt.Sprintf("seed %02d", seed), func(t *testing.T) {
			o, vars := featured(seed)
			healthy(t, assemble(t, "monitor-etcd.hcl", append(variables(o.Nodes), vars...)...), o)
		})
	}
}

// featured returns the options of a cluster with all features, and the variables of its manifest.
func featured(seed uint64) (o taptest.Options, vars []string) {
	o = compacting(3+2*int(seed%2), seed)
	o.Known, o.Self, o.SlowApply, o.Torn = true, true, 0.05*float64(seed/2%2), 0.0005
	o.Calm = o.Nodes == 5
	switch seed / 2 % 5 {
	case 1:
		o.Bootstrap = true
	case 2:
		o.Before = 1000
	case 3:
		o.FromSnapshot, o.Change, o.Crash = true, 0.005, 0.01
		return o, []string{"restart_from=snapshot"}
	case 4:
		o.Size, o.Inflight = 64, 512
		return o, []string{"inflight=512", "batch=2"}
	}
	return o, nil
}
