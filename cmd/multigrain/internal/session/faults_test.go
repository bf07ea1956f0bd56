package session

import (
	"errors"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
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

// TestFullWithoutError: a program that ends in the panic of a full value exceeds a capacity, and
// the remedy names the bound. Another panic is a fault of the specification.
func TestFullWithoutError(t *testing.T) {
	t.Parallel()
	const where = "\n\ngoroutine 7 [running]:\nexample.com/x.(*State).send(0x1)\n\t/home/u/x/send.go:9 +0x1d\n"
	for reason, want := range map[string]struct {
		code configs.Code
		text string
	}{
		"panic: Net is full: it holds 4":               {codes.Capacity, "panic: Net is full: it holds 4. Raise the bound grants (now 4) of the manifest."},
		"panic: runtime error: index out of range [4]": {codes.SpecFault, "index out of range [4]."},
	} {
		r := &Run{
			Env:      &Env{Keep: func(string, string) (string, error) { return "", errors.New("no folder") }},
			Manifest: &configs.Manifest{Path: "x.hcl"}, Composition: &compose.Composition{
				Catalog: &grains.Catalog{Bounds: []grains.Bound{{Name: "grants", Const: "MaxGrants"}}}, Constants: map[string]string{"MaxGrants": "4"},
			},
		}
		r.crashed(&wire.CrashError{Status: "exit status 2", Output: reason + where})
		if len(r.Diagnostics) != 1 || configs.CodeOf(r.Diagnostics[0]) != want.code || !strings.HasSuffix(r.Diagnostics[0].Detail, want.text) {
			t.Errorf("%s: %v, want %s", reason, r.Diagnostics, want.code)
		}
	}
}
