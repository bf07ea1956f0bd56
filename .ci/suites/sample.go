package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// choose returns the first of a shuffled list that fit into the budget. The seed decides the order.
// Each thing that fits can come first, so each is chosen by some seed.
func choose[T any](all []T, cost func(T) float64, seed string, budget float64) (chosen []T, sum float64) {
	h := fnv.New64a()
	h.Write([]byte(seed))
	for _, k := range rand.New(rand.NewPCG(h.Sum64(), 0)).Perm(len(all)) {
		if c := cost(all[k]); sum+c <= budget {
			chosen, sum = append(chosen, all[k]), sum+c
		}
	}
	return chosen, sum
}

// part is one part of a long test.
type part struct {
	test longTest
	k    int // 0 <= k < test.parts
}

func (p part) cost() float64 { return p.test.cost / float64(p.test.parts) }

// parts are all parts of all tests. A part that no sample of the budget can take is an error.
func parts(tests []longTest, budget float64) ([]part, error) {
	var out []part
	for _, t := range tests {
		if c := t.cost / float64(max(t.parts, 1)); t.parts > 0 && c > budget {
			return nil, fmt.Errorf("%s %s costs %.0f s a part, more than a sample of %.0f s: give it more parts in .ci/costs.txt",
				t.pkg, t.path, c, budget)
		}
		for k := range t.parts {
			out = append(out, part{t, k})
		}
	}
	return out, nil
}

// pattern is the -run pattern of the part. The parts of a test divide its subtests by the last
// character of their names, so a new subtest belongs to a part by itself.
func (p part) pattern() string {
	out := "^" + strings.ReplaceAll(p.test.path, "/", "$/^") + "$"
	if p.test.parts > 1 {
		out += "/" + last(p.k, p.test.parts)
	}
	return out
}

// last matches the names of which the last character belongs to part k of n. Part 0 also has all
// characters that are neither letters nor digits.
func last(k, n int) string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	class := func(keep func(part int) bool) string {
		var b strings.Builder
		for i, c := range letters {
			if keep(i % n) {
				b.WriteString(string(c))
				if c >= 'a' {
					b.WriteString(strings.ToUpper(string(c)))
				}
			}
		}
		return b.String()
	}
	if k == 0 {
		return "[^" + class(func(part int) bool { return part != 0 }) + "]$"
	}
	return "[" + class(func(part int) bool { return part == k }) + "]$"
}
