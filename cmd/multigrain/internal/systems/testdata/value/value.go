// Command value prints the Systems of packages as the running program has them, in the form of a
// catalog. A test adds the file that names the packages, and compares what package interaction
// reads from the code.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// catalogs are the Systems by the import paths of their packages.
var catalogs = map[string]*grains.Catalog{}

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(catalogs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// add converts a System.
func add[S any](path string, s *grains.System[S]) bool {
	c := &grains.Catalog{System: s.Name, Doc: s.Doc, Roles: s.Roles, Modules: s.Modules, Bounds: s.Bounds,
		Options: s.Options, Node: s.Node, Init: *function(reflect.ValueOf(s.Init))}
	r := &reader{actions: map[string]grains.ActionDecl{}}
	for k := range s.Grains {
		c.Grains = append(c.Grains, grain(r, &s.Grains[k]))
	}
	c.Rules = list(r, s.Rules, rule)
	c.Invariants = list(r, s.Invariants, property)
	c.Constraints = list(r, s.Constraints, property)
	c.Goals = list(r, s.Goals, property)
	c.Liveness = list(r, s.Liveness, liveness)
	for _, a := range r.actions {
		c.Actions = append(c.Actions, a)
	}
	catalogs[path] = c
	return true
}

func grain[S any](r *reader, g *grains.Grain[S]) grains.GrainDecl {
	out := grains.GrainDecl{Name: g.Name, Was: g.Was, Doc: g.Doc, Picked: g.Picked, Covers: g.Covers, From: g.From, Coarsens: g.Coarsens, Refines: g.Refines,
		Requires: g.Requires, Sets: g.Sets, Needs: g.Needs, NeedsBounds: g.NeedsBounds, Excludes: g.Excludes, Offers: g.Offers, Sizes: g.Sizes, Node: g.Node, Models: g.Models}
	out.Actions = r.names(reflect.ValueOf(g.Actions))
	out.Rules = list(r, g.Rules, rule)
	out.Stands = list(r, g.Stands, stand)
	out.Invariants = list(r, g.Invariants, property)
	out.Constraints = list(r, g.Constraints, property)
	out.Goals = list(r, g.Goals, property)
	for _, b := range g.Budgets {
		out.Budgets = append(out.Budgets, grains.BudgetDecl{Bound: b.Bound, Actions: r.names(reflect.ValueOf(b.Actions))})
	}
	return out
}

func list[T, D any](r *reader, xs []T, convert func(r *reader, x reflect.Value) D) (out []D) {
	for k := range xs {
		out = append(out, convert(r, reflect.ValueOf(&xs[k]).Elem()))
	}
	return out
}

// reader collects the actions by their names.
type reader struct{ actions map[string]grains.ActionDecl }

// action returns the name of an action that an interface or a pointer holds.
func (r *reader) action(v reflect.Value) string {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	v = v.Elem()
	a := grains.ActionDecl{Name: v.FieldByName("Name").String(), Actor: v.FieldByName("Actor").String(),
		Guard: function(v.FieldByName("Guard")), Effect: *function(v.FieldByName("Effect"))}
	r.actions[a.Name] = a
	return a.Name
}

func (r *reader) names(list reflect.Value) (out []string) {
	for k := range list.Len() {
		out = append(out, r.action(list.Index(k)))
	}
	return out
}

func rule(r *reader, v reflect.Value) (d grains.RuleDecl) {
	if on := v.FieldByName("on"); !on.IsNil() {
		d.On = r.action(on)
	}
	d.Except = r.names(v.FieldByName("except"))
	d.When, d.After = function(v.FieldByName("when")), function(v.FieldByName("after"))
	return d
}

func stand(r *reader, v reflect.Value) grains.StandDecl {
	x := v.Elem().Elem()
	return grains.StandDecl{Action: r.action(x.FieldByName("coarse")), For: r.action(x.FieldByName("replaced")),
		Params: function(x.FieldByName("params")), Before: function(x.FieldByName("before"))}
}

func property(r *reader, v reflect.Value) grains.PropertyDecl {
	d := grains.PropertyDecl{ID: v.FieldByName("ID").String(), Instance: v.FieldByName("Instance").String(),
		Doc: v.FieldByName("Doc").String(), Raises: uint32(v.FieldByName("Raises").Uint())}
	state, step, on := v.FieldByName("State"), v.FieldByName("Step"), v.FieldByName("OnStep")
	switch {
	case d.Raises != 0:
		d.Kind = modules.KindAssert
	case !state.IsNil():
		d.Kind, d.Check = modules.KindState, function(state)
	case !step.IsNil():
		d.Kind, d.Check = modules.KindStep, function(step)
	case !on.IsNil():
		x := on.Elem().Elem()
		d.Kind, d.On, d.Check = modules.KindStep, r.action(x.FieldByName("action")), function(x.FieldByName("holds"))
	}
	return d
}

func liveness(r *reader, v reflect.Value) grains.LivenessDecl {
	d := grains.LivenessDecl{ID: v.FieldByName("ID").String(), Doc: v.FieldByName("Doc").String(), Unfair: r.names(v.FieldByName("Unfair"))}
	from, to := v.FieldByName("From"), v.FieldByName("To")
	if each := v.FieldByName("Each"); !each.IsNil() {
		d.Parametric = true
		from, to = each.Elem().Elem().FieldByName("from"), each.Elem().Elem().FieldByName("to")
	}
	d.From = function(from)
	if f := function(to); f != nil {
		d.To = *f
	}
	return d
}

// literal is what the compiler adds to the name of a function around a literal.
var literal = regexp.MustCompile(`\.func\d+(\.\d+)*$|\.init\.\d+`)

// start returns the line of func. Code that was inlined at the entry has frames of its own before
// that of f.
func start(f *runtime.Func) (at grains.Place) {
	frames := runtime.CallersFrames([]uintptr{f.Entry() + 1})
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		at = grains.Place{File: frame.File, Line: int(reflect.ValueOf(frame).FieldByName("startLine").Int())}
	}
	return at
}

// function returns a declared function by its name, as (*State).agreed, and a literal by its place.
func function(v reflect.Value) *grains.Function {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.IsNil() {
		return nil
	}
	f := runtime.FuncForPC(v.Pointer())
	name := f.Name()
	if literal.MatchString(name) {
		return &grains.Function{Place: start(f)}
	}
	name = name[strings.LastIndex(name, "/")+1:]
	_, name, _ = strings.Cut(name, ".")
	name = strings.TrimSuffix(name, "[...]")
	return &grains.Function{Name: name}
}
