package mutants

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repair is a repair of a finding in docs/results/findings.
type repair struct {
	Mutant
	ends    string   // how the counterexample ends on servers with the repair
	version string   // "" is Version
	with    []Mutant // further lines
}

// lines returns all lines that the repair changes.
func (r *repair) lines() []Mutant { return append([]Mutant{r.Mutant}, r.with...) }

// repairs are the smallest repairs, or an open pull request's. The name of each is that of its
// manifest in configs/zab/versions.
var repairs = []repair{
	{Mutant: Mutant{
		// A server that does not serve yet reads its log into memory when it shuts down, too.
		Name: "memory-behind-log", Class: "ZooKeeperServer", Method: "canShutdown",
		Line:    "return state == State.RUNNING || state == State.ERROR;",
		Becomes: "return state == State.INITIAL || state == State.RUNNING || state == State.ERROR;",
	}, ends: "at step 14 of 15, NodeCrash(I: 1, Tmp: false): History[2][1]: specification has none, implementation {{1, 1}, 0}"},
	{Mutant: Mutant{
		// The iterator stands after the first record that is not earlier than zxid. If that record
		// is later, the log ends after the record before it, or after the header of 16 bytes.
		Name: "truncate-keeps-record", Class: "persistence.FileTxnLog", Method: "truncate",
		Line: "long pos = input.getPosition();",
		Becomes: `
            long pos = input.getPosition();
            if (itr.getHeader() != null && itr.getHeader().getZxid() > zxid) {
                pos = 16;
                try (FileTxnIterator earlier = new FileTxnIterator(this.logDir, zxid, false)) {
                    boolean more = true;
                    while (more && earlier.getHeader() != null && earlier.getHeader().getZxid() < zxid) {
                        if (earlier.logFile.equals(itr.logFile)) {
                            pos = earlier.inputStream.getPosition();
                        }
                        more = earlier.next();
                    }
                }
            }`,
	}, ends: "at step 12 of 15, FollowerProcessSyncMessage(I: 1, J: 0): History[1][1]: specification {{1, 1}, 0}, implementation has none"},
	{Mutant: Mutant{
		// TRUNC removes the snapshots that are later than its zxid.
		Name: "zk-4837", Class: "persistence.FileTxnSnapLog", Method: "truncateLog",
		Line: "snapLog = new FileSnap(snapDir);",
		Becomes: `
                snapLog = new FileSnap(snapDir);
                for (File f : findNRecentSnapshots(Integer.MAX_VALUE)) {
                    if (Util.getZxidFromName(f.getName(), FileSnap.SNAPSHOT_FILE_PREFIX) > zxid) {
                        Files.delete(f.toPath());
                    }
                }`,
	}, ends: "at step 15 of 18, FollowerProcessSyncMessage(I: 1, J: 0): History[1][1]: specification {{1, 1}, 0}, implementation has none"},
	{Mutant: Mutant{
		// A leader that loses a follower takes its acknowledgements back. A leader that shuts down
		// has removed the learner before, and holds the lock of learners.
		Name: "truncated-ack", Class: "quorum.Leader", Method: "removeLearnerHandler",
		Line: "synchronized (forwardingFollowers) {",
		Becomes: `
        if (getLearners().contains(peer)) {
            synchronized (this) {
                for (Proposal p : outstandingProposals.values()) {
                    p.qvAcksetPairs.forEach(acks -> acks.getAckset().remove(peer.getSid()));
                }
            }
        }
        synchronized (forwardingFollowers) {`,
	}, ends: "at step 14 of 21, PartitionStart(I: 1, J: 2): AckSid[1][0]: specification {2}, implementation {}"},
	{Mutant: Mutant{
		// What this leader has committed and not yet applied counts as a part of the committed log.
		Name: "truncated-commit", Class: "quorum.LearnerHandler", Method: "syncFollower",
		Line: "} else if (peerLastZxid > maxCommittedLog && !isPeerNewEpochZxid) {",
		Becomes: `
            } else if (peerLastZxid > maxCommittedLog && !isPeerNewEpochZxid && learnerMaster instanceof Leader
                && peerLastZxid <= ((Leader) learnerMaster).lastCommitted
                && ZxidUtils.getEpochFromZxid(peerLastZxid) == ZxidUtils.getEpochFromZxid(((Leader) learnerMaster).lastCommitted)) {
                queueOpPacket(Leader.DIFF, peerLastZxid);
                needOpPacket = false;
                needSnap = false;
            } else if (peerLastZxid > maxCommittedLog && !isPeerNewEpochZxid) {`,
	}, ends: "at step 17 of 21, LeaderSyncFollower(I: 1, J: 2): Msgs[1][2][1].Kind: specification TRUNC, implementation DIFF"},
	{Mutant: Mutant{
		// Every snapshot that a learner writes before it acknowledges NEWLEADER is forced.
		Name: "unforced-snapshot", Class: "quorum.Learner", Method: "syncWithLeader",
		Line:    "boolean syncSnapshot = false;",
		Becomes: "boolean syncSnapshot = true;",
	}, ends: "driven to the end, and the symptom lost-with-power was not seen: each follower that has " +
		"acknowledged NEWLEADER has after a loss of power what it had in memory"},
	{Mutant: Mutant{
		// A start, and all else that reads the log, forces the files that it reads.
		Name: "unforced-tail", Class: "persistence.FileTxnLog", Method: "read(long zxid, boolean fastForward)",
		Line: "return new FileTxnIterator(logDir, zxid, fastForward);",
		Becomes: `
        for (File f : getLogFiles(logDir.listFiles(), zxid)) {
            streamsToFlush.add(new FileOutputStream(f, true));
        }
        commit();
        return new FileTxnIterator(logDir, zxid, fastForward);`,
	}, ends: "at step 26 of 28, NodeLosesPower(I: 2): History[2][1]: specification has none, implementation {{1, 1}, 0}"},
	{Mutant: Mutant{
		// The old file of the log is forced before the new one gets its first record.
		Name: "rolled-log", Class: "SyncRequestProcessor", Method: "run",
		Line: "zks.getZKDatabase().rollLog();",
		Becomes: `
                        zks.getZKDatabase().commit();
                        zks.getZKDatabase().rollLog();`,
	}, ends: "at step 17 of 25, NodeLosesRolledLog(I: 0): History[0][1].Zxid.Counter: specification 2, implementation 1"},
	{Mutant: Mutant{
		// Who has renamed the file of an epoch forces the folder.
		Name: "lost-epoch", Class: "common.AtomicFileOutputStream", Method: "close",
		Line: "boolean renamed = tmpFile.renameTo(origFile);",
		Becomes: `
                    boolean renamed = tmpFile.renameTo(origFile);
                    try (java.nio.channels.FileChannel folder = java.nio.channels.FileChannel.open(origFile.getParentFile().toPath())) {
                        folder.force(true);
                    }`,
	}, ends: "at step 7 of 19, NodeLosesEpochs(I: 2, Accepted: true): AcceptedEpoch[2]: specification 0, implementation 1"},
	{Mutant: Mutant{
		// TRUNC forces the log that it makes shorter, and then the folder in which it deletes later
		// ones.
		Name: "lost-truncation", Class: "persistence.FileTxnLog", Method: "truncate",
		Line: "raf.setLength(pos);",
		Becomes: `
            raf.setLength(pos);
            raf.getFD().sync();`,
	}, with: []Mutant{{
		Class: "persistence.FileTxnLog", Method: "truncate",
		Line: "return true;",
		Becomes: `
        try (FileChannel folder = FileChannel.open(logDir.toPath())) {
            folder.force(true);
        }
        return true;`,
	}}, ends: "at step 23 of 31, NodeLosesTruncation(I: 1): History[1][1].Zxid.Epoch: specification 1, implementation 2"},
	{Mutant: Mutant{
		// A leader sends SNAP where it would send TRUNC. When a follower has written the snapshot,
		// it deletes its logs, the latest first, and then its other snapshots, and forces the
		// folders.
		Name: "replaced-log", Class: "quorum.LearnerHandler", Method: "syncFollower",
		Line: "} else if (peerLastZxid > maxCommittedLog && !isPeerNewEpochZxid) {",
		Becomes: `
            } else if (peerLastZxid > maxCommittedLog && !isPeerNewEpochZxid) {
                LOG.info("Sending SNAP instead of TRUNC for peer sid: {}", getSid());
            } else if (false) {`,
	}, with: []Mutant{{
		Class: "quorum.LearnerHandler", Method: "queueCommittedProposals",
		Line:    "if (ZxidUtils.getEpochFromZxid(packetZxid) != ZxidUtils.getEpochFromZxid(peerLastZxid)) {",
		Becomes: "if (packetZxid != peerLastZxid) {",
	}, {
		Class: "quorum.Learner", Method: "syncWithLeader",
		Line: "if (snapshotNeeded) {",
		Becomes: `
                    if (self.getSyncMode() == QuorumPeer.SyncMode.SNAP) {
                        zk.takeSnapshot(true);
                        org.apache.zookeeper.server.persistence.FileTxnSnapLog disk = zk.getTxnLogFactory();
                        disk.rollLog();
                        String kept = org.apache.zookeeper.server.persistence.Util.makeSnapshotName(
                            zk.getZKDatabase().getDataTreeLastProcessedZxid());
                        for (String prefix : new String[] {"log", "snapshot"}) {
                            java.io.File dir = prefix.equals("log") ? disk.getDataDir() : disk.getSnapDir();
                            java.util.List<java.io.File> files = org.apache.zookeeper.server.persistence.Util.sortDataDir(
                                dir.listFiles(), prefix, false);
                            for (java.io.File f : files) {
                                if (f.getName().startsWith(prefix + ".") && !f.getName().equals(kept)) {
                                    java.nio.file.Files.delete(f.toPath());
                                }
                            }
                            try (java.nio.channels.FileChannel folder = java.nio.channels.FileChannel.open(dir.toPath())) {
                                folder.force(true);
                            }
                        }
                    } else if (snapshotNeeded) {`,
	}}, ends: "at step 17 of 36, FollowerProcessNEWLEADER(I: 1, J: 2): Disks[1].Log[1]: specification {{1, 1}, 0}, implementation has none"},
	{Mutant: Mutant{
		// A follower that gives up after TRUNC and before NEWLEADER clears its memory, as after
		// SNAP.
		Name: "zk-5094", Class: "quorum.Learner", Method: "shutdown",
		Line: "zk.shutdown(self.getSyncMode().equals(QuorumPeer.SyncMode.SNAP));",
		Becomes: `
            QuorumPeer.SyncMode mode = self.getSyncMode();
            zk.shutdown(mode.equals(QuorumPeer.SyncMode.SNAP) || mode.equals(QuorumPeer.SyncMode.TRUNC));`,
	}, ends: "at step 30 of 37, PartitionStart(I: 0, J: 1): History[1][1]: specification {{2, 1}, 1}, implementation has none"},
	{Mutant: Mutant{
		// Pull request 1109: a file says that NEWLEADER is being processed. A start that finds it
		// takes the epoch of the last transaction.
		Name: "zk-2354", Class: "quorum.QuorumPeer", Method: "loadDataBase",
		Line: "currentEpoch = readLongFromFile(CURRENT_EPOCH_FILENAME);",
		Becomes: `
                currentEpoch = readLongFromFile(CURRENT_EPOCH_FILENAME);
                File updating = new File(getTxnFactory().getSnapDir(), "updatingEpoch");
                if (epochOfZxid > currentEpoch && updating.exists()) {
                    setCurrentEpoch(epochOfZxid);
                    if (!updating.delete()) {
                        throw new IOException("cannot delete " + updating);
                    }
                }`,
	}, version: "3.9.5", with: []Mutant{{
		Class: "quorum.Learner", Method: "syncWithLeader",
		Line: `LOG.info("Learner received NEWLEADER message");`,
		Becomes: `
                    java.io.File updating = new java.io.File(self.getTxnFactory().getSnapDir(), "updatingEpoch");
                    if (!updating.exists() && !updating.createNewFile()) {
                        throw new IOException("cannot create " + updating);
                    }`,
	}, {
		Class: "quorum.Learner", Method: "syncWithLeader",
		Line: `LOG.info("Set the current epoch to {}", newEpoch);`,
		Becomes: `
                    if (!updating.delete()) {
                        throw new IOException("cannot delete " + updating);
                    }`,
	}}, ends: `at step 17 of 17, NodeStart(I: 1): server 1 does not log "is older than the last zxid" within 30s, where the specification raises an assertion of its code`},
}

// repaired compiles a repair into the folder dir. Without a folder it only looks for the lines.
func (b *Builder) repaired(r *repair, dir string) error {
	sources := map[string]string{}
	for _, m := range r.lines() {
		name, text, err := b.source(m.Class)
		if changed, ok := sources[name]; ok {
			text = changed
		}
		if err == nil {
			sources[name], err = replace(text, m.Method, m.Line, m.Becomes)
		}
		if err != nil {
			return fmt.Errorf("repair %s, class %s: %w", r.Name, m.Class, err)
		}
	}
	if dir == "" {
		return nil
	}
	return b.compile(dir, sources)
}

// TestRepairs does the counterexamples of findings on servers with classes that are compiled anew.
// With the released classes the symptoms are seen. With the repair the servers depart before, where
// the repair acts, or the end has no symptom. One run of each shows nothing of other schedules.
func TestRepairs(t *testing.T) {
	builders := map[string]*Builder{}
	for k := range repairs {
		r := &repairs[k]
		v := cmp.Or(r.version, Version)
		if builders[v] == nil {
			builders[v] = builderOf(t, v)
		}
		if err := builders[v].repaired(r, ""); err != nil {
			t.Error(err)
		}
	}
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	s := &searcher{command: filepath.Join(t.TempDir(), "multigrain")}
	if out, err := exec.Command("go", "build", "-o", s.command, "github.com/multigrain/multigrain/cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for k := range repairs {
		r := &repairs[k]
		t.Run(r.Name, func(t *testing.T) {
			v := cmp.Or(r.version, Version)
			s.folder = t.TempDir()
			released, repaired := filepath.Join(s.folder, "released"), filepath.Join(s.folder, "repaired")
			if err := builders[v].BuildOriginals(r.lines(), released); err != nil {
				t.Fatal(err)
			}
			if err := builders[v].repaired(r, repaired); err != nil {
				t.Fatal(err)
			}
			base := "versions/" + r.Name + ".hcl"
			if c := s.confirm(t, v, s.manifest(t, "without", base, released)); c.Verdict != "confirmed" {
				t.Errorf("without the repair: %s: %s; want the symptoms", c.Verdict, c.Reason)
			}
			c := s.confirm(t, v, s.manifest(t, "with", base, repaired))
			t.Logf("with the repair: %s: %s", c.Verdict, c.Reason)
			if c.Reason != r.ends {
				t.Errorf("want: %s", r.ends)
			}
		})
	}
}

// truncatedEnd is a behaviour in which TRUNC makes a file of the log shorter. In the counterexample
// of configs/zab/versions/lost-truncation.hcl it deletes a file. Server 2 has logged a committed
// transaction and one that is not, in one file.
var truncatedEnd = []string{
	"QuorumElection(I: 2, S: {0, 2})", "JoinLeader(I: 2, J: 1)", "LeaderSyncFollower(I: 2, J: 1)", "LeaderSyncFollower(I: 2, J: 0)",
	"FollowerProcessSyncMessage(I: 0, J: 2)", "FollowerProcessNEWLEADER(I: 0, J: 2)", "LeaderProcessACKLD(I: 2, J: 0)", "FollowerProcessUPTODATE(I: 0, J: 2)",
	"FollowerProcessSyncMessage(I: 1, J: 2)", "FollowerProcessNEWLEADER(I: 1, J: 2)", "LeaderProcessACKLD(I: 2, J: 1)", "FollowerProcessUPTODATE(I: 1, J: 2)",
	"LeaderProcessRequest(I: 2)", "FollowerProcessPROPOSAL(I: 0, J: 2)", "LeaderProcessACK(I: 2, J: 0)", "FollowerProcessCOMMIT(I: 0, J: 2)",
	"FollowerProcessPROPOSAL(I: 1, J: 2)", "LeaderProcessACK(I: 2, J: 1)", "FollowerProcessCOMMIT(I: 1, J: 2)",
	"LeaderProcessRequest(I: 2)", "NodeCrash(I: 2, Tmp: false)", "NodeStart(I: 2)",
	"QuorumElection(I: 1, S: {0, 1})", "JoinLeader(I: 1, J: 2)", "LeaderSyncFollower(I: 1, J: 2)", "LeaderSyncFollower(I: 1, J: 0)",
	"FollowerProcessSyncMessage(I: 0, J: 1)", "FollowerProcessNEWLEADER(I: 0, J: 1)", "LeaderProcessACKLD(I: 1, J: 0)",
	"FollowerProcessSyncMessage(I: 2, J: 1)", "FollowerProcessNEWLEADER(I: 2, J: 1)", "LeaderProcessACKLD(I: 1, J: 2)",
	"LeaderProcessRequest(I: 1)", "FollowerProcessUPTODATE(I: 2, J: 1)", "FollowerProcessPROPOSAL(I: 2, J: 1)", "LeaderProcessACK(I: 1, J: 2)",
	"NodeLosesTruncation(I: 2)", "NodeStart(I: 2)", "FollowerProcessUPTODATE(I: 0, J: 1)",
	"JoinLeader(I: 1, J: 2)", "LeaderSyncFollower(I: 1, J: 2)", "FollowerProcessSyncMessage(I: 2, J: 1)", "FollowerProcessNEWLEADER(I: 2, J: 1)",
	"LeaderProcessACKLD(I: 1, J: 2)", "FollowerProcessUPTODATE(I: 2, J: 1)",
}

// writeSteps writes steps as a trace that has no states: replay with -manifest needs none.
func writeSteps(t testing.TB, file string, steps []string) {
	t.Helper()
	states := []map[string]any{{}}
	for _, text := range steps {
		name, params, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
		picks := map[string]any{}
		for _, p := range regexp.MustCompile(`(\w+): (\{.*?\}|\w+)`).FindAllStringSubmatch(params, -1) {
			var value any
			list, isSet := strings.CutPrefix(strings.TrimSuffix(p[2], "}"), "{")
			if isSet {
				list = "[" + list + "]"
			}
			if err := json.Unmarshal([]byte(list), &value); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if isSet {
				value = map[string]any{"#set": value}
			}
			picks[p[1]] = value
		}
		states = append(states, map[string]any{"mbt::actionTaken": name, "mbt::nondetPicks": picks})
	}
	b, err := json.Marshal(map[string]any{"vars": []string{}, "states": states})
	if err == nil {
		err = os.WriteFile(file, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestHalvesOfTruncation compiles the two halves of the repair lost-truncation apart. Each keeps
// what it forces: the new end of a file, or the deletion of later ones. The other comes back with a
// loss of power, so the repair needs both.
func TestHalvesOfTruncation(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	b := builderOf(t, Version)
	whole := repairs[slices.IndexFunc(repairs, func(r repair) bool { return r.Name == "lost-truncation" })]
	s := newSearcher(t, b, whole.lines())
	trace := filepath.Join(s.folder, "truncated-end.itf.json")
	writeSteps(t, trace, truncatedEnd)
	for _, x := range []struct {
		name            string
		lines           []Mutant
		ended, deletion bool // what comes back
	}{
		{"neither", nil, true, true},
		{"end", whole.lines()[:1], false, true},
		{"deletion", whole.lines()[1:], true, false},
		{"both", whole.lines(), false, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			classes := filepath.Join(t.TempDir(), "classes")
			err := b.BuildOriginals(whole.lines(), classes)
			if len(x.lines) > 0 {
				err = b.repaired(&repair{Mutant: x.lines[0], with: x.lines[1:]}, classes)
			}
			if err != nil {
				t.Fatal(err)
			}
			manifest := s.manifest(t, x.name, "versions/lost-truncation.hcl", classes)
			c := s.confirm(t, Version, manifest)
			if want := map[bool]string{true: "confirmed", false: "departs"}[x.deletion]; c.Verdict != want {
				t.Errorf("a deleted file: %s: %s; want %s", c.Verdict, c.Reason, want)
			}
			d := s.run(t, "replay", trace, "-manifest", manifest, "-var", "transactions=3", "-var", "version=v"+Version).departure()
			if x.ended && d != nil || !x.ended && (d == nil || d.action != "NodeLosesTruncation") {
				t.Errorf("a shorter file: departs at %v", d)
			}
		})
	}
}

// confirmed is the part of a result of confirm that TestRepairs needs.
type confirmed struct{ Verdict, Reason string }

// confirm does the counterexample of a manifest once, on a version.
func (s *searcher) confirm(t testing.TB, version, manifest string) *confirmed {
	t.Helper()
	args := []string{"confirm", manifest, "-var", "version=v" + version, "-impl", "zookeeper@" + version, "-controls", "0", "-json", "-quiet", "-to", s.folder}
	out, err := exec.Command(s.command, args...).Output()
	var doc struct{ Confirm *confirmed }
	if bad := json.Unmarshal(out, &doc); bad != nil || doc.Confirm == nil {
		t.Fatalf("multigrain %q: %v %v\n%s", args, err, bad, out)
	}
	return doc.Confirm
}
