package speclint

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// checkShared reports where the catalog depends on whether slices share their elements, as package
// interaction finds it while it reads the catalog. Functions of other packages are not followed
// here.
func (l *linter) checkShared() {
	if !l.imports(grainsPath) {
		return
	}
	pkg := l.buildSSA(ssa.InstantiateGenerics)
	found := initial.Run(pkg).Shared(func(g *ssa.Global) bool {
		t := g.Type().(*types.Pointer).Elem()
		return g.Pkg == pkg && (isSystem(t) || isAction(t))
	})
	for _, u := range found {
		l.report(span(u.Pos), SharedSlice, "%s", u.Why)
	}
}
