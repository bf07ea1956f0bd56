package program

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

type (
	roleA uint8
	roleB uint8

	stateA struct {
		Role [2]roleA
		Term uint8
	}
	copyOfA struct {
		Role [2]roleB
		Term uint8
	}
	renamed struct {
		Role  [2]roleB
		Epoch uint8
	}
	wider struct {
		Role [2]uint16
		Term uint8
	}
	shorter struct {
		Role [1]roleB
		Term [2]uint8
	}
)

// TestAlike: a specification runs on a copy of its State type, and on no other type.
func TestAlike(t *testing.T) {
	c := ComposedOf(&modules.Spec[stateA]{System: "roles", Init: func(yield func(stateA) bool) {
		_ = yield(stateA{Role: [2]roleA{1, 2}, Term: 3}) && yield(stateA{Term: 4})
	}})
	spec, err := Alike[copyOfA](c)
	if err != nil {
		t.Fatal(err)
	}
	var have []copyOfA
	for s := range spec.Init {
		have = append(have, s)
	}
	if len(have) != 2 || have[0] != (copyOfA{[2]roleB{1, 2}, 3}) || have[1] != (copyOfA{Term: 4}) || spec.System != "roles" {
		t.Errorf("%s yields %v", spec.System, have)
	}
	for range spec.Init {
		break // Init is asked to stop
	}
	if _, err := Alike[renamed](c); err == nil || !strings.Contains(err.Error(), "Epoch") {
		t.Errorf("a renamed field: %v", err)
	}
	if _, err := Alike[wider](c); err == nil {
		t.Error("a wider field is alike")
	}
	if _, err := Alike[shorter](c); err == nil {
		t.Error("arrays of other lengths are alike")
	}
}
