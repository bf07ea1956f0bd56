package plan

import (
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestChoose: the finest composition that fits is written. If only smaller bounds fit, it is the
// one with the most states.
func TestChoose(t *testing.T) {
	t.Parallel()
	fine := candidate{Cover: result.Cover{Grains: []string{"a/fine"}, States: 900}, text: "fine"}
	coarse := candidate{Cover: result.Cover{Grains: []string{"a/coarse"}, States: 90, Fits: true}, text: "coarse"}
	smaller := func(name string, states int64) candidate {
		return candidate{Cover: result.Cover{Grains: []string{"a/fine"}, States: states, Fits: true, Bounds: []result.Setting{{Name: name, Value: "1"}}}, text: name}
	}
	fits := fine
	fits.Fits = true
	for name, c := range map[string]struct {
		all  []candidate
		want string
	}{
		"the finest fits":         {[]candidate{fits, coarse}, "fine"},
		"a coarse one fits":       {[]candidate{fine, coarse, smaller("crashes", 400)}, "coarse"},
		"only smaller bounds fit": {[]candidate{fine, smaller("servers", 20), smaller("crashes", 400), smaller("epochs", 300)}, "crashes"},
		"none fits":               {[]candidate{fine}, ""},
		"there is none":           {nil, ""},
	} {
		x := planner{d: &result.Plan{Verdict: "undecided"}}
		if x.choose(c.all); x.d.Manifest != c.want || (c.want == "") != (x.d.Reason != "") || (c.want != "") != (x.d.Verdict == "planned") {
			t.Errorf("%s: %+v", name, x.d)
		}
	}
}
