//go:build !multigrain_runtime

package etcdraft

import (
	"bytes"
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the adapters of older versions")

// adapterFiles are the files of this package that adapters of older versions are made of.
var adapterFiles = []string{"adapter.go", "calls.go", "convert.go", "inside.go", "look.go", "server.go", "witness.go"}

// A rule replaces code of v3.7.0 by that of another version.
type rule struct{ from, to string }

// spellings are patterns. They hold for all versions before v3.7.0, in which messages and entries
// are values, and their fields too.
var spellings = []rule{
	{`\.Get([A-Z]\w*)\(\)`, `.$1`},
	{`\*pb\.(Message|Entry|HardState)\b`, `pb.$1`},
	{`&pb\.(Message|Entry|HardState|ConfChangeSingle)\{`, `pb.$1{`},
	{`\.Enum\(\)`, ``},
	{`\bNodeId\b`, `NodeID`},
}

// places are pieces of code, which must be there.
var places = map[string][]rule{
	"adapter.go": {
		{`changes     map[pb.Entry]raft.Change`, `changes     map[string]raft.Change`},
		{`map[pb.Entry]raft.Change{}`, `map[string]raft.Change{}`},
	},
	"calls.go": {
		{`new(uint64(etcd.LocalAppendThread))`, `etcd.LocalAppendThread`},
		{`proto.Unmarshal(e.Data, &cc)`, `cc.Unmarshal(e.Data)`},
		{`x.node.ApplyConfChange(&cc)`, `x.node.ApplyConfChange(cc)`},
		{"\t\"google.golang.org/protobuf/proto\"\n", ``},
	},
	"convert.go": {
		{`a.changes[e]; ok`, `a.changes[string(e.Data)]; ok`},
		{`a.changes[e] = ch`, `a.changes[string(e.Data)] = ch`},
		{`proto.Unmarshal(e.Data, &cc)`, `cc.Unmarshal(e.Data)`},
		{`new(id(j))`, `id(j)`},
		{`confOf(s.Metadata.ConfState)`, `confOf(&s.Metadata.ConfState)`},
		{"\t\"google.golang.org/protobuf/proto\"\n", ``},
	},
	"inside.go": {
		{`reflect.TypeFor[*pb.Snapshot]()`, `reflect.TypeFor[pb.Snapshot]()`},
	},
	"look.go": {
		{`snap := at[*pb.Snapshot](in.storage, inside.snapshot)`, `snap := (*pb.Snapshot)(unsafe.Add(in.storage, inside.snapshot))`},
		{`m.Term != nil`, `m.Term != 0`},
	},
	"server.go": {
		{`conf = initial()`, `conf = *initial()`},
		{`(pb.HardState, *pb.ConfState, error)`, `(pb.HardState, pb.ConfState, error)`},
		{`14 * (raft.MaxBatch`, `18 * (raft.MaxBatch`},
		{`a
// command has 7 bytes and an empty one 4, so 14 bytes are room for two entries.`, `a
// command has 9 bytes and an empty one 6, so 18 bytes are room for two entries.`},
		{`AutoLeave: new(false)`, `AutoLeave: false`},
		{`x := &server{node: node, storage: storage, conf: conf}`, `x := &server{node: node, storage: storage, conf: &conf}`},
		{`x.storage.ApplySnapshot(m.Snapshot)`, `x.storage.ApplySnapshot(*m.Snapshot)`},
		{`x.conf = m.Snapshot.Metadata.ConfState`, `x.conf = &m.Snapshot.Metadata.ConfState`},
	},
}

// booksByContext are the pieces of versions in which a leader's book of reads has contexts.
var booksByContext = map[string][]rule{
	"inside.go": {
		{`	acks, unconfirmed, confirmed uintptr
`, `	pending, queue uintptr
`},
		{`// readRequest is readIndexRequest.
type readRequest struct {
	req   pb.Message
	index uint64
}
`, `// readRequest is readIndexStatus.
type readRequest struct {
	req   pb.Message
	index uint64
	acks  map[uint64]bool
}
`},
		{`	in.acks, in.confirmed = find(o, "acks", reflect.TypeFor[map[uint64]uint64]()), find(o, "confirmedReads", u64)
	in.unconfirmed = find(o, "unconfirmedReads", reflect.TypeFor[[]*readRequest]())
`, `	in.pending, in.queue = find(o, "pendingReadIndex", reflect.TypeFor[map[string]*readRequest]()), find(o, "readIndexQueue", reflect.TypeFor[[]string]())
`},
		{`	case reflect.Slice, reflect.Pointer:
`, `	case reflect.Map:
		return sameMemory(a.Key(), b.Key()) && sameMemory(a.Elem(), b.Elem())
	case reflect.Slice, reflect.Pointer:
`},
	},
	"look.go": {
		{`	ro.Confirmed = small(at[uint64](in.reads, inside.confirmed))
	for n, ack := range at[map[uint64]uint64](in.reads, inside.acks) {
		ro.Acks[serverOf(n)] = small(ack)
	}
	for _, r := range at[[]*readRequest](in.reads, inside.unconfirmed) {
		ro.Unconfirmed.Append(raft.Request{ID: a.readOf(r.req.Entries[0].Data), Index: small(r.index)})
	}
`, `	pending := at[map[string]*readRequest](in.reads, inside.pending)
	for _, context := range at[[]string](in.reads, inside.queue) {
		r := pending[context]
		ro.Unconfirmed.Append(raft.Request{ID: a.readOf(r.req.Entries[0].Data), Index: small(r.index), Acks: setOf(r.acks)})
	}
`},
	},
	"convert.go": {
		{`	case len(m.Context) == 8 && (t == pb.MsgHeartbeat || t == pb.MsgHeartbeatResp):
		return small(binary.LittleEndian.Uint64(m.Context))
`, `	case len(m.Context) == 1 && (t == pb.MsgHeartbeat || t == pb.MsgHeartbeatResp):
		return m.Context[0]
`},
		{"\t\"encoding/binary\"\n", ``},
	},
}

// withoutThreads are the pieces of versions without AsyncStorageWrites. What a Ready asks for is
// written at once. What it has to be applied waits: Ready has it again until Advance gets it.
var withoutThreads = map[string][]rule{
	"adapter.go": {
		{`x.storage.MemoryStorage, x.writes, x.applies)`, `x.storage.MemoryStorage)`},
		{`	if raft.MaxBatch > 2`, `	if raft.AsyncStorage {
		return nil, fmt.Errorf("this version of the library has no storage threads: set the bound writes to 0")
	}
	if raft.MaxBatch > 2`},
	},
	"calls.go": {
		{`	"slices"
`, `	"slices"
	"unsafe"
`},
		{`	"Persist":           persist,
`, ``},
		{`	return x.node.Step(pb.Message{Type: t, From: etcd.LocalAppendThread})
`, `	r := at[unsafe.Pointer](unsafe.Pointer(x.node), inside.raft)
	return at[func(unsafe.Pointer, pb.Message) error](r, inside.step)(r, pb.Message{Type: t, From: at[uint64](r, inside.id)})
`},
		{`// local steps a message of the library's own clock, which RawNode.Step lets pass from
// LocalAppendThread.
`, `// local steps a message of the library's own clock, as its ticks do: RawNode.Step lets none pass.
`},
		{`	if len(a.servers[i].applies) == 0 {
		return errors.New("the library has nothing to apply")
	}
	a.applyAll(i)
`, `	if !a.applyAll(i) {
		return errors.New("the library has nothing to apply")
	}
`},
		{`func persist(a *adapter, s step) error {
	i := s.Params.(raft.One).I
	x := a.servers[i]
	if len(x.writes) == 0 {
		return errors.New("the library has nothing to write")
	}
	m := x.writes[0]
	x.writes = slices.Delete(x.writes, 0, 1)
	if err := a.write(i, m); err != nil {
		return err
	}
	return a.drain(i)
}

`, ``},
		{`// applyAll applies the entries that wait at server i, except those that a snapshot has brought in
// the meantime.
func (a *adapter) applyAll(i raft.Server) {
	x := a.servers[i]
	waiting := x.applies
	x.applies = nil
	for _, m := range waiting {
		for _, e := range m.Entries {
			switch {
			case e.Index <= x.restored:
			case`, `// applyAll applies the entries that wait at server i. It reports whether there were some.
func (a *adapter) applyAll(i raft.Server) bool {
	x := a.servers[i]
	if !x.node.HasReady() {
		return false
	}
	waiting := x.node.Ready().CommittedEntries
	if len(waiting) == 0 {
		return false
	}
		for _, e := range waiting {
			switch {
			case`},
		{`		for _, r := range m.Responses {
			x.step(r)
		}
	}
}
`, `	x.node.Advance(etcd.Ready{CommittedEntries: waiting})
	return true
}
`},
	},
	"convert.go": {
		{`m.Vote != 0 || len(m.Responses) > 0 || len`, `len`},
		{`		odd("a %s with vote %d, %d responses and %d entries", m.Type, m.Vote, len(m.Responses), len(m.Entries))`, `		odd("a %s with %d entries", m.Type, len(m.Entries))`},
		{`	if o.Kind != raft.MsgSnap {
		if m.Snapshot != nil {`, `	if o.Kind != raft.MsgSnap {
		if !etcd.IsEmptySnap(m.Snapshot) {`},
		{`body(m.Snapshot)`, `body(&m.Snapshot)`},
		{`	pb "go.etcd.io/`, `	etcd "go.etcd.io/etcd/raft/v3"
	pb "go.etcd.io/`},
	},
	"inside.go": {
		{`	raft uintptr // in RawNode
`, `	raft uintptr // in RawNode
	step, id uintptr // in raft
`},
		{`// inflight is an append in flight.
type inflight struct {
	index uint64 // of its last entry
	//lint:ignore U1000 sameMemory compares the field's name
	bytes uint64
}

`, ``},
		{`	// in Progress
	sentCommit uintptr
`, ``},
		{`	in.sentCommit = find(reflect.TypeFor[tracker.Progress](), "sentCommit", u64)
`, ``},
		{`reflect.TypeFor[[]inflight]()`, `reflect.TypeFor[[]uint64]()`},
		{`find(r, "trk",`, `find(r, "prs",`},
		{`	in.term, in.vote =`, `	if f, ok := conform.Field(r, "step"); !ok || f.Type.Kind() != reflect.Func || f.Type.NumIn() != 2 || f.Type.In(1) != reflect.TypeFor[pb.Message]() {
		return fmt.Errorf("%s has no function step that takes a message: the adapter does not fit this version of the library", r)
	}
	in.step, in.id = find(r, "step", nil), find(r, "id", u64)
	in.term, in.vote =`},
	},
	"look.go": {
		{`	if raft.AsyncStorage {
		q := &s.Writes[:][i]
		q.Clear()
		if len(x.writes) > q.Cap() {
			odd("%d writes wait on server %d, and the specification has no room for more than %d", len(x.writes), i, q.Cap())
		}
		for _, m := range x.writes {
			q.Append(a.writeOf(i, m))
		}
	}
`, ``},
		{`Next: small(pr.Next), SentCommit: small(at[uint64](unsafe.Pointer(pr), inside.sentCommit)),`, `Next: small(pr.Next),`},
		{`Paused: pr.MsgAppFlowPaused,`, `Paused: pr.ProbeSent,`},
		{`		if j != i && pr.State == tracker.StateReplicate && !raft.Batching && uint64(len(flying)) != pr.Next-1-pr.Match ||
			pr.State != tracker.StateReplicate && len(flying) != 0 {
`, `		// Those after Match that are no longer in flight were freed by answers to heartbeats.
		if j != i && pr.State == tracker.StateReplicate && !raft.Batching {
			s.Pr[i][j].SentCommit = small(pr.Next - 1 - pr.Match - uint64(len(flying)))
		}
		consecutive := true
		for k, end := range flying {
			consecutive = consecutive && (raft.Batching || end == pr.Next-uint64(len(flying)-k))
		}
		if j != i && !consecutive || pr.State != tracker.StateReplicate && len(flying) != 0 {
`},
		{`%raft.MaxInflight].index)`, `%raft.MaxInflight])`},
		{`at[[]inflight](p`, `at[[]uint64](p`},
		{`// writeOf returns a MsgStorageAppend.
func (a *adapter) writeOf(i raft.Server, m pb.Message) (w raft.Write) {
	if m.Snapshot != nil || len(m.Entries) > 1 {
		odd("a write with a snapshot or with %d entries", len(m.Entries))
	}
	if m.Term != 0 {
		w.Hard = true
		w.Term, w.Vote, w.Commit = small(m.Term), serverOf(m.Vote), small(m.Commit)
	}
	if len(m.Entries) == 1 {
		w.Index = small(m.Entries[0].Index)
		w.Entry = a.entry(m.Entries[0], m.Entries[0].Index)
	}
	for k, r := range m.Responses {
		if r.Type == pb.MsgStorageAppendResp && k == len(m.Responses)-1 {
			w.Stable = raft.Stable{Term: small(r.Term), Index: small(r.Index), LogTerm: small(r.LogTerm)}
			continue
		}
		if serverOf(r.From) != i || w.Responses.Len() == w.Responses.Cap() {
			odd("a write of server %d waits with %d responses, one of them a %s from %d", i, len(m.Responses), r.Type, r.From)
		}
		w.Responses.Append(raft.Response{To: serverOf(r.To), Msg: a.message(r)})
	}
	return w
}
`, ``},
	},
	"server.go": {
		{`	writes, applies []pb.Message // MsgStorageAppend and MsgStorageApply that wait
`, ``},
		{`	restored        uint64        // the index of the last snapshot that it got
`, ``},
		{`Storage: storage, AsyncStorageWrites: true,`, `Storage: storage,`},
		{`	for x.node.HasReady() {
		rd := x.node.Ready()
		for _, r := range rd.ReadStates {
			a.indexed(i, r)
		}
		for _, m := range rd.Messages {
			switch m.Type {
			case pb.MsgStorageAppend:
				if raft.AsyncStorage {
					x.writes = append(x.writes, m)
				} else if err := a.write(i, m); err != nil {
					return err
				}
			case pb.MsgStorageApply:
				x.applies = append(x.applies, m)
			default:
				a.send(i, m)
			}
		}
		if a.applyAtOnce {
			a.applyAll(i)
		}
	}
	return nil
}
`, `	for x.node.HasReady() {
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
`},
		{`// write does a write and gives out the answers that waited for it.
func (a *adapter) write(i raft.Server, m pb.Message) error {
	x := a.servers[i]
	if m.Term != 0 || m.Vote != 0 || m.Commit != 0 {
		if err := x.storage.SetHardState(pb.HardState{Term: m.Term, Vote: m.Vote, Commit: m.Commit}); err != nil {
			return fmt.Errorf("SetHardState: %w", err)
		}
	}
	if m.Snapshot != nil {
		if err := x.storage.ApplySnapshot(*m.Snapshot); err != nil {
			return fmt.Errorf("ApplySnapshot: %w", err)
		}
		x.conf = &m.Snapshot.Metadata.ConfState
		x.register, x.restored = body(m.Snapshot).Value, m.Snapshot.Metadata.Index
	}
`, `// write writes what a Ready has to be written.
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
`},
		{`	for _, r := range m.Responses {
		if r.To == id(i) {
			x.step(r)
		} else {
			a.send(i, r)
		}
	}
	return nil
}

// step steps a message of the server to itself.
func (x *server) step(m pb.Message) {
	// What is refused here is a response to a server that is no longer in its own configuration,
	// which the specification has as well.
	_ = x.node.Step(m)
}
`, `	return nil
}
`},
	},
}

// withoutPendingReads are the pieces of versions in which a leader forgets early reads.
var withoutPendingReads = map[string][]rule{
	"inside.go": {
		{`trk, log, readOnly, pendingReads uintptr`, `trk, log, readOnly uintptr`},
		{`	in.pendingReads = find(r, "pendingReadIndexMessages", reflect.TypeFor[[]pb.Message]())
`, ``},
	},
	"look.go": {
		{`	var ids raft.ReadIDs
	for _, m := range at[[]pb.Message](in.raft, inside.pendingReads) {
		ids.Append(a.readOf(m.Entries[0].Data))
	}
	a.own.PendingReads[:][i] = ids
`, ``},
	},
}

// importPath is a version with another import path.
func importPath(before, path string, files ...string) map[string][]rule {
	rules := map[string][]rule{}
	for _, name := range files {
		rules[name] = []rule{{before, path}}
	}
	return rules
}

// versions are the nested modules with an adapter of another version, and what it has otherwise.
var versions = map[string][]map[string][]rule{
	"v3.6.0": {places, booksByContext, {"adapter.go": {
		{`const Supports = "go.etcd.io/raft/v3 v3.7.0"`, `const Supports = "go.etcd.io/raft/v3 v3.6.0"`},
	}, "inside.go": {{`v3.7.0: raft.go raft`, `v3.6.0: raft.go raft`}}}},
	"v3.5.35": {places, booksByContext, importPath("go.etcd.io/raft/v3", "go.etcd.io/etcd/raft/v3", adapterFiles[:6]...), withoutThreads, {"adapter.go": {
		{`const Supports = "go.etcd.io/etcd/raft/v3 v3.7.0"`, `const Supports = "go.etcd.io/etcd/raft/v3 v3.5.35"`},
	}, "inside.go": {{`v3.7.0: raft.go raft`, `v3.5.35: raft.go raft`}}}},
	"v3.4.7": {places, booksByContext, importPath("go.etcd.io/raft/v3", "go.etcd.io/etcd/raft/v3", adapterFiles[:6]...), withoutThreads,
		importPath("go.etcd.io/etcd/raft/v3", "go.etcd.io/etcd/raft", adapterFiles[:6]...), withoutPendingReads, {"adapter.go": {
			{`Module: "go.etcd.io/etcd/raft"`, `Module: "go.etcd.io/etcd"`},
			{`// Implementation is go.etcd.io/etcd/raft `, `// Implementation is go.etcd.io/etcd/raft of etcd v3.4.7 `},
			{`const Supports = "go.etcd.io/etcd/raft v3.7.0"`, `const Supports = "go.etcd.io/etcd v0.0.0-20200401174654-e694b7bb0875"`},
		}, "inside.go": {{`v3.7.0: raft.go raft`, `v3.4.7: raft.go raft`}}}},
}

// translated returns a file of this package as it is for another version of the library.
func translated(t *testing.T, name string, differences []map[string][]rule) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range spellings {
		text = regexp.MustCompile(r.from).ReplaceAll(text, []byte(r.to))
	}
	for _, d := range differences {
		for _, r := range d[name] {
			if !bytes.Contains(text, []byte(r.from)) {
				t.Errorf("%s has no more the code %q: change the rules in this file", name, r.from)
			}
			text = bytes.ReplaceAll(text, []byte(r.from), []byte(r.to))
		}
	}
	head := "// Code generated from raft/etcdraft/" + name + " by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.\n\n"
	text, err = format.Source(append([]byte(head), text...))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return text
}

// TestTranslated compares the adapters of other versions with what the rules make of this package.
func TestTranslated(t *testing.T) {
	t.Parallel()
	for version, differences := range versions {
		for _, name := range adapterFiles {
			path := filepath.Join("testdata", version, name)
			want := translated(t, name, differences)
			if *update {
				if err := os.WriteFile(path, want, 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if have, err := os.ReadFile(path); err != nil || string(have) != string(want) {
				t.Errorf("%s is not what the rules make of %s (%v): run go test ./raft/etcdraft -run TestTranslated -update", path, name, err)
			}
		}
	}
	if strings.Contains(string(translated(t, "adapter.go", versions["v3.6.0"])), "v3.7.0") {
		t.Error("the adapter of v3.6.0 names v3.7.0")
	}
}
