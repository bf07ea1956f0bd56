package etcdserver

import (
	"fmt"
	"slices"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// note keeps the entries of the leader's own term that it sends.
func (l *leadership) note(m *pb.Message) {
	if m.GetType() != pb.MsgApp || m.GetTerm() < l.term {
		return
	}
	if m.GetTerm() > l.term {
		*l = leadership{term: m.GetTerm(), known: map[uint64]*pb.Entry{}}
	}
	before := m.GetLogTerm()
	for _, e := range m.GetEntries() {
		if e.GetTerm() == l.term && e.GetIndex() > l.last {
			l.known[e.GetIndex()] = e
			if before < l.term {
				l.begin = e.GetIndex()
			}
		}
		before = e.GetTerm()
	}
}

// waits returns what an append of the leader waits for; "" for nothing: all entries of the term
// that are in it, or before it, are seen.
func (l *leadership) waits(m *pb.Message) string {
	if m.GetType() != pb.MsgApp || m.GetTerm() != l.term {
		return ""
	}
	end := uint64(0)
	if m.GetLogTerm() == l.term {
		end = m.GetIndex()
	}
	for _, e := range m.GetEntries() {
		if e.GetTerm() == l.term {
			end = e.GetIndex()
		}
	}
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
	l := &s.lead
	if m.GetTerm() != l.term || s.blind != "" {
		return
	}
	end := uint64(0)
	if m.GetLogTerm() == l.term {
		end = m.GetIndex()
	}
	for _, e := range m.GetEntries() {
		if e.GetTerm() == l.term {
			end = e.GetIndex()
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
