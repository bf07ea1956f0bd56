package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

const (
	// grace is the time from the end of a budget to the interrupt. The limit of the verb itself
	// comes before it, and has the better reason.
	grace = 2 * time.Second
	// patience is the time from an interrupt to the kill of a process.
	patience = 20 * time.Second
	// ordinary limits a call without a budget. Such a call runs no code of the specification.
	ordinary = 10 * time.Minute
	// mostOutput bounds the bytes of a document that are read.
	mostOutput = 64 << 20
	// mostNotes bounds the bytes of the standard error that an answer has.
	mostNotes = 64 << 10
)

// call is one run of the command.
type call struct {
	args   []string // the verb, its flags, and its arguments
	input  string
	budget time.Duration // 0: the verb runs no code of the specification
	size   int           // of the answer in bytes; 0 for the usual one
	names  []string      // the entries of a catalog that are shown; nil for all
}

// ended is how a run ended.
type ended struct {
	doc   result.Document
	exit  int
	notes string // lines of the standard error that are no progress
	// stopped says why the run was interrupted; "" if it was not.
	stopped string
}

// run runs the command in the root. It reports progress to the caller. The end of ctx or of the
// budget interrupts the process, which then ends with what it has found.
func (s *server) run(ctx context.Context, req *sdk.CallToolRequest, c call) (*ended, error) {
	s.runs.Add(1)
	defer s.runs.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	p := startProgress(ctx, req, c.args[0])
	defer p.end()
	limit := ordinary
	if c.budget > 0 {
		limit = c.budget + grace
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	limited, free := context.WithTimeout(ctx, limit)
	defer free()
	cmd := exec.CommandContext(limited, s.program, append([]string{c.args[0], "-json", "-progress=json"}, c.args[1:]...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.root, s.environ, strings.NewReader(c.input)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	out := &bounded{most: mostOutput}
	cmd.Stdout, cmd.Stderr = out, p
	err := cmd.Run()
	e := &ended{notes: p.notes()}
	switch {
	case ctx.Err() != nil:
		e.stopped = "the call was cancelled"
	case limited.Err() != nil:
		e.stopped = fmt.Sprintf("the budget of %s was over, which includes building", max(c.budget, limit-grace))
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok && e.stopped == "" || ok && exit.ExitCode() < 0 && e.stopped == "" {
		return nil, fmt.Errorf("multigrain %s failed: %w. %s", c.args[0], err, e.notes)
	}
	if cmd.ProcessState != nil {
		e.exit = cmd.ProcessState.ExitCode()
	}
	if err := json.Unmarshal(out.Bytes(), &e.doc); err != nil {
		if e.stopped != "" {
			return nil, fmt.Errorf("%s, and multigrain %s printed no result: nothing is known. Call it again with a longer timeout", e.stopped, c.args[0])
		}
		return nil, fmt.Errorf("multigrain %s printed no result: %w. %s", c.args[0], err, e.notes)
	}
	return e, nil
}

// bounded keeps the first bytes that are written.
type bounded struct {
	bytes.Buffer
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
