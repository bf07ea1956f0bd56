package main

import (
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// source returns the specification as Go: one file.
func source(s *oracle.Spec) (string, error) {
	w := &writer{s: s, helped: map[string]string{}}
	w.types()
	for k := range s.Actions {
		w.action(&s.Actions[k])
	}
	for _, c := range s.Coarse {
		for k := range c.Own {
			w.action(&c.Own[k])
		}
	}
	w.functions()
	w.grains()
	w.system()
	text := w.code.String() + w.helpers.String()
	out, err := format.Source([]byte(text))
	if err != nil {
		return text, fmt.Errorf("the specification is no Go: %w", err)
	}
	return string(out), nil
}

func (w *writer) types() {
	s := w.s
	w.line("// Package %s is a random specification.\npackage %s\n", s.Name, s.Name)
	w.line("import (\n\t\"github.com/multigrain/multigrain/grains\"\n\t\"github.com/multigrain/multigrain/modules\"\n)\n")
	w.line("const Nodes = %d\n\ntype Node int8\n\nconst Nobody Node = -1\n", s.Nodes)
	w.line("type (\n\tAction[P any] = modules.Action[State, P]\n\tActions = []modules.AnyAction[State]\n\tKind uint8\n\tFail uint8\n)\n")
	w.line("const (\n\tFail0 Fail = iota\n\tFail1\n)\n\nconst (\n\tK1 Kind = iota + 1\n\tK2\n)\n")
	w.line("type Msg struct {\n\tKind Kind\n\tV uint8\n}\n\ntype Rec struct{ A, B uint8 }\n")
	w.line("type State struct {")
	for _, v := range s.Vars {
		queue := fmt.Sprintf("modules.Channel[Msg, [%d]Msg]", v.Cap)
		w.line("\t%s %s", v.Name, map[string]string{
			oracle.Num: "uint8", oracle.Flag: "bool", oracle.Ref: "Node", oracle.Nums: "[Nodes]uint8", oracle.Flags: "[Nodes]bool",
			oracle.Set: "modules.Set[Node]", oracle.Sets: "[Nodes]modules.Set[Node]",
			oracle.Seq:  fmt.Sprintf("modules.Seq[uint8, [%d]uint8]", v.Cap),
			oracle.Map:  "modules.Map[Node, uint8, [Nodes]uint8]",
			oracle.Recs: fmt.Sprintf("modules.Records[Rec, [%d]Rec]", v.Cap),
			oracle.Net:  fmt.Sprintf("modules.Net[Node, Kind, Msg, [%d]Msg, [Nodes]%s, [Nodes][Nodes]%s]", v.Cap, queue, queue),
			oracle.Bag:  fmt.Sprintf("modules.Bag[Node, Kind, Msg, [%d]Msg, [Nodes]%s, [Nodes][Nodes]%s]", v.Cap, queue, queue),
		}[v.Kind])
	}
	w.line("\tRaised modules.Raised[Fail]\n}\n")
}

// param returns the parameter type and the domain.
func param(domain string, depth int) (kind, values string) {
	switch domain {
	case oracle.Each:
		return "modules.One[Node]", "modules.Each[Node](Nodes)"
	case oracle.Pairs:
		return "modules.Pair[Node]", "modules.EachPair[Node](Nodes)"
	case oracle.Links:
		return "modules.Pair[Node]", "modules.Links[Node](Nodes)"
	case oracle.Subsets:
		return "modules.Party[Node]", "modules.Subsets[Node](Nodes)"
	case oracle.Quorums:
		return "modules.Party[Node]", "modules.Quorums[Node](Nodes)"
	case oracle.Positions:
		return "modules.At[Node]", fmt.Sprintf("modules.Positions[Node](Nodes, %d)", depth)
	}
	return "modules.None", "modules.Once"
}

func (w *writer) action(a *oracle.Action) {
	kind, values := param(a.Domain, a.Depth)
	w.line("var %s = Action[%s]{\n\tName: %q,\n\tParams: %s,", a.Name, kind, a.Name, values)
	if a.Guard != nil {
		w.line("\tGuard: func(s *State, p %s) bool { return %s },", kind, w.is(a.Guard, ofAction))
	}
	w.line("\tEffect: func(s, n *State, p %s) {", kind)
	w.block(a.Effect, ofAction)
	w.line("\t},\n}\n")
}

// functions writes the functions of the catalog.
func (w *writer) functions() {
	s := w.s
	w.line("func start(yield func(State) bool) {")
	w.depth++
	for _, in := range s.Inits {
		w.depth++
		if in.Each {
			w.line("for q := range Node(Nodes) {\n\t_ = q")
		} else {
			w.line("{")
		}
		w.line("n := &State{}")
		for _, v := range s.Vars {
			if v.Kind == oracle.Ref {
				w.line("n.%s = Nobody", v.Name)
			}
		}
		w.block(in.Body, names{before: "n", after: "n"})
		w.line("if !yield(*n) {\n\t\treturn\n\t}\n}")
		w.depth--
	}
	w.depth--
	w.line("}\n")
	for _, p := range slices.Concat(s.Properties, s.Constraints) {
		switch {
		case p.Kind == oracle.Assert:
		case p.Kind == oracle.State:
			w.line("func is%s(s *State) bool { return %s }\n", p.ID, w.is(p.Holds, ofAction))
		case p.On < 0:
			w.line("func is%s(s, n *State) bool { return %s }\n", p.ID, w.is(p.Holds, ofAction))
		default:
			kind, _ := param(s.Actions[p.On].Domain, 0)
			w.line("func is%s(s, n *State, p %s) bool { return %s }\n", p.ID, kind, w.is(p.Holds, ofAction))
		}
	}
	for k, r := range s.Rules {
		sign, state := "", "s *State"
		if r.On >= 0 {
			kind, _ := param(s.Actions[r.On].Domain, 0)
			sign = ", p " + kind
		}
		if r.When != nil {
			w.line("func rule%d(%s%s) bool { return %s }\n", k, state, sign, w.is(r.When, ofAction))
			continue
		}
		w.line("func rule%d(s, n *State%s) {", k, sign)
		w.block(r.After, ofAction)
		w.line("}\n")
	}
	for _, l := range s.Liveness {
		sign := ""
		if l.Each {
			sign = ", p modules.One[Node]"
		}
		if l.From != nil {
			w.line("func from%s(s *State%s) bool { return %s }\n", l.ID, sign, w.is(l.From, ofAction))
		}
		w.line("func to%s(s *State%s) bool { return %s }\n", l.ID, sign, w.is(l.To, ofAction))
	}
}

// list prints the variables of actions.
func (w *writer) list(actions []int) string {
	var out []string
	for _, k := range actions {
		out = append(out, "&"+w.s.Actions[k].Name)
	}
	return strings.Join(out, ", ")
}

// of returns the actions of a module's baseline.
func of(s *oracle.Spec, module int) (out []int) {
	for k, a := range s.Actions {
		if a.Module == module {
			out = append(out, k)
		}
	}
	return out
}

// spending prints the budgets of a grain with some actions.
func (w *writer) spending(actions []int) string {
	var out []string
	for _, b := range w.s.Budgets {
		var spent []int
		for _, k := range b.Actions {
			if slices.Contains(actions, k) {
				spent = append(spent, k)
			}
		}
		if len(spent) > 0 {
			out = append(out, fmt.Sprintf("modules.Spend[State](%q, %s)", b.Name, w.list(spent)))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "Budgets: []modules.Budget[State]{" + strings.Join(out, ", ") + "}, "
}

func (w *writer) grains() {
	for k, m := range w.s.Modules {
		actions := of(w.s, k)
		w.line("var %sBaseline = grains.Grain[State]{Name: \"baseline\", Covers: []string{%q}, %sActions: Actions{%s}}\n", m.Name, m.Name, w.spending(actions), w.list(actions))
	}
	for _, c := range w.s.Coarse {
		all := w.list(c.Keep)
		for _, a := range c.Own {
			if all != "" {
				all += ", "
			}
			all += "&" + a.Name
		}
		base := w.s.Modules[c.Module].Name
		w.line("// %s: %s.\nvar %s = grains.Coarsen(grains.Grain[State]{Name: %q, %sActions: Actions{%s}}, %sBaseline)\n", c.Name, c.How, c.Name, c.Name, w.spending(c.Keep), all, base)
	}
}

func (w *writer) system() {
	s := w.s
	w.line("var System = grains.System[State]{\n\tName: %q,\n\tDoc: \"A random specification.\",\n\tInit: start,", s.Name)
	w.line("\tRoles: []modules.Role{{Name: \"server\", Count: Nodes}},\n\tModules: []grains.Module{")
	var all []string
	for _, m := range s.Modules {
		w.line("\t\t{Name: %q, Doc: \"a part\", Environment: %v},", m.Name, m.Environment)
		all = append(all, m.Name+"Baseline")
	}
	for _, c := range s.Coarse {
		all = append(all, c.Name)
	}
	w.line("\t},\n\tGrains: []grains.Grain[State]{%s},", strings.Join(all, ", "))
	w.properties()
	w.rules()
	w.line("\tBounds: []grains.Bound{\n\t\t{Name: \"servers\", Doc: \"servers\", Min: 1, Max: 3, Default: %d, Const: \"Nodes\"},", s.Nodes)
	for _, b := range s.Budgets {
		w.line("\t\t{Name: %q, Doc: \"steps\", Min: 0, Max: 9, Default: 1},", b.Name)
	}
	w.line("\t},\n}\n")
}

func (w *writer) properties() {
	s := w.s
	w.line("\tInvariants: []modules.Invariant[State]{")
	for _, p := range s.Properties {
		field := "State: is" + p.ID
		switch {
		case p.Kind == oracle.Assert:
			field = fmt.Sprintf("Raises: modules.Bit(Fail%d)", p.Raise)
		case p.Kind == oracle.Step && p.On < 0:
			field = "Step: is" + p.ID
		case p.Kind == oracle.Step:
			field = fmt.Sprintf("OnStep: modules.OnStep(&%s, is%s)", s.Actions[p.On].Name, p.ID)
		}
		w.line("\t\t{ID: %q, Doc: \"A property.\", %s},", p.ID, field)
	}
	w.line("\t},")
	if len(s.Constraints) > 0 {
		w.line("\tConstraints: []modules.Invariant[State]{")
		for _, p := range s.Constraints {
			w.line("\t\t{ID: %q, Doc: \"A constraint.\", State: is%s},", p.ID, p.ID)
		}
		w.line("\t},")
	}
	w.line("\tLiveness: []modules.Liveness[State]{")
	for _, l := range s.Liveness {
		field := "To: to" + l.ID
		if l.From != nil {
			field = fmt.Sprintf("From: from%s, To: to%s", l.ID, l.ID)
		}
		if l.Each {
			field = fmt.Sprintf("Each: modules.LeadsTo(modules.Each[Node](Nodes), from%s, to%s)", l.ID, l.ID)
		}
		if len(l.Unfair) > 0 {
			field += ", Unfair: Actions{" + w.list(l.Unfair) + "}"
		}
		w.line("\t\t{ID: %q, Doc: \"A liveness property.\", %s},", l.ID, field)
	}
	w.line("\t},")
}

func (w *writer) rules() {
	if len(w.s.Rules) == 0 {
		return
	}
	w.line("\tRules: []modules.Rule[State]{")
	for k, r := range w.s.Rules {
		kind := "When"
		if r.When == nil {
			kind = "After"
		}
		switch {
		case r.On >= 0:
			w.line("\t\tmodules.%s(&%s, rule%d),", kind, w.s.Actions[r.On].Name, k)
		case len(r.Except) > 0:
			w.line("\t\tmodules.%sAny(rule%d, %s),", kind, k, w.list(r.Except))
		default:
			w.line("\t\tmodules.%sAny(rule%d),", kind, k)
		}
	}
	w.line("\t},")
}
