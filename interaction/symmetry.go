package interaction

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/order"
	"github.com/multigrain/multigrain/modules"
)

// Asymmetric is the kind of findings about code that tells the nodes of a role apart otherwise than
// by asking whether two are the same.
const Asymmetric Kind = "asymmetric"

func init() { codes[Asymmetric] = "MG220" }

// Symmetry holds the data that symmetry needs, and the findings that forbid it.
type Symmetry struct {
	// Type is the type whose values are the nodes, and Arrays are as in modules.Identities.
	Type   string   `json:"type,omitempty"`
	Arrays []string `json:"arrays,omitempty"`
	// Roles are those of several nodes. They are empty where the composition has no type of nodes,
	// or does not say how many there are.
	Roles []SymmetricRole `json:"roles,omitempty"`
	// Findings say why there are no roles.
	Findings []Finding `json:"findings,omitempty"`
}

// SymmetricRole is a role whose nodes may change places.
type SymmetricRole struct {
	modules.Group
	// Findings are errors: with one among them symmetry of the role is unsound.
	Findings []Finding `json:"findings,omitempty"`
}

// Of returns the data for symmetry of some roles, or of all roles of several nodes if no name is
// given. The findings say why it is unsound. If a name is none of a role of several nodes, Of
// returns it as unknown, else "".
//
// Each role is judged alone. If a specification stays the same when the nodes of one role change
// places, and when those of another role do, it stays the same when both do.
func (s *Symmetry) Of(names []string) (ids *modules.Identities, findings []Finding, unknown string) {
	if len(s.Findings) > 0 {
		return nil, s.Findings, ""
	}
	for _, name := range names {
		if !slices.ContainsFunc(s.Roles, func(r SymmetricRole) bool { return r.Name == name }) {
			return nil, nil, name
		}
	}
	ids = &modules.Identities{Type: s.Type, Arrays: s.Arrays}
	for _, r := range s.Roles {
		if len(names) > 0 && !slices.Contains(names, r.Name) {
			continue
		}
		ids.Groups, ids.Count = append(ids.Groups, r.Group), r.End()
		findings = append(findings, r.Findings...)
	}
	return ids, findings, ""
}

// symmetry finds the type of nodes, by the parameters of the actions, and which arrays have an
// element for each. The length of these follows from the sizes of the roles. Then it reads, for
// each role, all code that takes part: see package order.
func (a *analysis) symmetry() *Symmetry {
	s := &Symmetry{}
	none := func(format string, args ...any) *Symmetry {
		f := finding(Asymmetric, grains.Place{}, format, args...)
		s.Findings = append(s.Findings, f.remedy("check without symmetry"))
		return s
	}
	node, why := a.nodeType()
	if why != "" {
		return none("%s", why)
	}
	nodes, roles, why := a.nodesOf(node)
	if why != "" {
		return none("%s", why)
	}
	s.Type = node.Obj().Name()
	main := order.Source{Syntax: a.p.main.syntax, Info: a.p.main.info}
	var sources []order.Source
	for _, x := range a.p.sources {
		sources = append(sources, order.Source{Syntax: x.syntax, Info: x.info})
	}
	for _, role := range roles {
		x := SymmetricRole{Group: role.Group}
		if role.End() > modules.LargestSet {
			f := finding(Asymmetric, grains.Place{}, "%d nodes cannot be permuted, at most %d can", role.End(), modules.LargestSet)
			x.Findings = append(x.Findings, f.remedy("check without symmetry"))
		}
		o := order.New(a.p.fset, main, sources, nodes, role)
		a.read(o)
		for _, r := range o.Refusals {
			x.Findings = append(x.Findings, finding(Asymmetric, placeOf(r.At), "%s", r.Text).
				remedy("symmetry needs %ss that are distinguished by equality alone: check without it, or change the specification", role.Name))
		}
		s.Arrays, s.Roles = o.Arrays(), append(s.Roles, x)
	}
	return s
}

// read reads all code of the composition.
func (a *analysis) read(o *order.Reader) {
	for _, u := range a.mixed.units {
		for _, name := range u.grain.decl.Actions {
			if x := a.r.byName[name]; x != nil {
				o.Root("action "+name, x.guard, x.effect)
			}
		}
	}
	for _, r := range a.mixed.rules {
		o.Root("a rule", r.when, r.after)
	}
	for _, v := range a.checked {
		o.Root("property "+propertyName(v.decl), v.check)
	}
	o.Root("Init", a.r.init)
}

// nodeType returns the type of the nodes that actions take, or says why there is none.
func (a *analysis) nodeType() (node *types.Named, why string) {
	for _, u := range a.mixed.units {
		for _, name := range u.grain.decl.Actions {
			x := a.r.byName[name]
			if x == nil {
				continue
			}
			t, ok := types.Unalias(x.param).(*types.Named)
			if !ok || t.TypeArgs().Len() == 0 || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != modulesPath {
				continue
			}
			id, ok := types.Unalias(t.TypeArgs().At(0)).(*types.Named)
			switch {
			case !ok:
			case node == nil:
				node = id
			case !types.Identical(node, id):
				return nil, fmt.Sprintf("actions take servers of two types, %s and %s", node.Obj().Name(), id.Obj().Name())
			}
		}
	}
	switch {
	case node == nil:
		return nil, "no action takes a server: nothing can be permuted"
	case node.Obj().Pkg() != a.p.main.types:
		return nil, fmt.Sprintf("type %s of servers is declared in package %s, not in that of the catalog", node.Obj().Name(), node.Obj().Pkg().Path())
	}
	return node, ""
}

// nodesOf returns how the specification numbers its nodes, and the roles of several nodes. Without
// roles in the catalog, the bound named servers says how many nodes there are.
func (a *analysis) nodesOf(node *types.Named) (nodes order.Nodes, roles []order.Role, why string) {
	nodes.Type = node
	if len(a.r.cat.Roles) == 0 {
		for _, b := range a.r.cat.Bounds {
			c, _ := a.p.main.types.Scope().Lookup(b.Const).(*types.Const)
			if b.Name != "servers" || c == nil {
				continue
			}
			n, ok := constant.Int64Val(constant.ToInt(c.Val()))
			if !ok || n < 1 || n > modules.LargestSet {
				return nodes, nil, fmt.Sprintf("%s servers cannot be permuted, at most %d can", c.Val(), modules.LargestSet)
			}
			nodes.Sizes, nodes.Ends = []types.Object{c}, []int{int(n)}
			return nodes, []order.Role{{Group: modules.Group{Name: "server", Count: int(n)}}}, ""
		}
		return nodes, nil, fmt.Sprintf("the catalog has no bound named servers that sets how many values %s has", node.Obj().Name())
	}
	first := 0
	for _, r := range a.r.cat.Roles {
		g := modules.Group{Name: r.Name, First: first, Count: max(r.Count, 1)}
		if first = g.End(); g.Count > 1 {
			roles = append(roles, order.Role{Number: r.First, Group: g})
		}
		nodes.Ends = append(nodes.Ends, first)
	}
	if len(roles) == 0 {
		return nodes, nil, "every role has one node: nothing can be permuted"
	}
	nodes.Sizes = a.sizesOfRoles()
	return nodes, roles, ""
}

// sizesOfRoles returns the constants with which the catalog's roles say how many nodes they have.
func (a *analysis) sizesOfRoles() (sizes []types.Object) {
	info := a.p.main.info
	for _, f := range a.p.main.syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if t, ok := types.Unalias(info.TypeOf(lit)).(*types.Named); !ok || t.Obj().Name() != "Role" || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != modulesPath {
				return true
			}
			ast.Inspect(lit, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if c, ok := info.Uses[id].(*types.Const); ok {
						sizes = append(sizes, c)
					}
				}
				return true
			})
			return false
		})
	}
	return sizes
}
