package tap_test

import (
	"io"
	"testing"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// BenchmarkTap measures the cost of a tap for the thread of the node: an append with an entry of
// 100 bytes, and its answer.
func BenchmarkTap(b *testing.B) {
	t := tap.New(func() (io.WriteCloser, error) { return discard{io.Discard}, nil }, tap.Options{Buffer: 1 << 28})
	defer func() {
		if err := t.Close(); err != nil {
			b.Error(err) // a lost event costs less
		}
	}()
	out := &pb.Message{Type: pb.MsgApp.Enum(), From: proto.Uint64(1), To: proto.Uint64(2), Term: proto.Uint64(3), LogTerm: proto.Uint64(3), Index: proto.Uint64(100), Commit: proto.Uint64(99),
		Entries: []*pb.Entry{{Term: proto.Uint64(3), Index: proto.Uint64(101), Data: make([]byte, 112)}}}
	in := &pb.Message{Type: pb.MsgAppResp.Enum(), From: proto.Uint64(2), To: proto.Uint64(1), Term: proto.Uint64(3), Index: proto.Uint64(101)}
	b.Run("MsgApp", func(b *testing.B) {
		for b.Loop() {
			t.Send(out)
		}
	})
	b.Run("MsgAppResp", func(b *testing.B) {
		for b.Loop() {
			t.Receive(in)
		}
	})
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }
