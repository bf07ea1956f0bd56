package assemble

import (
	"errors"
	"fmt"
	"go/ast"
	exact "go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/multigrain/multigrain/grains"
)

// brancher finds the conditions of a composition's guards, effects and rules, and of the functions
// that they call, and wraps their operands in calls that note which value they had. What the
// manifest's constants decide is no branch, and what they leave out is not looked at: a composition
// without snapshots does not lack the branches of snapshots.
//
// The package is type-checked without its imports, which is enough for constants and for its own
// functions and methods.
type brancher struct {
	r      *Rewriting
	info   *types.Info
	funcs  map[types.Object]*ast.FuncDecl
	vars   map[types.Object]ast.Expr // initial values of package-level variables
	seen   map[ast.Node]bool
	asked  map[*ast.FuncDecl]bool // whose answer is being looked for
	queue  []pending
	points []point
	at     map[ast.Expr]int // the points of conditions
	// quiet walks functions without noting conditions.
	quiet bool
	// verdicts are the bodies of invariants, judging says that the walk is in one, and never are
	// branches that only a violation takes, as positions in checker.Branches.Taken.
	verdicts map[*ast.BlockStmt]bool
	judging  bool
	never    []int
	// name is that of the function that is walked, file the one it stands in.
	name string
	file *goFile
}

// pending is a function that is still to be walked.
type pending struct {
	name string
	typ  *ast.FuncType
	body *ast.BlockStmt
}

// branches wraps the conditions of the composition and returns them.
func (p *Program) branches(r *Rewriting) ([]point, error) {
	b, err := newBrancher(r)
	if err != nil {
		return nil, err
	}
	p.enterSteps(b)
	b.run()
	return b.points, nil
}

// enterSteps enters the guards, the effects and the rules of the composition.
func (p *Program) enterSteps(b *brancher) {
	rules := p.Catalog.Rules
	for _, g := range p.Chosen {
		rules = append(rules[:len(rules):len(rules)], g.Rules...)
		for _, name := range g.Actions {
			for k := range p.Catalog.Actions {
				if a := &p.Catalog.Actions[k]; a.Name == name {
					if a.Guard != nil {
						b.root(name+", guard", *a.Guard)
					}
					b.root(name+", effect", a.Effect)
				}
			}
		}
	}
	for _, rule := range rules {
		on := rule.On
		if on == "" {
			on = "every action"
		}
		for _, fn := range []*grains.Function{rule.When, rule.After} {
			if fn != nil && (rule.On == "" || p.hasAction(rule.On)) {
				b.root("rule of "+on, *fn)
			}
		}
	}
}

func newBrancher(r *Rewriting) (*brancher, error) {
	b := &brancher{
		r: r, funcs: map[types.Object]*ast.FuncDecl{}, vars: map[types.Object]ast.Expr{}, seen: map[ast.Node]bool{}, asked: map[*ast.FuncDecl]bool{},
		at: map[ast.Expr]int{}, verdicts: map[*ast.BlockStmt]bool{},
	}
	return b, b.check()
}

// run walks the functions that were entered, and those that they call.
func (b *brancher) run() {
	for len(b.queue) > 0 {
		f := b.queue[0]
		b.queue = b.queue[1:]
		b.name, b.file, b.judging = f.name, b.fileOf(f.body), b.verdicts[f.body]
		b.block(f.body.List, answers(f.typ))
	}
}

func (p *Program) hasAction(name string) bool {
	for _, g := range p.Chosen {
		for _, a := range g.Actions {
			if a == name {
				return true
			}
		}
	}
	return false
}

// check finds out which expressions are constant, with the manifest's constants in place, and what
// names stand for.
func (b *brancher) check() error {
	b.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	var files []*ast.File
	for _, f := range b.r.files {
		files = append(files, f.tree)
		for _, d := range f.tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for k, id := range v.Names {
					if value, ok := b.r.set[id.Name]; ok && k < len(v.Values) {
						e, err := parser.ParseExpr(value)
						if err != nil {
							return fmt.Errorf("constant %s: %w", id.Name, err)
						}
						v.Values[k] = e
					}
				}
			}
		}
	}
	conf := types.Config{Importer: noPackages{}, Error: func(error) {}, DisableUnusedImportCheck: true}
	_, _ = conf.Check(b.r.path, b.r.fset, files, b.info) // errors are those of the imports
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if o := b.info.Defs[d.Name]; o != nil && d.Body != nil {
					b.funcs[o] = d
				}
			case *ast.GenDecl:
				b.variables(d)
			}
		}
	}
	return nil
}

func (b *brancher) variables(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for k, id := range v.Names {
			if o := b.info.Defs[id]; o != nil && k < len(v.Values) {
				b.vars[o] = v.Values[k]
			}
		}
	}
}

// noPackages is an importer for which no package exists.
type noPackages struct{}

func (noPackages) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

// root queues a function of the catalog.
func (b *brancher) root(name string, fn grains.Function) {
	if fn.Name != "" {
		if _, d := b.r.function(fn.Name); d != nil && d.Body != nil {
			b.enter(fn.Name, d.Type, d.Body)
		}
		return
	}
	if _, lit := b.r.literal(fn.Place); lit != nil {
		b.enter(name, lit.Type, lit.Body)
	}
}

// enter queues a function, once.
func (b *brancher) enter(name string, t *ast.FuncType, body *ast.BlockStmt) {
	if !b.seen[body] {
		b.seen[body] = true
		b.queue = append(b.queue, pending{name, t, body})
	}
}

func (b *brancher) fileOf(n ast.Node) *goFile {
	path := b.r.fset.File(n.Pos()).Name()
	for _, f := range b.r.files {
		if f.path == path {
			return f
		}
	}
	return nil
}

// decided returns the value of a condition that the composition's constants decide. The condition
// is a constant, or a constant next to it decides it, or it is the answer of a function that comes
// to such a return in any case.
func (b *brancher) decided(e ast.Expr) (value, ok bool) {
	if v := b.info.Types[e].Value; v != nil && v.Kind() == exact.Bool && !b.startedIn(e) {
		return exact.BoolVal(v), true
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return b.decided(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			value, ok = b.decided(x.X)
			return !value, ok
		}
	case *ast.BinaryExpr:
		if x.Op != token.LAND && x.Op != token.LOR {
			return false, false
		}
		ends := x.Op == token.LOR // the value of one operand that decides
		v, known := b.decided(x.X)
		w, also := b.decided(x.Y)
		if known && v == ends || also && w == ends {
			return ends, true
		}
		return !ends, known && also
	case *ast.CallExpr:
		return b.answer(x)
	}
	return false, false
}

// startedIn reports whether a constant expression has a constant that gets its value as the program
// starts.
func (b *brancher) startedIn(e ast.Expr) (found bool) {
	if len(b.r.started) == 0 {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && b.r.started[id.Name]
		return !found
	})
	return found
}

// refusesAll reports whether constants decide that a guard is false.
func (b *brancher) refusesAll(guard grains.Function) bool {
	body := b.body(guard)
	if body == nil {
		return false
	}
	v, ok := b.returned(body.List)
	return ok && !v
}

// body returns the body of a function of the catalog, nil if the package does not have it.
func (b *brancher) body(fn grains.Function) *ast.BlockStmt {
	if fn.Name != "" {
		if _, d := b.r.function(fn.Name); d != nil {
			return d.Body
		}
	} else if _, lit := b.r.literal(fn.Place); lit != nil {
		return lit.Body
	}
	return nil
}

// answer is decided for the call of a function or method of the package.
func (b *brancher) answer(call *ast.CallExpr) (value, ok bool) {
	var id *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return false, false
	}
	d := b.funcs[b.info.Uses[id]]
	if d == nil || !answers(d.Type) || b.asked[d] {
		return false, false
	}
	b.asked[d] = true // a recursion is not decided
	defer delete(b.asked, d)
	return b.returned(d.Body.List)
}

// returned returns the value that statements return whatever the state is.
func (b *brancher) returned(list []ast.Stmt) (value, ok bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			if len(s.Results) != 1 {
				return false, false
			}
			return b.decided(s.Results[0])
		case *ast.AssignStmt, *ast.DeclStmt, *ast.EmptyStmt:
		case *ast.ForStmt:
			if s.Cond == nil {
				return false, false
			}
			if v, known := b.decided(s.Cond); !known || v {
				return false, false
			}
		case *ast.IfStmt:
			v, known := b.decided(s.Cond)
			switch {
			case !known || !v && s.Else != nil:
				return false, false
			case v:
				return b.returned(s.Body.List)
			}
		default:
			return false, false
		}
	}
	return false, false
}

// condition notes the operands of a condition, and leaves out those that a constant next to them
// keeps from being evaluated.
func (b *brancher) condition(e ast.Expr) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		b.condition(x.X)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			b.condition(x.X)
			return
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			b.condition(x.X)
			if v, ok := b.decided(x.X); !ok || v == (x.Op == token.LAND) {
				b.condition(x.Y)
			}
			return
		}
	}
	if _, ok := b.decided(e); ok {
		b.expression(e)
		return
	}
	b.expression(e)
	if b.quiet {
		return
	}
	b.at[e] = len(b.points)
	p, k := b.r.fset.Position(e.Pos()), len(b.points)
	start, end := b.r.offset(e.Pos()), b.r.offset(e.End())
	text := strings.Join(strings.Fields(string(b.file.text[start:end])), " ")
	b.points = append(b.points, point{Func: b.name, File: b.file.path, Line: p.Line, Column: p.Column, Text: text, Kind: "branch"})
	b.file.edits = append(b.file.edits, edit{start, start, fmt.Sprintf("multigrainSee(%d, ", k)}, edit{end, end, ")"})
}

// expression looks for the functions and variables that an expression leads to.
func (b *brancher) expression(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				b.expression(x.X)
				if v, ok := b.decided(x.X); !ok || v == (x.Op == token.LAND) {
					b.expression(x.Y)
				}
				return false
			}
		case *ast.FuncLit:
			b.enter(b.name, x.Type, x.Body)
			return false
		case *ast.Ident:
			o := b.info.Uses[x]
			if d := b.funcs[o]; d != nil {
				b.enter(d.Name.Name, d.Type, d.Body)
			} else if v := b.vars[o]; v != nil && !b.seen[v] {
				b.seen[v] = true
				b.literals(v)
			}
		}
		return true
	})
}

// literals looks for what a variable's value leads to: a table of functions, or an action that is
// named next to others.
func (b *brancher) literals(v ast.Expr) {
	name := b.name
	if lit, ok := v.(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
		return // an action's literal, which is a root where it is chosen
	}
	b.expression(v)
	b.name = name
}
