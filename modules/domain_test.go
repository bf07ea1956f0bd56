package modules

import (
	"slices"
	"testing"
)

// values returns all values of a domain; it calls the domain twice, and stops it after each prefix.
func values[P comparable](t *testing.T, d Domain[P]) []P {
	t.Helper()
	all := slices.Collect(func(yield func(P) bool) { d(yield) })
	if again := slices.Collect(func(yield func(P) bool) { d(yield) }); !slices.Equal(all, again) {
		t.Errorf("%T: another order", d)
	}
	seen := map[P]bool{}
	for n, p := range all {
		if seen[p] {
			t.Errorf("%T: %v comes twice", d, p)
		}
		seen[p] = true
		asked := 0
		d(func(P) bool { asked++; return asked <= n })
		if asked != n+1 {
			t.Errorf("%T: asked %d times after the end", d, asked-n-1)
		}
	}
	return all
}

func TestDomains(t *testing.T) {
	t.Parallel()
	if got := values(t, Once); !slices.Equal(got, []None{{}}) {
		t.Errorf("Once: %v", got)
	}
	for n := range 6 {
		quorums := 0
		for _, p := range values(t, Quorums[int8](n)) {
			if !p.S.Has(p.I) || p.S.Len()*2 <= n || !p.S.Within(Below[int8](n)) {
				t.Errorf("%d servers: %v is no quorum", n, p)
			}
			quorums++
		}
		want := 0 // by definition: servers times sets of more than half that hold them
		for s := range 1 << n {
			if k := Set[int8](s).Len(); 2*k > n {
				want += k
			}
		}
		for _, c := range []struct {
			domain    string
			got, want int
		}{
			{"Each", len(values(t, Each[int8](n))), n},
			{"EachPair", len(values(t, EachPair[uint8](n))), n * (n - 1)},
			{"Links", len(values(t, Links[int8](n))), n * (n - 1) / 2},
			{"Subsets", len(values(t, Subsets[int8](n))), n << n / 2},
			{"Quorums", quorums, want},
			{"Positions", len(values(t, Positions[int8](n, 3))), 3 * n * (n - 1)},
		} {
			if c.got != c.want {
				t.Errorf("%s of %d servers: %d values, want %d", c.domain, n, c.got, c.want)
			}
		}
	}
	if got := values(t, Links[int8](3)); !slices.Equal(got, []Pair[int8]{{0, 1}, {0, 2}, {1, 2}}) {
		t.Errorf("Links: %v", got)
	}
	if got := values(t, Positions[int8](2, 2)); !slices.Equal(got, []At[int8]{{0, 1, 1}, {0, 1, 2}, {1, 0, 1}, {1, 0, 2}}) {
		t.Errorf("Positions: %v", got)
	}
}
