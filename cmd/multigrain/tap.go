package main

import (
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/systems"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/configs"
)

var tapVerb = command.Verb{
	Name: "tap", Args: "SYSTEM [flags of SYSTEM]", Summary: "forward traffic unchanged and write its messages as events",
	Least: 1, Most: -1, Raw: true,
	About: `SYSTEM is etcd or zookeeper, or a Go package that connects an implementation: an import path, or a path that begins with ./
or ../. It is built when it is used first, in the Go module that the current folder is in (etcd and zookeeper need none), and gets the arguments that follow it.
multigrain tap etcd -help and multigrain tap zookeeper -help describe where to put them. Events go to the standard output, one JSON
object a line, until the tap is interrupted.
`,
	Code:    "It compiles and runs the package that SYSTEM names, and what that package imports.",
	Options: func() command.Options { return command.Plain(runTap) },
}

// taps are the packages of the systems that have a name.
var taps = map[string]string{
	"etcd":      "github.com/multigrain/multigrain/raft/etcdserver",
	"zookeeper": "github.com/multigrain/multigrain/zab/zookeeper",
}

func runTap(c *command.Call) int {
	if c.Json {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "No single document", hcl.Range{},
			"A tap writes lines of JSON as long as it runs: leave -json out.")}, nil)
		return shell.Usage
	}
	from := c.Args[0]
	path, named := taps[from]
	names := slices.Sorted(maps.Keys(taps))
	if s := configs.Suggest(from, names); !named && s != "" {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Unknown system", hcl.Range{}, "There is no tap %q. Did you mean %q? A package of your own is "+
			"named by its import path, or by a path that begins with ./ or ../.", from, s)}, nil)
		return shell.Usage
	}
	in := shell.Catch()
	defer in.Release()
	if named {
		from = path
	}
	program, diags := systems.Tap(in.Soft, c.Composing(), from, named)
	if diags.HasErrors() && !named && !strings.ContainsAny(from, "./") {
		diags = append(diags, configs.Errorf(codes.FlagValue, "Unknown system", hcl.Range{}, "The systems that have a name are: %s.", strings.Join(names, ", ")))
	}
	c.Report(diags, nil)
	switch {
	case in.Soft.Err() != nil:
		return shell.Undecided
	case diags.HasErrors():
		return shell.ExitOf(diags)
	}
	return tap(c, program, c.Args[1:])
}

// tap runs a tap until it ends. It gets the terminal's interrupts itself; when this command is
// asked to end, or dies, its standard input is closed.
func tap(c *command.Call, program string, args []string) int {
	in := shell.Catch()
	defer in.Release()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = direct(c.Out), direct(c.Err)
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return tapFailed(c, program, err)
	}
	done := make(chan struct{})
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // which tells a tap something
	defer signal.Stop(hangups)
	go func() {
		for {
			select {
			case s := <-hangups:
				cmd.Process.Signal(s)
			case <-in.Soft.Done():
				stdin.Close()
				return
			case <-done:
				return
			}
		}
	}()
	err = cmd.Wait()
	close(done)
	var ended *exec.ExitError
	switch {
	case err == nil:
		return shell.OK
	case errors.As(err, &ended) && ended.ExitCode() > 0:
		return ended.ExitCode()
	}
	return tapFailed(c, program, err)
}

func tapFailed(c *command.Call, program string, err error) int {
	c.Report(hcl.Diagnostics{configs.Errorf(codes.Crash, "Tap failed", hcl.Range{}, "%s: %v.", program, err)}, nil)
	return shell.System
}

// direct returns the file to which a writer writes, if there is one, which a program can write to
// by itself.
func direct(w io.Writer) io.Writer {
	if safe, ok := w.(*terminal.Writer); ok {
		w = safe.To
	}
	if watched, ok := w.(*shell.Watched); ok {
		w = watched.To
	}
	if f, ok := w.(*os.File); ok {
		return f
	}
	return w
}
