package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/jobs"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/loopback"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/junit"
	"github.com/multigrain/multigrain/configs"
)

// RunVerb is the verb run.
var RunVerb = command.Verb{
	Name: "run", Args: "JOBFILE|MANIFEST|DIR...", Summary: "run many jobs on several workers", Least: 0, Most: -1,
	About: `A job is one verb on one manifest with values of variables. A job file has blocks:

    job "reads" {
      verb      = "simulate"            # else check; or conform, interaction
      manifests = ["raft/read*.hcl"]    # from the folder of the job file; ** stands for all folders
      vars      = { servers = 3 }
      each      = { requests = "1..3" } # one job for each value; or a list
      flags     = ["-number=1000"]      # of the verb
      seeds     = "1..1000"             # a job for each: simulate, conform, interaction
    }

Manifests, and those below a folder, are jobs of -verb with -each and -seeds. All manifests are in the module of the working folder.

With -on embedded, a NATS server in this process keeps the queue, and this command starts -workers processes and ends them.
With a URL, workers are started elsewhere, with the verb worker. Jobs whose worker dies are done again by another. A run
that was interrupted, or killed, continues with the same command on the same sources.

A check of a manifest with an expect block is compared with it, as the verb test does. So are the verdict of interaction and
the violation that walks find. Another job is as expected if its exit code is 0. Walks that do not find an expected violation
are undecided, unless another seed of the same job finds it.

-status lists the runs on a server, or shows the run that the argument names.

With -listen a page shows the run while it lasts, and with -status the runs on a server until Ctrl-C. The page's address is
printed. Only this machine reaches it.
`,
	Code:    command.RunsAdapter,
	Options: func() command.Options { return new(runOptions) },
}

// embedded is the value of -on for a server in this process.
const embedded = "embedded"

// runOptions are the options of run.
type runOptions struct {
	engine
	command.Bounded
	verb, seeds, junit, out     string
	each                        []string
	send, keep, status, metrics bool
	replicas                    int
	listen                      string // where the page is served; "" for no page
	listener                    net.Listener
	local                       bool // the server is in this process
}

func (o *runOptions) Flags(fs *flag.FlagSet) {
	o.flags(fs, "where the queue is, `embedded|URL`: in this process, which is the default, or on a NATS server, as nats://HOST:4222")
	o.WorkersFlag(fs, "with -on embedded, start `N` worker processes; 0, the default, is two")
	fs.StringVar(&o.verb, "verb", "", "the `VERB` of manifests and folders (default: check)")
	fs.StringVar(&o.seeds, "seeds", "", "one job for each seed of manifests and folders, `FIRST..LAST`")
	fs.Func("each", "one job for each value of a variable, `NAME=FIRST..LAST`, or NAME=VALUE,VALUE; may be repeated", func(s string) error {
		o.each = append(o.each, s)
		return nil
	})
	fs.StringVar(&o.junit, "junit", "", "write the results as JUnit XML to `FILE`")
	fs.StringVar(&o.out, "out", "", "write the document and the traces of each job into the folder `DIR`, as soon as it has ended")
	fs.BoolVar(&o.send, "send", false, "store the sources on the server, for workers that trust their digest")
	fs.BoolVar(&o.keep, "keep", false, "leave the run where it is when its document is printed; the same command prints it again")
	fs.BoolVar(&o.status, "status", false, "say how far the runs on a server are, or the run that is named, and run nothing")
	fs.BoolVar(&o.metrics, "metrics", false, "with -status, print the metrics of Prometheus")
	fs.Func("listen", "serve a page that shows the run live on `ADDR` of loopback, such as 127.0.0.1:8080; 0 is a free port", func(s string) (err error) {
		o.listen, err = loopback.Address(s)
		return err
	})
	fs.Func("replicas", "on a cluster of servers, keep the run on `1|3|5` of them (default: 1)", func(s string) error {
		if _, err := fmt.Sscan(s, &o.replicas); err != nil || o.replicas != 1 && o.replicas != 3 && o.replicas != 5 {
			return errors.New("1, 3 and 5 are possible")
		}
		return nil
	})
}

// Places returns the files and folders that flags name.
func (o *runOptions) Places() []shell.Place {
	return []shell.Place{
		{Path: o.junit, Flag: "-junit", Summary: "Results cannot be written"},
		{Path: o.out, Flag: "-out", Summary: "Results cannot be written", Folder: true},
	}
}

// contradiction returns a sentence about flags that do not go together; "" if they do.
func (o *runOptions) contradiction(c *command.Call) string {
	o.local = o.URL == "" && o.context == "" || o.URL == embedded
	local := o.local
	switch {
	case o.status && local:
		return "-status asks a server: add -on nats://HOST:4222 or -context FILE. The context of an embedded server is nats.json in the folder that the run prints."
	case o.status && len(c.Args) > 1:
		return "-status takes the name of one run at most."
	case o.metrics && !o.status:
		return "-metrics is for -status."
	case !o.status && len(c.Args) == 0:
		return "run needs job files, manifests or folders."
	case local && (o.context != "" || o.replicas > 1):
		return "-context and -replicas are for a server elsewhere: add -on nats://HOST:4222."
	case !local && o.Workers > 0 && !o.status:
		return "-workers is for -on embedded. Start workers of another server with the verb worker."
	}
	return ""
}

func (o *runOptions) Run(c *command.Call) int {
	if wrong := o.contradiction(c); wrong != "" {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Wrong flags", hcl.Range{}, "%s", wrong)}, nil)
		return shell.Usage
	}
	in := shell.Catch()
	defer in.Release()
	if o.listen != "" {
		l, err := loopback.Listen(o.listen)
		if err != nil {
			c.Report(hcl.Diagnostics{configs.Errorf(codes.ExplorePage, "Page cannot be served", hcl.Range{}, "%s. Choose another address with -listen.", err)}, nil)
			return c.Exit()
		}
		defer l.Close()
		o.listener = l
	}
	if o.status {
		return o.showStatus(in.Soft, c)
	}
	folder, _, err := root()
	if err != nil {
		c.Report(hcl.Diagnostics{unreachable(embedded, err)}, nil)
		return c.Exit()
	}
	ask := jobs.Request{Args: c.Args, Verb: o.verb, Seeds: o.seeds, Each: o.each, Vars: c.Vars, Environ: c.Environ, Root: folder}
	ask.Manifests = func(args []string) ([]string, []string, hcl.Diagnostics) {
		return c.Env(shell.Uncaught()).Manifests(args, "", nil)
	}
	list, skipped, sources, diags := ask.Read()
	c.Doc.Skipped = skipped
	c.Report(diags, sources)
	if diags.HasErrors() {
		return shell.ExitOf(diags)
	}
	f := &result.Fleet{Jobs: len(list), Ended: []result.FleetJob{}}
	err = o.gather(in.Soft, c, folder, list, f)
	c.Doc.Looked.Jobs = int64(len(f.Ended))
	c.Doc.Fleet, c.Doc.Interrupted = f, in.Soft.Err() != nil && len(f.Ended) < f.Jobs
	if err != nil && !c.Doc.Interrupted {
		d := unreachable(o.URL, err)
		other := new(otherStore)
		switch {
		case errors.As(err, new(closed)):
			d = unusable(err)
		case errors.As(err, other):
			d = configs.Errorf(codes.OtherStore, "Run has another store", hcl.Range{}, "%s", *other)
		case o.local:
			d.Detail = fmt.Sprintf("The run ended early: %s", err)
		}
		c.Report(hcl.Diagnostics{d}, nil)
	}
	o.show(c, f, list)
	return c.Exit()
}

// gather runs jobs and puts the results that there are into f.
func (o *runOptions) gather(ctx context.Context, c *command.Call, folder string, list []jobs.Job, f *result.Fleet) (err error) {
	here := tree{folder, c.Cache()}
	if f.Sources, err = here.digest(command.Version()); err != nil {
		return err
	}
	f.Run = jobs.Identity(list, f.Sources)
	local := o.local
	if local {
		o.URL, o.Patience = embedded, min(o.Patience, time.Minute)
		store := filepath.Join(c.Cache(), "runs", f.Run)
		end, err := o.embed(store)
		if err != nil {
			return err
		}
		defer func() {
			end()
			if len(f.Ended) == f.Jobs && !o.keep {
				host.RemoveAll(store)
			} else {
				f.Store = store
			}
		}()
		c.Note("run %s: %d jobs, in %s", f.Run, len(list), store)
	} else if err := o.address(); err != nil {
		return err
	}
	conn, err := o.dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.Replicas = max(1, o.replicas)
	run, err := o.submit(ctx, conn, here, list, f)
	if err != nil {
		return err
	}
	if run.Elsewhere() {
		return otherStore{run}
	}
	if o.listener != nil {
		end, err := o.page(ctx, c, f.Run)
		if err != nil {
			return err
		}
		defer end()
	}
	if !local {
		c.Note("run %s: %d jobs, with sources %s", f.Run, len(list), f.Sources)
	} else {
		if err := run.Afresh(ctx); err != nil {
			return err
		}
		team, err := o.start(c, folder, f.Sources)
		if err != nil {
			return err
		}
		defer team.stop()
		working, end := context.WithCancelCause(ctx)
		defer end(nil)
		go func() { end(<-team.failed) }()
		ctx = working
	}
	out := &documents{run: run, folder: o.out, have: map[string]string{}}
	err = o.await(ctx, c, run, list, f, out)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if err == nil {
		err = out.fetch(context.WithoutCancel(ctx))
	}
	if err == nil && !o.keep && (!local || o.store != "") {
		err = run.Remove(context.WithoutCancel(ctx))
	}
	return err
}

// otherStore is the error of a run that was begun with another store.
type otherStore struct{ run *queue.Run }

func (o otherStore) Error() string {
	return fmt.Sprintf("%s Give the command %s.", elsewhere(o.run), storeFlag(o.run))
}

// submit puts a run on the server, unless it is there.
func (o *runOptions) submit(ctx context.Context, conn *queue.Conn, here tree, list []jobs.Job, f *result.Fleet) (*queue.Run, error) {
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	var packed []byte
	if o.send {
		if packed, err = here.pack(); err != nil {
			return nil, err
		}
	}
	return conn.Submit(ctx, queue.Record{ID: f.Run, Sources: f.Sources, Jobs: len(list), Whole: o.out != ""}, text, packed)
}

// await coordinates a run, or lets others do so, until all jobs have ended. If ctx is done first,
// f has the results of then, and their documents are written.
func (o *runOptions) await(ctx context.Context, c *command.Call, run *queue.Run, list []jobs.Job, f *result.Fleet, out *documents) error {
	waiting, end := context.WithCancel(ctx)
	failed := make(chan error, 1)
	go func() {
		err := run.Coordinating(waiting, nameOf("run"), split, joined)
		failed <- err
		if err != nil {
			end()
		}
	}()
	err := run.Wait(waiting, func(done int) {
		c.Note("%d of %d jobs have ended", done, len(list))
		out.meanwhile(waiting)
	})
	end()
	if coordinating := <-failed; errors.Is(err, context.Canceled) && coordinating != nil {
		err = coordinating // it is why the waiting was ended
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), 4*queue.Beat)
	defer stop()
	if err != nil {
		results, failed := run.Results(last)
		if text, bad := json.Marshal(list); failed == nil && bad == nil {
			if ended, bad := join(text, results); bad == nil {
				f.Ended = ended
			}
		}
		_ = out.fetch(last) // err says why the run ended
		return err
	}
	text, err := run.Result(last)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &f.Ended)
}

// documents writes the documents of a run into a folder, which has a folder for each job.
type documents struct {
	run    *queue.Run
	folder string            // "": nothing is written
	have   map[string]string // what was written, by name
	next   time.Time         // when more are fetched while the run lasts
}

// fetch writes the documents that the folder lacks. Each is written whole, and that of the verb
// after the traces of its job.
func (d *documents) fetch(ctx context.Context) error {
	if d.folder == "" {
		return nil
	}
	all, err := d.run.Documents(ctx)
	for _, last := range []bool{false, true} {
		for name, mark := range all {
			if d.have[name] == mark || (path.Base(name) == resultFile) != last {
				continue
			}
			failed := d.write(ctx, name)
			if failed == nil {
				d.have[name] = mark
			}
			err = errors.Join(err, failed)
		}
	}
	return err
}

// write writes a document.
func (d *documents) write(ctx context.Context, name string) error {
	content, err := d.run.Object(ctx, name)
	if err != nil {
		return err
	}
	path := filepath.FromSlash(name)
	if !filepath.IsLocal(path) {
		return fmt.Errorf("the server has a document with the name %q", name)
	}
	return files.WriteFile(filepath.Join(d.folder, path), content, 0o644) // makes the folder
}

// meanwhile fetches documents while the run lasts, in at most a tenth of the time. Those that
// cannot be fetched now are fetched later, and at last by the end of the run.
func (d *documents) meanwhile(ctx context.Context) {
	begun := host.Now()
	if begun.Before(d.next) {
		return
	}
	_ = d.fetch(ctx)
	d.next = host.Now().Add(9 * host.Since(begun))
}

// show prints the result and writes the file of -junit.
func (o *runOptions) show(c *command.Call, f *result.Fleet, list []jobs.Job) {
	var b strings.Builder
	for k, j := range f.Ended {
		if j.Outcome != verdicts.AsExpected {
			fmt.Fprintf(&b, "%-12s %s: %s expected, %s found\n", j.Outcome, j.Title, j.Expected, j.Found)
			for _, d := range j.Differences {
				b.WriteString("             " + d + "\n")
			}
			if j.Lost != "" {
				b.WriteString("             " + j.Lost + "\n")
			}
			if o.out != "" && len(f.Ended) == f.Jobs {
				fmt.Fprintf(&b, "             see %s\n", filepath.Join(o.out, fmt.Sprint(k)))
			}
		}
	}
	counts := f.Counts()
	fmt.Fprintf(&b, "%d jobs: %d as expected, %d differ, %d undecided\n", f.Jobs, counts[verdicts.AsExpected], counts[verdicts.Differs], counts[verdicts.Undecided])
	if left := f.Jobs - len(f.Ended); left > 0 {
		fmt.Fprintf(&b, "%d jobs have no result yet. The same command continues.\n", left)
	}
	if f.Store != "" {
		fmt.Fprintf(&b, "The run is in %s.\n", f.Store)
	}
	c.Print(b.String())
	if o.junit == "" {
		return
	}
	have, left := map[string]bool{}, []string{}
	for _, j := range f.Ended {
		have[j.Title] = true
	}
	for _, j := range list {
		if !have[j.Title()] {
			left = append(left, j.Title())
		}
	}
	if err := files.WriteFile(o.junit, junit.OfTests(f.Tests(), left), 0o644); err != nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Write, "Results cannot be written", hcl.Range{}, "%v. Name another file with -junit.", err)}, nil)
	}
}
