package bucket

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// serve serves an object store with the bucket "results" on a loopback address.
func serve(t *testing.T) (address string) {
	t.Helper()
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "secret-"+name)
	}
	keep := s3mem.New()
	if err := keep.CreateBucket("results"); err != nil {
		t.Fatal(err)
	}
	fake := gofakes3.New(keep).Server()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Authorization"), "secret-AWS_ACCESS_KEY_ID") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		fake.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestObjects: what is stored is read back, and runs have nothing of each other.
func TestObjects(t *testing.T) {
	endpoint, ctx := serve(t), context.Background()
	b, err := Open(ctx, "s3://results/nightly/?endpoint="+endpoint)
	if err != nil {
		t.Fatal(err)
	}
	one, two := b.Of("run"), b.Of("run2")
	large := slices.Repeat([]byte("x"), 3<<20)
	for name, content := range map[string][]byte{"jobs": []byte("[]"), "0/result.json": large, "0/empty": {}} {
		if err := one.Put(ctx, name, content); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := one.Get(ctx, name); err != nil || !slices.Equal(got, content) {
			t.Errorf("%s has %d bytes, %v, want %d", name, len(got), err, len(content))
		}
	}
	if _, err := two.Get(ctx, "jobs"); !errors.Is(err, queue.ErrNoObject) {
		t.Errorf("an object of another run: %v", err)
	}
	before, err := one.List(ctx)
	if names := slices.Sorted(maps.Keys(before)); err != nil || !slices.Equal(names, []string{"0/empty", "0/result.json", "jobs"}) {
		t.Errorf("%v, %v", names, err)
	}
	if err := one.Put(ctx, "jobs", []byte("[1]")); err != nil {
		t.Fatal(err)
	}
	if after, err := one.List(ctx); err != nil || after["jobs"] == before["jobs"] || after["0/empty"] != before["0/empty"] {
		t.Errorf("%v, %v; before: %v", after, err, before)
	}
	if err := two.Put(ctx, "jobs", []byte("[]")); err != nil {
		t.Fatal(err)
	}
	if err := one.Remove(ctx); err != nil {
		t.Fatal(err)
	}
	if left, err := one.List(ctx); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", left, err)
	}
	if left, err := two.List(ctx); err != nil || len(left) != 1 {
		t.Errorf("another run has %v, %v", left, err)
	}
}

// TestOpen: an address is refused that is none, or that names a bucket which is not there for the
// caller. No text has a credential.
func TestOpen(t *testing.T) {
	endpoint, ctx := serve(t), context.Background()
	for address, want := range map[string]string{
		"s3://results?endpoint=" + endpoint:                  "",
		"s3://results/a/b?region=eu&endpoint=" + endpoint:    "",
		"s3://others?endpoint=" + endpoint:                   "no bucket",
		"s3://results?endpoint=" + endpoint + "&acl=public":  `"acl"`,
		"s3://results?endpoint=ftp://127.0.0.1":              "endpoint",
		"s3://results?endpoint=" + endpoint + "/path":        "endpoint",
		"s3://me:secret-x@results?endpoint=" + endpoint:      "credentials",
		"s3://results?endpoint=http://me:secret-x@127.0.0.1": "endpoint",
		"results":       "no address",
		"gs://results":  "no address",
		"s3:///results": "no address",
		"s3://results?endpoint=http://127.0.0.1:1&region=us-east-1": "refused",
	} {
		b, err := Open(ctx, address)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", address, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret-")):
			t.Errorf("%s: %v, want %s", address, err, want)
		case b != nil && strings.Contains(b.Address(), "secret-"):
			t.Errorf("%s has a credential", b.Address())
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "other")
	if _, err := Open(ctx, "s3://results?endpoint="+endpoint); err == nil {
		t.Error("a store opens that refuses the caller")
	}
}

// TestQueue: a run whose objects are in a bucket has its document, and a worker with another store
// has nothing of it.
func TestQueue(t *testing.T) {
	endpoint, ctx := serve(t), t.Context()
	s, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	dial := func(address string) *queue.Conn {
		c, err := queue.Access{URL: s.URL(), Token: s.Token}.Dial()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		if address != "" {
			if c.Store, err = Open(ctx, address); err != nil {
				t.Fatal(err)
			}
		}
		return c
	}
	address := "s3://results?endpoint=" + endpoint
	c := dial(address)
	r, err := c.Submit(ctx, queue.Record{ID: "r", Sources: "none", Jobs: 2, Whole: true}, []byte("ab"), []byte("packed"))
	if err != nil || r.Elsewhere() {
		t.Fatal(err, r.Elsewhere())
	}
	for _, other := range []*queue.Conn{dial(""), dial("s3://results/other?endpoint=" + endpoint)} {
		found, err := other.Find(ctx, "r")
		if err != nil || !found.Elsewhere() {
			t.Fatalf("%v, a run of another store is found as its own", err)
		}
		if _, err := found.List(ctx); err == nil || !strings.Contains(err.Error(), "s3://results") {
			t.Errorf("its jobs: %v", err)
		}
	}
	split := func(list []byte) ([][]byte, error) { return [][]byte{list[:1], list[1:]}, nil }
	join := func(list []byte, results map[int][]byte) ([]byte, error) {
		return slices.Concat(results[0], results[1]), nil
	}
	go func() { _ = r.Coordinating(ctx, "c", split, join) }()
	w := dial(address)
	worker := w.Work(ctx, "w")
	for done := 0; done < 2; {
		found, err := w.Find(ctx, "r")
		if err != nil {
			t.Fatal(err)
		}
		if packed, err := found.Packed(ctx); err != nil || string(packed) != "packed" {
			t.Fatalf("%q, %v", packed, err)
		}
		did, err := worker.Take(ctx, found, func(_ context.Context, job []byte) queue.Done {
			return queue.Done{Result: []byte(strings.ToUpper(string(job))), Documents: map[string][]byte{"result.json": job}}
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if did {
			done++
		}
	}
	if err := r.Wait(ctx, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if text, err := r.Result(ctx); err != nil || string(text) != "AB" {
		t.Errorf("%q, %v", text, err)
	}
	if all, err := r.Documents(ctx); err != nil || len(all) != 2 || all["1/result.json"] == "" {
		t.Errorf("%v, %v", all, err)
	}
	if err := r.Remove(ctx); err != nil {
		t.Fatal(err)
	}
	if left, err := c.Store.Of("r").List(ctx); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", left, err)
	}
}
