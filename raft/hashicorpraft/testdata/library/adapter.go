package library

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hashicorp/raft"

	"github.com/multigrain/multigrain/checker/conform"
	spec "github.com/multigrain/multigrain/raft/hashicorpraft"
)

// Supports names the versions of the library that the adapter is written for.
const Supports = "github.com/hashicorp/raft v1.8.0"

// Implementation is the library. Each adapter has a bubble of testing/synctest of its own.
var Implementation = conform.Implementation[spec.State]{Name: "hashicorp-raft", Module: "github.com/hashicorp/raft", Open: openBubbled}

// steps are the actions that the adapter drives.
var steps = []string{
	"Timeout", "Verify", "Propose", "Restart", "Drop", "HandleVote", "HandleAppend", "HandleHeartbeat",
	"HandleVoteReply", "HandleAppendReply", "HandleHeartbeatReply",
}

// open opens an adapter that is used in one bubble only.
func open(s conform.Setup) (conform.Adapter[spec.State], error) {
	for name := range s.Settings {
		return nil, fmt.Errorf("the adapter has no setting %q", name)
	}
	for _, name := range s.Actions {
		if !slices.Contains(steps, name) {
			return nil, fmt.Errorf("the library has nothing for action %s: choose the grain baseline of the module that has it", name)
		}
	}
	return &adapter{net: &network{}}, nil
}

type adapter struct {
	servers [spec.Servers]*server
	net     *network
	calls   map[key]*call // those whose request or answer is in flight
	flight  spec.Calls
	out     io.Writer
}

// key identifies a message in flight.
type key struct {
	from, to   spec.Server
	kind       spec.Kind
	callerTerm spec.Number
}

func (a *adapter) Variables() []string {
	return []string{"Term", "VoteTerm", "Vote", "Log", "Role", "Lead", "Commit", "Value", "Net"}
}

func (a *adapter) Log(w io.Writer) { a.out = w }

func (a *adapter) Stop() error {
	var all []error
	for _, x := range a.servers {
		if x != nil {
			all = append(all, x.crash())
		}
	}
	a.servers = [spec.Servers]*server{}
	return errors.Join(all...)
}

// Start sets up a new cluster.
func (a *adapter) Start(*spec.State) error {
	if err := a.Stop(); err != nil {
		return err
	}
	*a = adapter{net: &network{hasty: a.net.hasty}, calls: map[key]*call{}, out: a.out}
	for i := range spec.Server(spec.Servers) {
		x, err := newServer(i)
		if err != nil {
			return err
		}
		if err := x.start(i, a.net, a.out); err != nil {
			return err
		}
		a.servers[i] = x
	}
	return a.collect()
}

// Perform does a step and lets the servers run until they cannot go on.
func (a *adapter) Perform(step conform.Step[spec.State]) error {
	var err error
	switch p := step.Params.(type) {
	case spec.One:
		err = a.local(step, p.I)
	case spec.At:
		err = a.message(step.Action, p)
	}
	if err != nil {
		return err
	}
	return a.collect()
}

func (a *adapter) local(step conform.Step[spec.State], i spec.Server) error {
	x := a.servers[i]
	switch step.Action {
	case "Timeout":
		var failed error
		err := x.timeout(func() { failed = errors.Join(failed, a.collect()) })
		return errors.Join(failed, err)
	case "Verify":
		x.raft.VerifyLeader()
		return nil
	case "Propose":
		x.raft.Apply([]byte{step.After.Proposed}, 0)
		return nil
	case "Restart":
		if err := x.crash(); err != nil {
			return err
		}
		return x.start(i, a.net, a.out)
	}
	return fmt.Errorf("the library has nothing for %s", step.Action)
}

// message delivers the message at p, or loses it.
func (a *adapter) message(action string, p spec.At) error {
	k := int(p.K)
	m := a.flight.Peek(p.J, p.I, k, spec.RequestVote, spec.VoteReply, spec.AppendEntries, spec.AppendReply, spec.Heartbeat, spec.HeartbeatReply)
	at := key{p.J, p.I, m.Kind, m.Call}
	c := a.calls[at]
	if c == nil {
		return fmt.Errorf("no call for %+v", m)
	}
	a.flight.Lose(p.J, p.I, k)
	delete(a.calls, at)
	switch action {
	case "Drop":
	case "HandleVote", "HandleAppend", "HandleHeartbeat":
		answer := make(chan raft.RPCResponse, 1)
		a.servers[p.I].trans.calls <- raft.RPC{Command: c.request, RespChan: answer}
		if err := a.collect(); err != nil {
			return err
		}
		select {
		case r := <-answer:
			if r.Error != nil {
				return fmt.Errorf("server %d answers %w", p.I, r.Error)
			}
			c.answer = r.Response
		default:
			return fmt.Errorf("server %d does not answer %+v", p.I, m)
		}
		reply, err := replyOf(m, c.answer)
		if err != nil {
			return err
		}
		return a.send(p.I, p.J, reply, c)
	case "HandleVoteReply", "HandleAppendReply", "HandleHeartbeatReply":
		c.response <- c.answer
	default:
		return fmt.Errorf("the library has nothing for %s", action)
	}
	return nil
}

// collect lets the servers run and puts what they have called in flight.
func (a *adapter) collect() error {
	for _, c := range a.net.settle() {
		m, err := requestOf(c.request)
		if err != nil {
			return err
		}
		h := c.request.(raft.WithRPCHeader).GetRPCHeader()
		if own := addressOf(c.from); string(h.ID) != string(own) || string(h.Addr) != string(own) {
			return fmt.Errorf("server %d calls as %q at %q", c.from, h.ID, h.Addr)
		}
		if err := a.send(c.from, c.to, m, c); err != nil {
			return err
		}
	}
	return nil
}

func (a *adapter) send(from, to spec.Server, m spec.Msg, c *call) error {
	at := key{from, to, m.Kind, m.Call}
	if a.calls[at] != nil {
		return fmt.Errorf("server %d has two messages of one kind and term on the way to %d: %+v", from, to, m)
	}
	if a.flight.Len(from, to) == spec.MaxCalls {
		return fmt.Errorf("more than %d messages from %d to %d", spec.MaxCalls, from, to)
	}
	a.calls[at] = c
	a.flight.Send(from, to, m)
	if a.out != nil {
		fmt.Fprintf(a.out, "  from %d to %d: %+v\n", from, to, m)
	}
	return nil
}

// Observe looks at the servers.
func (a *adapter) Observe(s *spec.State) error {
	for i, x := range a.servers {
		if err := x.look(spec.Server(i), s); err != nil {
			return err
		}
	}
	s.Net = a.flight
	return nil
}

// requestOf returns a request with all its fields.
func requestOf(request any) (spec.Msg, error) {
	switch r := request.(type) {
	case *raft.RequestVoteRequest:
		if r.LeadershipTransfer {
			return spec.Msg{}, fmt.Errorf("a vote for a transfer: %+v", r)
		}
		return spec.Msg{Kind: spec.RequestVote, Call: spec.Number(r.Term), Index: spec.Number(r.LastLogIndex), LogTerm: spec.Number(r.LastLogTerm)}, nil
	case *raft.AppendEntriesRequest:
		m := spec.Msg{Kind: spec.AppendEntries, Call: spec.Number(r.Term), Index: spec.Number(r.PrevLogEntry), LogTerm: spec.Number(r.PrevLogTerm),
			Commit: spec.Number(r.LeaderCommitIndex)}
		if r.PrevLogEntry == 0 && len(r.Entries) == 0 {
			m.Kind = spec.Heartbeat
		}
		if len(r.Entries) > 1 {
			return m, fmt.Errorf("an append with %d entries", len(r.Entries))
		}
		var err error
		for _, l := range r.Entries {
			m.Entry, err = entryOf(l, r.PrevLogEntry+1)
		}
		return m, err
	}
	return spec.Msg{}, fmt.Errorf("a call of type %T", request)
}

// replyOf returns the answer to a request with all its fields.
func replyOf(m spec.Msg, answer any) (spec.Msg, error) {
	switch r := answer.(type) {
	case *raft.RequestVoteResponse:
		return spec.Msg{Kind: spec.VoteReply, Call: m.Call, Term: spec.Number(r.Term), OK: r.Granted}, nil
	case *raft.AppendEntriesResponse:
		reply := spec.Msg{Kind: spec.AppendReply, Call: m.Call, Term: spec.Number(r.Term), LastLog: spec.Number(r.LastLog), OK: r.Success, AtOnce: r.NoRetryBackoff}
		if m.Kind == spec.Heartbeat {
			reply.Kind = spec.HeartbeatReply
		}
		if m.Entry.Kind != 0 {
			reply.Index = m.Index + 1
		}
		return reply, nil
	}
	return spec.Msg{}, fmt.Errorf("an answer of type %T", answer)
}

// entryOf returns the entry at an index.
func entryOf(l *raft.Log, index uint64) (spec.Entry, error) {
	e := spec.Entry{Term: spec.Number(l.Term)}
	switch {
	case l.Index != index:
		return e, fmt.Errorf("the entry at index %d says that it is at %d", index, l.Index)
	case l.Type == raft.LogConfiguration:
		e.Kind = spec.Configuration
	case l.Type == raft.LogNoop:
		e.Kind = spec.Noop
	case l.Type == raft.LogCommand && len(l.Data) == 1:
		e.Kind, e.Value = spec.Command, l.Data[0]
	default:
		return e, fmt.Errorf("an entry of type %s with %d bytes", l.Type, len(l.Data))
	}
	return e, nil
}
