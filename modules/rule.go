package modules

// Rule rides on the actions of other modules and keeps bounds and bookkeeping out of them: it
// forbids a step or keeps ghost variables. Rules belong to the footprint of the actions that they
// ride on. A rule on an action that the composition does not have does nothing.
type Rule[S any] struct {
	on     AnyAction[S] // nil: every action but those of except
	except []AnyAction[S]
	when   any // func(*S) bool, or func(*S, P) bool for on's P
	after  any // func(s, n *S), or func(s, n *S, P)
}

// When forbids a unless ok.
func When[S, P any](a *Action[S, P], ok func(s *S, p P) bool) Rule[S] {
	return Rule[S]{on: a, when: ok}
}

// WhenAny forbids every action but those of except unless ok.
func WhenAny[S any](ok func(s *S) bool, except ...AnyAction[S]) Rule[S] {
	return Rule[S]{except: except, when: ok}
}

// After runs after the effect of a: do may read the state before, s, and writes ghost variables of
// the state after, n.
func After[S, P any](a *Action[S, P], do func(s, n *S, p P)) Rule[S] {
	return Rule[S]{on: a, after: do}
}

// AfterAny runs after the effect of every action but those of except, and after their After rules
// that come before it.
func AfterAny[S any](do func(s, n *S), except ...AnyAction[S]) Rule[S] {
	return Rule[S]{except: except, after: do}
}

// ridersOf collects what rides on a, in the order of the rules.
func ridersOf[S, P any](a *Action[S, P], rules []Rule[S]) (allow []func(*S, P) bool, note []func(_, _ *S, _ P)) {
	for _, r := range rules {
		if !r.ridesOn(a) {
			continue
		}
		switch f := r.when.(type) {
		case func(*S, P) bool:
			allow = append(allow, f)
		case func(*S) bool:
			allow = append(allow, func(s *S, _ P) bool { return f(s) })
		}
		switch f := r.after.(type) {
		case func(_, _ *S, _ P):
			note = append(note, f)
		case func(_, _ *S):
			note = append(note, func(s, n *S, _ P) { f(s, n) })
		}
	}
	return allow, note
}

func (r *Rule[S]) ridesOn(a AnyAction[S]) bool {
	if r.on != nil {
		return same(r.on, a)
	}
	for _, e := range r.except {
		if same(e, a) {
			return false
		}
	}
	return true
}

// same reports whether two actions are one variable. It compares empty interfaces: the compiler can
// give one instance of a generic type two method tables, and then equal values of the interface
// AnyAction[S] compare unequal.
func same[S any](a, b AnyAction[S]) bool { return any(a) == any(b) }

// Budget bounds how often actions may happen along one behaviour. The checker counts; the count is
// part of a state's identity, and an action whose budget is spent is not enabled. The limit is the
// bound of that name in the manifest. At run time there is none.
type Budget[S any] struct {
	Bound   string
	Actions []AnyAction[S]
}

// Spend returns the budget named bound. Every step of one of the actions spends one of it.
func Spend[S any](bound string, actions ...AnyAction[S]) Budget[S] {
	return Budget[S]{bound, actions}
}
