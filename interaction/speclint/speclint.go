package speclint

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

//go:embed doc.go
var source string

// Analyzer reports what doc.go lists. The category of a finding is its code. A fact says which
// functions of another package a step may call.
var Analyzer = &analysis.Analyzer{
	Name: "speclint",
	Doc:  help(),
	URL:  "https://pkg.go.dev/github.com/multigrain/multigrain/interaction/speclint",
	Run:  run,

	FactTypes: []analysis.Fact{(*ofValues)(nil)},
}

// help returns the package comment without its first line, which go doc requires and a tool does
// not.
func help() string {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(f.Doc.Text(), "speclint: ")
	return rest
}

// linter is the analysis of one specification.
type linter struct {
	*analysis.Pass
	files []*ast.File // without tests
	index *index
	// states are the State types; messages the types that their channels carry, with the type of
	// the kind.
	states   []*types.Named
	messages map[types.Type]types.Type
	reach    *reach
	found    map[finding]bool
	unflat   bool                     // a State has a field that is not flat
	declared map[types.Object]*action // by their variables
	// allowed are names of steps that are otherwise none: the declared action of Other.Guard, and
	// unsafe.Pointer in the type of a parameter that has it by the vocabulary
	allowed map[*ast.Ident]bool
}

// finding identifies a report: what two roots reach is reported once.
type finding struct {
	pos  token.Pos
	code string
}

// run reports what breaks the rules of a specification. For another package it exports the
// functions of values.
func run(pass *analysis.Pass) (any, error) {
	l := &linter{Pass: pass, messages: map[types.Type]types.Type{}, found: map[finding]bool{}}
	if path := pass.Pkg.Path(); path == modulesPath || path == grainsPath {
		return nil, nil
	}
	for _, f := range pass.Files {
		if !strings.HasSuffix(pass.Fset.Position(f.FileStart).Filename, "_test.go") {
			l.files = append(l.files, f)
		}
	}
	l.index = newIndex(l.files, pass.TypesInfo)
	if l.isSpecification() {
		l.lint()
	} else {
		l.exportValues()
	}
	return nil, nil
}

// isSpecification reports whether the package declares an action or a system, or gives a function
// to one.
func (l *linter) isSpecification() bool {
	if !l.imports(modulesPath) && !l.imports(grainsPath) {
		return false
	}
	gives := false
	l.given(func(entry, ast.Expr, *ast.CompositeLit) { gives = true })
	return gives || len(l.actions()) > 0 || len(l.literals(isSystem)) > 0
}

func (l *linter) lint() {
	actions := l.actions()
	l.checkActions(actions)
	l.checkAssignments()
	l.checkStates(actions, l.literals(isSystem))
	roots := l.roots(actions)
	l.reach = l.reachable(roots)
	l.checkSubset()
	l.checkKinds()
	pkg := l.buildSSA(0)
	l.checkFlow(pkg, roots)
	l.checkStarts(roots)
	l.checkEscapes(pkg)
	l.checkShared()
}

func (l *linter) imports(path string) bool {
	return slices.ContainsFunc(l.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
}

// report reports a breach of a rule: what was found, then the remedy.
func (l *linter) report(at analysis.Range, r Rule, format string, args ...any) {
	l.reportRelated(at, r, nil, format, args...)
}

func (l *linter) reportRelated(at analysis.Range, r Rule, also []analysis.RelatedInformation, format string, args ...any) {
	if l.found[finding{at.Pos(), r.Code}] {
		return
	}
	l.found[finding{at.Pos(), r.Code}] = true
	l.unflat = l.unflat || r.Code == stateNotFlat.Code
	message := r.Code + ": " + fmt.Sprintf(format, args...)
	if r.Remedy != "" {
		message += "; " + r.Remedy
	}
	l.Report(analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Category: r.Code, Message: message, Related: also})
}

// typeString returns a type as the package writes it.
func (l *linter) typeString(t types.Type) string { return types.TypeString(t, types.RelativeTo(l.Pkg)) }

// literals returns the composite literals of the types that want holds for.
func (l *linter) literals(want func(types.Type) bool) (out []*ast.CompositeLit) {
	for _, f := range l.files {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			t := l.TypesInfo.TypeOf(c)
			if p, ok := types.Unalias(t).(*types.Pointer); ok {
				t = p.Elem() // an element of a list of pointers
			}
			if want(t) {
				out = append(out, c)
			}
			return true
		})
	}
	return out
}

// fieldsOf returns the values of a struct literal by the names of their fields.
func (l *linter) fieldsOf(c *ast.CompositeLit) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	typ := l.TypesInfo.TypeOf(c)
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ = p.Elem() // an element of a list of pointers
	}
	t, ok := typ.Underlying().(*types.Struct)
	if !ok {
		return out
	}
	for k, e := range c.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			out[kv.Key.(*ast.Ident).Name] = kv.Value
		} else {
			out[t.Field(k).Name()] = e
		}
	}
	return out
}
