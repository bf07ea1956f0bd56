package scaffold

import (
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb new.
var Verb = command.Verb{
	Name: "new", Args: "NAME", Summary: "write a small system that runs, to begin with", Least: 1, Most: 1,
	About: `The folder NAME gets a Go module: a specification of a lock service with a client at two grains, a
server and a faulty network. There are three manifests, a test, a workflow and a README.md that
explains them. Change it step by step into a protocol of your own.

With -driver the folder driver gets an implementation in another language, the driver that connects
it, and its manifest.

The system needs Go and the Go module proxy. If this command was built from a clone of multigrain,
go.mod names that clone.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return new(options) },
}

// options are the options of new.
type options struct{ module, driver string }

func (o *options) Flags(set *flag.FlagSet) {
	set.StringVar(&o.module, "module", "", "`path` of the Go module (default: example.org/NAME)")
	set.StringVar(&o.driver, "driver", "", "write a driver in a `language`, too, for conform: c, java, python or rust")
}

func (o *options) Run(c *command.Call) int {
	name := filepath.Base(filepath.Clean(c.Args[0]))
	if wrong := Check(name); wrong != "" {
		return c.Usage(&shell.UsageError{Code: codes.SystemName, Summary: "Wrong name of a system", Detail: wrong + "."})
	}
	s := System{Name: name, Module: o.module, Driver: o.driver}
	if driven[o.driver] == nil && o.driver != "" {
		return c.Usage(&shell.UsageError{Code: codes.FlagValue, Summary: "Wrong value of flag",
			Detail: strconv.Quote(o.driver) + " is no language of a driver. Possible is " + strings.Join(slices.Sorted(maps.Keys(driven)), ", ") + "."})
	}
	if s.Module == "" {
		s.Module = "example.org/" + name
	}
	if strings.ContainsAny(s.Module, " \t\r\n\"'`") {
		return c.Usage(&shell.UsageError{Code: codes.FlagValue, Summary: "Wrong value of flag", Detail: strconv.Quote(s.Module) + " is no path of a Go module."})
	}
	s.Version, s.Replace = compose.Framework()
	if strings.ContainsAny(s.Replace, " \t'") {
		s.Replace = strconv.Quote(s.Replace)
	}
	if diags := write(c.Args[0], s, c); diags.HasErrors() {
		c.Report(diags, nil)
		return shell.ExitOf(diags)
	}
	return shell.OK
}

// write writes the files into a folder, which must be empty or missing.
func write(folder string, s System, c *command.Call) hcl.Diagnostics {
	failed := func(err error) hcl.Diagnostics {
		return hcl.Diagnostics{configs.Errorf(codes.Write, "File cannot be written", hcl.Range{}, "%v.", err)}
	}
	list, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	if len(list) > 0 {
		return hcl.Diagnostics{configs.Errorf(codes.Write, "Folder is not empty", hcl.Range{},
			"%s has files, and none of them is overwritten. Choose another name, or an empty folder.", folder)}
	}
	texts, err := s.Files()
	if err != nil {
		return failed(err)
	}
	made := &result.Created{Folder: folder}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if err = host.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = files.WriteFile(path, []byte(texts[file]), 0o644)
		}
		if err != nil {
			return failed(err)
		}
		made.Files = append(made.Files, file)
	}
	next, err := s.next(folder)
	if err != nil {
		return failed(err)
	}
	made.Next = next
	c.Doc.Created = made
	c.Print("Wrote " + folder + ": " + strings.Join(made.Files, ", ") + ".\n\nNext:\n    " + strings.Join(made.Next, "\n    ") +
		"\n\n" + filepath.Join(folder, "README.md") + " explains the files.\n")
	return nil
}
