package reduce

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/internal/bitset"
	"github.com/multigrain/multigrain/modules"
)

// touch is a place of the state: an element of a variable. An index of -1 is not known.
type touch struct {
	variable string
	index    []int
	key      int
}

func (a *touch) meets(b *touch) bool {
	if a.variable != b.variable {
		return false
	}
	for k := range min(len(a.index), len(b.index)) {
		if a.index[k] >= 0 && b.index[k] >= 0 && a.index[k] != b.index[k] {
			return false
		}
	}
	return len(a.index) != len(b.index) || a.key < 0 || b.key < 0 || a.key == b.key
}

// variableOf treats all messages of a network, and the state of its connections, as one variable,
// since sent and received messages share a queue.
func variableOf(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return strings.TrimSuffix(name, ".cut")
}

type touches struct{ guard, reads, writes []touch }

// seenBy returns what a property reads.
func seenBy(f *modules.Footprint) (out []touch) {
	for _, a := range f.Reads() {
		t := touch{variable: variableOf(a.Variable), key: -1}
		for _, term := range a.Index {
			x, err := strconv.Atoi(term)
			if err != nil {
				x = -1 // a property has no parameters that matter here
			}
			t.index = append(t.index, x)
		}
		out = append(out, t)
	}
	return out
}

// exists reports whether a variable takes room in the State. An array takes none if the composition
// needs no element of it.
func exists(t reflect.Type, variable string) bool {
	for name := range strings.SplitSeq(variable, ".") {
		for t.Kind() == reflect.Array {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return true
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return true
		}
		if f.Type.Size() == 0 {
			return false
		}
		t = f.Type
	}
	return true
}

// places numbers places of the state.
type places struct {
	list   []touch
	number map[string]int
}

// of returns the set of the numbers of places.
func (p *places) of(list []touch) (out bitset.Set) {
	if p.number == nil {
		p.number = map[string]int{}
	}
	for _, t := range list {
		name := fmt.Sprint(t.variable, t.index, t.key)
		k, ok := p.number[name]
		if !ok {
			k = len(p.list)
			p.number[name] = k
			p.list = append(p.list, t)
		}
		for len(out) <= k/64 {
			out = append(out, 0)
		}
		out.Add(k)
	}
	return out
}

// hits sets the places of each kind that meet one of those that it writes.
func (p *places) hits(kinds []kind) {
	byVariable := map[string][]int{}
	for k := range p.list {
		byVariable[p.list[k].variable] = append(byVariable[p.list[k].variable], k)
	}
	meets := make([]bitset.Set, len(p.list))
	for k := range p.list {
		meets[k] = bitset.New(len(p.list))
		for _, x := range byVariable[p.list[k].variable] {
			if p.list[k].meets(&p.list[x]) {
				meets[k].Add(x)
			}
		}
	}
	for k := range kinds {
		kinds[k].hits = bitset.New(len(p.list))
		kinds[k].writes.Each(func(w int) bool {
			kinds[k].hits.AddAll(meets[w])
			return true
		})
	}
}

// allTouches returns what each instance of a composed specification touches.
func allTouches[S any](spec *modules.Spec[S], f Footprints) (all []touches, err error) {
	byName := map[string]*modules.Footprint{}
	for k := range f.Actions {
		byName[f.Actions[k].Name] = &f.Actions[k]
	}
	absent := map[string]bool{}
	for k := range spec.Actions {
		a := &spec.Actions[k]
		print := byName[a.Name]
		if print == nil {
			return nil, fmt.Errorf("action %s has no footprint", a.Name)
		}
		reads := print.Reads()
		for _, p := range a.Params {
			t, err := touchesOf(print, reads, p)
			if err != nil {
				return nil, fmt.Errorf("action %s: %w", a.Name, err)
			}
			for _, list := range []*[]touch{&t.guard, &t.reads, &t.writes} {
				*list = slices.DeleteFunc(*list, func(x touch) bool {
					out, known := absent[x.variable]
					if !known {
						out = !exists(reflect.TypeFor[S](), x.variable)
						absent[x.variable] = out
					}
					return out
				})
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// touchesOf returns what an action with a footprint, which reads this, touches with a parameter.
func touchesOf(f *modules.Footprint, reads []modules.Access, param any) (t touches, err error) {
	p := reflect.ValueOf(param)
	if t.guard, err = placesOf(f.Guard, p); err != nil {
		return t, err
	}
	if t.reads, err = placesOf(reads, p); err != nil {
		return t, err
	}
	for k := range f.Writes {
		w := &f.Writes[k]
		elements := w.Elements
		if len(elements) == 0 {
			elements = []modules.Element{{}}
		}
		for _, e := range elements {
			x, err := placesOf([]modules.Access{{Variable: w.Variable, Index: e.Index, Key: e.Key}}, p)
			if err != nil {
				return t, err
			}
			t.writes = append(t.writes, x...)
		}
	}
	return t, nil
}

func placesOf(accesses []modules.Access, p reflect.Value) (out []touch, err error) {
	for _, a := range accesses {
		t := touch{variable: variableOf(a.Variable), key: -1}
		for _, term := range a.Index {
			x, err := termOf(term, p)
			if err != nil {
				return nil, err
			}
			t.index = append(t.index, x)
		}
		if a.Key != "" {
			if t.key, err = termOf(a.Key, p); err != nil {
				return nil, err
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// termOf returns the value of a symbolic index, see modules.Access; -1 where it is not known.
func termOf(term string, p reflect.Value) (int, error) {
	if term == "*" {
		return -1, nil
	}
	if n, err := strconv.Atoi(term); err == nil {
		return n, nil
	}
	for k, name := range strings.Split(term, ".") {
		if k == 0 {
			continue // p
		}
		if p.Kind() != reflect.Struct || !p.FieldByName(name).IsValid() {
			return 0, fmt.Errorf("parameter %s has no field %s", p.Type(), name)
		}
		p = p.FieldByName(name)
	}
	switch {
	case p.CanInt():
		return int(p.Int()), nil
	case p.CanUint():
		return int(p.Uint()), nil
	}
	return 0, fmt.Errorf("the index %s is no number", term)
}
