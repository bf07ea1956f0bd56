// Code generated from raft/etcdraft/convert.go by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.

//go:build !multigrain_runtime

package etcdraft

import (
	"fmt"

	etcd "go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"

	"github.com/multigrain/multigrain/raft"
)

// id returns the library's identity of a server.
func id(i raft.Server) uint64 { return uint64(i) + 1 }

// strange is a panic of the adapter's: the library has a value that no value of the specification
// stands for. Perform and Observe make it an error.
type strange string

func (s strange) Error() string { return string(s) }

func odd(format string, args ...any) { panic(strange(fmt.Sprintf(format, args...))) }

// small returns a number of the library as the specification holds it, 0 to 255. It panics through
// odd if the number is larger.
func small(n uint64) uint8 {
	if n > 255 {
		odd("the library has the number %d, and the specification no number above 255", n)
	}
	return uint8(n)
}

// serverOf returns the server that has an identity of the library's; 0 is none.
func serverOf(n uint64) raft.Server {
	if n > raft.Servers {
		odd("the library names server %d of %d", n, raft.Servers)
	}
	return raft.Server(n) - 1
}

func setOf[V any](ids map[uint64]V) (s raft.Set) {
	for n := range ids {
		s.Add(serverOf(n))
	}
	return s
}

func setOfList(ids []uint64) (s raft.Set) {
	for _, n := range ids {
		s.Add(serverOf(n))
	}
	return s
}

// confOf returns a configuration as snapshots carry it.
func confOf(cs *pb.ConfState) raft.Conf {
	return raft.Conf{Members: raft.Members{
		Voters: setOfList(cs.Voters), Outgoing: setOfList(cs.VotersOutgoing),
		Learners: setOfList(cs.Learners), LearnersNext: setOfList(cs.LearnersNext),
	}, AutoLeave: cs.AutoLeave}
}

// entry returns an entry of a log, which must have the given index.
func (a *adapter) entry(e pb.Entry, index uint64) (o raft.Entry) {
	if e.Index != index {
		odd("the entry at index %d says that its index is %d", index, e.Index)
	}
	o.Term = small(e.Term)
	switch {
	case e.Type == pb.EntryConfChangeV2 && raft.Membership:
		ch := a.change(e)
		for k := range o.Change {
			o.Change[k] = ch
		}
	case e.Type != pb.EntryNormal || len(e.Data) > 1:
		odd("the entry at index %d is of type %s with %d bytes of data", index, e.Type, len(e.Data))
	case len(e.Data) == 1:
		o.Value = e.Data[0]
	}
	return o
}

// change returns the configuration change in an entry. Those that were decoded before are
// remembered: entries do not change.
func (a *adapter) change(e pb.Entry) raft.Change {
	if ch, ok := a.changes[string(e.Data)]; ok {
		return ch
	}
	var cc pb.ConfChangeV2
	if err := cc.Unmarshal(e.Data); err != nil {
		odd("the configuration change at index %d cannot be read: %v", e.Index, err)
	}
	ch := changeOf(&cc)
	a.changes[string(e.Data)] = ch
	return ch
}

func changeOf(cc *pb.ConfChangeV2) (ch raft.Change) {
	for _, c := range cc.Changes {
		i := serverOf(c.NodeID)
		switch c.Type {
		case pb.ConfChangeAddNode:
			ch.Kind = raft.Simple
			ch.Add.Add(i)
		case pb.ConfChangeRemoveNode:
			ch.Kind = raft.Simple
			ch.Remove.Add(i)
		case pb.ConfChangeAddLearnerNode:
			ch.Kind = raft.Learn
			ch.Add.Add(i)
		default:
			odd("a configuration change of type %s", c.Type)
		}
	}
	switch {
	case len(cc.Changes) == 0:
		ch.Kind = raft.LeaveJoint
	case len(cc.Changes) > 1 && cc.Transition == pb.ConfChangeTransitionJointExplicit:
		ch.Kind = raft.JointManual
	case len(cc.Changes) > 1:
		ch.Kind = raft.JointAuto
	}
	return ch
}

// changeFor returns a change as the library is asked for it.
func changeFor(ch raft.Change) *pb.ConfChangeV2 {
	cc := &pb.ConfChangeV2{}
	add := func(t pb.ConfChangeType, set raft.Set) {
		for j := range raft.Server(raft.Servers) {
			if set.Has(j) {
				cc.Changes = append(cc.Changes, pb.ConfChangeSingle{Type: t, NodeID: id(j)})
			}
		}
	}
	if ch.Kind == raft.Learn {
		add(pb.ConfChangeAddLearnerNode, ch.Add)
		return cc
	}
	add(pb.ConfChangeAddNode, ch.Add)
	add(pb.ConfChangeRemoveNode, ch.Remove)
	if ch.Kind == raft.JointManual {
		cc.Transition = pb.ConfChangeTransitionJointExplicit
	}
	return cc
}

// kindOf returns the specification's kind of a message, 0 where it has none.
func kindOf(t pb.MessageType) raft.Kind {
	switch t {
	case pb.MsgVote:
		return raft.MsgVote
	case pb.MsgVoteResp:
		return raft.MsgVoteResp
	case pb.MsgApp:
		return raft.MsgApp
	case pb.MsgAppResp:
		return raft.MsgAppResp
	case pb.MsgHeartbeat:
		return raft.MsgHeartbeat
	case pb.MsgHeartbeatResp:
		return raft.MsgHeartbeatResp
	case pb.MsgReadIndex:
		return raft.MsgReadIndex
	case pb.MsgReadIndexResp:
		return raft.MsgReadIndexResp
	case pb.MsgPreVote:
		return raft.MsgPreVote
	case pb.MsgPreVoteResp:
		return raft.MsgPreVoteResp
	case pb.MsgTimeoutNow:
		return raft.MsgTimeoutNow
	case pb.MsgSnap:
		return raft.MsgSnap
	}
	odd("a message of type %s, which the specification does not have", t)
	return 0
}

// message returns a message with all its fields. Fields that the specification has no place for
// must be empty.
func (a *adapter) message(m pb.Message) raft.Msg {
	o := raft.Msg{
		Kind: kindOf(m.Type), Term: small(m.Term), Index: small(m.Index), LogTerm: small(m.LogTerm),
		Commit: small(m.Commit), Reject: m.Reject, RejectHint: small(m.RejectHint), Context: contextOf(m),
	}
	if len(m.Entries) > 1 && (len(m.Entries) > raft.MaxBatch || o.Kind != raft.MsgApp) {
		odd("a %s with %d entries", m.Type, len(m.Entries))
	}
	if len(m.Entries) > 0 {
		switch o.Kind {
		case raft.MsgApp:
			o.Entry = a.entry(m.Entries[0], m.Index+1)
			for x := range o.More {
				for k, e := range m.Entries[1:] {
					o.More[x].Append(a.entry(e, m.Index+uint64(k)+2))
				}
			}
		case raft.MsgReadIndex, raft.MsgReadIndexResp:
			o.Context = a.readOf(m.Entries[0].Data)
		default:
			odd("a %s with an entry", m.Type)
		}
	}
	if o.Kind != raft.MsgSnap {
		if !etcd.IsEmptySnap(m.Snapshot) {
			odd("a %s with a snapshot", m.Type)
		}
		return o
	}
	o.Index, o.LogTerm = small(m.Snapshot.Metadata.Index), small(m.Snapshot.Metadata.Term)
	for k := range o.Snap {
		o.Snap[k] = body(&m.Snapshot)
	}
	return o
}

// contextOf returns the context of a heartbeat or of a request for a vote.
func contextOf(m pb.Message) uint8 {
	switch t := m.Type; {
	case len(m.Context) == 0:
		return 0
	case len(m.Context) == 1 && (t == pb.MsgHeartbeat || t == pb.MsgHeartbeatResp):
		return m.Context[0]
	case t == pb.MsgVote && string(m.Context) == "CampaignTransfer":
		return raft.ByTransfer
	}
	odd("a %s with the context %q", m.Type, m.Context)
	return 0
}

// readOf returns the number of a read by its context.
func (a *adapter) readOf(context []byte) uint8 {
	if len(context) != 1 || context[0] == 0 || int(context[0]) > raft.MaxReads {
		odd("a read with the context %q", context)
	}
	return context[0] - 1
}

// body returns what a snapshot contains.
func body(s *pb.Snapshot) (b raft.Body) {
	if len(s.Data) == 1 {
		b.Value = s.Data[0]
	}
	for k := range b.Conf {
		b.Conf[k] = confOf(&s.Metadata.ConfState)
	}
	return b
}
