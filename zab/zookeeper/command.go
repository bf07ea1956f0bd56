package zookeeper

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Exit codes of Tap, those of command multigrain.
const (
	exitOK     = 0
	exitUsage  = 2
	exitSystem = 153
)

// Supports names the versions of ZooKeeper whose packets the tap reads.
const Supports = "ZooKeeper 3.4.0 to 3.9"

// tapHelp says how to put a tap in front of an ensemble.
//
//go:embed tap.txt
var tapHelp string

// Tap is the program after "multigrain tap zookeeper". It forwards the traffic of an ensemble, as
// args say. It writes events to the standard output until it is interrupted or its standard input
// ends. It returns an exit code.
func Tap(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // the command that started this is gone when its end of the pipe closes
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return tap(ctx, args, os.Stdout, os.Stderr)
}

const seeHelp = "See multigrain tap zookeeper -help."

// tapOptions are the flags of Tap.
type tapOptions struct {
	links         []string
	out           string
	room          int
	quiet         bool
	node          int64 // the identity of the server whose stream is written; -1: all events
	servers       []int64
	notifications bool
	numbered      bool
}

func tap(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o tapOptions
	fs := flag.NewFlagSet("tap zookeeper", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {}
	fs.Func("link", "forward `FROM-TO=LISTEN,TARGET`; may be repeated", func(s string) error {
		o.links = append(o.links, s)
		return nil
	})
	fs.StringVar(&o.out, "out", "", "write events to `FILE`, new, or to unix:PATH, a socket on which somebody listens, and not to the standard output")
	fs.IntVar(&o.room, "room", 1<<16, "keep up to `N` events for a slow reader; further events are dropped and counted")
	index := fs.Int("node", -1, "write what node `I` of -servers sees, counted from 0 as multigrain monitor counts, and not all events")
	fs.Int64Var(&o.node, "server", -1, "the same of the server with the identity `ID`")
	fs.Func("servers", "with -node or -server: the identities of all servers that vote, `I,J,...`", func(s string) error {
		for word := range strings.SplitSeq(s, ",") {
			n, err := parseServer(word)
			if err != nil {
				return err
			}
			o.servers = append(o.servers, n)
		}
		return nil
	})
	fs.BoolVar(&o.notifications, "notifications", false, "with -node or -server: also the notifications of elections")
	fs.BoolVar(&o.numbered, "numbered", false, "with -node or -server: number the transactions of a zxid instead of digests, as configs/zab/zookeeper.hcl needs it")
	fs.BoolVar(&o.quiet, "quiet", false, "say nothing of links and counts on the standard error")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, tapHelp)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return exitOK
	case err != nil: // which it has printed
		fmt.Fprintln(stderr, seeHelp)
		return exitUsage
	case fs.NArg() > 0:
		return wrong(stderr, "%q is no flag", fs.Arg(0))
	case len(o.links) == 0:
		return wrong(stderr, "there is nothing to forward: give at least one -link")
	case o.room < 1:
		return wrong(stderr, "-room must be at least 1")
	}
	routes, err := parseLinks(o.links)
	if err != nil {
		return wrong(stderr, "%v", err)
	}
	switch {
	case *index < 0:
	case o.node >= 0:
		return wrong(stderr, "-node and -server say the same: give one of them")
	case *index >= len(o.servers):
		return wrong(stderr, "-node %d is none of the %d servers of -servers, which it counts from 0; -server takes an identity", *index, len(o.servers))
	default:
		o.node = o.servers[*index]
	}
	if o.node >= 0 {
		if _, err := NewStream(o.node, o.servers, io.Discard); err != nil {
			return wrong(stderr, "-server and -servers: %v", err)
		}
		if !o.quiet {
			fmt.Fprintf(stderr, "node %d, server %d, as multigrain monitor -node %d reads it\n", slices.Index(o.servers, o.node), o.node, slices.Index(o.servers, o.node))
		}
	}
	out := stdout
	if path, ok := strings.CutPrefix(o.out, "unix:"); ok {
		out = &socket{path: path, lost: o.lostLine, head: o.header()}
	} else if o.out != "" {
		f, err := newFile(o.out)
		if err != nil {
			return failed(stderr, err)
		}
		defer f.Close()
		out = f
	}
	return run(ctx, routes, o, out, stderr)
}

// newFile makes a file for events, or opens an empty one, a device or a pipe. What a tap recorded
// before is not overwritten.
func newFile(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return nil, fmt.Errorf("%s is there already and is not overwritten: name a new file with -out, or move it away", path)
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
}

func wrong(stderr io.Writer, format string, args ...any) int {
	fmt.Fprintf(stderr, "tap zookeeper: "+format+"\n"+seeHelp+"\n", args...)
	return exitUsage
}

func failed(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "tap zookeeper: %v\n", err)
	return exitSystem
}

// run forwards until ctx is done.
func run(ctx context.Context, routes []Route, o tapOptions, out, stderr io.Writer) int {
	sink := NewSink(o.room)
	var links []*Link
	end := func() {
		for _, l := range links {
			l.Close()
		}
		sink.Close()
	}
	for _, r := range routes {
		l, err := Forward(r, sink)
		if err != nil {
			end()
			return failed(stderr, err)
		}
		links = append(links, l)
		if !o.quiet {
			fmt.Fprintf(stderr, "%s port of server %d: %s forwards to %s\n", r.Port, r.To, l.Addr(), r.Target)
		}
	}
	written := make(chan error, 1)
	go func() { written <- o.write(sink, out, stderr) }()
	o.await(ctx, sink)
	end()
	err := <-written
	if events, dropped := sink.Counts(); !o.quiet || dropped > 0 {
		fmt.Fprintf(stderr, "%d events, %d of them dropped\n", events, dropped)
	}
	if err != nil {
		return exitSystem
	}
	return exitOK
}

// await waits until ctx is done. With -node each SIGHUP says that the server was restarted.
func (o *tapOptions) await(ctx context.Context, sink *Sink) {
	hangups := make(chan os.Signal, 1)
	if o.node >= 0 {
		signal.Notify(hangups, syscall.SIGHUP)
		defer signal.Stop(hangups)
	}
	for {
		select {
		case <-hangups:
			sink.Restarted(o.node)
		case <-ctx.Done():
			return
		}
	}
}

// write writes events until the sink is closed. If it cannot for good, that is stated at once and
// traffic is still forwarded.
func (o *tapOptions) write(sink *Sink, out io.Writer, stderr io.Writer) error {
	var text bytes.Buffer
	consume := func(batch []Event) error { return WriteEvents(&text, batch) }
	end := func() error { return nil }
	if o.node >= 0 {
		s, err := NewStream(o.node, o.servers, &text)
		if err != nil {
			return err
		}
		s.Notifications, s.Numbered = o.notifications, o.numbered
		consume = func(batch []Event) error {
			for k := range batch {
				if err := s.Take(&batch[k]); err != nil {
					return err
				}
			}
			return nil
		}
		end = func() error { return s.End(time.Now().UnixNano()) }
	}
	flush := func() error {
		defer text.Reset()
		if text.Len() == 0 {
			return nil
		}
		_, err := out.Write(text.Bytes())
		return err
	}
	err := sink.Drain(context.Background(), func(batch []Event) error {
		return errors.Join(consume(batch), flush()) // a batch holds all events that waited
	})
	if err == nil {
		err = errors.Join(end(), flush())
	}
	if err != nil {
		fmt.Fprintf(stderr, "tap zookeeper: events cannot be written any more, traffic is forwarded without: %v\n", err)
	}
	return err
}

// parseLinks reads -link flags. Each is about both ports:
// FROM-TO=HOST:QUORUM:ELECTION,HOST:QUORUM:ELECTION with where to listen and where the ports of
// server TO are; FROM is a server or "any".
func parseLinks(links []string) ([]Route, error) {
	var out []Route
	for _, text := range links {
		ends, places, ok := strings.Cut(text, "=")
		from, to, ok2 := strings.Cut(ends, "-")
		listen, target, ok3 := strings.Cut(places, ",")
		if !ok || !ok2 || !ok3 {
			return nil, fmt.Errorf("-link %q is not of the form FROM-TO=LISTEN,TARGET", text)
		}
		r := Route{From: -1}
		var err error
		if from != "any" {
			if r.From, err = parseServer(from); err != nil {
				return nil, fmt.Errorf("-link %q: %w", text, err)
			}
		}
		if r.To, err = parseServer(to); err != nil {
			return nil, fmt.Errorf("-link %q: %w", text, err)
		}
		here, err := parsePorts(listen)
		if err != nil {
			return nil, fmt.Errorf("-link %q: %w", text, err)
		}
		there, err := parsePorts(target)
		if err != nil {
			return nil, fmt.Errorf("-link %q: %w", text, err)
		}
		for _, port := range []Port{QuorumPort, ElectionPort} {
			r.Port, r.Listen, r.Target = port, here[port], there[port]
			out = append(out, r)
		}
	}
	return out, nil
}

func parseServer(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no server's identity", s)
	}
	return n, nil
}

// parsePorts reads HOST:QUORUM:ELECTION, as a server line of zoo.cfg has it, into two addresses.
func parsePorts(s string) (out [2]string, err error) {
	election := strings.LastIndex(s, ":")
	quorum := strings.LastIndex(s[:max(election, 0)], ":")
	if quorum <= 0 {
		return out, fmt.Errorf("%q is not of the form HOST:QUORUM:ELECTION", s)
	}
	host := s[:quorum]
	for k, port := range []string{s[quorum+1 : election], s[election+1:]} {
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return out, fmt.Errorf("%q is no port", port)
		}
		out[k] = host + ":" + port
	}
	return out, nil
}
