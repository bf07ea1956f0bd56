package wire

import "slices"

// Strategies are those that "simulate" knows apart from weighted walks. Each has a name,
// parameters that are numbers, and one form of result: Strategy.
var Strategies = []KnownStrategy{
	{Name: "rounds", Doc: "uniform executions in lock-step rounds", Footprints: true, Depth: 100_000, Parameters: []KnownParameter{
		{Name: "rounds", Default: 32, Least: 1, Most: 10_000, Whole: true, Meaning: "rounds of a walk, r"},
		{Name: "period", Default: 8, Least: 1, Most: 10_000, Whole: true, Meaning: "rounds of a phase, at whose end isolated servers join again, k"},
		{Name: "isolated", Default: 4, Least: -1, Most: 1000, Whole: true, Meaning: "isolations in a walk, at most, d; -1: no bound"},
		{Name: "late", Default: -1, Least: -1, Most: 1, Whole: true, Meaning: "1: messages that isolation delays are received later; 0: they are lost; -1: 1 where channels keep their order"},
		{Name: "pause", Default: 1, Least: 0.001, Most: 1000, Meaning: "weight of ending a round's internal steps; actions have 1 unless a weight is given"},
		{Name: "heuristic", Default: 0, Least: 0, Most: 1, Whole: true, Meaning: "1: accept a composition whose rounds are not exact"},
	}},
	{Name: "guided", Doc: "walks that reach new coverage are kept and changed", Parameters: []KnownParameter{
		{Name: "fresh", Default: 0.2, Least: 0, Most: 1, Meaning: "share of walks that are random from the start"},
		{Name: "branches", Default: 0, Least: 0, Most: 1, Whole: true, Meaning: "1: branches of guards, effects and rules are coverage, too; the program that notes them is slower"},
	}},
	{Name: "auto", Doc: "several strategies in turns", Footprints: true, Depth: 100_000, Parameters: []KnownParameter{
		{Name: "weighted", Default: 1, Least: 0, Most: 100, Whole: true, Meaning: "share of weighted walks"},
		{Name: "guided", Default: 2, Least: 0, Most: 100, Whole: true, Meaning: "share of guided walks"},
		{Name: "rounds", Default: 2, Least: 0, Most: 100, Whole: true, Meaning: "share of walks in rounds"},
		{Name: "pct", Default: 1, Least: 0, Most: 100, Whole: true, Meaning: "share of walks by priorities"},
		{Name: "loss", Default: 0, Least: 0, Most: 100, Whole: true, Meaning: "share of walks with random loss"},
	}},
	{Name: "pct", Doc: "agents by random priorities: probabilistic concurrency testing", Footprints: true, Parameters: []KnownParameter{
		{Name: "depth", Default: 3, Least: 1, Most: 100, Whole: true, Meaning: "depth of the bugs that the guarantee is about, d"},
	}},
	{Name: "delays", Doc: "agents in a fixed order, with random delays", Footprints: true, Parameters: []KnownParameter{
		{Name: "delays", Default: 3, Least: 0, Most: 100, Whole: true, Meaning: "delays in a walk, d"},
	}},
	{Name: "loss", Doc: "weighted walks in which messages are lost at random", Footprints: true, Parameters: []KnownParameter{
		{Name: "p", Default: 0.125, Least: 0, Most: 1, Meaning: "probability with which a message is lost"},
	}},
}

// KnownStrategy describes a strategy to those who ask for one.
type KnownStrategy struct {
	Name       string
	Doc        string // one sentence
	Footprints bool   // the program needs Options.Footprints
	Depth      int    // steps of a walk where none are given; 0: the usual number
	Parameters []KnownParameter
}

// KnownParameter describes a parameter of a strategy.
type KnownParameter struct {
	Name    string
	Default float64
	// Least and Most bound the value. Whole says that it is a whole number.
	Least, Most float64
	Whole       bool
	Meaning     string
}

// StrategyNamed returns the strategy with a name, nil where there is none.
func StrategyNamed(name string) *KnownStrategy {
	if k := slices.IndexFunc(Strategies, func(s KnownStrategy) bool { return s.Name == name }); k >= 0 {
		return &Strategies[k]
	}
	return nil
}

// Values returns the value of each parameter, in their order: as asked for, else the default.
func (k *KnownStrategy) Values(asked map[string]float64) (out []Parameter) {
	for _, p := range k.Parameters {
		v, ok := asked[p.Name]
		if !ok {
			v = p.Default
		}
		out = append(out, Parameter{Name: p.Name, Value: v, Meaning: p.Meaning})
	}
	return out
}
