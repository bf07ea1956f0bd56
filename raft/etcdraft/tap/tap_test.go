package tap_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

func message(kind pb.MessageType, from, to, term, index uint64) *pb.Message {
	return &pb.Message{Type: kind.Enum(), From: new(from), To: new(to), Term: new(term), Index: new(index)}
}

// TestEvents compares the lines of a tap with docs/reference/stream.md.
func TestEvents(t *testing.T) {
	t.Parallel()
	lines := make(chan []byte, 16)
	x := tap.New(tap.Channel(lines), tap.Options{})
	reject := message(pb.MsgAppResp, 1, 3, 4, 7)
	reject.Reject, reject.RejectHint, reject.LogTerm = new(true), new(uint64(6)), new(uint64(3))
	app := message(pb.MsgApp, 2, 1, 4, 7)
	app.LogTerm, app.Commit = new(uint64(3)), new(uint64(6))
	app.Entries = []*pb.Entry{{Term: new(uint64(4)), Index: new(uint64(8)), Data: []byte("x")}}
	x.Receive(app)
	x.Send(reject, message(pb.MsgAppResp, 1, 1, 4, 8), message(pb.MsgVote, 1, 2, 5, 7))
	x.Restart()
	x.Propose([]byte("x"), nil)
	x.ProposeVoters([]uint64{1, 3}, errors.New("dropped"))
	x.ProposeLearner(3, nil)
	x.ProposeLeave(errors.New("dropped"))
	x.Receive(message(pb.MsgUnreachable, 2, 1, 0, 0))
	app.Entries = append(app.Entries, app.Entries[0])
	x.Receive(app)
	x.Receive(message(pb.MsgHeartbeat, 2, 1, 5, 0))
	x.ReadIndex(1, []byte("x"))
	x.TransferLeader(3)
	go x.Close()
	var got bytes.Buffer
	for b := range lines {
		got.Write(b)
	}
	want := string(tap.AppendHeader(nil, tap.Options{})) + `{"event":"in","peer":1,"msg":{"Kind":"MsgApp","Term":4,"Index":7,"LogTerm":3,"Commit":6,"Entry":{"Term":4,"Value":12638214688346347271}}}
{"event":"out","peer":2,"msg":{"Kind":"MsgAppResp","Term":4,"Index":7,"LogTerm":3,"RejectHint":6,"Reject":true}}
{"event":"out","peer":1,"msg":{"Kind":"MsgVote","Term":5,"Index":7}}
{"event":"restart"}
{"event":"input","action":"Propose","set":{"Proposed":12638214688346347270},"refused":false}
{"event":"input","action":"ProposeChange","params":{"S":[0,2]},"refused":true}
{"event":"input","action":"ProposeLearner","params":{"J":2},"refused":false}
{"event":"input","action":"ProposeLeave","refused":true}
{"event":"lost","count":1,"cause":"MsgUnreachable is not declared for run time"}
{"event":"in","peer":1,"msg":{"Kind":"MsgApp","Term":4,"Index":7,"LogTerm":3,"Commit":6,"Entry":{"Term":4,"Value":12638214688346347271},"More":[[{"Term":4,"Value":12638214688346347271}]]}}
{"event":"in","peer":1,"msg":{"Kind":"MsgHeartbeat","Term":5}}
{"event":"input","action":"AskRead","set":{"Asked":[8871997138223020088]}}
{"event":"input","action":"Transfer","params":{"J":2}}
{"event":"end"}
`
	if got.String() != want {
		t.Errorf("the stream differs:\n%s", udiff.Unified("want", "got", want, got.String()))
	}
}

// TestSnapshotEvents compares the lines of a tap that notes snapshots with
// docs/reference/stream.md; one that is not says so.
func TestSnapshotEvents(t *testing.T) {
	t.Parallel()
	storage := raft.NewMemoryStorage()
	meta := &pb.SnapshotMetadata{Index: new(uint64(9)), Term: new(uint64(3)), ConfState: &pb.ConfState{Voters: []uint64{1, 2}, Learners: []uint64{3}}}
	if err := storage.ApplySnapshot(&pb.Snapshot{Metadata: meta}); err != nil {
		t.Fatal(err)
	}
	snap := message(pb.MsgSnap, 1, 2, 4, 0)
	snap.Snapshot = &pb.Snapshot{Metadata: meta}
	record := func(o tap.Options) string {
		lines := make(chan []byte, 16)
		x := tap.New(tap.Channel(lines), o)
		if err := x.RestartFrom(storage, 0); err != nil {
			t.Fatal(err)
		}
		x.Snapshot(meta)
		x.Compact(7)
		x.Send(snap)
		x.ReportSnapshot(2, raft.SnapshotFinish)
		x.ReportSnapshot(2, raft.SnapshotFailure)
		x.ReportUnreachable(3)
		go x.Close()
		var got bytes.Buffer
		for b := range lines {
			got.Write(b)
		}
		return got.String()
	}
	conf := `{"Members":{"Voters":[0,1],"Outgoing":[],"Learners":[2],"LearnersNext":[]},"AutoLeave":false}`
	stored := `{"Index":9,"Term":3,"Body":{"Conf":[` + conf + `]}}`
	before := `{"event":"restart","state":{"Term":0,"Vote":-1,"Commit":9,"Known":0,"Applied":9,"Conf":` + conf + `,"Folded":{"Index":9,"Term":3},"Snap":` + stored +
		`,"Log":{"after":9,"elements":[]}}}
{"event":"input","action":"NoteSnapshot","set":{"Stored":[` + stored + `]}}
{"event":"input","action":"NoteCompaction","set":{"Stored":[{"Index":7}]}}
`
	behind := `{"event":"input","action":"ReportFinish","params":{"J":1}}
{"event":"input","action":"ReportFailure","params":{"J":1}}
{"event":"input","action":"ReportUnreachable","params":{"J":2}}
{"event":"end"}
`
	for snapshots, sent := range map[bool]string{
		true:  `{"event":"out","peer":1,"msg":{"Kind":"MsgSnap","Term":4,"Index":9,"LogTerm":3,"Snap":[{"Conf":[` + conf + `]}]}}`,
		false: `{"event":"lost","count":1,"cause":"MsgSnap, and the snapshots of the application are not noted"}`,
	} {
		o := tap.Options{Snapshots: snapshots}
		if got, want := record(o), string(tap.AppendHeader(nil, o))+before+sent+"\n"+behind; got != want {
			t.Errorf("the stream differs:\n%s", udiff.Unified("want", "got", want, got))
		}
	}
}

// blocked is a sink that takes nothing until it is released, and then fails.
type blocked struct{ release chan struct{} }

func (b blocked) Write([]byte) (int, error) {
	<-b.release
	return 0, errors.New("gone")
}

func (b blocked) Close() error { return nil }

// TestNeverBlocks gives a tap more than its sink takes: it drops, counts and says so.
func TestNeverBlocks(t *testing.T) {
	t.Parallel()
	b := blocked{make(chan struct{})}
	x := tap.New(func() (io.WriteCloser, error) { return b, nil }, tap.Options{Buffer: 1000})
	m := message(pb.MsgHeartbeat, 2, 1, 5, 0)
	for range 1000 {
		x.Receive(m)
	}
	if x.Lost() < 900 {
		t.Errorf("%d events were dropped", x.Lost())
	}
	close(b.release)
	if x.Close() == nil {
		t.Error("nothing was lost")
	}
}

// TestReconnects takes a socket away and gives it back: what was written meanwhile is lost and
// stated to be.
func TestReconnects(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tap")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	x := tap.New(tap.Unix(path), tap.Options{})
	m := message(pb.MsgHeartbeat, 2, 1, 5, 0)
	x.Receive(m)
	first, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	one := make([]byte, 1)
	if _, err := first.Read(one); err != nil {
		t.Fatal(err)
	}
	first.Close()
	for x.Lost() == 0 {
		x.Receive(m)
	}
	again := make(chan string)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			again <- err.Error()
			return
		}
		b, _ := io.ReadAll(conn)
		again <- string(b)
	}()
	x.Close()
	if got := <-again; !strings.HasPrefix(got, string(tap.AppendHeader(nil, tap.Options{}))+`{"event":"lost","count":`) || !strings.HasSuffix(got, "{\"event\":\"end\"}\n") {
		t.Errorf("got %q", got)
	}
	l.Close()
}
