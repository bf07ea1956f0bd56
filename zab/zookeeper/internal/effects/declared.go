package effects

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. What the classes of changed files differ in apart from changed lines: methods
// whose code is another one, since a name or a constant now means something else, and declarations.
//
// Why it is right. A class that is added or gone, and fields that are, show in the methods that use
// them. All other parts of a declaration are compared: superclass, interfaces and flags of the
// class, types and flags of fields.
//
// What it costs. One read of the instructions of these classes.

// text returns the code of a method, so that equal texts are equal code.
func (p *Program) text(m *method) string {
	code, err := bytecode.Decode(m.Name, m.Bytes, m.class.Pool)
	if err != nil {
		return "unreadable"
	}
	at := map[int]int{} // by offset, which depends on the size of the constant pool
	for k, i := range code.Instructions {
		at[i.Offset], at[i.Next()] = k, k+1
	}
	var out strings.Builder
	fmt.Fprintln(&out, m.Flags&flagSynchronized)
	for _, h := range m.Handlers {
		fmt.Fprintln(&out, at[h.From], at[h.To], at[h.At], h.Catch)
	}
	for _, i := range code.Instructions {
		op := i.Op
		if op == opLdcW { // as positive
			op = opLdc
		}
		fmt.Fprint(&out, op, i.Wide, i.Member, i.Local, i.Const)
		for _, to := range i.Jumps {
			fmt.Fprint(&out, " ", at[to])
		}
		fmt.Fprintln(&out)
		for _, h := range m.class.Handles(i) {
			if x := p.find(h); x != nil {
				h.Name = p.key(x)
			}
			fmt.Fprintln(&out, h)
		}
		fmt.Fprintln(&out, m.class.Constants(i))
	}
	return out.String()
}

// another returns the methods of changed files whose code is not that of the other side.
func (s *side) another(other *side) (out []*method) {
	for _, name := range s.names {
		c := s.classes[name]
		if s.fileOf(c) == "" {
			continue
		}
		for k := range c.Methods {
			m := &method{c, &c.Methods[k]}
			if x := other.named(name, s.key(m)); m.Bytes != nil && x != nil && x.Bytes != nil && s.text(m) != other.text(x) {
				out = append(out, m)
			}
		}
	}
	return out
}

// declared adds the declarations that differ, at the first changed line of their file.
func (s *side) declared(other *side) {
	for _, name := range s.names {
		c, d := s.classes[name], other.classes[name]
		file := s.fileOf(c)
		if file == "" || d == nil {
			continue
		}
		add := func(place string) {
			line := 1
			if all := s.Lines[file]; len(all) > 0 {
				line = slices.Min(all)
			}
			s.out = append(s.out, Write{Line: Line{file, line}, Removed: s.removed, Function: name, Place: place, Changes: true})
		}
		if c.Super != d.Super || !slices.Equal(c.Interfaces, d.Interfaces) || c.Flags != d.Flags {
			add("the declaration of " + short(name))
		}
		for _, f := range c.Fields {
			k := slices.IndexFunc(d.Fields, func(g bytecode.Field) bool { return g.Name == f.Name })
			if k >= 0 && d.Fields[k] != f {
				add("the declaration of " + short(name) + "." + f.Name)
			}
		}
	}
}
