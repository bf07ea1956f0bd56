package raft

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, counted from 0; the library's ids are one more.
type Server int8

// None is no server.
const None Server = -1

// Set is a set of servers.
type Set = modules.Set[Server]

// Everyone is the cluster.
const Everyone Set = 1<<Servers - 1

// Role is a server's role in its own view: StateType in the library.
type Role uint8

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
	PreCandidate // asks whether it would be voted for: dissertation, section 9.6
)

// Entry is an entry of a log: raftpb.Entry without its index. Value 0 is the empty entry with which
// a leader begins its term; commands are numbered from 1.
type Entry struct {
	Change      [ChangeSlots]Change
	Term, Value Number
}

// ProgressState is how a leader sends appends to a follower: tracker.StateType.
type ProgressState uint8

// Progress states.
const (
	Probe      ProgressState = iota // one append at a time, until it is known where the logs agree
	Replicate                       // up to MaxInflight appends ahead of what is acknowledged
	InSnapshot                      // none until a snapshot is acknowledged: StateSnapshot
)

// Progress is a leader's view of a server's log: tracker.Progress. It is zero in servers that do
// not lead.
//
// Where an append carries at most one entry, the library's Inflights need no variable: in Replicate
// the appends in flight are those of the entries after Match and before Next.
type Progress struct {
	Match    Number           // matchIndex: the last entry known to be on the server
	Next     Number           // nextIndex: the entry to send next
	Inflight [BatchSlots]Ends // the last indices of the appends in flight, in Replicate
	// the commit index last sent; with blindCommits how many of the
	// appends after Match are no longer in flight, see freed
	SentCommit Number
	// the snapshot in flight, in InSnapshot, for a leader to which its outcome is reported:
	// PendingSnapshot
	Pending [PendingSlots]Number
	State   ProgressState
	Paused  bool // MsgAppFlowPaused: no append before the server is heard of
}

// State holds the variables. Variables of one server are arrays over the servers.
type State struct {
	// Persistent: HardState and the entries of Storage.
	Term   [Servers]Number // currentTerm
	Vote   [Servers]Server // votedFor
	Commit [Servers]Number // commitIndex
	Log    [Servers]Log    // log[], after the entries that Snap stands for
	Snap   [SnapSlots]Snapshot
	// the last entry that Storage does not have any more, where that is reported
	Folded [FoldedSlots]Point

	// Volatile.
	Role    [Servers]Role   // state
	Lead    [Servers]Server // the leader of the term, if known: SoftState.Lead
	Applied [Servers]Number // lastApplied

	// Conf is the configuration that a server has applied, PendingConf is, on leaders, an index
	// after which there is no change that it has not applied: pendingConfIndex. Changes counts the
	// proposals of changes.
	Conf        [ConfSlots]Conf
	PendingConf [ConfSlots]Number
	Changes     Number
	Adding      [AdditionSlots]Addition // of leaders
	AppliedTo   [ToldSlots]Number       // the entry that ApplyChange and NoteApplied report
	// what NoteSnapshot and, as an index, NoteCompaction report
	Stored [StoredSlots]Snapshot

	// Volatile on candidates: who has answered. Empty in other roles.
	Granted  [Servers]Set // votesGranted
	Rejected [Servers]Set

	// Elapsed says that an election timeout has passed since i heard of its leader: electionElapsed
	// >= electionTimeout. RecentActive are the servers from which a leader has received something
	// since it last checked. Elapsed only with CheckQuorum, RecentActive also with snapshots.
	Elapsed      [Servers]bool
	RecentActive [Servers]Set
	// Transferee is the server to which a leader hands over: leadTransferee.
	Transferee [TransferSlots]Server

	// Volatile on leaders, by leader and server. A leader's view of itself counts like any other.
	Pr [Servers][Servers]Progress

	// Reads, of leaders and of clients.
	ReadOnly     [ReadSlots]ReadOnly
	PendingReads [ReadSlots]ReadIDs
	Reads        [MaxReads]Read
	Asked        [AskSlots]Number // the number of the read that AskRead asks for
	Completed    Number           // the newest value of the register that a client knows of

	// Storage that is slower than the server. Disk holds the content of the disk. StableTo is the
	// index up to which the server knows its log to be there. Writes holds the tasks of its append
	// thread, and After the messages that wait for the writes of the present step.
	Disk     [DiskSlots]Disk
	StableTo [DiskSlots]Number
	Writes   [DiskSlots]Writes
	After    [DiskSlots]Responses

	// Messages in flight. A composition has one of these.
	Bag    Bag    // Network "udp"
	Stream Stream // Network "tcp"

	// Ahead is, next to a node, what is seen of the appends to each server that it sends next.
	Ahead [AheadSlots]Runs

	// Coming holds, next to a node over several streams, what is seen of the next messages to each
	// server.
	Coming [ComingSlots]Coming
	// Known is, next to a node over several streams, the commit index that a server knew before it
	// crashed: it has that or less on its disk. 0 where Commit is the one it has.
	Known [ComingSlots]Number

	// Proposed numbers the clients' commands.
	Proposed Number

	// Panics are the library's panics.
	Panics modules.Raised[Panic]
}

// Init yields the only initial state: a cluster that has just been set up, as the library's with a
// configuration in Storage and nothing else.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Vote[i] = None
		s.Lead[i] = None
	}
	for i := range s.Disk {
		s.Disk[i].Vote = None
	}
	for i := range s.Conf {
		s.Conf[i] = initialConf()
	}
	for i := range s.Transferee {
		s.Transferee[i] = None
	}
	for k := range s.Reads {
		s.Reads[k].Server = None
	}
	yield(s)
}

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is an acting server, Pair an acting server and a peer, Party an acting server and a set with
// it.
type (
	One   = modules.One[Server]
	Pair  = modules.Pair[Server]
	Party = modules.Party[Server]
)

var (
	each     = modules.Each[Server](Servers)
	eachPair = modules.EachPair[Server](Servers)
	parties  = modules.Subsets[Server](Servers)
)
