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
explore, why_not, show, explain and more. Each runs the verb of its name in a process of its own, in the folder of -root.
An answer has at most 4000 bytes unless the call asks for more, begins with the exit code and all errors and warnings, and
ends with a cursor where it has another part. A call that explores states must have a timeout. A cancelled call ends as
Ctrl-C ends a verb. Manifests and traces outside of the folder are refused.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(options) },
}

// options are the options of mcp.
type options struct{ root string }

func (o *options) Flags(fs *flag.FlagSet) {
	fs.StringVar(&o.root, "root", ".", "read manifests and traces of the folder `DIR` and those below it")
}

// Run serves until the client is gone or an interrupt comes.
func (o *options) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	program, err := os.Executable()
	var s *sdk.Server
	if err == nil {
		s, err = newServer(program, o.root, command.Version(), c.Environ)
	}
	if err == nil {
		err = serve(in.Soft, s, c.In, c.Raw())
	}
	if err != nil && in.Soft.Err() == nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Mcp, "Tools cannot be served", hcl.Range{}, "%v. Start it from a client of the Model Context Protocol, with -root for a folder that exists.", err)}, nil)
	}
	return c.Exit()
}

// serve serves a client on in and out.
func serve(ctx context.Context, s *sdk.Server, in io.Reader, out io.Writer) error {
	return s.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
