package modules

// Spec is a mixed-grained specification: the actions that a manifest chose with all that rides on them. Package grains
// makes it; package checker runs it.
type Spec[S any] struct {
	System  string
	Init    func(yield func(S) bool)
	Actions []SpecAction[S]
	// Invariants are the selected ones, in the order of the catalog.
	Invariants []*Invariant[S]
	// Masked are the assertions that are offered and not selected: what raises one is no violation.
	Masked []*Invariant[S]
	// Constraints bound the states that are explored further.
	Constraints []*Invariant[S]
	// Goals are states that should be reached at least once.
	Goals []*Invariant[S]
	// Liveness are the properties of whole behaviours that are checked.
	Liveness []*Liveness[S]
	// Budgets are those that a chosen action spends, with their limits.
	Budgets []Limit
}

// SpecAction is a bound action and what the composition says of it.
type SpecAction[S any] struct {
	Bound[S]
	Module      string
	Environment bool
	Budgets     []int // which of the specification's budgets a step spends
}

// Limit is a budget with its limit.
type Limit struct {
	Bound string
	Max   int // steps along one behaviour; negative: no limit
}

// Bind attaches rules and step properties to the actions.
func Bind[S any](actions []AnyAction[S], rules []Rule[S], invs []*Invariant[S]) []Bound[S] {
	out := make([]Bound[S], len(actions))
	for x, a := range actions {
		out[x] = a.bind(rules, invs)
	}
	return out
}
