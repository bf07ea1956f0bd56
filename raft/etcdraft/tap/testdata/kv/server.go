// Package kv is a small replicated key-value store on go.etcd.io/raft/v3, for measuring what a tap and a monitor cost beside it: a
// server a node, loopback TCP between servers and to clients, and a write-ahead log that is synced before a message speaks of it.
//
// A server runs the library as the specification of package raft has it: one entry an append, no snapshots, no forwarding.
// Reads are linearizable, by ReadIndex at the leader. As in etcd, one ReadIndex is for all reads that wait when it begins.
package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// Config is a server's.
type Config struct {
	ID       int // from 0
	Peers    []string
	Listener net.Listener // at Peers[ID]
	WAL      string
	Inflight int
	// Tick is the library's clock; a heartbeat takes HeartbeatTicks, a time-out ElectionTicks to twice that.
	Tick time.Duration
	// Drop is the share of received messages that are thrown away, before the tap.
	Drop float64
	// Again says that the server has run before.
	Again bool
	// Tap is called for the tap to note events in, which may change while the server runs; it returns nil where there is none. May be nil.
	Tap func() *tap.Tap
}

// The library's clock, in ticks.
const (
	HeartbeatTicks = 5
	ElectionTicks  = 50
)

// Server is a running server.
type Server struct {
	c       Config
	rn      *raft.RawNode
	disk    *disk
	net     *transport
	in      chan *pb.Message
	asked   chan request
	stop    chan struct{}
	stopped chan struct{}
	values  map[string][]byte
	waiting map[uint64]chan<- []byte // by request
	number  uint64                   // of the last request; each start begins somewhere else
	next    []request                // reads that wait for the next ReadIndex
	reads   []request                // those of the present one
	read    uint64                   // its number; 0: none
	readAt  uint64                   // the index at which it is answered; 0: not confirmed
	applied uint64
	leader  atomic.Bool
	sent    atomic.Int64
	err     error
}

// request is a client's, with what it is answered through.
type request struct {
	op    op
	reply chan<- []byte
}

// Start starts a server from what is in its log.
func Start(c Config) (*Server, error) {
	d, err := openDisk(c.WAL, len(c.Peers))
	if err != nil {
		return nil, err
	}
	s := &Server{c: c, disk: d, in: make(chan *pb.Message, 4096), asked: make(chan request, 1024), stop: make(chan struct{}), stopped: make(chan struct{}),
		values: map[string][]byte{}, waiting: map[uint64]chan<- []byte{}, number: rand.Uint64()}
	if c.Tap == nil {
		s.c.Tap = func() *tap.Tap { return nil }
	}
	if c.Again {
		if t := s.c.Tap(); t != nil {
			if err := t.RestartFrom(d, 0); err != nil {
				return nil, err
			}
		}
	}
	s.rn, err = raft.NewRawNode(&raft.Config{ID: uint64(c.ID + 1), ElectionTick: ElectionTicks, HeartbeatTick: HeartbeatTicks, Storage: d,
		MaxSizePerMsg: 0, MaxCommittedSizePerReady: math.MaxUint64, MaxInflightMsgs: c.Inflight, DisableProposalForwarding: true, Logger: silent{}})
	if err != nil {
		d.close()
		return nil, err
	}
	s.net = newTransport(s)
	go s.run()
	return s, nil
}

// Stop ends the server as a crash would: nothing is written or sent any more.
func (s *Server) Stop() error {
	close(s.stop)
	<-s.stopped
	s.net.close()
	s.disk.close()
	if errors.Is(s.err, errStopped) {
		return nil
	}
	return s.err
}

// Leads reports whether the server is leader.
func (s *Server) Leads() bool { return s.leader.Load() }

// Sent returns how many messages the server has sent to the others.
func (s *Server) Sent() int64 { return s.sent.Load() }

// batch is how many messages and requests are taken before the library is asked what is ready.
const batch = 256

func (s *Server) run() {
	defer close(s.stopped)
	tick := time.NewTicker(s.c.Tick)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
			s.rn.Tick()
		case m := <-s.in:
			s.step(m)
		case r := <-s.asked:
			s.propose(r)
		}
		s.more()
		s.ask()
		if s.err = s.ready(); s.err != nil {
			return
		}
	}
}

// more takes what waits besides.
func (s *Server) more() {
	for range batch {
		select {
		case m := <-s.in:
			s.step(m)
		case r := <-s.asked:
			s.propose(r)
		default:
			return
		}
	}
}

func (s *Server) step(m *pb.Message) {
	if t := s.c.Tap(); t != nil {
		t.Receive(m)
	}
	_ = s.rn.Step(m) // a message of an earlier term is none to complain of
}

// propose gives a write to the library. A server that does not lead refuses it.
func (s *Server) propose(r request) {
	if !s.leader.Load() {
		r.reply <- notLeader
		return
	}
	if len(r.op.value) == 0 {
		s.next = append(s.next, r)
		return
	}
	s.number++
	data := r.op.encode(s.number)
	err := s.rn.Propose(data)
	if t := s.c.Tap(); t != nil {
		t.Propose(data, err)
	}
	if err != nil {
		r.reply <- notLeader
		return
	}
	s.waiting[s.number] = r.reply
}

// ask begins a ReadIndex for the reads that wait, if none is under way.
func (s *Server) ask() {
	if s.read != 0 || len(s.next) == 0 || !s.leader.Load() {
		return
	}
	s.number++
	s.read, s.reads, s.next = s.number, s.next, nil
	id := binary.BigEndian.AppendUint64(nil, s.read)
	if t := s.c.Tap(); t != nil {
		t.ReadIndex(uint64(s.c.ID+1), id)
	}
	s.rn.ReadIndex(id)
}

// answer answers the reads of a ReadIndex that is confirmed and applied.
func (s *Server) answer() {
	if s.readAt == 0 || s.applied < s.readAt {
		return
	}
	for _, r := range s.reads {
		r.reply <- s.values[r.op.key]
	}
	s.read, s.readAt, s.reads = 0, 0, nil
}

// errStopped is the end of a server that was stopped, which comes anywhere between what a Ready asks for.
var errStopped = errors.New("stopped")

// ready does what the library asks for: to disk first, then to the others.
func (s *Server) ready() error {
	for s.rn.HasReady() {
		rd := s.rn.Ready()
		if rd.SoftState != nil {
			s.follow(rd.SoftState.RaftState == raft.StateLeader)
		}
		if s.ended() {
			return errStopped
		}
		if err := s.disk.save(&rd); err != nil {
			return err
		}
		for _, r := range rd.ReadStates {
			if s.read != 0 && binary.BigEndian.Uint64(r.RequestCtx) == s.read {
				s.readAt = max(r.Index, 1)
			}
		}
		t := s.c.Tap()
		for _, m := range rd.Messages {
			if s.ended() {
				return errStopped
			}
			if s.net.offer(m, t) {
				s.sent.Add(1)
			}
		}
		for _, e := range rd.CommittedEntries {
			if err := s.apply(e); err != nil {
				return err
			}
		}
		s.answer()
		if t != nil {
			t.Advance(&rd, s.rn.BasicStatus())
		}
		s.rn.Advance(rd)
	}
	return nil
}

// follow notes whether the server leads. One that does not any more knows nothing of what it was asked for.
func (s *Server) follow(leads bool) {
	s.leader.Store(leads)
	if leads {
		return
	}
	for id, reply := range s.waiting {
		reply <- notLeader
		delete(s.waiting, id)
	}
	for _, r := range append(s.reads, s.next...) {
		r.reply <- notLeader
	}
	s.read, s.readAt, s.reads, s.next = 0, 0, nil, nil
}

func (s *Server) ended() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

func (s *Server) apply(e *pb.Entry) error {
	s.applied = e.GetIndex()
	if len(e.GetData()) == 0 {
		return nil
	}
	id, o, err := decodeOp(e.GetData())
	if err != nil {
		return fmt.Errorf("entry %d: %w", e.GetIndex(), err)
	}
	before := s.values[o.key]
	s.values[o.key] = o.value
	if reply := s.waiting[id]; reply != nil {
		reply <- before
		delete(s.waiting, id)
	}
	return nil
}

// op is a write of a value, or a read where that is empty.
type op struct {
	key   string
	value []byte
}

func (o op) encode(id uint64) []byte {
	b := binary.BigEndian.AppendUint64(nil, id)
	b = binary.AppendUvarint(b, uint64(len(o.key)))
	b = append(b, o.key...)
	return append(b, o.value...)
}

func decodeOp(b []byte) (id uint64, o op, err error) {
	if len(b) < 9 {
		return 0, o, fmt.Errorf("%d bytes are no write", len(b))
	}
	n, k := binary.Uvarint(b[8:])
	if k <= 0 || uint64(len(b)-8-k) < n {
		return 0, o, fmt.Errorf("a key is cut off")
	}
	rest := b[8+k:]
	return binary.BigEndian.Uint64(b), op{string(rest[:n]), rest[n:]}, nil
}

type silent struct{ raft.Logger }

func (silent) Debug(...any)              {}
func (silent) Debugf(string, ...any)     {}
func (silent) Info(...any)               {}
func (silent) Infof(string, ...any)      {}
func (silent) Warning(...any)            {}
func (silent) Warningf(string, ...any)   {}
func (silent) Error(...any)              {}
func (silent) Errorf(string, ...any)     {}
func (silent) Panic(v ...any)            { panic(fmt.Sprint(v...)) }
func (silent) Panicf(f string, v ...any) { panic(fmt.Sprintf(f, v...)) }
func (silent) Fatal(v ...any)            { panic(fmt.Sprint(v...)) }
func (silent) Fatalf(f string, v ...any) { panic(fmt.Sprintf(f, v...)) }
