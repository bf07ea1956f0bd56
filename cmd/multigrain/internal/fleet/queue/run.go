package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Names on a server. A run has a stream, a bucket and an object store of the same name.
const (
	prefix  = "multigrain-"
	runs    = prefix + "runs"   // bucket of records
	leases  = prefix + "leases" // bucket of keys that end unless they are renewed
	workers = "workers"         // the consumer that all workers share
	// objects of a run
	objectJobs, objectResult, objectSources = "jobs", "result", "sources"
	// keys of a run
	keyResult, keyExcused, keyWorker = "result.", "excused.", "worker."
	keyAwaited                       = "awaited" // a command waits for the run
)

// Times. They are variables for tests.
var (
	// Silence is how long a worker may say nothing before its job is delivered again and its
	// lease ends, and Beat how often it reports that it works.
	Silence = 10 * time.Second
	Beat    = 2 * time.Second
)

// Deliveries is how many times a job is delivered, without excuse, before it is lost.
const Deliveries = 5

// Record says what workers must know of a run.
type Record struct {
	ID      string `json:"id"`
	Sources string `json:"sources"` // digest of the sources that its workers must have
	Jobs    int    `json:"jobs"`
	// Store is the address of the store that has the objects; "" is the server itself.
	Store string `json:"store,omitempty"`
	// Whole says that documents of all jobs are kept, and not only those that somebody must read.
	Whole bool `json:"whole,omitempty"`
	// Done says that the result is in the object store.
	Done bool `json:"done,omitempty"`
}

// Run is a run on a server.
type Run struct {
	Record
	Begun    time.Time // by the server's clock
	revision uint64
	conn     *Conn
	kept     jetstream.KeyValue
	objects  Objects
}

// buckets returns the buckets of records and of leases. It makes them if they are missing.
func (c *Conn) buckets(ctx context.Context) (records, leased jetstream.KeyValue, err error) {
	make := func(cfg jetstream.KeyValueConfig) jetstream.KeyValue {
		kv, failed := c.js.KeyValue(ctx, cfg.Bucket)
		if errors.Is(failed, jetstream.ErrBucketNotFound) {
			cfg.Replicas = c.Replicas
			kv, failed = c.js.CreateOrUpdateKeyValue(ctx, cfg)
		}
		err = errors.Join(err, failed)
		return kv
	}
	records = make(jetstream.KeyValueConfig{Bucket: runs, Description: "runs of multigrain"})
	leased = make(jetstream.KeyValueConfig{Bucket: leases, TTL: Silence, Description: "leases of multigrain: workers and coordinators"})
	return records, leased, err
}

// Submit makes a run, or opens one that was begun. Jobs is the list of its jobs in the form that
// workers read. Sources may be nil.
func (c *Conn) Submit(ctx context.Context, rec Record, jobs, sources []byte) (r *Run, err error) {
	err = c.persist(ctx, func(ctx context.Context) error {
		r, err = c.Find(ctx, rec.ID)
		if !errors.Is(err, ErrNoRun) {
			return err
		}
		rec.Store = c.address()
		objects, err := c.objectsOf(ctx, rec.ID, true)
		if err != nil {
			return err
		}
		for object, content := range map[string][]byte{objectJobs: jobs, objectSources: sources} {
			if content == nil {
				continue
			}
			if err := objects.Put(ctx, object, content); err != nil {
				return err
			}
		}
		if _, err := c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: prefix + rec.ID, Replicas: c.Replicas}); err != nil {
			return err
		}
		if err := c.queue(ctx, rec.ID); err != nil {
			return err
		}
		records, _, err := c.buckets(ctx)
		if err != nil {
			return err
		}
		text, err := json.Marshal(rec)
		if err != nil {
			return err
		}
		// A run exists when its record does: a worker that finds the record finds everything
		// else.
		if _, err := records.Create(ctx, rec.ID, text); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
		r, err = c.Find(ctx, rec.ID)
		return err
	})
	return r, err
}

// queue makes the stream of a run and the consumer of its workers.
func (c *Conn) queue(ctx context.Context, id string) error {
	_, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: prefix + id, Subjects: []string{prefix + id + ".*"}, Retention: jetstream.WorkQueuePolicy, Replicas: c.Replicas,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	if err != nil {
		return err
	}
	_, err = c.js.CreateOrUpdateConsumer(ctx, prefix+id, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: Silence, MaxAckPending: -1,
	})
	return err
}

// ErrNoRun says that a server has no run of a name.
var ErrNoRun = errors.New("there is no such run")

// Find returns a run. The error is ErrNoRun if there is none.
func (c *Conn) Find(ctx context.Context, id string) (*Run, error) {
	records, _, err := c.buckets(ctx)
	if err != nil {
		return nil, err
	}
	e, err := records.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, ErrNoRun
	}
	if err != nil {
		return nil, err
	}
	r := &Run{conn: c, revision: e.Revision()}
	if err := json.Unmarshal(e.Value(), &r.Record); err != nil || r.ID != id {
		return nil, final{fmt.Errorf("the record of run %s is damaged", id)}
	}
	if r.kept, err = c.js.KeyValue(ctx, prefix+id); err != nil {
		return nil, err
	}
	if r.Elsewhere() {
		r.objects = foreign{r.Record.Store}
	} else if r.objects, err = c.objectsOf(ctx, id, false); err != nil {
		return nil, err
	}
	status, err := r.kept.Status(ctx)
	if err != nil {
		return nil, err
	}
	if b, ok := status.(*jetstream.KeyValueBucketStatus); ok {
		r.Begun = b.StreamInfo().Created
	}
	return r, nil
}

// Runs returns the names of the runs on a server, in no order.
func (c *Conn) Runs(ctx context.Context) (ids []string, err error) {
	records, _, err := c.buckets(ctx)
	if err != nil {
		return nil, err
	}
	ids, err = records.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	return ids, err
}

// Object returns an object of a run.
func (r *Run) Object(ctx context.Context, name string) ([]byte, error) {
	return r.objects.Get(ctx, name)
}

// List returns the list of jobs that Submit stored.
func (r *Run) List(ctx context.Context) ([]byte, error) { return r.Object(ctx, objectJobs) }

// Packed returns the sources that Submit stored, nil if there are none.
func (r *Run) Packed(ctx context.Context) ([]byte, error) {
	content, err := r.Object(ctx, objectSources)
	if errors.Is(err, ErrNoObject) {
		return nil, nil
	}
	return content, err
}

// Result returns the document of a run that is done.
func (r *Run) Result(ctx context.Context) ([]byte, error) { return r.Object(ctx, objectResult) }

// Documents returns the documents of jobs that have ended, by name: a job's index, a slash and a
// name. The text changes when the document does.
func (r *Run) Documents(ctx context.Context) (map[string]string, error) {
	all, err := r.objects.List(ctx)
	if err != nil {
		return nil, err
	}
	results, err := keys(ctx, r.kept, keyResult+"*")
	ended := map[string]bool{}
	for _, key := range results {
		ended[strings.TrimPrefix(key, keyResult)] = true
	}
	out := map[string]string{}
	for name, mark := range all {
		if job, _, ok := strings.Cut(name, "/"); ok && ended[job] {
			out[name] = mark
		}
	}
	return out, err
}

// Results returns the results by the indices of their jobs.
func (r *Run) Results(ctx context.Context) (map[int][]byte, error) {
	out := map[int][]byte{}
	w, err := r.kept.Watch(ctx, keyResult+"*")
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	for {
		select {
		case e, ok := <-w.Updates():
			if !ok {
				return nil, errGone
			}
			if e == nil {
				return out, nil
			}
			r.put(out, e)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// put takes one result. A key that names no job is no result of ours.
func (r *Run) put(out map[int][]byte, e jetstream.KeyValueEntry) {
	text, ok := strings.CutPrefix(e.Key(), keyResult)
	if k, err := strconv.Atoi(text); ok && err == nil && k >= 0 && k < r.Record.Jobs && e.Operation() == jetstream.KeyValuePut {
		out[k] = e.Value()
	}
}

// Remove removes a run from the server.
func (r *Run) Remove(ctx context.Context) error {
	records, _, err := r.conn.buckets(ctx)
	if err != nil {
		return err
	}
	name := prefix + r.ID
	err = errors.Join(records.Purge(ctx, r.ID), r.objects.Remove(ctx))
	for _, remove := range []func(context.Context, string) error{r.conn.js.DeleteStream, r.conn.js.DeleteKeyValue} {
		if failed := remove(ctx, name); failed != nil && !absent(failed) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// absent reports whether an error says that something is not there.
func absent(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound)
}
