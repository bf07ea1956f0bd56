package control

import (
	"context"
	"testing"
	"time"
)

// gated starts an ensemble after a prelude. All servers stand at Election.
func gated(t *testing.T, servers int) (*Ensemble, context.Context) {
	t.Helper()
	jars, err := Find(Places{}, "")
	if err != nil {
		t.Skip(err)
	}
	e, err := New(Options{Servers: servers, Jars: jars, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(func() {
		if t.Failed() {
			for _, n := range e.Nodes() {
				if n.Gates != nil {
					t.Logf("server %d:\n%s", n.ID, n.Stacks())
				}
				t.Logf("the last lines of server %d:\n%s", n.ID, n.LastLines(15))
			}
		}
		cancel()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	check(t, e.Prelude(ctx))
	for _, n := range e.Nodes() {
		check(t, n.Start(ctx))
	}
	for _, n := range e.Nodes() {
		check(t, e.Await(ctx, func() (bool, error) { return e.Stands(n.ID, Election) }))
	}
	return e, ctx
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestElect lets three servers elect a leader and come to rest before Synchronization.
func TestElect(t *testing.T) {
	t.Parallel()
	e, ctx := gated(t, 3)
	check(t, e.Elect(ctx, 3, []int{1, 2, 3}))
	for _, n := range e.Nodes() {
		d, err := n.Disk()
		check(t, err)
		m, err := n.Memory()
		check(t, err)
		t.Logf("server %d: %+v %+v %+v %+v", n.ID, d, m, m.Leader, m.Follower)
	}
}
