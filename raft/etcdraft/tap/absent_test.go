package tap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// TestAbsentKinds leaves a kind of messages or an input out of healthy streams, and states that in
// a header: nothing that depends on it is an alarm. A header that leaves nothing out changes no
// verdict.
func TestAbsentKinds(t *testing.T) {
	plain := taptest.Options{Nodes: 3, Seed: 4, Messages: 300, Drop: 0.02, Propose: 0.4, Crash: 0.004, Cut: 0.02, Tick: 0.7, AtStep: true, Inflight: 8}
	all := compacting(3, 20)
	all.Messages, all.SlowApply = 600, 0.05
	for _, c := range []struct {
		manifest string
		o        taptest.Options
		vars     []string
		nodes    int // whose streams are checked
	}{
		{"monitor.hcl", plain, nil, 1},
		{"monitor-etcd.hcl", all, variables(3), 3},
	} {
		t.Run(c.manifest, func(t *testing.T) {
			if c.manifest != "monitor.hcl" && !slow(t) {
				t.Skip("its program takes long to build; set MULTIGRAIN_SLOW=1")
			}
			x := assemble(t, c.manifest, c.vars...)
			cluster := taptest.New(c.o)
			if p := cluster.Run(); p != nil {
				t.Fatalf("the library panicked: %v", p)
			}
			var header struct{ Kinds, Inputs []string }
			if err := json.Unmarshal(tap.AppendHeader(nil, tap.Options{Snapshots: true}), &header); err != nil {
				t.Fatal(err)
			}
			o := wire.Monitor{Total: true, Steps: c.o.Steps, Budget: 2000}
			undecided := 0
			for i, stream := range cluster.Streams[:c.nodes] {
				before := x.check(t, i, stream, o)
				for _, left := range slices.Concat([]string{""}, header.Kinds, header.Inputs) {
					r := x.check(t, i, without(stream, header.Kinds, header.Inputs, left), o)
					if r.verdict == "violated" || left == "" && (r.verdict != before.verdict || r.stats.Decided != before.stats.Decided) {
						t.Errorf("node %d without %q: %s (%s)\n%s", i, left, r.verdict, r.reason, shown(r.alarm))
					}
					if left != "" && r.verdict == "undecided" {
						undecided++
					}
				}
			}
			if undecided == 0 {
				t.Error("each stream without a kind is explained")
			}
		})
	}
}

// without returns a stream without the events of a kind or an input, and with a header that has all
// others.
func without(stream []byte, kinds, inputs []string, left string) []byte {
	list := func(names []string) []byte {
		b, _ := json.Marshal(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == left }))
		return b
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"event\":\"header\",\"kinds\":%s,\"inputs\":%s}\n", list(kinds), list(inputs))
	for l := range bytes.Lines(stream) {
		if left == "" || !bytes.Contains(l, fmt.Appendf(nil, `"Kind":%q`, left)) && !bytes.Contains(l, fmt.Appendf(nil, `"action":%q`, left)) {
			out.Write(l)
		}
	}
	return out.Bytes()
}
