package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// TestRunStore: a run whose objects are in a bucket has the document of one on the server of the
// queue, and leaves nothing in the bucket. A store that refuses the caller, and a worker with
// another store, say so. No text has the secret.
func TestRunStore(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts servers and workers")
	}
	keep := s3mem.New()
	if err := keep.CreateBucket("results"); err != nil {
		t.Fatal(err)
	}
	var stored atomic.Int64
	fake := gofakes3.New(keep).Server()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Authorization"), "Credential=known/") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if r.Method == http.MethodPut {
			stored.Add(1)
		}
		fake.ServeHTTP(w, r)
	}))
	defer s.Close()
	store := "s3://results/nightly?endpoint=" + s.URL
	call := func(key string, args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.Command(binary(t), args...)
		var errs bytes.Buffer
		cmd.Dir, cmd.Stderr = "../..", &errs
		cmd.Env = append(quickly(), "AWS_ACCESS_KEY_ID="+key, "AWS_SECRET_ACCESS_KEY=very-secret")
		return cmd, &errs
	}
	run := func(key string, args ...string) (string, string) {
		cmd, errs := call(key, append([]string{"run", "configs/examples/mistakes/cas-one-ballot.hcl", "-json"}, args...)...)
		out, err := cmd.Output()
		if strings.Contains(string(out)+errs.String(), "very-secret") {
			t.Errorf("%v prints the secret", args)
		}
		if err != nil {
			return string(out), err.Error() + "\n" + errs.String()
		}
		return string(out), ""
	}
	plain, wrong := run("known")
	if wrong != "" {
		t.Fatal(wrong)
	}
	documents := t.TempDir()
	on, wrong := run("known", "-store", store, "-out", documents)
	if on != plain || wrong != "" {
		t.Errorf("%s%s\nwithout -store: %s", on, wrong, plain)
	}
	if text, err := os.ReadFile(filepath.Join(documents, "0", "result.json")); err != nil || !bytes.Contains(text, []byte("violated")) {
		t.Errorf("a document: %v\n%s", err, text)
	}
	if stored.Load() < 3 {
		t.Errorf("%d objects were stored, want at least the jobs, the result and a document", stored.Load())
	}
	if left, err := keep.ListBucket("results", nil, gofakes3.ListBucketPage{}); err != nil || len(left.Contents) > 0 {
		t.Errorf("%v, %v are left in the bucket", left, err)
	}
	if out, wrong := run("stranger", "-store", store); !strings.Contains(wrong, "exit status 153") || !strings.Contains(out, "Object store cannot be used") {
		t.Errorf("a stranger: %s%s", wrong, out)
	}

	q, err := queue.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Stop()
	access := filepath.Join(t.TempDir(), "nats.json")
	text, _ := json.Marshal(map[string]string{"url": q.URL(), "token": q.Token})
	if err := os.WriteFile(access, text, 0o600); err != nil {
		t.Fatal(err)
	}
	work := func(args ...string) (cmd *exec.Cmd, errs *bytes.Buffer) {
		cmd, errs = call("known", append([]string{"worker", "-context", access}, args...)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, errs
	}
	other, said := work()
	own, _ := work("-store", store)
	on, wrong = run("known", "-context", access, "-store", store, "-keep")
	if on != plain || wrong != "" {
		t.Errorf("on a server: %s%s", on, wrong)
	}
	if out, wrong := run("known", "-context", access); !strings.Contains(wrong, "exit status 153") || !strings.Contains(out, "MG599") || !strings.Contains(out, "s3://results/nightly") {
		t.Errorf("without -store the same run: %s%s", wrong, out)
	}
	time.Sleep(2 * time.Second)
	for _, cmd := range []*exec.Cmd{other, own} {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	if !strings.Contains(said.String(), "MG599") {
		t.Errorf("a worker without -store says %s", said)
	}
}
