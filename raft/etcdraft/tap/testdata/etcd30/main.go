// Etcd30 runs three nodes of the raft library of etcd v3.0.17 through a fixed schedule, and writes the streams of the nodes. A node of this
// library campaigns with changes of the voters that it has not applied, as in issue 7280. Arguments: the folder to write to, and when a
// follower campaigns: "early", before it applies a committed change, or "late", after that.
//
// The library of v3.0.17 is an ancestor of the one that the specification follows. In this schedule, up to the campaign, both send the
// same messages.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/coreos/etcd/raft"
	"github.com/coreos/etcd/raft/raftpb"
)

// voters is a Storage with the configuration of three nodes.
type voters struct{ *raft.MemoryStorage }

func (v voters) InitialState() (raftpb.HardState, raftpb.ConfState, error) {
	h, _, err := v.MemoryStorage.InitialState()
	return h, raftpb.ConfState{Nodes: []uint64{1, 2, 3}}, err
}

type cluster struct {
	nodes   [3]*raft.RawNode
	disks   [3]*raft.MemoryStorage
	streams [3][]byte
	wire    []raftpb.Message
	slow    int // the node that applies no changes, and takes Readies without a call of Advance
}

func main() {
	c := &cluster{slow: -1}
	for i := range c.nodes {
		c.disks[i] = raft.NewMemoryStorage()
		rn, err := raft.NewRawNode(&raft.Config{ID: uint64(i + 1), ElectionTick: 10, HeartbeatTick: 1, Storage: voters{c.disks[i]}, MaxInflightMsgs: 8,
			Logger: &raft.DefaultLogger{Logger: log.New(io.Discard, "", 0)}}, nil)
		must(err)
		c.nodes[i] = rn
	}
	must(c.nodes[0].Campaign())
	c.ready(0)
	for _, kind := range []raftpb.MessageType{raftpb.MsgVote, raftpb.MsgVoteResp, raftpb.MsgApp, raftpb.MsgAppResp, raftpb.MsgApp, raftpb.MsgAppResp} {
		c.deliver(kind)
	}
	if os.Args[2] == "early" {
		c.slow = 1
	}
	c.event(0, `{"event":"input","action":"ProposeChange","params":{"S":[0,1]}}`)
	must(c.nodes[0].ProposeConfChange(raftpb.ConfChange{Type: raftpb.ConfChangeRemoveNode, NodeID: 3}))
	c.ready(0)
	for _, kind := range []raftpb.MessageType{raftpb.MsgApp, raftpb.MsgAppResp, raftpb.MsgApp} {
		c.deliver(kind)
	}
	must(c.nodes[1].Campaign())
	c.ready(1)
	for i, s := range c.streams {
		s = append(s, "{\"event\":\"end\"}\n"...)
		must(os.WriteFile(filepath.Join(os.Args[1], fmt.Sprint(i)), s, 0o644))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (c *cluster) event(i int, line string) { c.streams[i] = append(c.streams[i], line+"\n"...) }

// ready writes, sends and applies what node i has for that.
func (c *cluster) ready(i int) {
	for c.nodes[i].HasReady() {
		rd := c.nodes[i].Ready()
		if !raft.IsEmptyHardState(rd.HardState) {
			must(c.disks[i].SetHardState(rd.HardState))
		}
		must(c.disks[i].Append(rd.Entries))
		for _, m := range rd.Messages {
			c.event(i, line("out", m.To, m))
			c.wire = append(c.wire, m)
		}
		if i == c.slow {
			return
		}
		for _, e := range rd.CommittedEntries {
			if e.Type == raftpb.EntryConfChange {
				var cc raftpb.ConfChange
				must(cc.Unmarshal(e.Data))
				c.event(i, fmt.Sprintf(`{"event":"input","action":"ApplyChange","set":{"AppliedTo":[%d]}}`, e.Index))
				c.nodes[i].ApplyConfChange(cc)
			}
		}
		if n := len(rd.CommittedEntries); n > 0 {
			c.event(i, fmt.Sprintf(`{"event":"input","action":"NoteApplied","set":{"AppliedTo":[%d]}}`, rd.CommittedEntries[n-1].Index))
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
		c.event(to, line("in", m.From, m))
		if err := c.nodes[to].Step(m); err != raft.ErrStepPeerNotFound { // an answer of the node that is removed is refused
			must(err)
		}
		c.ready(to)
	}
}

// line returns the event of a message. This library begins in term 1, the specification in term 0.
func line(event string, peer uint64, m raftpb.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"event":%q,"peer":%d,"msg":{"Kind":%q,"Term":%d,"Index":%d,"LogTerm":%d,"Commit":%d`, event, peer-1, m.Type.String(), m.Term-1,
		m.Index, max(m.LogTerm, 1)-1, m.Commit)
	for _, e := range m.Entries {
		change := ""
		if e.Type == raftpb.EntryConfChange {
			change = `,"Change":[{"Kind":"Simple","Add":[],"Remove":[2]}]` // the only one that is proposed
		}
		fmt.Fprintf(&b, `,"Entry":{"Term":%d%s}`, e.Term-1, change)
	}
	b.WriteString("}}")
	return b.String()
}
