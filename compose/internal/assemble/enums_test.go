package assemble

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// TestEnumsOf: a constant that is one more than the last server does not stand for a server of a
// larger composition.
func TestEnumsOf(t *testing.T) {
	t.Parallel()
	c := &grains.Catalog{
		Bounds: []grains.Bound{{Name: "servers", Default: 3, Const: "Servers"}},
		Enums:  map[string]map[int64]string{"Server": {-1: "None"}},
		Sized:  []grains.SizedConst{{Type: "Server", Name: "Past", Value: "Servers"}, {Type: "Server", Name: "Other", Value: "(Servers * 1)"}},
	}
	for servers, want := range map[string]string{
		"":  "map[Server:map[-1:None 3:Past]]",
		"5": "map[Server:map[-1:None 5:Past]]",
	} {
		set := map[string]string{}
		if servers != "" {
			set["Servers"] = servers
		}
		if got := fmt.Sprint(enumsOf(c, set)); got != want {
			t.Errorf("with %q servers: %s, want %s", servers, got, want)
		}
	}
}
