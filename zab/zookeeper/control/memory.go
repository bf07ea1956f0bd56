package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// Memory holds what a running server has in memory. It is read from the fields of its QuorumPeer
// while all its threads stand.
type Memory struct {
	State string // QuorumPeer.ServerState
	Phase string // QuorumPeer.ZabState, "" of a version without local sessions
	// Applied is the zxid of the last transaction in the data tree. Loaded reports whether the data
	// tree is; a server loads it before it needs it.
	Applied zookeeper.Zxid
	Loaded  bool
	// Tree has the nodes of the data tree, except ZooKeeper's own, by the zxids that created them.
	// CommittedLog is that of ZKDatabase. Only Options.Trees reads them.
	Tree, CommittedLog []Txn
	// Serving is ZooKeeperServer.State, "" without a server. Processors reports whether the server
	// has request processors.
	Serving    string
	Processors bool
	Follower   *FollowerMemory // nil where the server does not follow
	Leader     *LeaderMemory   // nil where it does not lead
	Election   *ElectionMemory // nil unless Options.Places has Poll
	// Left is still to be logged by SyncRequestProcessors of servers that were shut down.
	Left []Txn
}

// FollowerMemory holds the queues of a follower.
type FollowerMemory struct {
	Pending []Txn // pendingTxns: handed over to be logged, not yet committed
	// syncWithLeader keeps HeldBack until it logs it. Of that Committed is committed.
	HeldBack  []Txn
	Committed []zookeeper.Zxid
	// Accepts reports whether syncWithLeader has begun with NEWLEADER.
	Accepts bool
	// SyncRequestProcessor has to log Queued, and CommitProcessor has to apply Applying.
	Queued   []Txn
	Applying []Txn
}

// LeaderMemory holds the fields of a Leader.
type LeaderMemory struct {
	LastCommitted zookeeper.Zxid
	Learners      []int // whose LearnerHandler is connected
	Forwarding    []int // that get proposals
	Epoch         int64 // that it proposes
	Connecting    []int // whose FOLLOWERINFO counts
	Electing      []int // whose ACKEPOCH counts
	Elected       bool  // a quorum has accepted the epoch
	Acked         []int // whose ACK of NEWLEADER counts
	Outstanding   []Outstanding
	ToBeApplied   []Txn                  // committed and not yet applied
	Queued        []Txn                  // that its SyncRequestProcessor has to log
	Unsynced      map[int]zookeeper.Zxid // last zxids of those whose LearnerHandler stands at Sync
	// Unsent is queued at the LearnerHandlers that stand at Opened, by their learners.
	Unsent map[int][]Message
}

// Outstanding is a proposal that is not committed, and who has acknowledged it.
type Outstanding struct {
	Txn
	Acks []int
}

// Memory reads the server's memory.
func (g *Gates) Memory() (m Memory, err error) {
	g.mu.Lock()
	peer := g.peer
	g.mu.Unlock()
	if peer.IsNull() {
		return m, fmt.Errorf("server %d has not begun an election yet", g.node.ID)
	}
	if err := g.vm.Freeze(); err != nil {
		return m, err
	}
	defer g.vm.Thaw()
	r := fields{at: peer}
	m.State = r.text("state.name")
	if g.version().HasLocalSessions() {
		m.Phase = r.text("zabState.value.name")
	}
	m.Loaded = r.bool("zkDb.initialized")
	m.Applied = zookeeper.Zxid(r.int("zkDb.dataTree.lastProcessedZxid"))
	if g.node.ensemble.Trees && m.Loaded {
		m.Tree = g.tree(&r)
		m.CommittedLog = r.proposals(peer, "zkDb.committedLog")
	}
	if f := r.object("follower"); !f.IsNull() {
		m.server(&r, "follower.zk")
		m.Follower = g.follower(&r, f)
	}
	if l := r.object("leader"); !l.IsNull() {
		m.server(&r, "leader.zk")
		m.Leader = g.leader(&r, l)
	}
	if slices.Contains(g.node.ensemble.Places, Poll) {
		m.Election = g.election(&r)
	}
	for _, s := range g.leftBehind(&r) {
		m.Left = append(m.Left, g.unlogged(&r, s.Thread.Object())...)
	}
	return m, r.err
}

// text returns what the server has, for comparisons: its memory, what it proposes in its last
// election, and where its threads stand.
func (g *Gates) text() string {
	m, err := g.Memory()
	if err != nil {
		return err.Error()
	}
	all, err := json.Marshal(m)
	if err != nil {
		return err.Error()
	}
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	vote := r.proposed()
	if r.err != nil {
		return r.err.Error()
	}
	var stops []string
	g.mu.Lock()
	for id, s := range g.standing {
		stops = append(stops, fmt.Sprint(id, " ", s.Point))
	}
	g.mu.Unlock()
	slices.Sort(stops)
	return fmt.Sprintf("%s %+v %q", all, vote, stops)
}

// CommittedFrom returns the first zxid of a leader's committedLog, and lastProcessedZxid where that
// is empty: LearnerHandler.syncFollower takes it for minCommittedLog.
func (g *Gates) CommittedFrom() (zookeeper.Zxid, error) {
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	if all := r.proposals(r.at, "zkDb.committedLog"); len(all) > 0 {
		return all[0].Zxid, r.err
	}
	return zookeeper.Zxid(r.int("zkDb.dataTree.lastProcessedZxid")), r.err
}

// SetSnapshotSizeFactor gives a server that runs another snapshotSizeFactor, and returns the one
// that it had: see Options. A leader reads it for each learner.
func (g *Gates) SetSnapshotSizeFactor(factor float64) (was float64, err error) {
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	db := r.object("zkDb")
	if r.err != nil {
		return 0, r.err
	}
	const name = "snapshotSizeFactor"
	v, err := db.Field(name)
	if err != nil {
		return 0, err
	}
	if was, err = v.Float64(); err != nil {
		return 0, err
	}
	return was, db.SetDouble(name, factor)
}

// server reads how far a ZooKeeperServer has come.
func (m *Memory) server(r *fields, path string) {
	m.Serving = r.text(path + ".state.name")
	m.Processors = !r.object(path + ".firstProcessor").IsNull()
}

func (g *Gates) follower(r *fields, f jdwp.Object) *FollowerMemory {
	m := &FollowerMemory{}
	for _, o := range r.items(f, "zk.pendingTxns") {
		m.Pending = append(m.Pending, r.request(o))
	}
	if s := g.Peer(); s != nil {
		m.syncLocals(r, s)
	}
	g.queues(r, f, m)
	return m
}

// queues reads what a follower's processors have to do, what they stand with first.
func (g *Gates) queues(r *fields, f jdwp.Object, m *FollowerMemory) {
	if logger := r.objectOf(f, "zk.syncProcessor"); !logger.IsNull() {
		m.Queued = g.unlogged(r, logger)
	}
	committer := r.objectOf(f, "zk.commitProcessor")
	if committer.IsNull() || r.err != nil {
		return
	}
	// Before 3.6 it stands before it takes a transaction from the queue.
	if s := g.stopOf(committer); s != nil && withProcessWrite.Has(g.version()) {
		if frame, variables := r.frame(s.Thread, "run"); frame != nil {
			if v := r.variable(frame, variables, []string{"request"}); v != nil {
				o, err := v.Object()
				r.note(err)
				m.Applying = append(m.Applying, r.request(o))
			}
		}
	}
	for _, o := range r.items(committer, "committedRequests") {
		m.Applying = append(m.Applying, r.request(o))
	}
}

// stopOf returns where a thread stands, nil while it runs.
func (g *Gates) stopOf(thread jdwp.Object) *Stop {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.standing[thread.ID()]
}

// queued returns the transaction with which a SyncRequestProcessor stands before it appends it;
// none where it does not stand.
func (r *fields) queued(s *Stop) []Txn {
	if s == nil {
		return nil
	}
	frame, variables := r.frame(s.Thread, "run")
	if frame == nil {
		return nil
	}
	v := r.variable(frame, variables, []string{"si"})
	if v == nil {
		return nil
	}
	o, err := v.Object()
	r.note(err)
	return []Txn{r.request(o)}
}

// unlogged returns the transactions that a SyncRequestProcessor has not logged: the one with which
// it stands, and those in its queue.
func (g *Gates) unlogged(r *fields, logger jdwp.Object) []Txn {
	out := r.queued(g.stopOf(logger))
	for _, o := range r.items(logger, "queuedRequests") {
		out = append(out, r.request(o))
	}
	return out
}

// request returns the transaction of a Request.
func (r *fields) request(o jdwp.Object) Txn {
	return Txn{Zxid: zookeeper.Zxid(r.intOf(o, "hdr.zxid")), Path: r.textOf(o, "txn.path")}
}

// leftBehind returns the SyncRequestProcessors that stand and belong to servers that were shut
// down.
func (g *Gates) leftBehind(r *fields) (out []*Stop) {
	server := jdwp.Object{}
	for _, role := range []string{"follower", "leader"} {
		if o := r.object(role); !o.IsNull() {
			server = r.objectOf(o, "zk")
		}
	}
	for _, s := range g.Standing(Append) {
		if r.objectOf(s.Thread.Object(), "zks") != server {
			out = append(out, s)
		}
	}
	return out
}

// Left returns the SyncRequestProcessors that stand and belong to servers that were shut down.
func (g *Gates) Left() ([]*Stop, error) {
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	return g.leftBehind(&r), r.err
}

// LeftCommitters returns the CommitProcessors that stand and belong to servers that were shut down.
// A shutdown does not wait for them (CommitProcessor.shutdown).
func (g *Gates) LeftCommitters() (out []*Stop, err error) {
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	own := jdwp.Object{}
	for _, role := range []string{"follower", "leader"} {
		if o := r.object(role); !o.IsNull() {
			if zk := r.objectOf(o, "zk"); !zk.IsNull() {
				own = r.objectOf(zk, "commitProcessor")
			}
		}
	}
	for _, s := range g.Standing(Commit) {
		if s.Thread.Object() != own {
			out = append(out, s)
		}
	}
	return out, r.err
}

// Logger returns where the SyncRequestProcessor of a follower stands, and Committer where its
// CommitProcessor does; nil where they do not stand.
func (g *Gates) Logger() (*Stop, error) { return g.processor("follower.zk.syncProcessor") }

// Committer returns where the CommitProcessor of a follower stands, nil where it does not.
func (g *Gates) Committer() (*Stop, error) { return g.processor("follower.zk.commitProcessor") }

func (g *Gates) processor(path string) (*Stop, error) {
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	if r.object("follower").IsNull() {
		return nil, r.err
	}
	thread := r.object(path)
	if r.err != nil || thread.IsNull() {
		return nil, r.err
	}
	return g.stopOf(thread), nil
}

// leaderLogger returns the path to a leader's SyncRequestProcessor: after LeaderRequestProcessor,
// which versions with local sessions have, and PrepRequestProcessor, in ProposalRequestProcessor.
func (g *Gates) leaderLogger() string {
	path := "firstProcessor.nextProcessor.syncProcessor"
	if g.version().HasLocalSessions() {
		path = "firstProcessor.nextProcessor.nextProcessor.syncProcessor"
	}
	return path
}

// acks returns who has acknowledged a proposal: in the first of its quorums, which versions without
// local sessions do not tell apart.
func (g *Gates) acks(r *fields, proposal jdwp.Object) []int {
	if !g.version().HasLocalSessions() {
		return r.servers(proposal, "ackSet")
	}
	if pairs := r.items(proposal, "qvAcksetPairs"); len(pairs) > 0 {
		return r.servers(pairs[0], "ackset")
	}
	return nil
}

func (g *Gates) version() Version { return g.node.ensemble.Jars.Version }

// Names of the local variables of syncWithLeader, which differ between versions.
var (
	heldBackNames  = []string{"packetsNotLogged", "packetsNotCommitted"}
	committedNames = []string{"packetsCommitted"}

	beforeNEWLEADERNames = []string{"isPreZAB1_0"}
)

// syncLocals reads what syncWithLeader holds back, where the thread stands in it.
func (m *FollowerMemory) syncLocals(r *fields, s *Stop) {
	frame, variables := r.frame(s.Thread, "syncWithLeader")
	if frame == nil {
		return
	}
	if v := r.variable(frame, variables, beforeNEWLEADERNames); v != nil {
		before, err := v.Bool()
		r.note(err)
		m.Accepts = !before
	}
	for _, o := range r.local(frame, variables, heldBackNames) {
		m.HeldBack = append(m.HeldBack, Txn{Zxid: zookeeper.Zxid(r.intOf(o, "hdr.zxid")), Path: r.textOf(o, "rec.path")})
	}
	for _, o := range r.local(frame, variables, committedNames) {
		m.Committed = append(m.Committed, zookeeper.Zxid(r.intOf(o, "value")))
	}
}

func (g *Gates) leader(r *fields, l jdwp.Object) *LeaderMemory {
	m := &LeaderMemory{Unsynced: map[int]zookeeper.Zxid{}, Unsent: map[int][]Message{}}
	m.LastCommitted = zookeeper.Zxid(r.intOf(l, "lastCommitted"))
	for _, o := range r.items(l, "learners") {
		if sid := int(r.intOf(o, "sid")); sid > 0 {
			m.Learners = append(m.Learners, sid)
		}
	}
	for _, o := range r.items(l, "forwardingFollowers") {
		m.Forwarding = append(m.Forwarding, int(r.intOf(o, "sid")))
	}
	m.Epoch = r.intOf(l, "epoch")
	m.Connecting = r.servers(l, "connectingFollowers")
	m.Elected = r.boolOf(l, "electionFinished")
	m.Electing = r.servers(l, "electingFollowers")
	proposal := r.objectOf(l, "newLeaderProposal")
	m.Acked = g.acks(r, proposal)
	for _, e := range r.entries(l, "outstandingProposals") {
		p, err := e.Value.Object()
		r.note(err)
		z, err := e.Key.Int64()
		r.note(err)
		m.Outstanding = append(m.Outstanding, Outstanding{
			Txn: Txn{Zxid: zookeeper.Zxid(z), Path: r.textOf(p, "request.txn.path")}, Acks: g.acks(r, p),
		})
	}
	slices.SortFunc(m.Outstanding, func(a, b Outstanding) int { return byZxid(a.Txn, b.Txn) })
	m.ToBeApplied = r.proposals(l, "toBeApplied")
	if logger := r.objectOf(l, "zk.firstProcessor"); !logger.IsNull() {
		logger = r.objectOf(l, "zk."+g.leaderLogger())
		m.Queued = g.unlogged(r, logger)
	}
	for _, s := range g.Standing(Sync) {
		frame, variables := r.frame(s.Thread, "run")
		if frame == nil {
			continue
		}
		sid := int(r.intOf(s.Thread.Object(), "sid"))
		m.Unsynced[sid] = zookeeper.Zxid(r.localInt(frame, variables, "peerLastZxid"))
	}
	for _, s := range g.Standing(Opened) {
		handler := s.Thread.Object()
		sid := int(r.intOf(handler, "sid"))
		m.Unsent[sid] = []Message{}
		for _, p := range r.items(handler, "queuedPackets") {
			if p := r.packet(p); p.Type != marker {
				m.Unsent[sid] = append(m.Unsent[sid], p)
			}
		}
	}
	return m
}

// marker is the type of a packet that is not sent: LearnerHandler measures with it how long others
// wait.
const marker zookeeper.Type = 0

// packet returns a QuorumPacket.
func (r *fields) packet(o jdwp.Object) (m Message) {
	m.Type, m.Zxid = zookeeper.Type(r.intOf(o, "type")), zookeeper.Zxid(r.intOf(o, "zxid"))
	if data := r.objectOf(o, "data"); m.Type == zookeeper.PROPOSAL && !data.IsNull() {
		b, err := data.Bytes()
		r.note(err)
		if t, ok := readTxn(b); ok {
			m.Path = t.Path
		}
	}
	return m
}

// Sends reports whether the LearnerHandlers of a leader have something that they have not sent.
func (g *Gates) Sends() (bool, error) {
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	l := r.object("leader")
	if r.err != nil || l.IsNull() {
		return false, r.err
	}
	for _, o := range r.items(l, "learners") {
		if r.intOf(o, "queuedPackets.count") > 0 {
			return true, r.err
		}
	}
	return false, r.err
}

// Handler returns the LearnerHandler of a learner that stands at a place, nil if it does not. The
// error is one of reading the memory of the JVM.
func (g *Gates) Handler(learner int, at Place) (*Stop, error) {
	for _, s := range g.Standing(at) {
		r := fields{at: s.Thread.Object()}
		if sid := r.int("sid"); r.err != nil || int(sid) == learner {
			return s, r.err
		}
	}
	return nil, nil
}

// Logged reports whether a server's SyncRequestProcessor has nothing left to do: its queue is empty
// and it waits for more, or it has ended. It must not stand.
func (g *Gates) Logged() (bool, error) {
	g.mu.Lock()
	peer := g.peer
	g.mu.Unlock()
	r := fields{at: peer}
	path := "follower.zk.syncProcessor"
	if !r.object("leader").IsNull() {
		path = "leader.zk." + g.leaderLogger()
	} else if r.object("follower").IsNull() {
		return true, r.err
	}
	thread := r.object(path)
	if r.err != nil || thread.IsNull() {
		return true, r.err
	}
	// The queue is read first. A thread that waits after that has taken all that was in it.
	queued := r.intOf(thread, "queuedRequests.count")
	state, _, err := jdwp.Thread(thread).Status()
	if jdwp.IsCode(err, jdwp.InvalidThread) {
		return true, nil
	}
	r.note(err)
	return state == jdwp.Zombie || queued == 0 && state == jdwp.Waiting, r.err
}

// fields reads fields and keeps the first error.
type fields struct {
	at  jdwp.Object
	err error
}

func (r *fields) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *fields) value(o jdwp.Object, path string) (v jdwp.Value) {
	if r.err == nil {
		v, r.err = o.Path(path)
	}
	return v
}

func (r *fields) textOf(o jdwp.Object, path string) string {
	v := r.value(o, path)
	if r.err != nil || v.IsNull() {
		return ""
	}
	s, err := v.Text()
	r.note(err)
	return s
}

func (r *fields) intOf(o jdwp.Object, path string) int64 {
	v := r.value(o, path)
	if r.err != nil {
		return 0
	}
	n, err := v.Int64()
	r.note(err)
	return n
}

func (r *fields) objectOf(o jdwp.Object, path string) jdwp.Object {
	v := r.value(o, path)
	if r.err != nil {
		return jdwp.Object{}
	}
	out, err := v.Object()
	r.note(err)
	return out
}

func (r *fields) text(path string) string        { return r.textOf(r.at, path) }
func (r *fields) int(path string) int64          { return r.intOf(r.at, path) }
func (r *fields) object(path string) jdwp.Object { return r.objectOf(r.at, path) }

func (r *fields) bool(path string) bool { return r.boolOf(r.at, path) }

func (r *fields) boolOf(o jdwp.Object, path string) bool {
	v := r.value(o, path)
	if r.err != nil {
		return false
	}
	b, err := v.Bool()
	r.note(err)
	return b
}

// items returns the objects in a collection.
func (r *fields) items(o jdwp.Object, path string) []jdwp.Object {
	c := r.objectOf(o, path)
	if r.err != nil || c.IsNull() {
		return nil
	}
	return r.objects(c)
}

func (r *fields) objects(c jdwp.Object) (out []jdwp.Object) {
	values, err := c.Items()
	r.note(err)
	for _, v := range values {
		o, err := v.Object()
		r.note(err)
		out = append(out, o)
	}
	return out
}

// servers returns the identities in a collection of numbers, in order.
func (r *fields) servers(o jdwp.Object, path string) (out []int) {
	for _, n := range r.items(o, path) {
		out = append(out, int(r.intOf(n, "value")))
	}
	slices.Sort(out)
	return out
}

func (r *fields) entries(o jdwp.Object, path string) []jdwp.Entry {
	m := r.objectOf(o, path)
	if r.err != nil || m.IsNull() {
		return nil
	}
	out, err := m.Entries()
	r.note(err)
	return out
}

// frame returns the innermost frame of a method on a thread that stands, with the method's
// variables; nil where the method does not run.
func (r *fields) frame(t jdwp.Thread, method string) (*jdwp.Frame, []jdwp.Variable) {
	if r.err != nil {
		return nil, nil
	}
	frames, err := t.Frames(-1)
	r.note(err)
	for k := range frames {
		m, err := frames[k].Location.Class.Methods()
		r.note(err)
		at := slices.IndexFunc(m, func(m jdwp.Method) bool { return m.ID == frames[k].Location.Method })
		if at >= 0 && m[at].Name == method {
			v, err := m[at].Variables()
			r.note(err)
			return &frames[k], v
		}
	}
	return nil, nil
}

// errVariable says that a method has none of the local variables that its known versions have.
var errVariable = errors.New("the method has no local variable of this name: add the version's own to the table")

// variable finds a local variable, nil where it is not in scope.
func (r *fields) variable(f *jdwp.Frame, all []jdwp.Variable, names []string) *jdwp.Value {
	known := false
	for _, v := range all {
		if !slices.Contains(names, v.Name) {
			continue
		}
		known = true
		if at := f.Location.Index; at >= v.Index && at < v.Index+uint64(v.Length) {
			value, err := f.Slot(v.Slot, v.Signature[0])
			r.note(err)
			return &value
		}
	}
	if !known {
		r.note(fmt.Errorf("%v: %w", names, errVariable))
	}
	return nil
}

// local returns the objects in the collection that a local variable holds.
func (r *fields) local(f *jdwp.Frame, all []jdwp.Variable, names []string) []jdwp.Object {
	v := r.variable(f, all, names)
	if v == nil || r.err != nil {
		return nil
	}
	o, err := v.Object()
	r.note(err)
	if r.err != nil || o.IsNull() {
		return nil
	}
	return r.objects(o)
}

func (r *fields) localInt(f *jdwp.Frame, all []jdwp.Variable, name string) int64 {
	v := r.variable(f, all, []string{name})
	if v == nil || r.err != nil {
		return 0
	}
	n, err := v.Int64()
	r.note(err)
	return n
}
