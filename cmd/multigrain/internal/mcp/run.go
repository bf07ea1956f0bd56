package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// building is the time that a call may take beyond its budget, for the first build of programs.
	building = 15 * time.Minute
	// patience is the time from an interrupt to the end of a process.
	patience = 20 * time.Second
)

// run runs the command with arguments and input, in the folder of the server. It reports progress
// to the caller, and an end of ctx interrupts the process. Zero is no budget.
func (s *server) run(ctx context.Context, req *sdk.CallToolRequest, budget time.Duration, input string, args ...string) (*ended, error) {
	limited, cancel := context.WithTimeout(ctx, budget+building)
	defer cancel()
	cmd := exec.CommandContext(limited, s.program, args...)
	cmd.Dir, cmd.Env = s.root, append(s.environ, "NO_COLOR=1")
	cmd.Stdin = strings.NewReader(input)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	out, errs := &capped{}, &capped{}
	cmd.Stdout = out
	cmd.Stderr = io.MultiWriter(errs, &notifier{ctx: ctx, req: req})
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.As(err, &exit), limited.Err() != nil && cmd.ProcessState != nil:
	default:
		return nil, fmt.Errorf("the command cannot be run: %w", err)
	}
	e := &ended{out: out.String(), err: errs.String(), exit: cmd.ProcessState.ExitCode()}
	switch {
	case ctx.Err() != nil:
		e.cut = "cancelled"
	case limited.Err() != nil:
		e.cut = fmt.Sprintf("interrupted after %s", budget+building)
	}
	return e, nil
}

// capped keeps the first bytes that are written.
type capped struct{ bytes.Buffer }

func (c *capped) Write(b []byte) (int, error) {
	if room := mostText - c.Len(); room > 0 {
		c.Buffer.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// notifier sends the lines that are written to it as progress.
type notifier struct {
	ctx  context.Context
	req  *sdk.CallToolRequest
	mu   sync.Mutex
	part []byte // of a line
	sent float64
}

func (n *notifier) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.part = append(n.part, b...)
	for {
		k := bytes.IndexByte(n.part, '\n')
		if k < 0 {
			return len(b), nil
		}
		line := strings.TrimSpace(string(n.part[:k]))
		n.part = n.part[k+1:]
		token := n.req.Params.GetProgressToken()
		if token == nil || line == "" {
			continue
		}
		n.sent++
		// A caller that does not listen gets the answer all the same.
		_ = n.req.Session.NotifyProgress(n.ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: n.sent, Message: line})
	}
}
