package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
)

// module is the path of this module.
const module = "github.com/multigrain/multigrain"

// described are the folders of the packages whose types documents consist of.
var described = []string{"cmd/multigrain/internal/result", "cmd/multigrain/internal/verdicts", "checker/wire", "checker/conform/drivers", "modules", "grains"}

// Comments reads the doc comments of types and fields from the sources below the module's root
// folder. The keys are those that Of takes. It fails if a source cannot be read or parsed.
func Comments(root string) (map[string]string, error) {
	out := map[string]string{}
	for _, folder := range described {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			commentsOf(f, path.Join(module, folder), out)
		}
	}
	return out, nil
}

// commentsOf adds the comments of a file's types and fields.
func commentsOf(f *ast.File, pkg string, out map[string]string) {
	ast.Inspect(f, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			return true
		}
		for _, spec := range d.Specs {
			t, ok := spec.(*ast.TypeSpec)
			s, isStruct := t.Type.(*ast.StructType)
			if !ok || !isStruct {
				continue
			}
			key := pkg + "." + t.Name.Name
			if doc := comment(d.Doc, t.Doc); doc != "" {
				out[key] = doc
			}
			for _, x := range s.Fields.List {
				for _, name := range x.Names {
					if doc := comment(x.Doc, x.Comment); doc != "" {
						out[key+"."+name.Name] = doc
					}
				}
			}
		}
		return true
	})
}

// comment returns the text of the first comment that there is, in one line.
func comment(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := strings.Join(strings.Fields(g.Text()), " "); text != "" {
			return text
		}
	}
	return ""
}
