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

// Reported is Finished for the verbs about real systems. It reports an outcome whose text and
// diagnostics are shown.
func (c *Call) Reported(r *session.Run, folder string) int {
	return c.Written(r, folder, html.Whole(&c.Doc))
}

// Written is Finished with the whole text of the report. It writes the report into a folder, or
// nothing if the folder is "", and returns the exit code. A report that cannot be written is an
// error in the document.
func (c *Call) Written(r *session.Run, folder, whole string) int {
	if folder != "" {
		r.Detail()
		r.Originate(&c.Doc, host.Now())
		if len(c.Doc.Diagnostics) > 0 {
			whole += "\n" + text.Diagnostics{}.All(c.Doc.Diagnostics)
		}
		c.WriteReport(folder, html.Stem(&c.Doc), filepath.Dir(r.Manifest.Path), whole)
	}
	return c.Exit()
}

// WriteReport writes the result as text, as a document and as pages into the folder of -report.
// Stem is the name of the files without the ending. Paths are written relative to the folder base;
// "" leaves them as they are. What cannot be written is an error in the document of the call.
func (c *Call) WriteReport(folder, stem, base, whole string) {
	if len(c.Doc.Set) > 0 && !strings.Contains(whole, text.Set(c.Doc.Set)) {
		whole = text.Set(c.Doc.Set) + "\n" + whole
	}
	d := &c.Doc
	if base != "" {
		from := relative{base: base, folder: folder}
		d, whole = from.document(d), from.text(whole)
	}
	var doc bytes.Buffer
	d.Write(&doc)
	written := map[string][]byte{stem + ".json": []byte(terminal.Visible(doc.String())), stem + ".txt": []byte(terminal.Visible(whole))}
	var failed error
	if base != "" {
		var pages map[string]string
		pages, failed = html.Pages(d, folder, base)
		for name, page := range pages {
			written[name] = []byte(page)
		}
	}
	for name, content := range written {
		failed = cmp.Or(failed, files.WriteFile(filepath.Join(folder, name), content, 0o644))
	}
	if failed != nil {
		d := configs.Errorf(codes.Write, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", failed)
		c.Report(hcl.Diagnostics{d}, nil)
		return
	}
	c.Note("report: %s.txt, %s.json", filepath.Join(folder, stem), filepath.Join(folder, stem))
	if base == "" {
		return
	}
	c.Note("page: %s", filepath.Join(folder, html.Stem(d)+".html"))
	if d.Likely != nil {
		c.Note("page of the trace: %s", filepath.Join(folder, words.FileName(d.Spec)+html.LikelyName))
	}
	if d.Change != nil {
		c.Note("page of the change: %s", filepath.Join(folder, html.ChangeName))
	}
}
