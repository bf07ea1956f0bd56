package zookeeper

import "slices"

// Version is a value of option "variant".
type Version struct {
	Name string // as v3.9.1
	// Releases are releases, as 3.9.1, that the specification cannot tell apart. It is empty where
	// no release is meant.
	Releases []string
	// Partial says that the specification has only a part of what the version does otherwise than
	// others. Results do not compare it.
	Partial bool
	Doc     string
}

// Difference is something that some versions do and others do not.
type Difference struct {
	Const string // the constant of package zab that says whether the chosen version has it
	Doc   string // what a version with the difference does
	// Change names the ticket, the pull request or commit that made the difference, or ended it.
	Change string
	// Without and With are the places in the code of a version without and of one with the
	// difference, as FILE:LINES@VERSION.
	Without, With string
	In            []string // the versions that have it, in the order of Versions
}

// Versions are the versions, the oldest first. This table and that of Differences say which
// released version does what. The constants of package zab, the values of its option "variant", the
// variant that confirm takes for a release, and docs/reference/versions.md are written from them:
// see TestFiles.
var Versions = []Version{
	{Name: "v3.4.3", Partial: true, Doc: "Elections of 3.4.3, up to ZOOKEEPER-1419. All else is as in v3.9.1, without currentEpoch.tmp."},
	{Name: "v3.4.14", Releases: []string{"3.4.14"}, Doc: "The last release of 3.4."},
	{Name: "v3.5.10", Releases: []string{"3.5.10"}, Doc: "The last release of 3.5."},
	{Name: "v3.6.4", Releases: []string{"3.6.4"}, Doc: "The last release of 3.6."},
	{Name: "v3.7.0", Releases: []string{"3.7.0"}, Partial: true, Doc: "The last release without currentEpoch.tmp."},
	{Name: "v3.7.2", Releases: []string{"3.7.1", "3.7.2"}, Doc: "The last release of 3.7."},
	{Name: "v3.8.0", Releases: []string{"3.8.0", "3.8.1", "3.8.2", "3.8.3", "3.8.4"}, Doc: "3.8 up to pull request 2111."},
	{Name: "v3.8.6", Releases: []string{"3.8.5", "3.8.6"}, Doc: "3.8 with pull request 2111."},
	{Name: "v3.9.1", Releases: []string{"3.9.0", "3.9.1"}, Doc: "3.9 up to pull request 2111; the version of the paper."},
	{Name: "v3.9.2", Releases: []string{"3.9.2"}, Doc: "3.9 with pull request 2111."},
	{Name: "v3.9.3", Releases: []string{"3.9.3"}, Doc: "3.9 with pull requests 2152 and 2154."},
	{Name: "v3.9.5", Releases: []string{"3.9.4", "3.9.5"}, Doc: "3.9 with pull request 2254, too."},
	{Name: "master", Doc: "Commit 53a78e36f of 2026-07-17."},
}

// Differences is the table.
var Differences = []Difference{
	{
		Const: "votesByIdentity",
		Doc: "Votes with equal zxids are compared by identity, whatever their epochs. " +
			"Whether somebody leads is looked up among those that have left the election.",
		Change:  "ZOOKEEPER-1419, fixed in 3.4.4",
		Without: "FastLeaderElection.java:723@3.9.1",
		With:    "FastLeaderElection.java:607-627@3.4.3",
		In:      []string{"v3.4.3"},
	}, {
		Const: "acksBeforeLog",
		Doc: "NEWLEADER is acknowledged before what came with it is logged. UPTODATE starts the server's " +
			"threads, and then logs.",
		Change:  "ZOOKEEPER-3911, commit 9b2b72abc, fixed in 3.5.10, 3.6.3 and 3.7.0, never in 3.4",
		Without: "Learner.java:581-590@3.5.10",
		With:    "Learner.java:459-487@3.4.14",
		In:      []string{"v3.4.14"},
	}, {
		Const: "matchesNoCommit",
		Doc: "A COMMIT after NEWLEADER, or after DIFF, needs no proposal. Later versions throw where none is " +
			"held back (ZOOKEEPER-4394).",
		Change:  "ZOOKEEPER-107, commit 5428cd4bc, in 3.5.0",
		Without: "Learner.java:484-486@3.5.10",
		With:    "Learner.java:395-406@3.4.14",
		In:      []string{"v3.4.14"},
	}, {
		Const: "syncsByCommittedLog",
		Doc: "A leader decides by committedLog alone. If that is empty it sends SNAP, also to a learner that is ahead. " +
			"It sends no transactions from its log, and TRUNC may cross an epoch.",
		Change:  "ZOOKEEPER-1413, commit 9f102d311, in 3.5.0",
		Without: "LearnerHandler.java:695-781@3.5.10",
		With:    "LearnerHandler.java:393-474@3.4.14",
		In:      []string{"v3.4.14"},
	}, {
		Const: "sendsOverGaps",
		Doc: "A leader whose committedLog begins after the end of its log nevertheless sends DIFF, without the transactions " +
			"between the two.",
		Change:  "ZOOKEEPER-2418, commit 4cadbb1a6, in 3.6.0",
		Without: "LearnerHandler.java:887@3.6.4",
		With:    "LearnerHandler.java:783-792@3.5.10",
		In:      []string{"v3.5.10"},
	}, {
		Const:   "forwardsFromPeer",
		Doc:     "After SNAP a leader forwards the proposals after the learner's last zxid, and not those after its own.",
		Change:  "ZOOKEEPER-3140, commit b2513c114, in 3.6.0",
		Without: "LearnerHandler.java:922@3.6.4",
		With:    "LearnerHandler.java:473@3.4.14, 803@3.5.10",
		In:      []string{"v3.4.14", "v3.5.10"},
	}, {
		Const: "marksEpoch",
		Doc: "A follower creates the file updatingEpoch before the snapshot and removes it after the epoch. A start that " +
			"finds it takes the epoch of its last transaction.",
		Change:  "ZOOKEEPER-1653, commit c62f2ffa7, in 3.4.6; gone from 3.5",
		Without: "Learner.java:570-576@3.5.10",
		With:    "Learner.java:445-458@3.4.14, QuorumPeer.java:653-663@3.4.14",
		In:      []string{"v3.4.14"},
	}, {
		Const:   "readsTmpEpoch",
		Doc:     "A start whose currentEpoch is older than its last transaction takes the epoch in currentEpoch.tmp, if there is one.",
		Change:  "ZOOKEEPER-4269, commit cdddda4c5, in 3.5.10, 3.6.3, 3.7.1 and 3.8.0",
		Without: "QuorumPeer.java:674-676@3.4.14",
		With:    "QuorumPeer.java:979-992@3.5.10, 1164-1178@3.7.2",
		In: []string{"v3.5.10", "v3.6.4", "v3.7.2", "v3.8.0", "v3.8.6", "v3.9.1", "v3.9.2", "v3.9.3", "v3.9.5",
			"master"},
	}, {
		Const: "logsDuringShutdown",
		Doc: "A shutdown reads the log into memory, and then waits until the SyncRequestProcessor has logged its queue. " +
			"So memory lacks what the queue had.",
		Change:  "ZOOKEEPER-3642, commit efbd660e1 (161e50574 in 3.5, a53cfeb26 in 3.6): from then on nothing stops the thread, ZOOKEEPER-4712",
		Without: "Learner.java:692@3.5.10",
		With:    "Learner.java:563@3.4.14, LearnerZooKeeperServer.java:139-152@3.4.14",
		In:      []string{"v3.4.14"},
	}, {
		Const:   "logsBeforeShutdown",
		Doc:     "A shutdown waits until the SyncRequestProcessor has logged its queue, and then reads the log into memory.",
		Change:  "ZOOKEEPER-4712, pull request 2154, commit bc9afbf8e, in 3.9.3",
		Without: "LearnerZooKeeperServer.java:155-173@3.9.2",
		With:    "ZooKeeperServer.java:922-949@3.9.3, LearnerZooKeeperServer.java:155-168@3.9.3",
		In:      []string{"v3.9.3", "v3.9.5", "master"},
	}, {
		Const: "logsBeforeEpoch",
		Doc: "NEWLEADER logs in its own thread all that is held back, before it accepts the epoch. UPTODATE acknowledges these " +
			"transactions.",
		Change:  "ZOOKEEPER-4785, pull request 2111, commit 315abde35, in 3.8.5 and 3.9.2",
		Without: "Learner.java:748-765@3.9.1",
		With:    "Learner.java:757-806@3.9.2",
		In:      []string{"v3.8.6", "v3.9.2"},
	}, {
		Const: "appliesBeforeEpoch",
		Doc: "NEWLEADER logs and applies in its own thread what is committed, before it accepts the epoch. All else stays held back " +
			"until UPTODATE, which starts the server's threads.",
		Change:  "ZOOKEEPER-4394, pull request 2152, commit 9fcb805fa, in 3.9.3",
		Without: "Learner.java:757-806@3.9.2",
		With:    "Learner.java:755-804@3.9.3",
		In:      []string{"v3.9.3", "v3.9.5", "master"},
	}, {
		Const:   "appliesWithHoles",
		Doc:     "What NEWLEADER logs and applies is not added to committedLog.",
		Change:  "ZOOKEEPER-4925, in 3.9.3 only",
		Without: "Learner.java:797-799@3.9.5, ZooKeeperServer.java:1849@3.9.5",
		With:    "Learner.java:783-784@3.9.3, ZooKeeperServer.java:1850@3.9.3",
		In:      []string{"v3.9.3"},
	}, {
		Const:   "appliesWithoutHoles",
		Doc:     "What syncWithLeader applies is added to committedLog, also what a COMMIT applies in memory before NEWLEADER.",
		Change:  "ZOOKEEPER-4925, pull request 2254, commit e5dd60bf0, in 3.9.4",
		Without: "Learner.java:669@3.9.3",
		With:    "Learner.java:690@3.9.5",
		In:      []string{"v3.9.5", "master"},
	}, {
		Const: "refusesGaps",
		Doc: "A server does not start with a log in which a transaction is missing between two of its epoch: " +
			"committedLog takes the next one only.",
		Change:  "ZOOKEEPER-4925, pull request 2254, commit e5dd60bf0, in 3.9.4",
		Without: "ZKDatabase.java:318-342@3.9.1",
		With:    "ZKDatabase.java:322-353@3.9.5",
		In:      []string{"v3.9.5", "master"},
	}, {
		Const:   "deletesEmptyLog",
		Doc:     "A start deletes the last file of a log if it is empty. Other versions end with an EOFException.",
		Change:  "ZOOKEEPER-1621, in 3.9.3",
		Without: "FileTxnLog.java:708-716@3.9.2",
		With:    "FileTxnLog.java:715-738@3.9.3",
		In:      []string{"v3.9.3", "v3.9.5", "master"},
	}, {
		Const:   "needsSnapshot",
		Doc:     "A server does not start with a log and without a valid snapshot, unless zookeeper.snapshot.trust.empty is set.",
		Change:  "ZOOKEEPER-2325, in 3.5.3",
		Without: "FileTxnSnapLog.java:173-177@3.4.14",
		With:    "FileTxnSnapLog.java:250-257@3.5.10",
		In:      []string{"v3.5.10", "v3.6.4", "v3.7.0", "v3.7.2", "v3.8.0", "v3.8.6", "v3.9.1", "v3.9.2", "v3.9.3", "v3.9.5", "master"},
	},
}

// Compared returns the versions that results compare.
func Compared() (out []*Version) {
	for k := range Versions {
		if !Versions[k].Partial {
			out = append(out, &Versions[k])
		}
	}
	return out
}

// Differences returns the names of the differences that a version has.
func (v *Version) Differences() (names []string) {
	for k := range Differences {
		if d := &Differences[k]; d.Has(v.Name) {
			names = append(names, d.Const)
		}
	}
	return names
}

// Has reports whether a version has the difference.
func (d *Difference) Has(version string) bool { return slices.Contains(d.In, version) }
