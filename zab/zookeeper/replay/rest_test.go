//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// lateInRound is a behaviour after which server 2 has a transaction that server 0 does not have, of
// the same epoch, and begins in an earlier round.
var lateInRound = slices.Concat([]string{"NodeCrash(I: 1, Tmp: false)", "ElectionAndDiscovery(I: 2, S: {0, 2})"}, acknowledged("2", "0"),
	[]string{"FollowerProcessUPTODATEAsync(I: 0, J: 2)", "LeaderProcessRequest(I: 2)",
		"NodeCrash(I: 2, Tmp: false)", "NodeStart(I: 1)", "NodeStart(I: 2)"})

// TestRest: servers with a mistake come to rest before a leader is elected, or before it begins to
// lead. That is a difference, since nothing more can come. The same code without a mistake ends the
// step, or is not decided, on servers that get no processor most of the time.
func TestRest(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	const version = "3.8.0"
	for _, x := range []struct {
		name, class, old, becomes string
		behaviour                 []string
		starved                   bool
	}{
		{"order of votes", "quorum/FastLeaderElection", "((newZxid > curZxid)", "((newZxid != curZxid)", lateInRound, false},
		{"vote that is never sent", "quorum/FastLeaderElection", "            sendqueue.offer(notmsg);\n        }", "            sendqueue.contains(notmsg);\n        }", nil, false},
		{"epoch that is never acknowledged", "quorum/Learner", "writePacket(ackNewEpoch, true);", "bufferedOutput.flush();", nil, false},
		{"no mistake", "quorum/FastLeaderElection", "((newZxid > curZxid)", "((curZxid < newZxid)", lateInRound, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir, _ := sourcesOf(t, version)
			file := strings.Replace(changedLeader, "quorum/Leader", x.class, 1)
			original := conform.Sources{Files: []string{file}, To: dir, Original: true}
			if _, err := build(context.Background(), conform.Setup{Version: version}, original); err != nil {
				t.Fatal(err)
			}
			at := filepath.Join(dir, filepath.FromSlash(file))
			text, err := os.ReadFile(at)
			if err != nil {
				t.Fatal(err)
			}
			wrong := strings.Replace(string(text), x.old, x.becomes, 1)
			if wrong == string(text) {
				t.Fatalf("%s has no %q", file, x.old)
			}
			if err := os.WriteFile(at, []byte(wrong), 0o644); err != nil {
				t.Fatal(err)
			}
			jar, err := build(context.Background(), conform.Setup{Version: version}, conform.Sources{Dir: dir, Files: []string{file}, To: filepath.Join(t.TempDir(), "classes")})
			if err != nil {
				t.Fatal(err)
			}
			err = lastElection(t, jar, version, x.behaviour, x.starved)
			rest := errors.As(err, new(*control.RestError))
			switch {
			case x.starved && (rest || err != nil && !errors.As(err, new(*conform.UndrivenError))):
				t.Errorf("servers without a mistake differ: %v", err)
			case !x.starved && (!rest || errors.As(err, new(*conform.UndrivenError))):
				t.Errorf("the mistake is no difference: %v", err)
			}
			t.Log(err)
		})
	}
}

// lastElection does a behaviour on servers with changed classes, and then an election of server 2
// by all. It returns the error of that. Starved servers are stopped most of the time then.
func lastElection(t *testing.T, jar, version string, behaviour []string, starved bool) error {
	t.Helper()
	c := compose(t, chosen{"coarse", "follower-threads", "follower-threads", 2, 2, 2, nil})
	asked := setup(t, c, version, nil)
	asked.Code = &conform.Code{Path: jar}
	opened, err := open(asked)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Stop() })
	a := opened.(*adapter)
	before := behave(t, c, a, instances(t, c, [][]string{behaviour}))
	p := zab.Party{I: 2, S: zab.Set(0).With(0).With(1).With(2)}
	last := instance(t, c, zab.ElectionAndDiscovery.Name+"(I: 2, S: {0, 1, 2})")
	if !c.Bound.Enabled(&before, last) {
		t.Fatal("the specification does not elect server 2")
	}
	n := before
	c.Bound.Apply(&before, &n, last)
	if starved {
		defer starve(a)()
	}
	return a.Perform(conform.Step[zab.State]{Action: zab.ElectionAndDiscovery.Name, Params: p, Before: &before.State, After: &n.State})
}

// starve stops servers most of the time, until the function that it returns is called.
func starve(a *adapter) (end func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	for _, n := range a.ensemble.Nodes() {
		all.Go(func() {
			for {
				_ = syscall.Kill(n.PID(), syscall.SIGSTOP)
				time.Sleep(200 * time.Millisecond)
				_ = syscall.Kill(n.PID(), syscall.SIGCONT)
				select {
				case <-done:
					return
				case <-time.After(2 * time.Millisecond):
				}
			}
		})
	}
	return func() {
		close(done)
		all.Wait()
	}
}
