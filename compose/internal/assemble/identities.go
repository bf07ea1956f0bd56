package assemble

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// What it computes. The largest number of identities that a set of the specification may have to
// distinguish, with the program's constants: from it follows the size of modules.Set. It also names
// a type of identities that has more of them than it holds, as an int8 of 200 nodes.
//
// Why it is right. A set holds identities of one type, and the specification says in several places
// how many values that type has:
//
//	Params: modules.Each[Server](Servers)        the domains, and modules.Below
//	modules.Map[Server, Vote, [Servers]Vote]     the room of a map, whose keys are a set
//	for i := range Server(Servers)               a loop over all
//	const Client Node = Servers                  constants of the type, which are identities
//
// The largest of these numbers counts. Where a type has none, the number of nodes in all roles of
// the catalog does. Types that are in no set do not count. If no place has the number, a set may be
// too small. The program then ends with MG531 when an identity is put in that does not fit.
//
// What it costs. One pass over the package's syntax, without types.

// identities are the numbers of identities that a package mentions.
type identities struct {
	r     *Rewriting
	count map[string]int    // of types, by the text of the type
	inSet map[string]bool   // types whose values are in sets
	under map[string]string // the types that the package's types are declared with
}

// Identities is how many identities a program has.
type Identities struct {
	// InSets is the number of the largest type whose values are in sets. It is 0 if nothing of the
	// package says how many there are.
	InSets int
	// Type is a type that holds only Holds values and has Have; "" if there is none.
	Type        string
	Holds, Have int
}

// held is the number of identities from 0 that a type of package modules' Index holds.
var held = map[string]int{"int8": 1 << 7, "uint8": 1 << 8, "byte": 1 << 8, "int16": 1 << 15, "uint16": 1 << 16}

// Identities returns the numbers of identities with the program's constants.
func (p *Program) Identities() (Identities, hcl.Diagnostics) {
	r, diags := p.rewrite(false)
	if diags.HasErrors() {
		return Identities{}, diags
	}
	x := &identities{r, map[string]int{}, map[string]bool{}, map[string]string{}}
	nodes := 0
	for _, f := range r.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				x.call(f, n)
			case *ast.IndexExpr:
				x.generic(f, n.X, []ast.Expr{n.Index})
			case *ast.IndexListExpr:
				x.generic(f, n.X, n.Indices)
			case *ast.RangeStmt:
				x.loop(n)
			case *ast.GenDecl:
				x.constants(n)
			case *ast.TypeSpec:
				x.under[n.Name.Name] = textOfType(n.Type)
			case *ast.CompositeLit:
				nodes = max(nodes, x.roles(f, n))
			}
			return true
		})
	}
	var out Identities
	for t := range x.inSet {
		n := x.count[t]
		if n == 0 {
			n = nodes
		}
		out.InSets = max(out.InSets, n)
	}
	for _, t := range slices.Sorted(maps.Keys(x.count)) {
		if most := held[x.under[t]]; most > 0 && x.count[t] > most {
			out.Type, out.Holds, out.Have = t, most, x.count[t]
			break
		}
	}
	return out, diags
}

// textOfType returns a type as the package writes it.
func textOfType(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return textOfType(sel.X) + "." + sel.Sel.Name
	}
	return ""
}

// saw notes that a type has at least as many identities as an expression says.
func (x *identities) saw(t ast.Expr, n ast.Expr) {
	if size, ok := x.r.size(n, 0); ok {
		x.count[textOfType(t)] = max(x.count[textOfType(t)], size)
	}
}

// sized are the functions of package modules whose type argument is a type of identities, and whose
// first argument is their number.
var sized = map[string]bool{"Each": true, "EachPair": true, "Links": true, "Subsets": true, "Quorums": true, "Positions": true, "Below": true, "Where": true, "All": true}

// call reads modules.Each[Server](Servers).
func (x *identities) call(f *goFile, c *ast.CallExpr) {
	if of, ok := c.Fun.(*ast.IndexExpr); ok && len(c.Args) > 0 {
		if sel, ok := of.X.(*ast.SelectorExpr); ok && sized[f.ofModules(sel)] {
			x.saw(of.Index, c.Args[0])
		}
	}
}

// generic reads modules.Set[Server] and modules.Map[Server, Vote, [Servers]Vote].
func (x *identities) generic(f *goFile, of ast.Expr, args []ast.Expr) {
	sel, ok := of.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch f.ofModules(sel) {
	case "Set", "SetOf", "Below", "Where", "Party", "Subsets", "Quorums":
		x.inSet[textOfType(args[0])] = true
	case "Map":
		x.inSet[textOfType(args[0])] = true
		if room, ok := args[len(args)-1].(*ast.ArrayType); ok && room.Len != nil {
			x.saw(args[0], room.Len)
		}
	}
}

// loop reads range Server(Servers).
func (x *identities) loop(s *ast.RangeStmt) {
	if c, ok := s.X.(*ast.CallExpr); ok && len(c.Args) == 1 {
		x.saw(c.Fun, c.Args[0])
	}
}

// constants reads const Client Node = Servers.
func (x *identities) constants(d *ast.GenDecl) {
	if d.Tok != token.CONST {
		return
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for _, value := range v.Values {
			if v.Type != nil {
				x.saw(v.Type, &ast.BinaryExpr{X: value, Op: token.ADD, Y: &ast.BasicLit{Kind: token.INT, Value: "1"}})
			}
		}
	}
}

// roles returns the number of nodes that []modules.Role{...} declares.
func (x *identities) roles(f *goFile, lit *ast.CompositeLit) (nodes int) {
	list, ok := lit.Type.(*ast.ArrayType)
	if !ok {
		return 0
	}
	if sel, ok := list.Elt.(*ast.SelectorExpr); !ok || f.ofModules(sel) != "Role" {
		return 0
	}
	for _, e := range lit.Elts {
		role, ok := e.(*ast.CompositeLit)
		if !ok {
			continue
		}
		count := 1
		for _, field := range role.Elts {
			if kv, ok := field.(*ast.KeyValueExpr); ok && textOfType(kv.Key) == "Count" {
				if n, ok := x.r.size(kv.Value, 0); ok {
					count = max(n, 1)
				}
			}
		}
		nodes += count
	}
	return nodes
}
