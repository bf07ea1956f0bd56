package compose

import (
	"reflect"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// TestShrinkable: of the toy's constants none is only a capacity; of the fixture's two are.
func TestShrinkable(t *testing.T) {
	s, diags := open("testdata", "./capacities", hcl.Range{}, testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	r, diags := s.rewrite()
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	have := r.shrinkable("State", map[string]string{"Set": "3"})
	want := map[string][]string{"Slots": {"Queue", "Inbox"}, "Depth": {"Queue"}}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}
