package normal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Code collects roots and what is reachable from them.
type Code struct {
	x     *Index
	roots []root
	err   error
}

type root struct {
	name          string
	folded, named *form
}

// Collect returns a collection without roots.
func (x *Index) Collect() *Code { return &Code{x: x} }

// Root adds a root that write writes. It is called twice and must write the same. The name says
// what it is where it has changed, as "action Join". A root without a name is no part of Parts.
func (c *Code) Root(name string, write func(w *Writer)) {
	main := c.x.packages[len(c.x.packages)-1]
	r := root{name: name}
	for _, named := range []bool{false, true} {
		w := c.x.writer(main, named)
		write(w)
		c.err = cmp.Or(c.err, w.failed)
		if named {
			r.named = w.done()
		} else {
			r.folded = w.done()
		}
	}
	c.roots = append(c.roots, r)
}

// Digests are digests of roots with all that is reachable from them.
type Digests struct {
	// Whole has 32 hexadecimal digits. It is the same for sources that do the same.
	Whole string
	// Parts are digests of 8 hexadecimal digits, by the kind and the name of a declaration or of a
	// root, such as "function quorum". They tell which one has changed if Whole has.
	Parts map[string]string
	// Constants are the constants of the last package whose values matter, by name.
	Constants []string
}

// Digests returns the digests. It fails if a root is not known.
func (c *Code) Digests() (*Digests, error) {
	if c.err != nil {
		return nil, c.err
	}
	t := &traversal{x: c.x, numbers: map[any]int{}, constants: map[*types.Const]bool{}}
	h := sha256.New()
	add := func(f *form) {
		fmt.Fprintf(h, "%d %s", len(f.text), t.numbered(f))
	}
	for _, r := range c.roots {
		add(r.folded)
	}
	for k := 0; k < len(t.nodes); k++ {
		add(c.x.form(t.nodes[k], false))
	}
	out := &Digests{Whole: hex.EncodeToString(h.Sum(nil)[:16]), Parts: map[string]string{}}
	names := c.x.names(t.nodes)
	for _, r := range c.roots {
		if r.name != "" {
			out.add(r.name, r.named.by(names))
		}
	}
	for _, n := range t.nodes {
		out.add(names[n], c.x.form(n, true).by(names))
	}
	t.constant(out)
	return out, nil
}

// add adds a part. Two parts with one name have one digest of both.
func (d *Digests) add(name, text string) {
	sum := sha256.Sum256([]byte(d.Parts[name] + text))
	d.Parts[name] = hex.EncodeToString(sum[:4])
}

// traversal numbers declarations in the order in which the roots lead to them, those of one
// declaration after those of the one before.
type traversal struct {
	x         *Index
	nodes     []any
	numbers   map[any]int
	constants map[*types.Const]bool
}

// numbered returns the text of a form with the numbers of what it mentions.
func (t *traversal) numbered(f *form) string {
	for _, c := range f.constants {
		t.constants[c] = true
	}
	return f.filled(func(n any) string {
		k, ok := t.numbers[n]
		if !ok {
			k = len(t.nodes)
			t.numbers[n] = k
			t.nodes = append(t.nodes, n)
		}
		return fmt.Sprint(k)
	})
}

// constant adds the constants whose values are in the forms, and those that they follow from.
func (t *traversal) constant(out *Digests) {
	main := t.x.packages[len(t.x.packages)-1]
	for todo := slices.Collect(maps.Keys(t.constants)); len(todo) > 0; todo = todo[1:] {
		d := t.x.decls[todo[0]]
		if d.repeats == nil || d.index >= len(d.repeats.Values) {
			continue
		}
		w := t.x.writer(d.pkg, false)
		for _, c := range w.constantsOf(d.repeats.Values[d.index]) {
			if !t.constants[c] {
				t.constants[c] = true
				todo = append(todo, c)
			}
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(t.constants), byName) {
		if c.Pkg() == main.Types && c.Parent() == main.Types.Scope() {
			out.Constants = append(out.Constants, c.Name())
		}
		if !t.x.set[c] {
			w := t.x.writer(t.x.decls[c].pkg, true)
			w.constantOf(c)
			out.add("constant "+c.Name(), w.done().by(nil))
		}
	}
	slices.Sort(out.Constants)
}

func byName(a, b *types.Const) int {
	return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Pkg().Path(), b.Pkg().Path()))
}

// filled returns the text with its holes filled.
func (f *form) filled(name func(node any) string) string {
	parts := strings.Split(f.text, hole)
	var out strings.Builder
	for k, p := range parts {
		out.WriteString(p)
		if k < len(f.mentions) {
			out.WriteString(name(f.mentions[k]))
		}
	}
	return out.String()
}

// by returns the text with the names of what it mentions.
func (f *form) by(names map[any]string) string {
	return f.filled(func(n any) string {
		if s, ok := names[n]; ok {
			return s
		}
		if o, ok := n.(types.Object); ok {
			return nameOf(o)
		}
		return ""
	})
}

// names returns the kinds and names of nodes.
func (x *Index) names(nodes []any) map[any]string {
	names := map[any]string{}
	for _, n := range nodes {
		switch o := n.(type) {
		case *Package:
			names[n] = "package " + o.Path
		case *types.Func:
			names[n] = "function " + nameOf(o)
		case *types.TypeName:
			names[n] = "type " + o.Name()
		case *types.Const:
			names[n] = "constant " + o.Name()
		case types.Object:
			names[n] = "variable " + o.Name()
		}
	}
	return names
}

// form returns the normal form of a node.
func (x *Index) form(node any, named bool) *form {
	if p, ok := node.(*Package); ok {
		w := x.writer(p, named)
		w.Text(p.Path + " " + p.Whole)
		for _, i := range p.Types.Imports() {
			if q := x.byTypes[i]; q != nil {
				w.mention(q)
			}
		}
		return w.done()
	}
	o := node.(types.Object)
	d := x.decls[o]
	w := x.writer(d.pkg, named)
	switch o := o.(type) {
	case *types.Func:
		w.Word("func")
		if d.fn.Recv != nil {
			w.node(d.fn.Recv)
		}
		w.node(d.fn.Type)
		if d.fn.Body != nil {
			w.node(d.fn.Body)
		}
	case *types.TypeName:
		w.typeOf(o, d)
	case *types.Const:
		w.constantOf(o)
	case *types.Var:
		w.variable(o, d)
	}
	return w.done()
}

func (w *Writer) typeOf(o *types.TypeName, d *declaration) {
	w.Word("type")
	if d.typ.TypeParams != nil {
		w.node(d.typ.TypeParams)
	}
	if d.typ.Assign.IsValid() {
		w.Word("=")
	}
	w.node(d.typ.Type)
	for _, m := range w.x.askedMethods(o) {
		w.Text(m.Name())
		w.mention(m)
	}
}

// constantOf writes the value of a constant, of an open one the expression that it follows from.
func (w *Writer) constantOf(c *types.Const) {
	d := w.x.decls[c]
	if !w.x.open[c] || d.repeats == nil || d.index >= len(d.repeats.Values) {
		w.Word("const")
		w.Text(c.Val().ExactString())
		w.Text(types.TypeString(c.Type(), func(p *types.Package) string { return "" }))
		return
	}
	w.Word("open")
	w.Number(d.iota)
	if d.repeats.Type != nil {
		w.node(d.repeats.Type)
	}
	w.node(d.repeats.Values[d.index])
}

func (w *Writer) variable(v *types.Var, d *declaration) {
	w.Word("var")
	if d.value.Type != nil {
		w.node(d.value.Type)
	}
	switch {
	case len(d.value.Values) == len(d.value.Names):
		w.node(d.value.Values[d.index])
	case len(d.value.Values) > 0: // a call with several results
		w.Number(d.index)
		w.node(d.value.Values[0])
	}
	for _, o := range w.x.writers(v) {
		w.Word("written")
		w.mention(o)
	}
}
