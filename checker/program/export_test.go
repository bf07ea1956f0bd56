package program

import (
	"context"
	"io"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/wire"
)

// RunHurried runs a program in this process. It waits for calls that do not return only so long.
func RunHurried[S any, U checker.Counters](ctx context.Context, p Program[S, U], impl *conform.Implementation[S], in io.Reader, out io.Writer, hurry time.Duration) error {
	verbs := []Verbs[S, U]{Check(Search[checker.Node[S, U]]), Simulate[S, U](), Explain[S, U](), Trace[S, U](), Compare(Comparing[checker.Node[S, U]]()),
		conforming(p, func(*wire.Request) conform.Implementation[S] { return *impl })}
	p.hurry = hurry
	return run(ctx, p, allOf(verbs), in, out, func() error { return nil })
}

// RunMonitorHurried is RunHurried of a monitor.
func RunMonitorHurried[S any](ctx context.Context, p Monitor[S], in io.Reader, out io.Writer, hurry time.Duration) error {
	p.hurry, p.last = hurry, time.Second/10
	return p.run(ctx, in, out, func() error { return nil })
}
