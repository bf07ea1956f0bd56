package library

import (
	"errors"
	"io"
	"sync"
	"testing/synctest"

	"github.com/hashicorp/raft"

	spec "github.com/multigrain/multigrain/raft/hashicorpraft"
)

var errClosed = errors.New("the server is down")

// call is a call on its way, or its answer.
type call struct {
	from, to spec.Server
	request  any
	response chan any // the caller waits for it, or for an error; it has room for one
	reply    spec.Msg // as it is in flight
	answer   any
}

// network has the calls of all servers, and those that wait for their turn. If it is hasty, nobody waits.
type network struct {
	hasty   bool
	mu      sync.Mutex
	sent    []*call
	waiting []chan struct{}
}

// settle lets the servers run until they cannot go on, those that wait for their turn last. It returns the calls that they have made.
func (n *network) settle() []*call {
	for {
		synctest.Wait()
		n.mu.Lock()
		waiting := n.waiting
		n.waiting = nil
		n.mu.Unlock()
		if len(waiting) == 0 {
			break
		}
		for _, w := range waiting {
			close(w)
		}
	}
	sent := n.sent
	n.sent = nil
	return sent
}

// transport is the transport of a server between two crashes.
type transport struct {
	net     *network
	id      spec.Server
	calls   chan raft.RPC
	crashed chan struct{}
}

// turn waits until nobody else can go on.
func (t *transport) turn() {
	if t.net.hasty {
		return
	}
	w := make(chan struct{})
	t.net.mu.Lock()
	t.net.waiting = append(t.net.waiting, w)
	t.net.mu.Unlock()
	select {
	case <-w:
	case <-t.crashed:
	}
}

// call holds a request back until it is answered.
func (t *transport) call(to raft.ServerAddress, request any) (any, error) {
	select {
	case <-t.crashed:
		return nil, errClosed
	default:
	}
	c := &call{from: t.id, to: serverOf(to), request: request, response: make(chan any, 1)}
	t.net.mu.Lock()
	t.net.sent = append(t.net.sent, c)
	t.net.mu.Unlock()
	select {
	case answer := <-c.response:
		if err, failed := answer.(error); failed {
			return nil, err
		}
		return answer, nil
	case <-t.crashed:
		return nil, errClosed
	}
}

func (t *transport) RequestVote(_ raft.ServerID, to raft.ServerAddress, args *raft.RequestVoteRequest, resp *raft.RequestVoteResponse) error {
	answer, err := t.call(to, args)
	if err == nil {
		*resp = *answer.(*raft.RequestVoteResponse)
	}
	return err
}

func (t *transport) AppendEntries(_ raft.ServerID, to raft.ServerAddress, args *raft.AppendEntriesRequest, resp *raft.AppendEntriesResponse) error {
	request := *args // the caller uses it again
	answer, err := t.call(to, &request)
	if err == nil {
		*resp = *answer.(*raft.AppendEntriesResponse)
	}
	return err
}

// EncodePeer is called when a call or an answer is set up.
func (t *transport) EncodePeer(_ raft.ServerID, to raft.ServerAddress) []byte {
	t.turn()
	return []byte(to)
}

func (t *transport) DecodePeer(b []byte) raft.ServerAddress { return raft.ServerAddress(b) }

func (t *transport) Consumer() <-chan raft.RPC { return t.calls }

func (t *transport) LocalAddr() raft.ServerAddress { return addressOf(t.id) }

func (t *transport) SetHeartbeatHandler(func(raft.RPC)) {}

func (t *transport) AppendEntriesPipeline(raft.ServerID, raft.ServerAddress) (raft.AppendPipeline, error) {
	return nil, raft.ErrPipelineReplicationNotSupported
}

func (t *transport) InstallSnapshot(raft.ServerID, raft.ServerAddress, *raft.InstallSnapshotRequest, *raft.InstallSnapshotResponse, io.Reader) error {
	return errors.New("there are no snapshots")
}

func (t *transport) TimeoutNow(raft.ServerID, raft.ServerAddress, *raft.TimeoutNowRequest, *raft.TimeoutNowResponse) error {
	return errors.New("there are no transfers")
}
