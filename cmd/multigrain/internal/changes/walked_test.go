package changes

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// TestDiverse: two of four compositions have both grains and both values of an option. With the
// first two in order, the second value was never walked.
func TestDiverse(t *testing.T) {
	t.Parallel()
	of := func(grain, value string) compose.Alternative {
		return compose.Alternative{Touched: []grains.Ref{{Module: "client", Grain: grain}}, Options: []grains.Setting{{Name: "membership", Value: value}}}
	}
	texts := func(all []compose.Alternative) (out []string) {
		for _, a := range all {
			out = append(out, strings.Join(append(refsOf(a.Touched), settingsOf(a.Options)...), " "))
		}
		return out
	}
	all := []compose.Alternative{of("reads", "joint"), of("retried", "joint"), of("reads", "manual"), of("retried", "manual")}
	chosen, rest := diverse(all, 2)
	if got, want := texts(chosen), []string{"client/reads membership = joint", "client/retried membership = manual"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := texts(rest), []string{"client/retried membership = joint", "client/reads membership = manual"}; !slices.Equal(got, want) {
		t.Errorf("the rest is %q, want %q", got, want)
	}
	if chosen, rest = diverse(all[:1], 2); len(chosen) != 1 || len(rest) != 0 {
		t.Errorf("of one composition %q are chosen", texts(chosen))
	}
}
