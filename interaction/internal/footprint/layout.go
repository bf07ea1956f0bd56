package footprint

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// layout says which leaves a type has. The leaves of a struct are those of its fields, one after
// the other, so that a part of a value is a range of its leaves. An array has the leaves of its
// element: indices are kept separately. Value types of package modules are leaves, and so is all
// that is neither struct nor array. A Net or Bag has one leaf for each kind of message and one for
// the broken connections.
type layout struct {
	typ    types.Type
	leaves []leaf
	fields []part  // of a struct
	elem   *layout // of an array
	length int64
	kinds  []kind // of a Net, Bag or Raised
	value  string // the name of a value type of package modules
}

type leaf struct {
	path string // relative; it starts with "#" or "." for a part of a Net
	typ  types.Type
	dims int   // arrays passed over, Net's two included
	size int64 // elements of the array, where dims is 1 and it is no Net
}

type part struct {
	name  string
	start int
	lay   *layout
}

// kind is a kind of message, or an assertion.
type kind struct {
	name  string
	value string // the constant
}

// layouts has one layout for identical types.
type layouts struct {
	byType    map[types.Type]*layout
	canonical typeutil.Map
}

func (l *layouts) of(t types.Type) *layout {
	if lay := l.byType[t]; lay != nil {
		return lay
	}
	lay, ok := l.canonical.At(t).(*layout)
	if !ok {
		lay = l.make(t)
		l.canonical.Set(t, lay)
	}
	l.byType[t] = lay
	return lay
}

func (l *layouts) make(t types.Type) *layout {
	lay := &layout{typ: t}
	if n := vocabulary(t); n != nil && !plain[n.Obj().Name()] {
		lay.value = n.Obj().Name()
		switch lay.value {
		case "Net", "Bag":
			l.channel(lay, n)
			return lay
		case "Raised":
			lay.kinds = kindsOf(n.TypeArgs().At(0))
			lay.leaves = kindLeaves(lay, 0)
			return lay
		}
		lay.leaves = []leaf{{typ: t}}
		return lay
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			sub := l.of(f.Type())
			lay.fields = append(lay.fields, part{f.Name(), len(lay.leaves), sub})
			for _, x := range sub.leaves {
				x.path = joinPath(f.Name(), x.path)
				lay.leaves = append(lay.leaves, x)
			}
		}
	case *types.Array:
		lay.elem, lay.length = l.of(u.Elem()), u.Len()
		for _, x := range lay.elem.leaves {
			x.dims++
			x.size = 0
			if x.dims == 1 {
				x.size = u.Len()
			}
			lay.leaves = append(lay.leaves, x)
		}
	case *types.Tuple:
		for v := range u.Variables() {
			sub := l.of(v.Type())
			lay.fields = append(lay.fields, part{"", len(lay.leaves), sub})
			lay.leaves = append(lay.leaves, sub.leaves...)
		}
	default:
		lay.leaves = []leaf{{typ: t}}
	}
	return lay
}

// plain are the structs of package modules that are used as structs.
var plain = map[string]bool{"None": true, "One": true, "Pair": true, "Party": true, "At": true,
	"Action": true, "Rule": true, "Invariant": true, "Budget": true}

// vocabulary is t as a type of package modules, else nil.
func vocabulary(t types.Type) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != Vocabulary {
		return nil
	}
	return n
}

func (l *layouts) channel(lay *layout, n *types.Named) {
	lay.kinds = kindsOf(n.TypeArgs().At(1))
	lay.leaves = append(kindLeaves(lay, 2), leaf{path: ".cut", typ: types.Typ[types.Bool], dims: 2})
}

func kindLeaves(lay *layout, dims int) (out []leaf) {
	for _, k := range lay.kinds {
		path := ""
		if k.name != "" {
			path = "#" + k.name
		}
		out = append(out, leaf{path: path, typ: lay.typ, dims: dims})
	}
	return out
}

// kindsOf lists the constants of a kind type by value; of two with one value, the one declared
// first. A type without constants has one kind without a name.
func kindsOf(t types.Type) []kind {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return []kind{{}}
	}
	scope := named.Obj().Pkg().Scope()
	var found []*types.Const
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && name != "_" && types.Identical(c.Type(), named) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *types.Const) int {
		if x, y := intOf(a), intOf(b); x != y {
			return int(x - y)
		}
		return int(a.Pos()) - int(b.Pos())
	})
	var out []kind
	for _, c := range found {
		if v := c.Val().ExactString(); len(out) == 0 || out[len(out)-1].value != v {
			out = append(out, kind{c.Name(), v})
		}
	}
	if len(out) == 0 {
		out = []kind{{}}
	}
	return out
}

func intOf(c *types.Const) int64 {
	v, _ := constant.Int64Val(constant.ToInt(c.Val()))
	return v
}

func joinPath(a, b string) string {
	if b == "" || strings.HasPrefix(b, "#") || strings.HasPrefix(b, ".") {
		return a + b
	}
	return a + "." + b
}

// Assertion returns the number, from 0, of the assertion that a variable stands for. It returns -1
// for other variables and where the number is not known.
func (a *Analyzer) Assertion(variable int) int64 {
	v := a.Variables[variable]
	if v.Value != "Raised" || v.Kind == "" {
		return -1
	}
	for _, k := range a.layouts.of(v.Type).kinds {
		if k.name == v.Kind {
			n, err := strconv.ParseInt(k.value, 10, 64)
			if err == nil {
				return n
			}
		}
	}
	return -1
}
