package assemble

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"github.com/multigrain/multigrain/grains"
)

// A program that explores notes which branches its invariants take, so that a run can say which
// parts of an invariant nothing was compared with. An invariant such as
//
//	for i := range s.Role {
//		if s.Role[i] == Leader && s.Term[i] > s.Last { return false }
//	}
//
// that never meets a leader holds, and says nothing.
//
// Only functions that invariants alone reach are noted. Guards and effects run for every step, so
// they stay as fast as they are; the verb conform notes theirs. A branch is left out if only a
// violation takes it: in a run that holds nothing can take it. Above, the second operand is never
// true, and that is no news.

// watchInvariants wraps the conditions of the invariants that the composition checks, and adds the
// file that notes them. It adds nothing if there is no such condition.
func (p *Program) watchInvariants(r *Rewriting) (watched bool, text []byte, err error) {
	b, err := newBrancher(r)
	if err != nil {
		return false, nil, err
	}
	b.quiet = true
	p.enterSteps(b)
	b.run()
	b.quiet = false
	for _, inv := range p.Invariants {
		if inv.Check != nil {
			b.verdict(inv.ID, *inv.Check)
		}
	}
	b.run()
	if len(b.points) == 0 {
		return false, nil, nil
	}
	text, err = execute(branchesTemplate, map[string]any{"Package": p.Source.Name, "Points": b.points, "Never": b.never})
	return true, text, err
}

// branchesFile returns the name of the file that notes branches, in the specification's folder.
func (p *Program) branchesFile() string {
	return filepath.Join(p.Source.Folder, "multigrain_branches_gen.go")
}

// verdict enters a function whose answer false is a violation.
func (b *brancher) verdict(name string, fn grains.Function) {
	if body := b.body(fn); body != nil {
		b.verdicts[body] = true
	}
	b.root(name, fn)
}

// violating notes that a condition has a value only where the invariant is violated. Of operands
// that decide together only the last one is such: it is evaluated if those before it left the
// answer open.
func (b *brancher) violating(e ast.Expr, value bool) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		b.violating(x.X, value)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			b.violating(x.X, !value)
			return
		}
		b.leaf(e, value)
	case *ast.BinaryExpr:
		if x.Op != token.LAND && x.Op != token.LOR {
			b.leaf(e, value)
			return
		}
		_, known := b.decided(x.Y)
		if each := value == (x.Op == token.LOR); each || known {
			b.violating(x.X, value)
		}
		if !known {
			b.violating(x.Y, value)
		}
	default:
		b.leaf(e, value)
	}
}

// leaf notes one branch of a condition that is a point.
func (b *brancher) leaf(e ast.Expr, value bool) {
	k, ok := b.at[e]
	if !ok {
		return
	}
	k *= 2
	if value {
		k++
	}
	b.never = append(b.never, k)
}

// refuses reports whether a statement does nothing but return false.
func refuses(s ast.Stmt) bool {
	block, ok := s.(*ast.BlockStmt)
	if !ok || len(block.List) != 1 {
		return false
	}
	ret, ok := block.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	id, ok := ret.Results[0].(*ast.Ident)
	return ok && id.Name == "false"
}
