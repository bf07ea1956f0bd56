package awkward

type point struct{ X, Y int8 }

func (i *point) bump()    { i.X++ }
func (i point) sum() int8 { return i.X + i.Y }

type outer struct {
	*point
	Z int8
}

type wrapped struct {
	point
	W [2]int8
}

// Embedded has methods of embedded fields.
//
//	writes C[p.I] = ...; data A[0] B[0]
var Embedded = Act{Name: "Embedded", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		o := outer{&point{s.A[0], 1}, 2}
		o.bump()
		w := wrapped{point: point{o.X, s.B[0]}}
		w.bump()
		w.W[1] = w.sum()
		n.C[p.I] = w.W[1] + o.Z
	}}

// Jumps goes to labels and falls through.
//
//	writes B[*] = 1; control A[0]; index A[0]
//	writes C[0] C[1] = 1 2; control B[0] Flag
//	writes Modes[*] = FAST; control Grid[*][*]; index Grid[*][*]
var Jumps = Act{Name: "Jumps", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		k := 0
	again:
		if int8(k) < s.A[0] {
			n.B[k] = 1
			k++
			goto again
		}
	rows:
		for i := range N {
			for j := range N {
				if s.Grid[i][j] > 1 {
					continue rows
				}
				if s.Grid[i][j] == 1 {
					break rows
				}
				n.Modes[j] = FAST
			}
		}
		switch {
		case s.Flag:
			n.C[0] = 1
			fallthrough
		case s.B[0] > 0:
			n.C[1] = 2
		}
	}}

// TypeSwitch tests what an interface holds.
//
//	writes A[p.I] = ...; data A[0]; control Flag
//	writes Modes[p.I] = ...; data Modes[0]; control Flag
var TypeSwitch = Act{Name: "TypeSwitch", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		var x any = s.A[0]
		if s.Flag {
			x = s.Modes[0]
		}
		switch v := x.(type) {
		case int8:
			n.A[p.I] = v
		case Mode:
			n.Modes[p.I] = v
		}
	}}

// FunctionTable chooses a function by a parameter, and calls one with a state of its own.
//
//	writes C[0] C[1] = 1 ...; data A[0] B[0] Clock.Now Clock.Skew
var FunctionTable = Act{Name: "FunctionTable", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		fs := [N]func(int8) int8{
			func(x int8) int8 { return x + s.A[0] },
			func(x int8) int8 { return s.B[0] },
			func(x int8) int8 { return 1 },
		}
		n.C[0] = fs[p.I](s.Clock.Now)
		next := counter(s.Clock.Skew)
		next()
		n.C[1] = next()
	}}

func counter(k int8) func() int8 {
	return func() int8 {
		k++
		return k
	}
}

var handlers = []func(s, n *State, p Pair){
	func(s, n *State, p Pair) { n.A[0] = s.B[0] },
	func(s, n *State, p Pair) { n.B[0] = s.A[0] },
}

// Handlers calls all functions of a package variable.
//
//	writes A[0] = ...; data B[0]
//	writes B[0] = ...; data A[0]
var Handlers = Act{Name: "Handlers", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		for _, h := range handlers {
			h(s, n, p)
		}
	}}

type list struct {
	v    int8
	next *list
}

// Linked builds a linked list.
//
//	writes C[0] = ...; data A[*]; control B[*]
var Linked = Act{Name: "Linked", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		var head *list
		for i := range N {
			if s.B[i] > 0 {
				head = &list{s.A[i], head}
			}
		}
		t := int8(0)
		for x := head; x != nil; x = x.next {
			t += x.v
		}
		n.C[0] = t
	}}

// Several returns several values.
//
//	writes A[0] = ...; data A[p.I]; control Flag
//	writes Clock.Now = ...; data B[0]; control Flag
//	writes Clock.Skew = 0; control Flag
var Several = Act{Name: "Several", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		a, c, ok := three(s, p)
		if ok {
			n.A[0], n.Clock = a, c
		}
	}}

func three(s *State, p Pair) (int8, Clock, bool) { return s.A[p.I], Clock{Now: s.B[0]}, s.Flag }

// NetCopy plays with a copy of the network, and sends through a bound method.
//
//	writes C[0] = ...; data Msgs#PING[0][1] Msgs#PONG[0][1] Msgs#STOP[0][1]; control Msgs#PING[0][1] Msgs#PONG[0][1] Msgs#STOP[0][1]
//	writes Msgs#STOP[p.I][p.J] = ...; control Msgs.cut[p.I][p.J]
var NetCopy = Act{Name: "NetCopy", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		m := s.Msgs
		for m.Len(0, 1) > 0 {
			n.C[0] = m.Pop(0, 1).Load
		}
		send := n.Msgs.Send
		send(p.I, p.J, Msg{Kind: STOP})
	}}
