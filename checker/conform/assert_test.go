package conform_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/modules"
)

// alarmed is a specification of a lift whose own code complains about a call for the floor at which
// it is, and an implementation that may keep silent.
type alarmed struct {
	Floor  uint8
	Raised modules.Raised[complaint]
}

type complaint uint8

func alarmedSpec(t testing.TB) conform.Composition[alarmed, [0]uint8] {
	t.Helper()
	spec := &modules.Spec[alarmed]{System: "lift", Init: func(yield func(alarmed) bool) { yield(alarmed{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[alarmed]{
		&modules.Action[alarmed, call]{Name: "Go", Params: modules.Each[uint8](floors),
			Guard: func(s *alarmed, p call) bool { return true },
			Effect: func(s, n *alarmed, p call) {
				if s.Floor == p.I {
					n.Raised.Raise(0)
				}
				n.Floor = p.I
			}},
	}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[alarmed]{Bound: b, Module: "lift"})
	}
	spec.Invariants = []*modules.Invariant[alarmed]{{ID: "none", Doc: "The lift does not complain.", Raises: modules.Bit(complaint(0))}}
	bound, err := checker.Of[alarmed, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return conform.Composition[alarmed, [0]uint8]{Spec: spec, Bound: bound}
}

// bell is the implementation. It is silent or complains.
type bell struct {
	conform.Adapter[alarmed]
	silent bool
	at     uint8
}

func (b *bell) Variables() []string { return []string{"Floor"} }

func (b *bell) Start(*alarmed) error { return nil }

func (b *bell) Perform(s conform.Step[alarmed]) error {
	b.at = s.Params.(call).I
	return nil
}

func (b *bell) Observe(s *alarmed) error {
	s.Floor = b.at
	return nil
}

func (b *bell) Assert(s conform.Step[alarmed]) error {
	if b.silent {
		return errors.New("it does not complain")
	}
	return b.Perform(s)
}

func (b *bell) Stop() error { return nil }

func (b *bell) Explain(w io.Writer) { w.Write([]byte("bell")) }

// TestAssert follows a behaviour into an assertion of the implementation's own code.
func TestAssert(t *testing.T) {
	t.Parallel()
	c := alarmedSpec(t)
	var steps []int
	for _, floor := range []string{"1", "1"} {
		steps = append(steps, slices.IndexFunc(c.Bound.Instances, func(in checker.Instance) bool { return in.Params.Elems[0].Text == floor }))
	}
	for _, silent := range []bool{false, true} {
		impl := conform.Implementation[alarmed]{Name: "bell", Open: func(conform.Setup) (conform.Adapter[alarmed], error) { return &bell{silent: silent}, nil }}
		res, err := conform.Replay(c, impl, steps, conform.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !silent && (res.Verdict != checker.Holds || res.Steps != 2) {
			t.Errorf("%+v", res)
		}
		if silent && (len(res.Found) != 1 || res.Found[0].Kind != conform.Fault || !strings.Contains(res.Found[0].Message, "does not complain")) {
			t.Errorf("%+v", res)
		}
	}
}
