//go:build with_tla

// Command record runs a cluster of RawNodes of go.etcd.io/raft/v3 under random faults and writes the events that the library logs
// when it is built with the tag with_tla. The same flags write the same log.
//
//	go run -tags with_tla ./raft/events/testdata/record -seed 1 -events 10000 -out log.ndjson
package main

import (
	"bufio"
	cryptorand "crypto/rand"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

var (
	seed      = flag.Uint64("seed", 1, "start of the random choices")
	servers   = flag.Int("servers", 5, "servers")
	events    = flag.Int("events", 10000, "how many events to write at least")
	bootstrap = flag.Bool("bootstrap", false, "begin with RawNode.Bootstrap, not with a configuration in storage")
	preVote   = flag.Bool("prevote", false, "Config.PreVote")
	quorum    = flag.Bool("checkquorum", false, "Config.CheckQuorum")
	batch     = flag.Uint64("batch", math.MaxUint64, "Config.MaxSizePerMsg")
	changes   = flag.Bool("changes", false, "change the configuration")
	learners  = flag.Int("learners", 0, "how many servers begin as learners")
	compact   = flag.Bool("compact", false, "compact logs, so that snapshots are sent")
	loss      = flag.Int("loss", 10, "percent of messages that are lost")
	crashes   = flag.Int("crashes", 3, "restarts in 1000 steps")
	output    = flag.String("out", "", "file to write to; standard output if empty")
)

// logger writes events as a TraceLogger does: one line each.
type logger struct {
	to *json.Encoder
	n  int
}

func (l *logger) TraceEvent(e *raft.TracingEvent) {
	l.n++
	if err := l.to.Encode(map[string]any{"tag": "trace", "event": e}); err != nil {
		fatal(err)
	}
}

type server struct {
	id      uint64
	node    *raft.RawNode
	storage *raft.MemoryStorage
	applied uint64
	conf    *pb.ConfState
}

type cluster struct {
	rand    *rand.Rand
	log     *logger
	servers []*server
	wire    []*pb.Message
	cut     map[[2]uint64]bool
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func main() {
	flag.Parse()
	file := os.Stdout
	if *output != "" {
		var err error
		file, err = os.Create(*output)
		check(err)
	}
	out := bufio.NewWriter(file)
	defer out.Flush()
	var timeouts [32]byte // the library draws its time-outs of crypto/rand: equal seeds shall give equal logs
	binary.LittleEndian.PutUint64(timeouts[:], *seed)
	cryptorand.Reader = rand.NewChaCha8(timeouts)
	c := &cluster{rand: rand.New(rand.NewPCG(*seed, 7)), log: &logger{to: json.NewEncoder(out)}, cut: map[[2]uint64]bool{}}
	for i := range *servers {
		c.servers = append(c.servers, &server{id: uint64(i + 1), storage: raft.NewMemoryStorage()})
	}
	for _, s := range c.servers {
		c.begin(s)
	}
	for c.log.n < *events {
		c.step()
	}
}

func (c *cluster) config(s *server) *raft.Config {
	return &raft.Config{ID: s.id, ElectionTick: 10, HeartbeatTick: 1, Storage: s.storage, MaxSizePerMsg: *batch, MaxInflightMsgs: 8,
		MaxCommittedSizePerReady: math.MaxUint64,
		PreVote:                  *preVote, CheckQuorum: *quorum, TraceLogger: c.log, Logger: &raft.DefaultLogger{Logger: log.New(io.Discard, "", 0)}}
}

// begin sets a server up: with a configuration in storage, behind a first entry that is folded away, or with Bootstrap.
func (c *cluster) begin(s *server) {
	var peers []raft.Peer
	s.conf = &pb.ConfState{}
	for _, x := range c.servers {
		peers = append(peers, raft.Peer{ID: x.id})
		if int(x.id) > *servers-*learners {
			s.conf.Learners = append(s.conf.Learners, x.id)
			continue
		}
		s.conf.Voters = append(s.conf.Voters, x.id)
	}
	if !*bootstrap {
		s.applied = 1
		check(s.storage.ApplySnapshot(&pb.Snapshot{Metadata: &pb.SnapshotMetadata{Index: new(uint64(1)), Term: new(uint64(1)), ConfState: s.conf}}))
	}
	s.node = c.newNode(s)
	if *bootstrap {
		check(s.node.Bootstrap(peers))
	}
}

func (c *cluster) newNode(s *server) *raft.RawNode {
	n, err := raft.NewRawNode(c.config(s))
	check(err)
	return n
}

func check(err error) {
	if err != nil {
		fatal(err)
	}
}

// step makes one random thing happen.
func (c *cluster) step() {
	s := c.servers[c.rand.IntN(len(c.servers))]
	leads := s.node.Status().RaftState == raft.StateLeader
	switch x := c.rand.IntN(1000); {
	case x < *crashes:
		c.restart(s)
	case x < 8:
		a, b := s.id, c.servers[c.rand.IntN(len(c.servers))].id
		c.cut[[2]uint64{min(a, b), max(a, b)}] = a != b
	case x < 15:
		clear(c.cut)
	case x < 17 || x < 30 && c.leaderless():
		_ = s.node.Campaign()
	case x < 40 && *compact:
		c.compact(s)
	case x < 50 && *changes && leads:
		c.change(s)
	case x < 60 && leads && *preVote:
		s.node.TransferLeader(c.servers[c.rand.IntN(len(c.servers))].id)
	case x < 150 && leads:
		_ = s.node.Propose([]byte("x")) // dropped by a leader that is leaving
	case x < 250:
		if leads {
			s.node.Tick()
		} else {
			s.node.TickQuiesced()
		}
	case x < 900 && len(c.wire) > 0:
		c.deliver()
	}
	for _, s := range c.servers {
		if s.node.HasReady() && c.rand.IntN(4) > 0 {
			c.ready(s)
		}
	}
}

func (c *cluster) leaderless() bool {
	for _, s := range c.servers {
		if s.node.Status().RaftState == raft.StateLeader {
			return false
		}
	}
	return true
}

// deliver takes any message from the wire, or one of the oldest, and steps or loses it.
func (c *cluster) deliver() {
	k := c.rand.IntN(min(len(c.wire), 8))
	m := c.wire[k]
	c.wire = append(c.wire[:k:k], c.wire[k+1:]...)
	from, to := m.GetFrom(), m.GetTo()
	if to == 0 || to > uint64(len(c.servers)) || c.cut[[2]uint64{min(from, to), max(from, to)}] || c.rand.IntN(100) < *loss {
		if m.GetType() == pb.MsgSnap {
			c.servers[from-1].node.ReportSnapshot(to, raft.SnapshotFailure)
		}
		return
	}
	_ = c.servers[to-1].node.Step(m) // refused of a server that is not in the configuration
}

// ready does what a Ready asks for.
func (c *cluster) ready(s *server) {
	rd := s.node.Ready()
	if !raft.IsEmptySnap(rd.Snapshot) {
		check(s.storage.ApplySnapshot(rd.Snapshot))
		s.applied = rd.Snapshot.GetMetadata().GetIndex()
		s.conf = rd.Snapshot.GetMetadata().GetConfState()
	}
	check(s.storage.Append(rd.Entries))
	if !raft.IsEmptyHardState(rd.HardState) {
		check(s.storage.SetHardState(rd.HardState))
	}
	for _, m := range rd.Messages {
		c.wire = append(c.wire, m)
	}
	for _, e := range rd.CommittedEntries {
		c.apply(s, e)
	}
	s.node.Advance(rd)
}

func (c *cluster) restart(s *server) {
	snap, err := s.storage.Snapshot()
	check(err)
	s.applied = snap.GetMetadata().GetIndex()
	s.conf = snap.GetMetadata().GetConfState()
	s.node = c.newNode(s)
}

// apply applies a committed entry: changes of the configuration take effect.
func (c *cluster) apply(s *server, e *pb.Entry) {
	s.applied = e.GetIndex()
	switch e.GetType() {
	case pb.EntryConfChange:
		var cc pb.ConfChange
		check(proto.Unmarshal(e.GetData(), &cc))
		s.conf = s.node.ApplyConfChange(&cc)
	case pb.EntryConfChangeV2:
		var cc pb.ConfChangeV2
		check(proto.Unmarshal(e.GetData(), &cc))
		s.conf = s.node.ApplyConfChange(&cc)
	}
}

// change proposes that a server leaves or comes back, or jointly that one leaves and another comes.
func (c *cluster) change(s *server) {
	conf := s.node.Status().Config
	var cc pb.ConfChangeV2
	for range 1 + c.rand.IntN(2) {
		id := c.servers[c.rand.IntN(len(c.servers))].id
		kind := pb.ConfChangeAddNode
		switch _, in := conf.Voters[0][id]; {
		case in && (id == s.id || len(conf.Voters[0]) < 3):
			continue
		case in:
			kind = pb.ConfChangeRemoveNode
		case c.rand.IntN(3) == 0:
			kind = pb.ConfChangeAddLearnerNode
		}
		cc.Changes = append(cc.Changes, &pb.ConfChangeSingle{Type: kind.Enum(), NodeId: new(id)})
	}
	if len(cc.Changes) == 0 || len(cc.Changes) == 2 && cc.Changes[0].GetNodeId() == cc.Changes[1].GetNodeId() {
		return
	}
	_ = s.node.ProposeConfChange(&cc) // dropped by a leader that is leaving
}

// compact folds away what a server has applied.
func (c *cluster) compact(s *server) {
	snap, err := s.storage.Snapshot()
	check(err)
	if s.applied <= snap.GetMetadata().GetIndex() {
		return
	}
	_, err = s.storage.CreateSnapshot(s.applied, s.conf, nil)
	check(err)
	check(s.storage.Compact(s.applied))
}
