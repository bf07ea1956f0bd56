package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/loopback"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// showStatus says how far runs are: all on a server, or the one that the argument names. With
// -listen a page says it until ctx is done.
func (o *runOptions) showStatus(ctx context.Context, c *command.Call) int {
	f := &result.Fleet{Ended: []result.FleetJob{}, Runs: []result.FleetStatus{}}
	id := command.FirstOr(c.Args, "")
	err := o.address()
	if err == nil {
		f.Runs, err = o.ask(ctx, id)
	}
	if err == nil && o.listener != nil {
		var end func()
		if end, err = o.page(ctx, c, id); err == nil {
			<-ctx.Done()
			end()
			return c.Exit()
		}
	}
	if err != nil {
		c.Report(hcl.Diagnostics{unreachable(o.URL, err)}, nil)
		return c.Exit()
	}
	c.Doc.Fleet = f
	if o.metrics {
		c.Print(metrics(f.Runs))
	} else {
		c.Print(statusText(f.Runs))
	}
	return c.Exit()
}

// page serves a page that shows a run, or with "" all, until end is called. It prints the address.
func (o *runOptions) page(ctx context.Context, c *command.Call, id string) (end func(), err error) {
	page, err := html.Fleet(shown(o.URL))
	if err != nil {
		return nil, err
	}
	site := loopback.New(page)
	ctx, cancel := context.WithCancel(ctx)
	site.Get("runs", func() any {
		runs, err := o.ask(ctx, id)
		if err != nil {
			return map[string]string{"error": fmt.Sprintf("The server %s does not answer: %v.", shown(o.URL), err)}
		}
		return map[string][]result.FleetStatus{"runs": runs}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		site.Serve(ctx, o.listener) // the runs continue without a page
	}()
	fmt.Fprintf(c.Err, "the page is %s\n", site.Address(o.listener))
	return func() { cancel(); <-done }, nil
}

// ask asks a server for a run, or with "" for all.
func (o *runOptions) ask(ctx context.Context, id string) (out []result.FleetStatus, err error) {
	conn, err := o.Dial()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	ctx, stop := context.WithTimeout(ctx, 30*time.Second)
	defer stop()
	ids := []string{id}
	if id == "" {
		if ids, err = conn.Runs(ctx); err != nil {
			return nil, err
		}
		slices.Sort(ids)
	}
	out = []result.FleetStatus{}
	for _, one := range ids {
		r, err := conn.Find(ctx, one)
		if errors.Is(err, queue.ErrNoRun) && id == "" {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", one, err)
		}
		s, err := r.Status(ctx)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", one, err)
		}
		out = append(out, statusOf(s))
	}
	return out, nil
}

// statusOf returns the rates of a run.
func statusOf(s queue.Status) result.FleetStatus {
	f := result.FleetStatus{
		Run: s.ID, Sources: s.Sources, Begun: s.Begun.UTC().Format(time.RFC3339), Jobs: s.Jobs, Finished: s.Finished, Running: min(s.Running, s.Jobs-s.Finished),
		Done: s.Done, Coordinator: s.Coordinator, Left: -1, Workers: []result.FleetWorker{},
	}
	f.Waiting = f.Jobs - f.Finished - f.Running
	if passed := s.Now.Sub(s.Begun).Seconds(); passed > 0 {
		f.PerSecond = float64(f.Finished) / passed
	}
	switch {
	case f.Finished == f.Jobs:
		f.Left = 0
	case f.PerSecond > 0:
		f.Left = float64(f.Jobs-f.Finished) / f.PerSecond
	}
	sum, most := 0.0, 0.0
	for _, w := range s.Workers {
		state := "dead"
		if w.Left {
			state = "left"
		} else if w.Alive {
			state = "alive"
		} else {
			f.Deaths++
		}
		f.Workers = append(f.Workers, result.FleetWorker{Name: w.Name, State: state, Jobs: w.Done, Seconds: w.Seconds})
		sum, most = sum+w.Seconds, max(most, w.Seconds)
	}
	if sum > 0 {
		f.Imbalance = most / (sum / float64(len(s.Workers)))
	}
	return f
}

// statusText shows runs for people.
func statusText(runs []result.FleetStatus) string {
	if len(runs) == 0 {
		return "There is no run on this server.\n"
	}
	var b strings.Builder
	for _, r := range runs {
		state := "nobody coordinates it"
		if r.Done {
			state = "done: its command prints the document"
		} else if r.Coordinator != "" {
			state = "coordinated by " + r.Coordinator
		}
		fmt.Fprintf(&b, "run %s, begun %s, %s\n", r.Run, r.Begun, state)
		fmt.Fprintf(&b, "  jobs: %d of %d have ended, %d are running, %d are waiting\n", r.Finished, r.Jobs, r.Running, r.Waiting)
		fmt.Fprintf(&b, "  %.3g jobs a second", r.PerSecond)
		if r.Left > 0 {
			fmt.Fprintf(&b, ", %s left at this rate", words.Elapsed(r.Left))
		}
		fmt.Fprintf(&b, "; imbalance %.2f; %s\n", r.Imbalance, words.Plural(int64(r.Deaths), "dead worker"))
		for _, w := range r.Workers {
			fmt.Fprintf(&b, "  worker %s: %s, %s, busy %s\n", w.Name, w.State, words.Plural(int64(w.Jobs), "job"), words.Elapsed(w.Seconds))
		}
	}
	return b.String()
}

// metrics shows runs in the text format of Prometheus.
func metrics(runs []result.FleetStatus) string {
	var b strings.Builder
	gauge := func(name, help string, of func(result.FleetStatus) float64) {
		fmt.Fprintf(&b, "# HELP multigrain_run_%s %s\n# TYPE multigrain_run_%s gauge\n", name, help, name)
		for _, r := range runs {
			fmt.Fprintf(&b, "multigrain_run_%s{run=%q} %v\n", name, r.Run, of(r))
		}
	}
	gauge("jobs", "Jobs of the run.", func(r result.FleetStatus) float64 { return float64(r.Jobs) })
	gauge("jobs_finished", "Jobs with a result.", func(r result.FleetStatus) float64 { return float64(r.Finished) })
	gauge("jobs_running", "Jobs that a worker has.", func(r result.FleetStatus) float64 { return float64(r.Running) })
	gauge("jobs_per_second", "Jobs that ended in a second, since the run began.", func(r result.FleetStatus) float64 { return r.PerSecond })
	gauge("workers", "Workers that are alive.", func(r result.FleetStatus) float64 {
		n := 0
		for _, w := range r.Workers {
			if w.State == "alive" {
				n++
			}
		}
		return float64(n)
	})
	gauge("worker_deaths", "Workers that ended without leaving.", func(r result.FleetStatus) float64 { return float64(r.Deaths) })
	gauge("imbalance", "Greatest busy time of a worker divided by the mean.", func(r result.FleetStatus) float64 { return r.Imbalance })
	return b.String()
}
