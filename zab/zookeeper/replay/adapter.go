//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// Supports names the versions of ZooKeeper that the adapter is written for. Other releases are
// refused.
const Supports = "ZooKeeper 3.4.14 to 3.9"

var supported = control.Range{From: control.Version{3, 4, 14}, Until: control.Version{3, 10, 0}}

// refuse returns the error for a version that the adapter is not written for.
func refuse(v control.Version) error {
	if supported.Has(v) {
		return nil
	}
	return fmt.Errorf("ZooKeeper %s is not supported: the adapter supports %s", v, Supports)
}

// Implementation is an ensemble of ZooKeeper servers under the actions of package zab.
var Implementation = conform.Implementation[zab.State]{Name: "zookeeper", Open: open, Build: build, Writes: written}

// How long things may take on a machine under load.
const (
	patience  = 30 * time.Second       // a step
	starting  = 2 * time.Minute        // the servers
	preluding = 60 * time.Second       // the prelude
	settling  = 15 * time.Second       // an observation, until it is what is expected
	unmoved   = 2 * time.Second        // an observation that stays the same and is not expected
	nudging   = 500 * time.Millisecond // between two nudges
)

// How often the prelude runs, and how often servers that cannot listen are started again.
const (
	maxPreludes = 3
	maxStarts   = 2
)

// adapter is an ensemble, with what its servers do not tell.
type adapter struct {
	ensemble  *control.Ensemble
	standby   standby
	jars      *control.Jars
	prelude   string
	factor    string // snapshotSizeFactor of the servers; "" is ZooKeeper's default
	count     int    // snapCount of the servers; see control.Options
	patch     string
	changed   *changed // nil where no other code is asked for
	stops     []control.Place
	threads   bool // the composition has a follower's threads
	logs      bool // and a leader's thread that logs
	applies   bool // and a leader's thread that applies
	opens     bool // and a step in which a leader opens Synchronization
	election  bool // and Election at its baseline
	discovery bool // and Discovery step by step
	power     bool // and losses of power
	apart     bool // each end of a connection notices by itself that it has ended
	// template is a folder with the files after the prelude; "" before the first start and
	// without a prelude. base is the prelude's epoch, or 0.
	template string
	base     int64
	keep     string // a folder for such files; "": they are made anew

	// taken is a packet that a follower has read and not yet processed, by follower.
	taken    [zab.Servers]*zab.Msg
	peerLast [zab.Servers]zab.Zxid // by learner: the last zxid of its ACKEPOCH
	joined   [zab.Servers]zab.Set  // by leader: whose ACKEPOCH it has got
	// heard are those whose first acknowledgement a leader has taken, by leader.
	heard [zab.Servers]zab.Set
	// openings are of followers between the opening of Synchronization and NEWLEADER.
	openings [zab.Servers]*opening
	led      [zab.Servers]zab.Number // the last epoch that a server began to lead
	// unsent is of the last observation, by leader and learner.
	unsent   [zab.Servers]map[int][]control.Message
	informed [zab.Servers]zab.Set // by leader: whose FOLLOWERINFO it has read
	// lost is LastProcessed of servers that looked for a leader when they crashed.
	lost  [zab.Servers]*zab.Number
	voted zab.Set // who has begun an election since its start
	// dropped are votes that the specification has dropped, by server and place. better are the
	// servers whose specification has put a better vote back.
	dropped  [zab.Servers]map[place]dropped
	better   zab.Set
	requests int
	clients  clients
	expected zab.State
	seen     zab.State // as it was observed last
	// committed are the zxids up to which leaders that serve have committed.
	committed [zab.Servers]zab.Zxid
	// shown has messages in flight as the specification has them, by their numbers: those of the
	// last observation, and of the last one that was expected.
	shown, agreed map[int]zab.Msg
	evidence      Evidence
	leftLogs      leftLogs
	witness       witness
	out           io.Writer
}

// preludes are the values of the setting prelude: the servers begin with one transaction in their
// logs, with none, or with one in their snapshots and an empty log.
var preludes = []string{"true", "false", "snapshot"}

// settings are those of the manifest's implementation block and of the command's flags.
type settings struct {
	prelude string // one of preludes
	factor  string // see control.Options.SnapshotSizeFactor
	count   int    // see control.Options.SnapCount
	patch   string
	places  control.Places
}

func settingsOf(all map[string]string) (s settings, err error) {
	s.prelude = preludes[0]
	for name, value := range all {
		switch name {
		case "prelude":
			if s.prelude = value; !slices.Contains(preludes, value) {
				return s, fmt.Errorf("the setting prelude is %q; write one of %s", value, strings.Join(preludes, ", "))
			}
		case "snapshot_size_factor":
			f, err := strconv.ParseFloat(value, 64)
			if s.factor = value; err != nil || !(f <= 1) { // ZooKeeper replaces a larger one
				return s, fmt.Errorf("the setting %s is %q; write a number of at most 1, such as 0 for logs of any size", name, value)
			}
		case "snap_count":
			s.count, err = strconv.Atoi(value)
			if err != nil || s.count < 2 { // ZooKeeper replaces a smaller one
				return s, fmt.Errorf("the setting %s is %q; write a number of transactions, 2 or more", name, value)
			}
		case "zookeeper":
			s.places.Dir = value
		case "maven":
			s.places.Maven = value
		case "patch":
			s.patch = value
		default:
			return s, fmt.Errorf("the adapter has no setting %q: it has prelude, snapshot_size_factor, snap_count, zookeeper, maven and patch", name)
		}
	}
	return s, nil
}

func open(setup conform.Setup) (conform.Adapter[zab.State], error) {
	s, err := settingsOf(setup.Settings)
	if err != nil {
		return nil, err
	}
	if zab.LiveNode || zab.Bug != "none" {
		return nil, fmt.Errorf("servers of these versions do not have the state that the options %q and %q make: leave them out", "live_node", "bug")
	}
	a := &adapter{prelude: s.prelude, factor: s.factor, count: s.count, threads: setup.Has(zab.FollowerSyncProcessorLogRequest.Name),
		logs: setup.Has(zab.LeaderProcessRequestAsync.Name), applies: setup.Has(zab.LeaderCommitProcessorCommit.Name)}
	a.election = setup.Has(zab.FLELookForLeader.Name)
	a.opens = setup.Has(zab.LeaderOpensSync.Name)
	a.discovery = setup.Has(zab.ConnectAndFollowerSendFOLLOWERINFO.Name)
	a.power = setup.Has(zab.NodeLosesPower.Name)
	a.apart = setup.Has(zab.LeaderGivesUp.Name)
	if v, err := control.ParseVersion(setup.Version); err == nil && refuse(v) != nil {
		return nil, refuse(v)
	}
	if a.jars, err = control.Find(s.places, setup.Version); err == nil {
		err = refuse(a.jars.Version)
	}
	if err != nil {
		return nil, err
	}
	if a.prelude != "false" {
		a.base = 1
	}
	if a.changed, err = changedOf(setup.Code); err != nil {
		return nil, err
	}
	if a.changed != nil && s.patch != "" {
		return nil, errors.New("the setting patch and a change both replace code of the servers: leave the setting out")
	}
	if a.patch = s.patch; a.changed != nil {
		a.patch = a.changed.path
	}
	a.stops, a.keep = a.places(&setup), setup.Keep
	a.ensemble, err = a.newEnsemble()
	return a, err
}

// newEnsemble prepares an ensemble for the composition.
func (a *adapter) newEnsemble() (*control.Ensemble, error) {
	e, err := control.New(control.Options{Servers: zab.Servers, Jars: a.jars, Places: a.stops, Patch: a.patch, Notes: a.changed.notes(), Trees: disksApart,
		SnapshotSizeFactor: a.factor, SnapCount: a.count, Forces: a.power && zab.Forces != "none"})
	if err == nil && !a.threads {
		e.Network.Passes(func(p *zookeeper.Packet) bool { return p.Type == zookeeper.ACK && p.Zxid.Counter() == 0 })
	}
	if err == nil && a.election {
		e.Network.HoldVotes()
	}
	if err == nil && a.apart {
		e.Network.EndsApart()
	}
	return e, err
}

// places returns those at which the steps of the composition end.
func (a *adapter) places(setup *conform.Setup) []control.Place {
	needs := map[control.Place]bool{
		control.Ack: a.threads, control.Commit: a.threads,
		control.Poll: a.election, control.Finalize: a.election || setup.Has(zab.ElectLeader.Name), control.Connect: a.discovery,
		control.Opened: setup.Has(zab.LeaderOpensSync.Name), control.Save: setup.Has(zab.ServerTakesSnapshot.Name),
		control.Send: false, control.Final: false, // a step ends at neither
		control.GiveUp: a.apart, control.ForcedLog: a.power, control.ForcedFile: a.power, control.ForcedName: a.power,
		control.ForcedEnd: a.power, control.ForcedDeletion: a.power,
		control.Force: setup.Has(zab.NodeLosesRolledLog.Name) || setup.Has(zab.NodeCrashBeforeForce.Name),
	}
	return slices.DeleteFunc(control.AllPlaces(), func(p control.Place) bool {
		needed, some := needs[p]
		return some && !needed
	})
}

func (a *adapter) Variables() []string { return a.variables() }

// Version is that of the jars.
func (a *adapter) Version() string { return a.jars.Version.String() }

func (a *adapter) Log(w io.Writer) { a.out = w }

// Patience bounds the time of a step: the start of all servers takes longest.
func (a *adapter) Patience() time.Duration { return max(starting, patience+settling) + settling }

// Stop ends the servers.
func (a *adapter) Stop() error {
	a.clients.hangUp()
	return errors.Join(a.ensemble.Close(), a.standby.close())
}

// Start has all servers started with the files of the prelude, or with none. Where they do not
// start that is no difference.
func (a *adapter) Start(s *zab.State) error {
	if err := a.start(s); err != nil {
		return &conform.SpoiltError{Message: fmt.Sprintf("the servers do not come into their initial state: %v%s", err, a.blame())}
	}
	a.witness = witness{watched: a.witness.watched, reads: a.witness.reads, read: map[string]string{}}
	return nil
}

func (a *adapter) start(s *zab.State) error {
	a.clients.hangUp()
	a.taken, a.joined, a.heard = [zab.Servers]*zab.Msg{}, [zab.Servers]zab.Set{}, [zab.Servers]zab.Set{}
	a.openings, a.led = [zab.Servers]*opening{}, [zab.Servers]zab.Number{}
	a.informed, a.voted, a.lost = [zab.Servers]zab.Set{}, 0, [zab.Servers]*zab.Number{}
	a.better, a.dropped = 0, [zab.Servers]map[place]dropped{}
	a.ensemble.Network.ForgetVotes()
	a.requests, a.agreed = 0, nil
	a.expected, a.seen = *s, *s
	if a.base > 0 && a.template == "" {
		if err := a.makeTemplate(); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), starting)
	defer cancel()
	err := a.standby.next(ctx, a)
	for k := 0; err == nil && a.portless() != nil; k++ {
		if k == maxStarts {
			return a.portless()
		}
		err = prepare(ctx, a.ensemble, a.template)
	}
	return err
}

// portless says which server could not bind its ports, or has ended. Another process of the machine
// may have taken them since the ensemble has chosen them.
func (a *adapter) portless() error {
	for _, n := range a.ensemble.Nodes() {
		if !n.Runs() || n.LoggedSince(0, "Exception while listening") {
			return fmt.Errorf("server %d does not listen; its last lines are\n%s", n.ID-1, n.LastLines(12))
		}
	}
	return nil
}

// blame names a known bug if a server has logged its line.
func (a *adapter) blame() string {
	for _, n := range a.ensemble.Nodes() {
		if n.LoggedSince(0, known4685) {
			return "; a leader has logged what ZOOKEEPER-4685 makes it log"
		}
	}
	return ""
}

// makeTemplate runs the prelude and keeps what it leaves on the disks, unless an earlier run has.
// Servers that run freely do
// not always form a quorum (ZOOKEEPER-4685), so a prelude that takes too long is begun again.
func (a *adapter) makeTemplate() error {
	if dir := a.kept(); dir != "" && a.ensemble.Known(dir) {
		a.template = dir
		return nil
	}
	run := a.ensemble.Prelude
	if a.prelude == "snapshot" {
		run = a.ensemble.SavedPrelude
	}
	if a.changed != nil { // the files that changed code begins with are the release's
		a.ensemble.Patch, a.ensemble.Notes = "", nil
		defer func() { a.ensemble.Patch, a.ensemble.Notes = a.changed.path, a.changed.notes() }()
	}
	var err error
	for range maxPreludes {
		if err := a.ensemble.Reset(""); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), preluding)
		err = run(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("the prelude does not end: %w", err)
	}
	dir := filepath.Join(a.ensemble.Folder(), "prelude")
	if err := a.ensemble.Keep(dir); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	a.template = dir
	a.keepTemplate()
	return nil
}

// kept returns the folder in which the files after the prelude are kept; "" for none. Servers of
// other releases, or with other settings, leave other files.
func (a *adapter) kept() string {
	if a.keep == "" {
		return ""
	}
	return filepath.Join(a.keep, fmt.Sprintf("zookeeper-%s-%s-%t-%t", a.jars.Version, a.prelude, a.ensemble.Forces, slices.Contains(a.stops, control.Save)))
}

// keepTemplate keeps the files after the prelude for other runs, if it can. The folder gets its
// name when it is whole.
func (a *adapter) keepTemplate() {
	to := a.kept()
	if to == "" || os.MkdirAll(a.keep, 0o755) != nil {
		return
	}
	work, err := os.MkdirTemp(a.keep, ".prelude-*")
	if err != nil {
		return
	}
	defer os.RemoveAll(work)
	if whole := filepath.Join(work, "files"); os.CopyFS(whole, os.DirFS(a.template)) == nil {
		os.Rename(whole, to) // fails if another run was faster
	}
}

// Perform does a step. If the servers rest before they have come to the end of the step, they do
// not do what the specification does. A step that does not come to rest in time is a
// *conform.UndrivenError: nothing is known then, since a machine under load may be the reason.
func (a *adapter) Perform(step conform.Step[zab.State]) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	a.expected, a.evidence, a.leftLogs = *step.After, Evidence{}, leftLogs{}
	err := rows[step.Action](a, ctx, step)
	var elected *control.ElectedError
	if errors.As(err, new(*control.RestError)) {
		return &conform.AgainError{Err: fmt.Errorf("the servers do not come to the end of %s (they are numbered from 1 here): %w", step.Action, err)}
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &elected) {
		return &conform.UndrivenError{Message: fmt.Sprintf("%s does not come to its end within %v (servers are numbered from 1 here): %v", step.Action, patience, err)}
	}
	return err
}

// Observe reads the state until it equals the expected one, or until it has had time enough for
// that. The expected state decides only how long it reads.
func (a *adapter) Observe(s *zab.State) error {
	var have zab.State
	var same stillness
	end := time.Now().Add(settling)
	nudge := time.Now().Add(nudging)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		have = zab.State{}
		err := a.applyAtLeaders()
		if err == nil {
			err = a.observe(&have)
		}
		if err == nil && a.agrees(&have, &a.expected) {
			a.agreed = a.shown
			break
		}
		if same.holds(&have, err) || time.Now().After(end) {
			if err != nil {
				return err
			}
			break
		}
		if time.Now().After(nudge) {
			a.nudge()
			nudge = time.Now().Add(nudging)
		}
		time.Sleep(pause)
	}
	*s, a.seen = have, have
	a.readApplied()
	return nil
}

// fewestSame is how many observations in a row are the same before the servers count as still. An
// observation takes answers of all servers, so it counts what a clock does not on a machine under
// load: turns that the servers got.
const fewestSame = 40

// stillness is how long successive observations were the same.
type stillness struct {
	state zab.State
	err   string
	since time.Time
	count int
}

// holds takes one observation more. It reports whether the servers have been still for long.
func (x *stillness) holds(have *zab.State, err error) bool {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if x.count == 0 || x.state != *have || x.err != text {
		*x = stillness{*have, text, time.Now(), 0}
	}
	x.count++
	return x.count >= fewestSame && time.Since(x.since) >= unmoved
}

// applyAtLeaders releases the CommitProcessors of leaders where the composition has no such thread.
func (a *adapter) applyAtLeaders() error {
	for i := range zab.Server(zab.Servers) {
		if a.node(i).Gates == nil || a.applies || a.expected.State[i] != zab.LEADING {
			continue
		}
		all, err := a.own(i, control.Commit)
		if err != nil {
			return err
		}
		for _, stop := range all {
			if err := stop.Release(); err != nil {
				return err
			}
		}
	}
	return nil
}

// own returns the threads of a server that stand at Append or Commit, without those that a shutdown
// has left running. The specification says when a SyncRequestProcessor that was left logs. A
// CommitProcessor that was left never runs again.
func (a *adapter) own(i zab.Server, at control.Place) ([]*control.Stop, error) {
	left, err := a.node(i).LeftCommitters()
	if at == control.Append {
		left, err = a.node(i).Left()
	}
	return slices.DeleteFunc(a.node(i).Standing(at), func(s *control.Stop) bool { return slices.Contains(left, s) }), err
}

// nudge lets servers that serve look at what they have to apply.
func (a *adapter) nudge() {
	for i := range zab.Servers {
		if a.expected.ServingState[i] == zab.RUNNING {
			a.node(zab.Server(i)).Nudge()
		}
	}
}

// Explain writes where the threads stand and what the servers have logged last.
func (a *adapter) Explain(w io.Writer) {
	for _, n := range a.ensemble.Nodes() {
		if n.Gates == nil {
			fmt.Fprintf(w, "server %d of the specification does not run\n", n.ID-1)
			continue
		}
		fmt.Fprintf(w, "server %d of the specification\n%s", n.ID-1, n.Stacks())
		fmt.Fprintf(w, "  its last lines\n%s\n", n.LastLines(8))
	}
}

// say writes a line of the log.
func (a *adapter) say(format string, args ...any) {
	if a.out != nil {
		fmt.Fprintf(a.out, "  "+format+"\n", args...)
	}
}

// node returns a server of the specification.
func (a *adapter) node(i zab.Server) *control.Node { return a.ensemble.Node(int(i) + 1) }

// members returns the servers of a set as the ensemble numbers them.
func members(s zab.Set) (out []int) {
	for k := range zab.Server(zab.Servers) {
		if s.Has(k) {
			out = append(out, int(k)+1)
		}
	}
	return out
}

// setOf returns the set of servers that the ensemble numbers so.
func setOf(all []int) (s zab.Set) {
	for _, n := range all {
		s.Add(zab.Server(n - 1))
	}
	return s
}

// LeavesOut says why a step cannot be driven.
func (a *adapter) LeavesOut(s step) string {
	if slices.Contains(monitored, s.Action) {
		return "multigrain monitor compares it with real servers"
	}
	if why := undriven[s.Action]; why != "" {
		return why
	}
	if rows[s.Action] == nil {
		return "no row says how servers do it"
	}
	if putsLast(s) {
		return "a server that has not counted its own vote does not put a better one after others"
	}
	rolled := s.Action == zab.NodeLosesRolledLog.Name
	if zab.Forces == "none" && (rolled || s.Action == zab.NodeCrashBeforeForce.Name) {
		return "with forceSync=no a server never stands before it forces a log"
	}
	if rolled && !a.jars.Version.HasMaxBatchSize() {
		return "before 3.6 a local variable says when a server begins a new log"
	}
	decides := s.Action == zab.LeaderSyncFollower.Name || s.Action == zab.LeaderOpensSync.Name
	if p, ok := s.Params.(zab.Pair); ok && a.prelude == "true" && decides {
		z := s.Before.Electing[p.I].At(p.J).PeerLastZxid
		if z == (zab.Zxid{}) && s.After.Msgs.Is(p.I, p.J, zab.SNAP) {
			return "after the prelude no server is without a transaction, and gets SNAP for that"
		}
	}
	return ""
}

// Drivable reports whether an action has a row.
func Drivable(action string) bool { return rows[action] != nil }

// Actions returns the actions that have a row, in order.
func Actions() []string {
	var out []string
	for name := range rows {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
