package interaction

import (
	"go/constant"
	"go/types"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/order"
	"github.com/multigrain/multigrain/modules"
)

// Asymmetric is the kind of findings about code that tells servers apart otherwise than by asking
// whether two are the same.
const Asymmetric Kind = "asymmetric"

func init() { codes[Asymmetric] = "MG220" }

// Symmetry holds the data that symmetry over servers needs, and the findings that forbid it.
type Symmetry struct {
	// Identities is nil where the composition has no type of servers, or a bound named servers that
	// says how many there are.
	Identities *modules.Identities `json:"identities,omitempty"`
	// Findings are errors: with one among them the reduction is unsound.
	Findings []Finding `json:"findings,omitempty"`
}

// symmetry finds the type of servers, by the parameters of the actions, and which arrays have an
// element for each. The length of these is the constant of the bound "servers", or follows from it
// and has its value. Then it reads all code that takes part, see package order.
func (a *analysis) symmetry() *Symmetry {
	s := &Symmetry{}
	o, ok := a.serverOrder(s)
	if !ok {
		return s
	}
	s.Identities = &modules.Identities{Type: o.Server.Obj().Name(), Count: o.Count, Arrays: o.Arrays()}
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
	for _, r := range o.Refusals {
		s.Findings = append(s.Findings, finding(Asymmetric, placeOf(r.At), "%s", r.Text).
			remedy("symmetry needs servers that are told apart by equality alone: check without it, or change the specification"))
	}
	return s
}

// serverOrder finds the type of servers and how many there are, and makes the reader of their uses.
func (a *analysis) serverOrder(s *Symmetry) (*order.Reader, bool) {
	none := func(format string, args ...any) (*order.Reader, bool) {
		f := finding(Asymmetric, grains.Place{}, format, args...)
		s.Findings = append(s.Findings, f.remedy("check without symmetry"))
		return nil, false
	}
	var server *types.Named
	var servers *types.Const
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
			case server == nil:
				server = id
			case !types.Identical(server, id):
				return none("actions take servers of two types, %s and %s", server.Obj().Name(), id.Obj().Name())
			}
		}
	}
	if server == nil {
		return none("no action takes a server: nothing can be permuted")
	}
	for _, b := range a.r.cat.Bounds {
		if b.Name == "servers" && b.Const != "" {
			servers, _ = a.p.main.types.Scope().Lookup(b.Const).(*types.Const)
		}
	}
	if server.Obj().Pkg() != a.p.main.types {
		return none("type %s of servers is declared in package %s, not in that of the catalog", server.Obj().Name(), server.Obj().Pkg().Path())
	}
	if servers == nil {
		return none("the catalog has no bound named servers that sets how many values %s has", server.Obj().Name())
	}
	n, ok := constant.Int64Val(constant.ToInt(servers.Val()))
	if !ok || n < 1 || n > modules.MaxSet {
		return none("%s servers cannot be permuted, at most %d can", servers.Val(), modules.MaxSet)
	}
	main := order.Source{Syntax: a.p.main.syntax, Info: a.p.main.info}
	var sources []order.Source
	for _, x := range a.p.sources {
		sources = append(sources, order.Source{Syntax: x.syntax, Info: x.info})
	}
	return order.New(a.p.fset, main, sources, server, servers, int(n), a.nodes(int(n))), true
}

// nodes returns how many nodes there are: the servers, and those of other roles after them. Only
// servers are permuted.
func (a *analysis) nodes(servers int) int {
	roles := a.r.cat.Roles
	if len(roles) == 0 || max(roles[0].Count, 1) != servers {
		return servers
	}
	all := 0
	for _, r := range roles {
		all += max(r.Count, 1)
	}
	return all
}
