package interaction

import (
	"slices"
	"testing"
)

// TestSuggest checks which variables the advice lets the modules drop for a target. They include
// those of every coarse grain that passed the static check, whether or not that grain is chosen.
// They include none that the check would refuse. Kept variables have a reason.
func TestSuggest(t *testing.T) {
	t.Parallel()
	p := loadZab(t)
	const whole = "election/baseline discovery/baseline synchronization/baseline broadcast/baseline faults/crash-partition"
	targets := []string{"synchronization", "broadcast"}
	coarse := analyze(t, p, choice(mspec1, "*"), targets...).Grains[0]
	for _, refs := range []string{whole, mspec1} {
		rep := analyze(t, p, choice(refs, "*"), targets...)
		if len(rep.Suggestions) != 2 {
			t.Fatalf("%s: suggestions for %d modules", refs, len(rep.Suggestions))
		}
		var may []string
		for _, s := range rep.Suggestions {
			may = slices.Concat(may, s.Drops, s.Together)
			for _, k := range s.Keeps {
				if len(k.Why) == 0 {
					t.Errorf("%s: %s keeps %s without a reason", refs, s.Module, k.Variable)
				}
				if slices.Contains(coarse.Drops, k.Variable) {
					t.Errorf("%s: %s is to keep %s, which a grain that passes drops", refs, s.Module, k.Variable)
				}
			}
			if !slices.Equal(s.Others, []string{"election", "discovery"}) && len(s.Together) > 0 {
				t.Errorf("%s: together with %v", refs, s.Others)
			}
		}
		for _, v := range coarse.Drops {
			if !slices.Contains(may, v) {
				t.Errorf("%s: %s is not to be dropped", refs, v)
			}
		}
		for _, v := range coarse.Keeps {
			if slices.Contains(may, v) {
				t.Errorf("%s: %s is to be dropped, which a coarse grain has to keep", refs, v)
			}
		}
		if s := rep.Suggestions[0]; !slices.Contains(s.Silent, "FLEReceiveNotmsg") {
			t.Errorf("%s: steps of %s that need not be kept: %v", refs, s.Module, s.Silent)
		}
	}
	if rep := analyze(t, p, choice(whole, "*")); rep.Suggestions != nil {
		t.Errorf("without a target: %v", rep.Suggestions)
	}
}
