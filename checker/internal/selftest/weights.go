package selftest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// A behaviour has a weight for each node, action and peer (swarm testing: Groce et al., ISSTA
// 2012). Random weights give the nodes different roles. Few of them let a protocol come far within
// a short behaviour, so search improves some of them before the first behaviour: a behaviour counts
// by how many different actions it takes. The search depends on the composition and the length
// alone, not on the seed of a self-test.

// weights has them by modelWeight.
type weights []float64

func (m *model[S]) weightOf(me, number, peer int) int {
	return (me*len(m.names)+number)*(m.servers+1) + peer + 1
}

// randomWeights draws weights.
func (m *model[S]) randomWeights(random *rand.Rand) weights {
	w := make(weights, m.servers*len(m.names)*(m.servers+1))
	for k := range w {
		w[k] = math.Pow(10, 2.5*random.Float64()-2)
	}
	return w
}

// perturbed changes weights: some of them much, the others a little.
func (w weights) perturbed(random *rand.Rand) weights {
	out := slices.Clone(w)
	for k := range out {
		if random.IntN(12) == 0 {
			out[k] = math.Pow(10, 2.5*random.Float64()-2)
		} else {
			out[k] *= math.Pow(10, 0.4*random.Float64()-0.2)
		}
	}
	return out
}

// The search for weights has rounds of so many behaviours, and keeps the best ones.
const (
	searchRounds = 10
	searchSize   = 50
	searchKept   = 12
)

// search returns weights with which behaviours take many different actions.
func (m *model[S]) search(enc *encoder[S], steps int) []weights {
	type scored struct {
		w     weights
		score float64
	}
	random := rand.New(rand.NewPCG(1, 2))
	var best []scored
	for round := range searchRounds {
		var next []scored
		for range searchSize {
			var w weights
			if round == 0 || random.IntN(6) == 0 {
				w = m.randomWeights(random)
			} else {
				w = best[random.IntN(len(best))].w.perturbed(random)
			}
			next = append(next, scored{w, m.score(enc, w, steps, random)})
		}
		best = append(best, next...)
		slices.SortStableFunc(best, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		best = best[:searchKept]
	}
	var out []weights
	for _, x := range best {
		out = append(out, x.w)
	}
	return out
}

// score is how many different actions behaviours with these weights take, on average.
func (m *model[S]) score(enc *encoder[S], w weights, steps int, random *rand.Rand) float64 {
	const walks = 2
	sum := 0
	for range walks {
		func() {
			defer modules.UseArena(modules.UseArena(modules.NewArena()))
			x := newWorld(m, enc, random, w)
			x.steer(steps)
			sum += len(x.taken)
		}()
	}
	return float64(sum) / walks
}
