package preserve_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/preserve"
	"github.com/multigrain/multigrain/modules"
)

// party is a state: who joined and who leads.
type party struct{ Joined, Leads uint8 }

// steps returns a specification with one instance of each action, in order.
func steps(names []string, enabled func(s *party, action string) bool, apply func(n *party, action string)) *checker.Spec[party] {
	spec := &checker.Spec[party]{
		System:  "party",
		Init:    func(yield func(*party) bool) { yield(&party{}) },
		State:   func(*party) uint64 { return 0 },
		Enabled: func(s *party, i int) bool { return enabled(s, names[i]) },
		Apply:   func(_, n *party, i int) { apply(n, names[i]) },
	}
	for k, name := range names {
		spec.Actions = append(spec.Actions, checker.Action{Name: name})
		spec.Instances = append(spec.Instances, checker.Instance{Action: k})
	}
	spec.Next = func(s *party, out *checker.Successors[party]) {
		for i := range spec.Instances {
			if spec.Enabled(s, i) {
				spec.Apply(s, out.Slot(s), i)
				out.Emit(s, i)
			}
		}
	}
	return spec
}

// TestLacking blames a missed behaviour on the coarse action that should have led to it. The fine
// grain joins in two steps, and leads. In the coarse grain the guard of Join is too strong, and
// Lead is as it should be. Look observes who joined.
func TestLacking(t *testing.T) {
	t.Parallel()
	apply := func(n *party, action string) {
		switch action {
		case "Ask", "Answer":
			n.Joined++
		case "Join":
			n.Joined = 2
		case "Win", "Lead":
			n.Leads = 1
		}
	}
	fine := steps([]string{"Look", "Ask", "Answer", "Win"}, func(s *party, action string) bool {
		return map[string]bool{"Look": s.Joined != 1, "Ask": s.Joined == 0, "Answer": s.Joined == 1, "Win": s.Leads == 0}[action]
	}, apply)
	coarse := steps([]string{"Look", "Lead", "Join"}, func(s *party, action string) bool {
		return map[string]bool{"Look": s.Joined != 1, "Lead": s.Leads == 0}[action]
	}, apply)
	cells := func(variables ...string) []layout.Cell {
		var reads []modules.Access
		for _, v := range variables {
			reads = append(reads, modules.Access{Variable: v})
		}
		out, err := layout.CellsOf(reflect.TypeFor[party](), reads, modules.None{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	res, err := preserve.Run(&preserve.Comparison[party]{
		State: func(n *party) unsafe.Pointer { return unsafe.Pointer(n) },
		Sides: [2]preserve.Side[party]{
			{Spec: fine, Step: []int{0, -1, -1, -1}},
			{Spec: coarse, Step: []int{0, -1, -1}},
		},
		Steps: []preserve.Step{{Action: "Look", Cells: cells("Joined")}},
		Kept:  cells("Joined", "Leads"),
	}, preserve.Options{Level: "L2"})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Differences) != 1 || res.Differences[0].Side != preserve.Fine || res.Differences[0].Lacking != "Join" || !res.Differences[0].Refused {
		t.Errorf("got %+v", res.Differences)
	}
}
