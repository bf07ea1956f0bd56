package assemble

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
)

// The two sides of a comparison can differ in an option, where a grain of one side sets it. Both
// sides are in one program, so the option's constant becomes a variable there:
//
//	const Append = "messages"     before
//
//	var Append = "messages"       in the program that compares, and in what is analysed for it
//	const multigrainSides = true
//	func MultigrainSide(side int) { Append = ... }
//
// The program sets the side before it calls a function of the specification.

// vary makes a constant of the package a variable with the value of side 0. It fails if Go needs a
// constant where it is used.
func (r *Rewriting) vary(name, value string) error {
	return r.declare(name, func(typ string) string { return fmt.Sprintf("var %s %s = %s", name, typ, value) })
}

// declare puts a declaration in the place of a constant's. It gets the type that the constant
// states, "" without one.
func (r *Rewriting) declare(name string, text func(typ string) string) error {
	if err := r.CanVary(name); err != nil {
		return err
	}
	f, v, k := r.constant(name)
	if f == nil {
		return fmt.Errorf("package %s declares no constant %s", r.path, name)
	}
	f.edits = append(f.edits, edit{r.offset(v.Names[k].Pos()), r.offset(v.Names[k].End()), "_"})
	typ := ""
	if v.Type != nil {
		typ = string(f.text[r.offset(v.Type.Pos()):r.offset(v.Type.End())])
	}
	fmt.Fprintf(&f.tail, "\n%s\n", text(typ))
	return nil
}

// settingName is the name by which the specification's package imports package setting.
const settingName = "multigrainsetting"

// start makes constants variables that get their values as the program starts. Go initialises what
// depends on them after them.
//
//	const PreVote = false    before
//
//	var PreVote = multigrainsetting.Of("PreVote", []string{"true", "false"}, true, false)
func (r *Rewriting) start(constants map[string][]string) error {
	r.started = map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		values := constants[name]
		r.started[name] = true
		if err := r.declare(name, func(typ string) string {
			if typ != "" {
				typ = "[" + typ + "]"
			}
			return fmt.Sprintf("var %s = %s.Of%s(%q, %#v, %s)", name, settingName, typ, name, values, strings.Join(values, ", "))
		}); err != nil {
			return err
		}
		f, _, _ := r.constant(name)
		if at := r.offset(f.tree.Name.End()); !slices.ContainsFunc(f.edits, func(e edit) bool { return e.start == at }) {
			f.edits = append(f.edits, edit{at, at, fmt.Sprintf("; import %s %q", settingName, gocmd.Framework+"/checker/setting")})
		}
	}
	return nil
}

// CanVary returns why a constant of the package cannot be a variable: Go needs a constant where it
// is used. It returns nil if nothing is known that keeps it from it.
func (r *Rewriting) CanVary(name string) error {
	for _, f := range r.files {
		if at := f.constantUses()[name]; at.IsValid() {
			p := r.fset.Position(at)
			return fmt.Errorf("constant %s cannot be a variable: see %s:%d", name, filepath.Base(p.Filename), p.Line)
		}
	}
	return nil
}

// constantUses returns the names that a file uses in values of constants and lengths of arrays,
// each with the last place. The file is searched once: many compositions ask for many names.
func (f *goFile) constantUses() map[string]token.Pos {
	if f.constants != nil {
		return f.constants
	}
	f.constants = map[string]token.Pos{}
	note := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				f.constants[id.Name] = id.Pos()
			}
			return true
		})
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GenDecl:
			if x.Tok == token.CONST {
				for _, spec := range x.Specs {
					for _, v := range spec.(*ast.ValueSpec).Values {
						note(v)
					}
				}
			}
		case *ast.ArrayType:
			if x.Len != nil {
				note(x.Len)
			}
		}
		return true
	})
	return f.constants
}

// varySides makes the constants that differ between the sides variables. A program that runs also
// has the function that sets them.
func (r *Rewriting) varySides(sides map[string][2]string, runs bool) error {
	if len(sides) == 0 {
		return nil
	}
	var set [2]strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sides)) {
		if err := r.vary(name, sides[name][0]); err != nil {
			return err
		}
		for k := range set {
			fmt.Fprintf(&set[k], "\t\t%s = %s\n", name, sides[name][k])
		}
	}
	tail := &r.files[0].tail
	fmt.Fprint(tail, "\nconst multigrainSides = true\n")
	if runs {
		fmt.Fprintf(tail, "\nfunc MultigrainSide(side int) {\n\tif side == 0 {\n%s\t} else {\n%s\t}\n}\n", set[0].String(), set[1].String())
	}
	return nil
}
