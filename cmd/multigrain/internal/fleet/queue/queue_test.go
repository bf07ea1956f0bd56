package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

func TestMain(m *testing.M) {
	Silence, Beat = 2*time.Second, 400*time.Millisecond
	if role := os.Getenv("QUEUE_ROLE"); role != "" {
		if err := play(role); err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The jobs of tests are numbers, and their results are the squares. The document lists the results
// in the order of the jobs.

func squares(n int) (list []byte) {
	numbers := []int{}
	for k := range n {
		numbers = append(numbers, k)
	}
	list, _ = json.Marshal(numbers)
	return list
}

func splitNumbers(list []byte) (out [][]byte, err error) {
	var raw []json.RawMessage
	err = json.Unmarshal(list, &raw)
	for _, r := range raw {
		out = append(out, r)
	}
	return out, err
}

func joinNumbers(list []byte, results map[int][]byte) ([]byte, error) {
	var b bytes.Buffer
	for _, k := range slices.Sorted(maps.Keys(results)) {
		fmt.Fprintf(&b, "%d:%s\n", k, results[k])
	}
	return b.Bytes(), nil
}

func square(job []byte) []byte {
	k, err := strconv.Atoi(string(job))
	if err != nil {
		panic(err)
	}
	return []byte(strconv.Itoa(k * k))
}

// document returns the document of n squares.
func document(n int) string {
	var b bytes.Buffer
	for k := range n {
		fmt.Fprintf(&b, "%d:%d\n", k, k*k)
	}
	return b.String()
}

// begin starts an embedded server and submits a run of n squares.
func begin(t *testing.T, n int) (*Conn, *Run) {
	t.Helper()
	s, err := Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	c := dial(t, Access{URL: s.URL(), Token: s.Token, Patience: 10 * time.Second})
	r, err := c.Submit(t.Context(), Record{ID: "squares", Sources: "none", Jobs: n}, squares(n), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

func dial(t *testing.T, a Access) *Conn {
	t.Helper()
	c, err := a.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// work takes jobs of a run until it is done or ctx is.
func work(ctx context.Context, c *Conn, id, name string, do func(context.Context, []byte) Done) {
	w := c.Work(ctx, name)
	for ctx.Err() == nil {
		r, err := c.Find(ctx, id)
		if err == nil && r.Done {
			w.Leave()
			return
		}
		if err == nil {
			if did, _ := w.Take(ctx, r, do, func(_ []byte, why string) []byte { return []byte("lost: " + why) }); did {
				continue
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// finish coordinates a run and returns its document.
func finish(t *testing.T, r *Run) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	if err := r.Coordinating(ctx, "test", splitNumbers, joinNumbers); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(ctx, func(int) {}); err != nil {
		t.Fatal(err)
	}
	text, err := r.Result(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAwaited: a job without a result is not counted, however long a command waits for the run.
func TestAwaited(t *testing.T) {
	t.Parallel()
	_, r := begin(t, 3)
	ctx, stop := context.WithTimeout(t.Context(), 4*Beat)
	defer stop()
	most := 0
	if err := r.Wait(ctx, func(done int) { most = max(most, done) }); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	s, err := r.Status(t.Context())
	if err != nil || most != 0 || s.Finished != 0 {
		t.Errorf("%d jobs have ended for the command, and %d for -status, %v; want none", most, s.Finished, err)
	}
}

// TestWorkers: the document is the same with one worker and with four that begin one after the
// other.
func TestWorkers(t *testing.T) {
	t.Parallel()
	const n = 50
	for _, number := range []int{1, 4} {
		c, r := begin(t, n)
		for k := range number {
			go func() {
				time.Sleep(time.Duration(k) * 50 * time.Millisecond)
				work(t.Context(), c, r.ID, fmt.Sprintf("w%d", k), func(_ context.Context, job []byte) Done { return Done{Result: square(job)} })
			}()
		}
		if got := finish(t, r); got != document(n) {
			t.Errorf("%d workers: %s", number, got)
		}
		s, err := r.Status(t.Context())
		if err != nil || s.Finished != n || s.Jobs != n {
			t.Errorf("status %+v, %v", s, err)
		}
		if err := r.Remove(t.Context()); err != nil {
			t.Error(err)
		}
		if ids, err := c.Runs(t.Context()); err != nil || len(ids) > 0 {
			t.Errorf("after removing, runs %v, %v", ids, err)
		}
	}
}

// TestTwice: a job that is published twice, and one that is done twice, has its first result.
func TestTwice(t *testing.T) {
	t.Parallel()
	c, r := begin(t, 3)
	jobs, _ := splitNumbers(squares(3))
	// The same message twice, and another one for the same jobs.
	for _, id := range []string{"a", "a", "b"} {
		if err := r.publish(t.Context(), jobs, nil, id); err != nil {
			t.Fatal(err)
		}
	}
	w := c.Work(t.Context(), "first")
	calls := 0
	w.done[r.ID] = &tally{Tally: Tally{Done: 7}} // of an earlier run with the same name
	do := func(_ context.Context, job []byte) Done { calls++; return Done{Result: square(job)} }
	for {
		did, err := w.Take(t.Context(), r, do, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !did {
			break
		}
	}
	if calls != 3 {
		t.Errorf("%d jobs were done, want 3", calls)
	}
	// The queue has let go of the jobs, so it takes them once more; their results are there.
	if err := r.publish(t.Context(), jobs, nil, "c"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := w.Take(t.Context(), r, do, nil); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := r.Status(t.Context()); err != nil || len(s.Workers) != 1 || s.Workers[0].Done != 3 {
		t.Errorf("status %+v, %v", s, err)
	}
	if calls != 3 {
		t.Errorf("a job with a result was done again: %d", calls)
	}
	if got := finish(t, r); got != document(3) {
		t.Error(got)
	}
}

// TestSilent: a worker that says nothing for longer than Silence loses its job to another one. When
// it wakes up, its result is ignored.
func TestSilent(t *testing.T) {
	t.Parallel()
	c, r := begin(t, 1)
	if err := r.publish(t.Context(), [][]byte{[]byte("0")}, nil, "x"); err != nil {
		t.Fatal(err)
	}
	consumer, err := c.js.Consumer(t.Context(), prefix+r.ID, workers)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := consumer.FetchNoWait(1)
	if err != nil {
		t.Fatal(err)
	}
	asleep := <-batch.Messages() // no progress is reported for it
	go work(t.Context(), c, r.ID, "other", func(_ context.Context, job []byte) Done { return Done{Result: square(job)} })
	if got := finish(t, r); got != document(1) {
		t.Fatal(got)
	}
	late := c.Work(t.Context(), "late")
	late.done[r.ID] = &tally{}
	if err := late.finish(t.Context(), r, asleep, func(context.Context, []byte) Done { return Done{Result: []byte("late")} }, nil); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	results, err := r.Results(t.Context())
	if err != nil || string(results[0]) != "0" {
		t.Errorf("result %s, %v", results[0], err)
	}
}

// TestLost: a job that ends five workers is lost. A worker that leaves loses none, however often.
func TestLost(t *testing.T) {
	t.Parallel()
	c, r := begin(t, 2)
	left, failed := 0, 0
	go work(t.Context(), c, r.ID, "w", func(_ context.Context, job []byte) Done {
		if string(job) == "0" {
			if left++; left <= 2*Deliveries {
				return Done{Excused: true}
			}
			return Done{Result: square(job)}
		}
		failed++
		return Done{Failed: fmt.Sprintf("failure %d", failed)}
	})
	want := fmt.Sprintf("0:0\n1:lost: failure %d\n", Deliveries)
	if got := finish(t, r); got != want || failed != Deliveries {
		t.Errorf("%q after %d failures, want %q", got, failed, want)
	}
}

// TestRemovedMessage: a job whose message somebody removed is published again.
func TestRemovedMessage(t *testing.T) {
	t.Parallel()
	c, r := begin(t, 4)
	ended := make(chan string)
	go func() { ended <- finish(t, r) }()
	for { // until all are published
		s, err := c.js.Stream(t.Context(), prefix+r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if s.CachedInfo().State.Msgs == 4 {
			if err := s.Purge(t.Context(), jetstream.WithPurgeSubject(prefix+r.ID+".2")); err != nil {
				t.Fatal(err)
			}
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	go work(t.Context(), c, r.ID, "w", func(_ context.Context, job []byte) Done { return Done{Result: square(job)} })
	if got := <-ended; got != document(4) {
		t.Error(got)
	}
}

// TestAccess reads contexts of the command nats.
func TestAccess(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "context.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var a Access
	if err := a.ReadContext(write(`{"description": "x", "url": "tls://a:4222", "user": "u", "password": "p", "ca": "ca.pem", "nsc": "", "socks_proxy": ""}`)); err != nil || a.URL != "tls://a:4222" || a.User != "u" || a.CA != "ca.pem" {
		t.Errorf("%+v, %v", a, err)
	}
	b := Access{URL: "nats://given"}
	if err := b.ReadContext(write(`{"url": "nats://other", "nkey": "seed"}`)); err != nil || b.URL != "nats://given" {
		t.Errorf("%+v, %v", b, err)
	}
	if err := b.ReadContext(write(`{"socks_proxy": "x"}`)); err == nil {
		t.Error("a setting that changes how the server is reached is ignored")
	}
	if err := b.ReadContext(write(`no context`)); err == nil {
		t.Error("a file that is no context is read")
	}
}
