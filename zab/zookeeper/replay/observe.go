//go:build !multigrain_runtime

package replay

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// observed are the variables that are compared; those of a composition without them have no size.
var observed = []string{
	"State", "ZabState", "ServingState", "AcceptedEpoch", "CurrentEpoch", "History", "LastCommitted", "LastProcessed", "Learners", "Electing",
	"AckldRecv", "Forwarding", "AckSid", "LeaderAddr", "PacketsSync", "Msgs", "Status", "ClientRequest",
}

// ofThreads are the variables that are compared where the composition has a follower's threads.
var ofThreads = []string{"QueuedRequests", "LeftRequests", "PendingTxns", "CommittedRequests"}

func (a *adapter) variables() []string {
	out := observed
	if !a.jars.Version.HasLocalSessions() {
		out = slices.DeleteFunc(slices.Clone(out), func(name string) bool { return name == "ZabState" })
	}
	if a.threads {
		out = slices.Concat(out, ofThreads)
	}
	if a.logs {
		out = append(slices.Clone(out), "Unlogged")
	}
	if a.discovery {
		out = slices.Concat(out, ofDiscovery)
	}
	if a.election {
		out = slices.Concat(out, ofElection)
	}
	if disksApart {
		out = append(slices.Clone(out), "Disks")
	}
	if a.records() {
		out = slices.Concat(out, zab.Recorded)
	}
	return out
}

// records reports whether ghost variables are kept of what servers do. Versions whose phase is not
// observed do not show when a leader begins to serve.
func (a *adapter) records() bool { return a.jars.Version.HasLocalSessions() }

// agrees reports whether two states have the same values of the observed variables.
func (a *adapter) agrees(s, t *zab.State) bool {
	x, y := reflect.ValueOf(s).Elem(), reflect.ValueOf(t).Elem()
	for _, name := range a.variables() {
		if !reflect.DeepEqual(x.FieldByName(name).Interface(), y.FieldByName(name).Interface()) {
			return false
		}
	}
	return true
}

// strange says that the servers have a value that no value of the specification stands for.
type strange string

func (s strange) Error() string { return string(s) }

func odd(format string, args ...any) { panic(strange(fmt.Sprintf(format, args...))) }

// number returns a number as the specification holds it.
func number(n int64) zab.Number {
	if out := zab.Number(n); int64(out) == n {
		return out
	}
	odd("the servers have the number %d, for which the specification has no room", n)
	return 0
}

// epoch returns an epoch, counted from that of the prelude. A server without an epoch has 0.
func (a *adapter) epoch(e int64) zab.Number { return number(max(e-a.base, 0)) }

// zxid returns a zxid, counted from the prelude's transaction.
func (a *adapter) zxid(z zookeeper.Zxid) zab.Zxid {
	if z == -1 || z.Epoch() <= a.base && a.base > 0 {
		return zab.Zxid{}
	}
	return zab.Zxid{Epoch: a.epoch(z.Epoch()), Counter: number(int64(z.Counter()))}
}

// value returns the number of the request that created a node.
func value(path string) zab.Number {
	n, err := strconv.Atoi(strings.TrimPrefix(path, "/v"))
	if err != nil {
		odd("a transaction concerns %q, which no request has asked for", path)
	}
	return number(int64(n))
}

func (a *adapter) txn(t control.Txn) zab.Txn {
	return zab.Txn{Zxid: a.zxid(t.Zxid), Value: value(t.Path)}
}

// caught makes a strange value the error of the function that defers it.
func caught(err *error) {
	switch v := recover().(type) {
	case nil:
	case strange:
		*err = v
	default:
		panic(v)
	}
}

// observe reads the state of all servers and of what is in flight.
func (a *adapter) observe(s *zab.State) (err error) {
	defer caught(&err)
	s.ClientRequest = zab.Count(a.requests)
	a.unsent, a.committed = [zab.Servers]map[int][]control.Message{}, [zab.Servers]zab.Zxid{}
	for i := range zab.Server(zab.Servers) {
		if err := a.observeServer(s, i); err != nil {
			return fmt.Errorf("server %d: %w", i, err)
		}
	}
	a.observeMessages(s)
	if a.election {
		a.observeVotes(s)
	}
	if a.records() {
		zab.Record(&a.seen, s, a.committed)
	}
	return nil
}

func (a *adapter) observeServer(s *zab.State, i zab.Server) error {
	s.LeaderAddr[i] = zab.NullPoint
	d, err := a.node(i).Disk()
	if err != nil {
		return err
	}
	s.AcceptedEpoch[i], s.CurrentEpoch[i] = a.epoch(d.AcceptedEpoch), a.epoch(d.CurrentEpoch)
	m, err := a.memory(i)
	if err != nil {
		return err
	}
	if a.logs && m != nil && m.Leader != nil {
		s.Unlogged[:][i] = number(int64(len(m.Leader.Queued)))
		d.History = append(d.History, m.Leader.Queued...)
	}
	s.History[i] = a.history(d.History)
	if n := s.History[i].Len(); m == nil && n > 0 && s.CurrentEpoch[i] < s.History[i].At(n).Zxid.Epoch && d.WrittenEpoch >= 0 {
		s.CurrentEpoch[i] = a.epoch(d.WrittenEpoch) // that QuorumPeer.loadDataBase will read
	}
	upTo := func(z zookeeper.Zxid) (n zab.Number) {
		for k := 1; k <= s.History[i].Len(); k++ {
			if t := s.History[i].At(k); !t.Zxid.After(a.zxid(z)) {
				n++
			}
		}
		return n
	}
	s.LastProcessed[i] = number(int64(s.History[i].Len()))
	if disksApart {
		a.observeDisk(s, i, &d, m)
	}
	if m == nil { // what a start will load, or what the crash took
		if lost := a.lost[i]; lost != nil && !disksApart {
			s.LastProcessed[i] = *lost
		}
		return nil
	}
	s.Status.Add(i)
	s.State[i] = named(serverStates, m.State)
	if a.jars.Version.HasLocalSessions() {
		s.ZabState[i] = named(phases, m.Phase)
		if s.State[i] == zab.LOOKING && !a.jars.Version.ResetsPhase() {
			s.ZabState[i] = zab.ELECTION // the servers have the phase for display only
		}
	}
	s.ServingState[i] = a.serving(i, m)
	if m.Loaded && !disksApart {
		s.LastProcessed[i] = upTo(m.Applied)
	}
	if a.threads {
		a.observeThreads(s, i, m)
	}
	if a.election {
		a.observeElection(s, i, m)
	}
	switch {
	case m.Follower != nil:
		a.observeFollower(s, i, m)
	case m.Leader != nil:
		a.observeLeader(s, i, m.Leader)
		if s.ZabState[i] == zab.BROADCAST {
			s.LastCommitted[i] = upTo(m.Leader.LastCommitted)
			a.committed[i] = a.zxid(m.Leader.LastCommitted)
		}
	}
	return nil
}

// memory reads the memory of a server, nil while it does not run.
func (a *adapter) memory(i zab.Server) (*control.Memory, error) {
	if a.node(i).Gates == nil {
		return nil, nil
	}
	if err := a.node(i).Err(); err != nil {
		return nil, err
	}
	m, err := a.node(i).Memory()
	return &m, err
}

var serverStates = map[string]zab.ServerState{"LOOKING": zab.LOOKING, "FOLLOWING": zab.FOLLOWING, "LEADING": zab.LEADING}

var phases = map[string]zab.ZabState{
	"ELECTION": zab.ELECTION, "DISCOVERY": zab.DISCOVERY, "SYNCHRONIZATION": zab.SYNCHRONIZATION, "BROADCAST": zab.BROADCAST,
}

func named[T any](all map[string]T, name string) T {
	v, ok := all[name]
	if !ok {
		odd("it is %q, which the specification does not have", name)
	}
	return v
}

// acceptsApart: the specification is that of a version whose followers start their request
// processors before or after they accept the epoch, not with that.
var acceptsApart = slices.Contains([]string{"pr-2111", "final", "pr-2152", "pr-2254"}, zab.Fix) ||
	!slices.Contains([]string{"pr-1848", "pr-1930", "pr-1993"}, zab.Fix) && hasDifference("logsBeforeEpoch", "appliesBeforeEpoch")

// hasDifference reports whether the specification is that of a version with one of the differences.
func hasDifference(names ...string) bool {
	return slices.ContainsFunc(zookeeper.Differences, func(d zookeeper.Difference) bool {
		return slices.Contains(names, d.Const) && d.Has(zab.Variant)
	})
}

// serving is how far the request processors have come. Where acceptsApart, INITIAL in the
// specification means that the follower has accepted the epoch of NEWLEADER.
func (a *adapter) serving(i zab.Server, m *control.Memory) zab.ServingState {
	started := m.Processors
	if stop := a.node(i).Peer(); acceptsApart && m.Follower != nil && stop != nil {
		started = m.Follower.Accepts && stop.Point.Place != control.Snapshot && stop.Point.Place != control.Logged
	}
	switch {
	case m.Serving == "RUNNING":
		return zab.RUNNING
	case m.Serving == "INITIAL" && started:
		return zab.INITIAL
	}
	return zab.SHUTDOWN
}

func (a *adapter) observeFollower(s *zab.State, i zab.Server, m *control.Memory) {
	if l := a.ensemble.Network.LeaderOf(int(i) + 1); l > 0 && s.State[i] == zab.FOLLOWING {
		s.LeaderAddr[i] = zab.Server(l - 1)
	}
	switch {
	case s.ServingState[i] != zab.RUNNING:
	case a.threads:
		s.LastCommitted[i] = s.LastProcessed[i]
	default:
		s.LastCommitted[i] = number(int64(s.History[i].Len() - len(m.Follower.Pending)))
	}
	for _, t := range m.Follower.HeldBack {
		s.PacketsSync[i].NotCommitted.Append(a.txn(t))
	}
	for _, z := range m.Follower.Committed {
		s.PacketsSync[i].Committed.Append(a.zxid(z))
	}
}

// observeThreads reads the queues of a follower's threads.
func (a *adapter) observeThreads(s *zab.State, i zab.Server, m *control.Memory) {
	for _, t := range m.Left {
		s.LeftRequests[:][i].Append(a.txn(t))
	}
	if m.Follower == nil {
		return
	}
	for _, t := range m.Follower.Queued {
		s.QueuedRequests[:][i].Append(a.txn(t))
	}
	for _, t := range m.Follower.Pending {
		s.PendingTxns[:][i].Append(a.zxid(t.Zxid))
	}
	for _, t := range m.Follower.Applying {
		s.CommittedRequests[:][i].Append(a.zxid(t.Zxid))
	}
}

func (a *adapter) observeLeader(s *zab.State, i zab.Server, l *control.LeaderMemory) {
	a.unsent[i] = l.Unsent
	s.Learners[i] = setOf(l.Learners).With(i)
	s.Forwarding[i] = setOf(l.Forwarding)
	s.AckldRecv[i] = zab.Contacts{Sids: setOf(l.Acked), Connected: a.heard[i].Intersect(s.Learners[i])}
	if a.discovery {
		a.observeDiscovery(s, i, l)
	}
	inQuorum := setOf(l.Electing).With(i)
	for k := range zab.Server(zab.Servers) {
		if !a.joined[i].Has(k) {
			continue
		}
		last := zab.Synced()
		if z, unsynced := l.Unsynced[int(k)+1]; unsynced {
			last = a.zxid(z)
		} else if _, opened := l.Unsent[int(k)+1]; opened {
			last = zab.Opened()
		} else if !l.Elected && k != i {
			last = a.peerLast[k]
		}
		s.Electing[i].Put(k, zab.Elector{PeerLastZxid: last, InQuorum: inQuorum.Has(k)})
	}
	for _, o := range l.Outstanding {
		z := a.zxid(o.Zxid)
		for k := 1; k <= s.History[i].Len(); k++ {
			if s.History[i].At(k).Zxid == z {
				s.AckSid[i][zab.AckSlot(k)] = setOf(o.Acks)
			}
		}
	}
}

// kinds are the kinds of packets. The first ACK with counter 0 is that of NEWLEADER.
var kinds = map[zookeeper.Type]zab.Kind{
	zookeeper.FOLLOWERINFO: zab.FOLLOWERINFO, zookeeper.LEADERINFO: zab.LEADERINFO, zookeeper.ACKEPOCH: zab.ACKEPOCH,
	zookeeper.DIFF: zab.DIFF, zookeeper.TRUNC: zab.TRUNC, zookeeper.SNAP: zab.SNAP, zookeeper.PROPOSAL: zab.PROPOSAL,
	zookeeper.COMMIT: zab.COMMIT, zookeeper.NEWLEADER: zab.NEWLEADER, zookeeper.UPTODATE: zab.UPTODATE, zookeeper.ACK: zab.ACK,
	control.Closed: zab.CLOSED,
}

func (a *adapter) observeMessages(s *zab.State) {
	a.shown = map[int]zab.Msg{}
	for i := range zab.Server(zab.Servers) {
		for j := range zab.Server(zab.Servers) {
			if i == j {
				continue
			}
			if a.ensemble.Network.Disconnected(int(i)+1, int(j)+1) {
				s.Msgs.Cut(i, j)
			}
			if m := a.taken[j]; m != nil && s.LeaderAddr[j] == i && !s.Msgs.IsCut(i, j) {
				s.Msgs.Send(i, j, *m)
			}
			for _, m := range append(a.ensemble.Network.Kept(int(i)+1, int(j)+1), a.unsent[i][int(j)+1]...) {
				if !a.threads && ofUPTODATE(&m) {
					continue
				}
				if s.Msgs.Len(i, j) == zab.MaxChannel {
					odd("more than %d packets are in flight from server %d to %d", zab.MaxChannel, i, j)
				}
				s.Msgs.Send(i, j, a.message(s, i, j, &m))
			}
		}
	}
}

// ofUPTODATE reports whether a packet acknowledges UPTODATE. Without a follower's threads the
// specification has none, and it arrives as soon as no other packet is before it.
func ofUPTODATE(m *control.Message) bool {
	return m.Type == zookeeper.ACK && m.Zxid.Counter() == 0 && m.Again
}

// message returns a packet from i to j as the specification has it.
func (a *adapter) message(s *zab.State, i, j zab.Server, m *control.Message) zab.Msg {
	if x, ok := a.agreed[m.Number]; ok { // the sender may have changed since
		a.shown[m.Number] = x
		return x
	}
	kind, ok := kinds[m.Type]
	if !ok {
		odd("a packet %v from server %d to %d, which the specification does not have", m.Type, i, j)
	}
	out := zab.Msg{Kind: kind, Zxid: a.zxid(m.Zxid)}
	switch kind {
	case zab.PROPOSAL:
		out.Data = value(m.Path)
	case zab.ACK:
		if m.Zxid.Counter() == 0 && !m.Again {
			out.Kind = zab.ACKLD
		}
	case zab.ACKEPOCH:
		if out.Data = -1; m.CurrentEpoch >= 0 {
			out.Data = a.epoch(int64(m.CurrentEpoch))
		}
	case zab.DIFF:
		out.Zxid = a.peerLast[j]
	case zab.SNAP:
		if !zab.EpochZxids {
			out.Zxid = lastUpTo(&s.History[i], out.Zxid)
		}
	case zab.UPTODATE:
		out.Zxid = zab.Zxid{Epoch: s.AcceptedEpoch[i]}
	}
	if m.Number > 0 {
		a.shown[m.Number] = out
	}
	return out
}

// lastUpTo returns the last zxid of a history that is not after z.
func lastUpTo(h *zab.History, z zab.Zxid) (out zab.Zxid) {
	for k := 1; k <= h.Len() && !h.At(k).Zxid.After(z); k++ {
		out = h.At(k).Zxid
	}
	return out
}
