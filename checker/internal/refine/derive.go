package refine

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/refine/internal/shown"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. The view of one node, from the footprints of a composition: its row, the class
// of each action, what a restart keeps, and which actions no message depends on.
//
// Why it is right. A footprint lists all accesses of an action. If those of the node's actions are
// at its own server, its steps are functions of the elements at its server, so the row has all that
// matters. Any other access is an error with its line. An action that sends nothing and writes
// nothing on which a message depends, through any number of steps, can be left out: the node's
// messages are the same without it. That is a least fixed point over the sources of writes.
//
// What it costs. Once for each composition: a few passes over the footprints of all actions.
//
// Example. Server 1 of three is monitored:
//
//	HandleVote(I, J)   reads Term[p.I], Vote[p.I]; receives MsgVote     class Receive; Term, Vote in the row
//	Timeout(I)         receives nothing                                 class Spontaneous
//	NoteGhost(I)       writes Elected only, which no message needs      Irrelevant
//	Steal(I, J)        reads Log[p.J]                                   an error: not the acting server's

// deriver derives the node-local view from footprints.
type deriver[S any] struct {
	spec  *Spec[S]
	node  *node[S]
	state reflect.Type
	steps bool // the node's own steps are inputs
	plain bool // nothing is lazy, eager or hidden
	late  bool // nothing is taken as soon as possible
	// blinkered says that messages after the one under check are not examined
	blinkered bool
	rows      map[string]bool
	env       map[string]bool // variables that inputs set
	errors    []string
}

func (d *deriver[S]) derive() error {
	actions := slices.Clone(d.spec.Composition.Actions)
	has := func(name string) bool {
		return slices.ContainsFunc(actions, func(a modules.SpecAction[S]) bool { return a.Name == name })
	}
	locals, replaced := d.spec.Runtime.BindLocals(has)
	for _, b := range locals {
		actions = append(actions, modules.SpecAction[S]{Bound: b, Module: "local"})
	}
	d.rows, d.env = map[string]bool{}, map[string]bool{}
	sets := d.spec.Runtime.Foresees
	for _, in := range d.spec.Runtime.Inputs {
		sets = append(slices.Clip(sets), in.Sets...)
	}
	for _, v := range sets {
		d.env[v] = true
		if f, ok := d.state.FieldByName(v); ok {
			d.node.outside = append(d.node.outside, modules.Span{Offset: f.Offset, Size: f.Type.Size()})
		}
	}
	for _, v := range d.spec.Runtime.Foresees {
		if f, ok := d.state.FieldByName(v); ok && f.Type.Size() > 0 {
			d.node.foresee = d.spec.Runtime.Foresee
			d.node.foresees = append(d.node.foresees, modules.Span{Offset: f.Offset, Size: f.Type.Size()})
		}
	}
	classes := make([]PlanAction, len(actions))
	for k := range actions {
		classes[k] = d.classify(&actions[k], replaced)
		d.describe(&classes[k], actions[k].Module)
	}
	d.node.plan.Remains = d.spec.Runtime.Remains
	d.relevance(actions, classes)
	stands := d.standIns(actions)
	for k := range stands {
		d.locality(d.footprint(stands[k].Name), Spontaneous)
	}
	for k := range actions {
		if c := classes[k].Class; c != Environment && c != Irrelevant && c != Replaced {
			d.locality(d.footprint(actions[k].Name), c)
		}
	}
	for k := range actions {
		classes[k].Asap = classes[k].Class == Receive && d.dropsOnly(d.footprint(actions[k].Name))
		classes[k].Free = classes[k].Class == Spontaneous && d.sendsOnly(d.footprint(actions[k].Name))
		if err := d.bind(&actions[k], &classes[k]); err != nil {
			return err
		}
	}
	d.node.plan.Actions = classes
	d.layRow()
	d.keeps(actions, classes)
	d.compare(actions, stands)
	for k := range d.node.handlers { // what is taken as soon as possible goes before all else
		slices.SortStableFunc(d.node.handlers[k], func(a, b instance[S]) int {
			switch {
			case a.asap == b.asap:
				return 0
			case a.asap:
				return -1
			}
			return 1
		})
	}
	if err := d.beforeCrash(classes, stands); err != nil {
		return err
	}
	d.node.sort()
	d.node.crashing.sort()
	if len(d.errors) > 0 {
		return &LocalityError{d.errors}
	}
	return nil
}

// describe says where an action comes from and what is declared of it.
func (d *deriver[S]) describe(p *PlanAction, module string) {
	r := d.spec.Runtime
	p.Module = module
	for _, l := range r.Locals {
		if isIn(l.Actions, p.Name) && d.composed(modules.NameOf(l.Of)) {
			p.For = append(p.For, modules.NameOf(l.Of))
		}
	}
	for _, x := range []struct {
		name string
		list []modules.AnyAction[S]
	}{{"Timeouts", r.Timeouts}, {"Lazy", r.Lazy}, {"Eager", r.Eager}, {"Hidden", r.Hidden}} {
		if isIn(x.list, p.Name) {
			p.Declared = append(p.Declared, x.name)
		}
	}
}

// composed reports whether the composition has an action.
func (d *deriver[S]) composed(name string) bool {
	return slices.ContainsFunc(d.spec.Composition.Actions, func(a modules.SpecAction[S]) bool { return a.Name == name })
}

func (d *deriver[S]) footprint(action string) *modules.Footprint {
	for k := range d.spec.Footprints {
		if d.spec.Footprints[k].Name == action {
			return &d.spec.Footprints[k]
		}
	}
	d.errors = append(d.errors, "action "+action+" has no footprint")
	return &modules.Footprint{Name: action}
}

func (d *deriver[S]) classify(a *modules.SpecAction[S], replaced []string) PlanAction {
	p := PlanAction{Name: a.Name, Class: Spontaneous}
	r := d.spec.Runtime
	switch {
	case r.Restart != nil && a.Name == modules.NameOf(r.Restart):
		p.Class = RestartStep
	case a.Environment && !isIn(r.Own, a.Name):
		p.Class = Environment
	case slices.Contains(replaced, a.Name):
		p.Class = Replaced
	case slices.ContainsFunc(r.Inputs, func(in modules.Input[S]) bool {
		return modules.NameOf(in.Action) == a.Name && (d.steps || !in.Own)
	}):
		p.Class = InputClass
	case len(d.footprint(a.Name).Receives) > 0:
		p.Class = Receive
	}
	return p
}

// relevance finds spontaneous actions that send nothing and write nothing on which, through any
// number of steps, a message depends: the node's messages are the same without them.
func (d *deriver[S]) relevance(actions []modules.SpecAction[S], classes []PlanAction) {
	matters := map[string]bool{}
	add := func(list []modules.Access) (grown bool) {
		for _, x := range list {
			if !matters[x.Variable] {
				matters[x.Variable], grown = true, true
			}
		}
		return grown
	}
	isNet := func(v string) bool {
		return slices.ContainsFunc(d.node.nets, func(x net) bool { return strings.HasPrefix(v, x.Variable) })
	}
	for grown := true; grown; {
		grown = false
		for k := range actions {
			if classes[k].Class == Environment || classes[k].Class == Replaced {
				continue
			}
			f := d.footprint(actions[k].Name)
			used := false
			for x := range f.Writes {
				w := &f.Writes[x]
				if isNet(w.Variable) || matters[w.Variable] {
					used = true
					grown = add(w.Sources()) || grown
				}
			}
			if used {
				grown = add(f.Guard) || grown
			}
		}
	}
	for k := range actions {
		if classes[k].Class != Spontaneous {
			continue
		}
		f := d.footprint(actions[k].Name)
		if !slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return matters[w.Variable] || isNet(w.Variable) }) {
			classes[k].Class = Irrelevant
			classes[k].Why = "no message depends on what it writes"
		}
	}
}

// locality collects the variables of the node's row, and accesses to anything else.
func (d *deriver[S]) locality(f *modules.Footprint, c Class) {
	use := func(a modules.Access) {
		field, _, _ := strings.Cut(a.Variable, ".")
		field, _, _ = strings.Cut(field, "#")
		switch {
		case slices.ContainsFunc(d.node.nets, func(x net) bool { return x.Variable == field }):
			if !a.Local() && c != RestartStep {
				d.offend(f.Name, a)
			}
		case d.env[field] || d.empty(field):
		case d.assertions(field):
		case len(a.Index) > 0 && a.Index[0] == "p.I":
			d.rows[field] = true
		default:
			d.offend(f.Name, a)
		}
	}
	for _, a := range f.Reads() {
		use(a)
	}
	for _, w := range f.Writes {
		for _, e := range w.Elements {
			use(modules.Access{Variable: w.Variable, Index: e.Index, Key: e.Key})
		}
	}
}

// empty reports whether a variable has no room in this composition.
func (d *deriver[S]) empty(field string) bool {
	f, ok := d.state.FieldByName(field)
	return ok && f.Type.Size() == 0
}

func (d *deriver[S]) assertions(field string) bool {
	f, ok := d.state.FieldByName(field)
	return ok && len(d.node.raised) > 0 && f.Offset == d.node.raised[0].Offset
}

func (d *deriver[S]) offend(action string, a modules.Access) {
	u := modules.Use{Action: action, Access: a}
	if !slices.ContainsFunc(d.node.plan.Offenders, func(x modules.Use) bool { return x.Action == action && x.Access.String() == a.String() }) {
		d.node.plan.Offenders = append(d.node.plan.Offenders, u)
		d.errors = append(d.errors, fmt.Sprintf("action %s uses %s, which is not the acting server's (%s:%d)", action, a,
			path.Join(path.Base(path.Dir(filepath.ToSlash(a.At.File))), path.Base(filepath.ToSlash(a.At.File))), a.At.Line))
	}
}

// dropsOnly reports whether an action writes nothing but the channel that it takes a message from.
func (d *deriver[S]) dropsOnly(f *modules.Footprint) bool {
	if len(f.Sends) > 0 {
		return false
	}
	return !slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return !slices.Contains(f.Receives, w.Variable) })
}

// sendsOnly reports whether an action writes nothing but the channel to its J.
func (d *deriver[S]) sendsOnly(f *modules.Footprint) bool {
	return len(f.Sends) > 0 && !slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return !slices.Contains(f.Sends, w.Variable) })
}

// layRow gives the row its bytes: the node's element of each variable.
func (d *deriver[S]) layRow() {
	n := d.node
	for f := range d.state.Fields() {
		if !d.rows[f.Name] || f.Type.Kind() != reflect.Array || f.Type.Len() == 0 {
			continue
		}
		n.plan.Variables = append(n.plan.Variables, f.Name)
		elem := f.Type.Elem()
		at := f.Offset + uintptr(n.me)*elem.Size()
		chains := layout.ChainsIn(elem)
		for _, s := range modules.Spans(elem) {
			for _, c := range chains {
				if c.Node >= s.Offset && c.Node < s.Offset+s.Size {
					at := chainAt{node: n.rowSize + int(c.Node-s.Offset), taken: -1}
					if c.Deque { // whose two numbers are neighbours
						at.taken = n.rowSize + int(c.Taken-s.Offset)
					}
					n.chains = append(n.chains, at)
				}
			}
			n.row = append(n.row, modules.Span{Offset: at + s.Offset, Size: s.Size})
			n.rowSize += int(s.Size)
		}
	}
	n.rowSize = (n.rowSize + 7) &^ 7
}

// compare says what the composition compares with the stream.
func (d *deriver[S]) compare(actions, stands []modules.SpecAction[S]) {
	n := d.node
	c := shown.Composition{Networks: n.plan.Networks, Kept: n.kept, Lane: d.lane}
	for k := range actions {
		if x := n.plan.Actions[k].Class; x != Environment && x != Replaced && x != Irrelevant {
			c.Footprints = append(c.Footprints, d.footprint(actions[k].Name))
		}
	}
	for k := range stands {
		c.Footprints = append(c.Footprints, d.footprint(stands[k].Name))
	}
	for x := range n.nets {
		for name, number := range d.spec.Enum(n.nets[x].Message.Field(0).Type) {
			k := shown.Kind{Name: name, Number: uint8(number), Net: x}
			taken := func(j int) bool { return len(n.handlers[j*256+int(k.Number)]) > 0 }
			if slices.ContainsFunc(n.peers, taken) || slices.Contains(n.kinds, k.Number) {
				c.Kinds = append(c.Kinds, k)
			}
		}
	}
	slices.SortFunc(c.Kinds, func(a, b shown.Kind) int { return strings.Compare(a.Name, b.Name) })
	for _, name := range n.declared {
		if len(n.inputs[name]) > 0 && !n.unused[name] {
			c.Inputs = append(c.Inputs, name)
		}
	}
	n.compares = c
}

// keeps finds the variables that the restart does not set to a constant.
func (d *deriver[S]) keeps(actions []modules.SpecAction[S], classes []PlanAction) {
	for k := range actions {
		if classes[k].Class != RestartStep {
			continue
		}
		writes := d.footprint(actions[k].Name).Writes
		for _, v := range d.node.plan.Variables {
			of := func(w modules.Write) bool { return w.Variable == v || strings.HasPrefix(w.Variable, v+".") }
			if !slices.ContainsFunc(writes, of) || slices.ContainsFunc(writes, func(w modules.Write) bool {
				return of(w) && (len(w.Sources()) > 0 || len(w.Elements) != 1 || len(w.Elements[0].Index) != 1)
			}) {
				d.node.kept = append(d.node.kept, v)
			}
		}
	}
}
