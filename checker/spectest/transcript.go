package spectest

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

var rewrite = flag.Bool("transcripts", false, "write the outcomes of steps into transcripts")

// CheckTranscript takes the steps of a file and compares what they change with the indented lines.
func CheckTranscript[T any](t *testing.T, path string, spec *checker.Spec[T]) {
	t.Helper()
	r, err := NewRun(spec)
	if err != nil {
		t.Fatal(err)
	}
	CompareTranscript(t, path, r.Take)
}

// CompareTranscript is CheckTranscript with a function that takes the steps.
func CompareTranscript(t *testing.T, path string, take func(step string) (lines []string, err error)) {
	t.Helper()
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	steps := 0
	for line := range strings.Lines(string(have)) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") {
			continue // the outcome of a step
		}
		fmt.Fprintln(&want, line)
		if line == "" || line[0] == '#' {
			continue
		}
		steps++
		outcome, err := take(line)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, x := range outcome {
			fmt.Fprintln(&want, "  "+x)
		}
	}
	switch {
	case *rewrite:
		if err := os.WriteFile(path, []byte(want.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	case steps == 0:
		t.Errorf("%s has no step", path)
	case want.String() != string(have):
		t.Errorf("%s: the steps do something else. Run the test with -transcripts, and look at the difference", path)
	}
}

// Run is a run under way.
type Run[T any] struct {
	spec *checker.Spec[T]
	now  T
}

// NewRun begins a run in the first initial node. It fails if there is none.
func NewRun[T any](spec *checker.Spec[T]) (*Run[T], error) {
	r := &Run[T]{spec: spec}
	found := false
	spec.Init(func(n *T) bool {
		r.now, found = *n, true
		return false
	})
	if !found {
		return nil, fmt.Errorf("%s has no initial node", spec.System)
	}
	return r, nil
}

// Take takes a step: an action and the values of its parameters, as Join 1 0 or Elect 0 {0,1}. It
// returns the parts of the state that the step changes and the invariants that do not hold after
// it, or that it is not enabled. It fails if there is no such action with these parameters.
func (r *Run[T]) Take(step string) (lines []string, err error) {
	k := slices.IndexFunc(r.spec.Instances, func(in checker.Instance) bool { return r.call(&in) == step })
	if k < 0 {
		return nil, fmt.Errorf("there is no step %q", step)
	}
	if !r.spec.Enabled(&r.now, k) {
		return []string{"is not enabled"}, nil
	}
	next := r.now
	r.spec.Apply(&r.now, &next, k)
	before, after := r.spec.Describe(&r.now), r.spec.Describe(&next)
	lines = Changes(&before, &after)
	broken := r.spec.State(&next)
	if r.spec.Steps != nil {
		broken |= r.spec.Steps(&r.now, &next, k)
	}
	for x, v := range r.spec.Invariants {
		if broken>>x&1 != 0 {
			lines = append(lines, "breaks "+v.Name())
		}
	}
	r.now = next
	return lines, nil
}

// Enabled returns the steps that are possible now, one a line, in the order of the instances.
func (r *Run[T]) Enabled() string {
	var out strings.Builder
	for k := range r.spec.Instances {
		if r.spec.Enabled(&r.now, k) {
			fmt.Fprintln(&out, r.call(&r.spec.Instances[k]))
		}
	}
	return out.String()
}

// call returns an instance as Take reads it.
func (r *Run[T]) call(in *checker.Instance) string {
	words := []string{r.spec.Actions[in.Action].Name}
	for k := range in.Params.Elems {
		words = append(words, strings.ReplaceAll(text(&in.Params.Elems[k]), " ", ","))
	}
	return strings.Join(words, " ")
}

// Changes returns the parts in which two states differ, one a string, as Log[1] = <{Term:2}>.
func Changes(before, after *modules.View) (out []string) {
	for k, name := range after.Names {
		out = changed(out, name, &before.Elems[k], &after.Elems[k])
	}
	return out
}

// changed appends the differing parts of a variable: its elements where it is an array.
func changed(out []string, name string, before, after *modules.View) []string {
	switch {
	case reflect.DeepEqual(before, after):
		return out
	case before.Shape == modules.Function && after.Shape == modules.Function && len(before.Elems) == len(after.Elems):
		for k := range after.Elems {
			out = changed(out, fmt.Sprintf("%s[%d]", name, k), &before.Elems[k], &after.Elems[k])
		}
		return out
	}
	return append(out, name+" = "+text(after))
}

// brackets enclose the values of a shape.
var brackets = map[modules.Shape][2]string{
	modules.Record: {"{", "}"}, modules.Function: {"[", "]"}, modules.Sequence: {"<", ">"},
	modules.Collection: {"{", "}"}, modules.Mapping: {"{", "}"}, modules.Multiset: {"{", "}"},
}

// text returns a value on one line. Fields of a record that are zero or empty are left out.
func text(v *modules.View) string {
	if v.Shape == modules.Scalar {
		return v.Text
	}
	var parts []string
	for k := range v.Elems {
		t := text(&v.Elems[k])
		switch {
		case v.Shape == modules.Record && slices.Contains([]string{"", "0", "false", "<>", "{}"}, t):
		case v.Shape == modules.Record || v.Shape == modules.Mapping:
			parts = append(parts, v.Names[k]+":"+t)
		default:
			parts = append(parts, t)
		}
	}
	return brackets[v.Shape][0] + strings.Join(parts, " ") + brackets[v.Shape][1]
}

// Names returns the names of the values of enumerations, from 0, by the names of their types. It is
// for checker.Of.
func Names(types map[string][]string) modules.Names {
	return func(t reflect.Type, x int64) (string, bool) {
		names, ok := types[t.Name()]
		if !ok || x < 0 || x >= int64(len(names)) {
			return "", false
		}
		return names[x], true
	}
}
