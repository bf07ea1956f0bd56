package effects

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// steps returns the steps of a function in the order of its blocks.
func steps(f *ssa.Function) (out []ssa.Instruction) {
	for _, b := range f.DomPreorder() {
		for _, i := range b.Instrs {
			if _, made := i.(*ssa.MakeClosure); made || !pure(i) {
				out = append(out, i)
			}
		}
	}
	return out
}

// pure reports whether an instruction does nothing but make a value of its operands.
func pure(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.Jump, *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Extract, *ssa.Slice:
		return true
	case *ssa.UnOp:
		return i.Op != token.MUL && i.Op != token.ARROW || single(i.X)
	}
	return false
}

// single reports whether an address is that of a variable that is written once, as a parameter is
// that a function literal has, too.
func single(addr ssa.Value) bool {
	switch a := addr.(type) {
	case *ssa.Alloc:
		n := 0
		for _, r := range *a.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				n++
			case *ssa.MakeClosure:
				for k, b := range r.Bindings {
					if b == a && !readOnly(r.Fn.(*ssa.Function).FreeVars[k]) {
						return false
					}
				}
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				return false
			}
		}
		return n == 1
	case *ssa.FreeVar:
		fn := a.Parent()
		for _, r := range *fn.Referrers() {
			if m, ok := r.(*ssa.MakeClosure); !ok || !single(m.Bindings[slices.Index(fn.FreeVars, a)]) {
				return false
			}
		}
		return readOnly(a)
	}
	return false
}

// readOnly reports whether a variable of a function literal is loaded there and not written.
func readOnly(v *ssa.FreeVar) bool {
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// keyOf describes a step: its kind and type, the field that it is about, what it calls, and the
// operands if exact is set.
func (p *Program) keyOf(i ssa.Instruction, exact bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%T", i)
	if v, ok := i.(ssa.Value); ok {
		b.WriteString(" " + v.Type().String())
	}
	if call, ok := i.(ssa.CallInstruction); ok {
		c := call.Common()
		if c.IsInvoke() {
			b.WriteString(" " + c.Method.FullName())
		} else if _, dynamic := c.Value.(ssa.Instruction); !dynamic {
			b.WriteString(" " + c.Value.String())
		}
	}
	switch i := i.(type) {
	case *ssa.Store:
		b.WriteString(" " + p.text(i.Addr, 2))
	case *ssa.UnOp:
		b.WriteString(" " + p.text(i.X, 2))
	case *ssa.MakeClosure:
		b.WriteString(" " + i.Fn.Name())
	}
	if exact {
		for _, op := range i.Operands(nil) {
			if *op != nil {
				b.WriteString(" " + p.text(*op, 5))
			}
		}
	}
	return b.String()
}

// text describes a value by how it is made, to a depth.
func (p *Program) text(v ssa.Value, depth int) string {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
		return v.String()
	case *ssa.Parameter:
		return fmt.Sprint("#", indexOf(v.Parent().Params, v))
	case ssa.Instruction:
		if depth == 0 {
			return v.(ssa.Value).Type().String()
		}
		out := fmt.Sprintf("%T(", v)
		switch v := v.(type) {
		case *ssa.FieldAddr:
			out += p.fieldName(fieldAt(v.X.Type(), v.Field)) + " "
		case *ssa.Field:
			out += p.fieldName(fieldAt(v.X.Type(), v.Field)) + " "
		case *ssa.BinOp:
			out += v.Op.String() + " "
		case *ssa.Phi, *ssa.Alloc:
			return out + v.(ssa.Value).Type().String() + ")"
		}
		for _, op := range v.Operands(nil) {
			if *op != nil {
				out += p.text(*op, depth-1) + " "
			}
		}
		return out + ")"
	}
	return v.Type().String()
}

func indexOf(list []*ssa.Parameter, v *ssa.Parameter) int {
	for k, p := range list {
		if p == v {
			return k
		}
	}
	return -1
}
