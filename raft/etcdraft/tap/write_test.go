package tap_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// failing is a sink. Each write with a number divisible by every fails after some bytes. Field all
// holds the bytes that succeeded.
type failing struct {
	mu     sync.Mutex
	all    bytes.Buffer
	writes int
	every  int
	after  int
}

var errFull = errors.New("the disk is full")

func (f *failing) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.writes++; f.writes%f.every != 0 || f.after >= len(b) {
		return f.all.Write(b)
	}
	f.all.Write(b[:f.after])
	return f.after, errFull
}

func (f *failing) Close() error { return nil }

// TestSameUnit loses events in a tap: its sink fails within lines, and its buffer is full. Tap and
// monitor count the same number of events and of lost ones.
func TestSameUnit(t *testing.T) {
	x := assemble(t, "monitor.hcl")
	for after := 0; after < 200; after += 7 {
		sink := &failing{every: 3, after: after}
		full := tap.New(func() (io.WriteCloser, error) { return sink, nil }, tap.Options{Buffer: 1500})
		m := &pb.Message{Type: pb.MsgHeartbeat.Enum(), From: new(uint64(2)), To: new(uint64(1)), Term: new(uint64(3))}
		r := &pb.Message{Type: pb.MsgHeartbeatResp.Enum(), From: new(uint64(1)), To: new(uint64(2)), Term: new(uint64(3))}
		for k := range 300 {
			full.Receive(m)
			full.Send(r)
			if k%50 == 10 { // several events at once
				full.Advance(&raft.Ready{SoftState: &raft.SoftState{RaftState: raft.StateLeader}, HardState: &pb.HardState{Term: new(uint64(3))},
					Entries: []*pb.Entry{{Term: new(uint64(3))}, {Term: new(uint64(3))}, {Term: new(uint64(3))}}},
					raft.BasicStatus{HardState: &pb.HardState{Term: new(uint64(3))}, SoftState: raft.SoftState{RaftState: raft.StateLeader}})
			}
		}
		sink.mu.Lock()
		sink.every = 1 << 30 // the end is written
		sink.mu.Unlock()
		full.Close()
		got := x.check(t, 0, sink.all.Bytes(), wire.Monitor{Total: true})
		if got.stats.Lost != full.Lost() || got.stats.Events != full.Written() {
			t.Errorf("fails after %d bytes: the monitor counts %d events and %d lost, the tap %d and %d", after, got.stats.Events, got.stats.Lost,
				full.Written(), full.Lost())
		}
		if full.Lost() == 0 {
			t.Error(fmt.Sprint("nothing was lost, after ", after))
		}
	}
}
