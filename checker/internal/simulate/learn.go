package simulate

import (
	"math"
	"slices"
)

// What it computes. Weights of actions that lead walks to where they rarely were: tabular
// Q-learning (Watkins and Dayan, 1992) over an abstraction of nodes: a Hash.
//
// Why it is right. The value of an action at an abstraction estimates what a walk earns from it on,
// with later earnings discounted. The reward of a step is 1/sqrt(n), where n is how often walks
// have come to the abstraction that it leads to. So what is seen often loses its value, and walks
// turn elsewhere. Values start at the most that can be earned: what was never tried is worth
// trying. Weights are e to the value over a temperature, so no enabled action is excluded and a
// walk stays a behaviour.
//
// Howard et al., "Smart Casual Verification of the Confidential Consortium Framework" (section 4),
// found no abstraction that beats weights by hand. docs/results/experiment.md compares some.
//
// Deviation: Mukherjee et al., "Learning-based controlled concurrency testing" (OOPSLA 2020), which
// CCF uses in TLC, have a constant reward.
//
// What it costs. A look-up of the abstraction for each node of a walk, and one update for each of
// its steps after it. The table has at most maxRows rows, each with a value for every action.
//
// Example. At the abstraction {Elect, Crash} both begin with the value 3.3. After some walks:
//
//	Elect   led to {Send, Crash} 100 times: its value falls towards 0.1 and what follows
//	Crash   led to {Restart} 4 times: towards 0.5 and what follows, so it is drawn more often

// Hash says which nodes count as one for learned weights: those that have the same of it.
type Hash string

const (
	ByActions   Hash = "actions"   // the set of enabled actions
	ByInstances Hash = "instances" // the set of enabled instances
	ByBytes     Hash = "bytes"     // some bytes of the node: Options.Bytes
	ByNodes     Hash = "nodes"     // the whole node
)

// Span is a run of bytes in a node.
type Span struct{ From, To uintptr }

// learner has the values of actions at abstractions.
type learner struct {
	actions int
	row     map[uint64]int // by abstraction
	visits  []float64      // by row
	value   []float64      // by row and action; -Inf where the action was not enabled so far
}

const (
	learningRate = 0.3
	discount     = 0.7
	temperature  = 0.3
	mostValue    = 1 / (1 - discount)
	maxRows      = 1 << 18 // at abstractions beyond them the weights are not changed
)

// options are the actions that can be taken at an abstraction.
type options struct {
	abstraction uint64
	actions     []int32
}

func newLearner(actions int) *learner {
	return &learner{actions: actions, row: map[uint64]int{}}
}

// of returns the values of a row.
func (l *learner) of(row int) []float64 { return l.value[row*l.actions:][:l.actions] }

// weigh multiplies the weights of what is enabled at an abstraction by e to the value over the
// temperature.
func (l *learner) weigh(abstraction uint64, live []choice) {
	row, ok := l.row[abstraction]
	if !ok {
		return
	}
	values := l.of(row)
	for k := range live {
		if c := &live[k]; c.weight > 0 && !math.IsInf(values[c.action], -1) { // else it is new here
			c.weight *= math.Exp((values[c.action] - mostValue) / temperature)
		}
	}
}

// knows reports whether an abstraction has a row, with a value for each of the actions that are
// enabled.
func (l *learner) knows(abstraction uint64, live []choice) bool {
	row, ok := l.row[abstraction]
	return ok && !slices.ContainsFunc(live, func(c choice) bool { return c.weight > 0 && math.IsInf(l.of(row)[c.action], -1) })
}

// meet makes rows for abstractions that are new, and values for actions that are new there.
func (l *learner) meet(met []options) {
	for _, o := range met {
		row, ok := l.row[o.abstraction]
		if !ok {
			if row = len(l.visits); row == maxRows {
				continue
			}
			l.row[o.abstraction] = row
			l.visits = append(l.visits, 0)
			for range l.actions {
				l.value = append(l.value, math.Inf(-1))
			}
		}
		for _, a := range o.actions {
			if v := &l.of(row)[a]; math.IsInf(*v, -1) {
				*v = mostValue
			}
		}
	}
}

// learn takes a walk: the abstractions of its nodes and the actions that were taken at them. The
// last action may have led to no further node.
func (l *learner) learn(nodes []uint64, actions []int32) {
	for _, h := range nodes {
		if row, ok := l.row[h]; ok {
			l.visits[row]++
		}
	}
	// backwards: what the walk came to is known at its start at once
	for k := len(actions) - 1; k >= 0; k-- {
		row, ok := l.row[nodes[k]]
		if !ok {
			continue
		}
		earned := 0.0
		if k+1 < len(nodes) {
			earned = l.worth(nodes[k+1])
		}
		v := &l.of(row)[actions[k]]
		*v += learningRate * (earned - *v)
	}
}

// worth returns what is earned by a step to an abstraction.
func (l *learner) worth(abstraction uint64) float64 {
	row, ok := l.row[abstraction]
	if !ok {
		return 1
	}
	best := slices.Max(l.of(row))
	return 1/math.Sqrt(l.visits[row]) + discount*max(best, 0)
}
