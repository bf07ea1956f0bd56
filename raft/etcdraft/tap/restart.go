package tap

import (
	"math"
	"strconv"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// maxTold is how many entries of its log a restart tells at most, so that its line has less than a
// MiB.
const maxTold = 6000

// AppendRestartFrom appends that the node starts again from what is in its storage; applied is
// Config.Applied. The error is the storage's.
func AppendRestartFrom(b []byte, s raft.Storage, applied uint64, at int64) ([]byte, error) {
	hard, conf, err := s.InitialState()
	if err != nil {
		return b, err
	}
	entries, after, err := lastEntries(s)
	if err != nil {
		return b, err
	}
	folded, term, err := foldedTo(s)
	if err != nil {
		return b, err
	}
	b = append(b, `{"event":"restart","state":{"Term":`...)
	b = strconv.AppendUint(b, hard.GetTerm(), 10)
	b = append(b, `,"Vote":`...)
	b = strconv.AppendInt(b, int64(hard.GetVote())-1, 10)
	b = append(b, `,"Commit":`...)
	// A node without a HardState takes what its snapshot has for committed. log.go newLogWithSize.
	b = strconv.AppendUint(b, max(hard.GetCommit(), folded), 10)
	b = append(b, `,"Known":0,"Applied":`...)
	b = strconv.AppendUint(b, max(applied, folded), 10)
	b = append(b, `,"Conf":`...)
	b = appendConf(b, conf)
	b = append(b, `,"Folded":{"Index":`...)
	b = strconv.AppendUint(b, folded, 10)
	b = append(b, `,"Term":`...)
	b = strconv.AppendUint(b, term, 10)
	b = append(b, '}')
	if snap, err := s.Snapshot(); err == nil { // another time it may have one
		b = append(b, `,"Snap":`...)
		b = appendSnapshot(b, snap.GetMetadata())
	}
	b = append(b, `,"Log":{"after":`...)
	b = strconv.AppendUint(b, after, 10)
	b = append(b, `,"elements":[`...)
	for k, e := range entries {
		if k > 0 {
			b = append(b, ',')
		}
		b = appendEntry(b, e)
	}
	return appendEnd(append(b, `]}}`...), at), nil
}

// foldedTo returns the last entry that a storage does not have any more, and its term.
func foldedTo(s raft.Storage) (index, term uint64, err error) {
	if index, err = s.FirstIndex(); err != nil || index <= 1 {
		return 0, 0, err
	}
	term, err = s.Term(index - 1)
	return index - 1, term, err
}

// lastEntries returns the last entries of a storage, and the index after which they are.
func lastEntries(s raft.Storage) (entries []*pb.Entry, after uint64, err error) {
	first, err := s.FirstIndex()
	if err != nil {
		return nil, 0, err
	}
	last, err := s.LastIndex()
	if err != nil {
		return nil, 0, err
	}
	if first = max(first, last-min(last, maxTold)+1); first <= last {
		entries, err = s.Entries(first, last+1, math.MaxUint64)
	}
	return entries, first - 1, err
}

func appendConf(b []byte, c *pb.ConfState) []byte {
	b = append(b, `{"Members":{`...)
	for k, set := range []struct {
		name string
		ids  []uint64
	}{{"Voters", c.GetVoters()}, {"Outgoing", c.GetVotersOutgoing()}, {"Learners", c.GetLearners()}, {"LearnersNext", c.GetLearnersNext()}} {
		if k > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, set.name), ':')
		b = appendSet(b, setOf(set.ids))
	}
	b = append(b, `},"AutoLeave":`...)
	return append(strconv.AppendBool(b, c.GetAutoLeave()), '}')
}
