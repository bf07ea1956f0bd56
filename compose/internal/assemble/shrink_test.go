package assemble

import (
	"reflect"
	"testing"
)

// TestShrinkable: of the toy's constants none is only a capacity; of the fixture's two are.
func TestShrinkable(t *testing.T) {
	r := read(t, "./capacities")
	have := r.Shrinkable("State", map[string]string{"Set": "3"})
	want := map[string][]string{"Slots": {"Queue", "Inbox"}, "Depth": {"Queue"}}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}
