package grains

import (
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// weigh returns the weight of the members of a mask.
func weigh(q modules.Quorum, mask int) (sum int) {
	for k := range q.Members {
		switch {
		case mask>>k&1 == 0:
		case len(q.Weights) == 0:
			sum++
		case k < len(q.Weights):
			sum += q.Weights[k]
		}
	}
	return sum
}

// TestApartAgainstAllSets compares Apart with all pairs of sets, for random quorums of up to six
// members.
func TestApartAgainstAllSets(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 12))
	random := func() (q modules.Quorum) {
		q.Members = r.IntN(7)
		if r.IntN(3) > 0 {
			for range r.IntN(q.Members + 2) {
				q.Weights = append(q.Weights, r.IntN(4))
			}
		}
		q.Least = r.IntN(8)
		return q
	}
	seen := map[bool]int{}
	for range 20_000 {
		a, b := random(), random()
		want := false
		for x := range 1 << 6 {
			for y := range 1 << 6 {
				if x&y == 0 && weigh(a, x) >= a.Least && weigh(b, y) >= b.Least {
					want = true
				}
			}
		}
		x, y, got := Apart(a, b)
		if got != want {
			t.Fatalf("%+v and %+v: %v, want %v", a, b, got, want)
		}
		seen[got]++
		both, masks := map[int]bool{}, [2]int{}
		for k, set := range [][]int{x, y} {
			for _, m := range set {
				if both[m] {
					t.Fatalf("%+v and %+v: member %d is in %v and %v", a, b, m, x, y)
				}
				both[m] = true
				masks[k] |= 1 << m
			}
		}
		if got && (weigh(a, masks[0]) < a.Least || weigh(b, masks[1]) < b.Least) {
			t.Fatalf("%+v and %+v: %v and %v are no quorums", a, b, x, y)
		}
	}
	if seen[true] < 1000 || seen[false] < 1000 {
		t.Errorf("%d pairs apart, %d not: too few of one kind", seen[true], seen[false])
	}
}

// TestApartOfManyMembers: majorities of 64 meet, and halves need not.
func TestApartOfManyMembers(t *testing.T) {
	t.Parallel()
	for least, want := range map[int]bool{33: false, 32: true} {
		q := modules.Quorum{Members: 64, Least: least}
		if _, _, got := Apart(q, q); got != want {
			t.Errorf("two sets of %d out of 64 without a common member: %v", least, got)
		}
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	q := QuorumDecl{Members: "Servers", Weights: []string{"1", "(Heavy + 1)"}, Least: "((Servers / 2) + 1)"}
	for name, want := range map[string]bool{"Servers": true, "Heavy": true, "Serve": false, "Weights": false} {
		if q.Mentions(name) != want {
			t.Errorf("mentions %s: %v", name, !want)
		}
	}
}
