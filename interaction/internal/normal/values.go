package normal

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// Value writes a value that the initialiser of the specification makes. Named returns the name of
// what a pointer leads to, such as an action; "" to write the value there. Fields of the outermost
// struct with names of except are left out.
//
// A value that is not known fails: see Writer.failed.
func (w *Writer) Value(v initial.Value, named func(*initial.Cell) string, except ...string) {
	p := valuePrinter{w, named, except}
	p.value(v)
}

type valuePrinter struct {
	w      *Writer
	named  func(*initial.Cell) string
	except []string
}

func (p valuePrinter) value(v initial.Value) {
	w := p.w
	switch v := v.(type) {
	case constant.Value:
		w.Text(v.ExactString())
	case *initial.Struct:
		w.Word("(value")
		w.Type(v.Type)
		t := v.Type.Underlying().(*types.Struct)
		except := p.except
		p.except = nil
		for k, f := range v.Fields {
			if !slices.Contains(except, t.Field(k).Name()) {
				w.Text(t.Field(k).Name())
				p.value(f.Value)
			}
		}
		w.Word(")")
	case *initial.Array:
		w.Type(v.Type)
		p.cells(v.Elems)
	case initial.Slice:
		p.cells(v.Elems)
	case *initial.Cell:
		p.pointer(v)
	case *initial.Func:
		p.function(v)
	case initial.Interface:
		w.Word("interface")
		w.Type(v.Type)
		p.value(v.Value)
	case initial.Made:
		w.Word("(made")
		w.functionOf(v.Fn)
		for _, a := range v.Args {
			p.value(a)
		}
		w.Word(")")
	case initial.Tuple:
		for _, x := range v {
			p.value(x)
		}
	case initial.Nil:
		w.Word("nil")
	case initial.Unknown:
		w.failed = fmt.Errorf("a value of the catalog is not known: %s", v.Why)
	default:
		w.failed = fmt.Errorf("a value of the catalog of type %T is not known", v)
	}
}

func (p valuePrinter) cells(list []*initial.Cell) {
	p.w.Word("[")
	for _, c := range list {
		p.value(c.Value)
	}
	p.w.Word("]")
}

func (p valuePrinter) pointer(c *initial.Cell) {
	w := p.w
	w.Word("&")
	if name := p.named(c); name != "" {
		w.Text(name)
		return
	}
	n, again := w.cells[c]
	if !again {
		n = len(w.cells)
		w.cells[c] = n
	}
	w.Number(n)
	if !again {
		p.value(c.Value)
	}
}

// function writes a function with the values that it captured.
func (p valuePrinter) function(f *initial.Func) {
	w := p.w
	lit, ok := f.Fn.Syntax().(*ast.FuncLit)
	if !ok || f.Fn.Parent() == nil {
		w.functionOf(f.Fn)
		for _, b := range f.Bind {
			p.value(b)
		}
		return
	}
	outer := f.Fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	for _, t := range outer.TypeArgs() {
		w.Type(t)
	}
	pkg := w.x.packageOf(outer)
	if pkg == nil || pkg.Whole != "" {
		w.Word("whole")
		w.mention(pkg)
	} else {
		old := w.pkg
		w.pkg = pkg
		w.node(lit)
		w.pkg = old
	}
	for k, v := range f.Fn.FreeVars {
		w.captured(v)
		p.value(f.Bind[k])
	}
}

// captured writes which local variable of a function literal a captured value is.
func (w *Writer) captured(v *ssa.FreeVar) {
	for o := range w.locals {
		if o.Pos() == v.Pos() && o.Name() == v.Name() {
			w.local(o)
			return
		}
	}
	w.Text(v.Name())
}

// packageOf returns the package of a function of the sources.
func (x *Index) packageOf(fn *ssa.Function) *Package {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return nil
	}
	return x.byTypes[fn.Pkg.Pkg]
}

// functionOf writes which declared function is meant, with its type arguments.
func (w *Writer) functionOf(fn *ssa.Function) {
	args := fn.TypeArgs()
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if f, ok := fn.Object().(*types.Func); ok {
		w.function(f)
	} else {
		w.failed = fmt.Errorf("function %s of the catalog has no declaration", fn.Name())
	}
	for _, t := range args {
		w.Type(t)
	}
}
