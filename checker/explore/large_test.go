package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// broad is a State whose nodes are taken by lines: the last of them is not whole.
type broad struct {
	Near  [3]uint8
	Far   [3]far
	Queue [300]uint8 `inuse:"Count"`
	Count uint8
	Last  uint8
}

type far struct {
	Cells [1400]uint8
	Turn  uint8
}

type broadNode = checker.Node[broad, [8]uint8]

// broadly makes a random model of three processes with a row each and a queue that they share, and
// its footprints.
func broadly(seed uint64) (*modules.Spec[broad], reduce.Footprints) {
	r := rand.New(rand.NewPCG(seed, 41))
	spec := &modules.Spec[broad]{System: "broad", Init: func(yield func(broad) bool) {
		s := broad{Last: 1}
		s.Far[1].Cells[700] = 1
		_ = yield(broad{}) && yield(s)
	}}
	var prints reduce.Footprints
	at := func(variable string, index ...string) modules.Access {
		return modules.Access{Variable: variable, Index: index}
	}
	var actions []modules.AnyAction[broad]
	act := func(guard func(s *broad, p who) bool, effect func(s, n *broad, p who), reads []modules.Access, writes ...modules.Access) {
		name := fmt.Sprint("A", len(actions))
		actions = append(actions, &modules.Action[broad, who]{Name: name, Params: modules.Each[int8](3), Guard: guard, Effect: effect})
		f := modules.Footprint{Name: name, Guard: reads}
		for _, w := range writes {
			f.Writes = append(f.Writes, modules.Write{Variable: w.Variable, Elements: []modules.Element{{Index: w.Index}}, Data: reads})
		}
		prints.Actions = append(prints.Actions, f)
	}
	for range 2 {
		x, y, most := r.IntN(1400), r.IntN(1400), uint8(1+r.IntN(2))
		act(func(s *broad, p who) bool { return s.Far[p.I].Cells[x] < most },
			func(s, n *broad, p who) { n.Far[p.I].Cells[x]++; n.Far[p.I].Cells[y] ^= 4 },
			[]modules.Access{at("Far.Cells", "p.I", "*")}, at("Far.Cells", "p.I", "*"))
	}
	act(func(s *broad, p who) bool { return s.Count < 3 && s.Far[p.I].Turn < 2 },
		func(s, n *broad, p who) { n.Queue[n.Count] = uint8(p.I) + 1; n.Count++; n.Far[p.I].Turn++ },
		[]modules.Access{at("Count"), at("Far.Turn", "p.I")}, at("Queue", "*"), at("Count"), at("Far.Turn", "p.I"))
	act(func(s *broad, p who) bool { return s.Count > 0 && s.Queue[0] == uint8(p.I)+1 },
		func(s, n *broad, p who) {
			copy(n.Queue[:], s.Queue[1:])
			n.Count--
			n.Near[p.I] = (s.Near[p.I] + 1) % 3
			n.Last = s.Last ^ 2
		},
		[]modules.Access{at("Count"), at("Queue", "0"), at("Last"), at("Near", "p.I")}, at("Queue"), at("Count"), at("Near", "p.I"), at("Last"))
	z := r.IntN(1400)
	act(func(s *broad, p who) bool { return s.Near[p.I] == 2 },
		func(s, n *broad, p who) {
			for k := range n.Far {
				n.Far[k].Cells[z] = s.Far[p.I].Cells[z] | 8
			}
			n.Near[p.I] = 0
		},
		[]modules.Access{at("Near", "p.I"), at("Far.Cells", "p.I", "*")}, at("Far.Cells", "*", "*"), at("Near", "p.I"))
	most := uint8(1 + r.IntN(6))
	spec.Invariants = []*modules.Invariant[broad]{{ID: "I", State: func(s *broad) bool { return s.Near[0]+s.Near[1]+s.Near[2] < most }}}
	prints.Seen = []modules.Footprint{{Name: "I", Guard: []modules.Access{at("Near", "*")}}}
	for k, b := range modules.Bind(actions, nil, spec.Invariants) {
		a := modules.SpecAction[broad]{Bound: b}
		if k < 3 {
			a.Budgets = []int{k % 2}
		}
		spec.Actions = append(spec.Actions, a)
	}
	spec.Budgets = []modules.Limit{{Bound: "a", Max: 2 + r.IntN(2)}, {Bound: "b", Max: 1 + r.IntN(2)}}
	return spec, prints
}

// broadOf returns a model with its footprints, or without them.
func broadOf(t *testing.T, composed *modules.Spec[broad], prints *reduce.Footprints) *checker.Spec[broadNode] {
	t.Helper()
	spec, err := checker.Of[broad, [8]uint8](composed, nil)
	if err == nil && prints != nil {
		err = reduce.Prune(composed, spec, *prints, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// broadSeeds returns how many models are explored.
func broadSeeds() uint64 {
	if underRace {
		return 3
	}
	return 15
}

// TestLargeModels: a search that takes nodes by lines finds what the naive one finds, with
// footprints and without.
func TestLargeModels(t *testing.T) {
	t.Parallel()
	states := int64(0)
	for seed := range broadSeeds() {
		composed, prints := broadly(seed)
		want := spectest.Naive(broadOf(t, composed, nil), spectest.NaiveOptions[broadNode]{MaxStates: 8000, Deadlock: true})
		if want.Reason != "" {
			continue
		}
		states += want.Distinct
		for _, known := range []*reduce.Footprints{nil, &prints} {
			spec := broadOf(t, composed, known)
			for workers := range 2 {
				opt := explore.Options{Workers: 1 + workers, Deadlock: true}
				for _, opt := range []explore.Options{explore.Untried(opt), explore.Small(opt)} {
					got := run(t, spec, opt)
					if known != nil {
						got.Workers = 2 // see TestPrunedModels
					}
					same(t, &got, &want)
				}
			}
			opt := explore.Options{Workers: 2, Deadlock: true, Fingerprint: explore.WideFingerprint}
			got := run(t, spec, explore.Untried(opt))
			got.Workers = 2
			same(t, &got, &want)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d states", states)
	if !underRace && states < 5000 {
		t.Error("the models do not exercise what they are made for")
	}
}

// TestLargeInParts: so it is where a run continues from checkpoints.
func TestLargeInParts(t *testing.T) {
	t.Parallel()
	parts := 0
	for seed := range broadSeeds() {
		composed, prints := broadly(seed)
		want := spectest.Naive(broadOf(t, composed, nil), spectest.NaiveOptions[broadNode]{MaxStates: 8000})
		if want.Reason != "" {
			continue
		}
		spec := broadOf(t, composed, &prints)
		opt := explore.Options{Workers: 1, Checkpoint: t.TempDir()}
		for part := range int64(4) {
			opt.MaxStates = 0
			if part < 3 {
				opt.MaxStates = want.Distinct * (part + 1) / 4
			}
			o := explore.Untried(opt)
			if seed%2 == 0 {
				o = explore.Spilling(o)
			}
			got := run(t, spec, o)
			if got.Checkpoint.Distinct > 0 {
				parts++
				opt.Checkpoint, opt.Resume, opt.Workers = "", got.Checkpoint.Folder, 2
				continue
			}
			got.Workers = 2
			same(t, &got, &want)
			break
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d checkpoints", parts)
	if parts < 3 {
		t.Error("no run has parts")
	}
}

// TestMissingWritesAreFoundOut: where a footprint lacks a write, or more of a room is used than its
// counter says, the run ends with an error that names the action.
func TestMissingWritesAreFoundOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		action int
		spoil  func(composed *modules.Spec[broad], f *modules.Footprint)
	}{
		{"a row", 0, func(_ *modules.Spec[broad], f *modules.Footprint) { f.Writes = nil }},
		{"another row", 1, func(_ *modules.Spec[broad], f *modules.Footprint) { f.Writes[0].Elements[0].Index[0] = "0" }},
		{"the last line", 3, func(_ *modules.Spec[broad], f *modules.Footprint) { f.Writes = f.Writes[:2] }},
		{"all rows", 4, func(_ *modules.Spec[broad], f *modules.Footprint) { f.Writes[0].Elements[0].Index[0] = "p.I" }},
		{"a room", 2, func(composed *modules.Spec[broad], _ *modules.Footprint) {
			apply := composed.Actions[2].Apply
			composed.Actions[2].Apply = func(s, n *broad, k int) {
				apply(s, n, k)
				n.Queue[200]++
			}
		}},
		{"what no other writes", 4, func(composed *modules.Spec[broad], _ *modules.Footprint) {
			apply := composed.Actions[4].Apply
			composed.Actions[4].Apply = func(s, n *broad, k int) {
				apply(s, n, k)
				n.Queue[200]++
			}
		}},
	} {
		for _, tried := range []bool{true, false} {
			composed, prints := broadly(1)
			c.spoil(composed, &prints.Actions[c.action])
			opt := explore.Options{Workers: 1}
			if !tried {
				opt = explore.Untried(opt)
			}
			_, err := explore.Run(broadOf(t, composed, &prints), opt)
			var wrong *explore.FootprintError
			if !errors.As(err, &wrong) || !strings.Contains(wrong.Text, fmt.Sprintf("A%d(", c.action)) || !strings.Contains(wrong.Text, "writes") {
				t.Errorf("%s, all tried %v: %v", c.name, tried, err)
			}
		}
	}
}

// TestLargePanics: a step that fails when it has written something ends the run with an error that
// names it.
func TestLargePanics(t *testing.T) {
	t.Parallel()
	for workers := range 2 {
		composed, prints := broadly(2)
		apply := composed.Actions[2].Apply
		composed.Actions[2].Apply = func(s, n *broad, k int) {
			apply(s, n, k)
			if s.Count == 1 {
				var table []int
				n.Far[0].Cells[0] = uint8(table[s.Count])
			}
		}
		_, err := explore.Run(broadOf(t, composed, &prints), explore.Options{Workers: 1 + workers})
		var wrong *explore.SpecError[broadNode]
		if !errors.As(err, &wrong) {
			t.Fatalf("the error is %v", err)
		}
		if n := len(wrong.Trace.Steps); wrong.Action != "A2" || n == 0 || wrong.Trace.Steps[n-1].Node.State.Count != 1 {
			t.Errorf("action %s, trace of %d steps", wrong.Action, n)
		}
	}
}

// vast is a large node of a specification by hand.
type vast struct {
	A, B [2500]uint8
	C    [70]uint8
}

// TestSlotsWithoutSuccessors: a step that is begun and given up leaves nothing after.
func TestSlotsWithoutSuccessors(t *testing.T) {
	t.Parallel()
	everyWay(t, vastly(true), 0, false)
}

func vastly(giveUp bool) *checker.Spec[vast] {
	var rules []rule[vast]
	for k := range 4 {
		rules = append(rules, rule[vast]{
			enabled: func(s *vast) bool { return s.A[k*600] < 3 },
			apply:   func(s, n *vast) { n.A[k*600]++; n.B[k*10] = s.A[1800-k*600]; n.C[69] = s.A[0] },
		})
	}
	spec := toy([]vast{{}}, rules)
	spec.Next = func(s *vast, out *checker.Successors[vast]) {
		for k := range rules {
			if giveUp && s.A[0] > 0 {
				n := out.Slot(s)
				n.A[17], n.C[3] = 9, 9
			}
			if rules[k].enabled(s) {
				n := out.Slot(s)
				rules[k].apply(s, n)
				out.Emit(s, k)
			}
		}
		if giveUp {
			out.Slot(s).B[99]++
		}
	}
	return spec
}

// TestLargeRepresentatives: where another node stands for a large one, its fingerprint is that of
// the other one.
func TestLargeRepresentatives(t *testing.T) {
	t.Parallel()
	spec := vastly(false)
	spec.Represent = func(n, rep *vast) {
		*rep = *n
		rep.B, rep.C = [2500]uint8{}, [70]uint8{}
	}
	if all := everyWay(t, spec, 0, false); all.Distinct != 256 {
		t.Errorf("%d states, want 256", all.Distinct)
	}
}
