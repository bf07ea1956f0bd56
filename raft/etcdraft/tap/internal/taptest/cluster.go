// Package taptest runs clusters of the library's RawNodes in one process, under random schedules
// and faults, and records the stream of each node.
package taptest

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// Options say what happens to a cluster. Frequencies are probabilities of a turn of one node or, of
// Drop, of a message.
type Options struct {
	Nodes    int
	Seed     uint64
	Messages int // that all nodes send in all
	Each     int // that each node sends at least, if not 0
	Drop     float64
	Propose  float64
	Crash    float64
	Cut      float64 // a node is disconnected from all others for a while
	Tick     float64
	Calm     bool // a node takes all it has before it writes and sends
	PreVote  bool
	Quorum   bool // CheckQuorum
	Inflight int
	// Size is MaxSizePerMsg: how many bytes of entries an append carries, at least one entry.
	Size uint64
	// Voters is the size of the first configuration, 0 for all; Change is how often a leader
	// proposes another one, Joint whether one that differs in more than a server.
	Voters int
	Change float64
	Joint  bool
	// Stays keeps a quorum of the voters through each change. Without it a cluster may be stuck for
	// good, as where one of two members is removed. The other one does not know that the change is
	// committed, and needs the vote of the removed one, which has the longer log.
	Stays bool
	// SlowApply is how often, from 0 to 1, a node does not continue after a Ready for a while. What
	// is committed is not applied, and Advance not called, while it takes messages and its clock
	// ticks.
	SlowApply float64
	// AtStep records what a node receives when it takes it, in the order of all that it takes, and
	// not when it arrives.
	AtStep bool
	// Steps, with AtStep, records what nodes answer to themselves, too.
	Steps bool
	// Read and Transfer are how often a node is asked for a read, if the last one is answered, and
	// a leader to hand over.
	Read, Transfer float64
	// Applies makes the streams report what is applied. Nodes keep that: a restart continues from
	// there.
	Applies bool
	// Compact is how often, with Applies, a node makes a snapshot of what it has applied, and
	// mostly folds its log away up to some entries before. Report is how often a leader gets a
	// report, true or not, about a snapshot or message that it has sent.
	Compact, Report float64
	// FromSnapshot makes a node that restarts continue from its snapshot, as etcd's servers do, not
	// from what it has applied.
	FromSnapshot bool
	// Bug changes a message before it is sent.
	Bug func(node int, m *pb.Message, rng *rand.Rand) `json:"-"`
	// Known makes restarts tell what the node has on its disk. Kill is how often, of crashes, the
	// stream loses its end and says so.
	Known bool
	Kill  float64
	// Self makes leaders hand over to themselves, too.
	Self bool
	// Bootstrap makes nodes start from a snapshot, without a HardState. Before is how many messages
	// are sent before the taps are added, at a restart of each node. Streams begin with that start.
	Bootstrap bool
	Before    int
	// Torn is how often a node crashes within the write of a Ready. The write has the order that
	// the library asks for: some of its entries are on disk, and its HardState is not.
	Torn float64
	// ForgetVote makes a crash lose the vote of the term.
	ForgetVote bool
}

// Cluster is a running cluster.
type Cluster struct {
	Streams [][]byte // of lines, by node
	// Out, if not nil, is given the streams in parts, which Streams then loses. It is set before
	// Run.
	Out     func(node int, lines []byte)
	Sent    int
	Crashes int
	Changes int // configuration changes that nodes have applied
	Snaps   int // snapshots that nodes have taken over
	// Departed is for each node the number of lines of its stream when a changed library first did
	// what the library does not; -1: never.
	Departed []int

	o     Options
	rng   *rand.Rand
	nodes []*member
	wire  [][][]*pb.Message // by sender and receiver
	sent  []int
	cut   []bool
	value uint32
	conf  *pb.ConfState // the first one
}

type member struct {
	rn    *raft.RawNode
	disk  disk
	inbox [][]*pb.Message
	held  *raft.Ready // to be applied and advanced
	// applied is up to where the node has applied, if it keeps that.
	applied uint64
	own     tap.Own
	reads   bool // a read is not answered yet
}

// New starts a cluster. The library draws its time-outs of crypto/rand.Reader. New replaces it by
// numbers of the seed, so that equal options give equal streams. So two clusters cannot run at the
// same time in one process.
func New(o Options) *Cluster {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], o.Seed)
	cryptorand.Reader = rand.NewChaCha8(seed)
	c := &Cluster{o: o, rng: rand.New(rand.NewPCG(o.Seed, 7)), Streams: make([][]byte, o.Nodes), cut: make([]bool, o.Nodes), sent: make([]int, o.Nodes)}
	var voters []uint64
	for i := range o.Nodes {
		c.Departed = append(c.Departed, -1)
		if o.Voters == 0 || i < o.Voters {
			voters = append(voters, uint64(i+1))
		}
		c.wire = append(c.wire, make([][]*pb.Message, o.Nodes))
	}
	c.conf = &pb.ConfState{Voters: voters}
	for i := range o.Nodes {
		c.nodes = append(c.nodes, &member{disk: disk{raft.NewMemoryStorage(), c.conf}, inbox: make([][]*pb.Message, o.Nodes)})
		if o.Bootstrap {
			c.bootstrap(i)
		}
		c.boot(i)
	}
	return c
}

func (c *Cluster) boot(i int) {
	rn, err := raft.NewRawNode(&raft.Config{ID: uint64(i + 1), ElectionTick: 10, HeartbeatTick: 2, Storage: c.nodes[i].disk,
		MaxSizePerMsg: c.o.Size, MaxCommittedSizePerReady: math.MaxUint64, MaxInflightMsgs: max(c.o.Inflight, 1), DisableProposalForwarding: true, PreVote: c.o.PreVote,
		CheckQuorum: c.o.Quorum, Applied: c.nodes[i].applied, Logger: silent{c: c, i: i}})
	if err != nil {
		panic(err) // the configuration is wrong
	}
	c.nodes[i].rn = rn
}

func (c *Cluster) chance(x float64) bool { return c.rng.Float64() < x }

// receive moves up to most messages from the wires to i.
func (c *Cluster) receive(i, most int) {
	for range most {
		j := c.rng.IntN(c.o.Nodes)
		if len(c.wire[j][i]) == 0 {
			continue
		}
		m := c.wire[j][i][0]
		c.wire[j][i] = c.wire[j][i][1:]
		if c.chance(c.o.Drop) || c.cut[i] || c.cut[j] {
			continue
		}
		c.nodes[i].inbox[j] = append(c.nodes[i].inbox[j], m)
		if !c.o.AtStep {
			c.note(i, m, tap.AppendIn)
		}
	}
}

// send sends the messages of a Ready; between different connections their order is lost.
func (c *Cluster) send(i int, ms []*pb.Message) {
	queues := make([][]*pb.Message, c.o.Nodes)
	left := len(ms)
	for _, m := range ms {
		if c.o.Bug != nil {
			c.o.Bug(i, m, c.rng)
		}
		queues[m.GetTo()-1] = append(queues[m.GetTo()-1], m)
	}
	for left > 0 {
		j := c.rng.IntN(c.o.Nodes)
		if len(queues[j]) == 0 {
			continue
		}
		m := queues[j][0]
		queues[j] = queues[j][1:]
		left--
		c.Sent++
		c.sent[i]++
		c.note(i, m, tap.AppendOut)
		c.wire[i][j] = append(c.wire[i][j], m)
		if !c.o.Calm && c.chance(0.1) {
			c.receive(i, 1)
		}
	}
}

// note writes a message into the stream of node i, or that it is missing.
func (c *Cluster) note(i int, m *pb.Message, event func([]byte, *pb.Message, int64) ([]byte, bool)) {
	if cause := tap.Unknown(m); cause != "" {
		c.Streams[i] = tap.AppendLost(c.Streams[i], 1, cause)
		return
	}
	c.Streams[i], _ = event(c.Streams[i], m, 0)
}

// turn lets node i work once.
func (c *Cluster) turn(i int) {
	n := c.nodes[i]
	c.receive(i, 1+c.rng.IntN(4*c.o.Nodes))
	if c.chance(c.o.Tick) {
		n.rn.Tick()
	}
	crash := -1
	if c.chance(c.o.Crash) {
		crash = c.rng.IntN(3)
	}
	c.work(i)
	for c.chance(c.o.Propose) {
		c.propose(i)
	}
	if c.chance(c.o.Change) {
		c.change(i)
	}
	c.ask(i)
	c.snapshot(i)
	if crash == 0 { // nothing is written
		c.crash(i)
		return
	}
	if n.held != nil && c.chance(0.9) {
		if crash == 2 {
			c.crash(i)
		}
		return
	}
	c.release(i)
	for n.rn.HasReady() {
		rd := n.rn.Ready()
		if c.o.Torn > 0 && raft.IsEmptySnap(rd.Snapshot) && c.chance(c.o.Torn) {
			c.append(i, rd.Entries[:c.rng.IntN(len(rd.Entries)+1)])
			c.crash(i)
			return
		}
		c.persist(i, &rd)
		if crash == 1 { // a part is sent
			c.send(i, rd.Messages[:c.rng.IntN(len(rd.Messages)+1)])
			c.crash(i)
			return
		}
		c.send(i, rd.Messages)
		if n.held = &rd; c.chance(c.o.SlowApply) {
			break
		}
		c.release(i)
		if !c.o.Calm && c.chance(0.3) {
			break
		}
	}
	if crash == 2 {
		c.crash(i)
	}
}

// work steps messages in any order of the connections.
func (c *Cluster) work(i int) {
	n := c.nodes[i]
	budget := 1 << 30
	if !c.o.Calm && c.chance(0.3) {
		budget = c.rng.IntN(4)
	}
	for ; budget > 0; budget-- {
		var from []int
		for j := range n.inbox {
			if len(n.inbox[j]) > 0 {
				from = append(from, j)
			}
		}
		if len(from) == 0 {
			return
		}
		j := from[c.rng.IntN(len(from))]
		m := n.inbox[j][0]
		n.inbox[j] = n.inbox[j][1:]
		if c.o.AtStep {
			c.note(i, m, tap.AppendIn)
		}
		_ = n.rn.Step(m) // an answer of a server that is gone is refused
		if c.chance(c.o.Tick / 10) {
			n.rn.Tick()
		}
		if c.chance(c.o.Propose / 3) {
			c.propose(i)
		}
		c.ask(i)
		if !c.o.Calm && c.chance(0.2) && n.held == nil && n.rn.HasReady() {
			rd := n.rn.Ready()
			c.persist(i, &rd)
			c.send(i, rd.Messages)
			c.apply(i, &rd)
			c.advance(i, &rd)
		}
	}
}

// Run lets nodes work in random order until as many messages are sent as were asked for. A panic of
// the library ends it and is returned.
func (c *Cluster) Run() (panicked any) {
	defer func() { panicked = recover() }()
	left := 0
	attached := c.o.Before == 0
	for turns := 1; c.Sent < c.o.Messages || slices.Min(c.sent) < c.o.Each; turns++ {
		if !attached && c.Sent >= c.o.Before {
			c.attach()
			attached = true
		}
		if turns%1000 == 0 {
			c.flush()
		}
		i := c.rng.IntN(c.o.Nodes)
		switch {
		case left > 1:
			left--
		case left == 1:
			left = 0
			clear(c.cut)
		case c.chance(c.o.Cut):
			c.cut[c.rng.IntN(c.o.Nodes)] = true
			left = 20 + c.rng.IntN(200)
		}
		c.turn(i)
	}
	for i := range c.Streams {
		c.Streams[i] = append(c.Streams[i], "{\"event\":\"end\"}\n"...)
	}
	c.flush()
	return nil
}

// flush passes the streams on. If nodes keep what they apply, it lets them forget entries that all
// have applied.
func (c *Cluster) flush() {
	for i := range c.Streams {
		if c.Out != nil {
			c.Out(i, c.Streams[i])
			c.Streams[i] = c.Streams[i][:0]
		}
	}
	low := c.nodes[0].applied
	for _, n := range c.nodes {
		low = min(low, n.applied)
	}
	for _, n := range c.nodes {
		if first, err := n.disk.FirstIndex(); err == nil && c.o.Compact == 0 && low > first+2*kept {
			if err := n.disk.Compact(low - kept); err != nil {
				panic(err)
			}
		}
	}
}
