package drivers_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/conform/drivers"
	"github.com/multigrain/multigrain/modules"
)

// tallies are counters under other names than those of the driver.
type tallies struct{ Tally [2]uint8 }

// TestNames: a driver with names of its own is walked with, and differences have the names of the
// specification. Without the names, or with one that nothing has, the driver cannot be used.
func TestNames(t *testing.T) {
	t.Parallel()
	spec := &modules.Spec[tallies]{System: "tallies", Init: func(yield func(tallies) bool) { yield(tallies{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[tallies]{
		&modules.Action[tallies, modules.One[uint8]]{Name: "Add", Params: modules.Each[uint8](2),
			Guard:  func(s *tallies, p modules.One[uint8]) bool { return s.Tally[p.I] < 200 },
			Effect: func(s, n *tallies, p modules.One[uint8]) { n.Tally[p.I]++ }},
	}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[tallies]{Bound: b, Module: "tallies"})
	}
	bound, err := checker.Of[tallies, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(mistake string, names map[string]string) (conform.Result[checker.Node[tallies, [0]uint8]], error) {
		command := drivers.Command{Args: []string{self}, Dir: t.TempDir(), Env: []string{asDriver + "=" + mistake}, Names: names}
		impl := drivers.Implementation[tallies]("counters", command, nil, func(reflect.Type) map[string]int64 { return nil })
		return conform.Run(conform.Composition[tallies, [0]uint8]{Spec: spec, Bound: bound}, impl,
			conform.Options{Number: 20, Depth: 30, Stop: 1, Setup: conform.Setup{Actions: []string{"Add"}}})
	}
	names := map[string]string{"Add": "Count", "Tally": "Counts"}
	if res, err := run("none", names); err != nil || res.Verdict != checker.Holds || res.Steps != 600 {
		t.Errorf("%v, %v, %d steps", err, res.Verdict, res.Steps)
	}
	if res, err := run("lost", names); err != nil || len(res.Found) != 1 || res.Found[0].Values[0].Path != "Tally[0]" {
		t.Errorf("%v: %+v", err, res.Found)
	}
	for want, wrong := range map[string]map[string]string{
		`observes the variable "Counts"`: nil,
		"another name of Sum":            {"Add": "Count", "Tally": "Counts", "Sum": "Total"},
	} {
		_, err := run("none", wrong)
		if fault, ok := errors.AsType[*drivers.Fault](err); !ok || !strings.Contains(fault.Message, want) {
			t.Errorf("%v: got %v, want %s", wrong, err, want)
		}
	}
}
