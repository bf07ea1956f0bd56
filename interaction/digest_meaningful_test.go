package interaction

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
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
				out["literal"] = append(out["literal"], x.at(n.Pos(), n.End(), strconv.Itoa(v+1)))
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
			out["condition"] = append(out["condition"], edit{text: "if"})
			last := &out["condition"][len(out["condition"])-1]
			from := x.at(n.Cond.Pos(), n.Cond.End(), "")
			b, err := os.ReadFile(from.file)
			if err != nil {
				x.t.Fatal(err)
			}
			from.text = "!(" + string(b[from.start:from.end]) + ")"
			*last = from
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

// TestDigestMeaningful edits what matters in every shipped system. Each edit changes the digest,
// and a function is named as changed. It takes one edit of each kind, and with MULTIGRAIN_SLOW
// forty.
func TestDigestMeaningful(t *testing.T) {
	t.Parallel()
	most := 1
	if os.Getenv("MULTIGRAIN_SLOW") != "" {
		most = 40
	}
	for _, path := range shippedSystems(t) {
		t.Run(path, func(t *testing.T) {
			x := openEdited(t, path)
			kinds := map[string][]edit{}
			x.functions(func(d *ast.FuncDecl, reached bool) {
				if reached {
					for kind, list := range x.meaningful(d.Body) {
						kinds[kind] = append(kinds[kind], list...)
					}
				}
			})
			for _, kind := range slices.Sorted(maps.Keys(kinds)) {
				list := kinds[kind]
				step := max(1, len(list)/most)
				tried, failed := 0, 0
				for k := 0; k < len(list) && tried < most; k += step {
					d := x.with(x.compared, []edit{list[k]}, nil)
					switch {
					case d == nil:
						failed++
						continue
					case d.Whole == x.plain.Whole:
						t.Errorf("%s: the digest is the same after the edit %+v", kind, list[k])
					case !slices.ContainsFunc(changedParts(x.plain, d), func(s string) bool { return strings.Contains(s, "function ") }):
						t.Errorf("%s: no function is named after the edit %+v: %s", kind, list[k], changedParts(x.plain, d))
					}
					tried++
				}
				t.Logf("%s: %d of %d edits, %d more do not compile", kind, tried, len(list), failed)
			}
		})
	}
}
