package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// spareable returns an orderly model with the names of its properties in their footprints. Every
// third has a constraint, every fourth a property of all steps, every fifth one of the steps of an
// action.
func spareable(t *testing.T, seed uint64) (*modules.Spec[cells], reduce.Footprints) {
	t.Helper()
	composed, prints := orderly(t, seed)
	seen := prints.Seen
	prints.Seen = []modules.Footprint{
		{Name: "I0", Guard: slices.Concat(seen[0].Guard, seen[1].Guard)},
		{Name: "I2", Guard: slices.Concat(seen[2].Guard, seen[3].Guard)},
		{Name: "G", Guard: seen[4].Guard},
	}
	r := rand.New(rand.NewPCG(seed, 77))
	property := func(name string, cells ...int) {
		f := modules.Footprint{Name: name}
		for _, k := range cells {
			f.Guard = append(f.Guard, modules.Access{Variable: "V", Index: []string{fmt.Sprint(k)}})
		}
		prints.Seen = append(prints.Seen, f)
	}
	if seed%3 == 0 {
		k, most := r.IntN(9), uint8(1+r.IntN(3))
		composed.Constraints = append(composed.Constraints, &modules.Invariant[cells]{ID: "C", State: func(s *cells) bool { return s.V[k] <= most }})
		property("C", k)
	}
	if seed%4 == 0 {
		k, x, y := r.IntN(9), uint8(r.IntN(4)), uint8(r.IntN(4))
		composed.Invariants = append(composed.Invariants, &modules.Invariant[cells]{ID: "S", Step: func(s, n *cells) bool { return s.V[k] != x || n.V[k] != y }})
		property("S", k)
	}
	if seed%5 == 0 {
		k := r.IntN(9)
		on := &modules.Invariant[cells]{ID: "O", OnStep: nil, Step: nil}
		composed.Invariants = append(composed.Invariants, on)
		a := &composed.Actions[r.IntN(len(composed.Actions))]
		a.Steps = append(a.Steps, modules.StepOf[cells]{Invariant: on, Holds: func(s, n *cells, _ int) bool { return n.V[k] < 3 }})
		on.OnStep = modules.OnStep(&modules.Action[cells, modules.None]{}, func(s, n *cells, _ modules.None) bool { return true })
	}
	return composed, prints
}

// TestPrunedModels: pruning by footprints changes nothing in a result.
func TestPrunedModels(t *testing.T) {
	t.Parallel()
	left, generated, states := int64(0), int64(0), int64(0)
	verdicts, kinds := map[checker.Verdict]int{}, map[string]int{}
	seeds := uint64(500)
	if underRace {
		seeds = 60
	}
	for seed := range seeds {
		composed, prints := spareable(t, seed)
		stop, deadlock := []int{0, 1, 5}[seed/7%3], seed%2 == 0
		want := spectest.Naive(orderlyNode(t, composed), spectest.NaiveOptions[cellNode]{Stop: stop, Deadlock: deadlock, MaxStates: 20_000})
		if want.Reason != "" {
			continue
		}
		spec := orderlyNode(t, composed)
		if err := reduce.Prune(composed, spec, prints, true); err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			got := run(t, spec, explore.Small(explore.Options{Workers: workers, Stop: stop, Deadlock: deadlock}))
			left += got.Pruned
			// as with several workers, another of several steps may reach a node first
			got.Workers = 2
			same(t, &got, &want)
			if fmt.Sprint(counts(&got)) != fmt.Sprint(counts(&want)) && stop != 1 {
				t.Errorf("%v violations, want %v", counts(&got), counts(&want))
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		generated += 2 * want.Generated
		states += want.Distinct
		verdicts[want.Verdict]++
		for _, v := range want.Violations {
			kinds[v.Kind]++
		}
	}
	t.Logf("%d states, %d of %d steps were left out, %v, %v", states, left, generated, verdicts, kinds)
	if !underRace && (left < generated/10 || len(verdicts) < 2 || len(kinds) < 4) {
		t.Error("the models do not exercise what they are made for")
	}
}

// TestPrunedInParts: so it is where a run continues from checkpoints, in the midst of levels, too,
// with another number of workers and with long fingerprints.
func TestPrunedInParts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	parts, left := 0, int64(0)
	seeds := uint64(90)
	if underRace {
		seeds = 12
	}
	for seed := range seeds {
		composed, prints := spareable(t, seed)
		want := spectest.Naive(orderlyNode(t, composed), spectest.NaiveOptions[cellNode]{MaxStates: 20_000})
		if want.Reason != "" {
			continue
		}
		spec := orderlyNode(t, composed)
		if err := reduce.Prune(composed, spec, prints, true); err != nil {
			t.Fatal(err)
		}
		whole := run(t, spec, explore.Small(explore.Options{Workers: 1}))
		for _, workers := range []int{1, 3} {
			opt := explore.Options{Workers: workers, Checkpoint: t.TempDir()}
			if seed%3 == 0 {
				opt.Fingerprint = explore.WideFingerprint
			}
			limit := want.Levels[0]
			for part := 0; ; part++ {
				opt.MaxStates = 0
				if limit += 1 + r.Int64N(max(want.Distinct, 5)/5); part < 8 && limit < want.Distinct {
					opt.MaxStates = limit
				}
				if workers > 1 {
					opt.Workers = 1 + r.IntN(4)
				}
				o := explore.Small(opt)
				if seed%2 == 0 {
					o = explore.Spilling(o)
				}
				res := run(t, spec, o)
				if res.Checkpoint.Distinct > 0 {
					parts++
					limit = max(limit, res.Checkpoint.Distinct)
					opt.Checkpoint, opt.Resume = "", res.Checkpoint.Folder
					continue
				}
				left += res.Pruned
				if workers == 1 && res.Pruned != whole.Pruned {
					t.Errorf("%d steps were left out in parts, %d in one", res.Pruned, whole.Pruned)
				}
				res.Workers = 2 // see TestPrunedModels
				same(t, &res, &want)
				for k := range res.Actions {
					if res.Actions[k].Fired != want.Actions[k].Fired {
						t.Errorf("action %d: %d steps, want %d", k, res.Actions[k].Fired, want.Actions[k].Fired)
					}
				}
				break
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
	t.Logf("%d checkpoints, %d steps were left out", parts, left)
	if !underRace && (parts < 100 || left < 1000) {
		t.Error("the models do not exercise what they are made for")
	}
}

// TestWrongFootprintsAreFoundOut: where a footprint lacks what it has, the run ends with an error
// or the result is the same nevertheless.
func TestWrongFootprintsAreFoundOut(t *testing.T) {
	t.Parallel()
	found, harmless := 0, 0
	for seed := range uint64(900) {
		composed, prints := spareable(t, seed)
		want := spectest.Naive(orderlyNode(t, composed), spectest.NaiveOptions[cellNode]{MaxStates: 20_000})
		if want.Reason != "" {
			continue
		}
		for k := range prints.Actions {
			f := &prints.Actions[k]
			switch seed % 4 {
			case 0:
				f.Writes[0].Elements = f.Writes[0].Elements[1:]
			case 1:
				f.Guard = nil
			case 2:
				f.Writes[0].Data = nil
			case 3:
				f.Writes = f.Writes[:1]
				f.Writes[0].Elements = f.Writes[0].Elements[:1]
			}
		}
		spec := orderlyNode(t, composed)
		if err := reduce.Prune(composed, spec, prints, true); err != nil {
			t.Fatal(err)
		}
		res, err := explore.Run(spec, explore.Small(explore.Options{Workers: 1}))
		var wrong *explore.FootprintError
		switch {
		case errors.As(err, &wrong):
			found++
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case res.Distinct != want.Distinct || res.Digest != want.Digest || res.Generated != want.Generated || fmt.Sprint(counts(&res)) != fmt.Sprint(counts(&want)):
			t.Errorf("seed %d: %d states, %d generated, %v; all: %d, %d, %v, and no error", seed, res.Distinct, res.Generated, counts(&res), want.Distinct, want.Generated, counts(&want))
		default:
			harmless++
		}
	}
	t.Logf("%d wrong footprints were found out, %d did no harm", found, harmless)
	if found < 50 {
		t.Error("too few do harm")
	}
}

// TestNothingIsPruned where it would be unsound: with more instances than labels can name, or where
// a constraint has no footprint.
func TestNothingIsPruned(t *testing.T) {
	t.Parallel()
	composed, prints := spareable(t, 3)
	spec := orderlyNode(t, composed)
	if err := reduce.Prune(composed, spec, prints, true); err != nil || !spec.Pruning.Sleeps() {
		t.Fatalf("nothing is left out: %v", err)
	}
	if err := reduce.Prune(composed, spec, prints, false); err != nil || spec.Pruning.Sleeps() {
		t.Errorf("steps are left out where that was not asked for: %v", err)
	}
	prints.Seen = slices.DeleteFunc(prints.Seen, func(f modules.Footprint) bool { return f.Name == "C" })
	if err := reduce.Prune(composed, spec, prints, true); err != nil || spec.Pruning.Sleeps() {
		t.Errorf("steps are left out beside a constraint without a footprint: %v", err)
	}
	prints.Seen = nil
	if err := reduce.Prune(composed, spec, prints, true); err != nil || slices.Contains(spec.Pruning.Meets, 0) {
		t.Errorf("invariants without footprints are left out: %b, %v", spec.Pruning.Meets, err)
	}
	prints.Actions = prints.Actions[1:]
	if err := reduce.Prune(composed, spec, prints, true); err == nil {
		t.Error("an action without a footprint is taken")
	}
}
