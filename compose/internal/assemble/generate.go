package assemble

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/multigrain/multigrain/grains"
)

// direct is an action of the composition in generated code: expressions of the functions that it
// calls.
type direct struct {
	Number        int // of the action
	Name, Var     string
	Guard, Effect string
	When, After   []rider
	Budgets       []int
	// Masks are the functions that say which instances the guard allows, 64 each, and Domain the
	// variable that holds the parameters that they assume. None where the guard is called for one
	// instance after another.
	Masks  []string
	Domain string
	Count  int // of the parameters, where there are Masks
	// Base is the number of the action's first instance; -1 where it is not known yet.
	Base int
	// Off says that constants keep the guard false. The action has its instances, and no step.
	Off bool
}

// Many reports whether one mask is not enough.
func (d *direct) Many() bool { return len(d.Masks) > 1 }

// rider is a rule's function; Plain ones take no parameter.
type rider struct {
	Func  string
	Plain bool
}

// directs returns the composition's actions in order, with what rides on them.
func (p *Program) directs(r *Rewriting) ([]direct, error) {
	chosen := p.Chosen
	var rules []grains.RuleDecl
	for _, g := range chosen {
		rules = append(rules, g.Rules...)
	}
	rules = append(rules, p.Catalog.Rules...)
	budgets := BudgetsOf(chosen)
	b, err := newBrancher(r)
	if err != nil {
		return nil, err
	}
	var out []direct
	for _, g := range chosen {
		for _, name := range g.Actions {
			d, err := p.direct(b, len(out), name, rules)
			if err != nil {
				return nil, err
			}
			for k, b := range budgets {
				if slices.Contains(b.Actions, name) {
					d.Budgets = append(d.Budgets, k)
				}
			}
			out = append(out, d)
		}
	}
	base := 0
	for k := range out {
		if out[k].Base = base; base >= 0 && len(out[k].Masks) > 0 {
			base += out[k].Count
		} else {
			base = -1
		}
	}
	return out, nil
}

// Budget is a bound whose uses a node counts, with the actions that spend it.
type Budget struct {
	Bound   string
	Actions []string
}

// BudgetsOf returns the budgets in the order in which grains.Compose numbers them.
func BudgetsOf(chosen []*grains.GrainDecl) []Budget {
	var out []Budget
	for _, g := range chosen {
		for _, b := range g.Budgets {
			k := slices.IndexFunc(out, func(x Budget) bool { return x.Bound == b.Bound })
			if k < 0 {
				k = len(out)
				out = append(out, Budget{Bound: b.Bound})
			}
			out[k].Actions = append(out[k].Actions, b.Actions...)
		}
	}
	return out
}

func (p *Program) direct(b *brancher, number int, name string, rules []grains.RuleDecl) (d direct, err error) {
	r := b.r
	k := slices.IndexFunc(p.Catalog.Actions, func(a grains.ActionDecl) bool { return a.Name == name })
	if k < 0 {
		return d, fmt.Errorf("the catalog lacks action %s", name)
	}
	a := &p.Catalog.Actions[k]
	d = direct{Number: number, Name: name, Var: a.Var}
	if a.Guard != nil {
		if d.Guard, err = r.hoisted(*a.Guard); err != nil {
			return d, err
		}
		if params, ok := r.domain(a.Var); ok {
			d.Masks, d.Domain = r.unroll(number, *a.Guard, params)
			d.Count = len(params)
		}
		d.Off = b.refusesAll(*a.Guard)
	}
	if d.Effect, err = r.hoisted(a.Effect); err != nil {
		return d, err
	}
	for _, rule := range rules {
		if rule.On != name && (rule.On != "" || slices.Contains(rule.Except, name)) {
			continue
		}
		list, fn := &d.When, rule.When
		if rule.After != nil {
			list, fn = &d.After, rule.After
		}
		expr, err := r.hoisted(*fn)
		if err != nil {
			return d, err
		}
		*list = append(*list, rider{expr, rule.On == ""})
	}
	return d, nil
}

// generate returns the next-state function of the composition.
func (p *Program) generate(r *Rewriting) ([]byte, error) {
	r.state = p.Catalog.State
	actions, err := p.directs(r)
	if err != nil {
		return nil, err
	}
	data := map[string]any{
		"Package": p.Source.Name, "Path": p.Source.Path, "State": p.Catalog.State, "Var": p.Catalog.Var,
		"Actions": actions, "Counters": p.counters(), "Enums": p.enums(nil),
	}
	return execute(nextTemplate, data)
}

func execute(t *template.Template, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// counters returns how many budget counters a node has: checker.Counters allows 0, 8 and 16.
func counters(budgets int) int { return (budgets + 7) / 8 * 8 }

// enums returns the constants of enumerations as the inside of a Go composite literal. The types in
// the copy of the State that an engine has are types of the engine's package.
func (p *Program) enums(e *engine) string {
	all := map[string]map[int64]string{}
	for t, constants := range enumsOf(p.Catalog, p.Constants) {
		path, name := p.Source.Path, t
		if dot := strings.LastIndex(t, "."); dot >= 0 {
			path, name = t[:dot], t[dot+1:]
		}
		all[path+"."+name] = constants
		if e != nil {
			all[e.Path+"."+copyName(p.Source.Path, path, name)] = constants
		}
	}
	var b strings.Builder
	for _, t := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%q: {", t)
		for _, v := range slices.Sorted(maps.Keys(all[t])) {
			fmt.Fprintf(&b, "%s: %q, ", strconv.FormatInt(v, 10), all[t][v])
		}
		b.WriteString("}, ")
	}
	return b.String()
}
