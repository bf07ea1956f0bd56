// Package regress writes regression tests from traces that were done on an implementation.
//
// A test is a file of Go that calls mgtest.Replay, or a script of the shell that runs the command
// for systems without Go, and a copy of the trace:
//
//	FOLDER/lost_write_test.go or FOLDER/lost_write.sh
//	FOLDER/testdata/multigrain/lost_write.itf.json
//
// The copy names the manifest relative to FOLDER, which is where the test runs.
package regress

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
)

// form is a language in which tests are written.
type form struct {
	suffix string // ends the names of its files
	// marker begins each file. A file that begins with it may be replaced.
	marker string
	mode   fs.FileMode
	body   *template.Template // after the marker
}

var (
	inGo    = form{"_test.go", "// Written by multigrain replay -write-test.", 0o644, ofGo}
	inShell = form{".sh", "#!/bin/sh\n# Written by multigrain replay -write-test.", 0o755, ofShell}
)

// formOf returns the form of a file, and its name without the suffix; nil if the name has none.
func formOf(file string) (f *form, stem string) {
	for _, f := range []*form{&inGo, &inShell} {
		if stem, is := strings.CutSuffix(filepath.Base(file), f.suffix); is && stem != "" {
			return f, stem
		}
	}
	return nil, ""
}

// Test is a test to be written.
type Test struct {
	File  string // its name ends in _test.go or .sh
	Meta  itf.Meta
	Trace *wire.Trace
	// Flags are those of replay which the test needs.
	Flags []string
	// On is the implementation, with its version where that is known. Sees says what the trace was
	// kept for: a violation, or a difference.
	On, Sees string
}

// Named reports whether a file can be a test: one of Go, or a script.
func Named(file string) bool {
	f, _ := formOf(file)
	return f != nil
}

// Judged reports whether a trace with this meta can be judged on an implementation. Those of
// conform can, and counterexamples of invariants and of properties of steps.
func Judged(m itf.Meta) bool {
	return m.Change == nil && slices.Contains([]string{"conform", "state", "step"}, m.Kind)
}

// Write writes the test and the copy of its trace, and returns the path of the copy. It fails if
// the file is there and another hand wrote it. The error is a sentence without its period.
func (t *Test) Write() (copied string, err error) {
	f, stem := formOf(t.File)
	if f == nil {
		return "", fmt.Errorf("the name of %s ends neither in _test.go nor in .sh", t.File)
	}
	if old, err := files.Read(t.File); err == nil && !bytes.HasPrefix(old, []byte(f.marker)) {
		return "", fmt.Errorf("%s is there, and multigrain did not write it", t.File)
	}
	folder := filepath.Dir(t.File)
	within := filepath.Join("testdata", "multigrain", stem+".itf.json")
	copied = filepath.Join(folder, within)
	if t.Meta.Manifest, err = Relative(folder, t.Meta.Manifest); err != nil {
		return "", err
	}
	var trace bytes.Buffer
	if err := itf.Write(&trace, t.Meta, t.Trace); err != nil {
		return "", err
	}
	text, err := t.text(f, filepath.ToSlash(within), folder, stem)
	if err != nil {
		return "", err
	}
	if err := files.WriteFile(copied, trace.Bytes(), 0o644); err != nil {
		return "", err
	}
	return copied, files.WriteFile(t.File, text, f.mode)
}

// Relative returns a path relative to a folder, with slashes.
func Relative(folder, path string) (string, error) {
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	// The folder may be reached by a link, from where .. is elsewhere.
	if real, err := filepath.EvalSymlinks(from); err == nil {
		from = real
	}
	if real, err := filepath.EvalSymlinks(to); err == nil {
		to = real
	}
	rel, err := filepath.Rel(from, to)
	return filepath.ToSlash(rel), err
}

var ofGo = template.Must(template.New("").Parse(` Edit the flags as you like.

package {{.Package}}

import (
	"testing"

	"github.com/multigrain/multigrain/checker/mgtest"
)

// Test{{.Name}} does a trace on {{.On}}. The test fails as long as {{.Sees}}.
//
{{range .Steps}}//	{{.}}
{{end}}func Test{{.Name}}(t *testing.T) {
	mgtest.Replay(t, {{printf "%q" .Trace}}{{range .Flags}}, {{printf "%q" .}}{{end}})
}
`))

var ofShell = template.Must(template.New("").Funcs(template.FuncMap{"quoted": quoted}).Parse(` Edit the flags as you like.
#
# It does a trace on {{.On}}. The exit code is not 0 as long as {{.Sees}}.
# MULTIGRAIN can name the command.
#
{{range .Steps}}#	{{.}}
{{end}}cd "$(dirname "$0")" || exit 1
exec "${MULTIGRAIN:-multigrain}" replay -judge -quiet{{range .Flags}} {{quoted .}}{{end}} {{quoted .Trace}}
`))

// quoted returns a word of the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// text returns the source of the test.
func (t *Test) text(f *form, trace, folder, stem string) ([]byte, error) {
	var steps []string
	for k := range t.Trace.Steps {
		s := &t.Trace.Steps[k]
		steps = append(steps, fmt.Sprintf("%3d. %s%s", k+1, s.Action, lineOf(narrate.ParamsText(s.Params))))
	}
	name, err := packageOf(folder)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBufferString(f.marker)
	err = f.body.Execute(b, map[string]any{
		"Package": name, "Name": nameOf(stem), "On": lineOf(t.On), "Sees": lineOf(t.Sees), "Steps": steps, "Trace": trace, "Flags": t.Flags,
	})
	if err != nil || f != &inGo {
		return b.Bytes(), err
	}
	return format.Source(b.Bytes())
}

// lineOf keeps a text from ending a comment's line.
func lineOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}

// nameOf makes a Go name of a file's: lost_write and lost-write become LostWrite.
func nameOf(stem string) string {
	var b strings.Builder
	upper := true
	for _, r := range stem {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			upper = true
		case upper:
			b.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// packageOf returns the package that a new file of a folder belongs to: that of the Go files there,
// or else one that is named after the folder.
func packageOf(folder string) (string, error) {
	found, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	external := ""
	for _, e := range found {
		if e.IsDir() || filepath.Ext(e.Name()) != ".go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, e.Name()), nil, parser.PackageClauseOnly)
		switch {
		case err != nil:
		case !strings.HasSuffix(e.Name(), inGo.suffix):
			return f.Name.Name, nil
		default:
			external = f.Name.Name
		}
	}
	if external != "" {
		return external, nil
	}
	abs, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	name := strings.ToLower(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, filepath.Base(abs)))
	if !token.IsIdentifier(name) {
		name = "regress" + strings.TrimLeft(name, "0123456789")
	}
	return name, nil
}
