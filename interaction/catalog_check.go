package interaction

import (
	"fmt"
	"go/types"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// checkCatalog reports where the catalog contradicts itself.
func (r *reader) checkCatalog(system *ssa.Global) {
	cat := r.out.cat
	at := r.at(system.Pos())
	bad := func(at grains.Place, remedy, format string, args ...any) {
		r.report(finding(BadCatalog, at, format, args...).remedy("%s", remedy))
	}
	if cat.System == "" {
		bad(at, "set its Name", "the System has no name")
	}
	for k, m := range cat.Modules {
		if slices.ContainsFunc(cat.Modules[:k], func(x grains.Module) bool { return x.Name == m.Name }) {
			bad(at, "give each module its own name", "module %q is declared twice", m.Name)
		}
	}
	for k := range cat.Grains {
		r.checkGrain(&cat.Grains[k], cat.Grains[:k], bad)
		r.checkSets(&cat.Grains[k], bad)
		r.checkPicked(&cat.Grains[k], cat.Grains[:k], bad)
		r.checkRelation(&cat.Grains[k])
		r.checkStands(&cat.Grains[k], bad)
	}
	r.checkActors(bad)
	r.checkNodeSettings(cat.Node, at, "the System", bad)
	consts := r.p.main.types.Scope()
	constant := func(what, name, constName string) {
		if constName == "" {
			return
		}
		if _, ok := consts.Lookup(constName).(*types.Const); !ok && consts.Lookup(sidesVary) == nil {
			bad(at, "declare it in the sizes file", "%s %q sets constant %s, which the package does not declare", what, name, constName)
		}
	}
	inner := func(what, name string) {
		bad(at, "give it to a grain in Sets or to a form for a node, or remove Inner",
			"no grain and no form for a node sets the %s %q, which is Inner", what, name)
	}
	for _, b := range cat.Bounds {
		constant("bound", b.Name, b.Const)
		if b.Inner && !isSet(cat, b.Name) {
			inner("bound", b.Name)
		}
		if b.Const != "" && (b.Default < b.Min || b.Default > b.Max) {
			bad(at, "choose a default within the range", "the default %d of bound %q is not within %d to %d", b.Default, b.Name, b.Min, b.Max)
		}
	}
	for _, o := range cat.Options {
		constant("option", o.Name, o.Const)
		if o.Inner && !isSet(cat, o.Name) {
			inner("option", o.Name)
		}
		if len(o.Values) > 0 && !slices.Contains(o.Values, o.Default) {
			bad(at, "choose one of its values", "the default %q of option %q is none of its values", o.Default, o.Name)
		}
	}
}

// isSet reports whether a grain, or what runs next to a node, sets an option or a bound.
func isSet(cat *grains.Catalog, name string) bool {
	node := func(list []grains.NodeSetting) bool {
		return slices.ContainsFunc(list, func(s grains.NodeSetting) bool { return s.Name == name })
	}
	return node(cat.Node) || slices.ContainsFunc(cat.Grains, func(g grains.GrainDecl) bool {
		return node(g.Node.Sets) || slices.ContainsFunc(g.Sets, func(s grains.Setting) bool { return s.Name == name })
	})
}

// sidesVary is in a package that is written for a comparison. There a constant that differs between
// the sides is a variable.
const sidesVary = "multigrainSides"

// checkActors reports actors that are neither a node of their own nor a field of the parameters.
func (r *reader) checkActors(bad func(grains.Place, string, string, ...any)) {
	for k, role := range r.out.cat.Roles {
		if role.Name == "" || slices.ContainsFunc(r.out.cat.Roles[:k], func(x modules.Role) bool { return x.Name == role.Name }) {
			bad(r.out.cat.Init.Place, "give each role its own name", "role %q has no name or is declared twice", role.Name)
		}
	}
	for _, a := range r.out.actions {
		if a.decl.Actor == "" || slices.ContainsFunc(r.out.cat.Roles, func(x modules.Role) bool { return x.Name == a.decl.Actor && x.Count == 0 }) {
			continue
		}
		if s, ok := a.param.Underlying().(*types.Struct); ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return f.Name() == a.decl.Actor }) {
			continue
		}
		r.report(finding(BadAction, a.decl.Place, "the actor of action %s is %q, which is no field of its parameters and no role of one node", a.decl.Name, a.decl.Actor).
			remedy("name a field of %s, or a role of the System without Count", a.decl.Param))
	}
}

func (r *reader) checkGrain(g *grains.GrainDecl, before []grains.GrainDecl, bad func(grains.Place, string, string, ...any)) {
	cat := r.out.cat
	if len(g.Covers) == 0 {
		bad(g.Place, "set Covers", "grain %q covers no module", g.Name)
		return
	}
	for _, o := range before {
		if o.Name == g.Name && len(o.Covers) > 0 && o.Covers[0] == g.Covers[0] {
			bad(g.Place, "give each grain of a module its own name", "module %q has two grains %q", g.Covers[0], g.Name)
		}
	}
	for _, m := range g.Covers {
		if !slices.ContainsFunc(cat.Modules, func(x grains.Module) bool { return x.Name == m }) {
			bad(g.Place, "declare it in Modules", "grain %q covers module %q, which the System does not declare", g.Name, m)
		}
	}
	for _, ref := range slices.Concat(g.From, g.Requires) {
		if grainDecl(cat, ref) == nil {
			bad(g.Place, "name a grain by the first module that it covers", "grain %q refers to grain %q of module %q, which the System does not declare", g.Name, ref.Grain, ref.Module)
		}
	}
	r.checkForm(g, bad)
	for _, n := range slices.Concat(g.Needs, g.Offers) {
		if !slices.ContainsFunc(cat.Options, func(o grains.Option) bool { return o.Name == n.Option }) {
			bad(g.Place, "declare it in Options", "grain %q needs a value of the option %q, which the System does not declare", g.Name, n.Option)
		}
	}
	for _, n := range g.Excludes {
		k := slices.IndexFunc(cat.Options, func(o grains.Option) bool { return o.Name == n.Option })
		if k < 0 {
			bad(g.Place, "declare it in Options", "grain %q excludes values of the option %q, which the System does not declare", g.Name, n.Option)
			continue
		}
		for _, v := range n.Values {
			if !slices.Contains(cat.Options[k].Allowed(), v) {
				bad(g.Place, "name a value of the option", "grain %q excludes %s = %q, which the option cannot have", g.Name, n.Option, v)
			}
		}
	}
	for _, n := range g.NeedsBounds {
		if !slices.ContainsFunc(cat.Bounds, func(b grains.Bound) bool { return b.Name == n.Bound }) {
			bad(g.Place, "declare it in Bounds", "grain %q needs the bound %q, which the System does not declare", g.Name, n.Bound)
		}
	}
	for _, sizes := range g.Sizes {
		for _, s := range sizes.Bounds {
			k := slices.IndexFunc(cat.Bounds, func(b grains.Bound) bool { return b.Name == s.Name })
			if k < 0 {
				bad(g.Place, "declare it in Bounds", "grain %q has sizes with the bound %q, which the System does not declare", g.Name, s.Name)
			} else if n, err := strconv.Atoi(s.Value); err != nil || n < cat.Bounds[k].Min || n > cat.Bounds[k].Max {
				bad(g.Place, "give a value that the bound can have", "grain %q has sizes with %s = %q", g.Name, s.Name, s.Value)
			}
		}
	}
	switch {
	case g.Coarsens && g.Refines:
		bad(g.Place, "keep one of the two", "grain %q says that it coarsens and that it refines", g.Name)
	case g.Coarsens && len(g.From) == 0:
		bad(g.Place, "set From to the grains it leaves something out of", "grain %q coarsens nothing", g.Name)
	case g.Refines && len(g.From) == 0:
		bad(g.Place, "set From to the grains it adds something to", "grain %q refines nothing", g.Name)
	}
	for k, a := range g.Actions {
		taken := slices.ContainsFunc(r.out.findings, func(f Finding) bool { return f.Kind == NameTaken })
		if slices.Contains(g.Actions[:k], a) && !taken { // else two actions have the name
			bad(g.Place, "list it once", "grain %q lists action %q twice", g.Name, a)
		}
	}
	for _, b := range g.Budgets {
		if !slices.ContainsFunc(cat.Bounds, func(x grains.Bound) bool { return x.Name == b.Bound }) {
			bad(g.Place, "declare it in Bounds", "a budget of grain %q is named %q, which is no bound of the System", g.Name, b.Bound)
		}
	}
}

// checkForm reports where the form of a grain next to one node names something unknown.
func (r *reader) checkForm(g *grains.GrainDecl, bad func(grains.Place, string, string, ...any)) {
	covered := map[string]bool{}
	for _, ref := range g.Node.As {
		as := grainDecl(r.out.cat, ref)
		switch {
		case as == nil:
			bad(g.Place, "name a grain by the first module that it covers", "grain %q runs next to a node as grain %q of module %q, which the System does not declare",
				g.Name, ref.Grain, ref.Module)
			return
		case len(as.Node.As) > 0:
			bad(g.Place, "name the grains that run in the end", "grain %q runs next to a node as grain %q of module %q, which runs there in another form",
				g.Name, ref.Grain, ref.Module)
		}
		for _, m := range as.Covers {
			covered[m] = true
		}
	}
	for _, m := range g.Covers {
		if len(g.Node.As) > 0 && !covered[m] {
			bad(g.Place, "add a grain that covers it", "the form of grain %q next to a node has no grain for module %q", g.Name, m)
		}
	}
	if len(g.Node.As) > 0 && g.Node.Why == "" {
		bad(g.Place, "set Why", "the form of grain %q next to a node has no reason", g.Name)
	}
	r.checkNodeSettings(g.Node.Sets, g.Place, fmt.Sprintf("grain %q", g.Name), bad)
}

// checkNodeSettings reports settings that are unknown or have no reason.
func (r *reader) checkNodeSettings(list []grains.NodeSetting, at grains.Place, who string, bad func(grains.Place, string, string, ...any)) {
	for _, s := range list {
		option := slices.ContainsFunc(r.out.cat.Options, func(o grains.Option) bool { return o.Name == s.Name && slices.Contains(o.Allowed(), s.Value) })
		bound := slices.ContainsFunc(r.out.cat.Bounds, func(b grains.Bound) bool {
			n, err := strconv.Atoi(s.Value)
			return b.Name == s.Name && err == nil && n >= b.Min && n <= b.Max
		})
		if !option && !bound {
			bad(at, "name an option or a bound, and a value that it can have", "%s sets %s to %q next to a node, which cannot be", who, s.Name, s.Value)
		}
		if s.Why == "" {
			bad(at, "set Why", "%s sets %s next to a node without a reason", who, s.Name)
		}
	}
}

// grainDecl finds a grain by its first module and its name.
func grainDecl(cat *grains.Catalog, ref grains.Ref) *grains.GrainDecl {
	for k := range cat.Grains {
		if g := &cat.Grains[k]; g.Name == ref.Grain && len(g.Covers) > 0 && g.Covers[0] == ref.Module {
			return g
		}
	}
	return nil
}

// checkFlat reports what makes the State no flat value: a part that is none, or padding.
func (r *reader) checkFlat() {
	named, ok := types.Unalias(r.out.state).(*types.Named)
	if !ok {
		r.report(finding(NotFlat, grains.Place{}, "the State is %s, which is no named type", r.out.state).remedy("declare type State struct{...}"))
		return
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		r.report(finding(NotFlat, r.at(named.Obj().Pos()), "State is no struct").remedy("make it a struct whose fields are the variables"))
		return
	}
	flat := true
	for f := range st.Fields() {
		if path, kind, why := notFlat(f.Type(), f.Name(), map[types.Type]bool{}); why != "" {
			flat = false
			remedy := "a state is its bytes: use arrays, sized integers, booleans and the value types of package modules"
			if kind == Unsized {
				remedy = "give it a size, as in int8 or uint16"
			}
			r.report(finding(kind, r.at(f.Pos()), "%s of the State %s", path, why).remedy("%s", remedy))
		}
	}
	if flat {
		r.checkPadding(named, r.at(named.Obj().Pos()), map[types.Type]bool{})
	}
}

// checkPadding reports the first padding of each struct in t: two states are equal exactly if their
// bytes are. The place is that of the innermost field that the package declares.
func (r *reader) checkPadding(t types.Type, at grains.Place, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Array:
		r.checkPadding(u.Elem(), at, seen)
	case *types.Struct:
		if gap, before := r.gap(t, u); gap > 0 {
			where := "at its end: use fields of one byte, or fill it"
			if before != nil {
				where = fmt.Sprintf("before %s: order the fields by size, largest first", before.Name())
				if before.Pkg() == r.p.main.types {
					at = r.at(before.Pos())
				}
			}
			what, remedy, _ := strings.Cut(where, ": ")
			bytes := "1 byte"
			if gap > 1 {
				bytes = fmt.Sprintf("%d bytes", gap)
			}
			r.report(finding(Padded, at, "%s has %s of padding %s, and a state is its bytes", r.typeName(t), bytes, what).remedy("%s", remedy))
			return
		}
		for f := range u.Fields() {
			place := at
			if f.Pkg() == r.p.main.types {
				place = r.at(f.Pos())
			}
			r.checkPadding(f.Type(), place, seen)
		}
	}
}

// gap returns the first run of padding of a struct, in bytes, and the field after it.
func (r *reader) gap(t types.Type, u *types.Struct) (int64, *types.Var) {
	sizes, fields := types.SizesFor("gc", runtime.GOARCH), slices.Collect(u.Fields())
	end := int64(0)
	for k, offset := range sizes.Offsetsof(fields) {
		if offset != end {
			return offset - end, fields[k]
		}
		end = offset + sizes.Sizeof(fields[k].Type())
	}
	return sizes.Sizeof(t) - end, nil
}

// notFlat finds the first part of t that is not flat: its path from a field of the State, the kind
// of finding, and why. Why is "" if all parts are flat.
func notFlat(t types.Type, path string, seen map[types.Type]bool) (at string, kind Kind, why string) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == modulesPath {
		// the elements of a container, the messages of a net
		for arg := range n.TypeArgs().Types() {
			if at, kind, why = notFlat(arg, path+"[]", seen); why != "" {
				return at, kind, why
			}
		}
		return "", "", ""
	}
	if seen[t] {
		return "", "", ""
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if at, kind, why = notFlat(f.Type(), path+"."+f.Name(), seen); why != "" {
				return at, kind, why
			}
		}
		return "", "", ""
	case *types.Array:
		if at, kind, why = notFlat(u.Elem(), path+"[]", seen); why != "" {
			return at, kind, why
		}
		return "", "", ""
	case *types.Basic:
		switch {
		case u.Kind() == types.Int || u.Kind() == types.Uint || u.Kind() == types.Uintptr:
			return path, Unsized, fmt.Sprintf("is %s, whose size depends on the machine", an(u.Name()))
		case u.Info()&(types.IsInteger|types.IsBoolean) != 0:
			return "", "", ""
		case u.Info()&types.IsString != 0:
			return path, NotFlat, "is a string, whose text is outside of the state"
		case u.Info()&(types.IsFloat|types.IsComplex) != 0:
			return path, NotFlat, fmt.Sprintf("is a %s, whose results depend on the machine", u.Name())
		}
		return path, NotFlat, "is a " + u.String() + ", which is no value"
	case *types.Pointer:
		return path, NotFlat, "is a pointer, and what it points to is outside of the state"
	case *types.Slice:
		return path, NotFlat, "is a slice, whose elements are outside of the state"
	case *types.Map:
		return path, NotFlat, "is a map, whose elements are outside of the state"
	case *types.Chan:
		return path, NotFlat, "is a channel, whose elements are outside of the state"
	case *types.Signature:
		return path, NotFlat, "is a function, which cannot be compared"
	case *types.Interface:
		return path, NotFlat, "is an interface, whose value is outside of the state"
	}
	return path, NotFlat, "is of type " + t.String()
}

// an returns a word with its article.
func an(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
