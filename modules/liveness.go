package modules

// KindLiveness is the kind of a violated Liveness property, as results name it.
const KindLiveness = "liveness"

// Liveness is a property of whole behaviours: from each state in which From is true, a state follows in which To is true, or
// it is true there already. It is judged under weak fairness: an action that is fair and, with one value of its parameters,
// enabled from some state on for ever is taken with that value again and again, where taking it changes the state. A behaviour
// may stop only where no fair action can change the state.
type Liveness[S any] struct {
	ID  string
	Doc string // one sentence
	// From is where the property asks for something: P of "P leads to Q". Nil asks in the initial states only: "eventually Q".
	From func(s *S) bool
	// To is what has to follow: Q.
	To func(s *S) bool
	// Unfair are actions that need not happen however long they are enabled, as a client's requests. Actions of an environment
	// module never need; all others are fair.
	Unfair []AnyAction[S]
}
