package tap

import (
	"testing"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// TestGather: events do not wait for others where they would fill the buffer, or where the tap is
// closed.
func TestGather(t *testing.T) {
	t.Parallel()
	to := make(chan []byte, 100)
	x := New(Channel(to), Options{Buffer: 4000})
	x.gather = time.Hour // not read before the first event
	m := &pb.Message{Type: pb.MsgHeartbeat.Enum(), From: proto.Uint64(1), To: proto.Uint64(2), Term: proto.Uint64(3)}
	for range 10 {
		for range 40 { // more than a quarter
			x.Send(m)
		}
		<-to
	}
	x.Send(m)
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// TestAfterLoss writes the first event after a loss although no other event follows and the writer
// was idle.
func TestAfterLoss(t *testing.T) {
	t.Parallel()
	to := make(chan []byte)
	x := New(Channel(to), Options{Buffer: 200})
	m := &pb.Message{Type: pb.MsgHeartbeat.Enum(), From: proto.Uint64(1), To: proto.Uint64(2), Term: proto.Uint64(3)}
	var sent int64
	for x.Lost() == 0 { // nobody reads
		x.Send(m)
		sent++
	}
	for x.Written() < sent-x.Lost() {
		select {
		case <-to:
		case <-time.After(time.Millisecond):
		}
	}
	time.Sleep(10 * time.Millisecond) // the writer waits for an event, as a rule
	x.Send(m)
	select {
	case <-to:
	case <-time.After(10 * time.Second):
		t.Fatal("the event after a loss is not written")
	}
	go func() {
		for range to {
		}
	}()
	if err := x.Close(); err == nil {
		t.Error("Close reports no loss")
	}
}
