package likely

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestInterval compares with published values of the interval of Wilson, and counts how often it
// contains the probability that was sampled.
func TestInterval(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		met, n    int64
		low, high float64
	}{ // Newcombe, Statistics in Medicine 17 (1998), table I, method 3
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
		{29, 29, 0.8830, 1}, {0, 0, 0, 1},
	} {
		low, high := Interval(x.met, x.n)
		if math.Abs(low-x.low) > 5e-5 || math.Abs(high-x.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", x.met, x.n, low, high, x.low, x.high)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, p := range []float64{0.02, 0.3, 0.5, 0.97} {
		const samples, n = 2000, 200
		contains := 0
		for range samples {
			met := int64(0)
			for range n {
				if rng.Float64() < p {
					met++
				}
			}
			if low, high := Interval(met, n); low <= p && p <= high {
				contains++
			}
		}
		if share := float64(contains) / samples; share < 0.92 || share > 0.99 {
			t.Errorf("probability %g: %.3f of the intervals contain it", p, share)
		}
	}
}

// TestJumps: a step is a jump only if the intervals are apart, in either direction, and never where
// no walk was taken.
func TestJumps(t *testing.T) {
	t.Parallel()
	var all []result.LikelyStep
	for _, x := range [][2]int64{{5, 1000}, {7, 1000}, {300, 1000}, {310, 1000}, {20, 1000}, {0, 0}, {1000, 1000}} {
		s := result.LikelyStep{Walks: x[1], Met: x[0]}
		s.Low, s.High = Interval(x[0], x[1])
		all = append(all, s)
	}
	all = append(all, result.LikelyStep{Probability: 1, Low: 1, High: 1})
	jumps(all)
	for k, want := range []string{"", "", "up", "", "down", "", "", ""} {
		if all[k].Jump != want {
			t.Errorf("step %d: %q, want %q", k, all[k].Jump, want)
		}
	}
}
