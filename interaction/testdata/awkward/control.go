package awkward

import "slices"

// Early ends early, so the condition decides what comes behind.
//
//	writes Nodes.On[p.I] = false; control Clock.Now
var Early = Act{Name: "Early", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		if s.Clock.Now > 3 {
			return
		}
		n.Nodes[p.I].On = false
	}}

// Merge chooses a value.
//
//	writes Modes[p.I] = FAST SLOW; control Flag
var Merge = Act{Name: "Merge", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		x := SLOW
		if s.Flag {
			x = FAST
		}
		n.Modes[p.I] = x
	}}

// Classified chooses it in a function with several returns.
//
//	writes C[p.I] = 1 2; control A[p.I]
var Classified = Act{Name: "Classified", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.C[p.I] = classify(s, p.I) }}

func classify(s *State, i ID) int8 {
	if s.A[i] > 0 {
		return 1
	}
	return 2
}

// Switch has a condition in each case.
//
//	writes Modes[p.J] Modes[p.I] = FAST OFF; control A[0] Flag
var Switch = Act{Name: "Switch", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		switch {
		case s.Flag:
			n.Modes[p.I] = OFF
		case s.A[0] > 2:
			n.Modes[p.J] = FAST
		}
	}}

// SwitchValue tests one value.
//
//	writes A[p.I] = 1; control Modes[p.I]
//	writes B[p.I] = 1; control Modes[p.I]
//	writes C[p.I] = 1; control Modes[p.I]
var SwitchValue = Act{Name: "SwitchValue", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		switch s.Modes[p.I] {
		case OFF:
			n.A[p.I] = 1
		case SLOW:
			n.B[p.I] = 1
		default:
			n.C[p.I] = 1
		}
	}}

// Counted counts to a value of the state.
//
//	writes A[p.I] = ...; control B[p.I]
var Counted = Act{Name: "Counted", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		x := int8(0)
		for x < s.B[p.I] {
			x++
		}
		n.A[p.I] = x
	}}

// Searched leaves a loop early.
//
//	reads A[*] B[p.I]
//	writes Boss = ...; control C[*]
var Searched = Act{Name: "Searched", Params: pairs,
	Guard: func(s *State, p Pair) bool {
		for _, v := range s.A {
			if v == s.B[p.I] {
				return true
			}
		}
		return false
	},
	Effect: func(s, n *State, p Pair) {
		for k := range ID(N) {
			if s.C[k] > 0 {
				n.Boss = k
				break
			}
		}
	}}

// Everyone writes all elements to a constant.
//
//	writes Modes[*] = SLOW
var Everyone = Act{Name: "Everyone", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		for k := range n.Modes {
			n.Modes[k] = SLOW
		}
	}}

// Quiet never takes the side of a constant condition.
//
//	writes B[0] = 1
//	writes Clock.Now = 0
var Quiet = Act{Name: "Quiet", Params: pairs, Guard: func(s *State, p Pair) bool { return Variant == "new" || s.Flag },
	Effect: func(s, n *State, p Pair) {
		if Variant == "old" {
			n.A[0] = s.C[0]
		} else {
			n.B[0] = 1
		}
		n.option(s, false)
	}}

// option has a condition that is constant where it is called.
func (n *State) option(s *State, slow bool) {
	if slow {
		n.Clock.Now = s.Clock.Skew
		return
	}
	n.Clock.Now = 0
}

// Closure writes through captured variables.
//
//	writes A[*] = ...; data B[*]
//	writes C[*] = ...; data B[p.I]
var Closure = Act{Name: "Closure", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		set := func(i ID, v int8) { n.A[i] = v }
		for i := range ID(N) {
			set(i, s.B[i])
		}
		each(func(i ID) { n.C[i] = s.B[p.I] })
	}}

func each(f func(i ID)) {
	for i := range ID(N) {
		f(i)
	}
}

// Captured assigns a captured variable on a condition.
//
//	writes A[0] = 1 2; control Flag
var Captured = Act{Name: "Captured", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		x := int8(1)
		f := func() { x = 2 }
		if s.Flag {
			f()
		}
		n.A[0] = x
	}}

// CapturedInLoop makes a closure in each round, of which one is alive at a time.
//
//	writes A[p.I] = ...; data B[p.I]
var CapturedInLoop = Act{Name: "CapturedInLoop", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		for range N {
			i := p.I
			f := func() { n.A[i] = s.B[i] }
			f()
		}
	}}

// MethodExpression has a method as its effect.
//
//	writes B[p.I] = ...; data B[p.I]
var MethodExpression = Act{Name: "MethodExpression", Params: pairs, Guard: always, Effect: (*State).bump}

func (s *State) bump(n *State, p Pair) { n.B[p.I] = s.B[p.I] + 1 }

// MethodValue calls a bound method.
//
//	writes C[p.J] = ...; data A[p.I] B[0]
var MethodValue = Act{Name: "MethodValue", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { f := n.reply; f(s, p.I, p.J, s.B[0]) }}

// Made has an effect that a function makes.
//
//	writes B[p.I] = 7
var Made = Act{Name: "Made", Params: pairs, Guard: always, Effect: setting(7)}

func setting(k int8) func(s, n *State, p Pair) { return func(s, n *State, p Pair) { n.B[p.I] = k } }

// Borrowed has another action's effect.
//
//	writes Modes[p.J] = FAST SLOW; control Flag
var Borrowed = Act{Name: "Borrowed", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { Merge.Effect(s, n, Pair{I: p.J, J: p.I}) }}

// Generic calls generic functions.
//
//	writes B[*] = ...; data C[0] C[1]; control C[0] C[1]
var Generic = Act{Name: "Generic", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { fill(&n.B, pick(s.C[0], s.C[1])) }}

func pick[T int8 | int16](a, b T) T {
	if a < b {
		return b
	}
	return a
}

func fill[T any](xs *[N]T, v T) {
	for i := range xs {
		xs[i] = v
	}
}

// Iterated ranges over a function.
//
//	writes A[*] = ...; data C[*]; control Flag
var Iterated = Act{Name: "Iterated", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		for i := range below(N) {
			if s.Flag {
				n.A[i] = s.C[i]
			}
		}
	}}

func below(n ID) func(func(ID) bool) {
	return func(yield func(ID) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// IteratedEarly returns out of such a loop.
//
//	writes A[*] = 1; control Flag; index Flag
//	writes C[0] = 1; control Flag
var IteratedEarly = Act{Name: "IteratedEarly", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		for i := range below(N) {
			if s.Flag {
				return
			}
			n.A[i] = 1
		}
		n.C[0] = 1
	}}

// Recursive calls a function that calls itself.
//
//	writes B[0] = 0 ...; data A[*]
var Recursive = Act{Name: "Recursive", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.B[0] = sum(s, N-1) }}

func sum(s *State, k int8) int8 {
	if k == 0 {
		return 0
	}
	return s.A[k] + sum(s, k-1)
}

// Mutual has two functions that call each other and write.
//
//	writes A[0] = ...; data B[0]
//	writes C[0] = ...; data B[0]
var Mutual = Act{Name: "Mutual", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.tick(s, 2) }}

func (n *State) tick(s *State, k int8) {
	if k > 0 {
		n.A[0] = s.B[0]
		n.tock(s, k-1)
	}
}

func (n *State) tock(s *State, k int8) {
	if k > 0 {
		n.C[0] = n.A[0]
		n.tick(s, k-1)
	}
}

// Kept has a variable that keeps its value over a recurring call.
//
//	writes A[0] = 1 ...; data B[0]
var Kept = Act{Name: "Kept", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.keep(s, 2) }}

func (n *State) keep(s *State, k int8) {
	v := int8(1)
	set := func(x int8) { v = x }
	if k > 0 {
		set(s.B[0])
		n.keep(s, k-1)
	}
	n.A[0] = v
}

// Interface calls a method of a value whose type is known.
//
//	writes Flag = ...; data A[p.I]
var Interface = Act{Name: "Interface", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		var x applier = setFlag{}
		x.apply(s, n, p)
	}}

type applier interface{ apply(s, n *State, p Pair) }

type setFlag struct{}

func (setFlag) apply(s, n *State, p Pair) { n.Flag = s.A[p.I] > 0 }

// EitherMethod calls one of two methods.
//
//	writes A[p.I] = 1; control B[0]
//	writes C[p.I] = 1; control B[0]
var EitherMethod = Act{Name: "EitherMethod", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		f := n.setA
		if s.B[0] > 0 {
			f = n.setC
		}
		f(p.I)
	}}

func (n *State) setA(i ID) { n.A[i] = 1 }
func (n *State) setC(i ID) { n.C[i] = 1 }

// LocalSlice gathers elements.
//
//	writes Clock.Now = ...; control B[*]
//	writes Clock.Skew = 0 ...; data A[*]; control B[*]; index B[*]
var LocalSlice = Act{Name: "LocalSlice", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		var xs []int8
		for i := range s.A {
			if s.B[i] > 0 {
				xs = append(xs, s.A[i])
			}
		}
		n.Clock.Now = int8(len(xs))
		n.Clock.Skew = xs[0]
	}}

// LocalMap gathers elements in a map.
//
//	writes C[0] = 0 ...; data B[0]; index A[0]
var LocalMap = Act{Name: "LocalMap", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		m := map[int8]int8{}
		m[s.A[0]] = s.B[0]
		n.C[0] = m[1]
	}}

// Variadic gathers arguments.
//
//	writes C[0] = ...; data A[0] B[1]
var Variadic = Act{Name: "Variadic", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.C[0] = total(s.A[0], s.B[1]) }}

func total(xs ...int8) (t int8) {
	for _, x := range xs {
		t += x
	}
	return
}

// Library calls functions of the standard library.
//
//	reads A B[0]
//	writes C[0] = ...; data A B[1]
var Library = Act{Name: "Library", Params: pairs, Guard: func(s *State, p Pair) bool { return slices.Contains(s.A[:], s.B[0]) },
	Effect: func(s, n *State, p Pair) {
		n.C[0] = int8(slices.IndexFunc(s.A[1:], func(v int8) bool { return v == s.B[1] }))
	}}

// Index chooses by the state which element is written.
//
//	writes B[*] = 0; index A[p.I]
var Index = Act{Name: "Index", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.B[s.A[p.I]] = 0 }}

// Table reads a package variable that never changes.
//
//	writes B[p.I] = 6
//	writes C[p.I] = 5 6 7
var Tabled = Act{Name: "Tabled", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		n.C[p.I] = weights[p.J]
		n.B[p.I] = weights[1]
	}}

var weights = [N]int8{5, 6, 7}
