package mutants

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/replay"
)

type node = checker.Node[zab.State, [16]uint8]

// weights draw faults rarely: each ends an epoch.
var weights = map[string]float64{"NodeCrash": 0.3, "PartitionStart": 0.3, "LeaderSyncFollower": 0.3}

// Walks have walkDepth steps and are drawn from seed. Among the first hundred of this seed are some
// with DIFF, TRUNC and SNAP each.
const (
	walkDepth = 40
	seed      = 7
)

// walker takes random walks of the grains of configs/zab/mspec-3.hcl.
type walker struct {
	spec   *checker.Spec[node]
	params []any // by instance
	walk   *spectest.Stepper[node]
}

func newWalker(t testing.TB) *walker {
	t.Helper()
	spec, err := grains.Compose(&zab.System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "coarse"}, {Module: "synchronization", Grain: "follower-threads"},
			{Module: "broadcast", Grain: "follower-threads"}, {Module: "faults", Grain: "crash-partition"},
		},
		Budgets: map[string]int{"crashes": 2, "partitions": 2, "requests": 2, "epochs": 5},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{}
	if w.spec, err = checker.Of[zab.State, [16]uint8](spec, nil); err != nil {
		t.Fatal(err)
	}
	for k := range spec.Actions {
		w.params = append(w.params, spec.Actions[k].Params...)
	}
	if w.walk, err = spectest.NewStepper(w.spec, weights); err != nil {
		t.Fatal(err)
	}
	return w
}

// setup is that of the composition, with a folder of classes.
func (w *walker) setup(patch string) conform.Setup {
	s := conform.Setup{Version: Version, Settings: map[string]string{"patch": patch}}
	for _, a := range w.spec.Actions {
		s.Actions = append(s.Actions, a.Name)
	}
	return s
}

// step is a step of a walk, with the nodes around it.
type step struct {
	name          string
	conform       conform.Step[zab.State]
	before, after node
}

// steps are those of a walk, after its first node.
func (w *walker) steps(t testing.TB, number int64) (first node, out []step) {
	t.Helper()
	rng := spectest.Source(seed, number)
	w.walk.Start(rng)
	first = *w.walk.Node()
	for len(out) < walkDepth {
		k, err := w.walk.Step(rng)
		if err != nil {
			t.Fatal(err)
		}
		if k < 0 {
			break
		}
		name := w.spec.Actions[w.spec.Instances[k].Action].Name
		out = append(out, step{name: name + conform.ParamsText(w.spec.Instances[k].Params), before: *w.walk.Before(), after: *w.walk.Node(),
			conform: conform.Step[zab.State]{Action: name, Params: w.params[k]}})
	}
	return first, out
}

// departure is where servers do not follow a walk: the number of the step, 0 for the start.
type departure struct {
	step   int
	action string
	what   string // the variable, or what else happened
	driven bool   // whether the step was driven to its end
}

// equals reports whether two walks depart in the same way. What a step that was not driven to its
// end waits for may differ.
func (d *departure) equals(e *departure) bool {
	return e != nil && d.step == e.step && d.driven == e.driven && (d.what == e.what || !d.driven)
}

func (d *departure) String() string {
	if d == nil {
		return "none"
	}
	return fmt.Sprintf("step %d, %s: %s", d.step, d.action, d.what)
}

// follow does a walk on servers. It returns nil if they follow it to its end.
func follow(a conform.Adapter[zab.State], first node, steps []step) *departure {
	at := &departure{action: "the start", driven: true}
	fails := func(err error, want *zab.State) bool {
		if err == nil {
			var have zab.State
			if err = a.Observe(&have); err == nil {
				at.what = difference(a.Variables(), &have, want)
			}
		}
		if err != nil {
			at.driven = !errors.As(err, new(*conform.UndrivenError))
			if at.what, _, _ = strings.Cut(err.Error(), "\n"); errors.As(err, new(*control.RestError)) {
				at.what = "the servers rest" // how often that was seen differs
			}
		}
		return at.what != ""
	}
	if fails(a.Start(&first.State), &first.State) {
		return at
	}
	for k := range steps {
		s := &steps[k]
		at.step, at.action = k+1, s.name
		s.conform.Before, s.conform.After = &s.before.State, &s.after.State
		if fails(a.Perform(s.conform), &s.after.State) {
			return at
		}
	}
	return nil
}

// difference names the first variable that differs, "" if none does.
func difference(variables []string, have, want *zab.State) string {
	x, y := reflect.ValueOf(have).Elem(), reflect.ValueOf(want).Elem()
	for _, name := range variables {
		if !reflect.DeepEqual(x.FieldByName(name).Interface(), y.FieldByName(name).Interface()) {
			return name
		}
	}
	return ""
}

// leaveOut lets walks do without the steps that an adapter cannot drive.
func (w *walker) leaveOut(a conform.Adapter[zab.State]) {
	w.walk.LeavesOut = func(k int, before, after *node) bool {
		s := step{conform: conform.Step[zab.State]{Action: w.spec.Actions[w.spec.Instances[k].Action].Name, Params: w.params[k],
			Before: &before.State, After: &after.State}}
		return a.(conform.Limited[zab.State]).LeavesOut(s.conform) != ""
	}
}

// open starts an adapter for servers with a folder of classes.
func (w *walker) open(t testing.TB, patch string) conform.Adapter[zab.State] {
	t.Helper()
	a, err := replay.Implementation.Open(w.setup(patch))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Stop(); err != nil {
			t.Error(err)
		}
	})
	return a
}
