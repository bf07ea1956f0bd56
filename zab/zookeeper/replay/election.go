//go:build !multigrain_runtime

package replay

import (
	"context"
	"fmt"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// Election at its baseline. The network keeps notifications. QuorumPeer rests before it waits for
// one. A step delivers a notification to the threads that receive, or releases QuorumPeer: then it
// handles the first of its queue, or its wait ends with none.
//
// A server sends its vote to itself, too, and counts it when it takes that from its queue. The
// specification counts it at once. So a server's own vote counts as what it proposes, and its own
// notifications are left out of its queue. Where others come before one of them, the server reaches
// its quorum some notifications later than the specification. Meanwhile the specification drops
// what is no better vote, and the server keeps it in recvset, where it decides nothing: proposals
// only grow. Such votes are left out.

// ofElection are the variables that are compared with Election at its baseline.
var ofElection = []string{"CurrentVote", "LogicalClock", "ReceiveVotes", "OutOfElection", "RecvQueue", "InElection", "WaitNotmsg", "ElectionMsgs"}

// lookForLeader lets a server begin an election.
func lookForLeader(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	a.voted.Add(i)
	a.dropped[i] = map[place]dropped{}
	a.makesVotes(s, i)
	if err := a.moves(ctx, i, control.Election, control.Poll); err != nil {
		return err
	}
	return a.takeOwn(ctx, i, true)
}

// receive lets the threads of I that receive take a notification of J.
func receive(a *adapter, _ context.Context, s step) error {
	p := s.Params.(zab.Pair)
	return a.ensemble.Network.DeliverVote(int(p.J)+1, int(p.I)+1)
}

// waitInVain lets a server's wait end without a notification. A server that keeps a notification
// for each of the others makes no new one: it tries to connect (FastLeaderElection.lookForLeader).
func waitInVain(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	sent := a.ensemble.Network.HaveDelivered(int(i) + 1)
	a.makesVotes(s, i)
	if err := a.moves(ctx, i, control.Poll, control.Poll); err != nil {
		return err
	}
	return a.takeOwn(ctx, i, sent)
}

// makesVotes says to the network that a server makes notifications in a step. Those for servers
// that it does not reach are lost.
func (a *adapter) makesVotes(s step, i zab.Server) {
	for j := range zab.Server(zab.Servers) {
		if j != i {
			a.ensemble.Network.MakesVote(int(i)+1, int(j)+1, !s.Before.ElectionMsgs.IsCut(i, j))
		}
	}
}

// handle lets a server handle the first notification of its queue.
func handle(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	a.better.Remove(i)
	sent := s.After.State[i] == zab.LOOKING &&
		(s.After.CurrentVote[:][i] != s.Before.CurrentVote[:][i] || s.After.LogicalClock[:][i] != s.Before.LogicalClock[:][i])
	if sent {
		a.makesVotes(s, i)
	}
	if s.Action == zab.FLEHandleNotmsg.Name {
		a.restore(s, i)
	}
	if err := a.releaseVoter(i); err != nil {
		return err
	}
	if err := a.votes(ctx, s, i); err != nil || s.After.State[i] != zab.LOOKING {
		return err
	}
	return a.takeOwn(ctx, i, sent)
}

// skip lets a server that waits for a better vote take the first notification of its queue.
func skip(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	stop := a.node(i).Peer()
	if stop == nil || stop.Point.Place != control.Poll {
		return handle(a, ctx, s) // it waits, too
	}
	if !s.After.WaitNotmsg[:][i] {
		a.better.Add(i)
		return nil
	}
	source := int(s.Before.RecvQueue[:][i].At(1).Source) + 1
	before, err := a.memory(i)
	if err != nil {
		return err
	}
	if err := handle(a, ctx, s); err != nil {
		return err
	}
	after, err := a.memory(i)
	if err != nil {
		return err
	}
	for _, at := range []place{{false, source}, {true, source}} {
		if b, ok := at.in(after.Election); ok {
			shown, some := at.in(before.Election)
			if d, ok := a.dropped[i][at]; ok && d.kept == shown { // dropped, too
				shown, some = d.shown, d.some
			}
			a.dropped[i][at] = dropped{kept: b, shown: shown, some: some}
		}
	}
	return nil
}

// place is where a server keeps the vote of another one: in recvset, or in outofelection.
type place struct {
	outside bool
	sender  int
}

// in returns the vote that a server has there.
func (p place) in(e *control.ElectionMemory) (b control.Ballot, some bool) {
	if p.outside {
		b, some = e.Outside[p.sender]
	} else {
		b, some = e.Received[p.sender]
	}
	return b, some
}

// dropped is a vote that the specification has dropped, and what it has there.
type dropped struct {
	kept, shown control.Ballot
	some        bool // shown is a vote
}

// votesAt returns what the specification has of votes that a server keeps.
func (a *adapter) votesAt(i zab.Server, e *control.ElectionMemory, outside bool) map[zab.Server]control.Ballot {
	out := map[zab.Server]control.Ballot{}
	for j := range zab.Server(zab.Servers) {
		at := place{outside, int(j) + 1}
		b, some := at.in(e)
		if d, ok := a.dropped[i][at]; ok && some && d.kept == b {
			b, some = d.shown, d.some
		}
		if some {
			out[j] = b
		}
	}
	return out
}

// restore ends the masking of a dropped vote once the specification records it.
func (a *adapter) restore(s step, i zab.Server) {
	m := s.Before.RecvQueue[:][i].At(1)
	at := place{sender: int(m.Source) + 1}
	for _, set := range []*zab.Ballots{&s.After.ReceiveVotes[:][i], &s.After.OutOfElection[:][i]} {
		if set.Has(m.Source) && set.At(m.Source) == (zab.Ballot{Vote: m.Vote, Round: m.Round, State: m.State}) {
			delete(a.dropped[i], at)
		}
		at.outside = true
	}
}

// putsLast reports whether a server puts a better vote after others in its queue. One that has not
// counted its own vote yet handles the better one instead: see Election above.
func putsLast(s step) bool {
	p, ok := s.Params.(zab.One)
	return ok && s.Action == zab.FLEWaitNewNotmsg.Name && !s.After.WaitNotmsg[:][p.I] && s.Before.RecvQueue[:][p.I].Len() > 1
}

// leave lets a server with a quorum wait in vain for a better vote, and lead or follow.
func leave(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	if err := a.rests(ctx, i, control.Finalize); err != nil {
		return err
	}
	if err := a.releaseVoter(i); err != nil {
		return err
	}
	return a.votes(ctx, s, i)
}

// releaseVoter releases a server that waits for a notification.
func (a *adapter) releaseVoter(i zab.Server) error {
	stop := a.node(i).Peer()
	if stop == nil || stop.Point.Place != control.Poll && stop.Point.Place != control.Finalize {
		return fmt.Errorf("the QuorumPeer of server %d does not wait for a notification", i)
	}
	return stop.Release()
}

// votes waits until a server that looked for a leader rests, as what it is after the step.
func (a *adapter) votes(ctx context.Context, s step, i zab.Server) error {
	switch s.After.State[i] {
	case zab.LEADING:
		return a.turnsToLeading(ctx, i)
	case zab.FOLLOWING:
		return a.rests(ctx, i, a.followerRests())
	}
	return a.ensemble.Await(ctx, func() (bool, error) {
		stop := a.node(i).Peer()
		return stop != nil, a.node(i).Err()
	})
}

// followerRests returns where a follower rests that has just elected its leader.
func (a *adapter) followerRests() control.Place {
	if a.discovery {
		return control.Connect
	}
	return control.Read
}

// takeOwn lets a server take its own notification from its queue where it is the first, and before
// that wait for it if it was sent.
func (a *adapter) takeOwn(ctx context.Context, i zab.Server, sent bool) error {
	own := func() (first, some bool, err error) {
		m, err := a.memory(i)
		if err != nil || m == nil {
			return false, false, err
		}
		for k, b := range m.Election.Queue {
			if b.Sender == int(i)+1 {
				return k == 0, true, nil
			}
		}
		return false, false, nil
	}
	if sent {
		err := a.ensemble.Await(ctx, func() (bool, error) {
			_, some, err := own()
			return some, err
		})
		if err != nil {
			return fmt.Errorf("the vote of server %d to itself: %w", i, err)
		}
	}
	for {
		first, _, err := own()
		if !first || err != nil {
			return err
		}
		if err := a.releaseVoter(i); err != nil {
			return err
		}
		err = a.ensemble.Await(ctx, func() (bool, error) { return a.node(i).Peer() != nil, a.node(i).Err() })
		if err != nil {
			return err
		}
	}
}

// observeElection reads what a server knows of elections.
func (a *adapter) observeElection(s *zab.State, i zab.Server, m *control.Memory) {
	e, stop := m.Election, a.node(i).Peer()
	s.LogicalClock[:][i] = number(e.Round)
	inElection := stop != nil && (stop.Point.Place == control.Poll || stop.Point.Place == control.Finalize)
	if a.voted.Has(i) { // its first vote is not made in an election, and nobody reads it
		s.CurrentVote[:][i] = a.vote(e.Current)
	}
	uncounted := false
	for _, b := range e.Queue {
		uncounted = uncounted || b.Sender == int(i)+1
		if b.Sender != int(i)+1 && s.State[i] == zab.LOOKING {
			s.RecvQueue[:][i].Append(a.notification(b))
		}
	}
	if !inElection {
		return
	}
	s.InElection[:][i] = true
	s.WaitNotmsg[:][i] = stop.Point.Place == control.Finalize
	s.CurrentVote[:][i] = a.vote(e.Proposed)
	e.Received[int(i)+1] = e.Proposed
	for j, b := range a.votesAt(i, e, false) {
		s.ReceiveVotes[:][i].Put(j, a.ballot(b))
	}
	if uncounted && !a.better.Has(i) {
		agree := zab.Set(0)
		for k := range zab.Server(zab.Servers) {
			if votes := &s.ReceiveVotes[:][i]; votes.Has(k) && votes.At(k) == a.ballot(e.Proposed) {
				agree.Add(k)
			}
		}
		s.WaitNotmsg[:][i] = agree.IsQuorum(zab.Servers)
	}
	for j, b := range a.votesAt(i, e, true) {
		s.OutOfElection[:][i].Put(j, a.ballot(b))
	}
}

// observeVotes reads the notifications in flight. Servers that do not run, or are disconnected,
// have no connection.
func (a *adapter) observeVotes(s *zab.State) {
	for i := range zab.Server(zab.Servers) {
		for j := range zab.Server(zab.Servers) {
			if !s.Status.Has(i) || !s.Status.Has(j) || s.Msgs.IsCut(i, j) {
				s.ElectionMsgs.Cut(i, j)
				continue
			}
			if i == j {
				continue
			}
			for _, p := range a.ensemble.Network.KeptVotes(int(i)+1, int(j)+1) {
				s.ElectionMsgs.Send(i, j, a.notification(ballotOf(int(i)+1, &p)))
			}
		}
	}
}

// states are the server states by their numbers in notifications.
var states = []string{"LOOKING", "FOLLOWING", "LEADING", "OBSERVING"}

func ballotOf(sender int, p *zookeeper.Packet) control.Ballot {
	v := p.Vote
	return control.Ballot{Sender: sender, Leader: int(v.Leader), Zxid: p.Zxid, Epoch: v.PeerEpoch, Round: v.Round, State: states[v.State]}
}

func (a *adapter) vote(b control.Ballot) zab.Vote {
	return zab.Vote{Leader: zab.Server(b.Leader - 1), Zxid: a.zxid(b.Zxid), Epoch: a.epoch(b.Epoch)}
}

func (a *adapter) ballot(b control.Ballot) zab.Ballot {
	return zab.Ballot{Vote: a.vote(b), Round: number(b.Round), State: named(serverStates, b.State)}
}

func (a *adapter) notification(b control.Ballot) zab.Notification {
	return zab.Notification{Kind: zab.NOTIFICATION, Source: zab.Server(b.Sender - 1), State: named(serverStates, b.State),
		Round: number(b.Round), Vote: a.vote(b)}
}
