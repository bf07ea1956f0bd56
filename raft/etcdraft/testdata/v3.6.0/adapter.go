// Code generated from raft/etcdraft/adapter.go by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.

//go:build !multigrain_runtime

package etcdraft

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"sync"

	etcd "go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/raft"
)

// Implementation is go.etcd.io/raft/v3 under the actions of package raft.
var Implementation = conform.Implementation[raft.State]{Name: "etcd-raft", Module: "go.etcd.io/raft/v3", Open: open}

// Supports names the versions of the library that the adapter is written for.
const Supports = "go.etcd.io/raft/v3 v3.6.0"

// electionTick is Config.ElectionTick; Elapse is so many ticks.
const electionTick = 10

// adapter is a cluster of RawNodes and what is in flight between them.
type adapter struct {
	servers     []*server
	net         [raft.Servers][raft.Servers][]pb.Message // in the order of the channels of own
	applyAtOnce bool                                     // the composition has no Apply
	changes     map[string]raft.Change
	own         raft.State // what was observed; its channels and reads are kept as they change
	dirty       raft.Set   // servers that were called since the last observation
	out         io.Writer
	watched     []conform.Symptom
	clients     clients
	panicked    string // what the library's panic says in a step that raises one
	// torn says in what memory and disk of a server differ. It is empty if they do not.
	torn [raft.Servers]string
}

// clients has the knowledge of clients, by what the library did.
type clients struct {
	newest uint8                // the index of the newest command that a client knows to be done
	floors [raft.MaxReads]uint8 // for each read, newest when it began
}

// variables are the observed ones.
var variables = []string{
	"Term", "Vote", "Commit", "Log", "Snap", "Role", "Lead", "Applied", "Conf", "PendingConf", "Granted", "Rejected", "Elapsed", "RecentActive",
	"Transferee", "Pr", "ReadOnly", "PendingReads", "Reads", "Disk", "StableTo", "Writes", "Bag", "Stream",
}

func open(setup conform.Setup) (conform.Adapter[raft.State], error) {
	if err := locate(); err != nil {
		return nil, err
	}
	for name, value := range setup.Settings {
		if name != "mutant" {
			return nil, fmt.Errorf("the adapter has no setting %q", name)
		}
		if err := mutate(value); err != nil {
			return nil, err
		}
	}
	for _, name := range setup.Actions {
		if calls[name] == nil {
			return nil, fmt.Errorf("the library has nothing for action %s: choose the grain baseline or fine of the module that has it", name)
		}
	}
	if !raft.EmptyEntry || raft.Append != "messages" {
		return nil, fmt.Errorf("the library begins a term with an empty entry and replicates by messages: set the options empty_entry = true and append = \"messages\"")
	}
	if raft.MaxBatch > 2 || raft.Batching && (raft.MaxTerm > 2 || raft.Membership || raft.AsyncStorage) {
		return nil, fmt.Errorf("the library limits appends by bytes: set the bound batch to 2 at most, and with 2 the bound terms to 2, without membership and writes")
	}
	return &adapter{applyAtOnce: !setup.Has("Apply")}, nil
}

// mutantFlag is the flag by which a library that was built with mutants has one of them: see
// package mutants.
const mutantFlag = "multigrain-mutant"

// mutating is held while a mutant is selected. The library that adapters run does not change then:
// all adapters of a program have the same mutant.
var mutating sync.Mutex

// mutate selects a mutant of the library by its name; "" is none.
func mutate(name string) error {
	mutating.Lock()
	defer mutating.Unlock()
	f := flag.Lookup(mutantFlag)
	switch {
	case f == nil && name != "":
		return fmt.Errorf("the library that is built in has no mutants, so the setting mutant cannot be %q: build it with package mutants", name)
	case f == nil || f.Value.String() == name:
		return nil
	}
	return f.Value.Set(name)
}

func (a *adapter) Variables() []string { return variables }

// Borrowed names what clients know when a read begins: the specification counts that.
func (a *adapter) Borrowed() []string { return []string{"Reads.Floor"} }

// Holds are the nodes with their storage, and the messages in flight and in transit to a disk.
func (a *adapter) Holds() (out []any) {
	for _, x := range a.servers {
		out = append(out, x.node, x.storage.MemoryStorage, x.writes, x.applies)
	}
	return append(out, &a.net)
}

func (a *adapter) Log(w io.Writer) { a.out = w }

func (a *adapter) Stop() error { return nil }

// Start sets up a new cluster. The specification has one initial state.
func (a *adapter) Start(*raft.State) (err error) {
	defer asError(&err)
	out := a.out
	*a = adapter{applyAtOnce: a.applyAtOnce, out: out, changes: a.changes, watched: a.watched}
	if a.changes == nil {
		a.changes = map[string]raft.Change{}
	}
	clear(a.changes)
	for k := range a.own.Reads {
		a.own.Reads[k].Server = raft.None
	}
	for i := range raft.Server(raft.Servers) {
		a.servers = append(a.servers, &server{})
		a.start(i, newStore())
	}
	return nil
}

// asError makes a value that the specification cannot hold an error.
func asError(err *error) {
	switch v := recover().(type) {
	case nil:
	case strange:
		*err = v
	default:
		panic(v)
	}
}

// Perform makes the calls that a step stands for.
func (a *adapter) Perform(step conform.Step[raft.State]) (err error) {
	defer asError(&err)
	return calls[step.Action](a, step)
}

// Observe examines the servers that were called.
func (a *adapter) Observe(s *raft.State) (err error) {
	defer asError(&err)
	for i, x := range a.servers {
		if a.dirty.Has(raft.Server(i)) {
			a.look(raft.Server(i), x)
		}
	}
	a.dirty = 0
	*s = a.own
	for i, torn := range a.torn {
		if torn != "" {
			return &conform.BesideError{Message: fmt.Sprintf("server %d has %s", i, torn)}
		}
	}
	return nil
}

// say writes a line of the log.
func (a *adapter) say(format string, args ...any) {
	if a.out != nil {
		fmt.Fprintf(a.out, "  "+format+"\n", args...)
	}
}

// send puts a message in flight.
func (a *adapter) send(from raft.Server, m pb.Message) {
	to := serverOf(m.To)
	if a.out != nil {
		a.say("server %d sends %s", from, etcd.DescribeMessage(m, nil))
	}
	a.fromTo(from, to, m)
	o := a.message(m)
	if a.isCut(from, to) {
		return
	}
	q := &a.net[from][to]
	if len(*q) == raft.MaxQueue {
		odd("the library sends a %s from %d to %d, and the specification has no room for more than %d messages", m.Type, from, to, raft.MaxQueue)
	}
	if raft.Network == "tcp" {
		a.own.Stream.Send(from, to, o)
		*q = append(*q, m)
		return
	}
	a.own.Bag.Send(from, to, o)
	*q = slices.Insert(*q, a.position(from, to, &o), m)
}

func (a *adapter) isCut(i, j raft.Server) bool {
	if raft.Network == "tcp" {
		return a.own.Stream.IsCut(i, j)
	}
	return a.own.Bag.IsCut(i, j)
}

// fromTo compares the addresses of a message with its channel. A read that a server passes on keeps
// the server that was asked.
func (a *adapter) fromTo(from, to raft.Server, m pb.Message) {
	sender := serverOf(m.From)
	if m.Type == pb.MsgReadIndex && len(m.Entries) == 1 {
		if asked := a.own.Reads[:][a.readOf(m.Entries[0].Data)].Server; sender == asked {
			return
		}
	}
	if sender != from || from == to {
		odd("server %d sends a %s from %d to %d", from, m.Type, sender, to)
	}
}

// position returns where the library's message belongs that has just been put into a bag as o,
// counted from 0. Messages that are equal there are equal in the library.
func (a *adapter) position(from, to raft.Server, o *raft.Msg) int {
	for k := 1; k <= len(a.net[from][to])+1; k++ {
		if a.own.Bag.Is(from, to, k, o.Kind) && a.own.Bag.Peek(from, to, k, o.Kind) == *o {
			return k - 1
		}
	}
	panic("a message that was put into a bag is not there")
}

// take receives the message of the step: it is no longer in flight.
func (a *adapter) take(p raft.At) pb.Message {
	q := &a.net[p.J][p.I]
	m := (*q)[p.K-1]
	if raft.Network == "tcp" {
		a.own.Stream.Pop(p.J, p.I)
	} else {
		a.own.Bag.Lose(p.J, p.I, int(p.K))
	}
	*q = slices.Delete(*q, int(p.K)-1, int(p.K))
	return m
}

// copyOf returns a message as it comes out of a network: it shares nothing with the one that was
// sent.
func copyOf(m pb.Message) pb.Message {
	c := pb.Message{
		Type: m.Type, To: m.To, From: m.From, Term: m.Term, LogTerm: m.LogTerm, Index: m.Index, Commit: m.Commit,
		Reject: m.Reject, RejectHint: m.RejectHint, Context: m.Context, Snapshot: m.Snapshot,
	}
	for _, e := range m.Entries {
		c.Entries = append(c.Entries, pb.Entry{Term: e.Term, Index: e.Index, Type: e.Type, Data: e.Data})
	}
	return c
}
