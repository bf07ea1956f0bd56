package itf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// Text returns a value in one line. A record is {Kind: ACK, Zxid: 3}, an array [x, y], a Map [key:
// x] and a Seq <<x, y>>. A Set, Records and a channel of a Bag are {x, y}.
func Text(v modules.View) string {
	var b strings.Builder
	text(&b, &v)
	return b.String()
}

func text(b *strings.Builder, v *modules.View) {
	open, end := "", ""
	switch v.Shape {
	case modules.Scalar:
		b.WriteString(v.Text)
		return
	case modules.Record, modules.Collection, modules.Multiset:
		open, end = "{", "}"
	case modules.Function, modules.Mapping:
		open, end = "[", "]"
	case modules.Sequence:
		open, end = "<<", ">>"
	}
	b.WriteString(open)
	for k := range v.Elems {
		if k > 0 {
			b.WriteString(", ")
		}
		if k < len(v.Names) {
			b.WriteString(v.Names[k] + ": ")
		}
		text(b, &v.Elems[k])
	}
	b.WriteString(end)
}

// Change is a part of a state that a step changed.
type Change struct {
	Path string // as CurrentEpoch[1] or Msgs[0][2]; "" for the whole
	// Old and New are nil where the part did not exist, as an entry of a Map.
	Old, New *modules.View
}

// Changes returns the differences from a to b, in the order of the variables. They are the smallest
// parts of records, arrays and maps that differ. Sequences, sets and multisets are wholes.
func Changes(a, b modules.View) []Change {
	var c comparison
	c.compare("", &a, &b)
	return c.out
}

// comparison collects changes.
type comparison struct{ out []Change }

func (c *comparison) compare(path string, a, b *modules.View) {
	switch {
	case a.Shape != b.Shape:
		c.out = append(c.out, Change{path, a, b})
	case a.Shape == modules.Record || a.Shape == modules.Mapping:
		c.named(path, a, b)
	case a.Shape == modules.Function && len(a.Elems) == len(b.Elems):
		for k := range a.Elems {
			c.compare(path+"["+strconv.Itoa(k)+"]", &a.Elems[k], &b.Elems[k])
		}
	case !Equal(*a, *b):
		c.out = append(c.out, Change{path, a, b})
	}
}

// named compares records and maps by the names of their elements.
func (c *comparison) named(path string, a, b *modules.View) {
	inner := func(name string) string {
		switch {
		case a.Shape == modules.Mapping:
			return path + "[" + name + "]"
		case path == "":
			return name
		}
		return path + "." + name
	}
	for k, name := range a.Names {
		if at := slices.Index(b.Names, name); at >= 0 {
			c.compare(inner(name), &a.Elems[k], &b.Elems[at])
		} else {
			c.out = append(c.out, Change{inner(name), &a.Elems[k], nil})
		}
	}
	for k, name := range b.Names {
		if !slices.Contains(a.Names, name) {
			c.out = append(c.out, Change{inner(name), nil, &b.Elems[k]})
		}
	}
}

// Difference returns the elements of multiset a that b lacks, and those of b that a lacks. An
// element that occurs n times more often on one side is there n times.
func Difference(a, b []modules.View) (onlyA, onlyB []modules.View) {
	matched := make([]bool, len(b))
	for _, x := range a {
		at := slices.IndexFunc(b, func(y modules.View) bool { return Equal(x, y) })
		for at >= 0 && (matched[at] || !Equal(x, b[at])) {
			if at++; at == len(b) {
				at = -1
			}
		}
		if at < 0 {
			onlyA = append(onlyA, x)
		} else {
			matched[at] = true
		}
	}
	for k, y := range b {
		if !matched[k] {
			onlyB = append(onlyB, y)
		}
	}
	return onlyA, onlyB
}

// Equal reports whether two views are the same value. The elements of a Collection and of a
// Multiset are in a fixed order, by which they are compared.
func Equal(a, b modules.View) bool {
	return a.Shape == b.Shape && a.Text == b.Text && slices.Equal(a.Names, b.Names) && slices.EqualFunc(a.Elems, b.Elems, Equal)
}

// Call returns the name of a step, as check prints it: Elect(I: 0, Q: {0, 1}).
func Call(action string, params modules.View) string {
	var parts []string
	for k, e := range params.Elems {
		if k < len(params.Names) {
			parts = append(parts, params.Names[k]+": "+Text(e))
		}
	}
	if len(params.Names) == 0 && (params.Text != "" || len(params.Elems) > 0) {
		parts = []string{Text(params)}
	}
	return action + "(" + strings.Join(parts, ", ") + ")"
}

// Shared returns the changes from a to b of parts that both have. A composition has no room in
// an array that it does not use, so an empty one is none.
func Shared(a, b modules.View) (out []Change) {
	empty := func(v *modules.View) bool { return v.Shape == modules.Function && len(v.Elems) == 0 }
	for _, c := range Changes(a, b) {
		if c.Old != nil && c.New != nil && !empty(c.Old) && !empty(c.New) {
			out = append(out, c)
		}
	}
	return out
}
