package etcdserver

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// record builds records of the streams as rafthttp writes them.
type record struct{ bytes.Buffer }

func (r *record) number(n uint64) *record {
	r.Write(binary.BigEndian.AppendUint64(nil, n))
	return r
}

func (r *record) proto(t *testing.T, m proto.Message) *record {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	r.number(uint64(len(b))).Write(b)
	return r
}

func entry(term, index uint64, data string) *pb.Entry {
	return &pb.Entry{Term: &term, Index: &index, Data: []byte(data), Type: pb.EntryNormal.Enum()}
}

// TestAppends: an append that follows from the one before has only its entries and the commit
// index.
func TestAppends(t *testing.T) {
	var r record
	r.WriteByte(recordMessage)
	r.proto(t, &pb.Message{Type: pb.MsgApp.Enum(), From: new(uint64(7)), To: new(uint64(8)), Term: new(uint64(3)), LogTerm: new(uint64(2)), Index: new(uint64(10)),
		Entries: []*pb.Entry{entry(3, 11, "a")}})
	r.WriteByte(recordHeartbeat)
	r.WriteByte(recordEntries)
	r.number(2).proto(t, entry(3, 12, "b")).proto(t, entry(3, 13, "c")).number(11)
	r.WriteByte(recordEntries)
	r.number(0).number(13)
	d := &appStream{r: &r, from: 7, to: 8}
	for k, want := range []string{"3 10 0 1", "", "3 11 11 2", "3 13 13 0"} {
		m, err := d.next()
		if err != nil {
			t.Fatal(err)
		}
		if have := shortly(m); have != want {
			t.Errorf("record %d is %q, and %q was sent", k, have, want)
		}
	}
	if _, err := d.next(); err != io.EOF {
		t.Errorf("at the end the error is %v", err)
	}
}

func shortly(m *pb.Message) string {
	if m == nil {
		return ""
	}
	return fmt.Sprint(m.GetTerm(), m.GetIndex(), m.GetCommit(), len(m.GetEntries()))
}

// TestDamaged: what is no stream is an error, and never a message.
func TestDamaged(t *testing.T) {
	for name, b := range map[string]string{
		"an unknown record":      "\x07",
		"a length without bytes": "\x02\x00\x00\x00\x00\x00\x00\x00\x09abc",
		"a huge length":          "\x02\x7f\x00\x00\x00\x00\x00\x00\x00",
		"many entries":           "\x01\x7f\x00\x00\x00\x00\x00\x00\x00",
		"no message":             "\x02\x00\x00\x00\x00\x00\x00\x00\x02\xff\xff",
	} {
		m, err := (&appStream{r: strings.NewReader(b)}).next()
		if err == nil || errors.Is(err, io.EOF) || m != nil {
			t.Errorf("%s: message %v, error %v", name, m, err)
		}
	}
}
