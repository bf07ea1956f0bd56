package compose

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// TestUnsupported builds a tap and an adapter that do not compile: the errors end with the versions
// that they support and the version of the build.
func TestUnsupported(t *testing.T) {
	_, tap := Tap(context.Background(), testEnv(t), ".", "./testdata/unsupported")
	m := load(t, "../configs/raft/etcd.hcl")
	c, diags := Resolve(m, testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	impl := *m.Implementations[0]
	impl.Dir, impl.Adapter.Value = ".", "./testdata/unsupported"
	_, adapter := c.AssembleWith(context.Background(), &impl)
	for what, diags := range map[string][]string{"tap": texts(tap), "adapter": texts(adapter)} {
		all := strings.Join(diags, "\n")
		for _, want := range []string{"NoSuchThing", "The " + what + " github.com/multigrain/multigrain/compose/testdata/unsupported does not compile.",
			"It supports go.etcd.io/raft/v3 v3.9.0.", "The build uses go.etcd.io/raft/v3 v3.7.0."} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no %q in\n%s", what, want, all)
			}
		}
	}
	if n := len(tap); n == 0 || configs.CodeOf(tap[n-1]) != CodeBuild {
		t.Errorf("%v", tap)
	}
}

func texts(diags hcl.Diagnostics) (out []string) {
	for _, d := range diags {
		out = append(out, d.Detail)
	}
	return out
}
