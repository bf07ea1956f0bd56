package zab

import (
	"archive/zip"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// promises are words of the code at the places that invariants name, by file and first line.
var promises = map[string]string{
	"FastLeaderElection.java:723":      "totalOrderPredicate",
	"Follower.java:86":                 "ZabState.DISCOVERY",
	"Follower.java:170":                "LOG.warn",
	"Follower.java:203":                "fzk.commit",
	"Follower.java:244":                "LOG.warn",
	"FollowerZooKeeperServer.java:106": "UNMATCHED_TXN_COMMIT",
	"Leader.java:594":                  "ZabState.DISCOVERY",
	"Leader.java:1034":                 "LOG.warn",
	"Leader.java:1576":                 "LOG.error",
	"Learner.java:553":                 "snapshotNeeded = true",
	"Learner.java:599":                 "requestSystemExit",
	"Learner.java:634":                 "LOG.warn",
	"Learner.java:651":                 "peekFirst",
	"Learner.java:664":                 "LOG.warn",
	"FileTxnLog.java:715":              "goToNextLog",
	"FileTxnSnapLog.java:290":          "IOException",
	"LearnerHandler.java:858":          "Leader.TRUNC",
	"LearnerHandler.java:951":          "queueCommittedProposals",
	"QuorumPeer.java:1178":             "IOException",
	"ZKDatabase.java:322":              "IllegalStateException",
}

// near is how many lines after a place its word may be.
const near = 20

// TestPromises finds what an invariant says in the source of ZooKeeper that it names. The sources
// come from the local Maven repository: make zookeeper-jars.
func TestPromises(t *testing.T) {
	t.Parallel()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	place := regexp.MustCompile(`(\w+\.java):(\d+)(?:-\d+)?@([\d.]*\d)`)
	found := map[string]bool{}
	for k := range System.Grains {
		for _, v := range System.Grains[k].Invariants {
			for _, m := range place.FindAllStringSubmatch(v.Doc, -1) {
				if strings.HasPrefix(m[1], "Zab1_0Test") {
					continue // a test of ZooKeeper, which the jar does not have
				}
				at := m[1] + ":" + m[2]
				word := promises[at]
				if found[at] {
					continue
				}
				if found[at] = true; word == "" {
					t.Errorf("%s.%s names %s, and no word is listed for it", v.ID, v.Instance, at)
					continue
				}
				jar := filepath.Join(home, ".m2/repository/org/apache/zookeeper/zookeeper", m[3], "zookeeper-"+m[3]+"-sources.jar")
				lines, err := sourceLines(jar, m[1])
				if os.IsNotExist(err) {
					t.Skipf("the sources of ZooKeeper %s are not on this machine: run make zookeeper-jars", m[3])
				}
				if err != nil {
					t.Fatal(err)
				}
				n, _ := strconv.Atoi(m[2])
				if n > len(lines) || !strings.Contains(strings.Join(lines[n-2:min(n+near, len(lines))], "\n"), word) {
					t.Errorf("%s.%s: %s of %s does not have %q", v.ID, v.Instance, at, m[3], word)
				}
			}
		}
	}
	for at := range promises {
		if !found[at] {
			t.Errorf("no invariant names %s", at)
		}
	}
}

// sourceLines returns the lines of a file of a jar.
func sourceLines(jar, file string) ([]string, error) {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	for _, f := range z.File {
		if path.Base(f.Name) != file {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		text, err := io.ReadAll(r)
		return strings.Split(string(text), "\n"), err
	}
	return nil, nil
}
