package configs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Whose text is shown. A manifest can name any file with extends, and a link can lead to any file. The
// log in which the messages end may be public. So the text of a file is shown in two cases only:
//
//   - The file parses, and has nothing at its top that a manifest, or a file of values, lacks.
//   - The command line names the file. It is no link, and its name ends in .hcl, for values also in
//     .json. A stream that the caller opened counts as such a file.
//
// Of any other file with a mistake a message says the line, and no more.

// misnamed refuses a file that is not even opened, since reading it could wait without end or have
// effects. A file that a manifest extends must have the name of a manifest, after links are followed.
// So must a file that the command line names as a manifest. misnamed returns nil for a fine name, and
// for what is no file, which the reader reports.
func misnamed(path string, from hcl.Range) *hcl.Diagnostic {
	named := from == hcl.Range{}
	if named && (isStream(path) || !hasSuffix(path, ".hcl")) {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return nil
	}
	if real := canonical(path); !hasSuffix(real, ".hcl") || !info.Mode().IsRegular() {
		return Errorf(CodeUnreadable, "Not a manifest's file", from,
			"%s cannot be read: with links followed it is %s. A manifest is a regular file whose name ends in .hcl. Name another file, or rename it.", path, real)
	}
	return nil
}

// foreign reports whether the file could be one that the caller did not mean: a link, or a file of
// another name than those that end in one of the given ways, .hcl by default.
func foreign(path string, endings ...string) bool {
	if isStream(path) {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0 || !hasSuffix(path, append(endings, ".hcl")...)
}

func hasSuffix(path string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.EqualFold(filepath.Ext(path), e) })
}

// parsed is what became of a file's text.
type parsed struct {
	file  *hcl.File // with its text; without a body unless it was parsed
	diags hcl.Diagnostics
}

// stranger returns the first place at the top of a file where it is not what s describes, and whether
// there is one.
func (p parsed) stranger(s *schema) (hcl.Range, bool) {
	for _, d := range p.diags {
		if d.Severity == hcl.DiagError {
			if d.Subject == nil {
				return hcl.Range{}, true
			}
			return *d.Subject, true
		}
	}
	var found []hcl.Range
	if body, ok := p.file.Body.(*hclsyntax.Body); ok {
		for _, a := range body.Attributes {
			if !s.free && !slices.Contains(s.attrs, a.Name) {
				found = append(found, a.NameRange)
			}
		}
		for _, b := range body.Blocks {
			if s.blocks[b.Type] == nil {
				found = append(found, b.TypeRange)
			}
		}
	}
	if len(found) == 0 {
		return hcl.Range{}, false
	}
	return slices.MinFunc(found, func(a, b hcl.Range) int { return a.Start.Byte - b.Start.Byte }), true
}

// hidden reports a file that does not parse as a file of some kind, without its text. from is where
// the file was named; it is zero for the command line.
func hidden(kind, path string, at, from hcl.Range) *hcl.Diagnostic {
	if from == (hcl.Range{}) {
		place := hcl.Range{Filename: path, Start: at.Start, End: at.Start}
		return Errorf(CodeSyntax, "Not a "+kind, place,
			"Line %d of %s cannot be part of a %s. Its text is not shown, since it is a link or has another name than a %s: it may be a file that you did not mean. "+
				"Name the file itself, with a name that ends in .hcl, to see the mistake.", at.Start.Line, path, kind, kind)
	}
	return Errorf(CodeSyntax, "Not a "+kind, from,
		"Line %d of %s cannot be part of a %s. Its text is not shown, since a %s can name any file. Run \"multigrain validate %s\" to see the mistake.",
		at.Start.Line, path, kind, kind, path)
}
