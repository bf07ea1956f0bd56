package control

import (
	"fmt"
	"slices"
)

// Place is where a thread can be made to rest. Each version has one Point for it.
type Place uint8

// Places. All of them are outside monitors that other threads need.
const (
	// Election: QuorumPeer is about to look for a leader.
	Election Place = iota
	// Read: a follower's QuorumPeer is about to read a packet.
	Read
	// Snapshot: a follower's QuorumPeer has NEWLEADER, has written the snapshot if there has to be
	// one, and has changed nothing else.
	Snapshot
	// Logged: a follower's QuorumPeer has started its processors and logged what it has held
	// back, and has not accepted the epoch. Versions that log all of it before the epoch have
	// this place.
	Logged
	// Epoch: a follower's QuorumPeer has accepted the epoch of NEWLEADER. It has started its
	// processors if this version starts them with NEWLEADER.
	Epoch
	// Ack: a follower's QuorumPeer has handed over or logged what it has held back, and is about to
	// acknowledge NEWLEADER.
	Ack
	// Shutdown: a follower's QuorumPeer has closed its connection and is about to shut the server
	// down.
	Shutdown
	// Commit: CommitProcessor is about to apply a transaction.
	Commit
	// Append: SyncRequestProcessor is about to append to the log.
	Append
	// Sync: a LearnerHandler is about to decide how its learner is synchronised.
	Sync
	// Opened: a LearnerHandler has decided how its learner is synchronised and forwards to it. It
	// is about to queue NEWLEADER. What is queued is sent after that.
	Opened
	// Save: a thread that SyncRequestProcessor has started is about to write a snapshot.
	Save
	// Poll: a server that looks for a leader is about to wait for a notification.
	Poll
	// Finalize: it has a quorum for its vote, and is about to wait for a better one.
	Finalize
	// Connect: a follower is about to connect to the leader that it has elected.
	Connect
	// Rename: a file with an epoch is written, and does not have its name yet. Threads stop here
	// only where Gates.Catch says so.
	Rename
	// Send: the sender of a LearnerHandler is about to write a packet to its learner.
	Send
	// GiveUp: a leader's QuorumPeer is about to shut the leader down.
	GiveUp
	// Final: FinalRequestProcessor is about to apply a transaction, or to answer a read.
	Final
	// Force: SyncRequestProcessor has written its log files, and is about to force the first one.
	// Threads stop here only where Gates.Catch says so.
	Force
	// ForcedLog: a log was forced to disk. ForcedFile: another file was, and it does not have its
	// name yet. Threads do not rest at the two: the node notes what is on its disk.
	ForcedLog
	ForcedFile
	// ForcedName: the folder of a file with an epoch was forced after the file got its name. No
	// release does that: a repair does. Threads do not rest there either.
	ForcedName
	// ForcedEnd: the log that TRUNC has made shorter was forced. ForcedDeletion: the folder of the
	// logs was forced after TRUNC had deleted the later ones. Both are as ForcedName.
	ForcedEnd
	ForcedDeletion
	places
)

var placeNames = [places]string{"election", "read", "snapshot", "logged", "epoch", "ack", "shutdown", "commit", "append", "sync", "opened", "save", "poll", "finalize",
	"connect", "rename", "send", "give up", "final", "force", "forced log", "forced file", "forced name", "forced end", "forced deletion"}

func (p Place) String() string { return placeNames[p] }

// Ranges of versions in which NEWLEADER does the same things in the same order.
var (
	// epochThenLog: setCurrentEpoch, startupWithoutServing, logging in another thread.
	epochThenLog = Ranges{{From: Version{3, 5, 8}, Until: Version{3, 8, 5}}, {From: Version{3, 9, 0}, Until: Version{3, 9, 2}}}
	// logThenEpoch: startupWithoutServing, logging in the same thread, setCurrentEpoch.
	logThenEpoch = Ranges{{From: Version{3, 8, 5}, Until: Version{3, 9, 0}}, {From: Version{3, 9, 2}, Until: Version{3, 9, 3}}}
	// commitThenEpoch: logging and applying what is committed, setCurrentEpoch, no processors.
	commitThenEpoch = Ranges{{From: Version{3, 9, 3}}}
	// withProcessWrite: CommitProcessor.run calls processWrite for a transaction, and only for one.
	withProcessWrite = Ranges{{From: Version{3, 6, 0}}}
	// withProcessCommitted: it calls processCommitted, which takes one transaction from a queue.
	withProcessCommitted = Ranges{{From: Version{3, 5, 0}, Until: Version{3, 6, 0}}}
	// withUpdatingFile: NEWLEADER takes a snapshot and sets the epoch between the creation and the
	// deletion of a file. It starts no processors.
	withUpdatingFile = Ranges{{From: Version{3, 4, 14}, Until: Version{3, 5, 0}}}
	// withSyncFollower: LearnerHandler.run calls syncFollower, and Learner.shutdown gives a reason.
	withSyncFollower = Ranges{{From: Version{3, 5, 0}}}
	// withVerifierBytes: the leader's membership comes as bytes to the LearnerHandler.
	withVerifierBytes = Ranges{{From: Version{3, 6, 0}}}
	// withVoteTracker: lookForLeader counts votes with getVoteTracker, before with termPredicate.
	withVoteTracker      = Ranges{{From: Version{3, 6, 0}}}
	withoutVoteTracker   = Ranges{{Until: Version{3, 6, 0}}}
	withoutVerifierBytes = Ranges{{From: Version{3, 5, 0}, Until: Version{3, 6, 0}}}
	// withSync: AtomicFileOutputStream calls FileDescriptor.sync, before 3.5 FileChannel.force.
	withSync    = Ranges{{From: Version{3, 5, 0}}}
	withoutSync = Ranges{{Until: Version{3, 5, 0}}}
)

// table has the points of all versions.
var table = []*Point{
	{Place: Election, Class: "quorum.FastLeaderElection", Method: "lookForLeader"},
	{Place: Read, Class: "quorum.Learner", Method: "readPacket"},
	{Place: Snapshot, Class: "quorum.Learner", Method: "syncWithLeader", Versions: epochThenLog,
		Site: Site{Kind: BeforeCall, Target: "setCurrentEpoch", Precedes: "startupWithoutServing"}},
	{Place: Snapshot, Class: "quorum.Learner", Method: "syncWithLeader", Versions: logThenEpoch,
		Site: Site{Kind: BeforeCall, Target: "startupWithoutServing"}},
	{Place: Snapshot, Class: "quorum.Learner", Method: "syncWithLeader", Versions: commitThenEpoch,
		Site: Site{Kind: BeforeCall, Target: "setCurrentEpoch", Follows: "appendRequest"}},
	{Place: Logged, Class: "quorum.Learner", Method: "syncWithLeader", Versions: logThenEpoch,
		Site: Site{Kind: BeforeCall, Target: "setCurrentEpoch", Follows: "startupWithoutServing"}},
	{Place: Epoch, Class: "quorum.Learner", Method: "syncWithLeader", Versions: epochThenLog,
		Site: Site{Kind: AfterCall, Target: "startupWithoutServing"}},
	{Place: Epoch, Class: "quorum.Learner", Method: "syncWithLeader", Versions: logThenEpoch,
		Site: Site{Kind: AfterCall, Target: "setCurrentEpoch", Follows: "startupWithoutServing"}},
	{Place: Epoch, Class: "quorum.Learner", Method: "syncWithLeader", Versions: commitThenEpoch,
		Site: Site{Kind: AfterCall, Target: "setCurrentEpoch", Follows: "appendRequest"}},
	{Place: Ack, Class: "quorum.Learner", Method: "syncWithLeader", Versions: append(slices.Clone(epochThenLog), logThenEpoch...),
		Site: Site{Kind: BeforeCall, Target: "writePacket", Follows: "startupWithoutServing"}},
	{Place: Ack, Class: "quorum.Learner", Method: "syncWithLeader", Versions: commitThenEpoch,
		Site: Site{Kind: BeforeCall, Target: "writePacket", Follows: "appendRequest"}},
	{Place: Snapshot, Class: "quorum.Learner", Method: "syncWithLeader", Versions: withUpdatingFile,
		Site: Site{Kind: BeforeCall, Target: "setCurrentEpoch", Follows: "createNewFile"}},
	{Place: Epoch, Class: "quorum.Learner", Method: "syncWithLeader", Versions: withUpdatingFile,
		Site: Site{Kind: AfterCall, Target: "setCurrentEpoch", Follows: "createNewFile"}},
	{Place: Ack, Class: "quorum.Learner", Method: "syncWithLeader", Versions: withUpdatingFile,
		Site: Site{Kind: BeforeCall, Target: "writePacket", Follows: "createNewFile"}},
	{Place: Shutdown, Class: "quorum.Learner", Method: "shutdown", Versions: withUpdatingFile,
		Site: Site{Kind: BeforeCall, Target: "shutdown", Descriptor: "()V"}},
	{Place: Sync, Class: "quorum.LearnerHandler", Method: "run", Versions: withUpdatingFile,
		Site: Site{Kind: BeforeCall, Target: "getLogLock"}},
	{Place: Commit, Class: "quorum.CommitProcessor", Method: "run", Versions: withProcessWrite,
		Site: Site{Kind: BeforeCall, Target: "processWrite"}},
	{Place: Commit, Class: "quorum.CommitProcessor", Method: "processCommitted", Versions: withProcessCommitted,
		Site: Site{Kind: BeforeCall, Target: "poll"}},
	{Place: Shutdown, Class: "quorum.Learner", Method: "shutdown", Versions: withSyncFollower,
		Site: Site{Kind: BeforeCall, Target: "shutdown", Descriptor: "(Z)V"}},
	{Place: Append, Class: "SyncRequestProcessor", Method: "run", Site: Site{Kind: BeforeCall, Target: "append"}},
	{Place: Sync, Class: "quorum.LearnerHandler", Method: "run", Versions: withSyncFollower,
		Site: Site{Kind: BeforeCall, Target: "syncFollower"}},
	{Place: Opened, Class: "quorum.LearnerHandler", Method: "run", Versions: withVerifierBytes,
		Site: Site{Kind: BeforeCall, Target: "getQuorumVerifierBytes"}},
	{Place: Opened, Class: "quorum.LearnerHandler", Method: "run", Versions: withoutVerifierBytes,
		Site: Site{Kind: BeforeCall, Target: "getLastSeenQuorumVerifier"}},
	{Place: Poll, Class: "quorum.FastLeaderElection", Method: "lookForLeader", Versions: withVoteTracker,
		Site: Site{Kind: BeforeCall, Target: "poll", Precedes: "getVoteTracker"}},
	{Place: Poll, Class: "quorum.FastLeaderElection", Method: "lookForLeader", Versions: withoutVoteTracker,
		Site: Site{Kind: BeforeCall, Target: "poll", Precedes: "termPredicate"}},
	{Place: Finalize, Class: "quorum.FastLeaderElection", Method: "lookForLeader", Versions: withVoteTracker,
		Site: Site{Kind: BeforeCall, Target: "poll", Follows: "getVoteTracker"}},
	{Place: Finalize, Class: "quorum.FastLeaderElection", Method: "lookForLeader", Versions: withoutVoteTracker,
		Site: Site{Kind: BeforeCall, Target: "poll", Follows: "termPredicate"}},
	{Place: Connect, Class: "quorum.Learner", Method: "connectToLeader"},
	{Place: Rename, Class: "common.AtomicFileOutputStream", Method: "close"},
	{Place: Force, Class: "persistence.FileTxnLog", Method: "commit",
		Site: Site{Kind: BeforeCall, Target: "force"}},
	{Place: ForcedLog, Class: "persistence.FileTxnLog", Method: "commit",
		Site: Site{Kind: AfterCall, Target: "force"}},
	{Place: ForcedFile, Class: "common.AtomicFileOutputStream", Method: "close", Versions: withSync,
		Site: Site{Kind: AfterCall, Target: "sync"}},
	{Place: ForcedFile, Class: "common.AtomicFileOutputStream", Method: "close", Versions: withoutSync,
		Site: Site{Kind: AfterCall, Target: "force"}},
	{Place: ForcedName, Class: "common.AtomicFileOutputStream", Method: "close", Versions: withSync,
		Site: Site{Kind: AfterCall, Target: "force", Follows: "renameTo"}, Repair: true},
	{Place: ForcedEnd, Class: "persistence.FileTxnLog", Method: "truncate",
		Site: Site{Kind: AfterCall, Target: "sync", Follows: "setLength"}, Repair: true},
	{Place: ForcedDeletion, Class: "persistence.FileTxnLog", Method: "truncate",
		Site: Site{Kind: AfterCall, Target: "force", Follows: "delete"}, Repair: true},
	{Place: Send, Class: "quorum.LearnerHandler", Method: "sendPackets", Site: Site{Kind: BeforeCall, Target: "writeRecord"}},
	{Place: GiveUp, Class: "quorum.Leader", Method: "shutdown"},
	{Place: Final, Class: "FinalRequestProcessor", Method: "processRequest"},
	{Place: Save, Class: "SyncRequestProcessor$1", Method: "run", Site: Site{Kind: BeforeCall, Target: "takeSnapshot"}},
}

// rests reports whether threads rest at a place. They do not from ForcedLog on.
func (p Place) rests() bool { return p < ForcedLog }

// caught reports whether threads rest at a place only where Gates.Catch says so.
func (p Place) caught() bool { return p == Rename || p == Force }

// AllPlaces returns all places.
func AllPlaces() (out []Place) {
	for p := range places {
		out = append(out, p)
	}
	return out
}

// HasPlace reports whether a version has a place that only some versions have. All others have to
// be in each version, so that a point that is missing in the table is an error.
func HasPlace(v Version, p Place) bool {
	return (p != Logged || logThenEpoch.Has(v)) && (p != ForcedName || withSync.Has(v))
}

// Points returns the points of a version for the given places, in their order. Places that the
// version lacks are left out. It returns an error if the table has no point, or several, for a
// place.
func Points(v Version, wanted []Place) ([]*Point, error) {
	var out []*Point
	for _, place := range wanted {
		if !HasPlace(v, place) {
			continue
		}
		n := len(out)
		for _, p := range table {
			if p.Place == place && p.Versions.Has(v) {
				out = append(out, p)
			}
		}
		if len(out) != n+1 {
			return nil, fmt.Errorf("ZooKeeper %s has %d points for the place %q in the table: give it one", v, len(out)-n, place)
		}
	}
	return out, nil
}
