package awkward

// Helper writes through a method with a receiver.
//
//	reads A[p.I] Flag
//	writes C[p.J] = ...; data A[p.I]
var Helper = Act{Name: "Helper", Params: pairs,
	Guard:  func(s *State, p Pair) bool { return s.Flag && s.A[p.I] > 0 },
	Effect: func(s, n *State, p Pair) { n.reply(s, p.I, p.J, 3) }}

func (n *State) reply(s *State, i, j ID, extra int8) { n.C[j] = extra + s.A[i] }

// CopyBack changes a copy of the state and puts it back.
//
//	writes B[p.I] = ...; data A[p.I]
var CopyBack = Act{Name: "CopyBack", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		next := *n
		next.B[p.I] = next.A[p.I] + 1
		*n = next
	}}

// CopyLost writes something that putting back an older copy undoes.
//
//	writes B[p.I] = 1
var CopyLost = Act{Name: "CopyLost", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		next := *n
		n.C[0] = s.A[0]
		next.B[p.I] = 1
		*n = next
	}}

// CopySometimes puts the copy back on a condition.
//
//	writes C[0] = 1; control Flag
var CopySometimes = Act{Name: "CopySometimes", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		if s.Flag {
			next := *n
			next.C[0] = 1
			*n = next
		}
	}}

// UndoneSometimes undoes a write on a condition, so the condition decides.
//
//	writes C[0] = ...; data A[0]; control Flag
var UndoneSometimes = Act{Name: "UndoneSometimes", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		n.C[0] = s.A[0]
		if s.Flag {
			n.C = s.C
		}
	}}

// Alias writes through pointers to a struct.
//
//	reads Nodes.On[p.I]
//	writes Clock.Now = ...; data Clock.Skew
//	writes Nodes.Sees[p.I]{p.J} = ...
var Alias = Act{Name: "Alias", Params: pairs,
	Guard: func(s *State, p Pair) bool { node := &s.Nodes[p.I]; return node.On },
	Effect: func(s, n *State, p Pair) {
		node := &n.Nodes[p.I]
		node.Sees.Add(p.J)
		c := &n.Clock
		c.Now = c.Skew
	}}

// ReturnedPointer writes through a pointer that a function returns.
//
//	writes Nodes.On[p.I] = ...; data Nodes.On[p.J]
var ReturnedPointer = Act{Name: "ReturnedPointer", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { nodeOf(n, p.I).On = nodeOf(s, p.J).On }}

func nodeOf(s *State, i ID) *Node { return &s.Nodes[i] }

// PointerChoice may write one of two variables.
//
//	writes A[0] = ...; data C[0]; control Flag
//	writes B[0] = ...; data C[0]; control Flag
var PointerChoice = Act{Name: "PointerChoice", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		q := &n.A[0]
		if s.Flag {
			q = &n.B[0]
		}
		*q = s.C[0]
	}}

// PointerSlice may write one of two variables, chosen by a parameter.
//
//	writes A[0] = ...; data C[0]
//	writes B[0] = ...; data C[0]
var PointerSlice = Act{Name: "PointerSlice", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		qs := []*int8{&n.A[0], &n.B[0]}
		*qs[p.I] = s.C[0]
	}}

// PointerStruct carries the state in a struct.
//
//	writes A[p.I] = ...; data B[p.I]
var PointerStruct = Act{Name: "PointerStruct", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { step{s, n, p.I}.do() }}

type step struct {
	from, to *State
	i        ID
}

func (x step) do() { x.to.A[x.i] = x.from.B[x.i] }

// ElementPointer keeps a pointer to an element that the state chooses.
//
//	writes B[p.I] = 0
//	writes C[p.J] = ...; data A[*]; index B[p.I]
var ElementPointer = Act{Name: "ElementPointer", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		q := &s.A[s.B[p.I]]
		n.B[p.I] = 0
		n.C[p.J] = *q
	}}

// Swap exchanges two variables.
//
//	writes A = ...; data B
//	writes B = ...; data A
var Swap = Act{Name: "Swap", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.A, n.B = n.B, n.A }}

// SwapElements exchanges two elements through pointers.
//
//	writes A[p.I] = ...; data B[p.J]
//	writes B[p.J] = ...; data A[p.I]
var SwapElements = Act{Name: "SwapElements", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { swap(&n.A[p.I], &n.B[p.J]) }}

func swap[T any](a, b *T) { *a, *b = *b, *a }

// ReadAfterWrite reads what it has just written.
//
//	writes A[p.I] = ...; data B[p.I]
//	writes C[p.I] = ...; data B[p.I]
//	writes Clock.Now = ...; data Clock.Skew
var ReadAfterWrite = Act{Name: "ReadAfterWrite", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		n.A[p.I] = s.B[p.I]
		n.C[p.I] = n.A[p.I]
		n.Clock.Now = s.Clock.Skew
		n.Clock.Skew = n.Clock.Now
	}}

// ReadOtherElement reads an element that may be the one just written.
//
//	writes A[p.I] = ...; data B[p.I]
//	writes C[p.I] = ...; data A[p.J] B[p.I]
var ReadOtherElement = Act{Name: "ReadOtherElement", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		n.A[p.I] = s.B[p.I]
		n.C[p.I] = n.A[p.J]
	}}

// ReadConstantElement reads an element that cannot be the one just written.
//
//	writes A[0] = ...; data B[0]
//	writes C[0] = ...; data A[1]
var ReadConstantElement = Act{Name: "ReadConstantElement", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		n.A[0] = s.B[0]
		n.C[0] = n.A[1]
	}}

// WholeArray fills a local array element by element and stores it.
//
//	writes A = 7 ...; data B[0] B[2]
var WholeArray = Act{Name: "WholeArray", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		var t [N]int8
		t[0], t[1], t[2] = s.B[2], s.B[0], 7
		n.A = t
	}}

// LocalArray changes an element of a copied array.
//
//	writes A[p.I] = ...; data B[0]
var LocalArray = Act{Name: "LocalArray", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		t := s.A
		t[p.I] = s.B[0]
		n.A = t
	}}

// Row copies a row of a matrix to another place.
//
//	writes Grid[p.I] = ...; data Grid[p.J]
var Row = Act{Name: "Row", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.Grid[p.I] = s.Grid[p.J] }}

// Cell writes one element of a matrix.
//
//	reads Grid[p.J][0]
//	writes Grid[p.I][p.J] = ...; data Grid[p.I][p.J]
var Cell = Act{Name: "Cell", Params: pairs, Guard: func(s *State, p Pair) bool { return s.Grid[p.J][0] > 0 },
	Effect: func(s, n *State, p Pair) { n.Grid[p.I][p.J]++ }}

// StructCopy changes one field of a copied struct.
//
//	writes Clock.Now = ...; data Clock.Now
var StructCopy = Act{Name: "StructCopy", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		c := s.Clock
		c.Now++
		n.Clock = c
	}}

// StructLiteral replaces a struct.
//
//	writes Nodes.On[p.I] = ...; data Flag
//	writes Nodes.Sees[p.I] = {}
//	writes Nodes.Log[p.I] = {}
var StructLiteral = Act{Name: "StructLiteral", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.Nodes[p.I] = Node{On: s.Flag} }}

// ByValue hands the whole state to a function.
//
//	reads A[p.I] B[p.I]
//	writes Flag = true
var ByValue = Act{Name: "ByValue", Params: pairs, Guard: func(s *State, p Pair) bool { return even(*s, p.I) },
	Effect: func(s, n *State, p Pair) { n.Flag = true }}

func even(s State, i ID) bool { return s.A[i] == s.B[i] }

// LoopEscape has three variables of one name alive at a time.
//
//	writes C[0] = 0 ...; data A[0]
var LoopEscape = Act{Name: "LoopEscape", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		var qs []*int8
		for range N {
			v := int8(0)
			qs = append(qs, &v)
			n.C[0] = *qs[0]
			v = s.A[0]
		}
	}}

// MadeTwice has two objects of one function alive at a time. They are not told apart, so C has a source too many.
//
//	writes B[p.I] = 0 ...; data A[0]
//	writes C[p.I] = 0 ...; data A[0]
var MadeTwice = Act{Name: "MadeTwice", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		var last, first *int8
		for range 2 {
			first, last = last, boxed(0)
			if first != nil {
				*first = s.A[0]
			}
			n.C[p.I] = *last
		}
		n.B[p.I] = *first
	}}

func boxed(v int8) *int8 { return &v }
