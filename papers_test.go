package multigrain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sentence is one statement of a published protocol on which a specification relies, in our words.
type sentence struct {
	place string // in the paper: section, figure, or step
	says  string
	tests string // Test, or Test/case, where case is a string of the test or a file of testdata
}

// papers are the sentences that the packages rely on. Each has a test.
var papers = map[string][]sentence{
	// Junqueira, Reed and Serafini: Zab (DSN 2011), and section 5.4 of the multi-grained paper
	// (EuroSys 2025).
	"zab/protocol": {
		{"step f.1.1", "A follower sends the last epoch that it has promised to the leader that the oracle names.", "TestFollowerTellsItsPromise"},
		{"step l.1.1", "With the promises of a quorum the leader proposes an epoch later than all of them.", "TestNewEpochIsLaterThanThePromises"},
		{"step f.1.2", "A follower promises a later epoch and answers with its current epoch and history.", "TestFollowerPromises"},
		{"step l.1.2", "The leader takes a history of the latest epoch, and among these the latest zxid.", "TestLeaderTakesTheLatestHistory"},
		{"step l.2.1", "The leader sends NEWLEADER with epoch and initial history to the quorum.", "TestLeaderSendsItsHistory"},
		{"step f.2.1", "A follower takes over epoch and history at once, and only of the epoch that it has promised.", "TestFollowerEntersTheEpochAtOnce"},
		{"step f.2.1 in halves, Remix 5.4", "The history may come in a step before the epoch.", "TestHistoryComesBeforeTheEpoch TestTranscripts/halfway.txt"},
		{"step l.2.2", "With the acknowledgements of a quorum the leader lets its followers deliver.", "TestQuorumEstablishesTheEpoch"},
		{"step f.2.3", "A follower delivers the initial history in its order.", "TestFollowerDeliversTheInitialHistory"},
		{"step l.3.1", "The leader proposes in the order of zxids, all of its epoch.", "TestProposalsAreInOrder"},
		{"step f.3.2", "A follower appends proposals in the order of their arrival and acknowledges them.", "TestFollowerAppendsInOrder"},
		{"step l.3.2", "The leader commits what a quorum has acknowledged.", "TestQuorumCommits"},
		{"step f.3.4", "A follower delivers a transaction after all before it.", "TestFollowerDeliversInOrder"},
		{"steps l.3.3, l.3.4", "A server that comes during Broadcast is brought up to date.", "TestLatecomerIsBroughtUpToDate"},
		{"state of a process", "Promise, epoch and history are on disk.", "TestRestartKeepsWhatIsOnDisk"},
		{"primary uniqueness (I-1)", "An epoch has one primary.", "TestInvariantsCanFail/two primaries of an epoch"},
		{"integrity (I-2)", "What is delivered was broadcast.", "TestInvariantsCanFail/delivered and never broadcast"},
		{"agreement (I-3)", "Of two delivered transactions one is delivered by both servers.", "TestInvariantsCanFail/each delivers its own"},
		{"total order (I-4)", "All servers deliver in one order, without holes.", "TestInvariantsCanFail/the other way round"},
		{"local primary order (I-5)", "The transactions of a primary are delivered in the order of its broadcasts.", "TestInvariantsCanFail/a primary's transactions the other way round"},
		{"global primary order (I-6)", "Transactions of earlier epochs are delivered first.", "TestInvariantsCanFail/a later epoch first"},
		{"primary integrity (I-7)", "A primary that broadcasts has delivered what was delivered of earlier epochs.", "TestInvariantsCanFail/a primary without what was delivered before it"},
		{"initial history integrity (I-8)", "The initial history of an established epoch is a prefix of those of later epochs.", "TestInvariantsCanFail/an established initial history is lost"},
		{"commit consistency (I-9)", "A server in Broadcast has delivered the initial history.", "TestInvariantsCanFail/in Broadcast without the initial history"},
		{"history consistency (I-10)", "Of the histories of two servers in an epoch one is a prefix of the other.", "TestInvariantsCanFail/histories of an epoch that differ"},
	},
	// The steps of Zab as ZooKeeper takes them, and the multi-grained paper.
	"zab": {
		{"phase 0", "The oracle names some leader. ZooKeeper elects the server with the latest epoch, zxid and identity.", "TestVoteOrder TestElection TestElectionTranscripts/three-servers TestElectionTranscripts/rounds"},
		{"step f.1.1", "A follower sends the last epoch that it has accepted.", "TestElectionTranscripts/discovery"},
		{"step l.1.1", "The leader proposes an epoch later than those of a quorum.", "TestElectionTranscripts/discovery TestElectionTranscripts/latecomer"},
		{"steps f.1.2, f.1.3", "A follower accepts a later epoch, and gives up a leader with an earlier one.", "TestElectionTranscripts/discovery TestElectionTranscripts/accepted-epoch"},
		{"step l.1.2", "The leader has the latest history of its quorum. ZooKeeper elects such a leader and gives up otherwise.", "TestElectionTranscripts/more-recent"},
		{"step l.2.1", "The leader brings each follower's history to its own: DIFF, TRUNC or SNAP (Remix 2.1.2).", "TestSyncFollower TestWaysOfSynchronization"},
		{"step f.2.1", "After NEWLEADER the follower has the leader's history and epoch.", "TestFollowerTakesUp"},
		{"step f.2.1 in three parts, Remix 2.2.1", "The follower does not enter the epoch and log at once: a fault between the two loses a transaction.", "TestFaultWaitsForNEWLEADER TestZK4643"},
		{"step f.2.1, Remix 2.2.2", "A thread of its own logs, and only then the follower acknowledges.", "TestLoggingIsAsynchronous TestShutdownLeavesQueue"},
		{"step l.2.2", "The leader serves with a quorum of acknowledgements, and tells its followers.", "TestQuorumOfNEWLEADER"},
		{"step f.2.2, Remix 2.2.3", "A follower that gets UPTODATE serves and acknowledges.", "TestUPTODATEHandsOver TestCommitPacketsOutOfOrder"},
		{"step l.3.1", "Zxids count up in the leader's epoch.", "TestRequests"},
		{"step f.3.1", "A follower logs proposals in order, and throws where one does not follow.", "TestRaised"},
		{"step l.3.2", "The leader commits with a quorum, in order and once.", "TestCommit TestAcksOutOfOrder"},
		{"step f.3.2", "A follower applies commits in order.", "TestCommitOfAnother TestApplyingIsAsynchronous"},
		{"step l.3.4", "A server that comes later gets UPTODATE at once.", "TestQuorumOfNEWLEADER TestElectionTranscripts/latecomer"},
		{"state of a process", "Epochs and log are on disk.", "TestRestart TestTmp"},
		{"Remix table 2", "The ten protocol invariants.", "TestInvariantsCanFail TestGhosts"},
		{"Remix table 3", "The code's own checks are invariants.", "TestRaised TestAssertionsAreForbidden"},
		{"Remix 3.2, figure 5", "One action takes a quorum through Election and Discovery.", "TestMSpec1"},
	},
	// Ongaro and Ousterhout: Raft (2014), and Ongaro's dissertation.
	"raft": {
		{"5.1", "A newer term is taken over, and makes a follower.", "TestNewerTermMakesAFollower"},
		{"5.1", "A request of an older term is rejected.", "TestStaleTermIsIgnored"},
		{"5.2", "A follower begins an election with the next term, its own vote, and requests to all.", "TestTimeoutBeginsAnElection"},
		{"5.2", "A server has one vote in a term.", "TestOneVoteInATerm"},
		{"5.2", "A majority makes a leader.", "TestMajorityMakesALeader"},
		{"5.2", "A candidate follows a leader of its term.", "TestCandidateYieldsToALeader"},
		{"5.2", "A leader sends heartbeats.", "TestHeartbeatTellsWhatMatches"},
		{"5.3", "The leader appends a command and sends it.", "TestCommandIsAppendedAndSent"},
		{"5.3", "A new leader begins after its last entry.", "TestLeaderBeginsAfterItsLastEntry"},
		{"5.3", "A follower refuses entries after a gap.", "TestFollowerRefusesAGap"},
		{"5.3", "After a rejection the leader sends from an earlier index.", "TestRejectionMovesNextBack"},
		{"5.3", "Conflicting entries are overwritten.", "TestConflictsAreOverwritten"},
		{"5.4.1", "A vote goes to a log that is up to date.", "TestVoteOnlyForUpToDateLogs"},
		{"5.4.2", "Only entries of the leader's term are committed by counting.", "TestOnlyEntriesOfTheOwnTermAreCounted"},
		{"figure 2, State", "Term, vote and log are on disk.", "TestRestartKeepsWhatIsOnDisk"},
		{"figure 2, AppendEntries 5", "The commit index stops at the last new entry.", "TestCommitStopsAtTheLastNewEntry"},
		{"figure 2, All Servers", "Committed entries are applied in order.", "TestCommittedEntriesAreApplied"},
		{"6", "A joint configuration needs two majorities.", "TestConfigurationsChange"},
		{"dissertation 3.10", "The target of a transfer begins an election at once.", "TestTimeoutNowBeginsAnElection"},
		{"dissertation 6.4", "A read waits for a majority to confirm the leader.", "TestTranscriptsOfAll/read TestLinearizability"},
		{"dissertation 9.6", "A pre-vote changes nothing.", "TestPreVoteChangesNothing"},
	},
	// Figure 2 of the same paper.
	"raft/reference": {
		{"Followers, Candidates", "A timeout begins an election of the next term.", "TestElectionSteps/Timeout of a follower TestElectionSteps/Timeout of a candidate"},
		{"RequestVote 1", "A request of an older term is refused.", "TestVoteSteps/refused in an older term"},
		{"RequestVote 2", "A server votes once in a term, for a log that is up to date.", "TestVoteSteps/refused after a vote for another TestVoteSteps/refused to a shorter log TestVoteSteps/granted to a shorter log of a newer term"},
		{"Candidates", "A majority of votes makes a leader.", "TestElectionSteps/BecomeLeader with a quorum TestElectionSteps/BecomeLeader with its own vote"},
		{"Candidates", "A candidate follows a leader of its term.", "TestAppendSteps/heartbeat to an empty log"},
		{"All Servers", "A newer term is taken over, and makes a follower.", "TestUpdateTermSteps"},
		{"Leaders", "A command is appended.", "TestLeaderSteps/ClientReq"},
		{"Leaders", "The next entry is sent to a follower.", "TestLeaderSteps/SendAE of the second entry"},
		{"AppendEntries 1", "A request of an older term is refused.", "TestAppendSteps/older term"},
		{"AppendEntries 2", "Entries after a gap are refused.", "TestAppendSteps/gap TestAppendSteps/other term before the entry"},
		{"AppendEntries 3", "A conflict takes all after it.", "TestAppendSteps/conflict takes all behind with it"},
		{"AppendEntries 4", "New entries are appended.", "TestAppendSteps/second entry TestAppendSteps/entry that is there"},
		{"AppendEntries 5", "The commit index follows.", "TestAppendSteps/commit index follows"},
		{"Leaders", "An answer moves nextIndex and matchIndex.", "TestAppendSteps/confirmed TestAppendSteps/refused"},
		{"Leaders", "A majority commits an entry of the leader's term.", "TestLeaderSteps/AdvanceCommit to the last replicated entry TestLeaderSteps/AdvanceCommit not to an entry of an older term"},
		{"State", "Term, vote and log survive a restart.", "TestFaultSteps/Restart of a leader"},
		{"figure 3", "Election safety, log matching and state machine safety.", "TestInvariantsCanFail"},
	},
}

// TestPapers checks that each sentence has tests that exist, and that each step of Zab that a
// comment of zab/protocol or zab names is in the list.
func TestPapers(t *testing.T) {
	for pkg, list := range papers {
		names, strs := testsOf(t, pkg)
		for _, s := range list {
			if s.tests == "" {
				t.Errorf("%s, %s: no test", pkg, s.place)
			}
			for _, test := range splitTests(s.tests) {
				name, part, _ := strings.Cut(test, "/")
				if !names[name] {
					t.Errorf("%s, %s: there is no %s", pkg, s.place, name)
				}
				if part != "" && !strs[part] && !isTestdata(pkg, part) {
					t.Errorf("%s, %s: neither a test nor testdata has %q", pkg, s.place, part)
				}
			}
		}
	}
	step := regexp.MustCompile(`\b[fl]\.[123]\.[1-4]\b`)
	for _, pkg := range []string{"zab/protocol", "zab"} {
		var listed []string
		for _, s := range papers[pkg] {
			listed = append(listed, step.FindAllString(s.place, -1)...)
		}
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range step.FindAllString(string(text), -1) {
				if !slices.Contains(listed, x) {
					t.Errorf("%s names step %s, and no sentence of the list is about it", file, x)
				}
			}
		}
	}
}

// splitTests splits a list of tests: each begins with Test, and a case may have spaces.
func splitTests(list string) (out []string) {
	for k, part := range strings.Split(" "+list, " Test") {
		if k > 0 {
			out = append(out, "Test"+strings.TrimSpace(part))
		}
	}
	return out
}

// testsOf returns the names of the test functions of a package, and the strings in its test files.
func testsOf(t *testing.T, pkg string) (names, strs map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(pkg), "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", pkg, err)
	}
	names, strs = map[string]bool{}, map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[n.Name.Name] = names[n.Name.Name] || n.Recv == nil
			case *ast.BasicLit:
				strs[strings.Trim(n.Value, "`\"")] = true
			}
			return true
		})
	}
	return names, strs
}

// isTestdata reports whether a package has a file of a name below testdata.
func isTestdata(pkg, name string) bool {
	found, _ := filepath.Glob(filepath.Join(filepath.FromSlash(pkg), "testdata", "*", name))
	return len(found) > 0
}

// TestEveryProtocolHasATranscript looks for catalogs, and for a test of a transcript next to each.
func TestEveryProtocolHasATranscript(t *testing.T) {
	var catalogs []string
	for _, pattern := range []string{"*/catalog.go", "*/*/catalog.go", "*/*/*/catalog.go"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range list {
			if text, err := os.ReadFile(file); err == nil && !strings.Contains(file, "testdata") && strings.Contains(string(text), "\nvar System = grains.System[") {
				catalogs = append(catalogs, filepath.ToSlash(filepath.Dir(file)))
			}
		}
	}
	if len(catalogs) < 8 {
		t.Fatalf("only the catalogs of %v were found", catalogs)
	}
	for _, pkg := range catalogs {
		names, _ := testsOf(t, pkg)
		found := false
		for name := range names {
			found = found || strings.Contains(name, "Transcript")
		}
		if !found {
			t.Errorf("%s has no transcript: write one, see package checker/spectest", pkg)
		}
	}
}
