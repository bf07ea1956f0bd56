//go:build !multigrain_runtime

package replay

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// clients are clients of the servers. Each makes one request.
//
// They open their sessions when a leader begins to serve: up to version 3.5 a leader opens none
// while a write is not committed.
type clients struct {
	idle    map[int][]*ensemble.Client // by server
	all     []*ensemble.Client
	calls   sync.WaitGroup
	mu      sync.Mutex
	answers map[string]error // by path, of writes that were answered
}

// maxSessions bounds how many sessions wait at a leader.
const maxSessions = 8

// connect opens sessions with a server that begins to serve. Its earlier sessions have ended with
// what it served before.
func (c *clients) connect(ctx context.Context, n *control.Node, sessions int) error {
	for _, one := range c.idle[n.ID] {
		one.Abort()
	}
	delete(c.idle, n.ID)
	for range min(sessions, maxSessions) {
		if err := c.open(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// open opens a session, as soon as the server accepts one.
func (c *clients) open(ctx context.Context, n *control.Node) error {
	var last error
	for ctx.Err() == nil {
		if err := n.Err(); err != nil {
			return err
		}
		one, err := ensemble.Dial(n.ClientAddress(), 2*time.Second)
		if err == nil {
			if c.idle == nil {
				c.idle = map[int][]*ensemble.Client{}
			}
			c.idle[n.ID] = append(c.idle[n.ID], one)
			c.all = append(c.all, one)
			return nil
		}
		last = err
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("opening a session with server %d of the ensemble: %w: %w", n.ID, ctx.Err(), last)
}

// write asks a server to create a node. The answer comes when the write is committed, in a later
// step or never.
func (c *clients) write(ctx context.Context, n *control.Node, path string) error {
	if len(c.idle[n.ID]) == 0 {
		if err := c.open(ctx, n); err != nil {
			return err
		}
	}
	one := c.idle[n.ID][0]
	c.idle[n.ID] = c.idle[n.ID][1:]
	c.calls.Go(func() {
		err := one.Create(path, nil, time.Hour)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.answers == nil {
			c.answers = map[string]error{}
		}
		c.answers[path] = err
	})
	return nil
}

// answer returns what the client was answered that asked for a write, and whether it was.
func (c *clients) answer(path string) (error, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err, ok := c.answers[path]
	return err, ok
}

// hangUp ends all calls and sessions.
func (c *clients) hangUp() {
	for _, one := range c.all {
		one.Abort()
	}
	c.calls.Wait()
	c.idle, c.all, c.answers = nil, nil, nil
}
