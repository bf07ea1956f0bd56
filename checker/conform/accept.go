package conform

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/trace"
)

// Acceptance accepts a difference that is known and explained. A step is accepted where each value
// that differs after it is accepted by some acceptance. The walk ends there: the specification no
// longer says what the implementation does next.
type Acceptance struct {
	Name string `json:"name"`
	// Action is that of the step after which it shows. Variables are those that may differ, without
	// index; "error" is an error of the adapter and "panic" a panic.
	Action    string   `json:"action"`
	Variables []string `json:"variables"`
	// When holds for the step. Names in it are variables before the step and parameters of the
	// action. The states after it are after, of the specification, and have, of the implementation:
	// after.History. The difference has path, specification, implementation and message. What an
	// adapter that is Evident has read is evidence.
	When *trace.Formula `json:"when"`
	// Versions are those of the implementation that have it; none: all.
	Versions []string `json:"versions,omitempty"`
}

// AcceptedDifference counts the walks that ended in an accepted difference. One walk may count for
// several.
type AcceptedDifference struct {
	Name  string
	Walks int64
}

// acceptances returns those of the options that apply to the version that runs and to the
// composition.
func (t *tester[S, U]) acceptances(all []Acceptance, version string) (out []Acceptance, err error) {
	for _, a := range all {
		if len(a.Versions) > 0 && !slices.Contains(a.Versions, version) {
			continue
		}
		applies, err := t.applies(&a)
		if err != nil {
			return nil, fmt.Errorf("the accepted difference %q %w", a.Name, err)
		}
		if applies {
			out = append(out, a)
		}
	}
	return out, nil
}

// applies reports whether the composition has the action of an acceptance, and compares one of its
// variables. The error says what is wrong with the acceptance.
func (t *tester[S, U]) applies(a *Acceptance) (bool, error) {
	action := slices.IndexFunc(t.spec.Actions, func(x checker.Action) bool { return x.Name == a.Action })
	instance := slices.IndexFunc(t.spec.Instances, func(in checker.Instance) bool { return in.Action == action })
	if instance < 0 {
		return false, nil // it is of another composition
	}
	compared := false
	for _, v := range a.Variables {
		switch {
		case v == string(Fault) || v == string(Panic) || t.vars.has(v):
			compared = true
		case !slices.Contains(t.vars.unobserved, v):
			return false, fmt.Errorf("is of the variable %q, which the specification does not have", v)
		}
	}
	if !compared {
		return false, nil // it is of a composition with other variables
	}
	if a.When == nil {
		return false, errors.New("has no condition")
	}
	names := conditionNames
	if _, ok := offered[Evident](t.adapter); ok {
		names = append(slices.Clone(names), "evidence")
	}
	if bad := a.When.Check(reflect.TypeFor[S](), reflect.TypeOf(t.params[instance]), names...); len(bad) > 0 {
		return false, errors.New("has a wrong condition: " + bad[0].Message)
	}
	return true, nil
}

// conditionNames are those of a condition that are neither variables nor parameters.
var conditionNames = []string{"after", "have", "path", "specification", "implementation", "message"}

func (v *variables[S]) has(name string) bool {
	return slices.ContainsFunc(v.fields, func(f reflect.StructField) bool { return f.Name == name })
}

// accepted returns the numbers of the acceptances that accept a deviation of a step, in order; none
// where one of its values is not accepted.
func (t *tester[S, U]) accepted(all []Acceptance, instance int, before, after *S, d *deviation) (out []int, err error) {
	action := t.spec.Actions[t.spec.Instances[instance].Action].Name
	more := map[string]any{"after": after, "have": &t.have, "message": d.message}
	if x, ok := offered[Evident](t.adapter); ok {
		more["evidence"] = x.Evidence()
	}
	values := d.values
	if d.kind != Variable {
		values = []Value{{Path: string(d.kind)}}
	}
	for _, v := range values {
		variable, _, _ := strings.Cut(strings.ReplaceAll(v.Path, ".", "["), "[")
		found := false
		for k, a := range all {
			if a.Action != action || !slices.Contains(a.Variables, variable) || found {
				continue
			}
			more["path"], more["specification"], more["implementation"] = v.Path, v.Specification, v.Implementation
			found, err = a.When.Holds(trace.About{Before: before, Param: t.params[instance], Names: t.vars.names, More: more})
			if err != nil {
				return nil, fmt.Errorf("the condition of the accepted difference %q: %w", a.Name, err)
			}
			if found && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
		if !found {
			return nil, nil
		}
	}
	slices.Sort(out)
	return out, nil
}
