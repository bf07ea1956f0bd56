package main

import (
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/junit"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/sarif"
	"github.com/multigrain/multigrain/configs"
)

// outputs refuses what flags say is to be written where nothing can be written, before anything else is done: an exploration of hours
// must not end with a result that has no place. A checkpoint to go on from has to be there, too.
func (c *call) outputs() hcl.Diagnostics {
	o := &c.opt
	var diags hcl.Diagnostics
	refuse := func(summary, flag, what string, err error) {
		if err != nil {
			diags = append(diags, configs.Errorf(codes.Write, summary, hcl.Range{}, "%v. Name another %s with %s.", err, what, flag))
		}
	}
	for _, f := range []struct{ path, summary, flag string }{
		{o.report, "Report cannot be written", "-report"}, {o.traces, "Trace cannot be written", "-traces"}, {o.keeping.Spill, "States cannot be spilled", "-spill"},
	} {
		if f.path != "" {
			refuse(f.summary, f.flag, "folder", shell.CanHold(f.path))
		}
	}
	for _, f := range []struct{ path, summary, flag string }{
		{o.sarif, "Results cannot be written", "-sarif"}, {o.junit, "Results cannot be written", "-junit"},
		{o.output, "Output cannot be written", "-o"}, {o.changing.out, "Manifest cannot be written", "-out"},
	} {
		if f.path != "" {
			err := shell.CanWrite(f.path)
			if info, statErr := os.Stat(f.path); f.flag == "-o" && c.verb.name == buildVerb.name && statErr == nil && info.IsDir() {
				err = shell.CanHold(f.path)
			}
			refuse(f.summary, f.flag, "file", err)
		}
	}
	if len(diags) > 0 { // what is written at the end in any case
		o.sarif, o.junit = shell.Writable(o.sarif), shell.Writable(o.junit)
	}
	if dir := o.keeping.Resume; dir != "" {
		if _, err := os.Stat(filepath.Join(dir, checkpointFile)); err != nil {
			diags = append(diags, configs.Errorf(codes.Checkpoint, "Checkpoint cannot be used", hcl.Range{},
				"The folder %s holds no checkpoint. Name the one that the run before said it keeps its checkpoint in.", dir))
		}
	}
	return diags
}

// checkpointFile is the checkpoint in its folder, as checker/explore names it.
const checkpointFile = "checkpoint"

// export writes the files of -sarif and, but for test, which does so itself, -junit. A file that cannot be written is a failure where
// there is none yet.
func (c *call) export(code int) int {
	written := map[string][]byte{}
	if c.opt.sarif != "" {
		written[c.opt.sarif] = sarif.Of(&c.doc, sarif.Info{Manifest: firstOr(c.args, ""), Version: version(), ExitCode: code,
			Successful: code != shell.System && code != shell.Usage})
	}
	if c.opt.junit != "" && c.verb.name != testVerb.name {
		written[c.opt.junit] = junit.OfCheck(&c.doc)
	}
	for path, content := range written {
		if err := files.WriteFile(path, content, 0o644); err != nil {
			c.report(hcl.Diagnostics{configs.Errorf(codes.Write, "Results cannot be written", hcl.Range{}, "%v. Name another file.", err)}, nil)
			if code == shell.OK || code == shell.Undecided {
				code = shell.System
			}
		}
	}
	return code
}

func firstOr(s []string, otherwise string) string {
	if len(s) == 0 {
		return otherwise
	}
	return s[0]
}
