package main

import (
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/interaction"
)

// TestForeignCodes compares the codes of other packages that decide the exit code with those that
// package shell knows, which must not import these packages.
func TestForeignCodes(t *testing.T) {
	t.Parallel()
	for here, there := range map[string]string{
		string(codes.Cache): string(compose.CodeCache),
		string(codes.Room):  string(compose.CodeRoom), string(codes.Network): string(compose.CodeNetwork),
		string(codes.NoGo): string(compose.CodeNoGo), string(codes.Asymmetric): interaction.CodeOfKind(interaction.Asymmetric),
	} {
		if here != there {
			t.Errorf("%s is %s in its own package", here, there)
		}
	}
	if code := shell.ExitOfCode(compose.CodeNoGo); code != shell.System {
		t.Errorf("without Go the exit code is %d", code)
	}
	if code := shell.ExitOfCode("MG210"); code != verdicts.ExitInteraction {
		t.Errorf("a lost update has exit code %d", code)
	}
}
