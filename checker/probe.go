package checker

import (
	"reflect"
	"slices"
)

// Point is a place of a specification's source where an instrumented program notes a truth value:
// an operand of a condition, or a return of a constant.
type Point struct {
	Func         string // the function or action that it is in
	File         string
	Line, Column int
	Text         string // the operand; of a constant return the condition under which it is reached
	Kind         string // PointOperand, PointBranch, PointReturn or PointLine
	// Locals are names of variables whose values are noted too: those of the loops around it.
	Locals []string
	// Operands are the parts of Text whose values are noted as well: what it reads of states,
	// parameters and variables.
	Operands []string
}

// Kinds of points.
const (
	PointOperand = "operand" // of what a function returns
	PointBranch  = "branch"  // of the condition of an if, a loop or a case
	PointReturn  = "return"  // of true or false
	PointLine    = "line"    // a changed line of an implementation
)

// Probe holds the notes of an instrumented program. It is not safe for use by several goroutines.
type Probe struct {
	Points []Point
	// True and False count how often each point had that value since the program began: the
	// coverage of guards, effects and invariants by branches.
	True, False []int64
	recording   bool
	seen        []Seen
}

// Seen is one value that was noted, with the values of the point's Locals and Operands, in that
// order. One that could not be evaluated, as an element after the end, is nil.
type Seen struct {
	Point  int
	Value  bool
	Values []any
}

// maxSeen bounds what is kept of one recording.
const maxSeen = 1 << 14

// Start gives the probe its points.
func (p *Probe) Start(points []Point) {
	p.Points = points
	p.True, p.False = make([]int64, len(points)), make([]int64, len(points))
}

// See notes the value v of a point, an index of Points, and returns v. The function at evaluates
// the point's Locals and then its Operands, by their index from 0. It may be nil where there are
// none. See calls it only during Explain and does not keep it.
func (p *Probe) See(point int, v bool, at func(k int) any) bool {
	if v {
		p.True[point]++
	} else {
		p.False[point]++
	}
	if p.recording {
		if len(p.seen) == maxSeen {
			p.seen = slices.Delete(p.seen, 0, maxSeen/2)
		}
		var values []any
		p.recording = false // what calls among the operands see is not what is asked for
		for k := range len(p.Points[point].Locals) + len(p.Points[point].Operands) {
			values = append(values, evaluated(at, k))
		}
		p.recording = true
		p.seen = append(p.seen, Seen{point, v, values})
	}
	return v
}

// evaluated returns a value as it is now: what a pointer points to is copied. It is nil where its
// evaluation panics, since a condition before it may be what kept it from being evaluated.
func evaluated(at func(k int) any, k int) (value any) {
	defer func() {
		if recover() != nil {
			value = nil
		}
	}()
	value = at(k)
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Pointer:
		return v.Elem().Interface()
	case reflect.Func:
		return nil
	}
	return value
}

// Reason is why a function answered as it did: the operand that decided, first where it stands in
// the function itself, then in functions that it calls.
type Reason struct {
	Point
	Value  bool
	Values []any // of Locals, then of Operands; nil for what could not be evaluated
}

// Explain runs f, which calls one function of the specification, and returns the points that
// explain its answer. The last point seen decided. The points of other functions right before it
// with the same value are where that value came from. The result is empty where nothing was seen,
// as in a function without conditions. The counts do not change.
func (p *Probe) Explain(f func() bool) (answer bool, why []Reason) {
	if p == nil {
		return f(), nil
	}
	t, n := slices.Clone(p.True), slices.Clone(p.False)
	p.recording, p.seen = true, nil
	defer func() {
		p.recording, p.seen = false, nil
		p.True, p.False = t, n
	}()
	answer = f()
	for k := len(p.seen) - 1; k >= 0 && len(why) < 4; k-- {
		s := p.seen[k]
		at := p.Points[s.Point]
		if len(why) > 0 && (s.Value != why[0].Value || at.Func == why[len(why)-1].Func) {
			break
		}
		why = append(why, Reason{at, s.Value, s.Values})
	}
	return answer, why
}
