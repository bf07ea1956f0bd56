package refine

import (
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// A course is which steps a search takes, and what of a row it tells apart.
//
// Right before a crash that is little. All that was seen of the node is explained by then, and what
// it sends is lost. Two rows differ only in variables that the restart keeps or depends on, that a
// step which changes such a variable reads, and so on. These are the backward closure of the
// restart's footprint over those of the actions. Steps that write nothing of it are left out.
// Variables outside it are set to zero, so rows that differ in nothing else are one. The closure
// has all that the remaining steps read, so they do with the zeroed row what they do with the whole
// one. The variables that decide whether such a step is enabled may be large, as the votes of an
// election are. Then the specification declares what stands for it: modules.Runtime.BeforeCrash.
// What a restart leaves open need not be chosen before it: modules.Runtime.AfterCrash.
type course[S any] struct {
	handlers    [][]instance[S] // by peer and kind: peer*256+kind
	spontaneous []instance[S]
	idle        map[string]bool // inputs that change nothing of what matters
	// of a row: what means nothing, and what means nothing to hidden steps and the restart
	void, last []modules.Span
	// Of spontaneous: those that are free, those that are hidden, and the others. All three are
	// filled by sort.
	frees, hiddens []*instance[S]
	others         []group[S]
}

// group is spontaneous instances that a search tries together: the lazy ones to one server, or all
// that are not lazy.
type group[S any] struct {
	to    int // of lazy instances; -1
	lanes uint64
	all   []*instance[S]
	// possible has, by row, those that are not refused there.
	possible map[string][]*instance[S]
}

// maxPossible is how many rows possible has at most.
const maxPossible = 1 << 10

// sort sorts the spontaneous instances, when all are known.
func (k *course[S]) sort() {
	k.frees, k.hiddens, k.others = nil, nil, nil
	for x := range k.spontaneous {
		switch in := &k.spontaneous[x]; {
		case in.free:
			k.frees = append(k.frees, in)
		case in.hidden:
			k.hiddens = append(k.hiddens, in)
		default:
			g := k.groupOf(in)
			g.all = append(g.all, in)
			g.lanes |= in.lanes
		}
	}
	for _, g := range k.others {
		for x := len(g.all) - 1; x >= 0; x-- {
			in := g.all[x]
			if in.past = x + 1; in.open != nil && x+1 < len(g.all) && g.all[x+1].name == in.name && g.all[x+1].to == in.to {
				in.past = g.all[x+1].past
			}
		}
	}
}

// groupOf returns the group of an instance, which it makes if there is none.
func (k *course[S]) groupOf(in *instance[S]) *group[S] {
	to := -1
	if in.lazy {
		to = in.to
	}
	x := slices.IndexFunc(k.others, func(g group[S]) bool { return g.to == to })
	if x < 0 {
		x = len(k.others)
		k.others = append(k.others, group[S]{to: to, possible: map[string][]*instance[S]{}})
	}
	return &k.others[x]
}

// forgetPossible forgets the possible instances of all rows: Chains have other numbers now.
func (n *node[S]) forgetPossible() {
	for _, groups := range [2][]group[S]{n.others, n.crashing.others} {
		for x := range groups {
			clear(groups[x].possible)
		}
	}
}

// leaf is a variable, or a field of one, and where it is in a row.
type leaf struct {
	path  string
	spans []modules.Span
}

// leaves returns those of the node's row.
func (d *deriver[S]) leaves() (out []leaf) {
	for _, v := range d.node.plan.Variables {
		f, _ := d.state.FieldByName(v)
		elem := f.Type.Elem()
		out = d.appendLeaves(out, v, elem, f.Offset+uintptr(d.node.me)*elem.Size())
	}
	return out
}

func (d *deriver[S]) appendLeaves(out []leaf, path string, t reflect.Type, at uintptr) []leaf {
	switch {
	case t.Kind() == reflect.Array:
		for k := range t.Len() {
			out = d.appendLeaves(out, path, t.Elem(), at+uintptr(k)*t.Elem().Size())
		}
		return out
	case t.Kind() == reflect.Struct && t.PkgPath() != reflect.TypeFor[modules.None]().PkgPath():
		for f := range t.Fields() {
			out = d.appendLeaves(out, path+"."+f.Name, f.Type, at+f.Offset)
		}
		return out
	}
	l := leaf{path: path}
	for _, s := range modules.Spans(t) {
		l.spans = append(l.spans, d.inRow(at+s.Offset, s.Size)...)
	}
	return append(out, l)
}

// inRow returns where bytes of the State are in a row.
func (d *deriver[S]) inRow(at, size uintptr) (out []modules.Span) {
	row := uintptr(0)
	for _, s := range d.node.row {
		if from, to := max(at, s.Offset), min(at+size, s.Offset+s.Size); from < to {
			out = append(out, modules.Span{Offset: row + from - s.Offset, Size: to - from})
		}
		row += s.Size
	}
	return out
}

// overlap reports whether one of two variables is the other one, or a field of it.
func overlap(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// concern finds which actions, of those that may come before a restart, write what it depends on
// through any number of them, and what else means nothing to it.
func (d *deriver[S]) concern(restarts, actions []string, leaves []leaf) (used map[string]bool, blank []modules.Span) {
	matters, used := map[string]bool{}, map[string]bool{}
	read := func(f *modules.Footprint) {
		for _, a := range f.Reads() {
			field, _, _ := strings.Cut(a.Variable, "#")
			field, _, _ = strings.Cut(field, ".")
			if d.rows[field] {
				matters[a.Variable] = true
			}
		}
	}
	in := func(v string) bool {
		for m := range matters {
			if overlap(m, v) {
				return true
			}
		}
		return false
	}
	for _, name := range restarts {
		f := d.footprint(name)
		read(f)
		for _, l := range leaves {
			if !slices.ContainsFunc(f.Writes, func(w modules.Write) bool {
				return (w.Variable == l.path || strings.HasPrefix(l.path, w.Variable+".")) && len(w.Sources()) == 0 && len(w.Elements) == 1 && len(w.Elements[0].Index) == 1
			}) {
				matters[l.path] = true // it may be kept
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for _, name := range actions {
			if f := d.footprint(name); !used[name] && slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return in(w.Variable) }) {
				used[name], grown = true, true
				read(f)
			}
		}
	}
	for _, l := range leaves {
		if !in(l.path) {
			blank = append(blank, l.spans...)
		}
	}
	return used, blank
}

// beforeCrash derives the course of searches right before a crash.
func (d *deriver[S]) beforeCrash(classes []PlanAction, stands []modules.SpecAction[S]) error {
	n := d.node
	whole := n.course
	if n.crashing = whole; d.plain {
		return nil
	}
	var restarts, names, hidden []string
	for _, p := range classes {
		switch p.Class {
		case RestartStep:
			restarts = append(restarts, p.Name)
		case Receive, InputClass, Spontaneous:
			if isIn(d.spec.Runtime.AfterCrash.Of, p.Name) {
				continue
			}
			if stand := d.spec.Runtime.BeforeCrash; !isIn(stand.Of, p.Name) || isIn(stand.Actions, p.Name) {
				names = append(names, p.Name)
			}
			if isIn(d.spec.Runtime.Hidden, p.Name) {
				hidden = append(hidden, p.Name)
			}
		}
	}
	for k := range stands {
		names = append(names, stands[k].Name)
		if err := d.bind(&stands[k], &PlanAction{Name: stands[k].Name, Class: Spontaneous}); err != nil {
			return err
		}
	}
	leaves := d.leaves()
	used, void := d.concern(restarts, names, leaves)
	_, last := d.concern(restarts, hidden, leaves)
	only := func(ins []instance[S]) (out []instance[S]) {
		for _, in := range ins {
			if used[in.name] {
				in.timeout = in.timeout && !isIn(d.spec.Runtime.BeforeCrash.Actions, in.name)
				out = append(out, in)
			}
		}
		return out
	}
	n.crashing = course[S]{spontaneous: only(n.spontaneous), idle: map[string]bool{}, void: void, last: last}
	for _, h := range n.handlers {
		n.crashing.handlers = append(n.crashing.handlers, only(h))
	}
	for name := range n.inputs {
		n.crashing.idle[name] = !used[name]
	}
	n.course = whole
	return nil
}

// standIns returns the actions that stand for others before a crash and that the composition does
// not have, where it has one of those others.
func (d *deriver[S]) standIns(actions []modules.SpecAction[S]) (out []modules.SpecAction[S]) {
	before := d.spec.Runtime.BeforeCrash
	if d.plain || !slices.ContainsFunc(actions, func(a modules.SpecAction[S]) bool { return isIn(before.Of, a.Name) }) {
		return nil
	}
	for _, b := range modules.Bind(before.Actions, nil, nil) {
		if !d.composed(b.Name) {
			out = append(out, modules.SpecAction[S]{Bound: b, Module: "local"})
		}
	}
	return out
}

// follow makes the node take another course, until the returned function is called.
func (n *node[S]) follow(k course[S]) (back func()) {
	was := n.course
	n.course = k
	return func() { n.course = was }
}

// avoid sets to zero what means nothing in a row.
func avoid(row []byte, void []modules.Span) {
	for _, s := range void {
		clear(row[s.Offset : s.Offset+s.Size])
	}
}
