package raft

import (
	"reflect"
	"testing"

	"github.com/multigrain/multigrain/interaction/vettest"
	"github.com/multigrain/multigrain/modules"
)

func TestSpecification(t *testing.T) { vettest.Run(t) }

// TestCatalogIsSound: the State keeps its contract and the catalog offers what its constants are
// set to.
func TestCatalogIsSound(t *testing.T) {
	t.Parallel()
	for _, err := range modules.CheckState(reflect.TypeFor[State]()) {
		t.Error(err)
	}
	for _, b := range System.Bounds {
		if b.Default > b.Max || b.Default < b.Min && b.Default != -1 {
			t.Errorf("bound %s: %d is not from %d to %d", b.Name, b.Default, b.Min, b.Max)
		}
	}
}
