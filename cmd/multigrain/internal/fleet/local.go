package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// contextFile is a file in the store of an embedded server with its address and its token. Other
// workers of the same user can join with -context.
const contextFile = "nats.json"

// embed starts a server in this process that keeps its files in a folder. It refuses a folder that
// another command uses, or that others can change.
func (o *runOptions) embed(store string) (end func(), err error) {
	if err := host.Private(store); err != nil {
		return nil, err
	}
	if err := host.MkdirAll(store, 0o700); err != nil {
		return nil, err
	}
	release, ok := files.Alone(store, false)
	if !ok {
		return nil, fmt.Errorf("another command does the same jobs now, in %s", store)
	}
	s, err := queue.Start(filepath.Join(store, "nats"))
	if err == nil {
		o.URL, o.Token = s.URL(), s.Token
		o.context = filepath.Join(store, contextFile)
		var text []byte
		if text, err = json.Marshal(map[string]string{"url": o.URL, "token": o.Token}); err == nil {
			err = host.WriteFile(o.context, text, 0o600)
		}
		if err != nil {
			s.Stop()
		}
	}
	if err != nil {
		release()
		return nil, err
	}
	return func() { s.Stop(); release() }, nil
}

// team are the worker processes of an embedded server. Stop interrupts all and waits for them.
// Failed gets an error when workers end again and again as soon as they begin.
type team struct {
	stop   func()
	failed chan error
}

// mostFailures is how many times in a row a worker may end within seconds.
const mostFailures = 8

// start starts worker processes in a folder whose sources have a digest. A worker that dies is
// replaced until the team is stopped.
func (o *runOptions) start(c *command.Call, folder, sources string) (*team, error) {
	program, err := self()
	if err != nil {
		return nil, err
	}
	number := o.Workers
	if number == 0 {
		number = 2
	}
	args := []string{"worker", "-quiet", "-context", o.context, "-patience", "2s", "-sources", sources}
	if o.store != "" {
		args = append(args, "-store", o.store)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{}, number)
	t := &team{failed: make(chan error, number)}
	for k := range number {
		go func() {
			defer func() { ended <- struct{}{} }()
			for failures := 0; ctx.Err() == nil; {
				cmd := exec.CommandContext(ctx, program, args...)
				cmd.Dir, cmd.Env = folder, c.Environ
				var errs bytes.Buffer
				cmd.Stderr = &errs
				cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
				cmd.WaitDelay = 10 * time.Second
				endWithParent(cmd)
				begun := host.Now()
				err := cmd.Run()
				if ctx.Err() != nil {
					return
				}
				c.Note("worker %s ended (%v) and is replaced", strconv.Itoa(k+1), err)
				if failures++; host.Since(begun) > 10*time.Second {
					failures = 0
				}
				if failures == mostFailures {
					t.failed <- fmt.Errorf("workers end as soon as they begin: %v\n%s", err, strings.TrimSpace(errs.String()))
					return
				}
				select { // one that cannot start at all must not take all of the machine
				case <-ctx.Done():
				case <-time.After(time.Duration(failures) * 100 * time.Millisecond):
				}
			}
		}()
	}
	t.stop = func() {
		cancel()
		for range number {
			<-ended
		}
		close(t.failed)
	}
	return t, nil
}
