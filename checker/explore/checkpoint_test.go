package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	machine "github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/spectest"
)

// variants are the ways to store the search. Each must find the same.
var variants = []struct {
	name string
	of   func(explore.Options) explore.Options
}{
	{"plain", func(o explore.Options) explore.Options { return o }},
	{"small", explore.Small},
	{"spilling", func(o explore.Options) explore.Options { return explore.Spilling(explore.Small(o)) }},
}

// TestRandomModelsInParts explores random models in up to five parts, with and without spilling. A
// limit ends each part, and the next one continues from its checkpoint. The last part is compared
// with the naive search.
func TestRandomModelsInParts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	parts, spilled, violated := 0, 0, 0
	seeds := uint64(90)
	if underRace {
		seeds = 20
	}
	for seed := range seeds {
		spec := model(t, seed)
		stop, deadlock := []int{0, 1, 5}[seed%3], seed%2 == 0
		want := spectest.Naive(spec, spectest.NaiveOptions[cellNode]{Stop: stop, Deadlock: deadlock, MaxStates: 10_000})
		if want.Reason != "" {
			continue
		}
		opt := explore.Options{Workers: []int{1, 2, 4}[seed%3], Stop: stop, Deadlock: deadlock, Checkpoint: t.TempDir()}
		if seed%5 < 2 {
			opt.Fingerprint = explore.WideFingerprint
		}
		limit := int64(0) // initial nodes are made again
		if len(want.Levels) > 0 {
			limit = want.Levels[0]
		}
		for part := 0; ; part++ {
			x := variants[r.IntN(len(variants))]
			if part > 0 && x.name == "plain" || part == 0 && seed%4 > 0 && x.name == "plain" {
				x = variants[1]
			}
			opt.MaxStates = 0
			if limit += 1 + r.Int64N(max(want.Distinct, 3)/3); part < 4 && limit < want.Distinct {
				opt.MaxStates = limit
			}
			res := run(t, spec, x.of(opt))
			if res.Disk > 0 {
				spilled++
			}
			if res.Checkpoint.Failure != "" {
				t.Fatalf("seed %d: %s", seed, res.Checkpoint.Failure)
			}
			if res.Checkpoint.Distinct > 0 {
				parts++
				if len(res.Violations) > 0 {
					violated++
				}
				opt.Checkpoint, opt.Resume = "", res.Checkpoint.Folder
				opt.Workers = 1 + r.IntN(4)
				if seed%3 == 0 {
					opt.Workers = 1
				}
				continue
			}
			if part > 0 && seed%3 > 0 {
				res.Workers = 2 // who was first depends on how the parts were shared
			}
			same(t, &res, &want)
			break
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d checkpoints, %d with violations, %d runs spilled", parts, violated, spilled)
	if !underRace && (parts < 100 || spilled < 20 || violated < 10) {
		t.Error("the models do not exercise what they are made for")
	}
}

// TestSpill: frontier and trace log go to the disk and what they say is the same.
func TestSpill(t *testing.T) {
	t.Parallel()
	spec := endless(func(s *digits) bool { return s.D[0] < 9 })
	spec.Within = func(s *digits) bool {
		return s.D[0] < 10 && s.D[1] < 12 && s.D[2] < 14 && s.D[3] < 11 && s.D[4]+s.D[5]+s.D[6] == 0
	}
	want := run(t, spec, explore.Options{Workers: 1})
	for _, workers := range []int{1, 3} {
		folder := t.TempDir()
		res := run(t, spec, explore.Spilling(explore.Small(explore.Options{Workers: workers, Spill: folder})))
		same(t, &res, &want)
		if res.Disk < 30_000 {
			t.Errorf("%d bytes on disk", res.Disk)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%d files are left, %v", len(left), err)
		}
	}
	res := run(t, spec, explore.Spilling(explore.Small(explore.Options{Spill: filepath.Join(t.TempDir(), "missing")})))
	if res.Verdict == checker.Holds || !strings.Contains(res.Reason, "missing: no such file") && !strings.Contains(res.Reason, "cannot find") {
		t.Errorf("%s because %q", res.Verdict, res.Reason)
	}
}

// TestLateGrowth: nothing is lost or found twice where the table grows in the middle of a batch,
// when some of the batch is in the table.
func TestLateGrowth(t *testing.T) {
	t.Parallel()
	spec := endless()
	spec.Within = func(s *digits) bool {
		return s.D[0] < 20 && s.D[1] < 20 && s.D[2] < 20 && s.D[3]+s.D[4]+s.D[5]+s.D[6] < 3
	}
	want := run(t, spec, explore.Options{Workers: 1})
	for _, workers := range []int{1, 2, 3} {
		for _, bits := range []int{64, explore.WideFingerprint} {
			got := run(t, spec, explore.Late(explore.Small(explore.Options{Workers: workers, Fingerprint: bits})))
			same(t, &got, &want)
		}
	}
}

// TestMemoryLimitLeavesACheckpoint: a run that the memory limit ends continues with more.
func TestMemoryLimitLeavesACheckpoint(t *testing.T) {
	t.Parallel()
	spec := endless()
	spec.Within = func(s *digits) bool {
		return s.D[0] < 25 && s.D[1] < 25 && s.D[2] < 25 && s.D[3]+s.D[4]+s.D[5]+s.D[6] < 4
	}
	want := run(t, spec, explore.Options{Workers: 2})
	opt := explore.Options{Workers: 2, Checkpoint: t.TempDir(), Mem: 3 << 20}
	res := run(t, spec, opt)
	if res.Verdict != checker.Undecided || !strings.Contains(res.Reason, "memory limit") || res.Checkpoint.Distinct == 0 || res.Memory > opt.Mem {
		t.Fatalf("%s because %q, %+v, %d bytes", res.Verdict, res.Reason, *res.Checkpoint, res.Memory)
	}
	opt.Resume, opt.Mem = opt.Checkpoint, 64<<20
	res = run(t, spec, opt)
	same(t, &res, &want)
	if res.Checkpoint.Resumed == 0 || res.Checkpoint.Distinct != 0 {
		t.Errorf("%+v", *res.Checkpoint)
	}
	if left, _ := os.ReadDir(opt.Checkpoint); len(left) > 0 {
		t.Errorf("%s is left of a run that is complete", left[0].Name())
	}
}

// TestNoMemoryLeft: a run ends undecided before a machine has no memory left. With a checkpoint if
// the run has noticed it between two chunks, and without one if nothing more may be taken.
func TestNoMemoryLeft(t *testing.T) {
	for _, left := range []int64{30, 1} {
		var judged atomic.Int64
		end := machine.ForTestsMemory(func() (int64, int64) {
			if judged.Load() > 1000 {
				return left, 1000
			}
			return 900, 1000
		})
		spec := endless(func(*digits) bool { judged.Add(1); return true })
		res := run(t, spec, explore.Options{Workers: 2, Checkpoint: t.TempDir(), MaxStates: 50_000_000})
		end()
		if res.Verdict != checker.Undecided || res.Reason != machine.NoMemory || left == 30 && res.Checkpoint.Distinct == 0 {
			t.Errorf("%d of 1000 left: %s because %q, %+v", left, res.Verdict, res.Reason, *res.Checkpoint)
		}
	}
}

// TestCheckpointRefused: a checkpoint of another run, none, or part of one is not continued from,
// and says why.
func TestCheckpointRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	opt := explore.Options{Workers: 2, Checkpoint: folder, MaxStates: 3_000, Identity: []explore.Fact{{Name: "bound", Value: "3"}}}
	if res := run(t, endless(), explore.Small(opt)); res.Checkpoint.Distinct < 3_000 {
		t.Fatalf("%+v", *res.Checkpoint)
	}
	refused := func(name string, spec *checker.Spec[digits], o explore.Options, want string) {
		t.Helper()
		o.MaxStates = 5_000
		_, err := explore.Run(spec, explore.Small(o))
		var bad *explore.CheckpointError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	refused("overwritten", endless(), opt, "holds a checkpoint already")
	opt.Checkpoint, opt.Resume = "", folder
	other := opt
	other.Identity = []explore.Fact{{Name: "bound", Value: "4"}}
	refused("another bound", endless(), other, "another bound: 3 then, 4 now")
	other = opt
	other.Deadlock = true
	refused("another option", endless(), other, "search for deadlocks: false then, true now")
	refused("another specification", endless(func(*digits) bool { return true }), opt, "another state")
	other = opt
	other.Resume = t.TempDir()
	refused("none", endless(), other, "holds no checkpoint")

	path := filepath.Join(folder, "checkpoint")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other.Resume = t.TempDir()
	path = filepath.Join(other.Resume, "checkpoint")
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 60 {
		part := append([]byte(nil), whole...)
		name := ""
		if at := r.IntN(len(part)); k%2 == 0 {
			name, part = fmt.Sprintf("cut off at %d", at), part[:at]
		} else {
			name = fmt.Sprintf("changed at %d", at)
			part[at] ^= 1 << r.IntN(8)
		}
		if err := os.WriteFile(path, part, 0o600); err != nil {
			t.Fatal(err)
		}
		refused(name, endless(), other, "checkpoint")
	}
	want := run(t, endless(), explore.Small(explore.Options{MaxStates: 40_000, Stop: 1}))
	if want.Verdict != checker.Undecided {
		t.Fatal(want.Verdict)
	}
	res := run(t, endless(), explore.Small(explore.Options{Resume: folder, MaxStates: 40_000, Identity: opt.Identity}))
	if res.Checkpoint.Resumed < 3_000 || res.Distinct < 40_000 {
		t.Errorf("the checkpoint that was refused before: %+v", *res.Checkpoint)
	}
}

// TestCheckpointWithoutRoom: a disk that is full costs the checkpoint and neither the one before it
// nor the result.
func TestCheckpointWithoutRoom(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	res := run(t, endless(), explore.Small(explore.Options{Workers: 2, Checkpoint: folder, MaxStates: 3_000}))
	first := res.Checkpoint.Distinct
	for _, room := range []int64{1, 1000, 20_000, 2 * first} {
		o := explore.FullDisk(explore.Small(explore.Options{Workers: 2, Resume: folder, MaxStates: 40_000}), room)
		res = run(t, endless(), o)
		undecided(t, res, "40000")
		if c := res.Checkpoint; !strings.Contains(c.Failure, "no space left") && !strings.Contains(c.Failure, "not enough space") || c.Resumed != first {
			t.Errorf("%+v", *c)
		}
		if left, _ := os.ReadDir(folder); len(left) != 1 || left[0].Name() != "checkpoint" {
			t.Errorf("%d files", len(left))
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := explore.Run(endless(), explore.Options{Checkpoint: filepath.Join(folder, "file", "x")})
	if err == nil || !strings.Contains(err.Error(), "checkpoints cannot be written into") {
		t.Error(err)
	}
}

// TestCheckpointOnInterval: they are written while the run continues, and change nothing.
func TestCheckpointOnInterval(t *testing.T) {
	t.Parallel()
	spec := endless()
	spec.Within = func(s *digits) bool {
		return s.D[0] < 64 && s.D[1] < 64 && s.D[2] < 64 && s.D[3]+s.D[4]+s.D[5]+s.D[6] == 0
	}
	want := run(t, spec, explore.Options{Workers: 1})
	res := run(t, spec, explore.Small(explore.Options{Workers: 2, Checkpoint: t.TempDir(), Interval: time.Millisecond}))
	same(t, &res, &want)
	if res.Checkpoint.Written == 0 {
		t.Error("no checkpoint was written")
	}
}
