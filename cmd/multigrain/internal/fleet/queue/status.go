package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Status says how far a run is.
type Status struct {
	Record
	Begun, Now  time.Time // by the server's clock
	Finished    int       // jobs with a result
	Running     int       // jobs that a worker has, or had within the last seconds
	Coordinator string    // "" if nobody coordinates the run at this moment
	Workers     []WorkerStatus
}

// WorkerStatus is a worker of a run.
type WorkerStatus struct {
	Name string
	Tally
	Alive bool // it is on the server; one that is neither alive nor has left died
}

// done returns how many jobs have a result.
func (r *Run) done(ctx context.Context) (int, error) {
	status, err := r.kept.Status(ctx)
	if err != nil {
		return 0, err
	}
	others, err := keys(ctx, r.kept, keyWorker+"*", keyExcused+"*", keyAwaited)
	return int(status.Values()) - len(others), err
}

// keys returns the keys of a bucket that match patterns.
func keys(ctx context.Context, kv jetstream.KeyValue, patterns ...string) (out []string, err error) {
	l, err := kv.ListKeysFiltered(ctx, patterns...)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for key := range l.Keys() {
		out = append(out, key)
	}
	return out, nil
}

// Status returns how far a run is.
func (r *Run) Status(ctx context.Context) (s Status, err error) {
	s = Status{Record: r.Record, Begun: r.Begun, Now: r.Begun}
	_, leased, err := r.conn.buckets(ctx)
	if err != nil {
		return s, err
	}
	if s.Finished, err = r.done(ctx); err != nil {
		return s, err
	}
	if e, err := leased.Get(ctx, keyCoordinator(r.ID)); err == nil {
		s.Coordinator = string(e.Value())
	}
	if c, err := r.conn.js.Consumer(ctx, prefix+r.ID, workers); err == nil {
		info := c.CachedInfo()
		s.Running, s.Now = info.NumAckPending, info.TimeStamp
	}
	names, err := keys(ctx, r.kept, keyWorker+"*")
	if err != nil {
		return s, err
	}
	alive, err := keys(ctx, leased, keyWorker+"*")
	if err != nil {
		return s, err
	}
	for _, key := range names {
		e, err := r.kept.Get(ctx, key)
		if err != nil {
			return s, err
		}
		w := WorkerStatus{Name: strings.TrimPrefix(key, keyWorker), Alive: slices.Contains(alive, key)}
		if err := json.Unmarshal(e.Value(), &w.Tally); err == nil {
			s.Workers = append(s.Workers, w)
		}
	}
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return cmp.Compare(a.Name, b.Name) })
	return s, nil
}
