package walks

import (
	"context"
	"slices"
	"testing"
	"time"
)

func TestAfter(t *testing.T) {
	t.Parallel()
	var have []int64
	for p := int64(1); p <= 5000; p = After(p) {
		have = append(have, p)
	}
	if want := []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}; !slices.Equal(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}

// numbers are walks that leave their number after.
type numbers struct {
	places []int64 // 0 where a walk was skipped
	merged []int64
	last   int64 // no walk after this one is required
	done   int64 // ends the run
}

func (n *numbers) Skip(place int) { n.places[place] = 0 }

func (n *numbers) Take(worker, place int, number int64) (last bool) {
	n.places[place] = number
	return number == n.last
}

func (n *numbers) Merge(place int, number int64) (done bool, err error) {
	if n.places[place] != 0 {
		n.merged = append(n.merged, n.places[place])
	}
	return number == n.done, nil
}

// TestOrder: whatever the workers do, walks are merged in their order, none is missing, and what
// ends the run ends it at the same walk.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ number, done, want int64 }{{100, 0, 100}, {100, 37, 37}, {0, 64, 64}, {7, 0, 7}} {
		for _, workers := range []int{1, 2, 5} {
			n := &numbers{places: make([]int64, 16), done: c.done, last: c.done}
			r := &Runner{Workers: workers, Number: c.number, Context: t.Context()}
			stopped, err := r.Run(n, func(first int64) int64 { return min(16, first) })
			if err != nil || stopped != (c.done > 0) {
				t.Errorf("%+v, %d workers: stopped %t, %v", c, workers, stopped, err)
			}
			if int64(len(n.merged)) != c.want || !slices.IsSorted(n.merged) || n.merged[0] != 1 || n.merged[c.want-1] != c.want {
				t.Errorf("%+v, %d workers: merged %v", c, workers, n.merged)
			}
		}
	}
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &Runner{Workers: 2, Number: 50, Context: ctx}
	stop := r.Watch()
	n := &numbers{places: make([]int64, 16)}
	stopped, err := r.Run(n, func(int64) int64 { return 16 })
	stop()
	if stopped || err != nil || len(n.merged) != 0 || r.Reason(0) != "interrupted after 0 of 50 walks" {
		t.Errorf("stopped %t, %v, merged %v, %q", stopped, err, n.merged, r.Reason(0))
	}
}

// TestShorten: of a sequence only what is needed is left, in its order, and no single element of it
// can go.
func TestShorten(t *testing.T) {
	t.Parallel()
	for _, need := range [][]int{{}, {0}, {99}, {3, 50, 51}, {10, 20, 30, 40, 90}} {
		var all []int
		for k := range 100 {
			all = append(all, k)
		}
		attempts := 0
		Shorten(func() int { return len(all) }, func(from, to int) bool {
			attempts++
			rest := slices.Concat(all[:from], all[to:])
			if slices.ContainsFunc(need, func(k int) bool { return !slices.Contains(rest, k) }) {
				return false
			}
			all = rest
			return true
		}, func() bool { return attempts < 10_000 }, nil)
		if !slices.Equal(all, need) {
			t.Errorf("%v is left of %v", all, need)
		}
	}
}

// endless are walks that take a millisecond each.
type endless struct{}

func (endless) Skip(int) {}

func (endless) Take(_, _ int, _ int64) (last bool) {
	time.Sleep(time.Millisecond)
	return false
}

func (endless) Merge(int, int64) (done bool, err error) { return false, nil }

// TestClock: a run ends when its clock says so, and after Most whatever the clock says.
func TestClock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		speed       int // the clock advances so many times as fast as the time
		most        time.Duration
		least, less time.Duration // how long the run lasts
	}{
		{"a clock that stands still", 0, 300 * time.Millisecond, 300 * time.Millisecond, time.Minute},
		{"a clock that is fast", 4, time.Hour, 50 * time.Millisecond, time.Minute},
	} {
		start := time.Now()
		r := &Runner{Workers: 2, Timeout: 200 * time.Millisecond, Most: c.most, Context: t.Context()}
		r.Clock = func() time.Duration { return time.Duration(c.speed) * time.Since(start) }
		stop := r.Watch()
		if stopped, err := r.Run(endless{}, func(int64) int64 { return 4 }); stopped || err != nil || !r.InTime() {
			t.Errorf("%s: stopped %t, %q, %v", c.name, stopped, r.Why(), err)
		}
		stop()
		if took := time.Since(start); took < c.least || took > c.less {
			t.Errorf("%s: it took %s", c.name, took)
		}
	}
}
