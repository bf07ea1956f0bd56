package command

import (
	"os"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/junit"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/sarif"
	"github.com/multigrain/multigrain/configs"
)

// outputs refuses places that flags name and to which nothing can be written. It runs first: an
// exploration of hours must not end with a result that has no place. It also looks for the other
// things that a verb needs.
func (c *Call) outputs() hcl.Diagnostics {
	var diags hcl.Diagnostics
	if o, ok := c.Own.(interface{ Places() []shell.Place }); ok {
		for _, p := range o.Places() {
			d := p.Refusal()
			if d == nil && c.reads(p.Path) {
				d = configs.Errorf(codes.Write, p.Summary, hcl.Range{}, "%s is read by this command and would be lost. Name another file with %s.", p.Path, p.Flag)
			}
			if d != nil {
				diags = append(diags, d)
			}
		}
	}
	// logs are written at the end in any case
	if o, ok := c.Own.(interface{ Logs() *Written }); ok && len(diags) > 0 {
		w := o.Logs()
		for _, log := range []*string{&w.sarif, &w.Junit} {
			if *log = shell.Writable(*log); c.reads(*log) {
				*log = ""
			}
		}
	}
	if o, ok := c.Own.(interface{ Ready() hcl.Diagnostics }); ok {
		diags = append(diags, o.Ready()...)
	}
	return diags
}

// reads reports whether a path is that of a file among the arguments: a manifest or a trace.
func (c *Call) reads(path string) bool {
	file, err := os.Stat(path)
	return err == nil && file.Mode().IsRegular() && slices.ContainsFunc(c.Args, func(arg string) bool {
		x, err := os.Stat(arg)
		return err == nil && os.SameFile(file, x)
	})
}

// export writes the files of -sarif and -junit; the verb test writes its own -junit file. A file
// that cannot be written is a failure where there is none yet.
func (c *Call) export(code int) int {
	o, ok := c.Own.(interface{ Logs() *Written })
	if !ok {
		return code
	}
	w, logs := o.Logs(), map[string][]byte{}
	if w.sarif != "" {
		logs[w.sarif] = sarif.Of(&c.Doc, sarif.Info{Manifest: FirstOr(c.Args, ""), Version: Version(), ExitCode: code,
			Successful: code != shell.System && code != shell.Usage})
	}
	if w.Junit != "" {
		logs[w.Junit] = junit.OfCheck(&c.Doc)
	}
	for path, content := range logs {
		if err := files.WriteFile(path, content, 0o644); err != nil {
			c.Report(hcl.Diagnostics{configs.Errorf(codes.Write, "Results cannot be written", hcl.Range{}, "%v. Name another file.", err)}, nil)
			if code == shell.OK || code == shell.Undecided {
				code = shell.System
			}
		}
	}
	return code
}

// FirstOr returns the first text of a list, or otherwise if the list is empty.
func FirstOr(s []string, otherwise string) string {
	if len(s) == 0 {
		return otherwise
	}
	return s[0]
}
