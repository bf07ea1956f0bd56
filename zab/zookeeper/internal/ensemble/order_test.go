package ensemble_test

import (
	"errors"
	"fmt"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// order compares decoded packets with the order that the protocol prescribes. It is a test of the
// decoder, and knows nothing of what a server may decide.
type order struct {
	count map[zookeeper.Type]int
	conns map[uint64]*flow
	// txns are all that were proposed: the same zxid means the same transaction.
	txns  map[zookeeper.Zxid]zookeeper.TxnHeader
	wrong int
}

// flow is a connection to the quorum port.
type flow struct {
	// the last packet but PING, REQUEST and REVALIDATE
	learner, leader                    zookeeper.Type
	newEpoch, proposed, committed, ack zookeeper.Zxid
	outstanding                        []zookeeper.Zxid
	synced, acked, upToDate            bool
}

func newOrder() *order {
	return &order{count: map[zookeeper.Type]int{}, conns: map[uint64]*flow{}, txns: map[zookeeper.Zxid]zookeeper.TxnHeader{}}
}

func (o *order) event(e *zookeeper.Event) error {
	switch e.What {
	case zookeeper.EventBlind, zookeeper.EventDropped:
		return errors.New(e.What)
	case zookeeper.EventClosed:
		if e.Reason == "inside of a packet" {
			return nil // its sender was killed
		}
	case zookeeper.EventOpen:
		o.conns[e.Conn] = &flow{}
	case zookeeper.EventPacket:
		o.count[e.Packet.Type]++
		if e.Packet.Odd != "" {
			return errors.New(e.Packet.Odd)
		}
		return o.packet(o.conns[e.Conn], &e.Packet)
	}
	return nil
}

func (o *order) packet(f *flow, p *zookeeper.Packet) error {
	want := func(ok bool, what string) error {
		if !ok {
			return fmt.Errorf("%s: learner sent %s, leader %s; epoch %s, proposed %s, committed %s, acknowledged %s", what, f.learner, f.leader,
				f.newEpoch, f.proposed, f.committed, f.ack)
		}
		return nil
	}
	learner, leader := f.learner, f.leader
	switch p.Type {
	case zookeeper.FOLLOWERINFO:
		f.learner = p.Type
		return want(learner == 0 && leader == 0 && p.Zxid.Counter() == 0, "first")
	case zookeeper.LEADERINFO:
		f.leader, f.newEpoch = p.Type, p.Zxid
		return want(learner == zookeeper.FOLLOWERINFO && leader == 0 && p.Zxid.Counter() == 0 && p.Protocol == 0x10000, "answers FOLLOWERINFO")
	case zookeeper.ACKEPOCH:
		f.learner = p.Type
		return want(learner == zookeeper.FOLLOWERINFO && leader == zookeeper.LEADERINFO && (p.CurrentEpoch < 0 || p.Zxid < f.newEpoch), "answers LEADERINFO")
	case zookeeper.DIFF, zookeeper.TRUNC, zookeeper.SNAP:
		f.leader, f.proposed = p.Type, p.Zxid
		if p.Type != zookeeper.TRUNC {
			// DIFF has the zxid of the last one that follows. A snapshot may hold some of those
			// that follow: it is written while the leader continues.
			f.proposed = -1
		}
		return want(learner == zookeeper.ACKEPOCH && leader == zookeeper.LEADERINFO, "answers ACKEPOCH")
	case zookeeper.SNAPSHOT:
		f.leader = p.Type
		return want(leader == zookeeper.SNAP && p.Snapshot.Nodes >= 4, "follows SNAP")
	case zookeeper.PROPOSAL:
		return o.proposal(f, p, want)
	case zookeeper.COMMIT:
		ok := len(f.outstanding) > 0 && f.outstanding[0] == p.Zxid
		if ok {
			f.outstanding = f.outstanding[1:]
		}
		f.committed = p.Zxid
		return want(ok, "commits what was proposed, in order")
	case zookeeper.NEWLEADER:
		f.leader, f.synced = p.Type, true
		return want(leader != zookeeper.SNAP && leader != zookeeper.LEADERINFO && p.Zxid == f.newEpoch && p.DataLen > 0, "ends the synchronisation")
	case zookeeper.UPTODATE:
		ok := f.synced && f.acked && !f.upToDate
		f.leader, f.upToDate = p.Type, true
		return want(ok && p.Zxid == -1, "answers ACK of NEWLEADER")
	case zookeeper.ACK:
		// The thread that logs may acknowledge a proposal before another one acknowledges NEWLEADER
		// (ZOOKEEPER-4685). The leader takes the first ACK for that of NEWLEADER, and continues if
		// a quorum has acknowledged before.
		f.learner, f.acked = p.Type, true
		if p.Zxid == f.newEpoch {
			return want(f.synced, "answers NEWLEADER or UPTODATE")
		}
		ok := p.Zxid > f.ack && p.Zxid <= f.proposed
		f.ack = p.Zxid
		return want(ok, "acknowledges what was proposed, in order")
	}
	return nil
}

func (o *order) proposal(f *flow, p *zookeeper.Packet, want func(bool, string) error) error {
	ok := f.leader != 0 && f.leader != zookeeper.LEADERINFO && f.leader != zookeeper.SNAP && p.Zxid > f.proposed && p.Txn.Zxid == p.Zxid
	f.proposed = p.Zxid
	f.outstanding = append(f.outstanding, p.Zxid)
	if t, known := o.txns[p.Zxid]; known && t != p.Txn {
		return fmt.Errorf("another transaction has zxid %s: %+v", p.Zxid, t)
	}
	o.txns[p.Zxid] = p.Txn
	return want(ok, "a proposal, in order")
}
