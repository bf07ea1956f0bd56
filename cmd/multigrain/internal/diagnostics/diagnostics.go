// Package diagnostics turns diagnostics of HCL into those of the document, with the lines of the
// file that they point at. It imports packages result and words, and configs for codes.
package diagnostics

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// All returns diagnostics as the document has them. Sources hold the files that they point at. Go
// files that sources lack are read from disk. Each takes at most 8 KiB in any format. There are at
// most Most of them, and the first of each code and severity; the last one counts the others.
func All(diags hcl.Diagnostics, sources map[string]*hcl.File) []result.Diagnostic {
	out := []result.Diagnostic{}
	t := texts{sources: sources, lines: map[string][]string{}}
	seen := map[string]bool{}
	errors, warnings := 0, 0
	for _, d := range diags {
		kind := fmt.Sprintf("%d %s", d.Severity, configs.CodeOf(d))
		switch {
		case len(out) < Most || !seen[kind]:
			out = append(out, t.one(d))
			seen[kind] = true
		case d.Severity == hcl.DiagWarning:
			warnings++
		default:
			errors++
		}
	}
	if errors+warnings > 0 {
		var left []string
		for _, n := range []struct {
			count int
			what  string
		}{{errors, "error"}, {warnings, "warning"}} {
			if n.count > 0 {
				left = append(left, words.Plural(int64(n.count), n.what))
			}
		}
		last := &out[len(out)-1]
		last.Detail = fmt.Sprintf("%s\nMore was found and is not shown: %s. Mend what is shown first.", last.Detail, strings.Join(left, " and "))
	}
	return out
}

// texts finds the lines of files.
type texts struct {
	sources map[string]*hcl.File
	lines   map[string][]string // by file
}

// one returns a diagnostic as the document has it.
func (t texts) one(d *hcl.Diagnostic) result.Diagnostic {
	out := result.Diagnostic{Severity: "error", Code: string(configs.CodeOf(d)), Summary: d.Summary, Detail: d.Detail}
	if d.Severity == hcl.DiagWarning {
		out.Severity = "warning"
	}
	if at := d.Subject; at != nil {
		out.File, out.Line, out.Column = words.ShortPath(at.Filename), at.Start.Line, at.Start.Column
		out.EndLine, out.EndColumn = at.End.Line, at.End.Column
		out.In, out.Excerpt = enclosing(t.sources[at.Filename], *at), excerpt(t.of(at.Filename), *at)
	}
	for _, r := range configs.RelatedOf(d) {
		out.Related = append(out.Related, result.Related{File: words.ShortPath(r.At.Filename), Line: r.At.Start.Line, Column: r.At.Start.Column, Message: r.Message})
	}
	limit(&out)
	return out
}

// of returns the lines of a file; none if its text is not shown. A position of Go code can name any
// file in a comment (//line), so only files with the name of Go code are read.
func (t texts) of(name string) []string {
	lines, known := t.lines[name]
	if known {
		return lines
	}
	if f := t.sources[name]; f != nil {
		lines = strings.Split(string(f.Bytes), "\n")
	} else if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() <= mostSource && filepath.Ext(name) == ".go" {
		if src, err := host.ReadFile(name); err == nil {
			lines = strings.Split(string(src), "\n")
		}
	}
	t.lines[name] = lines
	return lines
}

// mostSource is the size in bytes of the largest Go file from which lines are shown.
const mostSource = 16 << 20

// enclosing returns the block around a range, as module "election".
func enclosing(f *hcl.File, at hcl.Range) string {
	if f == nil || f.Nav == nil {
		return ""
	}
	return hcled.ContextString(f, at.Start.Byte)
}

// excerpt returns the lines that a range touches, at most result.MaxExcerpt, without tabs and
// control characters. Of a long line it returns the part around the range.
func excerpt(all []string, at hcl.Range) []string {
	if at.Start.Line < 1 {
		return nil
	}
	last := max(at.End.Line, at.Start.Line)
	if at.End.Column == 1 && last > at.Start.Line {
		last-- // it ends with the line before
	}
	last = min(last, len(all), at.Start.Line+result.MaxExcerpt-1)
	var out []string
	room := mostExcerpt
	for n := at.Start.Line; n <= last; n++ {
		column := 0
		if n == at.Start.Line {
			column = byteOf(all[n-1], at.Start.Column)
		}
		line := around(all[n-1], column, min(mostLine, room/(last-n+1)))
		for _, r := range line {
			room -= cost(r)
		}
		out = append(out, line)
	}
	return out
}

// byteOf returns the byte of a line at which a column starts. It counts characters, so it can be
// too low where several make one column.
func byteOf(line string, column int) int {
	for at := range line {
		if column--; column <= 0 {
			return at
		}
	}
	return len(line)
}
