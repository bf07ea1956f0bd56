package interaction

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
)

// meaningful returns edits of a part of the syntax that change what it does, by kind. It leaves out
// code that constants may exclude, and constants that are a part of another one.
func (x *edited) meaningful(n ast.Node) map[string][]edit {
	out := map[string][]edit{}
	info := x.p.main.info
	constant := func(e ast.Expr) bool { return e != nil && info.Types[e].Value != nil }
	conditional := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			ast.Inspect(n.Cond, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				conditional = conditional || ok && constant(e) && isBoolean(info.TypeOf(e))
				return true
			})
		case *ast.SwitchStmt:
			conditional = conditional || constant(n.Tag) || n.Tag == nil
		case *ast.BinaryExpr:
			conditional = conditional || (n.Op == token.LAND || n.Op == token.LOR) && (constant(n.X) || constant(n.Y))
		}
		return true
	})
	if conditional {
		return out
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil {
				for more := 1; more <= 2; more++ {
					out["literal"] = append(out["literal"], x.at(n.Pos(), n.End(), strconv.Itoa(v+more)))
				}
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" && info.Uses[n] == types.Universe.Lookup(n.Name) {
				out["boolean"] = append(out["boolean"], x.at(n.Pos(), n.End(), other))
			}
		case *ast.BinaryExpr:
			for kind, others := range map[string]map[token.Token]string{
				"comparison": {token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.LAND: "||", token.LOR: "&&"},
				"operator":   {token.ADD: "-", token.SUB: "+", token.OR: "&", token.AND: "|"},
			} {
				if other := others[n.Op]; other != "" && !constant(n) {
					out[kind] = append(out[kind], x.at(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other))
				}
			}
			return !constant(n)
		case *ast.IfStmt:
			out["condition"] = append(out["condition"], x.negated(n.Cond))
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				if isBoolean(info.TypeOf(e)) && !constant(e) {
					out["result"] = append(out["result"], x.negated(e))
				}
			}
		case *ast.ExprStmt:
			out["call"] = append(out["call"], x.leftOut(n))
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN {
				out["assignment"] = append(out["assignment"], x.leftOut(n))
			}
		case *ast.IncDecStmt:
			other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
			out["statement"] = append(out["statement"], x.at(n.TokPos, n.TokPos+2, other))
		case *ast.CompositeLit:
			return len(n.Elts) > 0
		}
		return true
	})
	return out
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// negated returns an edit that negates a condition.
func (x *edited) negated(e ast.Expr) edit { return x.within(e, "!(", ")") }

// leftOut returns an edit after which a statement is never done. What it names stays used.
func (x *edited) leftOut(n ast.Stmt) edit { return x.within(n, "if false { ", " }") }

// within returns an edit that writes texts before and after a part of the syntax.
func (x *edited) within(n ast.Node, before, after string) edit {
	out := x.at(n.Pos(), n.End(), "")
	b, err := os.ReadFile(out.file)
	if err != nil {
		x.t.Fatal(err)
	}
	out.text = before + string(b[out.start:out.end]) + after
	return out
}

// literals calls f with every function literal of an action that the main package declares. It
// gives the name of the part of the digests that the action is, and whether it is reached.
func (x *edited) literals(f func(l *ast.FuncLit, part string, reached bool)) {
	for _, file := range x.p.main.syntax {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				part := actionName(s.(*ast.ValueSpec))
				if part == "" {
					continue
				}
				ast.Inspect(s, func(n ast.Node) bool {
					l, ok := n.(*ast.FuncLit)
					if ok {
						f(l, part, x.plain.Parts[part] != "")
					}
					return !ok
				})
			}
		}
	}
}

// actionName returns the part that an action has which a variable declares; "" if it declares none.
func actionName(v *ast.ValueSpec) (part string) {
	if len(v.Values) == 1 {
		if l, ok := v.Values[0].(*ast.CompositeLit); ok {
			for _, e := range l.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && types.ExprString(kv.Key) == "Name" {
					if name, err := strconv.Unquote(types.ExprString(kv.Value)); err == nil {
						part = "action " + name
					}
				}
			}
		}
	}
	return part
}

// placed is an edit and the part of the digests that it changes.
type placed struct {
	edit
	kind, part string
}

// reached returns the meaningful edits of all code that the comparison reaches, by part.
func (x *edited) reached() map[string][]placed {
	out := map[string][]placed{}
	add := func(part string, n ast.Node) {
		all := x.meaningful(n)
		for _, kind := range slices.Sorted(maps.Keys(all)) {
			for _, e := range all[kind] {
				out[part] = append(out[part], placed{e, kind, part})
			}
		}
	}
	x.functions(func(d *ast.FuncDecl, reached bool) {
		if reached {
			add(x.partOf(d), d.Body)
		}
	})
	x.literals(func(l *ast.FuncLit, part string, reached bool) {
		if reached {
			add(part, l.Body)
		}
	})
	return out
}

// seen counts the edits that change their part, of edits in different parts that are made at once.
// If they do not compile together, they are made one at a time, and those that do not compile are
// left out.
func (x *edited) seen(edits []placed) (tried int) {
	x.t.Helper()
	all := make([]edit, len(edits))
	for k := range edits {
		all[k] = edits[k].edit
	}
	d := x.with(x.compared, all, nil)
	if d == nil {
		if len(edits) > 1 {
			half := len(edits) / 2
			return x.seen(edits[:half]) + x.seen(edits[half:])
		}
		return 0
	}
	for _, e := range edits {
		switch now := d.Parts[e.part]; {
		case d.Whole == x.plain.Whole:
			x.t.Errorf("%s: the digest is the same after the edit %+v", e.kind, e.edit)
		case now == x.plain.Parts[e.part]:
			x.t.Errorf("%s: %s has the same digest after the edit %+v", e.kind, e.part, e.edit)
		case now == "": // another edit made it unreachable
			continue
		}
		tried++
	}
	return tried
}

// TestDigestMeaningful edits what matters in every shipped system, at thirty places and more. Each
// edit changes the digest, and its function or action is named as changed. With MULTIGRAIN_SLOW all
// places are edited, and else one edit of each kind is made alone.
func TestDigestMeaningful(t *testing.T) {
	t.Parallel()
	const least = 30
	slow := os.Getenv("MULTIGRAIN_SLOW") != ""
	for _, path := range shippedSystems(t) {
		t.Run(path, func(t *testing.T) {
			quickly(t, path)
			x := openEdited(t, path)
			parts := x.reached()
			names := slices.Sorted(maps.Keys(parts))
			all, kinds := 0, map[string]bool{}
			for _, part := range names {
				all += len(parts[part])
				for _, e := range parts[part] {
					if !kinds[e.kind] {
						kinds[e.kind] = x.seen([]placed{e}) > 0
					}
				}
			}
			tried := 0
			for round := 0; slow || tried < least; round++ {
				var edits []placed
				for _, part := range names {
					if round < len(parts[part]) && (slow || len(edits) < 2*least) {
						edits = append(edits, parts[part][round])
					}
				}
				if len(edits) == 0 {
					break
				}
				tried += x.seen(edits)
			}
			t.Logf("%d of %d edits of %d kinds in %d parts", tried, all, len(kinds), len(names))
			if tried < least {
				t.Errorf("only %d edits, and %d at least are expected", tried, least)
			}
		})
	}
}
