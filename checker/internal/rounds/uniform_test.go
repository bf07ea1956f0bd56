package rounds_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/raft/reference"
	"github.com/multigrain/multigrain/zab/protocol"
)

// composed is a composition with its footprints.
type composed[S any] struct {
	table *modules.Spec[S]
	spec  *checker.Spec[checker.Node[S, [8]uint8]]
	print []modules.Footprint
}

func load[S any](t testing.TB, system *grains.System[S], folder string, choice grains.Choice) composed[S] {
	t.Helper()
	table, err := grains.Compose(system, choice)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[S, [8]uint8](table, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, findings, err := interaction.Load(interaction.Config{Dir: "../../..", Package: folder})
	if err != nil || p == nil {
		t.Fatal(findings, err)
	}
	f, findings := p.Footprints(choice)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return composed[S]{table, spec, f.Actions}
}

func (c *composed[S]) strategy(t testing.TB, space *rounds.Space, late bool) *rounds.Strategy[checker.Node[S, [8]uint8]] {
	t.Helper()
	plan, err := rounds.NewPlan(c.table, c.print, rounds.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Heuristic) > 0 {
		t.Fatal(plan.Heuristic)
	}
	return rounds.New(c.spec, func(n *checker.Node[S, [8]uint8]) unsafe.Pointer { return unsafe.Pointer(&n.State) }, plan, space,
		rounds.Settings{Late: late, Pause: 1})
}

func initial[T any](spec *checker.Spec[T]) (n T) {
	for x := range spec.Init {
		return *x
	}
	return n
}

func raftReference(t testing.TB) (composed[reference.State], *oracle[checker.Node[reference.State, [8]uint8]]) {
	c := load(t, &reference.System, "./raft/reference", grains.Choice{
		Grains:  []grains.Ref{{Module: "raft", Grain: "baseline"}, {Module: "faults", Grain: "restart-drop"}},
		Budgets: map[string]int{"crashes": 1, "drops": 1},
	})
	return c, &oracle[checker.Node[reference.State, [8]uint8]]{
		spec: c.spec, servers: reference.Servers,
		lengths: func(n *checker.Node[reference.State, [8]uint8], i, j int) int {
			return n.State.Msgs.Len(reference.Server(i), reference.Server(j))
		},
		parts: map[string]string{
			"Timeout": "internal", "SendRV": "internal", "BecomeLeader": "internal", "ClientReq": "internal", "SendAE": "internal", "AdvanceCommit": "internal",
			"RecvRV": "deliver", "RecvRVR": "deliver", "UpdateTerm": "deliver", "RecvAE": "deliver", "RecvAER": "deliver",
			"Restart": "fault", "Drop": "fault",
		},
	}
}

func zabProtocol(t testing.TB) (composed[protocol.State], *oracle[checker.Node[protocol.State, [8]uint8]]) {
	c := load(t, &protocol.System, "./zab/protocol", grains.Choice{
		Grains: []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"}, {Module: "synchronization", Grain: "atomic"},
			{Module: "broadcast", Grain: "baseline"}, {Module: "faults", Grain: "timeout-restart"}, {Module: "bounds", Grain: "limits"}},
		Budgets: map[string]int{"timeouts": 1, "restarts": 1},
	})
	o := &oracle[checker.Node[protocol.State, [8]uint8]]{
		spec: c.spec, servers: protocol.Servers,
		lengths: func(n *checker.Node[protocol.State, [8]uint8], i, j int) int {
			return n.State.Msgs.Len(protocol.Server(i), protocol.Server(j))
		},
		parts: map[string]string{
			"UpdateLeader": "internal", "FollowLeader": "internal", "LeaderProcessRequest": "internal", "LeaderBroadcastPROPOSE": "internal",
			"ConnectAndFollowerSendCEPOCH": "joint", "Timeout": "fault", "Restart": "fault",
		},
	}
	for _, a := range []string{"LeaderProcessCEPOCH", "FollowerProcessNEWEPOCH", "LeaderProcessACKEPOCH", "FollowerProcessNEWLEADER", "LeaderProcessACKLD",
		"FollowerProcessCOMMITLD", "FollowerProcessPROPOSE", "LeaderProcessACK", "FollowerProcessCOMMIT"} {
		o.parts[a] = "deliver"
	}
	return c, o
}

// TestUniform goes through all uniform executions of a schedule with the strategy and the oracle
// at once. Wherever the same moves led both, they must offer the same moves.
func TestUniform(t *testing.T) {
	t.Parallel()
	t.Run("raft-reference", func(t *testing.T) {
		t.Parallel()
		c, o := raftReference(t)
		for _, late := range []bool{false, true} {
			both(t, &c, o, late, 12_000, []rounds.Schedule{{0, 0}, {1, 0, 0}, {0, 2, 0}, {3, 3, 0}})
		}
	})
	t.Run("zab-protocol", func(t *testing.T) {
		t.Parallel()
		c, o := zabProtocol(t)
		for _, late := range []bool{false, true} {
			both(t, &c, o, late, 12_000, []rounds.Schedule{{0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 1, 0, 0, 0}, {0, 0, 2, 0, 0, 0, 0}, {3, 0, 0}})
		}
	})
}

// TestUniformWhole goes through all uniform executions with the strategy and the oracle at once.
// There is every schedule of a few rounds with at most one isolation. A naive enumeration of
// executions one by one, as in TestDrawn, does not end: three servers have too many orders.
func TestUniformWhole(t *testing.T) {
	t.Parallel()
	t.Run("raft-reference", func(t *testing.T) {
		if os.Getenv("MULTIGRAIN_SLOW") == "" {
			t.Skip("set MULTIGRAIN_SLOW=1 for all places of two rounds")
		}
		t.Parallel()
		c, o := raftReference(t)
		whole(t, &c, o, 2)
	})
	t.Run("zab-protocol", func(t *testing.T) {
		t.Parallel()
		c, o := zabProtocol(t)
		whole(t, &c, o, 4)
	})
}

// whole expects that all places of so many rounds are gone through.
func whole[S any](t *testing.T, c *composed[S], o *oracle[checker.Node[S, [8]uint8]], number int) {
	t.Helper()
	space := rounds.NewSpace(o.servers, number, 1, 1)
	var all []rounds.Schedule
	for k := range space.Size().Int64() {
		all = append(all, space.At(bigInt(k)))
	}
	if len(all) != 1+o.servers*number { // no server, or one in one of the rounds
		t.Fatal(all)
	}
	for _, late := range []bool{false, true} {
		if n := both(t, c, o, late, 200_000, all); n != len(all) {
			t.Errorf("late %v: %d of %d schedules were gone through", late, n, len(all))
		}
	}
}

// both compares the moves of strategy and oracle in at most so many places of each schedule, and in
// some places those that walks draw. It returns how many schedules have no other places.
func both[S any](t *testing.T, c *composed[S], o *oracle[checker.Node[S, [8]uint8]], late bool, most int, schedules []rounds.Schedule) (whole int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	type node = checker.Node[S, [8]uint8]
	for _, schedule := range schedules {
		x := c.strategy(t, rounds.NewSpace(o.servers, len(schedule), 1, -1), late)
		o.schedule, o.late = schedule, late
		type pair struct {
			f *rounds.Follower[node]
			p *place[node]
		}
		n := initial(c.spec)
		queue := []pair{{x.Follow(c.spec, schedule, n), o.start(n)}}
		seen := map[string]bool{}
		ends, last := 0, 0
		for len(queue) > 0 && len(seen) < most {
			// In turns breadth first and depth first, so that a bounded search comes to the last
			// round.
			at := 0
			if len(seen)%2 == 1 {
				at = len(queue) - 1
			}
			now := queue[at]
			queue = slices.Delete(queue, at, at+1)
			moves, want := now.f.Moves(), o.moves(now.p)
			slices.Sort(moves)
			slices.Sort(want)
			if !slices.Equal(moves, want) {
				t.Fatalf("schedule %b, late %v, round %d part %d: the strategy has the moves %v, the oracle %v", schedule, late, now.p.round, now.p.part, names(c.spec, moves), names(c.spec, want))
			}
			last = max(last, now.p.round)
			if len(seen)%100 == 1 && len(moves) > 0 {
				drawsAll(t, now.f, moves, rng)
			}
			if len(moves) == 0 {
				ends++
			}
			for _, k := range moves {
				next := pair{now.f.Move(k), o.move(now.p, k)}
				if !bytes.Equal(checker.Bytes(&next.f.Node), checker.Bytes(&next.p.node)) {
					t.Fatal("the nodes differ")
				}
				key := next.f.Key() + fmt.Sprint("|", next.p.part, next.p.round, next.p.done, next.p.sent)
				if !seen[key] {
					seen[key] = true
					queue = append(queue, next)
				}
			}
		}
		if ends == 0 || last != len(schedule)+1 {
			t.Errorf("schedule %b, late %v: no execution of the %d places ended; the last round was %d", schedule, late, len(seen), last)
		}
		if len(queue) == 0 {
			whole++
		}
		t.Logf("schedule %b, late %v: %d places, all: %v", schedule, late, len(seen), len(queue) == 0)
	}
	return whole
}

// drawsAll expects that walks draw all of some moves in a place, and no other.
func drawsAll[T any](t *testing.T, f *rounds.Follower[T], moves []int, rng *rand.Rand) {
	t.Helper()
	drawn := map[int]bool{}
	for n := 0; n < 100_000 && len(drawn) < len(moves); n++ {
		k := f.Draw(rng)
		if drawn[k] = true; !slices.Contains(moves, k) {
			t.Fatalf("walks draw the move %d, and the place has %v", k, moves)
		}
	}
	if len(drawn) < len(moves) {
		t.Errorf("walks draw %v of the moves %v", drawn, moves)
	}
}

func names[T any](spec *checker.Spec[T], moves []int) (out []string) {
	for _, k := range moves {
		if k < 0 {
			out = append(out, "end")
		} else {
			out = append(out, checker.InstanceName(spec, k))
		}
	}
	return out
}

// TestDrawn expects every uniform execution of a short schedule, and no other, among those that
// are drawn.
func TestDrawn(t *testing.T) {
	t.Parallel()
	c, o := zabProtocol(t)
	type node = checker.Node[protocol.State, [8]uint8]
	space := rounds.NewSpace(o.servers, 2, 1, 1)
	x := c.strategy(t, space, false)
	want := map[string]bool{}
	var all func(p *place[node], path string)
	all = func(p *place[node], path string) {
		moves := o.moves(p)
		if len(moves) == 0 {
			want[path] = true
		}
		for _, k := range moves {
			step := ""
			if k != endOfPart {
				step = fmt.Sprint(p.round, ":", k, " ")
			}
			all(o.move(p, k), path+step)
		}
	}
	schedules := map[string]bool{}
	for k := range space.Size().Int64() {
		o.schedule = space.At(bigInt(k))
		schedules[fmt.Sprint(o.schedule)] = true
		all(o.start(initial(c.spec)), fmt.Sprint(o.schedule, " "))
	}
	// Where server 0, or server 1, is isolated in neither, one, or another of the two rounds.
	for _, s := range []rounds.Schedule{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {0, 2}} {
		if !schedules[fmt.Sprint(s)] || len(schedules) != 5 {
			t.Fatal(schedules)
		}
	}
	got := map[string]bool{}
	d := x.Drawer()
	for walk := int64(1); walk < 3_000_000 && len(got) < len(want); walk++ {
		path := drawn(c.spec, d, simulate.Source(1, walk), walk)
		if got[path] = true; !want[path] {
			t.Fatalf("execution %s is drawn, and the oracle does not have it", path)
		}
	}
	if len(got) < len(want) {
		t.Errorf("%d of %d executions were drawn", len(got), len(want))
	}
	t.Log(len(want), "executions")
}

// drawn takes a walk and returns its schedule, and its steps with their rounds.
func drawn[T any](spec *checker.Spec[T], d simulate.Drawer[T], rng *rand.Rand, walk int64) string {
	s := initial(spec)
	d.Begin(walk, rng, &s)
	var steps []int
	for {
		var enabled []int32
		for k := range spec.Instances {
			if spec.Enabled(&s, k) {
				enabled = append(enabled, int32(k))
			}
		}
		k := d.Draw(&s, enabled)
		if k < 0 {
			break
		}
		n := s
		spec.Apply(&s, &n, k)
		d.Took(k, &s, &n)
		s = n
		steps = append(steps, k)
	}
	notes := d.(simulate.Noter).Notes().(rounds.Notes)
	path := fmt.Sprint(notes.Schedule, " ")
	for x, k := range steps {
		path += fmt.Sprint(notes.Rounds[x], ":", k, " ")
	}
	return path
}
