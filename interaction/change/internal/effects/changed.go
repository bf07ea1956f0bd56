package effects

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Write is a place that a changed line writes and that outlives the call.
type Write struct {
	File string // relative to the implementation's folder
	Line int
	// Function is the declared function with the line: import path, type of the receiver, name.
	Function string
	// Place is a field, as raft.readOnly.acks, or what else the line writes.
	Place string
	// Changes says that the place is a result or an argument, and not written.
	Changes bool
	// Observed says that the adapter observes it.
	Observed bool
	Held     Held
}

// Held says how the place of a write can be compared in objects of two programs: see package
// checker/internal/held.
type Held struct {
	// Field is the name of the place there; "" where it is no field. Local says that no declaration
	// of the package has the type, so that objects with the field can be missing.
	Field string
	Local bool
	// All says that the place is no field, and equal where all fields are. It is a result of a
	// function that neither changed nor calls one that did, or memory that its argument leads to.
	All bool
}

// In returns the names of the fields that a place stands for, among those that objects have. A
// field of a struct that a function declares has the name of no type here.
func (h *Held) In(fields []string) (out []string) {
	if !h.Local {
		if slices.Contains(fields, h.Field) {
			out = append(out, h.Field)
		}
		return out
	}
	pkg, name, _ := strings.Cut(h.Field, "..")
	for _, f := range fields {
		if rest, ok := strings.CutPrefix(f, pkg+"."); ok && !strings.Contains(rest, "/") && strings.HasSuffix(rest, "."+name) && strings.Count(rest, ".") == 1 {
			out = append(out, f)
		}
	}
	return out
}

// heldOf returns how a place is compared.
func (p *Program) heldOf(s sink) (h Held) {
	switch of := s.of.(type) {
	case *types.Var:
		if of.Pkg() == nil {
			return h
		}
		name := p.nameOf(of)
		_, declared := p.owners[of.Origin()]
		typeName := ""
		if parts := strings.Split(name, "."); declared && len(parts) == 3 {
			typeName = parts[1]
		}
		h.Field, h.Local = of.Pkg().Path()+"."+typeName+"."+of.Name(), !declared
	case resultKey:
		h.All = !p.touched[of.f]
	case *ssa.Parameter:
		h.All = p.side(of.Parent()) == code && !p.touched[of.Parent()]
	case ssa.CallInstruction: // of a method that no value which gets there has
		call := of.Common()
		h.All = call.IsInvoke() && len(p.callees[of]) == 0 && p.sides[call.Method.Pkg()] == code && !p.touched[of.Parent()]
	}
	return h
}

// touch notes functions with changed lines, and those that call one of them.
func (p *Program) touch(lines map[string][]int, other *Program, otherLines map[string][]int, twin map[string]*ssa.Function) {
	p.touched = map[*ssa.Function]bool{}
	var mark func(f *ssa.Function)
	mark = func(f *ssa.Function) {
		if f == nil || p.touched[f] {
			return
		}
		p.touched[f] = true
		mark(f.Parent())
		for _, site := range p.callers[f] {
			mark(site.Parent())
		}
	}
	for _, f := range p.funcs {
		g := twin[f.String()]
		if p.side(f) == code && (len(p.linesIn(f, lines)) > 0 || g != nil && len(other.linesIn(g, otherLines)) > 0) {
			mark(f)
		}
	}
}

// Writes returns what changed lines write that outlives the call, by file, line and place. Other is
// the program on the other side of the change, or nil: what it does in the same way is no change.
// Lines are those of this side that changed, from 1, by the path of the file relative to the
// implementation's folder; otherLines are those of the other side.
func (p *Program) Writes(lines map[string][]int, other *Program, otherLines map[string][]int) []Write {
	twin := map[string]*ssa.Function{}
	if other != nil {
		for _, f := range other.funcs {
			twin[f.String()] = f
		}
	}
	p.touch(lines, other, otherLines, twin)
	var out []Write
	for _, f := range p.funcs {
		if p.side(f) != code || f.Syntax() == nil || f.Origin() != nil && f.Origin() != f {
			continue
		}
		mine := p.linesIn(f, lines)
		g := twin[f.String()]
		switch {
		case g != nil && (len(mine) > 0 || len(other.linesIn(g, otherLines)) > 0):
			out = append(out, p.differs(twinsOf(other, p, g, f), f, mine)...)
		case g == nil:
			for _, line := range mine {
				t := newTrace(p)
				for _, b := range p.begin(t, f, line) {
					t.controlled(b)
				}
				out = append(out, p.writes(t, f, line)...)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Write) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Place, b.Place))
	})
	return slices.Compact(out)
}

// linesIn returns the lines that are in a function.
func (p *Program) linesIn(f *ssa.Function, lines map[string][]int) (out []int) {
	if f.Syntax() == nil {
		return nil
	}
	file, first := p.place(f.Syntax().Pos())
	_, last := p.place(f.Syntax().End())
	for _, line := range lines[file] {
		if line >= first && line <= last {
			out = append(out, line)
		}
	}
	return out
}

// differs returns what the instructions of a function write that have no twin, by their lines. One
// that is on no changed line counts for the last one that is before it, or else for the first one.
func (p *Program) differs(t *twins, f *ssa.Function, lines []int) (out []Write) {
	traces := map[int]*trace{}
	var order []int
	line := 0
	for _, i := range steps(f) {
		if i.Pos().IsValid() {
			if _, at := p.place(i.Pos()); slices.Contains(lines, at) || line == 0 {
				line = at
			}
		}
		if t.pair[i] != nil || !p.controlOf(f).reachable[i.Block().Index] {
			continue
		}
		if line == 0 { // such as the start of a loop at the beginning
			if len(lines) > 0 {
				line = lines[0]
			} else {
				_, line = p.place(f.Syntax().Pos())
			}
		}
		x := traces[line]
		if x == nil {
			x = newTrace(p)
			traces[line] = x
			order = append(order, line)
		}
		x.start(t, i)
	}
	for _, line := range order {
		out = append(out, p.writes(traces[line], f, line)...)
	}
	return out
}

// start adds an instruction that has no twin: what it does, or what the operands change in which it
// differs.
func (t *trace) start(twins *twins, i ssa.Instruction) {
	if operands, all := twins.operands(i); all {
		for _, v := range operands {
			if _, condition := i.(*ssa.If); !condition {
				t.use(i, v)
			}
		}
		if len(operands) == 0 { // what led to a value differs
			t.computed(i)
		}
	} else {
		t.effect(i)
		t.computed(i)
	}
	if _, ok := i.(*ssa.If); ok {
		t.controlled(i.Block())
	}
}

// computed follows the value of an instruction.
func (t *trace) computed(i ssa.Instruction) {
	if _, literal := i.(*ssa.MakeClosure); literal {
		return
	}
	if v, ok := i.(ssa.Value); ok {
		t.value(v)
	}
}

// writes follows what was begun for a line of a function and returns what the line writes.
func (p *Program) writes(t *trace, f *ssa.Function, line int) (out []Write) {
	file, _ := p.place(f.Pos())
	t.run()
	write := func(s sink, observed bool) {
		if s.kind != raised && !p.unread(s) {
			out = append(out, Write{File: file, Line: line, Function: pathName(f), Place: s.name, Changes: s.kind != written, Observed: observed, Held: p.heldOf(s)})
		}
	}
	for _, s := range t.out.list {
		write(s, p.observedSink(s))
	}
	for _, d := range t.derived {
		g := newTrace(p)
		g.inner, g.at = true, d.at
		g.controlled(d.b)
		g.run()
		if !g.witnessed() {
			for _, s := range g.out.list {
				write(s, false)
			}
		}
	}
	return out
}

// witnessed reports whether the adapter observes one of the places.
func (t *trace) witnessed() bool { return slices.ContainsFunc(t.out.list, t.p.observedSink) }

// observedSink reports whether the adapter observes a place.
func (p *Program) observedSink(s sink) bool {
	if s.kind == raised {
		return true
	}
	o := p.observing()
	switch of := s.of.(type) {
	case ssa.CallInstruction: // of code outside
		return false
	case resultKey:
		return slices.ContainsFunc(p.callers[of.f], func(site ssa.CallInstruction) bool {
			return p.side(site.Parent()) == adapter && slices.ContainsFunc(resultsOf(site, of.k), func(v ssa.Value) bool { return o.needs[v] })
		})
	case *ssa.Function:
		if p.side(of) != adapter {
			return false
		}
		return slices.ContainsFunc(of.Params, func(x *ssa.Parameter) bool { return o.needs[x] })
	case ssa.Value:
		return o.needs[of]
	case *types.Var:
		return o.fields[of]
	}
	return false
}

// begin adds the values that a line of a function computes, and what it does. It returns the
// conditions on the line, and those around a statement on the line that leaves a block.
func (p *Program) begin(t *trace, f *ssa.Function, line int) (conditions []*ssa.BasicBlock) {
	on := func(pos token.Pos) bool { return pos >= bodyOf(f) && p.fset.Position(pos).Line == line }
	c := p.controlOf(f)
	copied := p.copiedOn(f, line)
	for _, b := range f.Blocks {
		if !c.reachable[b.Index] {
			continue
		}
		last, _ := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		for _, i := range b.Instrs {
			if d, ok := i.(*ssa.DebugRef); ok {
				if last != nil && on(d.Expr.Pos()) && (d.X == last.Cond) {
					conditions = append(conditions, b)
				}
				if c, ok := d.X.(*ssa.Const); ok && copied[d.Expr] {
					t.constant(f, c)
				} else if copied[d.Expr] && !d.IsAddr {
					t.value(d.X)
				}
				continue
			}
			if !on(i.Pos()) {
				continue
			}
			t.effect(i)
			if v, ok := i.(ssa.Value); ok {
				if _, literal := i.(*ssa.MakeClosure); !literal {
					t.value(v)
				}
				if last != nil && v == last.Cond {
					conditions = append(conditions, b)
				}
			}
		}
	}
	for _, around := range p.around(f, line) {
		for _, b := range f.Blocks {
			if c.reachable[b.Index] && p.within(b, around) {
				conditions = append(conditions, c.by[b.Index]...)
			}
		}
	}
	return conditions
}

// bodyOf returns where the body of a function begins.
func bodyOf(f *ssa.Function) token.Pos {
	switch n := f.Syntax().(type) {
	case *ast.FuncDecl:
		return n.Body.Lbrace
	case *ast.FuncLit:
		return n.Body.Lbrace
	}
	return f.Syntax().Pos()
}

// within reports whether an instruction of a block is in a statement.
func (p *Program) within(b *ssa.BasicBlock, n ast.Node) bool {
	return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
		at := i.Pos()
		if d, ok := i.(*ssa.DebugRef); ok {
			at = d.Expr.Pos()
		}
		return at >= n.Pos() && at < n.End()
	})
}

// copiedOn returns the expressions on a line that are assigned or returned as they are.
func (p *Program) copiedOn(f *ssa.Function, line int) map[ast.Expr]bool {
	out := map[ast.Expr]bool{}
	add := func(list []ast.Expr, at token.Pos) {
		for _, e := range list {
			e = ast.Unparen(e)
			if p.fset.Position(e.Pos()).Line == line || p.fset.Position(at).Line == line {
				out[e] = true
			}
		}
	}
	ast.Inspect(f.Syntax(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			add(n.Rhs, n.Pos())
		case *ast.ValueSpec:
			add(n.Values, n.Pos())
		case *ast.ReturnStmt:
			add(n.Results, n.Pos())
		}
		return true
	})
	return out
}

// around returns the bodies whose conditions a line decides on: of statements whose header has the
// line, and of those around a statement on the line that leaves a block.
func (p *Program) around(f *ssa.Function, line int) (out []ast.Node) {
	var stack []ast.Node
	at := func(pos token.Pos) int { return p.fset.Position(pos).Line }
	ast.Inspect(f.Syntax(), func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.IfStmt:
			body = n.Body
			if n.Else != nil && line >= at(n.Pos()) && line <= at(n.Body.Lbrace) {
				out = append(out, n.Else)
			}
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		case *ast.SwitchStmt:
			body = n.Body
		case *ast.TypeSwitchStmt:
			body = n.Body
		case *ast.SelectStmt:
			body = n.Body
		case *ast.CaseClause:
			if line >= at(n.Pos()) && line <= at(n.Colon) && len(n.Body) > 0 {
				out = append(out, n.Body[0])
			}
		case *ast.CommClause:
			if line >= at(n.Pos()) && line <= at(n.Colon) && len(n.Body) > 0 {
				out = append(out, n.Body[0])
			}
		case *ast.BranchStmt, *ast.ReturnStmt:
			if at(n.Pos()) == line {
				out = append(out, leaves(stack)...)
			}
		}
		if body != nil && line >= at(n.Pos()) && line <= at(body.Lbrace) {
			out = append(out, body)
		}
		return true
	})
	return out
}

// leaves returns the innermost body around the last node of a stack.
func leaves(stack []ast.Node) []ast.Node {
	for k := len(stack) - 2; k > 0; k-- {
		switch n := stack[k].(type) {
		case *ast.CaseClause, *ast.CommClause:
			return []ast.Node{n}
		case *ast.BlockStmt:
			if _, whole := stack[k-1].(*ast.FuncDecl); !whole {
				return []ast.Node{n}
			}
			return nil
		case *ast.FuncLit:
			return nil
		}
	}
	return nil
}

// String describes a place that the adapter does not observe.
func (w Write) String() string {
	verb := "writes"
	if w.Changes {
		verb = "changes"
	}
	return fmt.Sprintf("%s:%d %s %s, which the adapter does not observe", w.File, w.Line, verb, w.Place)
}
