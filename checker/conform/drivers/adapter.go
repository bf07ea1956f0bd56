package drivers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/modules"
)

// Implementation returns the implementation that the processes of a driver run. Each adapter has a
// process of its own. The functions give the constants of enumerations.
func Implementation[S any](name string, c Command, names modules.Names, enum modules.Enum) conform.Implementation[S] {
	adapterOf := func(setup conform.Setup) *adapter[S] {
		a := &adapter[S]{command: c, setup: setup, names: names, enum: enum, rename: renamingOf(c.Names), params: map[stepKey]map[string]json.RawMessage{}}
		if setup.Code != nil && setup.Code.Path != "" {
			a.command.Env = append(slices.Clone(c.Env), codeVariable+setup.Code.Path)
		}
		return a
	}
	return conform.Implementation[S]{
		Name: name,
		Open: func(setup conform.Setup) (conform.Adapter[S], error) {
			a := adapterOf(setup)
			if err := a.open(); err != nil {
				return nil, err
			}
			return a, nil
		},
		Writes: func(ctx context.Context, setup conform.Setup, s conform.Sides) (*conform.Written, error) {
			return adapterOf(setup).written(ctx, s)
		},
	}
}

// adapter is the process of a driver as package conform sees it.
type adapter[S any] struct {
	command Command
	setup   conform.Setup
	names   modules.Names
	enum    modules.Enum
	rename  renaming

	hello    Hello
	fields   map[string]reflect.StructField // the variables that it observes
	needs    []reflect.StructField
	leftOut  []leftOut
	patience time.Duration
	// places and conditions are those of the code in setup
	places     []Line
	conditions []Condition

	process *process // nil: none runs
	broken  error
	fresh   bool // nothing was observed since the start of the walk
	params  map[stepKey]map[string]json.RawMessage
	watched []conform.Symptom
	log     io.Writer
}

// stepKey names the parameters of an action.
type stepKey struct {
	action string
	params any
}

// open starts the first process.
func (a *adapter[S]) open() error {
	if err := a.begin(); err != nil {
		return err
	}
	if v := a.hello.Version; a.setup.Code == nil && a.setup.Version != "" && v != "" && v != a.setup.Version {
		a.process.stop()
		return &conform.VersionError{Module: a.hello.Name, Want: a.setup.Version, Have: v}
	}
	return nil
}

// begin starts a process and asks what it offers. Each process has to say the same. The error is
// also in broken.
func (a *adapter[S]) begin() (err error) {
	defer func() {
		if err != nil {
			a.broken = err
			if a.process != nil {
				a.process.kill()
				a.process = nil
			}
		}
	}()
	if a.process, err = a.command.start(); err != nil {
		return err
	}
	req := Request{Do: DoHello, Protocol: Version, Actions: a.setup.Actions, Settings: a.setup.Settings, Version: a.setup.Version}
	if a.setup.Code != nil {
		req.Code = a.setup.Code.Path
	}
	a.rename.request(&req)
	answer, err := a.process.ask(&req, beginning)
	if err == errEnded {
		ended := a.process.ended()
		a.process = nil
		if e, ok := errors.AsType[*conform.EndedError](ended); ok {
			return a.command.fault(true, "ends before it answers hello: %s.%s", strings.Join(e.Log, "\n  "), a.command.remedy())
		}
		return ended
	}
	if silent, ok := errors.AsType[*errSilent](err); ok {
		return a.command.fault(true, "does not start: %v.", silent)
	}
	if err != nil {
		return err
	}
	if answer.OK == nil {
		return a.command.fault(true, "refuses the composition: %s.", strings.TrimSuffix(deref(answer.Refused)+deref(answer.Failed), "."))
	}
	var h Hello
	if err := strict(answer.OK, &h); err != nil {
		return a.command.fault(false, "answers hello with %.200q: %v.", answer.OK, err)
	}
	a.rename.hello(&h)
	if a.fields != nil {
		if !a.hello.same(&h) {
			return a.command.fault(false, "says something else in hello than the process before it.")
		}
		return nil
	}
	a.hello = h
	return a.offer()
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// offer takes what a driver offers. The error is a *Fault.
func (a *adapter[S]) offer() error {
	h := &a.hello
	fault := func(format string, args ...any) error { return a.command.fault(false, format, args...) }
	switch {
	case h.Protocol != Version:
		return fault("speaks version %d of the protocol, and version %d is required.", h.Protocol, Version)
	case h.Name == "":
		return fault("says no name of the implementation in hello.")
	case len(h.Variables) == 0:
		return fault("observes no variable: hello names none.")
	case h.Patience < 0 || h.Patience > 24*60*60:
		return fault("has a patience of %v seconds, and it is 0 to a day.", h.Patience)
	}
	if name := a.rename.unknown(slices.Concat(a.setup.Actions, variablesOf[S]())); name != "" {
		return &Fault{Command: strings.Join(a.command.Args, " "), Start: true, Message: fmt.Sprintf(
			"is given another name of %s in the block names, and the composition has no such action or variable. Its variables are %s.", name, strings.Join(variablesOf[S](), ", "))}
	}
	a.patience = cmp.Or(time.Duration(h.Patience*float64(time.Second)), usual)
	a.fields = map[string]reflect.StructField{}
	for _, name := range h.Variables {
		f, ok := reflect.TypeFor[S]().FieldByName(name)
		if !ok || !f.IsExported() {
			return fault("observes the variable %q, which the specification does not have. Its variables are %s.", name, strings.Join(variablesOf[S](), ", "))
		}
		if _, twice := a.fields[name]; twice {
			return fault("names the variable %s twice in hello.", name)
		}
		a.fields[name] = f
	}
	for _, name := range h.Needs {
		f, ok := reflect.TypeFor[S]().FieldByName(name)
		if !ok || !f.IsExported() {
			return fault("needs the variable %q, which the specification does not have. Its variables are %s.", name, strings.Join(variablesOf[S](), ", "))
		}
		a.needs = append(a.needs, f)
	}
	for _, l := range h.LeavesOut {
		out := leftOut{LeftOut: l, params: map[string]string{}}
		for name, raw := range l.Params {
			v, err := itf.ReadValue(raw)
			if err != nil {
				return fault("leaves out steps with %s = %.80s: %v.", name, raw, err)
			}
			out.params[name] = itf.Text(v)
		}
		a.leftOut = append(a.leftOut, out)
	}
	if code := a.setup.Code; code != nil {
		return a.noted(code)
	}
	return nil
}

func variablesOf[S any]() (out []string) {
	for f := range reflect.TypeFor[S]().Fields() {
		if f.IsExported() {
			out = append(out, f.Name)
		}
	}
	return out
}

// strict reads an object without further fields.
func strict(raw json.RawMessage, to any) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// ask sends a request and reads its answer into to, if that is not nil. The error is as
// conform.Adapter has it.
func (a *adapter[S]) ask(req Request, to any) error {
	if a.broken != nil {
		return &conform.UndrivenError{Message: a.broken.Error()}
	}
	if a.process == nil {
		return &conform.UndrivenError{Message: "no driver runs"}
	}
	a.rename.request(&req)
	answer, err := a.process.ask(&req, a.patience)
	switch {
	case err == errEnded:
		err = a.process.ended()
		a.process = nil
		if _, ok := errors.AsType[*conform.EndedError](err); ok {
			return err
		}
		a.broken = err
		return &conform.UndrivenError{Message: err.Error()}
	case err != nil:
		a.process.kill()
		a.process = nil
		if _, silent := errors.AsType[*errSilent](err); !silent {
			a.broken = err
		}
		return &conform.UndrivenError{Message: err.Error()}
	case answer.Refused != nil && answer.Spoilt:
		return &conform.SpoiltError{Message: *answer.Refused}
	case answer.Refused != nil:
		return &conform.UndrivenError{Message: *answer.Refused}
	case answer.Failed != nil:
		return errors.New(*answer.Failed)
	}
	if to == nil {
		return nil
	}
	if err := strict(answer.OK, to); err != nil {
		return a.fail("answers %s with %.200q: %v.", req.Do, answer.OK, err)
	}
	return nil
}

// fail notes that the driver is at fault.
func (a *adapter[S]) fail(format string, args ...any) error {
	if a.broken == nil {
		a.broken = a.command.fault(false, format, args...)
	}
	return &conform.UndrivenError{Message: a.broken.Error()}
}

// Broken says what is wrong with the driver.
func (a *adapter[S]) Broken() error { return a.broken }

// Variables are those that hello names, in the order of the specification.
func (a *adapter[S]) Variables() []string { return a.hello.Variables }

// Start brings the implementation into the initial state, in a new process if the last one ended.
func (a *adapter[S]) Start(s *S) error {
	if a.broken != nil {
		return &conform.UndrivenError{Message: a.broken.Error()}
	}
	if a.process == nil {
		if err := a.begin(); err != nil {
			return &conform.UndrivenError{Message: err.Error()}
		}
		if err := a.watch(); err != nil {
			return err
		}
	}
	a.fresh = true
	req := Request{Do: DoReset, Log: a.log != nil}
	for _, c := range modules.ChannelsOf(reflect.TypeFor[S]()) {
		req.Nodes = c.Servers
	}
	var err error
	if req.Before, err = a.needed(s); err != nil {
		return err
	}
	return a.logged(a.ask(req, nil))
}

// needed returns the values of a state that the driver needs.
func (a *adapter[S]) needed(s *S) (map[string]json.RawMessage, error) {
	if len(a.needs) == 0 {
		return nil, nil
	}
	out := map[string]json.RawMessage{}
	for _, f := range a.needs {
		raw, err := itf.Value(modules.ViewOf(reflect.ValueOf(s).Elem().FieldByIndex(f.Index).Interface(), a.names))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		out[f.Name] = raw
	}
	return out, nil
}

// request returns the request about a step.
func (a *adapter[S]) request(do string, step conform.Step[S]) (req Request, err error) {
	req = Request{Do: do, Action: step.Action}
	if req.Params, err = a.paramsOf(step); err != nil {
		return req, err
	}
	if req.Before, err = a.needed(step.Before); err == nil {
		req.After, err = a.needed(step.After)
	}
	return req, err
}

// paramsOf returns the parameters of a step by name.
func (a *adapter[S]) paramsOf(step conform.Step[S]) (map[string]json.RawMessage, error) {
	key := stepKey{step.Action, step.Params}
	if have, ok := a.params[key]; ok {
		return have, nil
	}
	out := map[string]json.RawMessage{}
	v := modules.ViewOf(step.Params, a.names)
	if v.Shape != modules.Record {
		v = modules.View{Shape: modules.Record, Names: []string{"value"}, Elems: []modules.View{v}}
	}
	for k, name := range v.Names {
		raw, err := itf.Value(v.Elems[k])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = raw
	}
	a.params[key] = out
	return out, nil
}

// Perform does a step.
func (a *adapter[S]) Perform(step conform.Step[S]) error { return a.do(DoStep, step) }

// Assert does a step in which the implementation reports an assertion.
func (a *adapter[S]) Assert(step conform.Step[S]) error { return a.do(DoAssert, step) }

func (a *adapter[S]) do(what string, step conform.Step[S]) error {
	req, err := a.request(what, step)
	if err != nil {
		return err
	}
	return a.logged(a.ask(req, nil))
}

// logged adds the lines that the implementation has logged to the log, where there is one.
func (a *adapter[S]) logged(err error) error {
	if a.log == nil || a.process == nil || a.broken != nil {
		return err
	}
	var lines Lines
	if more := a.ask(Request{Do: DoLog}, &lines); more != nil {
		return cmp.Or(err, more)
	}
	for _, l := range lines.Lines {
		fmt.Fprintln(a.log, "  "+strings.ReplaceAll(l, "\n", "\n  "))
	}
	return err
}

// Observe asks for the variables. Those that the answer lacks keep their values.
func (a *adapter[S]) Observe(s *S) error {
	var o Observed
	if err := a.ask(Request{Do: DoObserve}, &o); err != nil {
		return err
	}
	o.Variables = keyed(o.Variables, a.rename.our)
	if a.fresh {
		for _, name := range a.hello.Variables {
			if _, ok := o.Variables[name]; !ok {
				return a.fail("does not observe %s after reset. The first observation of a walk has all variables that hello names.", name)
			}
		}
	}
	a.fresh = false
	var room error
	for _, name := range slices.Sorted(keys(o.Variables)) {
		f, ok := a.fields[name]
		if !ok {
			return a.fail("observes the variable %q, which its hello does not name.", name)
		}
		v, err := itf.ReadValue(o.Variables[name])
		if err == nil {
			err = modules.Fill(reflect.ValueOf(s).Elem().FieldByIndex(f.Index).Addr().Interface(), v, a.enum)
		}
		if few, ok := errors.AsType[*modules.RoomError](err); ok {
			room = cmp.Or(room, fmt.Errorf("%s: %w", name, error(few)))
		} else if err != nil {
			return a.fail("observes %s = %.200s: %v.", name, o.Variables[name], err)
		}
	}
	switch {
	case room != nil:
		return room
	case o.Beside != "":
		return &conform.BesideError{Message: o.Beside}
	}
	return nil
}

func keys(m map[string]json.RawMessage) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Log makes the driver report lines of the implementation.
func (a *adapter[S]) Log(w io.Writer) { a.log = w }

// Stop ends the process.
func (a *adapter[S]) Stop() error {
	if a.process != nil {
		a.process.stop()
		a.process = nil
	}
	return nil
}
