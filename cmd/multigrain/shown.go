package main

import (
	"bytes"
	"cmp"
	"path/filepath"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// show prints an outcome and fills in the document: results first, then what there is to say about them.
func (c *call) show(r *session.Run, verbose bool) {
	r.Describe(&c.doc)
	c.print(text.Check{Paint: c.painter(c.outWidth), Verbose: verbose}.Text(&c.doc))
	c.report(r.Diagnostics, r.Manifest.Sources)
}

// finished writes the report of an outcome that is shown, if one is asked for, and returns the exit code.
func (c *call) finished(r *session.Run, folder string) int {
	if folder != "" {
		r.Originate(&c.doc, time.Now())
		whole := text.Check{Verbose: true}.Text(&c.doc)
		if len(r.Diagnostics) > 0 {
			whole += "\n" + text.Diagnostics{}.All(c.doc.Diagnostics)
		}
		if code := exitCode(r); !(c.writeReport(folder, r.Manifest.Name(), whole) && c.writePages(folder, &c.doc)) && (code == shell.OK || code == shell.Undecided) {
			return shell.System
		}
	}
	return exitCode(r)
}

// writeReport writes the result as text and as a document into the folder of -report. It reports whether that went well.
func (c *call) writeReport(folder, name, text string) bool {
	var doc bytes.Buffer
	c.doc.Write(&doc)
	stem := filepath.Join(folder, words.FileName(name))
	for path, content := range map[string][]byte{stem + ".json": doc.Bytes(), stem + ".txt": []byte(text)} {
		if err := files.WriteFile(path, content, 0o644); err != nil {
			d := configs.Errorf(codes.Write, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", err)
			c.report(hcl.Diagnostics{d}, nil)
			return false
		}
	}
	c.note("report: %s.txt, %s.json", stem, stem)
	return true
}

// writePages writes a page of the result into the folder of -report, and one of each counterexample beside it. It reports
// whether that went well.
func (c *call) writePages(folder string, d *result.Document) bool {
	pages, failed := html.Pages(d)
	for name, text := range pages {
		failed = cmp.Or(failed, files.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	if failed != nil {
		d := configs.Errorf(codes.Write, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", failed)
		c.report(hcl.Diagnostics{d}, nil)
		return false
	}
	c.note("page: %s", filepath.Join(folder, words.FileName(d.Spec)+".html"))
	return true
}
