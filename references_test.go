package multigrain_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var updateReferences = flag.Bool("references", false, "write docs/reference/vocabulary.md and docs/reference/go-subset.md")

// TestReferences compares the references that are made from the source with it.
//
//	go test . -run TestReferences -references    writes them
func TestReferences(t *testing.T) {
	for file, want := range map[string]string{
		"docs/reference/vocabulary.md": vocabularyPage(t),
		"docs/reference/go-subset.md":  subsetPage(t),
	} {
		if *updateReferences {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(file); err != nil || string(have) != want {
			t.Errorf("%s is not what the source says: run go test . -run TestReferences -references (%v)", file, err)
		}
	}
}

// vocabularyPage lists the exported names of packages modules and grains, each with the first
// sentence of its comment. A name without a comment is an error.
func vocabularyPage(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("# Vocabulary\n\nThe names with which a specification is written, made from the comments of the packages.\n" +
		"`go doc github.com/multigrain/multigrain/modules NAME` prints the whole comment of a name.\n")
	for _, dir := range []string{"modules", "grains"} {
		set := token.NewFileSet()
		var files []*ast.File
		names, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		p, err := doc.NewFromFiles(set, files, "github.com/multigrain/multigrain/"+dir)
		if err != nil {
			t.Fatal(err)
		}
		row := func(name, text string) {
			sentence := p.Synopsis(text)
			if sentence == "" {
				t.Errorf("%s.%s has no comment", dir, name)
			}
			fmt.Fprintf(&out, "| `%s` | %s |\n", strings.ReplaceAll(name, "|", "\\|"), strings.ReplaceAll(sentence, "|", "\\|"))
		}
		functions := func(list []*doc.Func) {
			for _, f := range list {
				f.Decl.Body, f.Decl.Doc = nil, nil
				var b bytes.Buffer
				if err := printer.Fprint(&b, set, f.Decl); err != nil {
					t.Fatal(err)
				}
				row(strings.Join(strings.Fields(strings.TrimPrefix(b.String(), "func ")), " "), f.Doc)
			}
		}
		fmt.Fprintf(&out, "\n## Package %s\n\n| name | meaning |\n|---|---|\n", dir)
		functions(p.Funcs)
		for _, x := range p.Types {
			row("type "+x.Name, x.Doc)
			functions(x.Funcs)
			functions(x.Methods)
		}
	}
	return out.String()
}

// subsetPage lists the rules of speclint, which its package comment has, with links to an example
// and a remedy of each.
func subsetPage(t *testing.T) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "interaction/speclint/doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	about, _, _ := strings.Cut(f.Doc.Text(), "\n# ")
	explained, err := os.ReadFile("docs/reference/diagnostics/mg4xx.md")
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`^\t?(MG4\d\d)  (.*)`)
	var out strings.Builder
	out.WriteString("# The subset of Go\n\nMade from the comment of package `interaction/speclint`. [How to run it](../how-to/ci.md) has the\n" +
		"commands, and [the diagnostics](diagnostics/mg4xx.md) an example and a remedy for each rule.\n")
	_, about, _ = strings.Cut(about, "\n\n")
	_, about, _ = strings.Cut(about, "\n\n") // the line that go vet shows
	for part := range strings.SplitSeq(strings.TrimSpace(about), "\n\n") {
		if !rule.MatchString(part) {
			out.WriteString("\n" + part + "\n")
			continue
		}
		out.WriteString("\n| rule | what is reported |\n|---|---|\n")
		row := ""
		for line := range strings.Lines(part) {
			if m := rule.FindStringSubmatch(line); m != nil {
				if row != "" {
					out.WriteString(row + " |\n")
				}
				if !strings.Contains(string(explained), m[1]) {
					t.Errorf("docs/reference/diagnostics/mg4xx.md does not explain %s", m[1])
				}
				row = fmt.Sprintf("| %s | %s", m[1], m[2])
			} else {
				row += " " + strings.TrimSpace(line)
			}
		}
		out.WriteString(row + " |\n")
	}
	return out.String()
}
