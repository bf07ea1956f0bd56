// Command multigrain checks mixed-grained specifications of distributed protocols.
package main

import (
	"os"
	"runtime/debug"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/completion"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/differ"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/drivercheck"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/explorer"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/lsp"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/mcp"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/plan"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/rank"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/refine"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/scaffold"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the static analysis allocates much and keeps little
	}
	a := &command.App{Verbs: verbs(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ()}
	a.OutWidth, a.ErrWidth = shell.TerminalWidth(os.Stdout), shell.TerminalWidth(os.Stderr)
	os.Exit(a.Run(os.Args[1:]))
}

// verbs returns all verbs, in the order in which help lists them.
func verbs() command.Verbs {
	return command.Verbs{
		&validateVerb, &interactionVerb, &checkVerb, &simulateVerb, &compareVerb, &rank.Verb, &plan.Verb, &refine.Verb, &testVerb, &fleet.RunVerb, &fleet.WorkerVerb, &changeVerb, &conformVerb, &replayVerb, &confirmVerb, &drivercheck.Verb, &traceVerb, &monitorVerb, &showVerb, &differ.Verb, &explorer.Verb, &lsp.Verb, &mcp.Verb, &scaffold.Verb, &listVerb, &fmtVerb, &buildVerb, &cleanVerb, &tapVerb, &explainVerb, &completion.Verb, &command.VersionVerb, &command.HelpVerb,
	}
}
