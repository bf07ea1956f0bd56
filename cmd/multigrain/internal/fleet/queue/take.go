package queue

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/multigrain/multigrain/checker/host"
)

// Worker is a process that takes jobs.
type Worker struct {
	Name string // without dots and blanks, of no other worker
	conn *Conn
	done map[string]*tally // by run
}

// Tally counts the jobs that a worker did for a run.
type Tally struct {
	Done    int     `json:"done"`    // jobs
	Seconds float64 `json:"seconds"` // that they took
	Left    bool    `json:"left,omitempty"`
}

// tally is the count of a run that began at a time. A later run can have the same name.
type tally struct {
	Tally
	begun time.Time
}

// Done is the end of a job on a worker.
type Done struct {
	Result    []byte            // nil: the job is not done, and others get it
	Documents map[string][]byte // by name
	Excused   bool              // it is not done because the worker leaves
	Failed    string            // why it is not done otherwise
}

// Work returns a worker. It is alive on the server until ctx is done.
func (c *Conn) Work(ctx context.Context, name string) *Worker {
	w := &Worker{Name: name, conn: c, done: map[string]*tally{}}
	go func() {
		for ctx.Err() == nil {
			one, stop := context.WithTimeout(ctx, Beat)
			if _, leased, err := c.buckets(one); err == nil {
				_, _ = leased.Put(one, keyWorker+name, nil) // the next beat repeats it
			}
			stop()
			select {
			case <-ctx.Done():
			case <-time.After(Beat):
			}
		}
	}()
	return w
}

// Leave says of all runs that the worker did not die.
func (w *Worker) Leave() {
	ctx, stop := context.WithTimeout(context.Background(), 2*Beat)
	defer stop()
	for id, t := range w.done {
		t.Left = true
		w.report(ctx, id)
	}
	if _, leased, err := w.conn.buckets(ctx); err == nil {
		_ = leased.Delete(ctx, keyWorker+w.Name)
	}
}

// report stores what the worker did for a run.
func (w *Worker) report(ctx context.Context, id string) {
	text, err := json.Marshal(w.done[id].Tally)
	if err != nil {
		return
	}
	if kept, err := w.conn.js.KeyValue(ctx, prefix+id); err == nil {
		_, _ = kept.Put(ctx, keyWorker+w.Name, text) // the next job repeats it
	}
}

// Take takes the next job of a run, does it, and stores its result. It reports whether there was a
// job. Lost makes the result of a job that Deliveries deliveries have not finished.
func (w *Worker) Take(ctx context.Context, r *Run, do func(ctx context.Context, job []byte) Done, lost func(job []byte, why string) []byte) (bool, error) {
	one, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	if t := w.done[r.ID]; t == nil || !t.begun.Equal(r.Begun) {
		w.done[r.ID] = &tally{begun: r.Begun}
		w.report(one, r.ID)
	}
	consumer, err := w.conn.js.Consumer(one, prefix+r.ID, workers)
	if err != nil {
		return false, err
	}
	batch, err := consumer.FetchNoWait(1)
	if err != nil {
		return false, err
	}
	for m := range batch.Messages() {
		return true, w.finish(ctx, r, m, do, lost)
	}
	return false, batch.Error()
}

// finish does the job of a message. The message is acknowledged after its result is stored.
func (w *Worker) finish(ctx context.Context, r *Run, m jetstream.Msg, do func(context.Context, []byte) Done, lost func([]byte, string) []byte) error {
	end := beating(m)
	defer end()
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	key := strings.TrimPrefix(m.Subject(), prefix+r.ID+".")
	// What follows a job is done even if the worker is interrupted: the result may have taken
	// hours.
	after := context.WithoutCancel(ctx)
	has, excused := false, 0
	if err := w.conn.persist(after, func(ctx context.Context) (err error) {
		has, excused, err = r.known(ctx, key)
		return err
	}); err != nil {
		return err
	}
	var d Done
	switch {
	case has:
		return acknowledge(m)
	case int(meta.NumDelivered) > Deliveries+excused:
		d.Result = lost(m.Data(), "")
	default:
		begun := host.Now()
		d = do(ctx, m.Data())
		w.done[r.ID].Seconds += host.Since(begun).Seconds()
		if d.Failed != "" && int(meta.NumDelivered) == Deliveries+excused {
			d.Result = lost(m.Data(), d.Failed)
		}
	}
	if d.Result == nil {
		if d.Excused {
			err = w.conn.persist(after, func(ctx context.Context) error {
				_, err := r.kept.Put(ctx, keyExcused+key, []byte(strconv.Itoa(excused+1)))
				return err
			})
			return errors.Join(err, m.Nak())
		}
		return m.NakWithDelay(Beat / 2)
	}
	err = w.conn.persist(after, func(ctx context.Context) error {
		for name, content := range d.Documents {
			if err := r.objects.Put(ctx, key+"/"+name, content); err != nil {
				return err
			}
		}
		_, err := r.kept.Create(ctx, keyResult+key, d.Result)
		if errors.Is(err, jetstream.ErrKeyExists) {
			return nil // the first result stays
		}
		return err
	})
	if err != nil {
		return err
	}
	w.done[r.ID].Done++
	one, stop := context.WithTimeout(after, Beat)
	w.report(one, r.ID)
	stop()
	return acknowledge(m)
}

// known returns whether a job has a result, and how many of its deliveries are excused.
func (r *Run) known(ctx context.Context, key string) (has bool, excused int, err error) {
	_, err = r.kept.Get(ctx, keyResult+key)
	if err == nil {
		return true, 0, nil
	}
	if !errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, 0, err
	}
	e, err := r.kept.Get(ctx, keyExcused+key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, 0, nil
	}
	if err != nil {
		return false, 0, err
	}
	excused, _ = strconv.Atoi(string(e.Value()))
	return false, excused, nil
}

// acknowledge removes the message of a job that has a result. If it fails, the job is delivered
// again, and the next worker sees the result.
func acknowledge(m jetstream.Msg) error {
	ctx, stop := context.WithTimeout(context.Background(), Beat)
	defer stop()
	return m.DoubleAck(ctx)
}

// beating reports that the job of a message is being done, until end is called.
func beating(m jetstream.Msg) (end func()) {
	stop := make(chan struct{})
	go func() {
		t := time.NewTicker(Beat)
		defer t.Stop()
		for {
			select {
			case <-stop:
				return
			case <-t.C:
				_ = m.InProgress() // without it the job is done twice, and the first result stays
			}
		}
	}()
	return func() { close(stop) }
}
