package ratis

import (
	"reflect"
	"testing"

	"github.com/multigrain/multigrain/interaction/vettest"
	"github.com/multigrain/multigrain/modules"
)

func TestSpecification(t *testing.T) {
	t.Parallel()
	vettest.Run(t)
}

func TestStateKeepsItsContract(t *testing.T) {
	t.Parallel()
	for _, err := range modules.CheckState(reflect.TypeFor[State]()) {
		t.Error(err)
	}
}
