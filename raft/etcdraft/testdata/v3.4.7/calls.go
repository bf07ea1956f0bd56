// Code generated from raft/etcdraft/calls.go by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.

//go:build !multigrain_runtime

package etcdraft

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	etcd "go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/raft"
)

type step = conform.Step[raft.State]

// calls maps the actions of package raft to calls of the library. Coarse actions have no calls,
// except those that are sequences of the baseline's.
var calls = map[string]func(a *adapter, s step) error{
	"Timeout": at1(func(x *server) error { return x.node.Campaign() }),
	"Beat":    at1(func(x *server) error { return x.local(pb.MsgBeat) }),
	"Elapse": at1(func(x *server) error {
		for range electionTick {
			x.node.TickQuiesced()
		}
		return nil
	}),
	"CheckActive":       at1(func(x *server) error { return x.local(pb.MsgCheckQuorum) }),
	"Win":               win,
	"Exchange":          exchange,
	"Transfer":          transfer,
	"Propose":           propose,
	"ProposeChange":     proposeChange,
	"ProposeLearner":    proposeLearner,
	"ProposeDemotion":   proposeLearner,
	"ProposeLeave":      at1(func(x *server) error { return x.node.ProposeConfChange(&pb.ConfChangeV2{}) }),
	"ReadIndex":         readIndex,
	"RetryRead":         retryRead,
	"ReuseRead":         reuseRead,
	"AnswerRead":        answerRead,
	"Apply":             apply,
	"Compact":           compact,
	"Restart":           restart,
	"Cut":               cut,
	"Heal":              heal,
	"Drop":              drop,
	"Duplicate":         duplicate,
	"ReportUnreachable": report(func(x *server, to uint64) { x.node.ReportUnreachable(to) }),
	"ReportFinish":      report(func(x *server, to uint64) { x.node.ReportSnapshot(to, etcd.SnapshotFinish) }),
	"ReportFailure":     report(func(x *server, to uint64) { x.node.ReportSnapshot(to, etcd.SnapshotFailure) }),

	"HandleVote": deliver, "HandleVoteResp": deliver, "HandlePreVote": deliver, "HandlePreVoteResp": deliver, "HandleTimeoutNow": deliver,
	"HandleApp": deliver, "HandleAppResp": deliver, "HandleHeartbeat": deliver, "HandleHeartbeatResp": deliver, "HandleSnap": deliver,
	"HandleReadIndex": deliver, "HandleReadIndexResp": deliver,
}

// at1 returns a function that calls the acting server and then does what Ready asks for. The
// function's error is the library's.
func at1(call func(x *server) error) func(a *adapter, s step) error {
	return func(a *adapter, s step) error {
		i := s.Params.(raft.One).I
		if err := call(a.servers[i]); err != nil {
			return fmt.Errorf("the library refuses it: %w", err)
		}
		return a.drain(i)
	}
}

// local steps a message of the library's own clock, as its ticks do: RawNode.Step lets none pass.
func (x *server) local(t pb.MessageType) error {
	r := at[unsafe.Pointer](unsafe.Pointer(x.node), inside.raft)
	return at[func(unsafe.Pointer, pb.Message) error](r, inside.step)(r, pb.Message{Type: t, From: at[uint64](r, inside.id)})
}

// report returns a function that tells a leader what became of a message to another server.
func report(call func(x *server, to uint64)) func(a *adapter, s step) error {
	return func(a *adapter, s step) error {
		p := s.Params.(raft.Pair)
		call(a.servers[p.I], id(p.J))
		return a.drain(p.I)
	}
}

// deliver steps a message in flight.
func deliver(a *adapter, s step) error { return a.deliverAt(s.Params.(raft.At)) }

// deliverAt steps the message at p. It returns the library's refusal, and an error if there is no
// message.
func (a *adapter) deliverAt(p raft.At) error {
	if len(a.net[p.J][p.I]) < int(p.K) {
		return fmt.Errorf("the library has sent no message from %d to %d that could be delivered", p.J, p.I)
	}
	m := a.take(p)
	if a.out != nil {
		a.say("server %d gets %s", p.I, etcd.DescribeMessage(m, nil))
	}
	if err := a.servers[p.I].node.Step(copyOf(m)); err != nil && !errors.Is(err, etcd.ErrStepPeerNotFound) {
		return fmt.Errorf("the library refuses the message: %w", err)
	}
	return a.drain(p.I)
}

// win makes a server the leader: what it sends to its voters and they to it is delivered.
func win(a *adapter, s step) error {
	p := s.Params.(raft.Party)
	if err := a.servers[p.I].node.Campaign(); err != nil {
		return fmt.Errorf("the library refuses it: %w", err)
	}
	if err := a.drain(p.I); err != nil {
		return err
	}
	for _, there := range [2]bool{true, false} {
		for j := range raft.Server(raft.Servers) {
			at := raft.At{I: p.I, J: j, K: 1}
			if there {
				at = raft.At{I: j, J: p.I, K: 1}
			}
			if j == p.I || !p.S.Has(j) {
				continue
			}
			if err := a.deliverAt(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// exchange delivers an append, and the answers to it that come next.
func exchange(a *adapter, s step) error {
	p := s.Params.(raft.At)
	if err := a.deliverAt(p); err != nil {
		return err
	}
	for q := &a.net[p.I][p.J]; len(*q) > 0 && (*q)[0].Type == pb.MsgAppResp; {
		if err := a.deliverAt(raft.At{I: p.J, J: p.I, K: 1}); err != nil {
			return err
		}
	}
	return nil
}

func transfer(a *adapter, s step) error {
	p := s.Params.(raft.Pair)
	a.servers[p.I].node.TransferLeader(id(p.J))
	return a.drain(p.I)
}

func propose(a *adapter, s step) error {
	i := s.Params.(raft.One).I
	if err := a.servers[i].node.Propose([]byte{s.After.Proposed}); err != nil {
		return fmt.Errorf("the library refuses the command: %w", err)
	}
	return a.drain(i)
}

// proposeChange asks for the voters of the step, by the change that leads there from those that the
// server has.
func proposeChange(a *adapter, s step) error {
	p := s.Params.(raft.Party)
	have := s.Before.Conf[:][p.I].Voters
	ch := raft.Change{Kind: raft.Simple, Add: p.S.Minus(have), Remove: have.Minus(p.S)}
	if raft.ByConsensus == "joint-manual" && ch.Add.Len()+ch.Remove.Len() > 1 {
		ch.Kind = raft.JointManual
	}
	return a.change1(p.I, ch)
}

func proposeLearner(a *adapter, s step) error {
	p := s.Params.(raft.Pair)
	return a.change1(p.I, raft.Change{Kind: raft.Learn, Add: raft.Set(0).With(p.J)})
}

func (a *adapter) change1(i raft.Server, ch raft.Change) error {
	if err := a.servers[i].node.ProposeConfChange(changeFor(ch)); err != nil {
		return fmt.Errorf("the library refuses the change: %w", err)
	}
	return a.drain(i)
}

// readIndex asks for a read, whose number is its context.
func readIndex(a *adapter, s step) error {
	i := s.Params.(raft.One).I
	for k := range a.own.Reads {
		if a.own.Reads[k].Phase == raft.Unused {
			a.own.Reads[k] = raft.Read{Server: i, Phase: raft.Asked, Floor: s.After.Reads[k].Floor}
			a.clients.floors[:][k] = a.clients.newest
			a.servers[i].node.ReadIndex([]byte{uint8(k) + 1})
			return a.drain(i)
		}
	}
	return errors.New("there are no more reads")
}

// retryRead asks once more for a read, with the same context.
func retryRead(a *adapter, s step) error {
	k := s.Params.(raft.ID).ID
	i := a.own.Reads[:][k].Server
	a.servers[i].node.ReadIndex([]byte{k + 1})
	return a.drain(i)
}

// reuseRead asks for another read with the context of one that was answered.
func reuseRead(a *adapter, s step) error {
	k := s.Params.(raft.ID).ID
	i := a.own.Reads[:][k].Server
	a.own.Reads[:][k] = raft.Read{Server: i, Phase: raft.Asked, Floor: s.After.Reads[:][k].Floor}
	a.clients.floors[:][k] = a.clients.newest
	a.servers[i].node.ReadIndex([]byte{k + 1})
	return a.drain(i)
}

// indexed notes that the library has confirmed a read.
func (a *adapter) indexed(i raft.Server, r etcd.ReadState) {
	k := a.readOf(r.RequestCtx)
	read := &a.own.Reads[:][k]
	if read.Phase != raft.Asked {
		return // confirmed twice, or lost
	}
	if read.Server != i {
		odd("server %d confirms read %d, which server %d was asked for", i, k, read.Server)
	}
	read.Phase, read.Index = raft.Indexed, small(r.Index)
}

// answerRead does what the application does with a confirmed read: it answers with the value of its
// register. It returns nil.
func answerRead(a *adapter, s step) error {
	read := &a.own.Reads[:][s.Params.(raft.ID).ID]
	read.Phase, read.Value, read.Index = raft.Answered, a.servers[read.Server].register, 0
	a.clients.newest = max(a.clients.newest, read.Value)
	return nil
}

func apply(a *adapter, s step) error {
	i := s.Params.(raft.One).I
	if !a.applyAll(i) {
		return errors.New("the library has nothing to apply")
	}
	return a.drain(i)
}

// compact takes a snapshot of what is applied, with the register as its data.
func compact(a *adapter, s step) error {
	i := s.Params.(raft.One).I
	x := a.servers[i]
	applied := at[uint64](x.insides().log, inside.applied)
	if _, err := x.storage.CreateSnapshot(applied, x.conf, []byte{x.register}); err != nil {
		return fmt.Errorf("CreateSnapshot: %w", err)
	}
	if err := x.storage.Compact(applied); err != nil {
		return fmt.Errorf("compacting the storage: %w", err)
	}
	return a.drain(i)
}

// restart forgets all of a server but its storage.
func restart(a *adapter, s step) error {
	i := s.Params.(raft.One).I
	for k := range a.own.Reads {
		if r := &a.own.Reads[k]; r.Server == i && (r.Phase == raft.Asked || r.Phase == raft.Indexed) {
			*r = raft.Read{Server: i, Phase: raft.Lost}
		}
	}
	if raft.Network == "tcp" {
		for j := range raft.Server(raft.Servers) {
			a.lose(i, j)
			a.lose(j, i)
		}
	}
	a.start(i, a.servers[i].storage)
	return a.drain(i)
}

// lose loses what is in flight over TCP.
func (a *adapter) lose(i, j raft.Server) {
	a.own.Stream.Clear(i, j)
	a.net[i][j] = a.net[i][j][:0]
}

func cut(a *adapter, s step) error {
	p := s.Params.(raft.Pair)
	for _, way := range [2]raft.Pair{p, {I: p.J, J: p.I}} {
		if raft.Network == "tcp" {
			a.lose(way.I, way.J)
			a.own.Stream.Cut(way.I, way.J)
		} else {
			a.own.Bag.Cut(way.I, way.J)
		}
	}
	return nil
}

func heal(a *adapter, s step) error {
	p := s.Params.(raft.Pair)
	for _, way := range [2]raft.Pair{p, {I: p.J, J: p.I}} {
		if raft.Network == "tcp" {
			a.own.Stream.Mend(way.I, way.J)
		} else {
			a.own.Bag.Mend(way.I, way.J)
		}
	}
	return nil
}

func drop(a *adapter, s step) error {
	a.take(s.Params.(raft.At))
	return nil
}

func duplicate(a *adapter, s step) error {
	p := s.Params.(raft.At)
	q := &a.net[p.J][p.I]
	a.own.Bag.Duplicate(p.J, p.I, int(p.K))
	*q = slices.Insert(*q, int(p.K), (*q)[p.K-1])
	return nil
}

// applyAll applies the entries that wait at server i. It reports whether there were some.
func (a *adapter) applyAll(i raft.Server) bool {
	x := a.servers[i]
	if !x.node.HasReady() {
		return false
	}
	waiting := x.node.Ready().CommittedEntries
	if len(waiting) == 0 {
		return false
	}
	for _, e := range waiting {
		switch {
		case e.Type == pb.EntryConfChangeV2:
			var cc pb.ConfChangeV2
			if err := cc.Unmarshal(e.Data); err != nil {
				odd("the configuration change at index %d cannot be read: %v", e.Index, err)
			}
			x.conf = x.node.ApplyConfChange(cc)
		case len(e.Data) > 0:
			x.register = small(e.Index)
			// A leader answers its clients.
			in := x.insides()
			leads := at[etcd.StateType](in.raft, inside.state) == etcd.StateLeader
			if leads && at[uint64](in.raft, inside.term) == e.Term {
				a.clients.newest = max(a.clients.newest, x.register)
			}
		}
	}
	x.node.Advance(etcd.Ready{CommittedEntries: waiting})
	return true
}
