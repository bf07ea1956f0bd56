package fleet

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/bucket"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/jobs"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

// WorkerVerb is the verb worker.
var WorkerVerb = command.Verb{
	Name: "worker", Args: "", Summary: "do jobs of the verb run until it is interrupted",
	About: `A worker connects to the NATS server of -on, which has JetStream, and takes jobs of all runs there, one at a time. Between
jobs it takes part in a search of the verb check, if one calls for workers.
Start it in a checkout of the sources. It does jobs only of runs whose sources have the same digest as its own, which
covers the source files of the module and the version of this command. It refuses other runs and says so. With -trust it
takes the sources that run -send stored, if they have that digest. No program comes over the network: the worker builds all
that it runs. If it ends, others get its job.
`,
	Code:    command.RunsAdapter,
	Options: func() command.Options { return new(workerOptions) },
}

// engine are the flags of both verbs.
type engine struct {
	queue.Access
	context string
	store   string // address of a bucket; "" is the server of the queue
}

func (e *engine) flags(fs *flag.FlagSet, on string) {
	e.places(fs, on)
	fs.StringVar(&e.store, "store", "", "keep jobs, sources and documents of runs in a bucket of an object store, `ADDRESS`, as s3://BUCKET/PREFIX?endpoint=https://HOST:9000, and not on the server of the queue. Credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	fs.Func("patience", "how long to connect again when the server is gone, a `duration` (default: 10m)", func(s string) (err error) {
		if e.Patience, err = time.ParseDuration(s); err != nil || e.Patience <= 0 {
			return errors.New("a positive duration with a unit is required, such as 90s or 10m")
		}
		return nil
	})
}

// places declares where the server is.
func (e *engine) places(fs *flag.FlagSet, on string) {
	e.Patience = 10 * time.Minute
	fs.StringVar(&e.URL, "on", "", on)
	fs.StringVar(&e.context, "context", "", "take the address, certificates and credentials from a `FILE`: a context of the command nats, such as ~/.config/nats/context/NAME.json")
}

// address reads the context. The error says that there is no address.
func (e *engine) address() error {
	if e.context != "" {
		if err := e.ReadContext(e.context); err != nil {
			return err
		}
	}
	if e.URL == "" || e.URL == embedded {
		return errors.New("there is no address. Write -on nats://HOST:4222, or name a context that has one")
	}
	return nil
}

// dial connects to the server, and opens the store if there is one.
func (e *engine) dial(ctx context.Context) (*queue.Conn, error) {
	conn, err := e.Dial()
	if err == nil && e.store != "" {
		if conn.Store, err = openStore(ctx, e.store); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return conn, err
}

// openStore opens a store.
func openStore(ctx context.Context, address string) (queue.Store, error) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	b, err := bucket.Open(ctx, address)
	if err != nil {
		return nil, closed{err}
	}
	return b, nil
}

// closed is the error of a store that cannot be used.
type closed struct{ error }

// workerOptions are the options of worker.
type workerOptions struct {
	engine
	trust   []string
	sources string
}

func (o *workerOptions) Flags(fs *flag.FlagSet) {
	o.flags(fs, "the `URL` of the NATS server, as nats://HOST:4222 or tls://HOST:4222")
	fs.Func("trust", "do jobs of runs that sent sources with this `DIGEST`, which run prints; may be repeated", func(s string) error {
		if !digests.MatchString(s) {
			return errors.New("a digest has 64 hexadecimal digits")
		}
		o.trust = append(o.trust, s)
		return nil
	})
	fs.Func("sources", "end with an error unless the own sources have this `DIGEST`", func(s string) error {
		if o.sources = s; !digests.MatchString(s) {
			return errors.New("a digest has 64 hexadecimal digits")
		}
		return nil
	})
}

// digests are digests of sources.
var digests = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (o *workerOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	err := o.address()
	if err == nil {
		var w *worker
		w, err = newWorker(c, o.trust)
		if err == nil && o.sources != "" && w.own != o.sources {
			err = edited{fmt.Errorf("the sources in %s have the digest %s, and not %s, with which the run began", w.here.folder, w.own, o.sources)}
		}
		if err == nil {
			err = w.serve(in.Soft, o.engine)
		}
	}
	if err != nil && in.Soft.Err() == nil {
		d := unreachable(o.URL, err)
		switch {
		case errors.As(err, new(edited)):
			d = configs.Errorf(codes.OtherSources, "Run has other sources", hcl.Range{}, "Sources were edited while a worker ran: %s. Undo the edit, or start the run and its workers again.", err)
		case errors.As(err, new(closed)):
			d = unusable(err)
		}
		c.Report(hcl.Diagnostics{d}, nil)
	}
	return c.Exit()
}

// edited is the error of a worker whose own sources changed.
type edited struct{ error }

func unreachable(address string, err error) *hcl.Diagnostic {
	return configs.Errorf(codes.Engine, "Engine cannot be used", hcl.Range{}, "%s: %s. A NATS server with JetStream (nats-server -js) must run there. -context names a file with what it requires.", shown(address), strings.TrimSuffix(err.Error(), "."))
}

// unusable reports a store that cannot be used.
func unusable(err error) *hcl.Diagnostic {
	return configs.Errorf(codes.Engine, "Object store cannot be used", hcl.Range{}, "%s. -store names a bucket that exists, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY have the credentials.", strings.TrimSuffix(err.Error(), "."))
}

// shown returns addresses of servers, separated by commas, without their passwords.
func shown(addresses string) string {
	list := strings.Split(addresses, ",")
	for k, a := range list {
		if u, err := url.Parse(strings.TrimSpace(a)); err == nil {
			list[k] = u.Redacted()
		}
	}
	return strings.Join(list, ",")
}

// worker does jobs.
type worker struct {
	c       *command.Call
	name    string
	own     string // digest of the own sources, "" without any
	here    tree   // with the own sources, as they were at the time of stamp
	stamp   string
	folders map[string]string // of sources, by digest
	trust   []string
	refused map[string]bool // runs
	program string
	environ []string
}

// newWorker returns a worker. One that trusts digests needs no sources of its own.
func newWorker(c *command.Call, trust []string) (*worker, error) {
	name, _ := os.Hostname()
	w := &worker{c: c, name: nameOf(name), trust: trust, folders: map[string]string{}, refused: map[string]bool{}}
	folder, module, err := root()
	if err != nil {
		return nil, err
	}
	if module || len(trust) == 0 {
		here := tree{folder, c.Cache()}
		w.stamp = here.stamp()
		if w.own, err = here.digest(command.Version()); err != nil {
			return nil, err
		}
		w.here, w.folders[w.own] = here, folder
		c.Note("worker %s runs what it builds from the sources in %s, with digest %s", w.name, folder, w.own)
	}
	// A job explores with one thread: the workers run at the same time. Variables of
	// manifests come with jobs.
	for _, e := range c.Environ {
		if !strings.HasPrefix(e, jobs.EnvironPrefix) {
			w.environ = append(w.environ, e)
		}
	}
	w.environ = append(w.environ, "MULTIGRAIN_WORKERS=1")
	w.program, err = self()
	return w, err
}

// nameOf returns a name for this process that NATS can use as part of a key.
func nameOf(machine string) string {
	clean := regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(machine, "-")
	return fmt.Sprintf("%s-%d-%x", clean, os.Getpid(), host.Now().UnixNano()&0xffffff)
}

// self returns the absolute path of this command.
func self() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		return filepath.Abs(path)
	}
	return os.Executable()
}

// serve connects, and does jobs of all runs until ctx is done or the server is gone for good.
func (w *worker) serve(ctx context.Context, server engine) error {
	conn, err := connect(ctx, server.Access)
	if err != nil {
		return err
	}
	defer conn.Close()
	if server.store != "" {
		if conn.Store, err = openStore(ctx, server.store); err != nil {
			return err
		}
	}
	alive, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	q := conn.Work(alive, w.name)
	defer q.Leave()
	go w.coordinate(ctx, conn)
	calls, err := conn.Listen()
	if err != nil {
		return err
	}
	var looked time.Time
	for ctx.Err() == nil {
		select {
		case <-conn.Gone():
			return errors.New("the connection has ended")
		default:
		}
		if w.own != "" && host.Since(looked) > 2*time.Second { // and after each job
			if looked = host.Now(); w.here.stamp() != w.stamp {
				return edited{fmt.Errorf("those in %s no longer have the digest %s", w.here.folder, w.own)}
			}
		}
		if call := calls.Next(); call != nil {
			w.join(ctx, server, conn, calls, call)
			continue
		}
		// An error here is that of a connection that is made again, or of a run that has just
		// been removed. The next round sees which.
		if did, _ := w.round(ctx, conn, q); !did {
			select {
			case <-ctx.Done():
			case <-conn.Gone():
			case <-time.After(400 * time.Millisecond):
			}
		}
	}
	return nil
}

// connect connects, and waits for a server that is not there yet.
func connect(ctx context.Context, access queue.Access) (*queue.Conn, error) {
	begun := host.Now()
	for {
		conn, err := access.Dial()
		if err == nil || queue.Refused(err) || host.Since(begun) > access.Patience {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// round takes one job of each run. It reports whether it did one.
func (w *worker) round(ctx context.Context, conn *queue.Conn, q *queue.Worker) (did bool, err error) {
	short, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	ids, err := conn.Runs(short)
	for _, id := range ids {
		if w.refused[id] {
			continue
		}
		r, failed := conn.Find(short, id)
		if failed != nil || r.Done {
			err = errors.Join(err, failed)
			continue
		}
		folder := ""
		if r.Elsewhere() {
			w.refuse(configs.Warnf(codes.OtherStore, "Run has another store", hcl.Range{}, "%s This worker does none of its jobs. Start it with %s.", elsewhere(r), storeFlag(r)), r)
		} else {
			folder = w.sourcesOf(short, r)
		}
		if folder == "" {
			continue
		}
		run := runner{program: w.program, folder: folder, environ: w.environ, whole: r.Whole}
		do := func(ctx context.Context, job []byte) queue.Done {
			done := run.do(ctx, job)
			if folder == w.here.folder && w.here.stamp() != w.stamp {
				return queue.Done{Excused: true} // its result may be that of other sources
			}
			return done
		}
		one, failed := q.Take(ctx, r, do, abandoned)
		did, err = did || one, errors.Join(err, failed)
		if ctx.Err() != nil {
			break
		}
	}
	return did, err
}

// sourcesOf returns the folder with the sources of a run, or "" if the worker does none of its
// jobs.
func (w *worker) sourcesOf(ctx context.Context, r *queue.Run) string {
	if folder, ok := w.folders[r.Sources]; ok {
		return folder
	}
	refuse := func(format string, args ...any) string {
		w.refuse(configs.Warnf(codes.OtherSources, "Run has other sources", hcl.Range{}, "Run %s has sources with digest %s. %s", r.ID, r.Sources, fmt.Sprintf(format, args...)), r)
		return ""
	}
	if !slices.Contains(w.trust, r.Sources) {
		return refuse("This worker does none of its jobs. Start it in a checkout of the same sources, with the same version of multigrain, or with -trust %s if run had the flag -send.", r.Sources)
	}
	archive, err := r.Packed(ctx)
	if err != nil {
		return "" // the next round asks again
	}
	if archive == nil {
		return refuse("Its command sent no sources. Give run the flag -send.")
	}
	folder, err := trusted(archive, w.c.Cache(), command.Version(), r.Sources)
	if err != nil {
		return refuse("This worker cannot use the sources that it was sent: %v.", err)
	}
	w.folders[r.Sources] = folder
	w.c.Note("worker %s runs what it builds from the sources of run %s, with the trusted digest %s, in %s", w.name, r.ID, r.Sources, folder)
	return folder
}

// refuse says why the worker does none of the jobs of a run.
func (w *worker) refuse(why *hcl.Diagnostic, r *queue.Run) {
	w.refused[r.ID] = true
	w.c.Report(hcl.Diagnostics{why}, nil)
}

// elsewhere says where the objects of a run are.
func elsewhere(r *queue.Run) string {
	if r.Store == "" {
		return fmt.Sprintf("The jobs and documents of run %s are on the server of the queue.", r.ID)
	}
	return fmt.Sprintf("The jobs and documents of run %s are in %s.", r.ID, r.Store)
}

// storeFlag says which flag opens them.
func storeFlag(r *queue.Run) string {
	if r.Store == "" {
		return "no -store"
	}
	return "-store '" + r.Store + "'"
}

// coordinate takes over runs that nobody coordinates, until ctx is done. Coordinating runs
// nothing of a run's sources.
func (w *worker) coordinate(ctx context.Context, conn *queue.Conn) {
	var busy sync.Map // runs that this worker has or asks for
	for ctx.Err() == nil {
		short, stop := context.WithTimeout(ctx, 10*time.Second)
		ids, _ := conn.Runs(short)
		for _, id := range ids {
			r, err := conn.Find(short, id)
			if err != nil || r.Done || r.Elsewhere() {
				continue
			}
			if _, has := busy.LoadOrStore(id, true); has {
				continue
			}
			go func() {
				defer busy.Delete(id)
				_ = r.Coordinate(ctx, w.name, split, joined) // the next round tries again
			}()
		}
		stop()
		select {
		case <-ctx.Done():
		case <-conn.Gone():
			return
		case <-time.After(queue.Beat):
		}
	}
}
