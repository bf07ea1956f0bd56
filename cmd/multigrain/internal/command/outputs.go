package command

import (
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
			if d := p.Refusal(); d != nil {
				diags = append(diags, d)
			}
		}
	}
	// logs are written at the end in any case
	if o, ok := c.Own.(interface{ Logs() *Written }); ok && len(diags) > 0 {
		w := o.Logs()
		w.sarif, w.Junit = shell.Writable(w.sarif), shell.Writable(w.Junit)
	}
	if o, ok := c.Own.(interface{ Ready() hcl.Diagnostics }); ok {
		diags = append(diags, o.Ready()...)
	}
	return diags
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
