package kv

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// disk is a write-ahead log and what it holds. A record is its length and checksum, both of 32 bits, a byte that says what it is, and a
// hard state or an entry.
type disk struct {
	*raft.MemoryStorage
	f      *os.File
	voters []uint64
	hard   *pb.HardState
	buf    []byte
}

const (
	recordHard  = 'h'
	recordEntry = 'e'
)

// openDisk reads a log up to the first record that is not whole, and cuts off what is behind.
func openDisk(path string, servers int) (*disk, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	d := &disk{MemoryStorage: raft.NewMemoryStorage(), f: f, hard: &pb.HardState{}}
	for i := range servers {
		d.voters = append(d.voters, uint64(i+1))
	}
	end, err := d.replay(bufio.NewReader(f))
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return d, nil
}

// replay takes records until one is cut off or damaged, and returns where the whole ones end.
func (d *disk) replay(r io.Reader) (end int64, err error) {
	var head [8]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return end, cutOff(err)
		}
		body := make([]byte, binary.LittleEndian.Uint32(head[:]))
		if _, err := io.ReadFull(r, body); err != nil {
			return end, cutOff(err)
		}
		if len(body) == 0 || crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(head[4:]) {
			return end, nil
		}
		if err := d.take(body[0], body[1:]); err != nil {
			return end, err
		}
		end += int64(len(head) + len(body))
	}
}

func cutOff(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func (d *disk) take(kind byte, body []byte) error {
	if kind == recordHard {
		h := &pb.HardState{}
		if err := proto.Unmarshal(body, h); err != nil {
			return err
		}
		d.hard = h
		return d.SetHardState(h)
	}
	e := &pb.Entry{}
	if err := proto.Unmarshal(body, e); err != nil {
		return err
	}
	return d.Append([]*pb.Entry{e})
}

// InitialState returns the hard state, and the cluster's configuration, which does not change.
func (d *disk) InitialState() (*pb.HardState, *pb.ConfState, error) {
	return d.hard, &pb.ConfState{Voters: d.voters}, nil
}

// save writes what is new in a Ready, and syncs it where the library wants that.
func (d *disk) save(rd *raft.Ready) error {
	d.buf = d.buf[:0]
	for _, e := range rd.Entries {
		d.record(recordEntry, e)
	}
	if !raft.IsEmptyHardState(rd.HardState) {
		d.record(recordHard, rd.HardState)
		d.hard = rd.HardState
		if err := d.SetHardState(rd.HardState); err != nil {
			return err
		}
	}
	if len(d.buf) == 0 {
		return nil
	}
	if _, err := d.f.Write(d.buf); err != nil {
		return err
	}
	if rd.MustSync {
		if err := d.f.Sync(); err != nil {
			return err
		}
	}
	return d.Append(rd.Entries)
}

func (d *disk) record(kind byte, m proto.Message) {
	at := len(d.buf)
	d.buf = append(d.buf, 0, 0, 0, 0, 0, 0, 0, 0, kind)
	b, err := proto.MarshalOptions{}.MarshalAppend(d.buf, m)
	if err != nil {
		panic(err) // the library's own message
	}
	d.buf = b
	body := d.buf[at+8:]
	binary.LittleEndian.PutUint32(d.buf[at:], uint32(len(body)))
	binary.LittleEndian.PutUint32(d.buf[at+4:], crc32.ChecksumIEEE(body))
}

func (d *disk) close() { d.f.Close() }
