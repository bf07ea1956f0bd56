// Code generated from raft/etcdraft/look.go by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.

//go:build !multigrain_runtime

package etcdraft

import (
	"fmt"
	"strings"
	"unsafe"

	etcd "go.etcd.io/etcd/raft/v3"
	pb "go.etcd.io/etcd/raft/v3/raftpb"
	"go.etcd.io/etcd/raft/v3/tracker"

	"github.com/multigrain/multigrain/raft"
)

// look observes server i.
func (a *adapter) look(i raft.Server, x *server) {
	in := x.insides()
	s := &a.own
	s.Term[i] = small(at[uint64](in.raft, inside.term))
	s.Vote[i] = serverOf(at[uint64](in.raft, inside.vote))
	s.Lead[i] = serverOf(at[uint64](in.raft, inside.lead))
	s.Role[i] = roleOf(at[etcd.StateType](in.raft, inside.state))
	s.Commit[i] = small(at[uint64](in.log, inside.committed))
	s.Applied[i] = small(at[uint64](in.log, inside.applied))
	s.Granted[i], s.Rejected[i] = votes(in.trk.Votes)
	s.Elapsed[i] = at[int](in.raft, inside.elapsed) >= at[int](in.raft, inside.timeout)
	if raft.MaxTransfers > 0 {
		s.Transferee[:][i] = serverOf(at[uint64](in.raft, inside.transferee))
	}
	if raft.Membership {
		s.Conf[:][i] = configOf(&in.trk.Config)
		s.PendingConf[:][i] = small(at[uint64](in.raft, inside.pendingConf))
	}
	a.lookAtProgress(i, in)
	a.lookAtLog(i, in)
	if raft.Reading {
		a.lookAtReads(i, in)
	}
}

func roleOf(t etcd.StateType) raft.Role {
	switch t {
	case etcd.StateFollower:
		return raft.Follower
	case etcd.StateCandidate:
		return raft.Candidate
	case etcd.StateLeader:
		return raft.Leader
	case etcd.StatePreCandidate:
		return raft.PreCandidate
	}
	odd("a server is in the state %s", t)
	return 0
}

func votes(all map[uint64]bool) (granted, rejected raft.Set) {
	for n, yes := range all {
		if yes {
			granted.Add(serverOf(n))
		} else {
			rejected.Add(serverOf(n))
		}
	}
	return granted, rejected
}

func configOf(c *tracker.Config) raft.Conf {
	return raft.Conf{Members: raft.Members{
		Voters: setOf(c.Voters[0]), Outgoing: setOf(c.Voters[1]), Learners: setOf(c.Learners), LearnersNext: setOf(c.LearnersNext),
	}, AutoLeave: c.AutoLeave}
}

// lookAtProgress observes what a leader knows of the others. Servers that do not lead have stale
// values there that nothing reads.
func (a *adapter) lookAtProgress(i raft.Server, in insides) {
	s := &a.own
	s.Pr[i] = [raft.Servers]raft.Progress{}
	s.RecentActive[i] = 0
	if s.Role[i] != raft.Leader {
		return
	}
	for n, pr := range in.trk.Progress {
		j := serverOf(n)
		s.Pr[i][j] = raft.Progress{
			Match: small(pr.Match), Next: small(pr.Next),
			State: progressOf(pr.State), Paused: pr.ProbeSent,
		}
		for x := range s.Pr[i][j].Pending {
			if raft.KeepsPending {
				s.Pr[i][j].Pending[x] = small(pr.PendingSnapshot)
			}
		}
		flying := inflightOf(pr)
		for x := range s.Pr[i][j].Inflight {
			for _, end := range flying {
				s.Pr[i][j].Inflight[x].Append(small(end))
			}
		}
		if pr.RecentActive && j != i && (raft.CheckQuorum || raft.Snapshots) {
			s.RecentActive[i].Add(j)
		}
		// Those after Match that are no longer in flight were freed by answers to heartbeats.
		if j != i && pr.State == tracker.StateReplicate && !raft.Batching {
			s.Pr[i][j].SentCommit = small(pr.Next - 1 - pr.Match - uint64(len(flying)))
		}
		consecutive := true
		for k, end := range flying {
			consecutive = consecutive && (raft.Batching || end == pr.Next-uint64(len(flying)-k))
		}
		if j != i && !consecutive || pr.State != tracker.StateReplicate && len(flying) != 0 {
			odd("leader %d has %d appends in flight to %d in state %s, with Match %d and Next %d", i, len(flying), j, pr.State, pr.Match, pr.Next)
		}
		// In StateSnapshot PendingSnapshot need not be Next - 1, against what the library's comment
		// says: a rejection moves Next back.
		if pr.State != tracker.StateSnapshot && pr.PendingSnapshot != 0 {
			odd("leader %d waits for the snapshot at %d on %d in state %s", i, pr.PendingSnapshot, j, pr.State)
		}
	}
}

// inflightOf returns the last indices of the appends in flight.
func inflightOf(pr *tracker.Progress) (ends []uint64) {
	p := unsafe.Pointer(pr.Inflights)
	start, buffer := at[int](p, inside.inflightStart), at[[]uint64](p, inside.inflightBuffer)
	for k := range at[int](p, inside.inflightCount) {
		ends = append(ends, buffer[(start+k)%raft.MaxInflight])
	}
	return ends
}

func progressOf(t tracker.StateType) raft.ProgressState {
	switch t {
	case tracker.StateProbe:
		return raft.Probe
	case tracker.StateReplicate:
		return raft.Replicate
	case tracker.StateSnapshot:
		return raft.InSnapshot
	}
	odd("a progress is in the state %s", t)
	return 0
}

// lookAtLog observes the log: what storage has of it and what is not stable yet.
func (a *adapter) lookAtLog(i raft.Server, in insides) {
	s := &a.own
	stored := at[[]pb.Entry](in.storage, inside.stored)
	unstable, offset := at[[]pb.Entry](in.log, inside.entries), at[uint64](in.log, inside.offset)
	folded := stored[0].Index
	if offset <= folded || offset > folded+uint64(len(stored)) {
		odd("server %d takes its log to be stable below %d, and storage has the entries after %d up to %d", i, offset, folded, folded+uint64(len(stored))-1)
	}
	hard := at[pb.HardState](in.storage, inside.hardState)
	disk := raft.Disk{Log: a.log(folded, stored[1:]), Term: small(hard.Term), Vote: serverOf(hard.Vote), Commit: small(hard.Commit)}
	s.Log[i] = a.log(folded, stored[1:offset-folded], unstable...)
	switch {
	case raft.Snapshots:
		snap := (*pb.Snapshot)(unsafe.Add(in.storage, inside.snapshot))
		if snap.Metadata.Index != folded {
			odd("server %d has a snapshot at %d and entries after %d", i, snap.Metadata.Index, folded)
		}
		if folded > 0 {
			s.Snap[:][i] = raft.Snapshot{Body: body(snap), Index: small(folded), Term: small(stored[0].Term)}
		}
	case folded != 0:
		odd("server %d has compacted its log up to %d", i, folded)
	}
	if raft.AsyncStorage {
		s.Disk[:][i] = disk
		s.StableTo[:][i] = small(offset - 1)
		return
	}
	live := raft.Disk{Log: s.Log[i], Term: s.Term[i], Vote: s.Vote[i], Commit: s.Commit[i]}
	a.torn[i] = memoryAndDisk(&live, &disk)
}

// memoryAndDisk says in what memory and disk differ, and nothing if they are equal.
func memoryAndDisk(memory, disk *raft.Disk) string {
	var all []string
	differ := func(name string, memory, disk any) {
		if memory != disk {
			all = append(all, fmt.Sprintf("%s %v in memory and %v on the disk", name, memory, disk))
		}
	}
	differ("the term", memory.Term, disk.Term)
	differ("the vote", candidate(memory.Vote), candidate(disk.Vote))
	differ("the commit index", memory.Commit, disk.Commit)
	differ("a log of length", memory.Log.Len(), disk.Log.Len())
	for k := 1; k <= min(memory.Log.Len(), disk.Log.Len()); k++ {
		differ(fmt.Sprintf("as entry %d", k), memory.Log.At(k), disk.Log.At(k))
	}
	return strings.Join(all, ", ")
}

// log returns the entries after an index.
func (a *adapter) log(index uint64, stored []pb.Entry, unstable ...pb.Entry) (l raft.Log) {
	if n := len(stored) + len(unstable); n > l.Cap() {
		odd("a log of %d entries, and the specification has no room for more than %d", n, l.Cap())
	}
	for _, e := range stored {
		index++
		l.Append(a.entry(e, index))
	}
	for _, e := range unstable {
		index++
		l.Append(a.entry(e, index))
	}
	return l
}

// candidate names the server that a vote is for.
func candidate(s raft.Server) string {
	if s == raft.None {
		return "for none"
	}
	return fmt.Sprintf("for server %d", s)
}

// lookAtReads observes a leader's book of reads.
func (a *adapter) lookAtReads(i raft.Server, in insides) {
	var ro raft.ReadOnly
	pending := at[map[string]*readRequest](in.reads, inside.pending)
	for _, context := range at[[]string](in.reads, inside.queue) {
		r := pending[context]
		ro.Unconfirmed.Append(raft.Request{ID: a.readOf(r.req.Entries[0].Data), Index: small(r.index), Acks: setOf(r.acks)})
	}
	a.own.ReadOnly[:][i] = ro
	var ids raft.ReadIDs
	for _, m := range at[[]pb.Message](in.raft, inside.pendingReads) {
		ids.Append(a.readOf(m.Entries[0].Data))
	}
	a.own.PendingReads[:][i] = ids
}
