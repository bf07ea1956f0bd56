package ccf

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Outbox has the receivers of the messages that a node has sent, in the order of sending.
type Outbox = modules.Seq[Server, [MaxOutbox]Server]

// Driver holds the variables of CCF's raft driver, and those of raft.h that the specification does
// not have. Times are in milliseconds, at most longest.
//
// Code: driver.h, logging_stub.h ChannelStubProxy, raft.h periodic.
type Driver struct {
	Linked [Servers]Nodes  // _connections
	Outbox [Servers]Outbox // messages of ChannelStubProxy
	Counts [Servers]Number // initial_message_counts of dispatch_all_once
	// timeout_elapsed: raft.h draws where it begins, so it is between the two.
	Least, Most [Servers]Number
	Unheard     [Servers][Servers]Number // last_ack_timeout

	// The command dispatches Due more messages of From.
	From Server
	Due  Number
	// While Receives, To takes the first message from By, of that kind. Newer says that To takes
	// the message's term over first.
	To, By          Server
	Kind            Kind
	Receives, Newer bool

	// What Acts still does before the next message: appends and requests for votes, to Peer first.
	// An append has Size entries, and at most Batch.
	Acts, Peer    Server
	Appends, Asks Nodes
	Size, Batch   Number
	TimesOut      bool
	StepsDown     bool
	Elected       bool
	Commits       bool

	Primary Server // the leader when loop_until_sync began
}

// Times of the driver, in milliseconds: add_node of driver.h.
const (
	requestTimeout  = 10
	electionTimeout = 100
	// jitter is the latest time at which restart_election_timeout begins.
	jitter  = electionTimeout / 2
	longest = 200
)

// Tick is a node, the time that passes, and whether a time-out is over then. A leader's appends
// have at most Batch entries: raft.h derives that from sizes in bytes.
type Tick struct {
	I         Server
	Ms, Batch Number
	Late      bool
}

// Sender is a node whose messages are dispatched. Due is the largest number of them.
type Sender struct {
	I   Server
	Due Number
}

// ticks yields what a script leaves open: long batches first.
func ticks(yield func(Tick) bool) {
	for _, late := range []bool{false, true} {
		for batch := Number(MaxBatch); ; batch-- {
			if !yield(Tick{Batch: batch, Late: late}) {
				return
			}
			if batch == 0 {
				break
			}
		}
	}
}

// later returns a time after t.
func later(t, ms Number) Number {
	if t > longest-ms {
		return longest
	}
	return t + ms
}

// others returns the nodes that i sends appends to.
//
// Code: raft.h all_other_nodes.
func (s *State) others(i Server) Nodes {
	return s.nodes(i).Union(s.RetirementCompleted[i]).Without(i)
}

// termEnd returns how many entries from an index on have one term, in i's log.
//
// Code: raft.h send_append_entries, which sends entries of one term.
func (s *State) termEnd(i Server, from Number) (count Number) {
	for k := from; k <= s.last(i) && s.termAt(i, k) == s.termAt(i, from); k++ {
		count++
	}
	return count
}

// batches returns the largest number of entries that an append of i can have now, at least 1.
func (s *State) batches(i Server) (most Number) {
	most = 1
	for j := range Server(Servers) {
		for k := s.SentIndex[i][j] + 1; s.others(i).Has(j) && k <= s.last(i); {
			count := s.termEnd(i, k)
			most = max(most, count)
			k += count
		}
	}
	return min(most, MaxBatch)
}

// Periodic lets time pass at I. A leader sends appends, and steps down if it has not heard of a
// quorum. Another node campaigns if its time-out is over.
//
// Code: raft.h periodic.
var Periodic = Action[Tick]{
	Name:   "Periodic",
	Params: ticks,
	Guard: func(s *State, p Tick) bool {
		d := &s.Driver[0]
		limit, leads := Number(electionTimeout), s.LeadershipState[p.I] == Leader
		if leads {
			limit = requestTimeout
		}
		if p.Ms > longest || p.Late && later(d.Most[p.I], p.Ms) < limit || !p.Late && later(d.Least[p.I], p.Ms) >= limit {
			return false
		}
		if leads && p.Late {
			return p.Batch > 0 && p.Batch <= s.batches(p.I)
		}
		return p.Batch == 0
	},
	Effect: func(s, n *State, p Tick) {
		d := &n.Driver[0]
		d.Acts = p.I
		d.Least[p.I], d.Most[p.I] = later(d.Least[p.I], p.Ms), later(d.Most[p.I], p.Ms)
		if s.LeadershipState[p.I] == Leader {
			n.leaderTicks(p)
		} else if !p.Late {
			d.Most[p.I] = min(d.Most[p.I], electionTimeout-1)
		} else if !s.hasLeft(p.I) && !s.Configurations[p.I].Empty() {
			d.TimesOut = s.LeadershipState[p.I] != PreVoteCandidate
			if !d.TimesOut { // it asks again
				n.restart(p.I)
				d.Asks = s.nodes(p.I).Without(p.I)
			}
		}
		n.aim()
	},
}

// leaderTicks lets time pass at a leader.
func (n *State) leaderTicks(p Tick) {
	d := &n.Driver[0]
	if p.Late {
		d.Least[p.I], d.Most[p.I] = 0, 0
		d.Appends, d.Batch = n.others(p.I), p.Batch
	}
	heard := modules.SetOf(p.I)
	for j := range Server(Servers) {
		d.Unheard[p.I][j] = later(d.Unheard[p.I][j], p.Ms)
		if d.Unheard[p.I][j] < electionTimeout {
			heard.Add(j)
		}
	}
	d.StepsDown = !n.quorumInEach(p.I, heard)
}

// restart begins i's time-out again.
//
// Code: raft.h restart_election_timeout.
func (n *State) restart(i Server) { n.Driver[0].Least[i], n.Driver[0].Most[i] = 0, jitter }

// Dispatch takes the next message out of the outbox of the command's node.
//
// Code: driver.h dispatch_one_queue.
var Dispatch = Action[modules.None]{
	Name:   "Dispatch",
	Params: modules.Once,
	Guard: func(s *State, _ modules.None) bool {
		d := &s.Driver[0]
		return s.idle() && d.Due > 0 && !d.Outbox[d.From].Empty()
	},
	Effect: func(s, n *State, _ modules.None) {
		if d := &n.Driver[0]; n.deliver(d.From, 1) {
			d.Due--
		}
	},
}

// deliver takes the k-th message out of i's outbox. It reports whether it arrives: its receiver is
// connected, and i still has the entries of an append.
//
// Code: driver.h dispatch_single_message.
func (n *State) deliver(i Server, k int) bool {
	d := &n.Driver[0]
	j := d.Outbox[i].At(k)
	d.Outbox[i].Remove(k)
	m := n.Stream.At(i, j, 1)
	if !d.Linked[i].Has(j) || m.Kind == AppendEntriesRequest && m.Index+Number(m.Entries.Len()) > n.last(i) {
		n.Stream.Lose(i, j, 1)
		return false
	}
	d.By, d.To, d.Kind, d.Receives = i, j, m.Kind, true
	n.aim()
	return true
}

// DispatchFrom begins to dispatch messages of I.
var DispatchFrom = Action[Sender]{
	Name:   "DispatchFrom",
	Params: observed[Sender],
	Guard:  func(s *State, p Sender) bool { return s.idle() },
	Effect: func(s, n *State, p Sender) { n.Driver[0].From, n.Driver[0].Due = p.I, p.Due },
}

// DispatchCounted begins to dispatch as many messages of I as it had when Count was taken.
var DispatchCounted = Action[One]{
	Name:   "DispatchCounted",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.idle() },
	Effect: func(s, n *State, p One) { n.Driver[0].From, n.Driver[0].Due = p.I, s.Driver[0].Counts[p.I] },
}

// DispatchSingle takes the first message to J out of I's outbox, if there is one.
//
// Code: driver.h dispatch_single.
var DispatchSingle = Action[Pair]{
	Name:   "DispatchSingle",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.idle() },
	Effect: func(s, n *State, p Pair) {
		if k := n.Driver[0].Outbox[p.I].Find(p.J); k > 0 {
			n.deliver(p.I, k)
		}
	},
}

// Count counts the messages in each outbox.
//
// Code: driver.h dispatch_all_once.
var Count = Action[modules.None]{
	Name:   "Count",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) {
		for i := range Server(Servers) {
			n.Driver[0].Counts[i] = Number(s.Driver[0].Outbox[i].Len())
		}
	},
}

// Connect and Disconnect change whether messages between I and J arrive when they are dispatched.
var (
	Connect = Action[Pair]{
		Name:   "Connect",
		Params: eachPair,
		Effect: func(s, n *State, p Pair) {
			n.Driver[0].Linked[p.I].Add(p.J)
			n.Driver[0].Linked[p.J].Add(p.I)
		},
	}
	Disconnect = Action[Pair]{
		Name:   "Disconnect",
		Params: eachPair,
		Effect: func(s, n *State, p Pair) {
			n.Driver[0].Linked[p.I].Remove(p.J)
			n.Driver[0].Linked[p.J].Remove(p.I)
		},
	}
)

// DropPending loses the messages from I to J that were not dispatched.
//
// Code: driver.h drop_pending_to.
var DropPending = Action[Pair]{
	Name:   "DropPending",
	Params: eachPair,
	Effect: func(s, n *State, p Pair) {
		for k := n.Driver[0].Outbox[p.I].Find(p.J); k > 0; k = n.Driver[0].Outbox[p.I].Find(p.J) {
			n.Driver[0].Outbox[p.I].Remove(k)
			n.Stream.Lose(p.I, p.J, 1)
		}
	},
}

// Pick notes I, where time passes in loop_until_sync.
//
// Code: driver.h loop_until_sync.
var Pick = Action[One]{
	Name:   "Pick",
	Params: each,
	Effect: func(s, n *State, p One) { n.Driver[0].Primary = p.I },
}

// Nominate lets the leader I propose that J campaigns, without an end of I's leadership: an
// operator stops I.
//
// Code: raft.h nominate_successor and send_propose_request_vote, which later drivers call.
var Nominate = Action[Pair]{
	Name:   "Nominate",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.idle() && s.mayNominate(p) },
	Effect: func(s, n *State, p Pair) { n.nominate(p) },
}

// Ignore takes a message that raft.h ignores, where the specification has no step for it.
// That is an append before the commit index, a second conflict in a term, or a proposal of another
// term.
//
// Code: raft.h recv_append_entries, recv_propose_request_vote.
var Ignore = Action[modules.None]{
	Name:   "Ignore",
	Params: modules.Once,
	Guard: func(s *State, _ modules.None) bool {
		d := &s.Driver[0]
		if !d.Receives || d.Newer {
			return false
		}
		m := s.Stream.At(d.By, d.To, 1)
		if m.Kind == ProposeVoteRequest {
			return m.Term != s.CurrentTerm[d.To]
		}
		follows := s.LeadershipState[d.To] == Follower || s.LeadershipState[d.To] == None
		return m.Kind == AppendEntriesRequest && m.Term == s.CurrentTerm[d.To] && follows && s.logOK(d.To, &m) &&
			(m.Index < s.CommitIndex[d.To] || s.conflicts(d.To, &m) && !s.IsNewFollower[d.To])
	},
	Effect: func(s, n *State, _ modules.None) {
		d := &n.Driver[0]
		n.restart(d.To) // recv_append_entries does so before it ignores one
		d.Kind, d.Receives = 0, false
		n.Stream.Lose(d.By, d.To, 1)
	},
}

// Settle ends a command: nothing is left to do.
var Settle = Action[modules.None]{
	Name:   "Settle",
	Params: modules.Once,
	Guard: func(s *State, _ modules.None) bool {
		d := &s.Driver[0]
		return s.idle() && (d.Due == 0 || d.Outbox[d.From].Empty())
	},
	Effect: func(s, n *State, _ modules.None) { n.Driver[0].Due = 0 },
}

// idle reports whether no node receives a message or still does what follows from one.
func (s *State) idle() bool {
	d := &s.Driver[0]
	return !d.Receives && d.Appends.Empty() && d.Asks.Empty() && !d.TimesOut && !d.StepsDown && !d.Elected && !d.Commits
}

// follow updates the driver after a step of the specification.
func follow(s, n *State) {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			was, is := s.Stream.Len(i, j), n.Stream.Len(i, j)
			if is > was {
				n.posted(i, j)
			}
			if is < was {
				n.received(s, j, i)
			}
		}
	}
	for i := range Server(Servers) {
		n.turned(s, i)
		n.grown(s, i)
	}
	n.aim()
}

// posted notes that i has sent j a message.
func (n *State) posted(i, j Server) {
	d := &n.Driver[0]
	d.Outbox[i].Append(j)
	if d.Acts != i {
		return
	}
	d.Asks.Remove(j)
	if d.Batch == 0 || n.SentIndex[i][j] == n.last(i) {
		d.Appends.Remove(j)
	}
}

// received notes that i has taken the first message from j.
func (n *State) received(s *State, i, j Server) {
	d := &n.Driver[0]
	d.Kind, d.Receives = 0, false
	m := s.Stream.At(j, i, 1)
	switch m.Kind {
	case AppendEntriesRequest:
		if m.Term == n.CurrentTerm[i] && s.logOK(i, &m) {
			n.restart(i)
		}
	case AppendEntriesResponse:
		if s.LeadershipState[i] == Leader {
			d.Unheard[i][j] = 0
			d.Acts, d.Commits = i, m.OK && n.committed(i) > n.CommitIndex[i]
		}
	case RequestVoteResponse:
		d.Acts, d.Elected = i, n.campaigns(i) && n.elects(i)
	}
}

// campaigns reports whether i asks for votes.
func (s *State) campaigns(i Server) bool {
	return s.LeadershipState[i] == Candidate || s.LeadershipState[i] == PreVoteCandidate
}

// turned notes that i has another role, term or vote.
func (n *State) turned(s *State, i Server) {
	d := &n.Driver[0]
	if n.LeadershipState[i] == s.LeadershipState[i] && n.CurrentTerm[i] == s.CurrentTerm[i] {
		if n.VotedFor[i] != s.VotedFor[i] {
			n.restart(i)
		}
		return
	}
	n.restart(i)
	for j := range Server(Servers) {
		d.Unheard[i][j] = 0
	}
	d.TimesOut, d.StepsDown, d.Elected = false, false, false
	switch {
	case n.LeadershipState[i] == Leader:
		d.Least[i], d.Most[i] = 0, 0
		d.Acts, d.Appends, d.Batch = i, n.others(i), 0
	case n.campaigns(i):
		d.Acts, d.Asks, d.Elected = i, n.nodes(i).Without(i), n.elects(i)
	}
}

// grown notes that i's log or commit index has grown. A leader without followers commits at once,
// and one that takes nodes in greets them with an empty append.
//
// Code: raft.h replicate, create_and_remove_node_state.
func (n *State) grown(s *State, i Server) {
	d := &n.Driver[0]
	if n.CommitIndex[i] > s.CommitIndex[i] && d.Acts == i {
		d.Commits = false
	}
	if n.LeadershipState[i] != Leader || s.LeadershipState[i] != Leader || n.last(i) <= s.last(i) {
		return
	}
	if n.nodes(i).Without(i).Empty() && n.committed(i) > n.CommitIndex[i] {
		d.Acts, d.Commits = i, true
	}
	if greeted := n.joined().Minus(s.joined()).Without(i); !greeted.Empty() {
		d.Acts, d.Appends, d.Batch = i, greeted, 0
	}
}

// aim sets what the acting node does next, and whether a receiver takes a term over first. raft.h
// ignores the term of answers that nobody waits for, and of proposals.
func (n *State) aim() {
	d := &n.Driver[0]
	d.Peer, d.Size = 0, 0
	for j := range Server(Servers) {
		if d.Appends.Union(d.Asks).Has(j) {
			d.Peer = j
			break
		}
	}
	if !d.Appends.Empty() {
		d.Size = min(d.Batch, n.termEnd(d.Acts, n.SentIndex[d.Acts][d.Peer]+1))
	}
	d.Newer = false
	if !d.Receives {
		return
	}
	m := n.Stream.At(d.By, d.To, 1)
	role := n.LeadershipState[d.To]
	awaited := m.Kind == RequestVoteRequest || m.Kind == AppendEntriesRequest || m.Kind == AppendEntriesResponse && role == Leader ||
		m.Kind == RequestVoteResponse && role == candidacy(m.PreVote)
	d.Newer = awaited && m.Term > n.CurrentTerm[d.To]
}

var logScenario = grains.Grain[State]{
	Name:   "scenario",
	Doc:    "Scripts of CCF's raft driver: time, outboxes, and what raft.h does at once.",
	Covers: []string{"log"},
	Actions: Actions{&EnablePreVote, &Periodic, &Dispatch, &DispatchFrom, &DispatchCounted, &DispatchSingle, &Count, &Connect, &Disconnect,
		&DropPending, &Pick, &Nominate, &Ignore, &Settle},
	Rules: []modules.Rule[State]{modules.AfterAny(follow, &EnablePreVote, &Periodic, &Dispatch, &DispatchFrom, &DispatchCounted, &DispatchSingle,
		&Count, &Connect, &Disconnect, &DropPending, &Pick, &Ignore, &Settle)},
}
