//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// reports are the texts that servers log where an assertion of the specification is raised, from
// version 3.5 on.
var reports = map[zab.Assertion]string{
	zab.CannotTruncate:   "Not able to truncate the log",
	zab.AckOtherEpoch:    "is from a different epoch",
	zab.CommitUnmatched:  "NullPointerException",
	zab.CommitNotNext:    "but next pending txn",
	zab.CommitMismatched: "but next proposal is",
	zab.EpochBehind:      "is older than the last zxid",
	zab.LogGap:           "Committed proposal cached out of order",
}

// Assert does a step that raises an assertion, and waits until the acting server logs it. The
// thread of that server need not come to rest where the step would end.
func (a *adapter) Assert(s conform.Step[zab.State]) error {
	text, actor := "", zab.NullPoint
	for assertion, report := range reports {
		if s.After.Raised.Has(assertion) {
			text = report
		}
	}
	switch p := s.Params.(type) {
	case zab.Pair:
		actor = p.I
	case zab.One:
		actor = p.I
	}
	if text == "" || actor == zab.NullPoint {
		return &conform.UndrivenError{Message: fmt.Sprintf("%s raises an assertion for which no report of the servers is known", s.Action)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	n, size := a.node(actor), a.node(actor).LogSize()
	done := make(chan error, 1)
	go func() { done <- rows[s.Action](a, ctx, s) }()
	err, ended := error(nil), false
	for ctx.Err() == nil && !n.LoggedSince(size, text) {
		select {
		case err = <-done:
			ended, done = true, nil
		case <-time.After(5 * time.Millisecond):
		}
	}
	logged := n.LoggedSince(size, text)
	cancel()
	if !ended {
		err = <-done
	}
	if logged {
		return nil
	}
	if errors.As(err, new(*control.RestError)) {
		return &conform.AgainError{Err: fmt.Errorf("server %d does not log %q, where the specification raises an assertion of its code: %w", actor, text, err)}
	}
	if err != nil {
		return &conform.UndrivenError{Message: fmt.Sprintf("%s does not come to its end within %v, and server %d does not log %q: %v", s.Action, patience, actor, text, err)}
	}
	return fmt.Errorf("server %d does not log %q within %v, where the specification raises an assertion of its code", actor, text, patience)
}
