package mcp

import (
	"context"
	"flag"
	"io"
	"os"

	"github.com/hashicorp/hcl/v2"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb mcp.
var Verb = command.Verb{
	Name: "mcp", Summary: "serve verbs as tools for language models, on the standard input and output",
	About: `A client of the Model Context Protocol starts this command and calls the tools validate, list, interaction, check,
explore, why_not, show, explain and more. Each runs a verb in a process of its own, in the folder of -root.
An answer has at most 4000 bytes unless the call asks for more. It has the exit code, the verdict, all errors and warnings,
and the first part of the text. The tool more has the other parts. A call that compiles and runs the specification must
have a timeout. One such call runs at a time. A cancelled call ends as Ctrl-C ends a verb.
Manifests, their bases and traces outside of the folder are refused. docs/how-to/agents.md has the settings of clients.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(options) },
}

// options are the options of mcp.
type options struct{ root string }

func (o *options) Flags(fs *flag.FlagSet) {
	fs.StringVar(&o.root, "root", ".", "serve manifests and traces of the folder `DIR` and those below it")
}

// Run serves until the client is gone or an interrupt comes.
func (o *options) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	program, err := os.Executable()
	var s *server
	if err == nil {
		s, err = newServer(in.Soft, program, o.root, c.Environ)
	}
	if err == nil {
		err = s.serve(in.Soft, c.In, c.Raw())
	}
	if err != nil && in.Soft.Err() == nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Mcp, "Tools cannot be served", hcl.Range{},
			"%v. Start it from a client of the Model Context Protocol, with -root for a folder that exists.", err)}, nil)
	}
	return c.Exit()
}

// serve serves a client on in and out, until it is gone or ctx is done. Then it ends all runs.
func (s *server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	// A read of the standard input cannot be interrupted, but one of a pipe can.
	read, write := io.Pipe()
	go func() {
		_, err := io.Copy(write, in)
		write.CloseWithError(err)
	}()
	err := s.tools().Run(ctx, &sdk.IOTransport{Reader: read, Writer: unclosed{out}})
	s.end()
	return err
}

// unclosed is a writer that stays open when the connection ends.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
