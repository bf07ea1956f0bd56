// Etcd31 runs three nodes of the raft library of etcd v3.1.0, which has the bug of issue 7331, through a fixed schedule, and writes the
// streams of the nodes. Arguments: the folder to write to, and when the new leader is asked for a read: "early", before it has committed
// an entry of its term, or "late", behind that.
//
// The library of v3.1.0 is an ancestor of the one that the specification follows. In this schedule, up to the read, both send the same
// messages.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coreos/etcd/raft"
	"github.com/coreos/etcd/raft/raftpb"
)

type cluster struct {
	nodes   [3]*raft.RawNode
	disks   [3]*raft.MemoryStorage
	streams [3][]byte
	wire    []raftpb.Message
}

func main() {
	c := new(cluster)
	for i := range c.nodes {
		c.disks[i] = raft.NewMemoryStorage()
		rn, err := raft.NewRawNode(&raft.Config{ID: uint64(i + 1), ElectionTick: 10, HeartbeatTick: 1, Storage: voters{c.disks[i]}, MaxInflightMsgs: 8,
			Logger: &raft.DefaultLogger{Logger: silent()}}, nil)
		if err != nil {
			panic(err)
		}
		c.nodes[i] = rn
	}
	if err := c.nodes[0].Campaign(); err != nil {
		panic(err)
	}
	c.ready(0)
	c.deliver(raftpb.MsgVote)
	c.deliver(raftpb.MsgVoteResp)
	if os.Args[2] == "early" {
		c.read(0)
	}
	c.deliver(raftpb.MsgApp)
	c.deliver(raftpb.MsgAppResp)
	if os.Args[2] == "late" {
		c.read(0)
	}
	c.deliver(raftpb.MsgHeartbeat)
	for i, s := range c.streams {
		s = append(s, "{\"event\":\"end\"}\n"...)
		if err := os.WriteFile(filepath.Join(os.Args[1], fmt.Sprint(i)), s, 0o644); err != nil {
			panic(err)
		}
	}
}

// read asks for a read. Its request is 1 as the library of today writes a heartbeat's context: both have the same bytes.
func (c *cluster) read(i int) {
	request := binary.LittleEndian.AppendUint64(nil, 1)
	c.streams[i] = append(c.streams[i], "{\"event\":\"input\",\"action\":\"AskRead\",\"set\":{\"Asked\":[8]}}\n"...)
	c.nodes[i].ReadIndex(request)
	c.ready(i)
}

// ready writes and sends what node i has for that.
func (c *cluster) ready(i int) {
	for c.nodes[i].HasReady() {
		rd := c.nodes[i].Ready()
		if !raft.IsEmptyHardState(rd.HardState) {
			c.disks[i].SetHardState(rd.HardState)
		}
		if err := c.disks[i].Append(rd.Entries); err != nil {
			panic(err)
		}
		for _, m := range rd.Messages {
			c.streams[i] = append(c.streams[i], line("out", m.To, m)...)
			c.wire = append(c.wire, m)
		}
		c.nodes[i].Advance(rd)
	}
}

// deliver gives the nodes what is in flight of a kind.
func (c *cluster) deliver(kind raftpb.MessageType) {
	wire := c.wire
	c.wire = nil
	for _, m := range wire {
		if m.Type != kind {
			c.wire = append(c.wire, m)
			continue
		}
		to := int(m.To - 1)
		c.streams[to] = append(c.streams[to], line("in", m.From, m)...)
		if err := c.nodes[to].Step(m); err != nil {
			panic(err)
		}
		c.ready(to)
	}
}

// line returns the event of a message. This library begins in term 1, the specification in term 0.
func line(event string, peer uint64, m raftpb.Message) string {
	s := fmt.Sprintf(`{"event":%q,"peer":%d,"msg":{"Kind":%q,"Term":%d,"Index":%d,"LogTerm":%d,"Commit":%d`, event, peer-1, m.Type.String(), m.Term-1,
		m.Index, max(m.LogTerm, 1)-1, m.Commit)
	for _, e := range m.Entries { // all are empty here
		s += fmt.Sprintf(`,"Entry":{"Term":%d}`, e.Term-1)
	}
	if len(m.Context) == 8 {
		s += fmt.Sprintf(`,"Context":%d`, binary.LittleEndian.Uint64(m.Context))
	}
	return s + "}}\n"
}
