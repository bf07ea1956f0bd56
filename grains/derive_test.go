package grains

import (
	"reflect"
	"testing"
)

// TestDerivedOffers: a derived grain offers all values of an option that its base offers, unless it
// offers values of that option itself.
func TestDerivedOffers(t *testing.T) {
	t.Parallel()
	offers := func(all ...string) (out []OptionValue) {
		for k := 0; k < len(all); k += 2 {
			out = append(out, OptionValue{Option: all[k], Value: all[k+1]})
		}
		return out
	}
	base := Grain[int]{Name: "baseline", Covers: []string{"m"}, Offers: offers("membership", "joint", "membership", "manual", "vote", "early")}
	for _, c := range []struct {
		name      string
		own, want []OptionValue
	}{
		{"none of its own", nil, base.Offers},
		{"another value", offers("membership", "single"), offers("membership", "single", "vote", "early")},
		{"another option", offers("read", "lease"), append(offers("read", "lease"), base.Offers...)},
	} {
		if got := Refine(Grain[int]{Name: "fine", Offers: c.own}, base).Offers; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	second := Grain[int]{Name: "other", Covers: []string{"n"}, Offers: offers("membership", "late")}
	if got := Coarsen(Grain[int]{Name: "both"}, base, second).Offers; !reflect.DeepEqual(got, base.Offers) {
		t.Errorf("of two bases %v, want those of the first", got)
	}
}
