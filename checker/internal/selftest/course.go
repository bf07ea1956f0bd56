package selftest

import (
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// Steps from the initial state rarely come to the late phases of a protocol: an election alone may
// take as many steps as a behaviour has. So two of three behaviours begin with a course, a fixed
// beginning that ends right after an action was taken. A search finds one or more courses for each
// action, before the first behaviour. It extends courses that it has by random steps, and keeps
// each beginning that ends with an action for which there are few. So it comes from one phase to
// the next one, as a fuzzer that is guided by coverage does.
//
// A course is a list of legs. A leg is repeated by its seed, its weights and its number of steps.
// So a course needs no state of its own. The search depends on the composition and the length
// alone, not on the seed of a self-test.

// leg is a part of a course.
type leg struct {
	seed  uint64
	swarm weights
	steps int
}

// course is the beginning of a behaviour.
type course []leg

// Limits of the search for courses: how many extensions it tries, how many courses it keeps for an
// action, and how many steps one has.
const (
	courseTries = 1500
	courseKept  = 3
	courseSteps = 100
)

func (l *leg) random() *rand.Rand { return rand.New(rand.NewPCG(l.seed, 0x636f75727365)) }

// follow takes the steps of a course.
func (w *world[S]) follow(c course) {
	random, swarm := w.random, w.swarm
	for k := range c {
		w.begin(c[k].random(), c[k].swarm)
		w.steer(c[k].steps)
	}
	w.begin(random, swarm)
}

// begin begins a part of the behaviour. It forgets the moves that are offered, which depend on
// random numbers: a part must not depend on how its first state was reached.
func (w *world[S]) begin(random *rand.Rand, swarm weights) {
	w.random, w.swarm = random, swarm
	clear(w.offers)
}

// steps returns how many steps a course has.
func (c course) steps() (n int) {
	for k := range c {
		n += c[k].steps
	}
	return n
}

// courses returns courses for all actions that the search comes to, by action.
func (m *model[S]) courses(enc *encoder[S], far []weights, steps int) (out []course) {
	random := rand.New(rand.NewPCG(3, 4))
	kept := map[string]int{}
	for range courseTries {
		var from course
		if len(out) > 0 && random.IntN(4) > 0 {
			from = out[random.IntN(len(out))]
		}
		swarm := m.randomWeights(random)
		if random.IntN(2) == 0 {
			swarm = far[random.IntN(len(far))].perturbed(random)
		}
		next := leg{seed: random.Uint64(), swarm: swarm, steps: min(steps, courseSteps-from.steps())}
		if next.steps <= 0 {
			continue
		}
		ends := m.extend(enc, from, next, kept)
		for _, n := range ends {
			next.steps = n
			out = append(out, append(slices.Clone(from), next))
		}
	}
	return out
}

// extend extends a course by a leg. It returns after how many steps of the leg it took an
// action that has few courses, and counts these.
func (m *model[S]) extend(enc *encoder[S], from course, next leg, kept map[string]int) (ends []int) {
	defer modules.UseArena(modules.UseArena(modules.NewArena()))
	w := newWorld(m, enc, next.random(), next.swarm)
	w.follow(from)
	w.begin(next.random(), next.swarm)
	w.stepped = func(n int, name string) {
		if kept[name] < courseKept {
			kept[name]++
			ends = append(ends, n)
		}
	}
	w.steer(next.steps)
	return slices.Compact(ends)
}
