package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Some coarse grains are false at larger bounds even where nothing is changed. There a mutant is
// compared with the untouched grain itself: it is equivalent if no observation tells the two apart.
// For that the copy of the specification has the grain twice. The second one is that of
// untouchedFile, which no mutant changes.

// untouchedFile has the copy of a mutated file.
const untouchedFile = "mutants_untouched.go"

// againstItself adds to a manifest that its coarse grain of a module is compared with the untouched
// one.
func againstItself(module, grain, manifest string) string {
	return strings.Replace(manifest, "  level = \"L2\"\n", "  level = \"L2\"\n  against {\n    "+module+" = \""+grain+"-untouched\"\n  }\n", 1)
}

// hasUntouched reports whether a manifest names the untouched grain.
func (w *workshop) hasUntouched() bool {
	for _, m := range w.larger {
		if strings.Contains(m, "-untouched\"") {
			return true
		}
	}
	return false
}

// writeUntouched writes the copy of the mutated file, and adds its grains to the catalog. All that
// the file declares has another name there, and so have its actions and grains.
func (w *workshop) writeUntouched(t *testing.T) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, w.file, w.original, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	declared, declaredGrains := map[string]bool{}, []string{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declared[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, name := range v.Names {
					declared[name.Name] = true
				}
				if len(v.Values) == 1 && renameAsUntouched(v.Values[0]) {
					declaredGrains = append(declaredGrains, v.Names[0].Name)
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && declared[id.Name] {
			id.Name += "Untouched"
		}
		return true
	})
	var out bytes.Buffer
	if err := format.Node(&out, fset, file); err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(w.dir, "spec")
	catalog, err := os.ReadFile(filepath.Join(spec, "catalog.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range declaredGrains {
		changed := regexp.MustCompile(`\b`+name+`,`).ReplaceAll(catalog, []byte(name+", "+name+"Untouched,"))
		if bytes.Equal(changed, catalog) {
			t.Fatalf("catalog.go does not list %s", name)
		}
		catalog = changed
	}
	for path, text := range map[string][]byte{untouchedFile: out.Bytes(), "catalog.go": catalog} {
		if err := os.WriteFile(filepath.Join(spec, path), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// renameAsUntouched changes the name of an action or a grain, and reports whether it is a grain.
func renameAsUntouched(e ast.Expr) (grain bool) {
	suffix := "Untouched"
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 0 {
		e, suffix, grain = call.Args[0], "-untouched", true
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, x := range lit.Elts {
		kv, ok := x.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := kv.Key.(*ast.Ident)
		name, isText := kv.Value.(*ast.BasicLit)
		if key != nil && key.Name == "Name" && isText {
			text, err := strconv.Unquote(name.Value)
			if err != nil {
				return false
			}
			name.Value = strconv.Quote(text + suffix)
		}
	}
	return grain
}
