package preserve

import (
	"context"
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/liveness"
)

// What it computes. Level L2 for deadlocks and liveness properties: after which observations each
// composition can end. An ending is a deadlock, or a trap of a property, where a fair behaviour
// stays for ever that breaks it (package liveness).
//
// Why it is right. An ending becomes a visible step from its state, with a label of its own. So the
// inclusion of observations is one of completed observations: those of a behaviour, followed by the
// ending of its last state. If both inclusions hold, a composition has an ending of some kind
// exactly if the other one has. So a search for deadlocks, or for lassos, has the same verdict in
// both. The verdict about lassos is exact, as each composition is judged with its own fair
// instances.
//
// What is not compared. A cycle of silent steps that breaks no selected property is no ending, and
// neither is a state in which only modules under test are stuck. These are no violations in either
// composition.
//
// What it costs. One more graph of each composition, with instances as labels, where there are
// liveness properties. Deadlocks cost nothing.
//
// Example. Silent steps are tau, and the fine composition can lose what it was asked for:
//
//	fine     0 -ask-> 1 -tau-> 2 -answer-> 0        coarse   0 -ask-> 1 -answer-> 0
//	                  1 -tau-> 3: deadlock                   "ask, deadlock" is missed

// Kinds of endings.
const (
	Deadlock = "deadlock"
	Liveness = "liveness"
)

// Ending is a way of ending that was compared, with the number of states in which each composition
// ends so.
type Ending struct {
	Name     string // the ID of the property; "deadlock"
	Instance string // the value of the property's parameter, as text; "" for none
	Kind     string
	States   [2]int64
}

// findEndings finds the states in which each composition ends, and gives them labels. It says why
// endings are not compared, "" if they are or none is asked for.
func (r *run[T]) findEndings() string {
	live := len(r.c.Sides[Fine].Spec.Liveness) > 0
	if !r.c.Deadlock && !live {
		return ""
	}
	c := *r.c // steps are added
	c.Steps = c.Steps[:len(c.Steps):len(c.Steps)]
	r.c = &c
	r.endings = uint32(len(r.labels.step))
	if r.c.Deadlock {
		d := Ending{Name: Deadlock, Kind: Deadlock}
		for side, g := range r.graphs {
			d.States[side] = int64(len(g.dead))
		}
		r.end(d, [2][]uint32{r.graphs[Fine].dead, r.graphs[Coarse].dead})
	}
	if !live {
		return ""
	}
	var found [2]liveness.Traps
	for side, g := range r.graphs {
		if !r.res.Sides[side].Complete {
			return "" // the level is not decided, for the same reason
		}
		reason := ""
		if found[side], reason = r.traps(side); reason != "" {
			return "liveness is not compared: " + reason
		}
		if found[side].Nodes != int64(g.Nodes()) {
			return fmt.Sprintf("liveness is not compared: the specification has %d states in one search and %d in another", found[side].Nodes, g.Nodes())
		}
	}
	for k, fine := range found[Fine].In {
		coarse := found[Coarse].In[k]
		p := fine.Property
		r.end(Ending{Name: p.ID, Instance: p.Instance, Kind: Liveness, States: [2]int64{int64(len(fine.States)), int64(len(coarse.States))}},
			[2][]uint32{fine.States, coarse.States})
	}
	return ""
}

// traps finds the traps of a side within what is left of the limits.
func (r *run[T]) traps(side int) (liveness.Traps, string) {
	if r.opt.Progress != nil {
		r.opt.Progress("liveness of the "+sideNames[side]+" composition", r.res.Sides[side].States)
	}
	ctx := r.opt.Context
	if ctx == nil {
		ctx = context.Background()
	}
	if r.opt.Timeout > 0 {
		left, cancel := context.WithTimeout(ctx, r.opt.Timeout-host.Since(r.start))
		defer cancel()
		ctx = left
	}
	found, err := liveness.FindTraps(r.c.Sides[side].Spec, liveness.Options{Mem: r.opt.Memory, Context: ctx})
	if err != nil {
		return found, err.Error()
	}
	return found, found.Reason
}

var sideNames = [2]string{"fine", "coarse"}

// end gives the states of each side in which an ending is seen its label.
func (r *run[T]) end(e Ending, states [2][]uint32) {
	step := len(r.c.Steps)
	p := checker.Property{ID: e.Name, Instance: e.Instance}
	r.c.Steps = append(r.c.Steps, Step{Action: p.Name(), Environment: true, ending: e.Kind})
	for side, list := range states {
		for _, k := range list {
			label := r.labels.number(r.labels.begin(step, 0), side, k)
			if r.graphs[side].endings == nil {
				r.graphs[side].endings = map[uint32][]uint32{}
			}
			r.graphs[side].endings[k] = append(r.graphs[side].endings[k], label)
		}
	}
	r.res.Endings = append(r.res.Endings, e)
}

// isEnding reports whether a label is that of an ending.
func (r *run[T]) isEnding(label uint32) bool { return r.endings > 0 && label >= r.endings }

// endingDoc says what can be seen at the end of a witness; "" if that is a step.
func (r *run[T]) endingDoc(step int) string {
	switch r.c.Steps[step].ending {
	case Deadlock:
		return "no action is enabled there"
	case Liveness:
		return "a fair behaviour can stay there for ever, and breaks the property"
	}
	return ""
}
