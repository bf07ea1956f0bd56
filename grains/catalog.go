package grains

import (
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// Catalog is a System as it is read from the package's code, with the places of everything that it
// declares. It mirrors System without its type parameter; package interaction makes it.
type Catalog struct {
	Package string `json:"package"` // import path
	Var     string `json:"var"`     // the package-level variable that holds the System
	State   string `json:"state"`   // the name of the State type
	System  string `json:"system"`
	Doc     string `json:"doc"`

	// Roles name the nodes, with the counts that the defaults of the bounds give.
	Roles       []modules.Role `json:"roles,omitempty"`
	Modules     []Module       `json:"modules"`
	Grains      []GrainDecl    `json:"grains"`
	Invariants  []PropertyDecl `json:"invariants"`
	Constraints []PropertyDecl `json:"constraints"`
	Goals       []PropertyDecl `json:"goals"`
	// Liveness are the properties of whole behaviours.
	Liveness []LivenessDecl `json:"liveness,omitempty"`
	Rules    []RuleDecl     `json:"rules"`
	// Meetings are pairs of quorums that have a member in common.
	Meetings []MeetingDecl `json:"meetings,omitempty"`
	Bounds   []Bound       `json:"bounds"`
	Options  []Option      `json:"options"`
	// Node holds the values of options and bounds next to one running node.
	Node []NodeSetting `json:"at_node,omitempty"`
	// Actions are all actions that the package declares, used by a grain or not, in the order of
	// the source.
	Actions []ActionDecl `json:"actions"`
	Init    Function     `json:"init"`
	// Enums are the constants of named integer types: type, then value, then constant. A type of
	// another package has the import path before its name: example.com/wire.Kind.
	Enums map[string]map[int64]string `json:"enums"`
	// Sized are further constants of such types, whose values follow from bounds or options.
	Sized []SizedConst `json:"sized,omitempty"`
	// Messages are the fields that messages of each kind carry. A kind is the name of its constant.
	Messages map[string][]string `json:"messages,omitempty"`
}

// SizedConst is a constant whose value is known once a manifest has set the bounds: Master of type
// Node, which is "Servers + 1". Value mentions no constants but those that bounds and options set.
type SizedConst struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Place is a position in a source file; Line and Column count from 1.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Function is a function of the specification: a declared one by its name, or a literal by its
// place alone.
type Function struct {
	Name  string `json:"name,omitempty"`
	Place Place  `json:"place"`
}

// GrainDecl is a Grain as declared.
type GrainDecl struct {
	Name        string         `json:"name"`
	Was         []string       `json:"was,omitempty"`
	Doc         string         `json:"doc"`
	Picked      Pick           `json:"picked,omitzero"`
	Covers      []string       `json:"covers"`
	From        []Ref          `json:"from,omitempty"`
	Coarsens    bool           `json:"coarsens,omitempty"`
	Refines     bool           `json:"refines,omitempty"`
	Requires    []Ref          `json:"requires,omitempty"`
	Sets        []Setting      `json:"sets,omitempty"`
	Needs       []OptionValue  `json:"needs,omitempty"`
	NeedsBounds []LeastBound   `json:"needs_bounds,omitempty"`
	Excludes    []Exclusion    `json:"excludes,omitempty"`
	Offers      []OptionValue  `json:"offers,omitempty"`
	Sizes       []Sizes        `json:"sizes,omitempty"`
	Actions     []string       `json:"actions"` // names
	Rules       []RuleDecl     `json:"rules,omitempty"`
	Stands      []StandDecl    `json:"stands,omitempty"`
	Invariants  []PropertyDecl `json:"invariants,omitempty"`
	Constraints []PropertyDecl `json:"constraints,omitempty"`
	Goals       []PropertyDecl `json:"goals,omitempty"`
	Budgets     []BudgetDecl   `json:"budgets,omitempty"`
	Node        Form           `json:"at_node"`
	Models      []string       `json:"models,omitempty"`
	Place       Place          `json:"place"`
}

// CountsNodes reports whether a bound is the number of the nodes of a role. In a system without
// roles it is the bound with the name of one.
func (c *Catalog) CountsNodes(b *Bound) bool {
	if b.Const == "" {
		return false
	}
	if len(c.Roles) == 0 {
		return b.Name == "servers" || b.Name == "nodes"
	}
	return slices.ContainsFunc(c.Roles, func(x modules.Role) bool { return x.Count > 0 && x.Count == b.Default })
}

// ActionDecl is an action: the package-level variable Var with the constant Name.
type ActionDecl struct {
	Name   string    `json:"name"`
	Var    string    `json:"var"`
	Param  string    `json:"param"` // the parameter type, as the package writes it
	Actor  string    `json:"actor,omitempty"`
	Guard  *Function `json:"guard,omitempty"`
	Effect Function  `json:"effect"`
	Place  Place     `json:"place"`
}

// RuleDecl is a rule: exactly one of When and After is set.
type RuleDecl struct {
	On     string    `json:"on,omitempty"` // the action it rides on; "": every action but Except
	Except []string  `json:"except,omitempty"`
	When   *Function `json:"when,omitempty"`
	After  *Function `json:"after,omitempty"`
	Place  Place     `json:"place"`
}

// StandDecl is a declaration that steps of one action stand for steps of another one, which the
// grain replaces.
type StandDecl struct {
	Action string    `json:"action"`
	For    string    `json:"for"`
	Params *Function `json:"params,omitempty"` // missing: they are the same
	Before *Function `json:"before,omitempty"` // missing: the state before the action's step
	Place  Place     `json:"place"`
}

// PropertyDecl is an invariant, constraint or goal.
type PropertyDecl struct {
	ID       string    `json:"id"`
	Instance string    `json:"instance,omitempty"`
	Doc      string    `json:"doc"`
	Kind     string    `json:"kind"`
	On       string    `json:"on,omitempty"` // the action, for a step property of one action
	Check    *Function `json:"check,omitempty"`
	Raises   uint32    `json:"raises,omitempty"`
	Place    Place     `json:"place"`
}

// LivenessDecl is a liveness property as declared.
type LivenessDecl struct {
	ID   string    `json:"id"`
	Doc  string    `json:"doc"`
	From *Function `json:"from,omitempty"` // missing: asked for in the initial states
	// Parametric says that From and To have a parameter.
	Parametric bool     `json:"parametric,omitempty"`
	To         Function `json:"to"`
	Unfair     []string `json:"unfair,omitempty"` // names of actions
	Place      Place    `json:"place"`
}

// LivenessNames returns the IDs of the liveness properties.
func (c *Catalog) LivenessNames() (names []string) {
	for _, p := range c.Liveness {
		names = append(names, p.ID)
	}
	return names
}

// BudgetDecl is a budget of a grain.
type BudgetDecl struct {
	Bound   string   `json:"bound"`
	Actions []string `json:"actions"`
}

// IsPicked reports whether manifests get the grain by another one and an option.
func (g *GrainDecl) IsPicked() bool { return g.Picked != Pick{} }

// Switched returns the grains that manifests get by grain g and a value of an option.
func (c *Catalog) Switched(g *GrainDecl) (out []*GrainDecl) {
	for k := range c.Grains {
		if x := &c.Grains[k]; x.IsPicked() && x.Picked.Grain == g.Name && x.Covers[0] == g.Covers[0] {
			out = append(out, x)
		}
	}
	return out
}

// Switches reports whether an option picks grains.
func (c *Catalog) Switches(option string) bool {
	return slices.ContainsFunc(c.Grains, func(g GrainDecl) bool { return g.Picked.Option == option && g.IsPicked() })
}

// Named returns the grain that a manifest names for a module, and whether it uses a name that the
// grain had before; nil where the module has no such grain.
func (c *Catalog) Named(module, name string) (g *GrainDecl, renamed bool) {
	for k := range c.Grains {
		g := &c.Grains[k]
		if g.Covers[0] == module && g.Name == name {
			return g, false
		}
	}
	for k := range c.Grains {
		g := &c.Grains[k]
		if g.Covers[0] == module && slices.Contains(g.Was, name) {
			return g, true
		}
	}
	return nil, false
}

// OptionNamed returns the option with a name, and reports whether that is one that the option had
// before; nil where the system has no such option.
func (c *Catalog) OptionNamed(name string) (o *Option, renamed bool) {
	for k := range c.Options {
		if c.Options[k].Name == name {
			return &c.Options[k], false
		}
	}
	for k := range c.Options {
		if slices.Contains(c.Options[k].Was, name) {
			return &c.Options[k], true
		}
	}
	return nil, false
}

// Fulfils reports whether grain g is the one that need names, or refines it, directly or through
// other grains: a refinement has the steps of its base in more detail.
func (c *Catalog) Fulfils(g *GrainDecl, need Ref) bool {
	bases := []*GrainDecl{g}
	for k := 0; k < len(bases); k++ {
		b := bases[k]
		if b.Name == need.Grain && slices.Contains(b.Covers, need.Module) {
			return true
		}
		for x := range c.Grains {
			f := &c.Grains[x]
			if b.Refines && slices.Contains(b.From, Ref{f.Covers[0], f.Name}) && !slices.Contains(bases, f) {
				bases = append(bases, f)
			}
		}
	}
	return false
}
