package ccf

import "github.com/multigrain/multigrain/grains"

// Sighting is a message as a line of a log shows it. I is the node that logs it, and J is its peer.
// Count is the number of entries.
type Sighting struct {
	I, J                                Server
	Kind                                Kind
	Term, Index, LogTerm, Commit, Count Number
	OK, PreVote                         bool
}

// Batch is a leader, a follower, and how many entries an append has.
type Batch struct {
	I, J Server
	Size Number
}

// observed is the domain of parameters that a log gives. Nothing enumerates it.
func observed[P any](func(P) bool) {}

// shows reports whether p is m, whose entries are counted only.
func (p Sighting) shows(m Msg) bool {
	return m.Kind == p.Kind && m.Term == p.Term && m.Index == p.Index && m.LogTerm == p.LogTerm && m.Commit == p.Commit &&
		m.OK == p.OK && m.PreVote == p.PreVote && Number(m.Entries.Len()) == p.Count
}

// find returns the position of the first message from J to I that p shows, 0 if there is none.
func (s *State) find(p Sighting) int {
	for k := 1; k <= s.Stream.Len(p.J, p.I); k++ {
		if p.shows(s.Stream.At(p.J, p.I, k)) {
			return k
		}
	}
	return 0
}

// Arrive makes the message that I logs the next one from J: it overtakes those before it. What they
// are stays open. They are late or lost.
//
// TLA+: Traceccfraft.tla takes any message in flight that is like the one of the line.
var Arrive = Action[Sighting]{
	Name:   "Arrive",
	Params: observed[Sighting],
	Guard:  func(s *State, p Sighting) bool { return Ordered && s.find(p) > 0 },
	Effect: func(s, n *State, p Sighting) {
		k := s.find(p)
		if k == 1 {
			return
		}
		m := s.Stream.At(p.J, p.I, k)
		n.Stream.Clear(p.J, p.I)
		n.Stream.Send(p.J, p.I, m)
		for at := 1; at <= s.Stream.Len(p.J, p.I); at++ {
			if at != k {
				n.Stream.Send(p.J, p.I, s.Stream.At(p.J, p.I, at))
			}
		}
	},
}

// Sent says that the last message that I has sent to J is the one that I logs.
//
// TLA+: OneMoreMessage of Network.tla, in IsSendAppendEntries and IsSendRequestVote.
var Sent = Action[Sighting]{
	Name:   "Sent",
	Params: observed[Sighting],
	Guard: func(s *State, p Sighting) bool {
		last := s.Stream.Len(p.I, p.J)
		return Ordered && last > 0 && p.shows(s.Stream.At(p.I, p.J, last))
	},
	Effect: func(s, n *State, p Sighting) {},
}

// EnablePreVote says that I was configured to ask for pre-votes before it did anything.
//
// Code: state.h pre_vote_enabled.
var EnablePreVote = Action[One]{
	Name:   "EnablePreVote",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.PreVoteStatus[p.I] == PreVoteCapable && s.Log[p.I].Len() <= 1
	},
	Effect: func(s, n *State, p One) { n.PreVoteStatus[p.I] = PreVoteEnabled },
}

// Configure makes I a node of the first configuration of a service. It has an empty log. CCF's
// drivers up to November 2023 began so, and the first leader was elected in term 1.
//
// Code: driver.h create_new_nodes of 2023.
var Configure = Action[Proposal]{
	Name:   "Configure",
	Params: observed[Proposal],
	Guard: func(s *State, p Proposal) bool {
		return s.CurrentTerm == [Servers]Number{} && s.Configurations[p.I].Empty()
	},
	Effect: func(s, n *State, p Proposal) {
		n.Configurations[p.I].Append(Configuration{0, p.Nodes})
		n.LeadershipState[p.I] = Follower
		n.HasJoined[p.I] = true
	},
}

// Propose is Nominate without a driver.
var Propose = Action[Pair]{
	Name:   "Propose",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.mayNominate(p) },
	Effect: func(s, n *State, p Pair) { n.nominate(p) },
}

// mayNominate reports whether I leads, and may propose that J follows it.
func (s *State) mayNominate(p Pair) bool {
	return s.LeadershipState[p.I] == Leader && s.mayFollow(p.I, p.J) && s.maySend(p.I, p.J)
}

// nominate sends J the proposal of I that J campaigns.
func (n *State) nominate(p Pair) {
	n.send(p.I, p.J, Msg{Kind: ProposeVoteRequest, Term: n.CurrentTerm[p.I]})
}

// AppendEntriesOfSize sends J as many entries after those that were sent before as the log says.
//
// TLA+: AppendEntries with AppendEntriesBatchsize, TraceAppendEntriesBatchsize.
var AppendEntriesOfSize = Action[Batch]{
	Name:   "AppendEntriesOfSize",
	Params: observed[Batch],
	Guard: func(s *State, p Batch) bool {
		return p.I != p.J && s.appends(Pair{I: p.I, J: p.J}) && s.SentIndex[p.I][p.J]+p.Size <= s.last(p.I)
	},
	Effect: func(s, n *State, p Batch) { n.appendEntries(Pair{I: p.I, J: p.J}, p.Size) },
}

var logDriver = grains.Grain[State]{
	Name:    "driver",
	Doc:     "Lines of CCF's raft driver: which message a line shows, and how a node is configured.",
	Covers:  []string{"log"},
	Actions: Actions{&Arrive, &Sent, &EnablePreVote, &Configure, &Propose},
}

var replicationAnySize = grains.Refine(grains.Grain[State]{
	Name:   "any-size",
	Doc:    "An append has as many entries as a log says.",
	Covers: []string{"replication"},
	Actions: Actions{&AppendEntriesOfSize, &RejectAppendEntries, &ReturnToFollower, &AcceptAppendEntries, &RcvAppendEntriesResponse,
		&AdvanceCommitIndex, &AdvanceCommitIndexAndProposeVote},
	Models: replicationBaseline.Models,
}, replicationBaseline)
