package reduce

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker"
)

// DependenceError is a pair of instances that footprints call independent and that are not: a fault
// of the analysis.
type DependenceError struct{ First, Second, Text string }

func (e *DependenceError) Error() string {
	return fmt.Sprintf("internal error: %s and %s were taken to be independent: %s", e.First, e.Second, e.Text)
}

// Validate tests independence in nodes on random walks. Of each two enabled instances that are
// called independent, both orders must be possible and lead to one node. No step may enable an
// instance that it is stated not to enable, or change what invisible steps must not. Validate
// returns how many pairs it has tested; the error is a *DependenceError. The same seed samples the
// same nodes.
func Validate[T any](spec *checker.Spec[T], d *Independence, pairs int, seed uint64) (tried int, err error) {
	r := rand.New(rand.NewPCG(seed, 6))
	var inits []T
	spec.Init(func(n *T) bool {
		inits = append(inits, *n)
		return true
	})
	for walks := 0; tried < pairs && walks < pairs && len(inits) > 0; walks++ {
		n := inits[r.IntN(len(inits))]
		for range walkLength {
			next, k, err := validateAt(spec, d, &n, r)
			if tried += k; err != nil {
				return tried, err
			}
			if next == nil {
				break
			}
			n = *next
		}
	}
	return tried, nil
}

// validateAt tries all pairs in one node and returns a successor to continue from; nil where there
// is none, or a step panics.
func validateAt[T any](spec *checker.Spec[T], d *Independence, s *T, r *rand.Rand) (next *T, tried int, err error) {
	defer func() {
		if x := recover(); x != nil {
			next, err = nil, nil // the exploration says so, if it comes here
		}
	}()
	after := map[int]*T{}
	var open []int
	for k := range spec.Instances {
		if !spec.Enabled(s, k) {
			continue
		}
		n := *s
		spec.Apply(s, &n, k)
		after[k] = &n
		if !ends(spec, &n) {
			open = append(open, k)
		}
	}
	fails := func(a, b int, text string) error {
		return &DependenceError{checker.InstanceName(spec, a), checker.InstanceName(spec, b), text}
	}
	for _, a := range open {
		if !d.visible.Has(a) && (spec.State(s) != spec.State(after[a]) || spec.Within != nil && spec.Within(s) != spec.Within(after[a])) {
			return nil, tried, fails(a, a, "the step changes a property that it does not touch")
		}
		for b := range spec.Instances {
			if was := after[b] != nil; was && d.dependent[a].Has(b) || !was && d.enablers[b].Has(a) {
				continue
			}
			tried++
			now := spec.Enabled(after[a], b)
			switch {
			case now && after[b] == nil:
				return nil, tried, fails(a, b, "the first enables the second")
			case !now && after[b] != nil:
				return nil, tried, fails(a, b, "the first disables the second")
			case !now || b < a || !slices.Contains(open, b):
				continue
			}
			ab, ba := *after[a], *after[b]
			spec.Apply(after[a], &ab, b)
			spec.Apply(after[b], &ba, a)
			if !bytes.Equal(checker.Bytes(&ab), checker.Bytes(&ba)) {
				return nil, tried, fails(a, b, "their two orders lead to different states")
			}
		}
	}
	if len(open) == 0 {
		return nil, tried, nil
	}
	return after[open[r.IntN(len(open))]], tried, nil
}

// ends reports whether nothing is explored from n.
func ends[T any](spec *checker.Spec[T], n *T) bool {
	if spec.Raised != nil {
		if raised, _ := spec.Raised(n); raised {
			return true
		}
	}
	return spec.Within != nil && !spec.Within(n)
}
