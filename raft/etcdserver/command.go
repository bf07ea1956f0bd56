package etcdserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// Exit codes of Tap, those of command multigrain.
const (
	exitOK     = 0
	exitUsage  = 2
	exitSystem = 153
)

// Supports names the versions of etcd whose messages the tap reads.
const Supports = "etcd 3.5 to 3.7"

// tapHelp says how to put a tap between the members of a cluster.
//
//go:embed tap.txt
var tapHelp string

const seeHelp = "See multigrain tap etcd -help."

// Tap is the program after "multigrain tap etcd". It forwards the traffic of a cluster, as args
// say. It writes the streams of members until it is interrupted or its standard input ends. It
// returns an exit code.
func Tap(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // the command that started this is gone when its end of the pipe closes
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return run(ctx, args, os.Stdout, os.Stderr)
}

// options are the flags of Tap.
type options struct {
	links         [][2]string // where to listen, and the peer port
	nodes         []output
	cert, key, ca string
	times, quiet  bool
}

// output is where the stream of a member goes: "" for the standard output.
type output struct {
	node int
	to   string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, code := parse(args, stdout, stderr)
	if o == nil {
		return code
	}
	certificates, err := o.certificates()
	if err != nil {
		return wrong(stderr, "%v", err)
	}
	w := NewWatch(func(e Event) {
		fmt.Fprintf(stderr, "tap etcd: link %d: %s\n", e.Number, e.Cause)
	})
	for _, n := range o.nodes {
		sink, err := n.sink(stdout)
		if err != nil {
			return failed(stderr, err)
		}
		w.Add(NewStream(n.node, tap.New(sink, tap.Options{Messages: true, Times: o.times})))
	}
	var links []*Link
	backlog := NewBacklog()
	end := func() error {
		for _, l := range links {
			l.Close()
		}
		backlog.Close()
		return w.Close()
	}
	for k, x := range o.links {
		l, err := Forward(k, x[0], x[1], certificates, backlog, w.Note)
		if err != nil {
			return failed(stderr, errors.Join(err, end()))
		}
		links = append(links, l)
		if !o.quiet {
			fmt.Fprintf(stderr, "member %d: %s forwards to %s\n", k, l.Addr(), l.target)
		}
	}
	<-ctx.Done()
	if err := end(); err != nil {
		fmt.Fprintf(stderr, "tap etcd: %v\n", err)
	}
	return exitOK
}

// parse reads the flags; nil with an exit code where the program ends here.
func parse(args []string, stdout, stderr io.Writer) (*options, int) {
	o := &options{}
	fs := flag.NewFlagSet("tap etcd", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {}
	fs.Func("link", "listen and forward to the peer port of the next member, `LISTEN,TARGET`; both are host:port", o.link)
	fs.Func("node", "write the stream of member `I`, I=FILE or I=unix:PATH; may be repeated", o.output)
	fs.StringVar(&o.cert, "cert", "", "the certificate of the tap, a `FILE`, where members talk by TLS")
	fs.StringVar(&o.key, "key", "", "its key, a `FILE`")
	fs.StringVar(&o.ca, "ca", "", "the certificates of those who sign the members' ones, a `FILE`")
	fs.BoolVar(&o.times, "times", false, "write the time of each event")
	fs.BoolVar(&o.quiet, "quiet", false, "say nothing of links on the standard error")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, tapHelp)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return nil, exitOK
	case err != nil: // which it has printed
		fmt.Fprintln(stderr, seeHelp)
		return nil, exitUsage
	case fs.NArg() > 0:
		return nil, wrong(stderr, "%q is no flag", fs.Arg(0))
	case len(o.links) < 2:
		return nil, wrong(stderr, "there is nothing to forward: give a -link for each member, at least two")
	case len(o.nodes) == 0:
		return nil, wrong(stderr, "-node is missing: whose stream is written")
	}
	for k, n := range o.nodes {
		if n.node >= len(o.links) {
			return nil, wrong(stderr, "-node %d has no -link: there are %d, counted from 0", n.node, len(o.links))
		}
		for _, other := range o.nodes[:k] {
			if other.node == n.node || other.to == n.to {
				return nil, wrong(stderr, "two -node have the same member or the same output")
			}
		}
	}
	return o, exitOK
}

func wrong(stderr io.Writer, format string, args ...any) int {
	fmt.Fprintf(stderr, "tap etcd: "+format+"\n"+seeHelp+"\n", args...)
	return exitUsage
}

func failed(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "tap etcd: %v\n", err)
	return exitSystem
}

func (o *options) link(text string) error {
	listen, target, ok := strings.Cut(text, ",")
	if !ok {
		return fmt.Errorf("it is not of the form LISTEN,TARGET")
	}
	for _, address := range [2]string{listen, target} {
		if _, _, err := net.SplitHostPort(address); err != nil {
			return err
		}
	}
	o.links = append(o.links, [2]string{listen, target})
	return nil
}

func (o *options) output(text string) error {
	number, to, _ := strings.Cut(text, "=")
	node, err := strconv.Atoi(number)
	if err != nil || node < 0 {
		return fmt.Errorf("%q is no number of a member; they count from 0", number)
	}
	o.nodes = append(o.nodes, output{node, to})
	return nil
}

// sink opens the output of a stream. What a tap recorded before is not overwritten.
func (n output) sink(stdout io.Writer) (tap.Sink, error) {
	if path, ok := strings.CutPrefix(n.to, "unix:"); ok {
		return tap.Unix(path), nil
	}
	if n.to == "" {
		return func() (io.WriteCloser, error) { return open{stdout}, nil }, nil
	}
	if info, err := os.Stat(n.to); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return nil, fmt.Errorf("%s is there already and is not overwritten: name a new file with -node, or move it away", n.to)
	}
	f, err := os.OpenFile(n.to, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	f.Close()
	return tap.File(n.to), nil
}

// open is a writer that is not closed.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// certificates reads what TLS needs; nil without the flags. Who dials must have a certificate that
// the authority has signed: the member to which it forwards sees that of the tap only.
func (o *options) certificates() (*Certificates, error) {
	if o.cert == "" && o.key == "" && o.ca == "" {
		return nil, nil
	}
	if o.cert == "" || o.key == "" || o.ca == "" {
		return nil, fmt.Errorf("-cert, -key and -ca are given together: one of them is missing")
	}
	own, err := tls.LoadX509KeyPair(o.cert, o.key)
	if err != nil {
		return nil, fmt.Errorf("-cert and -key: %w", err)
	}
	text, err := os.ReadFile(o.ca)
	if err != nil {
		return nil, fmt.Errorf("-ca: %w", err)
	}
	signers := x509.NewCertPool()
	if !signers.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("-ca: %s has no certificate in PEM", o.ca)
	}
	return &Certificates{
		Server: &tls.Config{Certificates: []tls.Certificate{own}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: signers, MinVersion: tls.VersionTLS12},
		Client: &tls.Config{Certificates: []tls.Certificate{own}, RootCAs: signers, MinVersion: tls.VersionTLS12},
	}, nil
}
