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

// versions are the nested modules with an adapter of another version, and what it has otherwise.
var versions = map[string][]map[string][]rule{
	"v3.6.0": {places, booksByContext, {"adapter.go": {
		{`const Supports = "go.etcd.io/raft/v3 v3.7.0"`, `const Supports = "go.etcd.io/raft/v3 v3.6.0"`},
	}, "inside.go": {{`v3.7.0: raft.go raft`, `v3.6.0: raft.go raft`}}}},
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
