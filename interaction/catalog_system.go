package interaction

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/initial"
	"github.com/multigrain/multigrain/modules"
)

// structure returns the struct in a cell.
func (r *reader) structure(c *initial.Cell, what string, at token.Pos) (*initial.Struct, bool) {
	s, ok := c.Value.(*initial.Struct)
	if !ok {
		r.unread(c.Value, what, at)
	}
	return s, ok
}

// unread reports a value that the initialiser's interpretation does not know.
func (r *reader) unread(v initial.Value, what string, at token.Pos) {
	f := finding(BadCatalog, r.at(at), "%s cannot be read from the code", what).
		remedy("write it as a literal, or with the constructors of packages modules and grains")
	if u, ok := v.(initial.Unknown); ok {
		f = f.related(r.at(u.Pos), "%s", u.Why)
	}
	f.unread = true
	r.report(f)
}

// object reads the fields of one struct of the catalog.
type object struct {
	r    *reader
	s    *initial.Struct
	what string
	at   token.Pos
}

func (o object) cell(field string) (*initial.Cell, token.Pos) {
	c := o.s.Field(field)
	if c.Pos.IsValid() {
		return c, c.Pos
	}
	return c, o.at
}

func (o object) constant(field string) constant.Value {
	c, at := o.cell(field)
	v, ok := c.Value.(constant.Value)
	if !ok {
		o.r.unread(c.Value, field+" of "+o.what, at)
		return nil
	}
	return v
}

func (o object) text(field string) string {
	if v := o.constant(field); v != nil {
		return constant.StringVal(v)
	}
	return ""
}

func (o object) flag(field string) bool {
	v := o.constant(field)
	return v != nil && constant.BoolVal(v)
}

func (o object) number(field string) int64 {
	if v := o.constant(field); v != nil {
		n, _ := constant.Int64Val(v)
		return n
	}
	return 0
}

// list returns the elements of a slice field.
func (o object) list(field string) []*initial.Cell {
	c, at := o.cell(field)
	return o.r.list(c.Value, field+" of "+o.what, at)
}

func (r *reader) list(v initial.Value, what string, at token.Pos) []*initial.Cell {
	switch v := v.(type) {
	case initial.Nil:
		return nil
	case initial.Slice:
		return v.Elems
	}
	r.unread(v, what, at)
	return nil
}

func (o object) texts(field string) (out []string) {
	for _, c := range o.list(field) {
		v, ok := c.Value.(constant.Value)
		if !ok {
			o.r.unread(c.Value, field+" of "+o.what, o.at)
			continue
		}
		out = append(out, constant.StringVal(v))
	}
	return out
}

// objects returns the structs of a slice field; key is the field that names them.
func (o object) objects(field, key, noun string) (out []object) {
	for k, c := range o.list(field) {
		what := fmt.Sprintf("%s %d of %s", noun, k+1, o.what)
		s, ok := o.r.structure(c, what, o.at)
		if !ok {
			continue
		}
		e := object{o.r, s, what, o.at}
		if n := s.Field(key); n.Pos.IsValid() {
			e.at = n.Pos
		} else if c.Pos.IsValid() {
			e.at = c.Pos
		}
		if v, ok := s.Field(key).Value.(constant.Value); ok && v.Kind() == constant.String && constant.StringVal(v) != "" {
			e.what = fmt.Sprintf("%s %q", noun, constant.StringVal(v))
		}
		out = append(out, e)
	}
	return out
}

func (o object) refs(field string) (out []grains.Ref) {
	for _, x := range o.objects(field, "Module", "reference") {
		out = append(out, grains.Ref{Module: x.text("Module"), Grain: x.text("Grain")})
	}
	return out
}

// nodeSettings reads the settings of a field for one node.
func (o object) nodeSettings(field string) (out []grains.NodeSetting) {
	for _, x := range o.objects(field, "Name", "setting") {
		out = append(out, grains.NodeSetting{Name: x.text("Name"), Value: x.text("Value"), Least: x.flag("Least"), Why: x.text("Why")})
	}
	return out
}

// form reads the form in which a grain runs next to one node.
func (o object) form(field string) (f grains.Form) {
	c, at := o.cell(field)
	if s, ok := o.r.structure(c, field+" of "+o.what, at); ok {
		x := object{o.r, s, field + " of " + o.what, at}
		f = grains.Form{As: x.refs("As"), Sets: x.nodeSettings("Sets"), Why: x.text("Why")}
	}
	return f
}

// pick reads how manifests get a grain that they do not name.
func (o object) pick(field string) (p grains.Pick) {
	c, at := o.cell(field)
	if s, ok := o.r.structure(c, field+" of "+o.what, at); ok {
		x := object{o.r, s, field + " of " + o.what, at}
		p = grains.Pick{Grain: x.text("Grain"), Option: x.text("Option"), Value: x.text("Value")}
	}
	return p
}

func (r *reader) readSystem(s *initial.Struct) {
	cat := r.out.cat
	o := object{r, s, "the System", r.out.values.Globals[r.p.ssa.Var(cat.Var)].Pos}
	if !o.at.IsValid() {
		o.at = r.p.ssa.Var(cat.Var).Pos()
	}
	cat.System, cat.Doc = o.text("Name"), o.text("Doc")
	for _, x := range o.objects("Roles", "Name", "role") {
		cat.Roles = append(cat.Roles, modules.Role{Name: x.text("Name"), Count: int(x.number("Count")), First: int(x.number("First"))})
	}
	for _, m := range o.objects("Modules", "Name", "module") {
		cat.Modules = append(cat.Modules, grains.Module{Name: m.text("Name"), Doc: m.text("Doc"),
			Environment: m.flag("Environment"), Optional: m.flag("Optional")})
	}
	for _, b := range o.objects("Bounds", "Name", "bound") {
		cat.Bounds = append(cat.Bounds, grains.Bound{Name: b.text("Name"), Doc: b.text("Doc"), Min: int(b.number("Min")),
			Max: int(b.number("Max")), Default: int(b.number("Default")), Const: b.text("Const"), Inner: b.flag("Inner")})
	}
	for _, x := range o.objects("Options", "Name", "option") {
		option := grains.Option{Name: x.text("Name"), Was: x.texts("Was"), Doc: x.text("Doc"), Values: x.texts("Values"),
			Default: x.text("Default"), Const: x.text("Const"), Inner: x.flag("Inner")}
		for _, v := range x.objects("Releases", "Version", "release") {
			option.Releases = append(option.Releases, grains.Release{Version: v.text("Version"), Value: v.text("Value")})
		}
		cat.Options = append(cat.Options, option)
	}
	r.readMeetings(o)
	cat.Node = o.nodeSettings("Node")
	c, at := o.cell("Init")
	if f, ok := r.function(c); ok && f != nil {
		r.out.init = f
		cat.Init = r.functionDecl(f)
	} else {
		r.report(finding(BadCatalog, r.at(at), "the System has no Init").remedy("set Init to a function that yields the initial states"))
	}
	for _, g := range o.objects("Grains", "Name", "grain") {
		r.readGrain(g)
	}
	for k := range cat.Grains {
		r.out.grains[k].decl = &cat.Grains[k]
	}
	r.out.rules, cat.Rules = r.readRules(o)
	r.out.invariants, cat.Invariants = r.readProperties(o, "Invariants", "invariant")
	r.out.constraints, cat.Constraints = r.readProperties(o, "Constraints", "constraint")
	r.out.liveness, cat.Liveness = r.readLiveness(o)
	r.out.goals, cat.Goals = r.readProperties(o, "Goals", "goal")
}

// readMeetings reads which quorums have a member in common. A quorum is known by its variable until
// finishMeetings has its numbers.
func (r *reader) readMeetings(o object) {
	for _, x := range o.objects("Meetings", "A", "meeting") {
		m := grains.MeetingDecl{Doc: x.text("Doc"), Place: r.literal(x.at)}
		m.A.Var, m.B.Var = r.quorumOf(x, "A"), r.quorumOf(x, "B")
		if m.A.Var != "" && m.B.Var != "" {
			r.out.cat.Meetings = append(r.out.cat.Meetings, m)
		}
	}
}

// quorumOf returns the package-level variable that a field points to, "" where it is none.
func (r *reader) quorumOf(o object, field string) string {
	c, at := o.cell(field)
	if cell, ok := c.Value.(*initial.Cell); ok {
		for _, g := range r.globals() {
			if r.out.values.Globals[g] == cell {
				return g.Name()
			}
		}
	}
	r.report(finding(BadCatalog, r.at(at), "%s of %s is no package-level variable", field, o.what).
		remedy("declare it as var X = modules.Quorum{...} in the package of the System and refer to it as &X"))
	return ""
}

func (r *reader) readGrain(o object) {
	g := grains.GrainDecl{Name: o.text("Name"), Was: o.texts("Was"), Doc: o.text("Doc"), Covers: o.texts("Covers"), From: o.refs("From"),
		Coarsens: o.flag("Coarsens"), Refines: o.flag("Refines"), Requires: o.refs("Requires"), Models: o.texts("Models"), Place: r.literal(o.at)}
	for _, x := range o.objects("Sets", "Name", "setting") {
		g.Sets = append(g.Sets, grains.Setting{Name: x.text("Name"), Value: x.text("Value")})
	}
	for _, x := range o.objects("Needs", "Option", "value of an option") {
		g.Needs = append(g.Needs, grains.OptionValue{Option: x.text("Option"), Value: x.text("Value")})
	}
	for _, x := range o.objects("NeedsBounds", "Bound", "bound") {
		g.NeedsBounds = append(g.NeedsBounds, grains.LeastBound{Bound: x.text("Bound"), Least: int(x.number("Least"))})
	}
	for _, x := range o.objects("Excludes", "Option", "exclusion") {
		g.Excludes = append(g.Excludes, grains.Exclusion{Option: x.text("Option"), Values: x.texts("Values"), Why: x.text("Why")})
	}
	for _, x := range o.objects("Offers", "Option", "value of an option") {
		g.Offers = append(g.Offers, grains.OptionValue{Option: x.text("Option"), Value: x.text("Value")})
	}
	for _, x := range o.objects("Sizes", "Bounds", "sizes") {
		s := grains.Sizes{}
		for _, y := range x.objects("Bounds", "Name", "setting") {
			s.Bounds = append(s.Bounds, grains.Setting{Name: y.text("Name"), Value: y.text("Value")})
		}
		g.Sizes = append(g.Sizes, s)
	}
	g.Node = o.form("Node")
	g.Picked = o.pick("Picked")
	f := &grainFuncs{}
	for _, c := range o.list("Actions") {
		if a := r.actionOf(c.Value, o.what, o.at); a != nil {
			g.Actions = append(g.Actions, a.decl.Name)
		}
	}
	f.rules, g.Rules = r.readRules(o)
	f.stands, g.Stands = r.readStands(o, &g)
	f.invariants, g.Invariants = r.readProperties(o, "Invariants", "invariant")
	f.constraints, g.Constraints = r.readProperties(o, "Constraints", "constraint")
	f.goals, g.Goals = r.readProperties(o, "Goals", "goal")
	for _, c := range o.list("Budgets") {
		made, ok := c.Value.(initial.Made)
		if !ok || originName(made) != "Spend" {
			r.unread(c.Value, "a budget of "+o.what, o.at)
			continue
		}
		b := grains.BudgetDecl{}
		if v, ok := made.Args[0].(constant.Value); ok {
			b.Bound = constant.StringVal(v)
		} else {
			r.unread(made.Args[0], "the bound of a budget of "+o.what, made.Pos)
		}
		for _, a := range r.list(made.Args[1], "the actions of a budget of "+o.what, made.Pos) {
			if x := r.actionOf(a.Value, "a budget of "+o.what, made.Pos); x != nil {
				b.Actions = append(b.Actions, x.decl.Name)
			}
		}
		g.Budgets = append(g.Budgets, b)
	}
	r.out.cat.Grains = append(r.out.cat.Grains, g)
	r.out.grains = append(r.out.grains, f)
}

func originName(m initial.Made) string {
	if o := m.Fn.Origin(); o != nil {
		return o.Name()
	}
	return m.Fn.Name()
}

// readRules reads the calls of When, WhenAny, After and AfterAny.
func (r *reader) readRules(o object) (fs []*ruleFuncs, ds []grains.RuleDecl) {
	for _, c := range o.list("Rules") {
		made, ok := c.Value.(initial.Made)
		if !ok {
			r.unread(c.Value, "a rule of "+o.what, o.at)
			continue
		}
		f := &ruleFuncs{id: r.nrules}
		r.nrules++
		f.decl.Place = r.literal(made.Pos)
		var fn initial.Value
		switch name := originName(made); name {
		case "When", "After":
			a := r.actionOf(made.Args[0], "a rule of "+o.what, made.Pos)
			if a == nil {
				continue
			}
			f.decl.On, f.takesParam = a.decl.Name, true
			fn = made.Args[1]
		case "WhenAny", "AfterAny":
			for _, e := range r.list(made.Args[1], "the exceptions of a rule of "+o.what, made.Pos) {
				if a := r.actionOf(e.Value, "a rule of "+o.what, made.Pos); a != nil {
					f.decl.Except = append(f.decl.Except, a.decl.Name)
				}
			}
			fn = made.Args[0]
		default:
			r.unread(c.Value, "a rule of "+o.what, made.Pos)
			continue
		}
		body, ok := r.function(&initial.Cell{Value: fn})
		if !ok || body == nil {
			r.unread(fn, "the function of a rule of "+o.what, made.Pos)
			continue
		}
		decl := r.functionDecl(body)
		switch originName(made) {
		case "When", "WhenAny":
			f.when, f.decl.When = body, &decl
		default:
			f.after, f.decl.After = body, &decl
		}
		fs, ds = append(fs, f), append(ds, f.decl)
	}
	return fs, ds
}

// readProperties reads invariants, constraints and goals.
func (r *reader) readProperties(o object, field, noun string) (fs []*propertyFuncs, ds []grains.PropertyDecl) {
	for _, x := range o.objects(field, "ID", noun) {
		f := &propertyFuncs{decl: grains.PropertyDecl{ID: x.text("ID"), Instance: x.text("Instance"), Doc: x.text("Doc"),
			Raises: uint32(x.number("Raises")), Place: r.literal(x.at)}}
		ways := 0
		if f.decl.Raises != 0 {
			ways++
		}
		for _, way := range []string{"State", "Step"} {
			c, at := x.cell(way)
			fn, ok := r.function(c)
			if !ok {
				r.unread(c.Value, way+" of "+x.what, at)
				ways++
			} else if fn != nil {
				f.check, f.step = fn, way == "Step"
				ways++
			}
		}
		if c, at := x.cell("OnStep"); !isNil(c.Value) {
			ways++
			r.readOnStep(f, c.Value, x.what, at)
		}
		if ways != 1 {
			r.report(finding(BadCatalog, f.decl.Place, "%s sets %d of State, Step, OnStep and Raises", x.what, ways).
				remedy("set exactly one"))
		}
		if f.check != nil {
			decl := r.functionDecl(f.check)
			f.decl.Check = &decl
		}
		f.decl.Kind = f.kind()
		if old := slices.IndexFunc(ds, func(d grains.PropertyDecl) bool { return propertyName(d) == propertyName(f.decl) }); old >= 0 && f.decl.ID != "" {
			r.report(finding(BadCatalog, f.decl.Place, "two of the %s are %q", field, propertyName(f.decl)).
				remedy("give each its own ID, or an Instance: results and manifests name it so").
				related(ds[old].Place, "the other one"))
		}
		fs, ds = append(fs, f), append(ds, f.decl)
	}
	return fs, ds
}

func isNil(v initial.Value) bool {
	_, ok := v.(initial.Nil)
	return ok
}

func (r *reader) readOnStep(f *propertyFuncs, v initial.Value, what string, at token.Pos) {
	if i, ok := v.(initial.Interface); ok {
		v = i.Value
	}
	made, ok := v.(initial.Made)
	if !ok || originName(made) != "OnStep" {
		r.unread(v, "OnStep of "+what, at)
		return
	}
	f.step = true
	if f.on = r.actionOf(made.Args[0], what, made.Pos); f.on != nil {
		f.decl.On = f.on.decl.Name
	}
	if f.check, ok = r.function(&initial.Cell{Value: made.Args[1]}); !ok {
		r.unread(made.Args[1], "the function of "+what, made.Pos)
	}
}
