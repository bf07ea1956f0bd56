package observes_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/observes"
)

// reading are the functions of package control that read fields, whose arguments are paths.
var reading = []string{"text", "textOf", "int", "intOf", "bool", "boolOf", "object", "objectOf", "items", "servers", "entries", "proposals", "server", "tree", "processor"}

// apart are steps of paths that are no rows: fields of classes of the JDK and of enums, and those
// that find an object for the driver's own use.
var apart = map[string]string{"name": "of an enum", "value": "of a number or a reference", "count": "of a queue", "rec": "of PacketInFlight, in the table as rec"}

// readFields returns the steps of all paths that the driver reads.
func readFields(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, file := range []string{"memory.go", "election.go", "tree.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), "../../control/"+file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		add := func(e ast.Expr) {
			ast.Inspect(e, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, _ := strconv.Unquote(lit.Value)
					for step := range strings.SplitSeq(text, ".") {
						if step != "" {
							out[step] = true
						}
					}
				}
				return true
			})
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(reading, s.Sel.Name) {
					for _, a := range n.Args {
						add(a)
					}
				}
			case *ast.AssignStmt: // a path that is kept in a variable
				if x, ok := n.Lhs[0].(*ast.Ident); ok && x.Name == "path" {
					add(n.Rhs[0])
				}
			}
			return true
		})
	}
	return out
}

// TestDriver compares the table with the paths that the driver reads, in both directions.
func TestDriver(t *testing.T) {
	read := readFields(t)
	if len(read) < 40 {
		t.Fatalf("only %d fields were found", len(read))
	}
	rows := map[string]bool{}
	for _, r := range observes.Rows {
		if !r.Method {
			field := r.Place[strings.LastIndexByte(r.Place, '.')+1:]
			rows[field] = true
			if !r.Sent && !read[field] {
				t.Errorf("%s is in the table, and the driver does not read it", r.Place)
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(read)) {
		if !rows[field] && apart[field] == "" {
			t.Errorf("the driver reads a field %s, which the table does not have", field)
		}
	}
}

// TestPlaces: each place of the table is one of a release.
func TestPlaces(t *testing.T) {
	known := map[string]bool{}
	for _, version := range []string{"3.4.14", "3.6.4", "3.9.1", "3.9.5"} {
		jars, err := control.Find(control.Places{}, version)
		if err != nil {
			t.Skip(err)
		}
		for _, path := range observes.Own(jars.Path) {
			jar, err := bytecode.OpenJar(path)
			if err != nil {
				t.Fatal(err)
			}
			defer jar.Close()
			for _, name := range jar.Classes() {
				c, err := jar.Class(name)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range c.Fields {
					known[name+"."+f.Name] = true
				}
				for _, m := range c.Methods {
					known[name+"."+m.Name] = true
				}
			}
		}
	}
	for _, r := range observes.Rows {
		if !known[observes.Root+r.Place] {
			t.Errorf("no release has %s", r.Place)
		}
	}
}
