package effects

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Lost describes the fields that the adapter finds by name before a change and not after it, each
// with the adapter's line. They are gone, have another name, or another type.
func (p *Program) Lost(before *Program) []string {
	have := p.foundAt()
	var out []string
	for at, fields := range before.foundAt() {
		for _, f := range fields {
			if slices.ContainsFunc(have[at], func(g *types.Var) bool {
				return p.fieldName(g) == f.Name() && g.Type().String() == f.Type().String()
			}) {
				continue
			}
			text := fmt.Sprintf("%s reads %s, which the change removes", at, before.nameOf(f))
			if g := p.fieldNamed(before.nameOf(f)); g != nil {
				text = fmt.Sprintf("%s reads %s as a %s, which is a %s after the change", at, before.nameOf(f), f.Type(), g.Type())
			} else if name := p.renamed(before, f); name != "" {
				text = fmt.Sprintf("%s reads %s, which is %s after the change", at, before.nameOf(f), name)
			}
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	slices.Sort(out)
	return out
}

// foundAt returns the fields that the adapter finds by name, by the adapter's file and line.
func (p *Program) foundAt() map[string][]*types.Var {
	o := p.observing()
	out := map[string][]*types.Var{}
	for _, f := range p.funcs {
		if p.side(f) != adapter {
			continue
		}
		o.each(f, func(i ssa.Instruction) {
			if call, ok := i.(*ssa.Call); ok {
				for _, found := range o.finds(call, nil, 0) {
					x := p.fset.Position(call.Pos())
					at := fmt.Sprintf("%s:%d", x.Filename, x.Line)
					out[at] = append(out[at], found)
				}
			}
		})
	}
	return out
}

// fieldNamed returns the field of a name, nil without one.
func (p *Program) fieldNamed(name string) *types.Var {
	for f, n := range p.owners {
		if n == name {
			return f
		}
	}
	return nil
}

// renamed returns the name of the field that has a field's place and type in its struct, "" without
// one: what a new name leaves.
func (p *Program) renamed(before *Program, f *types.Var) string {
	owner := strings.TrimSuffix(before.nameOf(f), "."+f.Name())
	was, is := before.fieldsOfOwner(owner), p.fieldsOfOwner(owner)
	k := slices.Index(was, f)
	if k < 0 || len(was) != len(is) || is[k].Type().String() != f.Type().String() || before.fieldNamed(p.nameOf(is[k])) != nil {
		return ""
	}
	return p.nameOf(is[k])
}

// fieldsOfOwner returns the fields of a struct by its name, in their order.
func (p *Program) fieldsOfOwner(owner string) (out []*types.Var) {
	for f, name := range p.owners {
		if name == owner+"."+f.Name() {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *types.Var) int { return int(a.Pos()) - int(b.Pos()) })
	return out
}
