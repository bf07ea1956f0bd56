package assemble

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// goFile is a file of the specification with the edits that an assembled program needs.
type goFile struct {
	path  string
	text  []byte
	tree  *ast.File
	edits []edit
	tail  strings.Builder // appended after the last line
	other bool            // the text is not that on disk
	// constants is the result of constantUses; nil: nobody asked.
	constants map[string]token.Pos
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// Rewriting is a specification's package being edited in memory.
type Rewriting struct {
	fset  *token.FileSet
	files []*goFile
	path  string                  // of the package's import
	hoist map[grains.Place]string // names of hoisted literals
	set   map[string]string       // values of constants that were set
	state string                  // name of the State type
	wide  bool                    // sets are no numbers
	// started are constants that have no value when the program is built: see start.
	started map[string]bool
	emptied map[*ast.BlockStmt]bool // bodies of functions that are empty: see emptyUnreached
}

// Read reads the files of a specification's package.
func Read(s *gocmd.Source) (*Rewriting, hcl.Diagnostics) { return readWith(s, nil) }

// readWith is Read with other contents of some files, by path.
func readWith(s *gocmd.Source, contents map[string][]byte) (*Rewriting, hcl.Diagnostics) {
	r := &Rewriting{fset: token.NewFileSet(), path: s.Path, hoist: map[grains.Place]string{}, set: map[string]string{}, wide: s.WideSets()}
	for _, path := range s.Files() {
		text, other := contents[path]
		if !other {
			var err error
			if text, err = host.ReadFile(path); err != nil {
				return nil, hcl.Diagnostics{configs.CannotRead(hcl.Range{}, err, err.Error()+".")}
			}
		}
		tree, err := parser.ParseFile(r.fset, path, text, parser.ParseComments)
		if err != nil {
			return nil, hcl.Diagnostics{configs.Errorf(gocmd.CodeSpecInvalid, "Specification does not compile", hcl.Range{}, "%v.", err)}
		}
		r.files = append(r.files, &goFile{path: path, text: text, tree: tree, other: other})
	}
	return r, nil
}

func (r *Rewriting) offset(p token.Pos) int { return r.fset.Position(p).Offset }

// SetConstant gives a constant of the package another value. It returns an error that says what the
// constant should look like.
func (r *Rewriting) SetConstant(name, value string) error {
	f, v, k := r.constant(name)
	switch {
	case f == nil:
		return fmt.Errorf("package %s declares no constant %s", r.path, name)
	case k >= len(v.Values):
		return fmt.Errorf("constant %s has no value of its own: write %s = ... in package %s", name, name, r.path)
	}
	f.edits = append(f.edits, edit{r.offset(v.Values[k].Pos()), r.offset(v.Values[k].End()), value})
	r.set[name] = value
	return nil
}

// constant finds the declaration of a constant: its file, the specification, and the number of the
// name in it. The file is nil if the package declares no such constant.
func (r *Rewriting) constant(name string) (*goFile, *ast.ValueSpec, int) {
	for _, f := range r.files {
		for _, d := range f.tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				if k := slices.IndexFunc(v.Names, func(id *ast.Ident) bool { return id.Name == name }); k >= 0 {
					return f, v, k
				}
			}
		}
	}
	return nil, nil, 0
}

// hoisted returns the expression by which generated code calls a function of the specification: its
// name, or that of a function that a literal is moved to. Moving makes direct calls, and inlining,
// possible; a literal at package level captures nothing.
func (r *Rewriting) hoisted(fn grains.Function) (string, error) {
	if fn.Name != "" {
		return fn.Name, nil
	}
	if name, ok := r.hoist[fn.Place]; ok {
		return name, nil
	}
	f, lit := r.literal(fn.Place)
	if lit == nil {
		return "", fmt.Errorf("no function literal at %s:%d:%d", fn.Place.File, fn.Place.Line, fn.Place.Column)
	}
	name := fmt.Sprintf("multigrain%d", len(r.hoist))
	r.hoist[fn.Place] = name
	start, end := r.offset(lit.Pos()), r.offset(lit.End())
	after := r.fset.Position(lit.End())
	f.edits = append(f.edits, edit{start, end, fmt.Sprintf("%s/*line %s:%d:%d*/", name, f.path, after.Line, after.Column)})
	body := f.text[start+len("func") : end]
	fmt.Fprintf(&f.tail, "\n//line %s:%d:%d\nfunc %s%s\n", f.path, fn.Place.Line, fn.Place.Column, name, body)
	return name, nil
}

// literal finds the function literal that starts at a place.
func (r *Rewriting) literal(at grains.Place) (*goFile, *ast.FuncLit) {
	for _, f := range r.files {
		if f.path != at.File {
			continue
		}
		var found *ast.FuncLit
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				if p := r.fset.Position(lit.Pos()); p.Line == at.Line && p.Column == at.Column {
					found = lit
				}
			}
			return found == nil
		})
		return f, found
	}
	return nil, nil
}

// Changed returns the contents of the edited files by path.
func (r *Rewriting) Changed() map[string][]byte {
	out := map[string][]byte{}
	for _, f := range r.files {
		if len(f.edits) == 0 && f.tail.Len() == 0 && !f.other {
			continue
		}
		slices.SortFunc(f.edits, func(a, b edit) int { return a.start - b.start })
		var b strings.Builder
		at := 0
		for _, e := range f.edits {
			b.Write(f.text[at:e.start])
			b.WriteString(e.text)
			at = e.end
		}
		b.Write(f.text[at:])
		b.WriteString(f.tail.String())
		out[f.path] = []byte(b.String())
	}
	return out
}
