package taptest

import (
	"encoding/binary"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

func (c *Cluster) propose(i int) {
	n := c.nodes[i]
	if n.rn.BasicStatus().RaftState != raft.StateLeader && c.chance(0.9) {
		return
	}
	c.value++
	command := []byte{byte(c.value), byte(c.value >> 8), byte(c.value >> 16), byte(c.value >> 24)}
	refused := n.rn.Propose(command) != nil
	c.Streams[i] = tap.AppendProposal(c.Streams[i], command, refused, 0)
}

// ask asks node i for a read, and to hand over its leadership.
func (c *Cluster) ask(i int) {
	n := c.nodes[i]
	// as a server does: one at a time, asked again where no answer comes
	if c.o.Read > 0 && c.chance(c.o.Read) && (!n.reads || c.chance(0.05)) {
		n.reads = true
		c.value++
		request := binary.LittleEndian.AppendUint32(nil, c.value)
		c.Streams[i] = tap.AppendRead(c.Streams[i], uint64(i+1), request, 0)
		n.rn.ReadIndex(request)
	}
	if c.o.Transfer > 0 && c.chance(c.o.Transfer) && n.rn.BasicStatus().RaftState == raft.StateLeader {
		to := (i + 1 + c.rng.IntN(c.o.Nodes-1)) % c.o.Nodes
		if c.o.Self && c.chance(0.3) {
			to = i
		}
		c.Streams[i] = tap.AppendTransfer(c.Streams[i], uint64(to+1), 0)
		n.rn.TransferLeader(uint64(to + 1))
	}
}

// kept is how many entries nodes keep that all have applied.
const kept = 1000

// release applies and advances the Ready that is held, if there is one.
func (c *Cluster) release(i int) {
	if n := c.nodes[i]; n.held != nil {
		c.apply(i, n.held)
		c.advance(i, n.held)
		n.held = nil
	}
}

func (c *Cluster) advance(i int, rd *raft.Ready) {
	n := c.nodes[i]
	if answers := n.own.Answers(rd, n.rn.BasicStatus()); c.o.Steps {
		c.Streams[i] = tap.AppendSteps(c.Streams[i], answers, 0)
	}
	k := len(rd.CommittedEntries)
	if k > 0 && c.o.Applies {
		n.applied = rd.CommittedEntries[k-1].GetIndex()
	}
	if c.o.Applies && (k > 0 || !raft.IsEmptySnap(rd.Snapshot)) {
		c.Streams[i] = tap.AppendApplied(c.Streams[i], n.applied, 0)
	}
	n.rn.Advance(*rd)
}

// apply applies what a Ready says is committed: changes of the configuration.
func (c *Cluster) apply(i int, rd *raft.Ready) {
	for _, e := range rd.CommittedEntries {
		var cc pb.ConfChangeI
		var err error
		switch e.GetType() {
		case pb.EntryConfChange:
			v1 := &pb.ConfChange{}
			err, cc = proto.Unmarshal(e.GetData(), v1), v1
		case pb.EntryConfChangeV2:
			v2 := &pb.ConfChangeV2{}
			err, cc = proto.Unmarshal(e.GetData(), v2), v2
		default:
			continue
		}
		if err != nil {
			panic(err)
		}
		if c.o.Applies {
			c.Streams[i] = tap.AppendApplying(c.Streams[i], e.GetIndex(), 0)
		}
		conf := c.nodes[i].rn.ApplyConfChange(cc)
		if c.o.Applies {
			c.nodes[i].disk.conf = conf
		}
		c.Changes++
	}
}

// change makes the leader i propose other voters: one server more or fewer, or, jointly, up to two.
func (c *Cluster) change(i int) {
	n := c.nodes[i]
	if n.rn.BasicStatus().RaftState != raft.StateLeader {
		return
	}
	now := n.rn.Status().Config.Voters[0]
	cc := &pb.ConfChangeV2{}
	var target []uint64
	stay := 0
	flips := 1
	if c.o.Joint {
		flips += c.rng.IntN(2)
	}
	flip := map[uint64]bool{}
	for len(flip) < flips {
		flip[uint64(1+c.rng.IntN(c.o.Nodes))] = true
	}
	for id := uint64(1); id <= uint64(c.o.Nodes); id++ {
		_, voter := now[id]
		kind := pb.ConfChangeAddNode
		if voter {
			kind = pb.ConfChangeRemoveNode
		}
		if flip[id] {
			voter = !voter
			cc.Changes = append(cc.Changes, &pb.ConfChangeSingle{Type: kind.Enum(), NodeId: new(id)})
		}
		if voter {
			target = append(target, id)
			if !flip[id] {
				stay++
			}
		}
	}
	if len(target) == 0 || c.o.Stays && stay <= len(now)/2 {
		return
	}
	refused := n.rn.ProposeConfChange(cc) != nil
	c.Streams[i] = tap.AppendProposedVoters(c.Streams[i], target, refused, 0)
}
