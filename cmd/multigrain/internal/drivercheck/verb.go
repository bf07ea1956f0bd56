// Package drivercheck tries a driver against the protocol alone. It is the verb driver-check.
package drivercheck

import (
	"errors"
	"flag"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	driver "github.com/multigrain/multigrain/checker/conform/drivers"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/drivers"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb driver-check.
var Verb = command.Verb{
	Name: "driver-check", Args: "MANIFEST", Summary: "try a driver against its protocol alone", Least: 1, Most: 1,
	About: `The process that the attribute driver of an implementation block names is started. It is asked what every driver must
answer: what it offers, its initial state, what it cannot know, and to end. A second process must say the same. No
step is done and no value is judged; conform does that. The exit code is 0 where the driver keeps to the protocol, and 153
where it does not. docs/how-to/drivers.md has the protocol.
`,
	Code:    "It starts the processes of the driver and runs no other code of the packages and files that it reads.",
	Options: func() command.Options { return new(options) },
}

// options are the options of driver-check.
type options struct {
	command.Bounded
	impl, transcript string
}

// Flags declares the flags.
func (o *options) Flags(set *flag.FlagSet) {
	set.StringVar(&o.impl, "impl", "", "the implementation block `NAME` (default: the only one), or NAME@VERSION for another version than it pins")
	set.StringVar(&o.transcript, "transcript", "", "add all lines to and from the driver to `FILE`, with the number of its process")
}

// Places returns the file that a flag names.
func (o *options) Places() []shell.Place {
	return []shell.Place{{Path: o.transcript, Flag: "-transcript", Summary: "Transcript cannot be written"}}
}

// Run tries the driver.
func (o *options) Run(c *command.Call) int {
	r := c.Resolve(shell.Uncaught())
	r.Named(&c.Doc)
	var done []string
	if impl := r.Connected(o.impl); impl != nil && !r.Diagnostics.HasErrors() {
		done = o.check(c, r, impl)
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	code := c.Exit()
	if code == shell.OK {
		c.Print(strings.Join(append(done, "the driver keeps to the protocol"), "\n") + "\n")
	}
	return code
}

// check adds the mistake of a driver to the diagnostics, or returns what was tried.
func (o *options) check(c *command.Call, r *session.Run, impl *configs.Implementation) []string {
	if !impl.Driver.IsSet() {
		r.Add(configs.Errorf(codes.NoImplementation, "Implementation without driver", impl.DeclRange,
			"Implementation %q has no driver. Its adapter is compiled, so there is no protocol to keep to.", impl.Name))
		return nil
	}
	transcript := o.transcript
	if transcript != "" {
		transcript, _ = filepath.Abs(transcript)
	}
	d, diags := drivers.Command(impl, r.Manifest.Path, c.Cache(), transcript)
	if r.Add(diags...); diags.HasErrors() {
		return nil
	}
	var actions []string
	for _, g := range r.Composition.Chosen() {
		actions = append(actions, g.Actions...)
	}
	done, err := driver.Check(driver.Command{Args: d.Command, Dir: d.Dir, Env: d.Env, Transcript: d.Transcript, Remedy: d.Remedy, Names: d.Names}, actions, r.Settings(impl), impl.Version.Value)
	var fault *driver.Fault
	switch {
	case errors.As(err, &fault) && fault.Start:
		r.Add(impl.Driver.Errorf(codes.DriverStart, "Driver does not start", "%s", words.Sentence(err.Error())))
	case errors.As(err, &fault):
		r.Add(impl.Driver.Errorf(codes.DriverFault, "Driver breaks the protocol", "%s", words.Sentence(err.Error())))
	case err != nil:
		r.Add(configs.Errorf(codes.Machine, "Driver cannot be tried", hcl.Range{}, "%s", words.Sentence(err.Error())))
	}
	return done
}
