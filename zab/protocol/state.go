package protocol

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, 0 to Servers-1. Nothing orders servers by it.
type Server int8

// NullPoint is no server.
const NullPoint Server = -1

// Set is a set of servers.
type Set = modules.Set[Server]

// ServerState is a server's role in its own view.
type ServerState uint8

// Server states.
const (
	LOOKING ServerState = iota
	FOLLOWING
	LEADING
)

// ZabState is the phase of a server.
type ZabState uint8

// Phases.
const (
	ELECTION ZabState = iota
	DISCOVERY
	SYNCHRONIZATION
	BROADCAST
)

// Zxid identifies a transaction: the epoch whose primary made it, from 1, and a counter within the
// epoch, from 1. The zero Zxid comes before every transaction.
type Zxid struct{ Epoch, Counter uint8 }

// After reports whether z is newer than y.
func (z Zxid) After(y Zxid) bool {
	return z.Epoch > y.Epoch || z.Epoch == y.Epoch && z.Counter > y.Counter
}

// Follows reports whether z is the next transaction after y: the next of y's epoch or the first of
// a newer one.
func (z Zxid) Follows(y Zxid) bool {
	if z.Counter == 1 {
		return z.Epoch > y.Epoch
	}
	return z.Epoch == y.Epoch && z.Counter == y.Counter+1
}

// Txn is an entry of a history. AckSid is the set of servers that have it, as far as the leader
// knows. It has a meaning in the history of a leader only. Elsewhere it is carried along as in
// Zab.tla.
type Txn struct {
	Zxid   Zxid
	Value  uint8 // number of the client's request, from 0
	AckSid Set
}

// Same reports whether t and u are the same transaction: their acknowledgements do not count.
func (t Txn) Same(u Txn) bool { return t.Zxid == u.Zxid && t.Value == u.Value }

// History is a sequence of transactions.
type History = modules.Seq[Txn, [MaxTransactions]Txn]

// Position is a place in a history and the zxid that stands there; zero is before the first.
type Position struct {
	Index uint8
	Zxid  Zxid
}

// Cepoch is the stored part of a CEPOCH, by sender. Connected turns false when the connection
// breaks; the rest stays.
type Cepoch struct {
	Connected bool
	Epoch     uint8 // f.p
}

// Ackepoch is the stored part of an ACKEPOCH, by sender; Connected as in Cepoch.
type Ackepoch struct {
	Connected     bool
	PeerLastEpoch uint8   // f.a
	PeerHistory   History // h
}

// Ackld holds the senders of ACKLD: all of them, and those that are still connected.
type Ackld struct{ Sids, Connected Set }

// State holds the variables. Those of one server are arrays over the servers. AcceptedEpoch,
// CurrentEpoch and History survive a restart.
type State struct {
	// All servers.
	State         [Servers]ServerState
	ZabState      [Servers]ZabState
	AcceptedEpoch [Servers]uint8 // f.p: epoch of the last NEWEPOCH accepted
	CurrentEpoch  [Servers]uint8 // f.a: epoch of the last NEWLEADER accepted
	History       [Servers]History
	LastCommitted [Servers]Position // last transaction known to be committed, and so delivered

	// Leaders. They are set when a server begins to lead; all but Learners keep their last values
	// after that.
	Learners    [Servers]Set // connected servers and the leader itself
	CepochRecv  [Servers]modules.Map[Server, Cepoch, [Servers]Cepoch]
	AckeRecv    [Servers]modules.Map[Server, Ackepoch, [Servers]Ackepoch]
	AckldRecv   [Servers]Ackld
	SendCounter [Servers]uint8 // counter of the last transaction of this epoch that was proposed

	// Followers.
	ConnectInfo [Servers]Server // leader that is connected to, or NullPoint
	// servers that have done the first half of f.2.1: see grains history-first and epoch-first
	Halfway Set

	LeaderOracle  Server // whom the oracle names
	Msgs          Net
	ClientRequest uint8 // clients' requests so far: makes their values different

	// Ghost variables: invariants and rules read them, no action does.
	// by epoch: servers that became its primary
	EpochLeader     [MaxEpochs + 1]Set
	ProposalMsgsLog modules.Records[Proposal, [MaxProposals]Proposal] // what primaries broadcast
	// by epoch: servers that accepted NEWLEADER; grain established
	NewLeaderAcks [MaxEpochs + 1]Set
	Recorder      Recorder // grain published

	// Raised holds the assertions that the last step raised.
	Raised modules.Raised[Assertion]
}

// The vocabulary, bound to this State.
type (
	Action[P any] = modules.Action[State, P]
	One           = modules.One[Server]
	Pair          = modules.Pair[Server]
)

// EachServer and EachPair are domains of parameters: the servers, and ordered pairs of different
// ones.
var (
	EachServer = modules.Each[Server](Servers)
	EachPair   = modules.EachPair[Server](Servers)
)

// Init is the initial state: everyone looks for a leader, the oracle has named none, nobody has any
// history.
func Init(yield func(State) bool) {
	s := State{LeaderOracle: NullPoint}
	for i := range s.ConnectInfo {
		s.ConnectInfo[i] = NullPoint
	}
	yield(s)
}

// leads reports whether i leads and j is connected to it.
func (s *State) leads(i, j Server) bool { return s.State[i] == LEADING && s.Learners[i].Has(j) }

// follows reports whether i follows j and is connected to it.
func (s *State) follows(i, j Server) bool { return s.State[i] == FOLLOWING && s.ConnectInfo[i] == j }

// lastZxid returns the zxid of the last transaction of h, zero where h is empty.
func lastZxid(h *History) Zxid { return h.Last().Zxid }

// indexOf returns the position of z in h: 0 for the zero Zxid, Len+1 where h does not have z, or
// has it twice.
func indexOf(h *History, z Zxid) int {
	if z == (Zxid{}) {
		return 0
	}
	at := 0
	for k := 1; k <= h.Len(); k++ {
		if h.At(k).Zxid == z {
			if at > 0 {
				return h.Len() + 1
			}
			at = k
		}
	}
	if at == 0 {
		return h.Len() + 1
	}
	return at
}

// newestEpoch returns the largest epoch that any server has accepted.
func (s *State) newestEpoch() (e uint8) {
	for i := range s.AcceptedEpoch {
		e = max(e, s.AcceptedEpoch[i])
	}
	return e
}
