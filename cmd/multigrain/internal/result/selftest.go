package result

// Selftest is the result of trying the runtime of a specification on random behaviours.
type Selftest struct {
	Verdict string  `json:"verdict" enum:"nothing-found violated undecided"`
	Reason  string  `json:"reason,omitempty"`
	Seconds float64 `json:"seconds"`
	Seed    uint64  `json:"seed"`
	Asked   int64   `json:"asked"`  // behaviours
	Length  int     `json:"length"` // steps of a behaviour
	Orders  int     `json:"orders"` // of what a node sees, at most
	Tried   Tried   `json:"tried"`
	// Substitutions lists how the running composition differs from the manifest's.
	Substitutions []Substitution `json:"substitutions,omitempty"`
}

// Tried counts what a self-test tried.
type Tried struct {
	Behaviours int64 `json:"behaviours"`
	Steps      int64 `json:"steps"`
	// Traces are streams, one for each node and order. Of Exhaustive projected behaviours all
	// orders were tried, of Sampled ones some.
	Traces     int64 `json:"traces"`
	Exhaustive int64 `json:"exhaustive"`
	Sampled    int64 `json:"sampled"`
	Events     int64 `json:"events"`
	Sent       int64 `json:"sent"`
	Decided    int64 `json:"decided"`
	Undecided  int64 `json:"undecided"` // traces
	Mutants    int64 `json:"mutants"`
	Noticed    int64 `json:"noticed"`  // with an alarm, and no legal behaviour
	Legal      int64 `json:"legal"`    // without an alarm, and with a legal behaviour
	Unjudged   int64 `json:"unjudged"` // undecided, or too many states for the exhaustive search
	Judged     int64 `json:"judged"`   // states of the exhaustive search
	Explored   int64 `json:"explored"` // states of the runtime
	Largest    int   `json:"largest"`
	SumStates  int64 `json:"sum_states"`
	// Lazy to Waits count what was tried of the laws. Says and Sends count states in which they
	// deny something, Merge counts steps whose state it changes, and the others pairs of steps.
	Lazy   int64 `json:"lazy"`
	Eager  int64 `json:"eager"`
	Hidden int64 `json:"hidden"`
	Says   int64 `json:"says"`
	Sends  int64 `json:"sends"`
	Merge  int64 `json:"merge"`
	Waits  int64 `json:"waits"`
	// Taken counts how often the behaviours take each action.
	Taken    map[string]int64  `json:"taken"`
	Failed   int64             `json:"failed"`
	Failures []SelftestFailure `json:"failures,omitempty"` // the first ones
	Reasons  []string          `json:"reasons,omitempty"`  // of undecided traces
}

// SelftestFailure is a stream about which the runtime is wrong, or a law that does not hold.
type SelftestFailure struct {
	Kind string `json:"kind" enum:"false-alarm missed law judge"`
	// Seed repeats the behaviour: -selftest 1 -seed.
	Seed     uint64   `json:"seed"`
	Node     int      `json:"node"`
	Mutation string   `json:"mutation,omitempty"`
	Stream   []string `json:"stream"`
	Detail   string   `json:"detail"`
	Law      int      `json:"law,omitempty"`
	Declared string   `json:"declared,omitempty"`
	Action   string   `json:"action,omitempty"`
}

// Add adds what another process tried.
func (t *Tried) Add(o *Tried) {
	for _, x := range [][2]*int64{{&t.Behaviours, &o.Behaviours}, {&t.Steps, &o.Steps}, {&t.Traces, &o.Traces}, {&t.Exhaustive, &o.Exhaustive},
		{&t.Sampled, &o.Sampled}, {&t.Events, &o.Events}, {&t.Sent, &o.Sent}, {&t.Decided, &o.Decided}, {&t.Undecided, &o.Undecided},
		{&t.Mutants, &o.Mutants}, {&t.Noticed, &o.Noticed}, {&t.Legal, &o.Legal}, {&t.Unjudged, &o.Unjudged}, {&t.Judged, &o.Judged},
		{&t.Explored, &o.Explored}, {&t.SumStates, &o.SumStates}, {&t.Lazy, &o.Lazy}, {&t.Eager, &o.Eager}, {&t.Hidden, &o.Hidden},
		{&t.Says, &o.Says}, {&t.Sends, &o.Sends}, {&t.Merge, &o.Merge}, {&t.Waits, &o.Waits}, {&t.Failed, &o.Failed}} {
		*x[0] += *x[1]
	}
	t.Largest = max(t.Largest, o.Largest)
	if t.Taken == nil {
		t.Taken = map[string]int64{}
	}
	for name, n := range o.Taken {
		t.Taken[name] += n
	}
	t.Failures = append(t.Failures, o.Failures...)
	t.Reasons = append(t.Reasons, o.Reasons...)
}
