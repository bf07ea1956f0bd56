package wire

import "slices"

// Strategies are those that "simulate" knows besides weighted walks. Each has a name, parameters that are numbers, and one form of
// result: Strategy.
var Strategies = []KnownStrategy{}

// KnownStrategy describes a strategy to those who ask for one.
type KnownStrategy struct {
	Name       string
	Doc        string // one sentence
	Footprints bool   // the program needs Options.Footprints
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
