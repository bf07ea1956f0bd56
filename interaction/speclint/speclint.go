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
	declared map[types.Object]*action // by their variables
}

// finding identifies a report: what two roots reach is reported once.
type finding struct {
	pos  token.Pos
	code string
}

// Declared reports breaches of the rules whose judgement needs no flow of values: those on
// declarations, on the State contract and on the subset of Go. The pass needs no facts. Other
// packages count as ones whose functions no step may call, so that findings of MG438 say nothing.
func Declared(pass *analysis.Pass) {
	pass.ImportObjectFact = func(types.Object, analysis.Fact) bool { return false }
	lint(pass, func(*linter, []*root) {})
}

func run(pass *analysis.Pass) (any, error) {
	lint(pass, func(l *linter, roots []*root) {
		l.checkFlow(roots)
		l.checkShared()
	})
	return nil, nil
}

// lint reports what breaks the rules of a specification, and what flow finds. For another package
// it exports the functions of values.
func lint(pass *analysis.Pass, flow func(l *linter, roots []*root)) {
	l := &linter{Pass: pass, messages: map[types.Type]types.Type{}, found: map[finding]bool{}}
	if path := pass.Pkg.Path(); path == modulesPath || path == grainsPath {
		return
	}
	for _, f := range pass.Files {
		if !strings.HasSuffix(pass.Fset.Position(f.FileStart).Filename, "_test.go") {
			l.files = append(l.files, f)
		}
	}
	l.index = newIndex(l.files, pass.TypesInfo)
	if !l.imports(modulesPath) {
		l.exportValues()
		return
	}
	actions := l.actions()
	systems := l.literals(isSystem)
	if len(actions) == 0 && len(systems) == 0 {
		l.exportValues()
		return
	}
	l.checkActions(actions)
	l.checkAssignments()
	l.checkStates(actions, systems)
	roots := l.roots(actions, systems)
	l.reach = l.reachable(roots)
	l.checkSubset()
	l.checkKinds()
	flow(l, roots)
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
			if c, ok := n.(*ast.CompositeLit); ok && want(l.TypesInfo.TypeOf(c)) {
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
	t, ok := l.TypesInfo.TypeOf(c).Underlying().(*types.Struct)
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
