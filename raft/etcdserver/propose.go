package etcdserver

import (
	"fmt"
	"slices"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// note keeps the entries of the leader's own term that it sends.
func (s *Stream) note(m *pb.Message) {
	if m.GetType() != pb.MsgApp {
		return
	}
	l := s.leads[m.GetTerm()]
	if l == nil {
		l = &leadership{known: map[uint64]*pb.Entry{}}
		s.leads[m.GetTerm()] = l
	}
	before := m.GetLogTerm()
	for _, e := range m.GetEntries() {
		if e.GetTerm() == m.GetTerm() && e.GetIndex() > l.last {
			l.known[e.GetIndex()] = e
			if before < m.GetTerm() {
				l.begin = e.GetIndex()
			}
		}
		before = e.GetTerm()
	}
}

// ends returns the last entry of the leader's own term that is in an append, or before it; 0 for
// none.
func ends(m *pb.Message) (end uint64) {
	if m.GetLogTerm() == m.GetTerm() {
		end = m.GetIndex()
	}
	for _, e := range m.GetEntries() {
		if e.GetTerm() == m.GetTerm() {
			end = e.GetIndex()
		}
	}
	return end
}

// unknown returns what an append of the leader waits for; "" for nothing: all entries of the term
// that are in it, or before it, are seen.
func (s *Stream) unknown(m *pb.Message) string {
	if m.GetType() != pb.MsgApp {
		return ""
	}
	l, end := s.leads[m.GetTerm()], ends(m)
	from := l.last + 1
	if l.last == 0 {
		if from = l.begin; from == 0 && end > 0 {
			return "the tap did not see the entry with which the member began its term"
		}
	}
	for k := from; k <= end; k++ {
		if l.known[k] == nil {
			return fmt.Sprintf("the tap did not see entry %d, which the member has proposed", k)
		}
	}
	return ""
}

// propose writes what the member has proposed up to the last entry of an append.
func (s *Stream) propose(m *pb.Message) {
	l, end := s.leads[m.GetTerm()], ends(m)
	if l == nil || s.blind != "" {
		return
	}
	for term := range s.leads {
		if term < m.GetTerm() {
			delete(s.leads, term)
		}
	}
	if l.last == 0 && end > 0 {
		l.last = l.begin // which the leader appends by itself
		delete(l.known, l.begin)
	}
	for ; l.last < end; l.last++ {
		e := proto.Clone(l.known[l.last+1]).(*pb.Entry)
		delete(l.known, l.last+1)
		if bad := s.renumber(e); bad != "" {
			s.lose(bad)
			return
		}
		s.proposed(e)
	}
}

func (s *Stream) proposed(e *pb.Entry) {
	if e.GetType() == pb.EntryNormal && len(e.GetData()) > 0 {
		s.to.Propose(e.GetData(), nil)
		return
	}
	before := s.conf
	s.changes([]*pb.Entry{e})
	switch {
	case !slices.Equal(before.voters, s.conf.voters):
		s.to.ProposeVoters(s.conf.voters, nil)
	case len(s.conf.learners) > len(before.learners):
		s.to.ProposeLearner(s.conf.learners[len(s.conf.learners)-1], nil)
	default:
		s.lose(fmt.Sprintf("entry %d is a change of members that was refused, or changes no voter: %v", e.GetIndex(), e.GetType()))
	}
}

// changes follows the members that the log has.
func (s *Stream) changes(entries []*pb.Entry) {
	for _, e := range entries {
		c := &pb.ConfChange{}
		if e.GetType() != pb.EntryConfChange || e.GetIndex() <= s.conf.index || proto.Unmarshal(e.GetData(), c) != nil {
			continue
		}
		id := c.GetNodeId()
		without := func(ids []uint64) []uint64 {
			return slices.DeleteFunc(slices.Clone(ids), func(x uint64) bool { return x == id })
		}
		s.conf.index = e.GetIndex()
		switch c.GetType() {
		case pb.ConfChangeAddNode:
			s.conf.voters, s.conf.learners = append(without(s.conf.voters), id), without(s.conf.learners)
		case pb.ConfChangeRemoveNode:
			s.conf.voters, s.conf.learners = without(s.conf.voters), without(s.conf.learners)
		case pb.ConfChangeAddLearnerNode:
			s.conf.learners = append(without(s.conf.learners), id)
		}
	}
}
