package effects

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What it computes. The fields that count only, as those of metrics: no code reads them except to
// write them again.
//
// Why it is right. The field is not exported, so that only the loaded code can read it. Each place
// that has its address stores there, or loads a value that goes into arithmetic whose result is
// stored in the same field. No struct that has the field is copied, compared or handed to code that
// is not known. What the adapter finds by name is read. So its value reaches nothing else.

// counting computes the fields that only count.
func (p *Program) counting() map[*types.Var]bool {
	if p.counters != nil {
		return p.counters
	}
	p.counters = map[*types.Var]bool{}
	if p.of.Adapter == "" { // what one reads by other means is not known
		return p.counters
	}
	read := map[*types.Var]bool{}
	for _, f := range p.funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				p.reads(i, read)
			}
		}
	}
	for f := range p.owners {
		if _, basic := f.Type().Underlying().(*types.Basic); basic && !f.Exported() && !read[f] && !p.observing().fields[f] {
			p.counters[f] = true
		}
	}
	return p.counters
}

// reads notes the fields that an instruction reads.
func (p *Program) reads(i ssa.Instruction, read map[*types.Var]bool) {
	switch i := i.(type) {
	case *ssa.Field:
		read[fieldAt(i.X.Type(), i.Field)] = true
	case *ssa.FieldAddr:
		f := fieldAt(i.X.Type(), i.Field)
		for _, r := range *i.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				read[f] = read[f] || r.Val == i
			case *ssa.UnOp:
				read[f] = read[f] || !p.back(r, f)
			default:
				if _, basic := f.Type().Underlying().(*types.Basic); basic {
					read[f] = true
				}
			}
		}
	case *ssa.UnOp:
		if st := p.structOf(i.Type()); i.Op == token.MUL && st != nil && len(*i.Referrers()) > 0 {
			p.wholeRead(st, read, 0)
		}
	case *ssa.MakeInterface:
		t := i.X.Type()
		if st := p.structOf(t); st != nil {
			p.wholeRead(st, read, 0)
		}
	}
}

// wholeRead notes that all fields of a struct are read.
func (p *Program) wholeRead(st *types.Struct, read map[*types.Var]bool, depth int) {
	for f := range st.Fields() {
		read[f.Origin()] = true
		if inner := p.structOf(f.Type()); inner != nil && depth < 8 {
			p.wholeRead(inner, read, depth+1)
		}
	}
}

// back reports whether a value of a field goes only into arithmetic that is stored there again.
func (p *Program) back(v ssa.Value, f *types.Var) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if _, basic := r.Type().Underlying().(*types.Basic); !basic || r.Type().Underlying().(*types.Basic).Info()&types.IsBoolean != 0 || !p.back(r, f) {
				return false
			}
		case *ssa.Convert:
			if !p.back(r, f) {
				return false
			}
		case *ssa.Store:
			a, ok := r.Addr.(*ssa.FieldAddr)
			if !ok || fieldAt(a.X.Type(), a.Field) != f {
				return false
			}
		default:
			return false
		}
	}
	return true
}
