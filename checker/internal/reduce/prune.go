package reduce

import (
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/bitset"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/sleepset"
	"github.com/multigrain/multigrain/modules"
)

// Prune sets spec.Pruning from footprints. Without commuting, as with symmetry or stubborn sets, no
// steps sleep. It fails where the footprints do not fit the specification.
func Prune[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], f Footprints, commuting bool) error {
	all, err := allTouches(composed, f)
	if err != nil {
		return err
	}
	p := &pruner[S, U]{
		composed: composed, spec: spec, d: independent(composed, f, all), commuting: commuting,
		out:    &checker.Pruning[checker.Node[S, U]]{Meets: make([]uint64, len(spec.Instances))},
		alters: make([]uint64, len(spec.Instances)),
	}
	p.fixed = slices.Clone(p.d.raising)
	p.properties()
	p.steps()
	p.judges()
	if fingerprint.IsLarge[checker.Node[S, U]]() && len(all) > 0 {
		p.out.Lines = linesOf[S, U](all).within
	}
	if n := len(spec.Instances); p.commuting && 0 < n && n <= sleepset.MaxInstances {
		p.out.Sleep = sleepset.New(p.d.dependent, p.fixed)
	}
	spec.Pruning = p.out
	return nil
}

// pruner computes a Pruning.
type pruner[S any, U checker.Counters] struct {
	composed  *modules.Spec[S]
	spec      *checker.Spec[checker.Node[S, U]]
	d         *Independence
	out       *checker.Pruning[checker.Node[S, U]]
	commuting bool       // sleep sets are sound
	fixed     bitset.Set // instances that never sleep
	// by instance: step properties that read what it may write; all bits: those of its action, too
	alters []uint64
}

// properties finds which instances may change which invariants and constraints. An instance that
// writes what a step property or a constraint reads never sleeps.
func (p *pruner[S, U]) properties() {
	var still []func(s, n *S) bool
	for k, v := range p.composed.Invariants {
		switch {
		case v.State != nil:
			p.mark(p.out.Meets, k, v.Name())
		case v.Step != nil:
			p.mark(p.alters, k, v.Name())
			p.fix(v.Name())
			still = append(still, v.Step)
		}
	}
	for _, v := range p.composed.Constraints {
		p.fix(v.Name())
	}
	if len(still) == 0 {
		return
	}
	p.out.Still = func(n *checker.Node[S, U]) bool {
		for _, holds := range still {
			if !holds(&n.State, &n.State) {
				return false
			}
		}
		return true
	}
}

// mark sets the bit of a property for the instances that may write what it reads; for all instances
// where that is not known.
func (p *pruner[S, U]) mark(masks []uint64, bit int, property string) {
	writers, known := p.d.writers[property]
	for at := range masks {
		if !known || writers.Has(at) {
			masks[at] |= 1 << bit
		}
	}
}

// fix keeps the instances that write what a property reads from sleeping.
func (p *pruner[S, U]) fix(property string) {
	writers, known := p.d.writers[property]
	p.commuting = p.commuting && known
	p.fixed.AddAll(writers)
}

// steps keeps the instances of actions with step properties of their own from sleeping.
func (p *pruner[S, U]) steps() {
	for at, in := range p.spec.Instances {
		if len(p.composed.Actions[in.Action].Steps) > 0 {
			p.fixed.Add(at)
			p.alters[at] = ^uint64(0)
		}
	}
}

// judges sets Judge and JudgeStep.
func (p *pruner[S, U]) judges() {
	invariants, ofStates, ofSteps := p.composed.Invariants, uint64(0), uint64(0)
	for k, v := range invariants {
		if v.State != nil {
			ofStates |= 1 << k
		}
		if v.Step != nil {
			ofSteps |= 1 << k
		}
	}
	p.out.Judge = func(n *checker.Node[S, U], mask uint64) (broken uint64) {
		for mask &= ofStates; mask != 0; mask &= mask - 1 {
			if k := bits.TrailingZeros64(mask); !invariants[k].State(&n.State) {
				broken |= 1 << k
			}
		}
		return broken
	}
	spec, alters := p.spec, p.alters
	p.out.JudgeStep = func(s, n *checker.Node[S, U], instance int) (broken uint64) {
		mask := alters[instance]
		if mask == ^uint64(0) {
			return spec.Steps(s, n, instance)
		}
		for mask &= ofSteps; mask != 0; mask &= mask - 1 {
			if k := bits.TrailingZeros64(mask); !invariants[k].Step(&s.State, &n.State) {
				broken |= 1 << k
			}
		}
		return broken
	}
}
