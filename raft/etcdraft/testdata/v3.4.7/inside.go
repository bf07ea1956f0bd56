// Code generated from raft/etcdraft/inside.go by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.

//go:build !multigrain_runtime

package etcdraft

import (
	"fmt"
	"reflect"
	"unsafe"

	etcd "go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
	"go.etcd.io/etcd/raft/tracker"

	"github.com/multigrain/multigrain/checker/conform"
)

// inside is where the fields of the library's structures lie, in bytes. v3.4.7: raft.go raft,
// log.go raftLog, log_unstable.go unstable, read_only.go readOnly, storage.go MemoryStorage,
// tracker/progress.go Progress.
var inside struct {
	raft     uintptr // in RawNode
	step, id uintptr // in raft

	// in raft
	term, vote, state, lead, transferee, pendingConf, elapsed, timeout, trk, log, readOnly uintptr
	// in raftLog
	committed, applied, entries, offset uintptr
	// in readOnly
	pending, queue uintptr
	// in Inflights
	inflightStart, inflightCount, inflightBuffer uintptr
	// in MemoryStorage
	hardState, snapshot, stored uintptr
}

// readRequest is readIndexStatus.
type readRequest struct {
	req   pb.Message
	index uint64
	acks  map[uint64]bool
}

// locate finds the fields. The error names one that is not there or has another type than this
// package reads.
func locate() (err error) {
	find := func(t reflect.Type, name string, want reflect.Type) uintptr {
		f, ok := conform.Field(t, name)
		switch {
		case err != nil:
		case !ok:
			err = fmt.Errorf("%s has no field %s: the adapter does not fit this version of the library", t, name)
		case want != nil && !sameMemory(f.Type, want):
			err = fmt.Errorf("field %s of %s is a %s and not a %s: the adapter does not fit this version of the library", name, t, f.Type, want)
		}
		return f.Offset
	}
	pointee := func(t reflect.Type, name string) reflect.Type {
		f, ok := conform.Field(t, name)
		if ok && f.Type.Kind() == reflect.Pointer {
			return f.Type.Elem()
		}
		return reflect.TypeFor[struct{}]()
	}
	u64, number, entries := reflect.TypeFor[uint64](), reflect.TypeFor[int](), reflect.TypeFor[[]pb.Entry]()
	in := &inside
	node := reflect.TypeFor[etcd.RawNode]()
	in.raft = find(node, "raft", nil)
	r := pointee(node, "raft")
	if f, ok := conform.Field(r, "step"); !ok || f.Type.Kind() != reflect.Func || f.Type.NumIn() != 2 || f.Type.In(1) != reflect.TypeFor[pb.Message]() {
		return fmt.Errorf("%s has no function step that takes a message: the adapter does not fit this version of the library", r)
	}
	in.step, in.id = find(r, "step", nil), find(r, "id", u64)
	in.term, in.vote = find(r, "Term", u64), find(r, "Vote", u64)
	in.state = find(r, "state", reflect.TypeFor[etcd.StateType]())
	in.lead, in.transferee, in.pendingConf = find(r, "lead", u64), find(r, "leadTransferee", u64), find(r, "pendingConfIndex", u64)
	in.elapsed, in.timeout = find(r, "electionElapsed", number), find(r, "electionTimeout", number)
	in.trk = find(r, "prs", reflect.TypeFor[tracker.ProgressTracker]())
	in.log, in.readOnly = find(r, "raftLog", nil), find(r, "readOnly", nil)
	l := pointee(r, "raftLog")
	in.committed, in.applied = find(l, "committed", u64), find(l, "applied", u64)
	unstable := find(l, "unstable", nil)
	if f, ok := conform.Field(l, "unstable"); ok {
		in.entries, in.offset = unstable+find(f.Type, "entries", entries), unstable+find(f.Type, "offset", u64)
	}
	o := pointee(r, "readOnly")
	in.pending, in.queue = find(o, "pendingReadIndex", reflect.TypeFor[map[string]*readRequest]()), find(o, "readIndexQueue", reflect.TypeFor[[]string]())
	flying := reflect.TypeFor[tracker.Inflights]()
	in.inflightStart, in.inflightCount = find(flying, "start", number), find(flying, "count", number)
	in.inflightBuffer = find(flying, "buffer", reflect.TypeFor[[]uint64]())
	m := reflect.TypeFor[etcd.MemoryStorage]()
	in.hardState, in.snapshot = find(m, "hardState", reflect.TypeFor[pb.HardState]()), find(m, "snapshot", reflect.TypeFor[pb.Snapshot]())
	in.stored = find(m, "ents", entries)
	return err
}

// sameMemory reports whether values of two types can be read as one another: they are equal, or
// made of structs with equal fields.
func sameMemory(a, b reflect.Type) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case reflect.Map:
		return sameMemory(a.Key(), b.Key()) && sameMemory(a.Elem(), b.Elem())
	case reflect.Slice, reflect.Pointer:
		return sameMemory(a.Elem(), b.Elem())
	case reflect.Struct:
		if a.NumField() != b.NumField() {
			return false
		}
		for k := range a.NumField() {
			if x, y := a.Field(k), b.Field(k); conform.FieldName(x) != conform.FieldName(y) || !sameMemory(x.Type, y.Type) {
				return false
			}
		}
		return true
	}
	return false
}

// at reads a field of the structure at p.
func at[T any](p unsafe.Pointer, offset uintptr) T { return *(*T)(unsafe.Add(p, offset)) }

// insides is a RawNode's structures.
type insides struct {
	raft, log, reads unsafe.Pointer
	trk              *tracker.ProgressTracker
	storage          unsafe.Pointer
}

func (x *server) insides() (v insides) {
	v.raft = at[unsafe.Pointer](unsafe.Pointer(x.node), inside.raft)
	v.log = at[unsafe.Pointer](v.raft, inside.log)
	v.reads = at[unsafe.Pointer](v.raft, inside.readOnly)
	v.trk = (*tracker.ProgressTracker)(unsafe.Add(v.raft, inside.trk))
	v.storage = unsafe.Pointer(x.storage.MemoryStorage)
	return v
}
