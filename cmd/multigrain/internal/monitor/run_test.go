package monitor

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/configs"
)

// TestNotForOneNode reports a composition that no declaration lets run next to a node. The report
// says what to write.
func TestNotForOneNode(t *testing.T) {
	t.Parallel()
	var r session.Run
	failed(&r, &wire.Error{Kind: wire.ErrorLocal, Message: "the composition cannot run next to one node: action A uses X[p.J]"})
	if len(r.Diagnostics) != 1 || configs.CodeOf(r.Diagnostics[0]) != codes.MonitorLocal {
		t.Fatalf("reported %v", r.Diagnostics)
	}
	for _, want := range []string{"Node: grains.Form{As: ..., Why: ...}", "modules.Local{Of: &..., Actions: ...}"} {
		if !strings.Contains(r.Diagnostics[0].Detail, want) {
			t.Errorf("the remedy does not have %q: %s", want, r.Diagnostics[0].Detail)
		}
	}
}
