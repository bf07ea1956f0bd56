package ccf

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a node, counted from 0.
type Server int8

// Nil is no node.
const Nil Server = -1

// Number is a term, an index, or a count of them.
type Number = uint8

// Nodes is a set of nodes.
type Nodes = modules.Set[Server]

// Leadership is a node's role in the consensus: leadershipState.
type Leadership uint8

// Roles. A node has None until it hears of a leader.
const (
	None Leadership = iota
	Follower
	PreVoteCandidate
	Candidate
	Leader
)

// Membership is how far a node is in leaving the service: membershipState.
type Membership uint8

// Stages of retirement. A node's retirement is in its log, then signed, then committed. In the last
// stage all later leaders know that it is.
const (
	Active Membership = iota
	RetirementOrdered
	RetirementSigned
	RetirementCompleted
	RetiredCommitted
)

// PreVote says what a node knows of pre-votes: preVoteStatus.
type PreVote uint8

// A capable node answers requests for pre-votes. An enabled one also asks for them.
const (
	PreVoteDisabled PreVote = iota
	PreVoteCapable
	PreVoteEnabled
)

// Content is the type of an entry: contentType.
type Content uint8

// Types of entries. Zero is no entry.
const (
	_ Content = iota
	TypeEntry
	TypeSignature
	TypeReconfiguration
	TypeRetired
)

// Entry is an entry of a log. Nodes is the configuration of a TypeReconfiguration and the retired
// nodes of a TypeRetired. Tx is the transaction of a TypeEntry where clients are observed, else 0.
type Entry struct {
	Term  Number
	Type  Content
	Nodes Nodes
	Tx    Number
}

// Log is a log; the position of an entry is its index.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Configuration is a configuration and the index of its entry.
type Configuration struct {
	Index Number
	Nodes Nodes
}

// Configurations are the active configurations in the order of their indexes. The first one is the
// current configuration, the others are pending.
type Configurations = modules.Seq[Configuration, [MaxConfigurations]Configuration]

// State holds the variables. Variables of one node are arrays over the nodes.
type State struct {
	Bag    Bag    // Delivery "reordered" and "reordered-no-dup"
	Stream Stream // Delivery "ordered" and "ordered-no-dup"

	// Of CCF's raft driver, for its scripts.
	Driver [DriverSlots]Driver

	// Of clients that are observed.
	Clients [ClientSlots]Clients

	PreVoteStatus [Servers]PreVote

	Configurations      [Servers]Configurations
	HasJoined           [Servers]bool
	RetirementCompleted [Servers]Nodes

	CurrentTerm     [Servers]Number
	LeadershipState [Servers]Leadership
	MembershipState [Servers]Membership
	VotedFor        [Servers]Server
	IsNewFollower   [Servers]bool

	Log         [Servers]Log
	CommitIndex [Servers]Number

	VotesGranted [Servers]Nodes

	// Of leaders, about the others.
	SentIndex, MatchIndex [Servers][Servers]Number
}

// Init yields the states of a service that has just started: MCInit, and for the schedule "any"
// SIMInitReconfigurationVars. A service starts with one node. A service that starts with several
// nodes has already had its first reconfiguration.
func Init(yield func(State) bool) {
	first := schedule()[0]
	for start := range Server(Servers) {
		if !first.Has(start) {
			continue
		}
		if Judged {
			if !startedNow(start, yield) {
				return
			}
			continue
		}
		if !started(start, first, first.Len() > 1, yield) {
			return
		}
		if Configured == "any" && !started(start, modules.SetOf(start), false, yield) {
			return
		}
	}
	if Initial == "any" {
		yield(noService())
	}
}

// started yields the states in which the nodes of a configuration run and start leads:
// InitLogConfigServerVars. Joined says that the log has a second configuration.
func started(start Server, nodes Nodes, joined bool, yield func(State) bool) bool {
	var log Log
	log.Append(Entry{Term: StartTerm, Type: TypeReconfiguration, Nodes: modules.SetOf(start)})
	log.Append(Entry{Term: StartTerm, Type: TypeSignature})
	if joined {
		log.Append(Entry{Term: StartTerm, Type: TypeReconfiguration, Nodes: nodes})
		log.Append(Entry{Term: StartTerm, Type: TypeSignature})
	}
	var s State
	for i := range Server(Servers) {
		s.VotedFor[i] = Nil
		s.IsNewFollower[i] = true
		if !nodes.Has(i) {
			continue
		}
		s.CurrentTerm[i] = StartTerm
		s.LeadershipState[i] = Follower
		s.Log[i] = log
		s.CommitIndex[i] = Number(log.Len())
		s.HasJoined[i] = true
		s.Configurations[i].Append(Configuration{Number(log.Len() - 1), nodes})
	}
	s.LeadershipState[start] = Leader
	for j := range s.SentIndex[start] {
		s.SentIndex[start][j] = Number(log.Len())
	}
	return withPreVotes(s, yield)
}

// startedNow yields the state in which a service has only the configuration of its first node. Its
// nodes know of pre-votes.
//
// Code: driver.h create_start_node, raft.h force_become_primary.
func startedNow(start Server, yield func(State) bool) bool {
	s := noService()
	s.CurrentTerm[start] = StartTerm
	s.LeadershipState[start] = Leader
	s.HasJoined[start] = true
	s.Log[start].Append(Entry{Term: StartTerm, Type: TypeReconfiguration, Nodes: modules.SetOf(start)})
	s.Configurations[start].Append(Configuration{1, modules.SetOf(start)})
	return yield(s)
}

// noService returns the state before any node is configured. Nodes know of pre-votes.
func noService() (s State) {
	for i := range Server(Servers) {
		s.VotedFor[i] = Nil
		s.IsNewFollower[i] = true
		s.PreVoteStatus[i] = PreVoteCapable
	}
	return s
}

// withPreVotes yields s with what nodes may know of pre-votes: MCInitPreVoteStatus. A disabled and
// an enabled node do not exist together.
func withPreVotes(s State, yield func(State) bool) bool {
	all := 1
	for range Servers {
		all *= 3
	}
	for x := range all {
		disabled, enabled, capable := false, false, false
		for i, rest := 0, x; i < Servers; i++ {
			s.PreVoteStatus[i] = PreVote(rest % 3)
			rest /= 3
			disabled = disabled || s.PreVoteStatus[i] == PreVoteDisabled
			capable = capable || s.PreVoteStatus[i] == PreVoteCapable
			enabled = enabled || s.PreVoteStatus[i] == PreVoteEnabled
		}
		ok := !(disabled && enabled)
		switch PreVotes {
		case "disabled":
			ok = !capable && !enabled
		case "capable":
			ok = !disabled && !enabled
		case "enabled":
			ok = !disabled && !capable
		}
		if ok && !yield(s) {
			return false
		}
	}
	return true
}

// last returns the index of the last entry of i's log.
func (s *State) last(i Server) Number { return Number(s.Log[i].Len()) }

// termAt returns the term of the entry at an index of i's log, 0 where there is none: view_at.
func (s *State) termAt(i Server, k Number) Number {
	if k == 0 || k > s.last(i) {
		return 0
	}
	return s.Log[i].At(int(k)).Term
}

// committable returns the index of the last signature of a log, 0 if it has none:
// MaxCommittableIndex.
func committable(l *Log) Number {
	for k := l.Len(); k > 0; k-- {
		if l.At(k).Type == TypeSignature {
			return Number(k)
		}
	}
	return 0
}

// lastCommittable returns the later of the commit index and the last signature of i:
// LastCommittableIndex.
//
// Code: raft.h last_committable_index.
func (s *State) lastCommittable(i Server) Number {
	return max(s.CommitIndex[i], committable(&s.Log[i]))
}

// highestMatch returns the last index up to k whose term is not above the given one:
// FindHighestPossibleMatch.
//
// Code: raft.h find_highest_possible_match.
func (s *State) highestMatch(i Server, k, term Number) Number {
	for k = min(k, s.last(i)); k > 0; k-- {
		if s.termAt(i, k) <= term {
			break
		}
	}
	return k
}

// truncate cuts i's log and configurations after an index: rollback.
func (n *State) truncate(i Server, k Number) {
	n.Log[i].Truncate(int(k))
	n.dropConfigurationsAfter(i, k)
}
