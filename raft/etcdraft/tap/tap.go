package tap

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// Options of a tap.
type Options struct {
	// Buffer is how many bytes of events may wait for being written. 0: 8 MiB.
	Buffer int
	// Times writes the time of each event.
	Times bool
	// Snapshots says that the application notes the snapshots and compactions of its storage:
	// Snapshot, Compact. Without it a snapshot that is sent or received counts as lost. The storage
	// always has a snapshot at hand: Storage.Snapshot never fails.
	Snapshots bool
	// Messages says that only messages are noted, as a tap at the network sees them, and no reads.
	// See Disconnect.
	Messages bool
	// Unnoted are the inputs that the application does not note, such as "Propose" or "AskRead":
	// actions of docs/reference/stream.md. The header of the stream leaves them out, and a monitor
	// raises no alarm about messages that may depend on them.
	Unnoted []string
}

// Sink opens what a tap writes to. It is called again after an error.
type Sink func() (io.WriteCloser, error)

// File returns a sink that appends to a file, and makes it if there is none. The sink fails where
// the file cannot be opened.
func File(path string) Sink {
	return func() (io.WriteCloser, error) { return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) }
}

// Unix returns a sink that connects to a socket on which a monitor listens.
func Unix(path string) Sink {
	return func() (io.WriteCloser, error) { return net.DialTimeout("unix", path, time.Second) }
}

// Channel returns a sink that sends lines, some at a time, to a channel, which must be read until
// the tap is closed. It closes the channel.
func Channel(to chan<- []byte) Sink {
	return func() (io.WriteCloser, error) { return channel(to), nil }
}

type channel chan<- []byte

func (c channel) Write(b []byte) (int, error) {
	c <- append([]byte(nil), b...)
	return len(b), nil
}

func (c channel) Close() error {
	close(c)
	return nil
}

// Tap writes the stream of one node. Its methods can be called from several goroutines; the order
// of the calls is that of the events.
type Tap struct {
	sink      Sink
	max       int
	times     bool
	snapshots bool
	header    []byte // a line

	mu      sync.Mutex
	buf     []byte // waits for being written
	dropped int64  // since the last event in buf
	cause   string // of the first of them, if it is not that there was no room
	lost    int64
	written int64 // events that the sink took
	own     Own
	closed  bool
	gather  time.Duration // see gather
	wake    chan struct{} // something waits
	hurry   chan struct{} // it should not wait any longer
	done    chan struct{}
}

// New starts a tap.
func New(to Sink, o Options) *Tap {
	t := &Tap{sink: to, max: o.Buffer, times: o.Times, snapshots: o.Snapshots, header: AppendHeader(nil, o), gather: gather,
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), done: make(chan struct{})}
	if t.max == 0 {
		t.max = 8 << 20
	}
	go t.write()
	return t
}

// Receive notes that the node is given m.
func (t *Tap) Receive(m *pb.Message) {
	t.message(m, AppendIn)
}

// Send notes that messages are handed to the transport. Messages of the node to itself and to its
// storage are passed over.
func (t *Tap) Send(ms ...*pb.Message) {
	for _, m := range ms {
		if m.GetTo() == m.GetFrom() || m.GetType() == pb.MsgStorageAppend || m.GetType() == pb.MsgStorageApply {
			continue
		}
		t.message(m, AppendOut)
	}
}

// ReceiveBy and SendBy note a message that comes by another stream than others of its kind, one of
// Arrivals of package raft. They are for a tap at the network.
func (t *Tap) ReceiveBy(stream int, m *pb.Message) { t.message(m, by(stream, AppendIn)) }
func (t *Tap) SendBy(stream int, m *pb.Message)    { t.message(m, by(stream, AppendOut)) }

// message notes a message, or why it is missing.
func (t *Tap) message(m *pb.Message, event func([]byte, *pb.Message, int64) ([]byte, bool)) {
	cause := Unknown(m)
	if m.GetType() == pb.MsgSnap && !t.snapshots {
		cause = "MsgSnap, and the snapshots of the application are not noted"
	}
	if cause != "" {
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.closed {
			t.drop(1, cause)
		}
		return
	}
	t.add(func(b []byte, at int64) []byte {
		b, _ = event(b, m, at)
		return b
	})
}

// Propose notes that a command was proposed, with the error that RawNode.Propose returned: a call
// after that one, before anything else is given to the node.
func (t *Tap) Propose(command []byte, err error) {
	t.add(func(b []byte, at int64) []byte { return AppendProposal(b, command, err != nil, at) })
}

// ProposeVoters notes that a configuration change was proposed. Voters are those that it leads to:
// the node's own ones, as it has applied them, changed. The error is that of
// RawNode.ProposeConfChange; see Propose. A change that the library replaces by an empty entry is
// no error.
func (t *Tap) ProposeVoters(voters []uint64, err error) {
	t.add(func(b []byte, at int64) []byte { return AppendProposedVoters(b, voters, err != nil, at) })
}

// ProposeLearner notes that a new server was proposed that learns the log and does not vote. The
// error is that of RawNode.ProposeConfChange; see Propose.
func (t *Tap) ProposeLearner(learner uint64, err error) {
	t.add(func(b []byte, at int64) []byte { return AppendProposedLearner(b, learner, err != nil, at) })
}

// ProposeLeave notes that it was proposed to leave a joint configuration, by an empty ConfChangeV2.
// The error is that of RawNode.ProposeConfChange; see Propose.
func (t *Tap) ProposeLeave(err error) {
	t.add(func(b []byte, at int64) []byte { return AppendProposedLeave(b, err != nil, at) })
}

// ReadIndex notes that node, whose tap this is, is asked for a read.
func (t *Tap) ReadIndex(node uint64, request []byte) {
	t.add(func(b []byte, at int64) []byte { return AppendRead(b, node, request, at) })
}

// Applying notes that the configuration change at an index is applied: a call before
// ApplyConfChange. Applying and Applied are for the manifests in which the module apply has the
// grain `told`.
func (t *Tap) Applying(index uint64) {
	t.add(func(b []byte, at int64) []byte { return AppendApplying(b, index, at) })
}

// Applied notes that all up to an index is applied and kept: a call before the node's Advance and
// after the tap's, or before MsgStorageApplyResp is given to Step.
func (t *Tap) Applied(index uint64) {
	t.add(func(b []byte, at int64) []byte { return AppendApplied(b, index, at) })
}

// TransferLeader notes that the node is asked to hand its leadership over to another one. Of a node
// that does not lead the library passes it on, in a message that is not declared for run time.
func (t *Tap) TransferLeader(to uint64) {
	t.add(func(b []byte, at int64) []byte { return AppendTransfer(b, to, at) })
}

// Disconnect notes that connections between the node and another one have ended, or that none
// stands: what one of them has sent may be lost. It is for a tap at the network.
func (t *Tap) Disconnect(peer uint64) {
	t.add(func(b []byte, at int64) []byte { return appendPeer(b, "Disconnect", peer, at) })
}

// Variant states the version of the library that the node runs, a value of the option "variant" of
// package raft. A monitor of another one does not judge the stream.
func (t *Tap) Variant(name string) {
	t.add(func(b []byte, _ int64) []byte {
		return append(strconv.AppendQuote(append(b, headerBegin+`,"options":{"variant":`...), name), "}}\n"...)
	})
}

// Advance notes that the node counts its own acknowledgements, as RawNode.Advance does after a
// Ready; now is the node's status. It comes before that call, and is for monitor -order steps: the
// check of a leader under load is much faster with it.
func (t *Tap) Advance(rd *raft.Ready, now raft.BasicStatus) {
	t.add(func(b []byte, at int64) []byte { return AppendSteps(b, t.own.Answers(rd, now), at) })
}

// Restart notes that the node starts again from what is on its disk. What was written before is
// complete.
func (t *Tap) Restart() {
	t.add(func(b []byte, at int64) []byte {
		t.own = Own{}
		return AppendRestart(b, at)
	})
}

// RestartFrom notes, instead of Restart, that the node starts again from what is in its storage;
// applied is Config.Applied. A monitor that has missed events sees again from here, except for what
// depends on the older part of a long log. The error is the storage's.
func (t *Tap) RestartFrom(s raft.Storage, applied uint64) error {
	at := int64(0)
	if t.times {
		at = time.Now().UnixNano()
	}
	line, err := AppendRestartFrom(nil, s, applied, at)
	if err != nil {
		return err
	}
	t.add(func(b []byte, _ int64) []byte {
		t.own = Own{}
		return append(b, line...)
	})
	return nil
}

// Missed notes that events before this are not in the stream, and why: a process was killed with a
// tap that had not written all. It comes before Restart.
func (t *Tap) Missed(cause string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.drop(1, cause)
	}
}

// Written returns the number of events that are written, in the unit in which a monitor counts: a
// line of the stream, those that say what was lost included.
func (t *Tap) Written() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// Lost returns the number of events that were dropped, as the stream says it and a monitor counts
// it.
func (t *Tap) Lost() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// Close ends the stream, and returns when it is written or cannot be. The error says how many
// events the tap has lost, if any. A second call returns nil.
func (t *Tap) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil
	}
	t.flushLost()
	t.buf = append(t.buf, "{\"event\":\"end\"}\n"...)
	t.closed = true
	t.mu.Unlock()
	rouse(t.wake)
	rouse(t.hurry)
	<-t.done
	if n := t.Lost(); n > 0 {
		return fmt.Errorf("the tap lost %d events", n)
	}
	return nil
}

// add appends an event, or counts it where there is no room.
func (t *Tap) add(event func(b []byte, at int64) []byte) {
	at := int64(0)
	if t.times {
		at = time.Now().UnixNano()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	if len(t.buf) >= t.max {
		t.drop(int64(bytes.Count(event(nil, at), newline)), "")
		return
	}
	if len(t.buf) == 0 {
		rouse(t.wake)
	}
	t.flushLost()
	t.buf = event(t.buf, at)
	if len(t.buf) >= t.max/4 {
		rouse(t.hurry)
	}
}

func (t *Tap) drop(n int64, cause string) {
	t.dropped += n
	t.lost += n
	t.cause = cmp.Or(t.cause, cause)
}

// flushLost says in the stream what was dropped before.
func (t *Tap) flushLost() {
	if t.dropped > 0 {
		t.buf = AppendLost(t.buf, t.dropped, t.cause)
		t.dropped, t.cause = 0, ""
	}
}

func rouse(who chan<- struct{}) {
	select {
	case who <- struct{}{}:
	default:
	}
}
