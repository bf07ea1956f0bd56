package session

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// TestRemedy: where a capacity is exceeded, the remedy names the bound with that value, or the
// bounds that a constant is computed from.
func TestRemedy(t *testing.T) {
	t.Parallel()
	bounds := []grains.Bound{{Name: "clients", Const: "Clients"}, {Name: "grants", Const: "MaxGrants"}, {Name: "duplicates"}}
	for _, c := range []struct {
		bounds   []grains.Bound
		capacity int
		want     string
	}{
		{bounds, 4, "with room for 4. Raise the bound grants (now 4) of the manifest."},
		{bounds, 5, "None of the manifest's bounds is 5: raise the constant in the specification, or a bound that it is computed from: clients (now 3), grants (now 4)."},
		{bounds[2:], 4, "No bound of the catalog sets a capacity: raise the constant in the specification."},
		{bounds, 0, "The field is State.Msgs. Check what the guard allows."},
	} {
		o := &Run{Composition: &compose.Composition{
			Catalog: &grains.Catalog{Bounds: c.bounds}, Constants: map[string]string{"Clients": "3", "MaxGrants": "4"},
		}}
		if got := o.Because(&wire.Error{Kind: wire.ErrorCapacity, Message: "Queue is full", Field: "State.Msgs", Capacity: c.capacity}); !strings.HasPrefix(got, "Queue is full. ") || !strings.HasSuffix(got, c.want) {
			t.Errorf("capacity %d: because of %q, want %q", c.capacity, got, c.want)
		}
		if got := remedyOf(o, &wire.Error{Field: "State.Msgs", Capacity: c.capacity}); !strings.HasSuffix(got, c.want) {
			t.Errorf("capacity %d: got %q, want %q", c.capacity, got, c.want)
		}
	}
}
