package tap_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// TestBatches checks clusters whose appends carry several entries: MaxSizePerMsg above 0. Logs and
// messages are folded during the run, and the check continues from a snapshot. An entry that is
// changed in an append is an alarm.
func TestBatches(t *testing.T) {
	o := taptest.Options{Nodes: 3, Drop: 0.02, Propose: 0.4, Crash: 0.001, Cut: 0.002, Tick: 0.5, AtStep: true, Calm: true, PreVote: true, Quorum: true,
		Transfer: 0.005, Read: 0.005, Change: 0.005, Joint: true, Stays: true, Applies: true, Steps: true}
	for _, c := range []struct {
		name string
		vars []string
		slow bool
		with func(o *taptest.Options)
	}{
		{"a few entries", nil, false, func(o *taptest.Options) { o.Seed, o.Size, o.Inflight, o.Messages, o.Change = 1, 60, 8, 20_000, 0 }},
		{"any number, two at once", []string{"inflight=2"}, true, func(o *taptest.Options) { o.Seed, o.Size, o.Inflight, o.Messages = 2, 1<<40, 2, 10_000 }},
		{"as etcd's servers", []string{"inflight=512"}, true, func(o *taptest.Options) { o.Seed, o.Size, o.Inflight, o.Messages = 3, 512<<10, 512, 10_000 }},
		{"five nodes", []string{"servers=5"}, true, func(o *taptest.Options) { o.Nodes, o.Seed, o.Size, o.Inflight, o.Messages = 5, 4, 100, 8, 20_000 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && !slow(t) {
				t.Skip("its program takes long to build; set MULTIGRAIN_SLOW=1")
			}
			o := o
			c.with(&o)
			x := assemble(t, "monitor-etcd.hcl", append(c.vars, "batch=2")...)
			cluster := taptest.New(o)
			if p := cluster.Run(); p != nil {
				t.Fatalf("the library panicked: %v", p)
			}
			history := 0
			if o.Change == 0 { // else a server may lack much
				history = 300
			}
			for i, stream := range cluster.Streams {
				batches(t, x, i, stream, history)
			}
		})
	}
}

var (
	sentBatch  = regexp.MustCompile(`(?m)^{"event":"out".*"More":`)
	laterValue = regexp.MustCompile(`(?m)^({"event":"out".*"More":\[\[.*"Value":[0-9]*)[0-9]}`)
)

func batches(t *testing.T, x *monitor, i int, stream []byte, history int) {
	o := wire.Monitor{Total: true, Steps: true, History: history}
	r := x.check(t, i, stream, o)
	if n := len(sentBatch.FindAll(stream, -1)); r.verdict != "holds" || r.stats.Decided != r.stats.Out || n == 0 {
		t.Errorf("node %d: %s (%s), %d of %d decided, %d batches sent\n%s", i, r.verdict, r.reason, r.stats.Decided, r.stats.Out, n, shown(r.alarm))
	}
	t.Logf("node %d: %d out, %.2f states, %.1f explored, %d entries", i, r.stats.Out, float64(r.stats.SumStates)/float64(r.stats.Out),
		float64(r.stats.Explored)/float64(r.stats.Out), r.stats.Entries)

	dir := t.TempDir()
	file := filepath.Join(dir, "stream")
	o.Snapshot = filepath.Join(dir, "state")
	// Where a file ends before the stream does, how much the next message carries can be guessed
	// wrong: undecided, and no alarm.
	for _, end := range []int{len(stream) / 3, 2 * len(stream) / 3, len(stream)} {
		if err := os.WriteFile(file, stream[:end], 0o644); err != nil {
			t.Fatal(err)
		}
		again := x.checkFile(t, i, file, o)
		if end == len(stream) && !strings.Contains(again.reason, "the stream rested") &&
			(again.verdict != r.verdict || again.stats.Decided != r.stats.Decided) {
			t.Errorf("node %d, from a snapshot: %s (%s), %d of %d decided\n%s", i, again.verdict, again.reason, again.stats.Decided, again.stats.Out,
				shown(again.alarm))
		}
	}

	places := laterValue.FindAllSubmatchIndex(stream, -1)
	if len(places) == 0 {
		t.Fatalf("node %d: no command in a batch", i)
	}
	at := places[len(places)/2][3]
	wrong := bytes.Clone(stream)
	if wrong[at]++; wrong[at] > '9' {
		wrong[at] = '0'
	}
	o.Snapshot = ""
	if r := x.check(t, i, wrong, o); r.verdict != "violated" {
		t.Errorf("node %d: a command of a batch is another one, and the result is %s", i, r.verdict)
	}
}
