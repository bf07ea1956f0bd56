package experiment

import (
	"math"
	"math/rand/v2"
	"slices"
)

// What it computes. The figures of an experiment with their intervals: probabilities, medians and
// means.
//
// Why it is right. The probability of detection is the share of the runs that found the mistake,
// with Wilson's interval for 95 %. The median of executions counts a run that found nothing as
// longer than all others. Its interval has two order statistics as its ends: the k-th smallest and
// the k-th largest miss the median with probability 2 P(B < k), where B counts heads of n coins.
// The mean over mistakes has a percentile bootstrap interval for 95 %. The bootstrap draws
// mistakes, since they are a sample of the mistakes that exist.
//
// What it costs. Sorting, and 10,000 draws for each mean.
//
// Example. Five of five runs found a mistake: the probability is 1, its interval begins at 0.57.
// With five runs the median has no bounded interval: 2 P(B < 1) is 2/32, more than 5 %. With six it
// is 2/64.

// interval is a figure with the ends of its interval.
type interval struct{ at, low, high float64 }

// wilson returns the share of found runs among n, with its interval.
func wilson(found, n int) interval {
	if n == 0 {
		return interval{math.NaN(), 0, 1}
	}
	const z = 1.959964
	p, m := float64(found)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return interval{p, max(0, middle-half), min(1, middle+half)}
}

// median returns the median of values, where infinite ones are runs that found nothing, with an
// interval of order statistics. The interval of fewer than six values is everything.
func median(values []float64) interval {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	if n == 0 {
		return interval{math.NaN(), 0, math.Inf(1)}
	}
	at := v[n/2]
	if n%2 == 0 {
		at = (v[n/2-1] + v[n/2]) / 2
	}
	// The interval from the k-th smallest to the k-th largest misses the median with probability
	// 2 P(B < k), where B counts heads of n coins.
	below, k := 0.0, 0
	for term := math.Pow(0.5, float64(n)); k < n/2; k++ {
		if 2*(below+term) > 0.05 {
			break
		}
		below += term
		term *= float64(n-k) / float64(k+1)
	}
	if k == 0 {
		return interval{at, 0, math.Inf(1)}
	}
	return interval{at, v[k-1], v[n-k]}
}

// mean returns the mean of values with a bootstrap interval, the same for the same values.
func mean(values []float64) interval {
	if len(values) == 0 {
		return interval{math.NaN(), math.NaN(), math.NaN()}
	}
	average := func(draw func(k int) float64) float64 {
		sum := 0.0
		for k := range values {
			sum += draw(k)
		}
		return sum / float64(len(values))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	const draws = 10_000
	means := make([]float64, draws)
	for k := range means {
		means[k] = average(func(int) float64 { return values[rng.IntN(len(values))] })
	}
	slices.Sort(means)
	return interval{average(func(k int) float64 { return values[k] }), means[draws*25/1000], means[draws*975/1000]}
}
