package library

import (
	"fmt"
	"io"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"

	spec "github.com/multigrain/multigrain/raft/hashicorpraft"
)

// lease is the unit of time; never is longer than a walk.
const (
	lease = time.Second
	never = 10000 * time.Hour
)

// server is a server; its store outlives crashes.
type server struct {
	raft  *raft.Raft
	store *raft.InmemStore
	trans *transport
	state *machine
}

// machine is the state machine: it keeps the last command.
type machine struct{ value uint8 }

func (m *machine) Apply(l *raft.Log) any {
	m.value = l.Data[0]
	return nil
}

func (m *machine) Snapshot() (raft.FSMSnapshot, error) { return nil, raft.ErrNothingNewToSnapshot }

func (m *machine) Restore(r io.ReadCloser) error { return r.Close() }

func addressOf(i spec.Server) raft.ServerAddress { return raft.ServerAddress('a' + rune(i)) }

// serverOf returns the server at an address, None for "".
func serverOf(a raft.ServerAddress) spec.Server {
	if a == "" {
		return spec.None
	}
	return spec.Server(a[0] - 'a')
}

func configOf(i spec.Server, out io.Writer) *raft.Config {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(addressOf(i))
	c.HeartbeatTimeout, c.ElectionTimeout, c.SnapshotInterval = never, never, never
	c.LeaderLeaseTimeout = lease
	c.CommitTimeout = lease / 2 // a goroutine that waits for nothing takes that to a whole lease
	c.MaxAppendEntries = 1
	c.PreVoteDisabled = true
	c.Logger = hclog.NewNullLogger()
	if out != nil {
		c.Logger = hclog.New(&hclog.LoggerOptions{Name: "  " + string(c.LocalID), Level: hclog.Debug, Output: out, DisableTime: true})
	}
	return c
}

// newServer sets up a server with a store that has the configuration.
func newServer(i spec.Server) (*server, error) {
	x := &server{store: raft.NewInmemStore()}
	var all raft.Configuration
	for j := range spec.Server(spec.Servers) {
		all.Servers = append(all.Servers, raft.Server{ID: raft.ServerID(addressOf(j)), Address: addressOf(j)})
	}
	return x, raft.BootstrapCluster(configOf(i, nil), x.store, x.store, raft.NewDiscardSnapshotStore(), &transport{id: i}, all)
}

// start starts a server with what its store has.
func (x *server) start(i spec.Server, net *network, out io.Writer) (err error) {
	x.trans = &transport{net: net, id: i, calls: make(chan raft.RPC, 1), crashed: make(chan struct{})}
	x.state = &machine{}
	x.raft, err = raft.NewRaft(configOf(i, out), x.state, x.store, x.store, raft.NewDiscardSnapshotStore(), x.trans)
	if err != nil {
		return err
	}
	x.raft.RegisterObserver(raft.NewObserver(nil, false, func(o *raft.Observation) bool {
		if _, ok := o.Data.(raft.PeerObservation); ok {
			x.trans.turn() // let the goroutine of this follower set up its first append
		}
		return false
	}))
	return nil
}

// crash stops a server.
func (x *server) crash() error {
	close(x.trans.crashed)
	return x.raft.Shutdown().Error()
}

// reload gives a server other timeouts. A shorter HeartbeatTimeout makes it look at its timers at once.
func (x *server) reload(heartbeat, election time.Duration) error {
	c := x.raft.ReloadableConfig()
	c.HeartbeatTimeout, c.ElectionTimeout = heartbeat, election
	return x.raft.ReloadConfig(c)
}

// timeout lets a follower or candidate time out; see hashicorpraft.Timeout.
func (x *server) timeout(settle func()) error {
	if x.raft.State() == raft.Candidate {
		if err := x.reload(lease, lease); err != nil { // its timer is one to two leases now
			return err
		}
		settle()
		if err := x.reload(never, never); err != nil { // for the next one
			return err
		}
		time.Sleep(2 * lease)
		return nil
	}
	time.Sleep(lease)
	settle()
	if err := x.reload(lease, never); err != nil {
		return err
	}
	settle()
	return x.reload(never, never)
}

// look writes what a server has into s.
func (x *server) look(i spec.Server, s *spec.State) error {
	r := x.raft
	s.Term[i], s.Commit[i], s.Value[i] = spec.Number(r.CurrentTerm()), spec.Number(r.CommitIndex()), x.state.value
	if applied := r.AppliedIndex(); applied != r.CommitIndex() {
		return fmt.Errorf("server %d has applied %d entries of %d", i, applied, r.CommitIndex())
	}
	switch role := r.State(); role {
	case raft.Follower:
		s.Role[i] = spec.Follower
	case raft.Candidate:
		s.Role[i] = spec.Candidate
	case raft.Leader:
		s.Role[i] = spec.Leader
	default:
		return fmt.Errorf("server %d is in the state %s", i, role)
	}
	lead, _ := r.LeaderWithID()
	s.Lead[i] = serverOf(lead)
	voteTerm, err := x.store.GetUint64([]byte("LastVoteTerm"))
	if err != nil && err.Error() != "not found" {
		return err
	}
	vote, err := x.store.Get([]byte("LastVoteCand"))
	if err != nil && err.Error() != "not found" {
		return err
	}
	s.VoteTerm[i], s.Vote[i] = spec.Number(voteTerm), serverOf(raft.ServerAddress(vote))
	stored, err := x.store.GetUint64([]byte("CurrentTerm"))
	if err != nil || stored != r.CurrentTerm() {
		return fmt.Errorf("server %d is in term %d and has stored %d: %v", i, r.CurrentTerm(), stored, err)
	}
	s.Log[i].Clear()
	last := r.LastIndex()
	for k := uint64(1); k <= last; k++ {
		var l raft.Log
		if err := x.store.GetLog(k, &l); err != nil {
			return fmt.Errorf("entry %d of server %d: %w", k, i, err)
		}
		e, err := entryOf(&l, k)
		if err != nil {
			return err
		}
		s.Log[i].Append(e)
	}
	if stored, err := x.store.LastIndex(); err != nil || stored != last {
		return fmt.Errorf("server %d takes its log to end at %d, and it ends at %d", i, last, stored)
	}
	return nil
}
