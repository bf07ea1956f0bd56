package assemble

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
)

// The checker is generic over the State type, and instantiating it takes the Go compiler longer
// than everything else that a program is built from. Where the instance is part of the main
// package, the go command compiles it again after each edit of the specification.
//
// So the instance has a package of its own, the engine, that does not import the specification. The
// engine declares a copy of the State type: the same fields, in the same order, of types with the
// same names and the same underlying types. The main package gives the engine the specification's
// functions, which take pointers to states, and a pointer to the one type is as good as a pointer
// to the other. The engine's source depends on the shape of the State alone, so an edit of an
// action leaves the compiled engine in the go command's build cache.
//
//	specification                      engine-5f0c...
//	type Role uint8                    type Role uint8
//	type State struct {                type State struct {
//		Role [3]Role                       Role [3]Role
//		Net  modules.Net[...]              Net  modules.Net[...]
//	}                                  }
//
// The types of package modules are the same in both. A State with a field that cannot be copied,
// which its contract forbids anyway, has no engine: its checker is instantiated in the main
// package.

// errNoShape says that a State type cannot be copied.
var errNoShape = errors.New("the State type cannot be copied")

// shapeOf returns the declarations that copy the State type of a package, in a fixed order. The
// texts of files replace those on disk.
func shapeOf(s *gocmd.Source, files map[string][]byte, state string) (declarations string, err error) {
	x := &typeReader{s: s, files: files, fset: token.NewFileSet(), read: map[string]*types.Package{}}
	p, err := x.Import(s.Path)
	if err != nil {
		return "", err
	}
	o, ok := p.Scope().Lookup(state).(*types.TypeName)
	if !ok {
		return "", errNoShape
	}
	c := &copier{home: p, declared: map[string]string{}}
	if name, err := c.text(o.Type()); err != nil || name != state {
		return "", errNoShape
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.declared)) {
		fmt.Fprintf(&b, "type %s %s\n", name, c.declared[name])
	}
	return b.String(), nil
}

// typeReader type-checks the types and constants of packages, without functions, without variables
// and without the standard library: State types need none of these.
type typeReader struct {
	s     *gocmd.Source
	files map[string][]byte // contents by path, instead of those on disk
	fset  *token.FileSet
	read  map[string]*types.Package
}

// Import is types.Importer.
func (x *typeReader) Import(path string) (*types.Package, error) {
	if p, ok := x.read[path]; ok {
		if p == nil {
			return nil, errNoShape
		}
		return p, nil
	}
	x.read[path] = nil
	var files []*ast.File
	for _, name := range x.s.GoFiles(path) {
		var text any
		if b, ok := x.files[name]; ok {
			text = b
		}
		f, err := parser.ParseFile(x.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
			g, ok := d.(*ast.GenDecl)
			return !ok || g.Tok == token.VAR
		})
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, errNoShape
	}
	conf := types.Config{
		Importer: x, IgnoreFuncBodies: true, Error: func(error) {}, Sizes: types.SizesFor("gc", runtime.GOARCH),
		DisableUnusedImportCheck: true,
	}
	p, _ := conf.Check(path, x.fset, files, nil) // errors are those of packages that are not read
	x.read[path] = p
	return p, nil
}

// copier writes types as the engine declares them.
type copier struct {
	home     *types.Package    // of the specification
	declared map[string]string // underlying types by name
}

// text writes a type, and declares the named types in it.
func (c *copier) text(t types.Type) (string, error) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Info()&(types.IsInteger|types.IsBoolean) != 0 && t.Info()&types.IsUntyped == 0 {
			return t.Name(), nil
		}
	case *types.Array:
		elem, err := c.text(t.Elem())
		return fmt.Sprintf("[%d]%s", t.Len(), elem), err
	case *types.Struct:
		return c.structure(t)
	case *types.Named:
		return c.named(t)
	}
	return "", errNoShape
}

func (c *copier) structure(t *types.Struct) (string, error) {
	var b strings.Builder
	b.WriteString("struct {\n")
	for k := range t.NumFields() {
		f := t.Field(k)
		of, err := c.text(f.Type())
		if err != nil {
			return "", err
		}
		switch {
		case !f.Embedded():
			fmt.Fprintf(&b, "%s %s", f.Name(), of)
		case of == f.Name():
			b.WriteString(of)
		default:
			return "", errNoShape // it is embedded by another name than its copy has
		}
		if tag := t.Tag(k); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
		b.WriteString("\n")
	}
	b.WriteString("}")
	return b.String(), nil
}

// vocabulary is the package whose types the engine and the specification share.
const vocabulary = gocmd.Framework + "/modules"

func (c *copier) named(t *types.Named) (string, error) {
	o := t.Obj()
	if o.Pkg() == nil {
		return "", errNoShape
	}
	if o.Pkg().Path() == vocabulary {
		return c.shared(t)
	}
	name := copyName(c.home.Path(), o.Pkg().Path(), o.Name())
	if t.TypeArgs().Len() > 0 || o.Parent() != o.Pkg().Scope() {
		return "", errNoShape // a generic or a local type has no name to declare it by
	}
	if _, ok := c.declared[name]; ok {
		return name, nil
	}
	c.declared[name] = "" // flat types are not recursive; if one is, the compiler says so
	of, err := c.text(t.Underlying())
	if err != nil {
		return "", err
	}
	c.declared[name] = of
	return name, nil
}

// copyName returns the name of the copy of a type. Types of packages other than the specification's
// have names apart from those of its own.
func copyName(specification, path, name string) string {
	if path == specification {
		return name
	}
	return fmt.Sprintf("Of%x_%s", path, name)
}

// shared writes a type of package modules.
func (c *copier) shared(t *types.Named) (string, error) {
	name := "modules." + t.Obj().Name()
	if name == "modules.Chain" || name == "modules.Deque" {
		return "", errNoShape // their elements lie in an Arena, which knows their type
	}
	if t.TypeArgs().Len() == 0 {
		return name, nil
	}
	var args []string
	for arg := range t.TypeArgs().Types() {
		a, err := c.text(arg)
		if err != nil {
			return "", err
		}
		args = append(args, a)
	}
	return name + "[" + strings.Join(args, ", ") + "]", nil
}
