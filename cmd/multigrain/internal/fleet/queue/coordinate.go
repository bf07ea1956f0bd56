package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/multigrain/multigrain/checker/host"
)

// poll is the time between two questions for what changed on a server.
const poll = 300 * time.Millisecond

// lease takes the lease of a key and renews it until release is called. The context that it returns
// ends when somebody else has the lease, which happens to a process that was stopped for a while. A
// lease that somebody has is nil, without an error.
func (c *Conn) lease(ctx context.Context, key, name string) (held context.Context, release func(), err error) {
	_, leased, err := c.buckets(ctx)
	if err != nil {
		return nil, nil, err
	}
	revision, err := leased.Create(ctx, key, []byte(name))
	if errors.Is(err, jetstream.ErrKeyExists) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	held, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-held.Done():
				return
			case <-time.After(Beat):
			}
			one, stop := context.WithTimeout(held, Beat)
			next, err := leased.Update(one, key, []byte(name), revision)
			stop()
			if err == nil {
				revision = next
			} else if errors.Is(err, jetstream.ErrKeyExists) { // it has another revision now
				cancel()
			}
		}
	}()
	return held, func() {
		cancel()
		<-ended
		free, stop := context.WithTimeout(context.Background(), Beat)
		defer stop()
		_ = leased.Delete(free, key, jetstream.LastRevision(revision)) // or it ends by itself
	}, nil
}

// Join makes the document of a run from the list of jobs and their results, by index.
type Join func(jobs []byte, results map[int][]byte) ([]byte, error)

// Split returns the jobs in a list, in the form in which a worker gets each.
type Split func(jobs []byte) ([][]byte, error)

// Coordinate publishes the jobs of a run and, when each has a result, stores the document. It
// returns at once if another process coordinates the run. All its steps may be repeated, by anyone.
func (r *Run) Coordinate(ctx context.Context, name string, split Split, join Join) error {
	ctx, release, err := r.conn.lease(ctx, keyCoordinator(r.ID), name)
	if ctx == nil {
		return err
	}
	defer release()
	var list []byte
	err = r.conn.persist(ctx, func(ctx context.Context) (err error) { list, err = r.List(ctx); return err })
	if err != nil {
		return err
	}
	jobs, err := split(list)
	if err != nil {
		return err
	}
	if len(jobs) != r.Record.Jobs {
		return fmt.Errorf("run %s has a list of %d jobs and a record of %d", r.ID, len(jobs), r.Record.Jobs)
	}
	for round := 0; ; round++ {
		results := map[int][]byte{}
		err := r.conn.persist(ctx, func(ctx context.Context) (err error) { results, err = r.Results(ctx); return err })
		if err != nil {
			return err
		}
		if len(results) == len(jobs) {
			document, err := join(list, results)
			if err != nil {
				return err
			}
			return r.conn.persist(ctx, func(ctx context.Context) error { return r.finished(ctx, document) })
		}
		id := fmt.Sprintf("%s.%d", name, round)
		if err := r.conn.persist(ctx, func(ctx context.Context) error { return r.publish(ctx, jobs, results, id) }); err != nil {
			return err
		}
		if err := r.empty(ctx); err != nil {
			return err
		}
	}
}

// Coordinating coordinates a run whenever nobody else does, until it is done or ctx is.
func (r *Run) Coordinating(ctx context.Context, name string, split Split, join Join) error {
	for {
		var now *Run
		err := r.conn.persist(ctx, func(ctx context.Context) (err error) {
			if now, err = r.conn.Find(ctx, r.ID); errors.Is(err, ErrNoRun) {
				return final{err}
			}
			return err
		})
		if err != nil || now.Done {
			return err
		}
		// A lease that somebody else took ends this process's part, and it asks again.
		if err := now.Coordinate(ctx, name, split, join); err != nil && (ctx.Err() != nil || !errors.Is(err, context.Canceled)) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(Beat / 2):
		}
	}
}

func keyCoordinator(id string) string { return "coordinator." + id }

// publish puts jobs without a result into the queue, except those that are in it. Messages have an
// identity, so a server takes one that is sent twice once.
func (r *Run) publish(ctx context.Context, jobs [][]byte, done map[int][]byte, id string) error {
	const together = 200
	for first := 0; first < len(jobs); first += together {
		var sent []jetstream.PubAckFuture
		for k := first; k < min(first+together, len(jobs)); k++ {
			if done[k] != nil {
				continue
			}
			f, err := r.conn.js.PublishAsync(fmt.Sprintf("%s%s.%d", prefix, r.ID, k), jobs[k], jetstream.WithMsgID(fmt.Sprintf("%d.%s", k, id)))
			if err != nil {
				return err
			}
			sent = append(sent, f)
		}
		for _, f := range sent {
			select {
			case <-f.Ok():
			case err := <-f.Err():
				if !queued(err) {
					return err
				}
			case <-time.After(10 * time.Second):
				return errors.New("the server does not take the jobs")
			case <-r.conn.gone:
				return errGone
			}
		}
	}
	return ctx.Err()
}

// queued reports whether an error says that the queue has a message of that job.
func queued(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// empty waits until the queue has no message. A message is gone when its job has a result.
func (r *Run) empty(ctx context.Context) error {
	for {
		left := uint64(1)
		err := r.conn.persist(ctx, func(ctx context.Context) error {
			stream, err := r.conn.js.Stream(ctx, prefix+r.ID)
			if err == nil {
				left = stream.CachedInfo().State.Msgs
			}
			return err
		})
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(poll):
		}
	}
}

// finished stores the document of a run and says in its record that it is done.
func (r *Run) finished(ctx context.Context, document []byte) error {
	if err := r.objects.Put(ctx, objectResult, document); err != nil {
		return err
	}
	rec := r.Record
	rec.Done = true
	text, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	records, _, err := r.conn.buckets(ctx)
	if err != nil {
		return err
	}
	_, err = records.Update(ctx, r.ID, text, r.revision)
	if errors.Is(err, jetstream.ErrKeyExists) {
		return nil // another process came first, with the same document
	}
	return err
}

// Wait waits until a run is done. It calls each whenever the number of results has grown. It ends
// early with an error when ctx is done, the connection has ended, or the server keeps nothing.
func (r *Run) Wait(ctx context.Context, each func(done int)) error {
	shown := -1
	for last := host.Now(); ; {
		var now *Run
		err := r.conn.persist(ctx, func(ctx context.Context) (err error) {
			if now, err = r.conn.Find(ctx, r.ID); errors.Is(err, ErrNoRun) {
				return final{errors.New("another command removed the run")}
			}
			return err
		})
		if err != nil {
			return err
		}
		if now.Done {
			r.Record = now.Record
			return nil
		}
		if host.Since(last) > Beat {
			// A server whose disk is full answers what is read, and never answers what is written.
			err := r.conn.persist(ctx, func(ctx context.Context) error { _, err := r.kept.Put(ctx, keyAwaited, nil); return err })
			if err != nil {
				return err
			}
			last = host.Now()
		}
		if done, err := r.done(ctx); err == nil && done > shown {
			shown = done
			each(done)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-r.conn.gone:
			return errGone
		case <-time.After(poll):
		}
	}
}

// Afresh makes all jobs of a run count as never delivered. It is for a run without a worker, on a
// server that ended together with all workers: that is no fault of the jobs.
func (r *Run) Afresh(ctx context.Context) error {
	if r.Done {
		return nil
	}
	return r.conn.persist(ctx, func(ctx context.Context) error {
		if err := r.conn.js.DeleteConsumer(ctx, prefix+r.ID, workers); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return err
		}
		_, leased, err := r.conn.buckets(ctx)
		if err != nil {
			return err
		}
		if err := leased.Delete(ctx, keyCoordinator(r.ID)); err != nil {
			return err
		}
		return r.conn.queue(ctx, r.ID)
	})
}
