package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/jobs"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/search"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
)

// task is the part of a search that a worker gets.
type task struct {
	ID   string   `json:"id"` // of the attempt
	Part int      `json:"part"`
	Job  jobs.Job `json:"job"` // a check with the composition of the search
}

// Searching are the flags of a search on several workers.
type Searching struct{ engine }

// Flags declares the flags.
func (s *Searching) Flags(fs *flag.FlagSet) {
	s.places(fs, "search on several workers, `embedded|URL`: -workers processes of this command, by default two; or workers of a NATS server, as nats://HOST:4222")
}

// Asked reports whether there are several workers.
func (s *Searching) Asked() bool { return s.URL != "" || s.context != "" }

// Engine returns the engine of a search. Workers is the number of its parts. Flags are those of the
// verb that the composition depends on. Call end when the search has ended. The diagnostics say
// why there is no engine.
func (s *Searching) Engine(c *command.Call, workers int, flags []string, lost func(why string)) (e session.Engine, end func(), diags hcl.Diagnostics) {
	end = func() {}
	local := &search.Engine{Workers: workers, Lost: lost}
	if s.URL == embedded && s.context == "" {
		return local, end, nil
	}
	err := s.address()
	var conn *queue.Conn
	if err == nil {
		conn, err = s.Dial()
	}
	if err != nil {
		return nil, end, hcl.Diagnostics{unreachable(s.name(), err)}
	}
	end = conn.Close
	if at, ok := search.PlaceIn(c.Environ); ok {
		return &search.Member{Conn: conn, Place: at}, end, nil
	}
	if local.Server, diags = s.server(c, conn, flags); diags.HasErrors() {
		conn.Close()
		return nil, func() {}, diags
	}
	return local, end, nil
}

// server returns what calls for workers with the same sources.
func (s *Searching) server(c *command.Call, conn *queue.Conn, flags []string) (*search.Server, hcl.Diagnostics) {
	folder, _, err := root()
	if err != nil {
		return nil, hcl.Diagnostics{unreachable(s.name(), err)}
	}
	digest, err := tree{folder, c.Cache()}.digest(command.Version())
	if err != nil {
		return nil, hcl.Diagnostics{unreachable(s.name(), err)}
	}
	ask := jobs.Request{Args: c.Args, Vars: c.Vars, Environ: c.Environ, Root: folder}
	ask.Manifests = func(args []string) ([]string, []string, hcl.Diagnostics) { return args, nil, nil }
	list, _, _, diags := ask.Read()
	if diags.HasErrors() || len(list) != 1 {
		return nil, diags
	}
	job := list[0]
	job.Expects, job.Flags = jobs.Expects{}, flags
	return &search.Server{
		Conn: conn, Name: s.name(), Sources: digest,
		Task: func(id string, part int) []byte {
			text, err := json.Marshal(task{id, part, job})
			if err != nil {
				panic(err) // it holds texts and numbers
			}
			return text
		},
		Joined: func(names []string) { c.Note("workers of %s that take part: %s", s.name(), strings.Join(names, ", ")) },
	}, nil
}

// name returns the address without a password.
func (s *Searching) name() string {
	all := strings.Split(s.URL, ",")
	for k, a := range all {
		if u, err := url.Parse(strings.TrimSpace(a)); err == nil {
			all[k] = u.Redacted()
		}
	}
	return strings.Join(all, ",")
}

// join takes part in a search that calls, if the worker has its sources. It returns when the part
// has ended.
func (w *worker) join(ctx context.Context, server engine, conn *queue.Conn, calls *queue.Calls, call *queue.Call) {
	folder, ok := w.folders[call.Sources]
	if !ok {
		if !w.refused[call.Sources] {
			w.refused[call.Sources] = true
			w.c.Note("a search calls for workers with the sources %s, which this worker does not have", call.Sources)
		}
		return
	}
	var t task
	text := calls.Offer(call, w.name)
	if text == nil || json.Unmarshal(text, &t) != nil {
		return
	}
	ended := func(part int, e search.Ends) {
		if seat, err := conn.Sit(t.ID, part, nil, nil); err == nil {
			_ = search.Ended(seat, w.name, e)
			seat.Leave()
		}
	}
	if err := t.Job.Check(); err != nil || t.Job.Verb != "check" {
		ended(t.Part, search.Ends{Other: fmt.Sprintf("it refuses the task: %v", err)})
		return
	}
	ended(t.Part, w.run(ctx, server, folder, t))
}

// run runs the command of a part to its end.
func (w *worker) run(ctx context.Context, server engine, folder string, t task) search.Ends {
	traces, err := host.MkdirTemp("", "multigrain-part-*")
	if err != nil {
		return search.Ends{Other: err.Error()}
	}
	defer host.RemoveAll(traces)
	args := []string{"check", "-on", server.URL}
	if server.context != "" {
		args = append(args, "-context", server.context)
	}
	cmd := exec.CommandContext(ctx, w.program, append(args, t.Job.Args(traces)[1:]...)...)
	cmd.Dir = folder
	cmd.Env = append(append(w.environ, t.Job.Environ...), search.Place{ID: t.ID, Part: t.Part, Worker: w.name}.Setting())
	cmd.WaitDelay = 10 * time.Second
	endWithParent(cmd)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	err = cmd.Run()
	last := strings.TrimSpace(errs.String())
	if at := strings.LastIndex(last, "\n\n"); at >= 0 {
		last = strings.TrimSpace(last[at:])
	}
	switch {
	case cmd.ProcessState == nil:
		return search.Ends{Other: fmt.Sprintf("its command cannot be started: %v", err)}
	case cmd.ProcessState.ExitCode() < 0:
		return search.Ends{Crash: &wire.CrashError{Status: cmd.ProcessState.String(), Killed: true}}
	case cmd.ProcessState.ExitCode() > 0 && last != "":
		return search.Ends{Other: fmt.Sprintf("its command ended with exit code %d: %s", cmd.ProcessState.ExitCode(), last)}
	}
	return search.Ends{}
}
