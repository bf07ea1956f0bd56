package multigrain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocNames checks that the doc comment of a function, a method or a type begins with its name,
// as Go's convention says. An article before it is fine. Of variables and constants, those with a
// doc comment of their own count. The comment of a test may be a sentence of its source.
func TestDocNames(t *testing.T) {
	count := 0
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && name != "."):
			return fs.SkipDir
		case filepath.Ext(name) != ".go":
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		named := func(doc *ast.CommentGroup, id *ast.Ident) {
			// A directive has no text.
			if doc == nil || id.Name == "_" || doc.Text() == "" || isTest.MatchString(id.Name) {
				return
			}
			count++
			if !beginsWith(doc.Text(), id.Name) {
				first, _, _ := strings.Cut(doc.Text(), "\n")
				t.Errorf("%s: the comment of %s begins with %q: begin with the name", set.Position(id.Pos()), id.Name, first)
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				named(d.Doc, d.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if named(s.Doc, s.Name); s.Doc == nil && !d.Lparen.IsValid() {
							named(d.Doc, s.Name)
						}
					case *ast.ValueSpec:
						if !d.Lparen.IsValid() && len(s.Names) == 1 {
							named(d.Doc, s.Names[0])
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 5000 {
		t.Errorf("only %d comments were read", count)
	}
}

var isTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark)`)

// beginsWith reports whether a comment begins with a name, perhaps after an article.
func beginsWith(text, name string) bool {
	for _, article := range []string{"", "A ", "An ", "The "} {
		rest, ok := strings.CutPrefix(text, article+name)
		if ok && (rest == "" || strings.ContainsAny(rest[:1], " ,:.'\n(")) {
			return true
		}
	}
	return false
}
