package lsp

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb lsp.
var Verb = command.Verb{
	Name: "lsp", Summary: "serve an editor of manifests, on the standard input and output",
	About: `An editor starts this command and talks to it by the Language Server Protocol. It gets the diagnostics of validate
while a manifest is typed, with quick fixes. Blocks, attributes and names of the system are completed and documented, and
their places in the Go source are found. It gets the layout of fmt, and a code lens that runs check for at most ten minutes.
docs/how-to/editors.md has the settings of editors.
`,
	Code:    command.RunsNone + " The code lens runs check, which compiles and runs the package of the specification.",
	Options: func() command.Options { return new(options) },
}

// options are the options of lsp.
type options struct{ stdio bool }

func (o *options) Flags(fs *flag.FlagSet) {
	fs.BoolVar(&o.stdio, "stdio", false, "use the standard input and output, which is always done; some editors add it")
}

// Run serves until the editor is gone or an interrupt comes.
func (o *options) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	if err := serve(in.Soft, newServer(in.Soft, c.Env(in)), c.In, c.Raw()); err != nil && in.Soft.Err() == nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Lsp, "Connection to the editor failed", hcl.Range{}, "%v. Start \"multigrain lsp\" from an editor.", err)}, nil)
	}
	return c.Exit()
}

// serve serves an editor on in and out, until it is gone or ctx is done.
func serve(ctx context.Context, s *server, in io.Reader, out io.Writer) error {
	// Requests are answered in their order, so that each sees the text before it.
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, Concurrency: 1})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	// A read of the standard input cannot be interrupted, but one of a pipe can: so the server ends
	// although the editor keeps its side open.
	read, write := io.Pipe()
	go func() {
		_, err := io.Copy(write, in)
		write.CloseWithError(err)
	}()
	s.rpc.Start(channel.LSP(read, output{out, read}))
	context.AfterFunc(ctx, s.rpc.Stop)
	err := s.rpc.Wait()
	s.end()
	cancel()
	s.work.Wait()
	if errors.Is(err, io.EOF) || channel.IsErrClosing(err) {
		return nil
	}
	return err
}

// output is the writer of a connection. Its Close ends the reads from the input.
type output struct {
	io.Writer
	input io.Closer
}

func (o output) Close() error { return o.input.Close() }
