package control

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/noted"
)

// Gates hold the threads of a running server at the ensemble's points.
type Gates struct {
	node *Node
	vm   *jdwp.VM

	mu       sync.Mutex
	open     bool
	catches  [places]bool // where threads stop that else pass, see Catch
	points   map[jdwp.RequestID]*Point
	notes    map[jdwp.RequestID]*note // breakpoints of changed lines
	steps    map[jdwp.RequestID]*note // a thread leaves a condition
	pending  map[string][]*Point      // by name of a class that is not yet loaded
	standing map[jdwp.ID]*Stop        // by thread
	peer     jdwp.Object              // the QuorumPeer
	failed   error
}

// Stop is a thread that stands at a point.
type Stop struct {
	Point  *Point
	Thread jdwp.Thread
	gates  *Gates
}

// newGates arms the points and lets the JVM begin.
func newGates(ctx context.Context, n *Node, vm *jdwp.VM) (*Gates, error) {
	g := &Gates{node: n, vm: vm, points: map[jdwp.RequestID]*Point{}, notes: map[jdwp.RequestID]*note{}, steps: map[jdwp.RequestID]*note{}, pending: map[string][]*Point{}, standing: map[jdwp.ID]*Stop{}}
	for _, p := range n.ensemble.points {
		class := p.class()
		if g.pending[class] == nil {
			if _, err := vm.SetClassPrepare(class, jdwp.EventThread); err != nil {
				return nil, err
			}
		}
		g.pending[class] = append(g.pending[class], p)
	}
	if err := g.awaitNoted(); err != nil {
		return nil, err
	}
	go g.listen()
	return g, vm.Resume()
}

func (g *Gates) close() { g.vm.Close() }

// listen takes the JVM's events until it ends.
func (g *Gates) listen() {
	for set := range g.vm.Events() {
		g.mu.Lock()
		resume := false
		for _, e := range set.Events {
			switch e.Kind {
			case jdwp.ClassPrepare:
				g.fail(g.arm(e.Class))
				resume = true
			case jdwp.SingleStep:
				g.fail(g.left(e))
				resume = true
			case jdwp.Breakpoint:
				if n := g.notes[e.Request]; n != nil {
					g.fail(g.reached(n, e))
					resume = true
					break
				}
				p := g.points[e.Request]
				if p != nil && !p.Place.rests() {
					g.fail(g.node.noteForced(p.Place, e.Thread))
				}
				if p == nil || g.open || !p.Place.rests() || p.Place.caught() && !g.catches[p.Place] {
					resume = true
					break
				}
				g.standing[e.Thread.ID()] = &Stop{Point: p, Thread: e.Thread, gates: g}
				if p.Place == Election {
					g.peer = e.Thread.Object()
				}
			}
		}
		if resume && g.standing[set.Thread().ID()] == nil && set.Policy == jdwp.EventThread {
			g.fail(set.Thread().Resume())
		}
		g.mu.Unlock()
		g.node.ensemble.stopped()
	}
}

// fail notes the first error. What follows from the JVM's end is none. g.mu is locked.
func (g *Gates) fail(err error) {
	if g.failed == nil && err != nil && !errors.Is(err, jdwp.ErrClosed) {
		g.failed = err
	}
}

// arm resolves the points in a class that was loaded. g.mu is locked.
func (g *Gates) arm(c jdwp.Class) error {
	name, err := c.Name()
	if err != nil {
		return err
	}
	for _, p := range g.pending[name] {
		at, err := p.locate(c)
		if errors.Is(err, errNoCall) {
			continue
		}
		if err != nil {
			return fmt.Errorf("ZooKeeper %s: %w", g.node.ensemble.Jars.Version, err)
		}
		r, err := g.vm.SetBreakpoint(at, jdwp.EventThread)
		if err != nil {
			return err
		}
		g.points[r] = p
	}
	delete(g.pending, name)
	return g.armNoted(name, c)
}

// Err returns why the server cannot be held: a point that does not resolve, or the JVM's end.
func (g *Gates) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed == nil && !g.node.Runs() {
		return fmt.Errorf("server %d: %w; its last lines are\n%s", g.node.ID, ErrEnded, g.node.LastLines(12))
	}
	return g.failed
}

// Standing returns the threads that stand at a place.
func (g *Gates) Standing(p Place) (out []*Stop) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.standing {
		if s.Point.Place == p {
			out = append(out, s)
		}
	}
	return out
}

// Peer returns where the QuorumPeer stands, nil while it runs.
func (g *Gates) Peer() *Stop {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.standing[g.peer.ID()]
}

// Rests reports whether a thread stands, waits, or has ended.
func (g *Gates) Rests(t jdwp.Thread) (bool, error) {
	if g.stopOf(t.Object()) != nil {
		return true, nil
	}
	state, _, err := t.Status()
	if jdwp.IsCode(err, jdwp.InvalidThread) {
		return true, nil
	}
	return state == jdwp.Waiting || state == jdwp.Zombie, err
}

// Release lets a thread continue.
func (s *Stop) Release() error {
	s.gates.mu.Lock()
	defer s.gates.mu.Unlock()
	if s.gates.standing[s.Thread.ID()] != s {
		return fmt.Errorf("thread %d no longer stands at %v", s.Thread.ID(), s.Point)
	}
	delete(s.gates.standing, s.Thread.ID())
	return s.Thread.Resume()
}

// Catch makes threads stop at Rename or at Force, where else they pass.
func (g *Gates) Catch(at Place) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.catches[at] = true
}

// FlushUnforced lets a SyncRequestProcessor, which stands before it logs the first of some
// transactions, write so many of them to its log. At the end it stands before it forces them. With
// apart the first transaction is the last one of its file.
//
// A server writes several transactions before it forces them where more than one waits. It begins a
// new file where snapCount lets it. Both are decided in memory. The server gets a larger
// maxBatchSize, which an operator can change through JMX (ZooKeeperServerBean.setMaxBatchSize). The
// thread gets a smaller random number (randRoll).
func (n *Node) FlushUnforced(ctx context.Context, first *Stop, count int, apart bool) error {
	thread := first.Thread.Object()
	if n.version().HasMaxBatchSize() { // before, a batch has 1,000 transactions
		server, err := n.vm.ClassNamed(project + servers + "ZooKeeperServer")
		if err == nil {
			err = server.SetStatic("maxBatchSize", count)
		}
		if err != nil {
			return err
		}
	}
	if apart {
		if err := thread.Set("randRoll", -1); err != nil {
			return err
		}
	}
	n.Catch(Force)
	for stop := first; count > 0; count-- {
		next := Append
		if count == 1 {
			next = Force
		}
		if err := stop.Release(); err != nil {
			return err
		}
		err := n.ensemble.Await(ctx, func() (bool, error) {
			stop = n.stopOf(thread)
			if stop != nil && stop.Point.Place == Force && next == Append {
				// a repair forces the old file
				return false, errors.Join(stop.Release(), n.Err())
			}
			return stop != nil && stop.Point.Place == next, n.Err()
		})
		if err != nil {
			return fmt.Errorf("the SyncRequestProcessor of server %d does not come to %v: %w", n.ID, next, err)
		}
	}
	return nil
}

// TimeOut ends a wait of the QuorumPeer. A leader that has waited in vain throws an
// InterruptedException itself, and an interrupt makes its wait throw one.
func (g *Gates) TimeOut() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return jdwp.Thread(g.peer).Interrupt()
}

// OpenAll lets all threads continue. From then on none stands.
func (g *Gates) OpenAll() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = true
	var errs []error
	for id, s := range g.standing {
		errs = append(errs, s.Thread.Resume())
		delete(g.standing, id)
	}
	for r := range g.points {
		errs = append(errs, g.vm.Clear(r))
	}
	return errors.Join(errs...)
}

// Stacks returns the stacks of the threads that take part in the protocol, for people.
func (g *Gates) Stacks() string {
	if err := g.vm.Suspend(); err != nil {
		return err.Error()
	}
	defer g.vm.Resume()
	threads, err := g.vm.ThreadsNamed(takesPart)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for _, t := range threads {
		name, _ := t.Name()
		state, _, _ := t.Status()
		g.mu.Lock()
		at := ""
		if s := g.standing[t.ID()]; s != nil {
			at = ", stands at " + s.Point.String()
		}
		g.mu.Unlock()
		fmt.Fprintf(&out, "%s (%v%s)\n", name, state, at)
		stack, err := t.Stack()
		if err != nil {
			stack = []string{err.Error()}
		}
		for _, f := range stack[:min(len(stack), 8)] {
			fmt.Fprintf(&out, "    %s\n", strings.TrimPrefix(f, "org.apache.zookeeper.server."))
		}
	}
	return out.String()
}

// takesPart reports whether a thread with this name takes part in the protocol.
func takesPart(name string) bool {
	for _, prefix := range []string{"QuorumPeer", "SyncThread", "LearnerHandler", "Sender-", "CommitProcessor", "FollowerRequest", "ProcessThread"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// mostNoted bounds how often a server stops at one condition. A condition in a loop could otherwise
// slow the server down without an end. What it does later is not noted.
const mostNoted = 500

// note is a breakpoint at a changed line. No thread rests there.
type note struct {
	spot    noted.Spot
	request jdwp.RequestID
	count   int
}

// awaitNoted asks for events of the classes with changed lines.
func (g *Gates) awaitNoted() error {
	if g.node.ensemble.Notes == nil {
		return nil
	}
	for _, class := range g.node.ensemble.Notes.Classes() {
		if _, known := g.pending[class]; known {
			continue
		}
		if _, err := g.vm.SetClassPrepare(class, jdwp.EventThread); err != nil {
			return err
		}
		g.pending[class] = nil
	}
	return nil
}

// armNoted sets the breakpoints of the changed lines in a class that was loaded. g.mu is locked.
func (g *Gates) armNoted(name string, c jdwp.Class) error {
	if g.node.ensemble.Notes == nil {
		return nil
	}
	for _, s := range g.node.ensemble.Notes.In(name) {
		m, err := c.Method(s.Method, s.Descriptor)
		if err != nil {
			return fmt.Errorf("the class %s of the server is not the changed one: %w", name, err)
		}
		r, err := g.vm.SetBreakpoint(m.At(s.Offset), jdwp.EventThread)
		if err != nil {
			return fmt.Errorf("the class %s of the server is not the changed one: %w", name, err)
		}
		g.notes[r] = &note{spot: s, request: r}
	}
	return nil
}

// reached notes that a thread has come to a changed line, or to a condition on one. A line costs
// nothing afterwards. At a condition the thread does one instruction more. g.mu is locked.
func (g *Gates) reached(n *note, e jdwp.Event) error {
	if n.spot.Jump == 0 && n.spot.Next == 0 {
		g.node.ensemble.Notes.Line(n.spot)
		return g.forget(n)
	}
	if n.count++; n.count > mostNoted {
		return g.forget(n)
	}
	r, err := g.vm.SetStep(e.Thread, jdwp.EventThread)
	if jdwp.IsCode(err, jdwp.InvalidThread) {
		return nil
	}
	if err != nil {
		return err
	}
	g.steps[r] = n
	return nil
}

// left notes to which instruction a thread has come from a condition. g.mu is locked.
func (g *Gates) left(e jdwp.Event) error {
	n := g.steps[e.Request]
	if n == nil {
		return nil
	}
	delete(g.steps, e.Request)
	err := g.vm.Clear(e.Request)
	if g.node.ensemble.Notes.Jump(n.spot, int(e.Location.Index)) {
		err = errors.Join(err, g.forget(n))
	}
	return err
}

// forget removes a breakpoint. g.mu is locked.
func (g *Gates) forget(n *note) error {
	if g.notes[n.request] == nil {
		return nil
	}
	delete(g.notes, n.request)
	return g.vm.Clear(n.request)
}
