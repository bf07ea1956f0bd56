//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// How long servers that run freely may take.
const (
	agreeing = 15 * time.Second // to agree on a write
	restarts = 3                // attempts with restarted servers
)

// settledPath is the node that a client creates when the schedule is over.
const settledPath = "/settled"

// known4685 is logged by a leader that takes another acknowledgement for that of NEWLEADER. It then
// waits for others in vain. The bug strikes by chance where threads run freely.
const known4685 = "is from a different epoch"

// settle ends the schedule: all links are whole, and all threads and packets run freely. A client
// writes one node more, and every server that runs has to have it. Servers that do not come so far
// are restarted: ZOOKEEPER-4685 can keep them from it.
func (a *adapter) settle() error {
	for i := range zab.Servers {
		for j := range i {
			a.ensemble.Network.Heal(i+1, j+1)
		}
	}
	if err := a.ensemble.Network.Open(true); err != nil {
		return err
	}
	var running []*control.Node
	for _, n := range a.ensemble.Nodes() {
		if n.Gates != nil {
			running = append(running, n)
		}
	}
	err := openAll(running)
	for k := 0; err == nil && k <= restarts; k++ {
		if k > 0 {
			a.say("the servers do not agree on a write within %v and are restarted", agreeing)
			err = a.restart(running)
		}
		if err != nil {
			break
		}
		if late := agree(running); late == nil {
			return nil
		} else if k == restarts {
			err = late
		}
	}
	return fmt.Errorf("the servers that run do not agree on a write after the schedule, restarted %d times: %w%s", restarts, err, a.blame())
}

func openAll(nodes []*control.Node) error {
	var errs []error
	for _, n := range nodes {
		errs = append(errs, n.OpenAll())
	}
	return errors.Join(errs...)
}

// restart kills servers and starts them with open gates.
func (a *adapter) restart(nodes []*control.Node) error {
	ctx, cancel := context.WithTimeout(context.Background(), starting)
	defer cancel()
	for _, n := range nodes {
		n.Kill()
	}
	for _, n := range nodes {
		if err := n.Start(ctx); err != nil {
			return err
		}
	}
	return openAll(nodes)
}

// agree lets a client write one node, and waits until all servers have it.
func agree(nodes []*control.Node) error {
	end := time.Now().Add(agreeing)
	var last error
	for _, step := range []struct {
		all bool
		do  func(*ensemble.Client) error
	}{
		{false, func(c *ensemble.Client) error {
			if err := c.Create(settledPath, nil, time.Second); !errors.Is(err, ensemble.NodeExists) {
				return err
			}
			return nil
		}},
		{true, func(c *ensemble.Client) error {
			_, err := c.Get(settledPath, time.Second)
			return err
		}},
	} {
		left := slices.Clone(nodes)
		for len(left) > 0 {
			if time.Now().After(end) {
				return fmt.Errorf("server %d: %w", left[0].ID-1, last)
			}
			c, err := ensemble.Dial(left[0].ClientAddress(), time.Second)
			if err == nil {
				err = step.do(c)
				c.Close()
			}
			switch {
			case err == nil && step.all:
				left = left[1:]
			case err == nil:
				left = nil
			default:
				last = err
				left = append(left[1:], left[0])
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
	return nil
}

// settledDisk reads the disk of a server as soon as it holds the write that ended the schedule.
func (a *adapter) settledDisk(i zab.Server) (control.Disk, error) {
	for end := time.Now().Add(agreeing); ; time.Sleep(10 * time.Millisecond) {
		d, err := a.node(i).Disk()
		switch {
		case err == nil && slices.ContainsFunc(d.History, func(t control.Txn) bool { return t.Path == settledPath }):
			return d, nil
		case time.Now().After(end) && err == nil:
			return d, fmt.Errorf("server %d has not logged the write that ended the schedule", i)
		case time.Now().After(end):
			return d, err
		}
	}
}
