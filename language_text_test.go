package multigrain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// prose is a piece of running text. Its lines are joined by single spaces, so that a phrase is
// found across the end of a line.
type prose struct {
	text   string
	starts []int // offset of each source line in text
	lines  []int // number of each source line
	doc    bool  // sentences count: documentation, not a remark inside a function
}

// add appends the text of one source line.
func (p *prose) add(line int, text string) {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return
	}
	if p.text != "" {
		p.text += " "
	}
	p.starts, p.lines = append(p.starts, len(p.text)), append(p.lines, line)
	p.text += text
}

// line returns the source line of an offset in text.
func (p *prose) line(offset int) int {
	k := len(p.starts) - 1
	for k > 0 && p.starts[k] > offset {
		k--
	}
	return p.lines[k]
}

// document is the prose of a file, and the numbers of its lines that are too wide.
type document struct {
	prose []*prose
	wide  []int
}

// end closes the current piece of prose: the next line begins another one.
func (d *document) end(doc bool) {
	if len(d.prose) == 0 || d.last().text != "" {
		d.prose = append(d.prose, new(prose))
	}
	d.last().doc = doc
}

func (d *document) last() *prose { return d.prose[len(d.prose)-1] }

// maxColumns is the width of comments and Markdown. A tab counts as tabColumns.
const (
	maxColumns = 100
	tabColumns = 4
)

func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
}

var (
	codeSpan = regexp.MustCompile("`[^`]*`")
	linkTo   = regexp.MustCompile(`\]\([^)]*\)|\]: \S+|https?://\S+|\[[\w.]+\](\([^)]*\))?`)
	listItem = regexp.MustCompile(`^\s*([-*]|[0-9]+\.)\s`)
)

// bare replaces code spans by the word "code" and drops the targets of links.
func bare(line string) string {
	return linkTo.ReplaceAllString(codeSpan.ReplaceAllString(line, "code"), "]")
}

// linkTarget matches the line that says where a link leads: [0001]: FILE.
var linkTarget = regexp.MustCompile(`^\[[^\]]+\]: \S+$`)

// markdown reads a Markdown document. Targets of links, code blocks, tables and headings are no
// prose.
func markdown(text string) *document {
	d := new(document)
	d.end(true)
	fenced, code := false, false
	for k, line := range strings.Split(text, "\n") {
		blank, table := strings.TrimSpace(line) == "", strings.HasPrefix(strings.TrimSpace(line), "|")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
			d.end(true)
			continue
		case fenced, linkTarget.MatchString(line):
			continue
		case code && (blank || indented(line)):
			continue
		case blank:
			d.end(true)
			continue
		case indented(line) && d.last().text == "" && !listItem.MatchString(line):
			code = true
			continue
		}
		code = false
		if columns(line) > maxColumns && !table && !linkTo.MatchString(line) {
			d.wide = append(d.wide, k+1)
		}
		if table {
			for cell := range strings.SplitSeq(line, "|") {
				d.end(false)
				d.last().add(k+1, bare(cell))
			}
			d.end(true)
			continue
		}
		if listItem.MatchString(line) || strings.HasPrefix(line, "#") {
			d.end(true)
		}
		d.last().add(k+1, bare(line))
		if strings.HasPrefix(line, "#") {
			d.end(true)
		}
	}
	return d
}

func indented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// goFile reads the comments of a Go file and, where messages is set, its string literals. It
// returns nil for generated code.
func goFile(path string, src []byte, messages bool) (*document, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	d, lines := new(document), strings.Split(string(src), "\n")
	docs := map[*ast.CommentGroup]bool{f.Doc: true}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			docs[n.Doc] = true
		case *ast.GenDecl:
			docs[n.Doc] = true
		case *ast.TypeSpec:
			docs[n.Doc] = true
		case *ast.ValueSpec:
			docs[n.Doc] = true
		case *ast.Field:
			docs[n.Doc] = true
			n.Tag = nil
		case *ast.BasicLit:
			if messages && n.Kind == token.STRING {
				d.message(n, set.Position(n.Pos()).Line)
			}
		}
		return true
	})
	for _, group := range f.Comments {
		d.comments(group, set, docs[group])
		from, to := set.Position(group.Pos()).Line, set.Position(group.End()).Line
		for k := from; k <= to; k++ {
			// Tables and drawings in a comment do not count, like those of Markdown.
			fixed := strings.HasPrefix(strings.TrimSpace(lines[k-1]), "//\t")
			if columns(lines[k-1]) > maxColumns && !fixed && !strings.Contains(lines[k-1], "://") {
				d.wide = append(d.wide, k)
			}
		}
	}
	return d, nil
}

// comments adds a group of comments. A line that is indented is code; directives are no prose.
func (d *document) comments(group *ast.CommentGroup, set *token.FileSet, doc bool) {
	d.end(doc)
	for _, c := range group.List {
		first := set.Position(c.Pos()).Line
		text, isLine := strings.CutPrefix(c.Text, "//")
		if isLine && text != "" && text[0] != ' ' && text[0] != '\t' {
			continue // a directive
		}
		text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
		for k, line := range strings.Split(text, "\n") {
			rest := strings.TrimPrefix(line, " ")
			switch {
			case strings.TrimSpace(rest) == "":
				d.end(doc)
			case indented(rest) || strings.HasPrefix(rest, "  "):
				d.end(doc)
				if listItem.MatchString(rest) {
					d.last().add(first+k, bare(rest))
				}
			default:
				if listItem.MatchString(rest) {
					d.end(doc)
				}
				d.last().add(first+k, bare(rest))
			}
		}
	}
}

// message adds a string literal with more than one word.
func (d *document) message(lit *ast.BasicLit, line int) {
	text, err := strconv.Unquote(lit.Value)
	if err != nil || !strings.Contains(strings.TrimSpace(text), " ") {
		return
	}
	raw := strings.HasPrefix(lit.Value, "`")
	d.end(false)
	for k, part := range strings.Split(text, "\n") {
		if !raw {
			k = 0
		}
		d.last().add(line+k, part)
	}
}

// readDocument reads a file; nil where it is generated.
func readDocument(path string) (*document, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".md") {
		return markdown(string(src)), nil
	}
	messages := !strings.HasSuffix(path, "_test.go")
	return goFile(path, src, messages)
}
