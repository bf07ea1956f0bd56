package command

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// Show prints an outcome and fills in the document: results first, then their diagnostics.
func (c *Call) Show(r *session.Run, verbose bool) {
	r.Describe(&c.Doc)
	c.Print(text.Check{Paint: c.Painter(c.OutWidth), Verbose: verbose, Explains: c.verb.FlagSet().Lookup("explain") != nil}.Text(&c.Doc))
	c.Report(r.Diagnostics, r.Manifest.Sources)
}

// Finished writes the report of an outcome that is shown, if one is asked for, and returns the
// exit code.
func (c *Call) Finished(r *session.Run, folder string) int {
	return c.Written(r, folder, text.Check{Verbose: true}.Text(&c.Doc))
}

// Written is Finished with the whole text of the report. It writes the report into a folder, or
// nothing if the folder is "", and returns the exit code. A report that cannot be written is an
// error in the document.
func (c *Call) Written(r *session.Run, folder, whole string) int {
	if folder != "" {
		r.Detail()
		r.Originate(&c.Doc, host.Now())
		if len(r.Diagnostics) > 0 {
			whole += "\n" + text.Diagnostics{}.All(c.Doc.Diagnostics)
		}
		// What cannot be written is an error in the document.
		_ = c.WriteReport(folder, r.Manifest.Name(), whole) && c.writePages(folder, &c.Doc)
	}
	return c.Exit()
}

// WriteReport writes the result as text and as a document into the folder of -report. It reports
// whether that went well.
func (c *Call) WriteReport(folder, name, whole string) bool {
	var doc bytes.Buffer
	c.Doc.Write(&doc)
	if len(c.Doc.Set) > 0 && !strings.Contains(whole, text.Set(c.Doc.Set)) {
		whole = text.Set(c.Doc.Set) + "\n" + whole
	}
	stem := filepath.Join(folder, words.FileName(name))
	for path, content := range map[string][]byte{stem + ".json": []byte(terminal.Visible(doc.String())), stem + ".txt": []byte(terminal.Visible(whole))} {
		if err := files.WriteFile(path, content, 0o644); err != nil {
			d := configs.Errorf(codes.Write, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", err)
			c.Report(hcl.Diagnostics{d}, nil)
			return false
		}
	}
	c.Note("report: %s.txt, %s.json", stem, stem)
	return true
}

// writePages writes a page of the result into the folder of -report, and one of each
// counterexample next to it. It reports whether that went well.
func (c *Call) writePages(folder string, d *result.Document) bool {
	pages, failed := html.Pages(d, folder)
	for name, text := range pages {
		failed = cmp.Or(failed, files.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	if failed != nil {
		d := configs.Errorf(codes.Write, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", failed)
		c.Report(hcl.Diagnostics{d}, nil)
		return false
	}
	c.Note("page: %s", filepath.Join(folder, words.FileName(d.Spec)+".html"))
	if d.Likely != nil {
		c.Note("page of the trace: %s", filepath.Join(folder, words.FileName(d.Spec)+html.LikelyName))
	}
	if d.Change != nil {
		c.Note("page of the change: %s", filepath.Join(folder, html.ChangeName))
	}
	return true
}
