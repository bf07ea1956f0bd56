//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

const changedLeader = "zookeeper-server/src/main/java/org/apache/zookeeper/server/quorum/Leader.java"

// sourcesOf writes the release's source of a file, or skips the test.
func sourcesOf(t *testing.T, version string) (dir, text string) {
	t.Helper()
	if err := javac.Look(); err != nil {
		t.Skip(err)
	}
	jars, err := control.Find(control.Places{}, version)
	if err != nil {
		t.Skip(err)
	}
	if _, err := jars.Sources(control.Places{}); err != nil {
		t.Skip(err)
	}
	dir = filepath.Join(t.TempDir(), "sources")
	files := []string{changedLeader, "zookeeper-server/src/main/java/org/apache/zookeeper/None.java"}
	if _, err := build(context.Background(), conform.Setup{Version: version}, conform.Sources{Files: files, To: dir, Original: true}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(changedLeader)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(files[1]))); err == nil {
		t.Error("a file that the release does not have is there")
	}
	return dir, string(b)
}

// TestBuild compiles changed sources over a release. What does not compile has the compiler's line,
// and a class that takes away what another class calls is refused.
func TestBuild(t *testing.T) {
	t.Parallel()
	const version = "3.8.0"
	dir, text := sourcesOf(t, version)
	replaced := func(old, new string) string {
		if strings.Count(text, old) == 0 {
			t.Fatalf("the source has no %q", old)
		}
		return strings.ReplaceAll(text, old, new)
	}
	compile := func(text string) (string, error) {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(changedLeader)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return build(context.Background(), conform.Setup{Version: version}, conform.Sources{Dir: dir, Files: []string{changedLeader}, To: filepath.Join(t.TempDir(), "classes")})
	}
	jar, err := compile(replaced("if (!p.hasAllQuorums()) {", "if (p == null) {"))
	if err != nil {
		t.Fatal(err)
	}
	at := 1 + strings.Count(text[:strings.Index(text, "if (!p.hasAllQuorums()) {")], "\n")
	c, err := changedOf(&conform.Code{Path: jar, Lines: []conform.CodeLine{{File: changedLeader, Number: at, Text: "if (p == null) {"}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.places) != 2 || c.places[0].Func != "Leader.tryToCommit" || c.places[1].Of != 1 {
		t.Errorf("the places are %+v", c.places)
	}
	_, err = compile(replaced("if (!p.hasAllQuorums()) {", "if (!p.hasAllQuorum()) {"))
	if refused, ok := errors.AsType[*conform.BuildError](err); !ok || refused.Messages[0].File != changedLeader || refused.Messages[0].Line != at {
		t.Errorf("the error is %v", err)
	}
	if _, err = compile(replaced("public class Leader extends LearnerMaster {", "public class Leader extends LearnerMaster { int added() { return 1; }")); err != nil {
		t.Errorf("a new method: %v", err)
	}
	_, err = compile(replaced("getProposalStats()", "getStatsOfProposals()"))
	if err == nil || !strings.Contains(err.Error(), "calls") || !strings.Contains(err.Error(), "-classes") {
		t.Errorf("the error is %v", err)
	}
	if _, err := build(context.Background(), conform.Setup{Version: version, Settings: map[string]string{"maven": t.TempDir(), "zookeeper": t.TempDir()}}, conform.Sources{}); err == nil {
		t.Error("without jars")
	}
}
