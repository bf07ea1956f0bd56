package initial

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Shared returns the values in the package variables that of reports, and in what they lead
// to, which depend on whether slices share their elements. It returns one value for each place, in
// the order of the places.
func (r *Result) Shared(of func(*ssa.Global) bool) []Unknown {
	w := &walk{seen: map[*Cell]bool{}, found: map[token.Pos]Unknown{}}
	for g, c := range r.Globals {
		if of(g) {
			w.cell(c)
		}
	}
	var out []Unknown
	for _, u := range w.found {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b Unknown) int { return int(a.Pos) - int(b.Pos) })
	return out
}

type walk struct {
	seen  map[*Cell]bool
	found map[token.Pos]Unknown
}

func (w *walk) cells(cs []*Cell) {
	for _, c := range cs {
		w.cell(c)
	}
}

func (w *walk) cell(c *Cell) {
	if !w.seen[c] {
		w.seen[c] = true
		w.value(c.Value)
	}
}

func (w *walk) value(v Value) {
	switch v := v.(type) {
	case Unknown:
		if v.Shared {
			w.found[v.Pos] = v
		}
	case *Cell:
		w.cell(v)
	case *Struct:
		w.cells(v.Fields)
	case *Array:
		w.cells(v.Elems)
	case Slice:
		w.cells(v.Elems)
	case Interface:
		w.value(v.Value)
	case Made:
		for _, a := range v.Args {
			w.value(a)
		}
	case *Func:
		for _, b := range v.Bind {
			w.value(b)
		}
	}
}
