// Package diagnostics turns diagnostics of HCL into those of the document, with the lines of the
// file that they point at. It imports packages result and words, and configs for codes.
package diagnostics

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// All returns diagnostics as the document has them. Sources hold the files that they point at.
// Files that sources lack are read from disk.
func All(diags hcl.Diagnostics, sources map[string]*hcl.File) []result.Diagnostic {
	out := []result.Diagnostic{}
	for _, d := range diags {
		out = append(out, One(d, sources))
	}
	return out
}

// One returns a diagnostic as the document has it. For sources see All.
func One(d *hcl.Diagnostic, sources map[string]*hcl.File) result.Diagnostic {
	out := result.Diagnostic{Severity: "error", Code: string(configs.CodeOf(d)), Summary: d.Summary, Detail: d.Detail}
	if d.Severity == hcl.DiagWarning {
		out.Severity = "warning"
	}
	if at := d.Subject; at != nil {
		file := fileOf(at.Filename, sources)
		out.File, out.Line, out.Column = words.ShortPath(at.Filename), at.Start.Line, at.Start.Column
		out.EndLine, out.EndColumn = at.End.Line, at.End.Column
		out.In, out.Excerpt = enclosing(file, *at), linesOf(file, *at)
	}
	for _, r := range configs.RelatedOf(d) {
		out.Related = append(out.Related, result.Related{File: words.ShortPath(r.At.Filename), Line: r.At.Start.Line, Column: r.At.Start.Column, Message: r.Message})
	}
	return out
}

// fileOf returns a source with its text, or nil if there is none.
func fileOf(name string, sources map[string]*hcl.File) *hcl.File {
	if f := sources[name]; f != nil {
		return f
	}
	if src, err := host.ReadFile(name); err == nil {
		return &hcl.File{Bytes: src}
	}
	return nil
}

// enclosing returns the block around a range, as module "election".
func enclosing(f *hcl.File, at hcl.Range) string {
	if f == nil || f.Nav == nil {
		return ""
	}
	return hcled.ContextString(f, at.Start.Byte)
}

// linesOf returns the lines of a file that a range touches, at most maxExcerpt, without tabs and
// control characters.
func linesOf(f *hcl.File, at hcl.Range) []string {
	if f == nil || at.Start.Line < 1 {
		return nil
	}
	all := strings.Split(string(f.Bytes), "\n")
	last := max(at.End.Line, at.Start.Line)
	if at.End.Column == 1 && last > at.Start.Line {
		last-- // it ends with the line before
	}
	last = min(last, len(all), at.Start.Line+result.MaxExcerpt-1)
	var out []string
	for n := at.Start.Line; n <= last; n++ {
		out = append(out, words.Printable(all[n-1]))
	}
	return out
}
