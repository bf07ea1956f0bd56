package etcdserver

import (
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// seen is an Event in a file.
type seen struct {
	Event Event
	Bytes []byte // of the message; nil: none
}

// seenEvents are the events of all links, in their order.
type seenEvents struct {
	mu  sync.Mutex
	all []seen
}

// note keeps an event. The caller holds mu.
func (r *seenEvents) note(e Event) {
	x := seen{Event: e}
	if e.Message != nil {
		x.Bytes, _ = proto.Marshal(e.Message) // it was just read
	}
	x.Event.Message = nil
	r.all = append(r.all, x)
}

func (r *seenEvents) save(t testing.TB, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := gob.NewEncoder(f)
	for _, x := range r.all {
		if err := d.Encode(x); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplay makes streams of the events of links that TestFaults has kept, in the folder that
// MULTIGRAIN_REPLAY names.
func TestReplay(t *testing.T) {
	dir := os.Getenv("MULTIGRAIN_REPLAY")
	if dir == "" {
		t.Skip("MULTIGRAIN_REPLAY names no folder of TestFaults")
	}
	f, err := os.Open(filepath.Join(dir, "events.gob"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := NewWatch(nil)
	for i := range 3 {
		path := filepath.Join(dir, fmt.Sprintf("node%d.ndjson", i))
		_ = os.Remove(path)
		w.Add(NewStream(i, tap.New(tap.File(path), tap.Options{Messages: true, Buffer: 256 << 20})))
	}
	for d := gob.NewDecoder(f); ; {
		var x seen
		if err := d.Decode(&x); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if x.Bytes != nil {
			x.Event.Message = &pb.Message{}
			if err := proto.Unmarshal(x.Bytes, x.Event.Message); err != nil {
				t.Fatal(err)
			}
		}
		w.Note(x.Event)
	}
	if err := w.Close(); err != nil {
		t.Log(err)
	}
}
