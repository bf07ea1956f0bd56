package library

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mutants are changes of one line of the library: the first place of a text is replaced.
var mutants = []struct{ name, file, text, by string }{
	{"vote for a log that ends in an older term", "raft.go", "if lastTerm > req.LastLogTerm {", "if false {"},
	{"vote for a shorter log", "raft.go", "if lastTerm == req.LastLogTerm && lastIdx > req.LastLogIndex {", "if false {"},
	{"vote twice in a term", "raft.go", "lastVoteCandBytes != nil {", "lastVoteCandBytes == nil {"},
	{"vote although there is a leader", "raft.go", `leaderAddr != "" && leaderAddr != candidate && !req.LeadershipTransfer`, "false && leaderID != leaderID"},
	{"vote is not persisted", "raft.go", "if err := r.stable.SetUint64(keyLastVoteTerm, term); err != nil {", "if err := error(nil); err != nil {"},
	{"one vote too few", "raft.go", "if grantedVotes >= votesNeeded {", "if grantedVotes+1 >= votesNeeded {"},
	{"a newer term in an answer is overlooked", "raft.go", "if vote.Term > r.getCurrentTerm() {", "if false {"},
	{"lease without a quorum", "raft.go", "if contacted < quorum {", "if contacted+1 < quorum {"},
	{"previous entry of another term", "raft.go", "if a.PrevLogTerm != prevLogTerm {", "if false {"},
	{"conflicting entry is kept", "raft.go", "if entry.Term != storeEntry.Term {", "if false {"},
	{"commit more than was acknowledged", "commitment.go", "matched[(len(matched)-1)/2]", "matched[len(matched)-1]"},
	{"commit entries of older terms by counting (figure 8)", "commitment.go", " && quorumMatchIndex >= c.startIndex {", " {"},
	{"step back two entries", "replication.go", "max(min(s.nextIndex-1, resp.LastLog+1), 1)", "max(min(s.nextIndex-2, resp.LastLog+1), 1)"},
	{"stale leader goes on", "replication.go", "asyncNotifyCh(s.stepDown)", "_ = s.stepDown"},
	{"a refused heartbeat confirms the leader", "replication.go", "s.notifyAll(resp.Success)", "s.notifyAll(true)"},
	{"append tells that nothing is committed", "replication.go", "req.LeaderCommitIndex = r.getCommitIndex()", "req.LeaderCommitIndex = 0"},
}

var difference = regexp.MustCompile(`(?m)^.*difference: .*$`)

// TestMutants makes one change after the other in a copy of the library and holds that walks find it.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("builds the library sixteen times, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	library, modfile := copyLibrary(t)
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			path := filepath.Join(library, m.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), m.text, m.by, 1)
			if changed == string(text) {
				t.Fatalf("%s does not have %q", m.file, m.text)
			}
			if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
			defer os.WriteFile(path, text, 0o644)
			cmd := exec.Command("go", "test", "-mod=mod", "-modfile="+modfile, "-run=^TestWalks$", "-timeout=2m", ".")
			cmd.Env = append(os.Environ(), "GOFLAGS=", "MULTIGRAIN_WALKS=3000")
			out, err := cmd.CombinedOutput()
			found := difference.Find(out)
			if err == nil || found == nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", strings.TrimSpace(string(found)))
		})
	}
}

// copyLibrary copies the library's package and returns its folder, and a go.mod that asks for it.
func copyLibrary(t *testing.T) (dir, modfile string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", Implementation.Module).Output()
	if err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*"))
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	dir, modfile = filepath.Join(scratch, "raft"), filepath.Join(scratch, "go.mod")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if name := filepath.Base(path); name == "go.mod" || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			copyFile(t, path, filepath.Join(dir, name), "")
		}
	}
	copyFile(t, "go.mod", modfile, "\nreplace "+Implementation.Module+" => "+dir+"\n")
	copyFile(t, "go.sum", filepath.Join(scratch, "go.sum"), "")
	return dir, modfile
}

func copyFile(t *testing.T, from, to, more string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, append(text, more...), 0o644); err != nil {
		t.Fatal(err)
	}
}
