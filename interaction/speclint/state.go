package speclint

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// checkStates compares the State types and the parameter types of the package with the State
// contract, for the target's sizes.
func (l *linter) checkStates(actions []*action, systems []*ast.CompositeLit) {
	for _, a := range actions {
		args := a.typ.TypeArgs()
		if args.Len() == 2 {
			l.checkState(args.At(0), a.at)
			l.checkParam(args.At(1), a)
		}
	}
	for _, c := range systems {
		if t, ok := types.Unalias(l.TypesInfo.TypeOf(c)).(*types.Named); ok && t.TypeArgs().Len() == 1 {
			l.checkState(t.TypeArgs().At(0), c)
		}
	}
}

func (l *linter) checkState(t types.Type, user analysis.Range) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		if _, generic := types.Unalias(t).(*types.TypeParam); !generic {
			l.report(user, stateNotFlat, "the state has type %s and not a named struct", l.typeString(t))
		}
		return
	}
	for arg := range n.TypeArgs().Types() {
		if _, generic := types.Unalias(arg).(*types.TypeParam); generic {
			return // no sizes before it is instantiated
		}
	}
	for _, s := range l.states {
		if types.Identical(s, n) {
			return
		}
	}
	l.states = append(l.states, n)
	f := &flatness{linter: l, place: user}
	if n.Obj().Pkg() == l.Pkg {
		f.place = span(n.Obj().Pos())
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		f.report(f.place, stateNotFlat, "%s is not a struct whose fields are the variables", n.Obj().Name())
		return
	}
	f.walk(n, n.Obj().Name())
}

// flatness is the check of one State type.
type flatness struct {
	*linter
	place analysis.Range // of the innermost field that this package declares
	first string         // the path of the first Raised field
}

func (f *flatness) walk(t types.Type, path string) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		f.checkBasic(u, t, path)
	case *types.Array:
		f.walk(u.Elem(), path+"[]")
	case *types.Struct:
		if _, ok := vocabularyType(t, "Raised"); ok {
			f.checkRaised(path)
		}
		f.checkMessage(t, path)
		if !unsized(u) { // else the padding depends on the machine, too
			f.checkPadding(t, u, path)
		}
		outer := f.place
		for v := range u.Fields() {
			if v.Pkg() == f.Pkg {
				f.place = span(v.Pos())
			}
			f.walk(v.Type(), path+"."+v.Name())
			f.place = outer
		}
	default:
		f.report(f.place, stateNotFlat, "%s has type %s", f.shown(path), f.typeString(t))
	}
}

// unsized reports whether a field of a struct is an integer whose size depends on the machine.
func unsized(s *types.Struct) bool {
	for v := range s.Fields() {
		if b, ok := v.Type().Underlying().(*types.Basic); ok && (b.Kind() == types.Int || b.Kind() == types.Uint || b.Kind() == types.Uintptr) {
			return true
		}
	}
	return false
}

func (f *flatness) checkBasic(u *types.Basic, t types.Type, path string) {
	switch {
	case u.Kind() == types.Int || u.Kind() == types.Uint || u.Kind() == types.Uintptr:
		f.report(f.place, unsizedInteger, "%s has type %s, whose size depends on the machine", f.shown(path), f.typeString(t))
	case u.Info()&(types.IsBoolean|types.IsInteger) == 0:
		f.report(f.place, stateNotFlat, "%s has type %s", f.shown(path), f.typeString(t))
	}
}

// shown returns a path without the insides of the value types of package modules, whose fields
// start in lower case and mean nothing to the reader.
func (f *flatness) shown(path string) string {
	for _, hidden := range []string{".elem[]", ".val[]", ".ch[][].q", ".net"} {
		path = strings.ReplaceAll(path, hidden, "[]")
	}
	return strings.ReplaceAll(path, "[][]", "[]")
}

func (f *flatness) checkMessage(t types.Type, path string) {
	n, ok := vocabularyType(t, "Net")
	if !ok {
		if n, ok = vocabularyType(t, "Bag"); !ok {
			return
		}
	}
	kind, msg := n.TypeArgs().At(1), n.TypeArgs().At(2)
	if s, ok := msg.Underlying().(*types.Struct); ok && s.NumFields() > 0 && types.Identical(s.Field(0).Type(), kind) {
		f.messages[types.Unalias(msg)] = kind
		return
	}
	f.report(f.place, kindNotFirst, "%s carries %s, which does not begin with its kind, of type %s",
		f.shown(path), f.typeString(msg), f.typeString(kind))
}

// checkRaised requires at most one Raised field: the checker looks for it among the fields of State
// itself.
func (f *flatness) checkRaised(path string) {
	switch {
	case strings.Count(path, ".") > 1 || strings.Contains(path, "["):
		f.report(f.place, raisedMisplaced, "%s lies inside another field, where no checker reads it", path)
	case f.first != "":
		f.report(f.place, raisedMisplaced, "%s is the second Raised field, after %s", path, f.first)
	default:
		f.first = path
	}
}

// checkParam requires parameters that can be compared, printed and bound from what was observed.
func (l *linter) checkParam(t types.Type, a *action) {
	if what := unplain(t); what != nil {
		l.report(a.at, paramNotPlain, "%s, the parameter type of %s, holds a %s", l.typeString(t), a.title(), l.typeString(what))
	}
}

// unplain returns the first type within t that has no place in a parameter, or nil.
func unplain(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsBoolean|types.IsInteger) == 0 {
			return t
		}
	case *types.Array:
		return unplain(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if bad := unplain(v.Type()); bad != nil {
				return bad
			}
		}
	case *types.Interface:
		if _, ok := types.Unalias(t).(*types.TypeParam); !ok {
			return t
		}
	default:
		return t
	}
	return nil
}
