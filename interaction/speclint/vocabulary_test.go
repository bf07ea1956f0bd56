package speclint

import (
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// TestReaders computes from the source of package modules which methods write their receiver, and
// compares the table of readers with it. It also checks the assumptions of the analysis about the
// others: they write only their receiver, and return no pointers.
func TestReaders(t *testing.T) {
	cfg := &packages.Config{Mode: packages.LoadSyntax}
	pkgs, err := packages.Load(cfg, modulesPath)
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatalf("package modules cannot be loaded: %v", err)
	}
	prog, _ := ssautil.Packages(pkgs, 0)
	prog.Build()
	f := newFlow(declared(prog, pkgs[0].Types.Scope()), func(*types.Func) reachOfCall { return writesNothing }, nil)

	seen := map[string]int{}
	for _, fn := range f.fns {
		m, ok := fn.Object().(*types.Func)
		if !ok || !m.Exported() || fn.Synthetic != "" || !plainSignature(m.Signature()) {
			continue
		}
		typ, pointer := receiver(m)
		for k, p := range fn.Params {
			got, want := len(f.writes[p]) > 0, k == 0 && mutates(m)
			if got != want {
				t.Errorf("%s: writes through parameter %d: %v in the source, %v in the table of readers", m.FullName(), k, got, want)
			}
		}
		for v := range m.Signature().Results().Variables() {
			if _, ok := v.Type().Underlying().(*types.Pointer); ok {
				t.Errorf("%s returns a pointer, which may lead into its receiver", m.FullName())
			}
		}
		if pointer {
			seen[typ+"."+m.Name()]++
		}
	}
	for typ, names := range readers {
		for _, name := range names {
			if seen[typ+"."+name] != 1 {
				t.Errorf("the table of readers names %s.%s, which package modules does not have", typ, name)
			}
		}
		if !slices.IsSorted(names) {
			t.Errorf("the readers of %s are not sorted", typ)
		}
	}
	if len(seen) < 50 {
		t.Errorf("%d methods were compared, package modules has more", len(seen))
	}
}

// declared returns the functions and methods of a package.
func declared(prog *ssa.Program, scope *types.Scope) (out []*ssa.Function) {
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			out = append(out, prog.FuncValue(o))
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok {
				for m := range n.Methods() {
					out = append(out, prog.FuncValue(m))
				}
			}
		}
	}
	return out
}
