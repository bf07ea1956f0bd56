package zab

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// TestRemains fails on a part that exists only for running next to a node and that Remains does not
// list with a reason. It also fails on each action that exists only for running, listed or not.
func TestRemains(t *testing.T) {
	t.Parallel()
	inGrain := func(action string) bool {
		for k := range System.Grains {
			for _, a := range System.Grains[k].Actions {
				if modules.NameOf(a) == action {
					return true
				}
			}
		}
		return false
	}
	for _, x := range Runtime.Unlisted(inGrain) {
		t.Error(x)
	}
	var listed []string
	for _, x := range Runtime.Remains {
		switch x.Kind {
		case modules.RemainingHook:
			listed = append(listed, x.Name)
		case modules.RemainingAction:
			t.Errorf("action %s exists only for running", x.Name)
		}
	}
	found := hooks(t)
	for _, h := range found {
		if !slices.Contains(listed, h) {
			t.Errorf("hook %s uses LiveNode and is not listed", h)
		}
	}
	for _, h := range listed {
		if !slices.Contains(found, h) {
			t.Errorf("hook %s is listed and does not use LiveNode", h)
		}
	}
}

// hooks returns the declarations of the package that use the constant LiveNode.
func hooks(t *testing.T) (out []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "sizes.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if usesLiveNode(d) {
					out = append(out, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && usesLiveNode(v) {
						out = append(out, v.Names[0].Name)
					}
				}
			}
		}
	}
	return out
}

// usesLiveNode reports whether a declaration uses the constant, and not a field of that name.
func usesLiveNode(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = usesLiveNode(n.X) || found
			return false
		case *ast.KeyValueExpr:
			found = usesLiveNode(n.Value) || found
			return false
		case *ast.Ident:
			found = found || n.Name == "LiveNode"
		}
		return true
	})
	return found
}
