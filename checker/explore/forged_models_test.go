package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/spectest"
)

// forgeModels forges checkpoints of one model of a kind, or of five if MULTIGRAIN_SLOW is set, in
// every record.
func forgeModels[T comparable](t *testing.T, seeds uint64, of func(seed uint64) *checker.Spec[T]) {
	t.Helper()
	sum, models, most := map[string]int{}, 0, 1
	if os.Getenv("MULTIGRAIN_SLOW") != "" {
		most = 5
	}
	for seed := range seeds {
		spec := of(seed)
		want := spectest.Naive(spec, spectest.NaiveOptions[T]{MaxStates: 8000})
		if want.Reason != "" || want.Distinct < 100 {
			continue
		}
		opt := explore.Options{Workers: 1}
		if seed%2 == 0 {
			opt.Fingerprint = explore.WideFingerprint
		}
		if models == most {
			break
		}
		models++
		f := newForgery(t, spec, opt, want.Distinct/2)
		r := rand.New(rand.NewPCG(seed, 3))
		kinds := map[byte]int{}
		for k, x := range f.frames {
			if kinds[x.kind]++; kinds[x.kind] > 4 {
				continue
			}
			for n := range 12 {
				f.forged(t, fmt.Sprintf("seed %d: %c %d, %d", seed, x.kind, k, n), with(f.frames, k, frame{x.kind, forgeBytes(r, x.body, n)}), sum)
			}
		}
		for name, text := range forgeJSON(t, f.frames[0].body) {
			f.forged(t, fmt.Sprintf("seed %d: %s", seed, name), with(f.frames, 0, frame{'H', text}), sum)
		}
	}
	t.Logf("%d models, %v", models, sum)
	if models < most || sum["refused"] < 100 {
		t.Error("the models do not exercise the forger")
	}
}

// TestForgedModels forges checkpoints of searches with pruning, of large nodes and with symmetry.
func TestForgedModels(t *testing.T) {
	t.Parallel()
	t.Run("pruned", func(t *testing.T) {
		t.Parallel()
		forgeModels(t, 60, func(seed uint64) *checker.Spec[cellNode] {
			composed, prints := spareable(t, seed)
			spec := orderlyNode(t, composed)
			if err := reduce.Prune(composed, spec, prints, true); err != nil {
				t.Fatal(err)
			}
			return spec
		})
	})
	t.Run("large", func(t *testing.T) {
		t.Parallel()
		forgeModels(t, broadSeeds(), func(seed uint64) *checker.Spec[broadNode] {
			composed, prints := broadly(seed)
			return broadOf(t, composed, &prints)
		})
	})
	t.Run("symmetric", func(t *testing.T) {
		t.Parallel()
		forgeModels(t, 80, func(seed uint64) *checker.Spec[herdNode] {
			spec := herdModel(t, seed)
			if _, err := reduce.BySymmetry(spec, hosts, nil); err != nil {
				t.Fatal(err)
			}
			return spec
		})
	})
}

// TestUnreadable: a checkpoint that the machine cannot read is a fault of the machine.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "checkpoint"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := explore.Run(endless(), explore.Options{Resume: folder})
	if err == nil || errors.As(err, new(*explore.CheckpointError)) || !strings.Contains(err.Error(), "the checkpoint in "+folder+" cannot be read: ") {
		t.Error(err)
	}
}

// TestClockBack: a checkpoint is whole although the clock went back while the run explored.
func TestClockBack(t *testing.T) {
	t.Parallel()
	opt := explore.Small(explore.Options{Workers: 1, Checkpoint: t.TempDir(), MaxStates: 500})
	if err := explore.RunAhead(endless(), opt, time.Hour); err != nil {
		t.Fatal(err)
	}
	opt.Resume, opt.MaxStates = opt.Checkpoint, 1000
	if res := run(t, endless(), opt); res.Checkpoint.Resumed < 500 {
		t.Errorf("%+v", *res.Checkpoint)
	}
}
