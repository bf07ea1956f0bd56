package etcdserver

import (
	"fmt"
	"slices"
	"strings"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// Stream turns the messages that one member sends and receives into events in the words of package
// raft.
//
//   - Members are counted from 0, in the order of the tap's links.
//   - A command is proposed right before the first append of its leader that has it, since the
//     ports of clients are not tapped: input Propose, and for changes of members ProposeChange and
//     ProposeLearner. Entries of a term are proposed in their order. So events wait while an
//     append has an entry, and an earlier one of the same term was not seen.
//   - A leader is asked to hand over right before its MsgTimeoutNow: input Transfer.
//   - Streams of messages that begin or end are input Disconnect: between them messages may be lost
//     that the tap has not seen.
//   - Messages that come while no stream stands have no order with others: see Tap.SendBy.
//   - A member whose peer port refuses connections has ended, and starts again: event restart.
//   - Reads are left out, with the contexts of heartbeats. So are proposals that a follower passes
//     on: MsgProp changes nothing in the server that sends it.
//
// A leader appends entries in their order, so the one with which it begins its
// term is the first, and the others are proposals in the order of their indices.
type Stream struct {
	node    int
	to      *tap.Tap
	members map[uint64]int

	queue   []Event // what waits
	begun   bool    // the state in which the member started is stated
	blind   string  // why events are left out; "" while all is known
	since   uint64  // connections up to this one are those of a process that has ended
	variant string  // of the library that the member runs, as the stream states it

	leads map[uint64]*leadership // by term
	conf  members
}

// leadership holds the known facts of the term in which the member leads.
type leadership struct {
	last  uint64               // the entry up to which all are proposed; 0: none
	begin uint64               // the entry with which the term begins; 0: not seen
	known map[uint64]*pb.Entry // of the term, after last
}

// members are the voters and learners as the log has them, as sets of numbers from 1.
type members struct {
	index            uint64 // of the last change that is in it
	voters, learners []uint64
}

// mostWaiting is how many events wait for one that explains them.
const mostWaiting = 1 << 14

// NewStream returns the stream of the member with a number. It writes to a tap with
// Options.Messages, which End closes.
func NewStream(node int, to *tap.Tap) *Stream {
	return &Stream{node: node, to: to, leads: map[uint64]*leadership{}}
}

func (s *Stream) end() error {
	s.drain(true)
	return s.to.Close()
}

// take takes an event of any link.
func (s *Stream) take(e Event) {
	switch {
	case e.Kind == Down && e.Number != s.node:
		return
	case e.Kind == Sent && s.is(e.To) || e.Kind == Delivered && s.is(e.From):
		return
	}
	if e.Kind == Down {
		s.since = e.Conn
	}
	if e.Conn <= s.since && e.Kind != Down && e.Kind != Blind && s.about(&e) {
		return
	}
	if e.Kind == Sent && s.is(e.From) {
		s.note(e.Message)
	}
	if e.Stale {
		return
	}
	s.queue = append(s.queue, e)
	s.drain(len(s.queue) > mostWaiting)
}

// drain writes the events that wait for nothing. With force it writes all, and says what it does
// not know.
func (s *Stream) drain(force bool) {
	n := 0
	for ; n < len(s.queue); n++ {
		cause := s.waits(&s.queue[n])
		if cause != "" && !force {
			break
		}
		if cause != "" {
			s.begun = true
			s.lose(cause)
		}
		s.write(&s.queue[n])
	}
	s.queue = slices.Delete(s.queue, 0, n)
}

// is reports whether an identity is the member's own. It may be learned later.
func (s *Stream) is(id uint64) bool {
	number, ok := s.members[id]
	return ok && number == s.node
}

// about reports whether an event is about the member.
func (s *Stream) about(e *Event) bool {
	switch e.Kind {
	case Sent:
		return s.is(e.From)
	case Delivered:
		return s.is(e.To)
	case Attached, Detached:
		return s.is(e.From) || s.is(e.To)
	}
	return true
}

// waits returns what an event waits for; "" for nothing.
func (s *Stream) waits(e *Event) string {
	if e.From == 0 && e.To == 0 {
		return ""
	}
	for _, id := range [2]uint64{e.From, e.To} {
		if _, ok := s.members[id]; !ok {
			return fmt.Sprintf("member %x has sent or received messages, and no -link is before its peer port", id)
		}
	}
	if !s.about(e) {
		return ""
	}
	if !s.begun {
		return s.begins()
	}
	if e.Message == nil {
		return ""
	}
	if e.Kind == Sent && s.blind == "" {
		s.note(e.Message) // whose it is may not have been known before
		return s.unknown(e.Message)
	}
	return ""
}

// begins states the state in which the member starts, once its first messages show it.
//
// The first log of a cluster has an entry for each member, of term 1, and is committed. No later
// entry has term 1. So who campaigns with a last entry of term 1 has no other entries. raft's
// bootstrap.go; etcdserver/bootstrap.go. A log without entries is that of a member that joins.
func (s *Stream) begins() string {
	for k := range s.queue {
		e := &s.queue[k]
		m := e.Message
		if m == nil || !s.about(e) {
			continue
		}
		switch {
		case m.GetType() == pb.MsgPreVote && m.GetLogTerm() == 1 && m.GetTerm() == 2, m.GetType() == pb.MsgVote && m.GetLogTerm() == 1 && m.GetTerm() == 2:
			return s.bootstrapped(m.GetIndex())
		case e.Kind == Sent && m.GetType() == pb.MsgAppResp && m.GetReject() && m.GetRejectHint() == 0:
			s.start(raft.NewMemoryStorage())
			return ""
		case e.Kind == Sent && (m.GetType() == pb.MsgAppResp || m.GetType() == pb.MsgHeartbeat || m.GetType() == pb.MsgApp || m.GetType() == pb.MsgVote || m.GetType() == pb.MsgPreVote):
			s.begun = true
			s.lose("the tap began next to a member that ran already, so the member's state is not known")
			return ""
		}
	}
	return "the tap saw no message that shows the state in which the member started"
}

// bootstrapped states the state of a new cluster of n members.
func (s *Stream) bootstrapped(n uint64) string {
	var ids []uint64
	for id, number := range s.members {
		if number < int(n) {
			ids = append(ids, id)
		}
	}
	if uint64(len(ids)) < n {
		return fmt.Sprintf("the cluster began with %d members, and the links 0 to %d are those of %d", n, n-1, len(ids))
	}
	slices.Sort(ids)
	storage := raft.NewMemoryStorage()
	var entries []*pb.Entry
	for k, id := range ids {
		number := uint64(s.members[id] + 1)
		data, err := proto.Marshal(&pb.ConfChange{Type: pb.ConfChangeAddNode.Enum(), NodeId: &number})
		if err != nil {
			return err.Error()
		}
		s.conf.voters = append(s.conf.voters, number)
		entries = append(entries, &pb.Entry{Type: pb.EntryConfChange.Enum(), Term: new(uint64(1)), Index: new(uint64(k + 1)), Data: data})
	}
	s.conf.index = n
	if err := storage.Append(entries); err != nil {
		return err.Error()
	}
	if err := storage.SetHardState(&pb.HardState{Term: new(uint64(1)), Commit: &n, Vote: new(uint64(0))}); err != nil {
		return err.Error()
	}
	s.start(storage)
	return ""
}

func (s *Stream) start(storage raft.Storage) {
	if err := s.to.RestartFrom(storage, 0); err != nil {
		s.lose(err.Error())
	}
	s.begun = true
}

// lose says that the stream does not tell what the member does from here on, and why.
func (s *Stream) lose(cause string) {
	s.to.Missed(cause)
	s.blind = cause
}

// write writes an event.
func (s *Stream) write(e *Event) {
	if !s.about(e) || !s.begun {
		return
	}
	switch e.Kind {
	case Sent:
		s.send(e)
	case Delivered:
		s.receive(e)
	case Attached, Detached:
		s.linked(e)
	case Down:
		s.to.Restart()
	case Blind:
		s.lose(e.Cause)
	}
}

// linked notes that a stream begins or ends.
func (s *Stream) linked(e *Event) {
	peer := e.To
	if s.is(e.To) {
		peer = e.From
	}
	s.to.Disconnect(s.number(peer))
	if v := variants[minor(e.Version)]; s.is(e.From) && v != "" && v != s.variant {
		s.variant = v
		s.to.Variant(v)
	}
}

// variants are the versions of the library, by that of the server that requires them. Their names
// are values of the option "variant" of package raft.
var variants = map[string]string{"3.4": "v3.4.7", "3.5": "v3.5.35", "3.6": "v3.6.0", "3.7": "v3.7.0"}

// minor returns a version without its last number.
func minor(version string) string {
	return version[:max(strings.LastIndexByte(version, '.'), 0)]
}

// number returns the number of a member as package tap counts, from 1.
func (s *Stream) number(id uint64) uint64 { return uint64(s.members[id] + 1) }

func (s *Stream) send(e *Event) {
	m, bad := s.translate(e)
	if m == nil && bad == "" {
		return
	}
	if bad != "" {
		s.lose(bad)
		return
	}
	switch m.GetType() {
	case pb.MsgApp:
		s.propose(m)
	case pb.MsgTimeoutNow:
		s.to.TransferLeader(m.GetTo())
	}
	switch {
	case e.Single:
		s.to.SendBy(FirstSingle, m)
	case m.GetType() == pb.MsgApp && !e.Appends:
		s.to.SendBy(AppendsOutside, m)
	default:
		s.to.Send(m)
	}
}

func (s *Stream) receive(e *Event) {
	m, bad := s.translate(e)
	switch {
	case bad != "":
		s.lose(bad)
	case m == nil:
		return
	}
	s.changes(m.GetEntries())
	switch {
	case e.Single:
		s.to.ReceiveBy(e.Stream, m)
	case m.GetType() == pb.MsgApp && !e.Appends:
		s.to.ReceiveBy(AppendsOutside, m)
	default:
		s.to.Receive(m)
	}
}

// translate returns a message with the numbers of members; nil for one that the specification
// leaves out. bad says what the stream cannot show.
func (s *Stream) translate(e *Event) (m *pb.Message, bad string) {
	m = proto.Clone(e.Message).(*pb.Message)
	m.From, m.To = new(s.number(e.From)), new(s.number(e.To))
	switch m.GetType() {
	case pb.MsgProp, pb.MsgReadIndex, pb.MsgReadIndexResp, pb.MsgTransferLeader:
		return nil, ""
	case pb.MsgHeartbeat, pb.MsgHeartbeatResp:
		m.Context = nil
	case pb.MsgSnap:
		return nil, "a snapshot was sent: what the member keeps of its log is not known"
	}
	for _, x := range m.GetEntries() {
		if bad := s.renumber(x); bad != "" {
			return nil, bad
		}
	}
	return m, ""
}

// renumber gives a change of members the numbers of members.
func (s *Stream) renumber(e *pb.Entry) (bad string) {
	if e.GetType() != pb.EntryConfChange {
		return ""
	}
	c := &pb.ConfChange{}
	if err := proto.Unmarshal(e.GetData(), c); err != nil {
		return fmt.Sprintf("entry %d is no change of members: %v", e.GetIndex(), err)
	}
	number, ok := s.members[c.GetNodeId()]
	if !ok {
		return fmt.Sprintf("entry %d is about member %x, and no -link is before its peer port", e.GetIndex(), c.GetNodeId())
	}
	c.NodeId, c.Context = new(uint64(number+1)), nil
	data, err := proto.Marshal(c)
	if err != nil {
		return err.Error()
	}
	e.Data = data
	return ""
}
