// Code generated from raft/etcdraft/server.go by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.

//go:build !multigrain_runtime

package etcdraft

import (
	"fmt"
	"math"

	etcd "go.etcd.io/etcd/raft/v3"
	pb "go.etcd.io/etcd/raft/v3/raftpb"

	"github.com/multigrain/multigrain/raft"
)

// server is a RawNode and what belongs to it.
type server struct {
	node     *etcd.RawNode
	storage  *store
	conf     *pb.ConfState // that it has applied
	register uint8         // of the state machine: the index of the last command
}

// store is a MemoryStorage that begins with a configuration at index 0.
type store struct{ *etcd.MemoryStorage }

func newStore() *store { return &store{etcd.NewMemoryStorage()} }

// InitialState implements Storage.
func (s *store) InitialState() (pb.HardState, pb.ConfState, error) {
	hard, conf, err := s.MemoryStorage.InitialState()
	if s.folded() == 0 {
		conf = *initial()
	}
	return hard, conf, err
}

// folded returns the index up to which entries are in a snapshot.
func (s *store) folded() uint64 {
	first, _ := s.FirstIndex() // a MemoryStorage always has one
	return first - 1
}

// initial returns the first configuration. A composition without changes has all servers in it.
func initial() *pb.ConfState {
	voters := raft.InitialVoters
	if voters == 0 || !raft.Membership {
		voters = raft.Servers
	}
	cs := &pb.ConfState{AutoLeave: false}
	for i := range raft.Server(voters) {
		cs.Voters = append(cs.Voters, id(i))
	}
	return cs
}

// sizePerMsg is Config.MaxSizePerMsg, in bytes. With 0 an append carries one entry. An entry with a
// command has 9 bytes and an empty one 6, so 18 bytes are room for two entries. They are room for
// three only if these are empty, which takes three leaders.
const sizePerMsg = 18 * (raft.MaxBatch - 1)

// start starts server i on a storage.
func (a *adapter) start(i raft.Server, storage *store) {
	reads := etcd.ReadOnlySafe
	if raft.ReadOnlyOption == "lease" {
		reads = etcd.ReadOnlyLeaseBased
	}
	node, err := etcd.NewRawNode(&etcd.Config{
		ID: id(i), ElectionTick: electionTick, HeartbeatTick: 1, Storage: storage,
		MaxSizePerMsg: sizePerMsg, MaxCommittedSizePerReady: math.MaxUint64, MaxInflightMsgs: raft.MaxInflight,
		PreVote: raft.PreVote, CheckQuorum: raft.CheckQuorum, ReadOnlyOption: reads, Logger: logger{a, i},
	})
	if err != nil {
		odd("server %d cannot be started: %v", i, err)
	}
	_, conf, _ := storage.InitialState()
	x := &server{node: node, storage: storage, conf: &conf}
	if snap, _ := storage.Snapshot(); len(snap.Data) == 1 {
		x.register = snap.Data[0]
	}
	a.servers[i] = x
	a.dirty.Add(i)
}

// drain does all that Ready asks for after a call.
func (a *adapter) drain(i raft.Server) error {
	a.dirty.Add(i)
	x := a.servers[i]
	for x.node.HasReady() {
		rd := x.node.Ready()
		for _, r := range rd.ReadStates {
			a.indexed(i, r)
		}
		if err := a.write(i, &rd); err != nil {
			return err
		}
		for _, m := range rd.Messages {
			a.send(i, m)
		}
		nothing := len(rd.Messages) == 0 && len(rd.Entries) == 0 && len(rd.ReadStates) == 0 && rd.SoftState == nil &&
			etcd.IsEmptyHardState(rd.HardState) && etcd.IsEmptySnap(rd.Snapshot)
		rd.CommittedEntries = nil // they wait for applyAll
		x.node.Advance(rd)
		if nothing && !(a.applyAtOnce && a.applyAll(i)) {
			break
		}
	}
	return nil
}

// write writes what a Ready has to be written.
func (a *adapter) write(i raft.Server, m *etcd.Ready) error {
	x := a.servers[i]
	if !etcd.IsEmptyHardState(m.HardState) {
		if err := x.storage.SetHardState(m.HardState); err != nil {
			return fmt.Errorf("SetHardState: %w", err)
		}
	}
	if !etcd.IsEmptySnap(m.Snapshot) {
		if err := x.storage.ApplySnapshot(m.Snapshot); err != nil {
			return fmt.Errorf("ApplySnapshot: %w", err)
		}
		x.conf = &m.Snapshot.Metadata.ConfState
		x.register = body(&m.Snapshot).Value
	}
	if err := x.storage.Append(m.Entries); err != nil {
		return fmt.Errorf("appending to the storage: %w", err)
	}
	return nil
}

// logger is the library's log.
type logger struct {
	a *adapter
	i raft.Server
}

func (l logger) line(args ...any) {
	if l.a.out != nil {
		l.a.say("server %d: %s", l.i, fmt.Sprint(args...))
	}
}

func (l logger) linef(format string, args ...any) {
	if l.a.out != nil {
		l.a.say("server %d: %s", l.i, fmt.Sprintf(format, args...))
	}
}

func (l logger) Debug(v ...any)                   { l.line(v...) }
func (l logger) Debugf(format string, v ...any)   { l.linef(format, v...) }
func (l logger) Info(v ...any)                    { l.line(v...) }
func (l logger) Infof(format string, v ...any)    { l.linef(format, v...) }
func (l logger) Warning(v ...any)                 { l.line(v...) }
func (l logger) Warningf(format string, v ...any) { l.linef(format, v...) }
func (l logger) Error(v ...any)                   { l.line(v...) }
func (l logger) Errorf(format string, v ...any)   { l.linef(format, v...) }

// Fatal would end the process; here both end the walk.
func (l logger) Fatal(v ...any)                 { panic(fmt.Sprint(v...)) }
func (l logger) Fatalf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
func (l logger) Panic(v ...any)                 { panic(fmt.Sprint(v...)) }
func (l logger) Panicf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
