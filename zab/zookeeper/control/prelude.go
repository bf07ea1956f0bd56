package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// PreludePath is the node that Prelude creates.
const PreludePath = "/prelude"

// Prelude lets an ensemble without files commit one transaction on all servers, undisturbed, and
// ends them. What follows begins in epoch 1, after zxid 1:1.
func (e *Ensemble) Prelude(ctx context.Context) error {
	return e.prelude(ctx, func() error { return nil })
}

// prelude is Prelude, with something that is done before the servers end.
func (e *Ensemble) prelude(ctx context.Context, last func() error) error {
	if err := e.Network.Open(true); err != nil {
		return err
	}
	e.listing = true
	defer func() {
		e.listing = false
		for _, n := range e.nodes {
			n.Kill()
		}
		e.Network.Open(false)
	}()
	for _, n := range e.nodes {
		if err := n.Start(ctx); err != nil {
			return err
		}
		if err := n.OpenAll(); err != nil {
			return err
		}
	}
	// A server that joined after the write would have it in a snapshot, not in its log.
	for _, n := range e.nodes {
		if err := e.Await(ctx, func() (bool, error) { return n.serves(), n.Err() }); err != nil {
			return fmt.Errorf("server %d does not serve: %w; its last lines are\n%s", n.ID, err, n.LastLines(12))
		}
	}
	if err := e.write(ctx, PreludePath); err != nil {
		return fmt.Errorf("the first transaction: %w", err)
	}
	var first []Txn
	err := e.Await(ctx, func() (bool, error) {
		for k, n := range e.nodes {
			d, err := n.Disk()
			if k == 0 {
				first = d.History
			}
			if err := errors.Join(err, n.Err()); err != nil {
				return false, err
			}
			if d.CurrentEpoch != 1 || d.Snapshot >= Zxid(1, 1) || !e.isPrelude(d.History) || !slices.Equal(d.History, first) {
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	return errors.Join(last(), e.keepClasses())
}

// SavedPrelude is Prelude, and at its end each server has the transaction in a snapshot and not in
// a log. One server loses its files and gets a snapshot of its leader. The others get copies of
// that.
func (e *Ensemble) SavedPrelude(ctx context.Context) error {
	n := e.nodes[0] // the least identity, which does not lead
	err := e.prelude(ctx, func() error {
		n.Kill()
		if err := errors.Join(os.RemoveAll(n.data()), n.makeFolder()); err != nil {
			return err
		}
		if err := n.Start(ctx); err != nil {
			return err
		}
		if err := n.OpenAll(); err != nil {
			return err
		}
		return e.Await(ctx, func() (bool, error) {
			d, err := n.Disk()
			return d.CurrentEpoch == 1 && d.Snapshot == Zxid(1, 1) && len(d.Log) == 0, errors.Join(err, n.Err())
		})
	})
	for _, to := range e.nodes[1:] {
		dir := filepath.Join(to.data(), filesDir)
		if err == nil {
			err = os.RemoveAll(dir)
		}
		if err == nil {
			err = os.CopyFS(dir, os.DirFS(filepath.Join(n.data(), filesDir)))
		}
	}
	return err
}

// isPrelude reports whether a history is that of the prelude. Without local sessions it also has
// transactions that begin and end sessions, before and after that of the node.
func (e *Ensemble) isPrelude(h []Txn) bool {
	if e.Jars.Version.HasLocalSessions() {
		return len(h) == 1 && h[0] == Txn{Zxid: Zxid(1, 1), Path: PreludePath}
	}
	k := slices.IndexFunc(h, func(t Txn) bool { return t.Path == PreludePath })
	return k > 0 && k+1 < len(h)
}

// write creates a node at any server, as soon as one serves.
func (e *Ensemble) write(ctx context.Context, path string) error {
	var last error
	for k := 0; ctx.Err() == nil; k++ {
		c, err := ensemble.Dial(e.nodes[k%len(e.nodes)].ClientAddress(), time.Second)
		if err == nil {
			err = c.Create(path, nil, 5*time.Second)
			c.Close()
			if err == nil || errors.Is(err, ensemble.NodeExists) {
				return nil
			}
		}
		last = err
		time.Sleep(20 * time.Millisecond)
	}
	return errors.Join(ctx.Err(), last)
}

// serves reports whether a server answers clients. A session would be a transaction where there are
// no local sessions, and a server that joins after that gets it in a snapshot.
func (n *Node) serves() bool {
	c, err := net.DialTimeout("tcp", n.ClientAddress(), time.Second)
	if err != nil {
		return false
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return false
	}
	if _, err := io.WriteString(c, "srvr"); err != nil {
		return false
	}
	answer, err := io.ReadAll(c)
	return err == nil && strings.Contains(string(answer), "\nMode: ")
}

// Nudge makes a server's CommitProcessor look at its queues: it can miss the wake-up of a commit
// (ZOOKEEPER-4537), and looks again when a request comes. A local session is no transaction.
func (n *Node) Nudge() {
	if c, err := ensemble.Dial(n.ClientAddress(), time.Second); err == nil {
		c.Close()
	}
}

// Zxid returns a zxid of an epoch and a counter.
func Zxid(epoch int64, counter uint32) zookeeper.Zxid {
	return zookeeper.Zxid(epoch<<32 | int64(counter))
}

// Client is a session with one server that makes one call at a time.
type Client = ensemble.Client

// Session identifies a session. The zero value is none.
type Session = ensemble.Session

// Resume continues a session at a server, or opens one if there is none. It fails if that takes
// longer than limit, or if the session has expired.
func Resume(address string, session Session, limit time.Duration) (*Client, error) {
	return ensemble.Resume(address, session, limit)
}
