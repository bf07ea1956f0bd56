//go:build !multigrain_runtime

package replay

import (
	"context"
	"fmt"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// standby is a second ensemble. Its servers start while those of the first one walk. A run of one
// behaviour has none.
type standby struct {
	ensemble *control.Ensemble
	ready    chan error // has the outcome of starting it; nil before the second behaviour
	begun    int        // behaviours
}

// next gives the adapter an ensemble whose servers stand before their first election.
func (x *standby) next(ctx context.Context, a *adapter) error {
	x.begun++
	if x.ready == nil {
		if err := prepare(ctx, a.ensemble, a.template); err != nil || x.begun == 1 {
			return err
		}
		var err error
		if x.ensemble, err = a.newEnsemble(); err != nil {
			return err
		}
		// Many servers will start. Without an archive they take longer.
		archive, err := a.ensemble.MakeArchive(ctx)
		if err != nil {
			a.say("%v", err)
		}
		a.ensemble.Archive, x.ensemble.Archive = archive, archive
		x.ready = make(chan error, 1)
	} else {
		err := <-x.ready
		a.ensemble, x.ensemble = x.ensemble, a.ensemble
		if err != nil {
			err = prepare(ctx, a.ensemble, a.template)
		}
		if err != nil {
			x.ready <- err // of an ensemble that the next behaviour tries again
			return err
		}
	}
	e, template := x.ensemble, a.template
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), starting)
		defer cancel()
		x.ready <- prepare(ctx, e, template)
	}()
	return nil
}

// close ends the servers of the standby ensemble.
func (x *standby) close() error {
	if x.ready == nil {
		return nil
	}
	<-x.ready
	return x.ensemble.Close()
}

// prepare starts all servers of an ensemble with the files of a template, whatever they were doing.
func prepare(ctx context.Context, e *control.Ensemble, template string) error {
	for _, n := range e.Nodes() {
		n.Kill()
	}
	for i := range zab.Servers {
		for j := range i {
			e.Network.Heal(i+1, j+1)
		}
	}
	if err := e.Network.Open(false); err != nil { // a symptom may have been looked for
		return err
	}
	if err := e.Reset(template); err != nil {
		return err
	}
	if e.Notes != nil {
		e.Notes.Forget()
	}
	if err := e.Start(ctx); err != nil {
		return err
	}
	for _, n := range e.Nodes() {
		err := e.Await(ctx, func() (bool, error) { return e.Stands(n.ID, control.Election) })
		if err != nil {
			return fmt.Errorf("waiting for server %d before its first election: %w", n.ID, err)
		}
	}
	return nil
}
