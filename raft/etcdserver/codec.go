package etcdserver

import (
	"encoding/binary"
	"fmt"
	"io"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// mostBytes is the largest message that the tap decodes. rafthttp reads messages of up to 512 MiB;
// etcd refuses requests of more than 1.5 MiB, and an append has 1 MiB of entries or one entry.
const mostBytes = 64 << 20

// decoder reads messages one after the other. The error is io.EOF at the end of a message, and
// io.ErrUnexpectedEOF within one. A nil message is a heartbeat of the connection.
type decoder interface {
	next() (*pb.Message, error)
}

// messageStream reads the stream "message": each message after its length. msg_codec.go.
type messageStream struct{ r io.Reader }

func (d messageStream) next() (*pb.Message, error) {
	n, err := readUint(d.r)
	if err != nil {
		return nil, err
	}
	m := &pb.Message{}
	if err := readProto(d.r, n, m); err != nil {
		return nil, err
	}
	if m.GetType() == pb.MsgHeartbeat && m.GetFrom() == 0 && m.GetTo() == 0 {
		return nil, nil
	}
	return m, nil
}

// Kinds of records of a stream msgapp.
const (
	recordHeartbeat = 0 // of the connection
	recordEntries   = 1 // an append that follows from the one before
	recordMessage   = 2
)

// appStream reads the stream "msgapp" in its version 2, in which an append that follows from the
// one before has only its entries and the commit index. msgappv2_codec.go.
type appStream struct {
	r           io.Reader
	from, to    uint64
	term, index uint64 // of the last entry that was sent
}

func (d *appStream) next() (*pb.Message, error) {
	var kind [1]byte
	if _, err := io.ReadFull(d.r, kind[:]); err != nil {
		return nil, err
	}
	switch kind[0] {
	case recordHeartbeat:
		return nil, nil
	case recordEntries:
		m, err := d.entries()
		return m, inside(err)
	case recordMessage:
		n, err := readUint(d.r)
		if err != nil {
			return nil, inside(err)
		}
		m := &pb.Message{}
		if err := readProto(d.r, n, m); err != nil {
			return nil, inside(err)
		}
		d.term, d.index = m.GetTerm(), m.GetIndex()
		if k := len(m.GetEntries()); k > 0 {
			d.index = m.GetEntries()[k-1].GetIndex()
		}
		return m, nil
	}
	return nil, fmt.Errorf("stream msgapp has a record of the unknown kind %d", kind[0])
}

func (d *appStream) entries() (*pb.Message, error) {
	m := &pb.Message{Type: pb.MsgApp.Enum(), From: &d.from, To: &d.to, Term: new(d.term), LogTerm: new(d.term), Index: new(d.index)}
	count, err := readUint(d.r)
	if err != nil {
		return nil, err
	}
	for size := uint64(0); count > 0; count-- {
		n, err := readUint(d.r)
		if err != nil {
			return nil, err
		}
		if size += n + 8; size > mostBytes {
			return nil, fmt.Errorf("an append has more than %d bytes", mostBytes)
		}
		e := &pb.Entry{}
		if err := readProto(d.r, n, e); err != nil {
			return nil, err
		}
		m.Entries = append(m.Entries, e)
		d.index++
	}
	commit, err := readUint(d.r)
	m.Commit = &commit
	return m, err
}

func readUint(r io.Reader) (uint64, error) {
	var b [8]byte
	_, err := io.ReadFull(r, b[:])
	return binary.BigEndian.Uint64(b[:]), err
}

// readProto reads a message of n bytes.
func readProto(r io.Reader, n uint64, m proto.Message) error {
	if n > mostBytes {
		return fmt.Errorf("a message has %d bytes; at most %d are decoded", n, mostBytes)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return inside(err)
	}
	return proto.Unmarshal(b, m)
}

// inside returns the error of a stream that ends within a record.
func inside(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
