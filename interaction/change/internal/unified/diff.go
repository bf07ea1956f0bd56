package unified

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// File is a changed file of a unified diff.
type File struct {
	// Old and New are its paths from the root of the code; "" where it is not there.
	Old, New string
	// From is the file that a new one is a copy of; "" for others.
	From string
	// OldBlob and NewBlob are the object names in Git, perhaps abbreviated. "" is unknown.
	OldBlob, NewBlob string
	Binary           bool
	Mode             bool // its mode changes
	// Special says what it is instead of a file with lines: a submodule or a symbolic link.
	Special string
	Hunks   []Hunk

	// Exact says that the names have no prefix, Absent that the diff has no lines of a file, or
	// folder, that one side lacks.
	Exact, Absent bool

	line int // of the diff, in which it begins
}

// Path returns the file's path, the new one where there are two.
func (f *File) Path() string {
	if f.New != "" {
		return f.New
	}
	return f.Old
}

// Source returns the path of the text that the hunks change.
func (f *File) Source() string {
	if f.From != "" {
		return f.From
	}
	return f.Old
}

// Parse reads a unified diff, as git diff and diff -u print it, and mails of git format-patch.
// Hunks may lack their bodies; then all lines that the header names count as changed, so that such
// a diff is best made without context. Text before the first file is skipped. The error says which
// line is wrong, or why the diff is of another kind.
func Parse(text string) ([]*File, error) {
	lines, err := plain(text)
	if err != nil {
		return nil, err
	}
	p := &diffParser{lines: lines}
	p.mail()
	for p.at < len(p.lines) {
		if err := p.line(); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.at+1, err)
		}
	}
	return p.end()
}

type diffParser struct {
	lines []string
	at    int
	files []*File
	file  *File // nil before the first one
	// git says that the file began with a line "diff --git", fresh that its lines --- and +++ have
	// not come yet.
	git, fresh bool
	// roots are the folders of a line "diff -r OLD NEW".
	roots []string
}

func (p *diffParser) start() {
	p.file = &File{line: p.at + 1}
	p.files = append(p.files, p.file)
}

func (p *diffParser) line() error {
	line := p.lines[p.at]
	switch {
	case strings.HasPrefix(line, "diff --git "):
		p.start()
		p.git, p.fresh = true, true
		p.file.Old, p.file.New = gitPaths(strings.TrimPrefix(line, "diff --git "))
	case strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "), strings.HasPrefix(line, "@@@ "):
		return errors.New("a combined diff of a merge compares with several commits: give the difference to one of them, as git diff PARENT MERGE prints it")
	case strings.HasPrefix(line, "diff -"):
		p.file, p.git, p.fresh = nil, false, false
		p.folders(line)
	case p.fileHeader():
		if !p.fresh {
			p.start()
			p.git = false
		}
		p.fresh = false
		p.named(line[4:], p.lines[p.at+1][4:])
		p.at++
	case p.bare(line):
	case p.file == nil:
	case strings.HasPrefix(line, "@@ "):
		return p.hunk()
	case p.git:
		p.extended(line)
	}
	p.at++
	return nil
}

// extended reads a line of Git between the names of a file and its hunks.
func (p *diffParser) extended(line string) {
	f := p.file
	value := func(prefix string) string { return unquoted(strings.TrimPrefix(line, prefix)) }
	switch {
	case strings.HasPrefix(line, "index "):
		blobs, mode, _ := strings.Cut(strings.TrimPrefix(line, "index "), " ")
		before, after, _ := strings.Cut(blobs, "..")
		f.OldBlob, f.NewBlob = blobName(before), blobName(after)
		f.mode(mode)
	case strings.HasPrefix(line, "new file mode "):
		f.Old = ""
		f.mode(value("new file mode "))
	case strings.HasPrefix(line, "deleted file mode "):
		f.New = ""
		f.mode(value("deleted file mode "))
	case strings.HasPrefix(line, "old mode "), strings.HasPrefix(line, "new mode "):
		f.Mode = true
		f.mode(value("old mode "))
	case strings.HasPrefix(line, "rename from "):
		f.Old, f.Exact = value("rename from "), true
	case strings.HasPrefix(line, "rename to "):
		f.New = value("rename to ")
	case strings.HasPrefix(line, "copy from "):
		f.Old, f.From, f.Exact = "", value("copy from "), true
	case strings.HasPrefix(line, "copy to "):
		f.New = value("copy to ")
	case strings.HasPrefix(line, "Binary files "), strings.HasPrefix(line, "GIT binary patch"):
		f.Binary = true
	}
}

// mode notes what a mode of Git says of a file.
func (f *File) mode(mode string) {
	switch mode {
	case "160000":
		f.Special = "a submodule: the diff does not have its code"
	case "120000":
		f.Special = "a symbolic link"
	}
}

// bare reads a line without "diff --git" that names a file, and the diff has no lines for it: one
// of diff -r, or of a submodule.
func (p *diffParser) bare(line string) bool {
	f := &File{line: p.at + 1}
	switch rest, ok := strings.CutPrefix(line, "Submodule "); {
	case ok && submodule.MatchString(line):
		name, _, _ := strings.Cut(rest, " ")
		f.Old, f.New = name, name
		f.mode("160000")
	case p.git && p.file != nil:
		return false
	default:
		if only := onlyIn.FindStringSubmatch(line); only != nil && len(p.roots) == 2 {
			at := only[1] + "/" + only[2]
			if rel, ok := strings.CutPrefix(at, p.roots[0]+"/"); ok {
				f.Old = rel
			} else if rel, ok := strings.CutPrefix(at, p.roots[1]+"/"); ok {
				f.New = rel
			}
			if f.Path() == "" {
				return false
			}
			f.Absent, f.Special = true, "only one side has it, and the diff has no lines of it: give one of diff -N"
			break
		}
		m := differ.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		f.Old, f.New = pair(unquoted(m[1]), unquoted(m[2]))
		f.Binary = true
	}
	p.files, p.file, p.git = append(p.files, f), nil, false
	return true
}

var (
	hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
	submodule  = regexp.MustCompile(`^Submodule \S+ (([0-9a-f]+\.{2,3}[0-9a-f]+)|contains )`)
	onlyIn     = regexp.MustCompile(`^Only in (.+): (.+)$`)
	differ     = regexp.MustCompile(`^(?:Binary f|F)iles (.+) and (.+) differ$`)
)

// fileHeader reports whether the two lines that name a file begin here.
func (p *diffParser) fileHeader() bool {
	return p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at], "--- ") && strings.HasPrefix(p.lines[p.at+1], "+++ ")
}

// span returns two numbers of a hunk's header; the second one may be left out.
func span(start, lines string) (s Span, err error) {
	if s.Start, err = strconv.Atoi(start); err != nil {
		return s, fmt.Errorf("%q is no number of a line", start)
	}
	if s.Lines = 1; lines != "" {
		if s.Lines, err = strconv.Atoi(lines); err != nil {
			return s, fmt.Errorf("%q is no number of lines", lines)
		}
	}
	return s, nil
}

// hunk reads a hunk's header, and its body if there is one.
func (p *diffParser) hunk() error {
	m := hunkHeader.FindStringSubmatch(p.lines[p.at])
	if m == nil {
		return fmt.Errorf("%q is no header of a hunk", p.lines[p.at])
	}
	var h Hunk
	var err1, err2 error
	h.Old, err1 = span(m[1], m[2])
	h.New, err2 = span(m[3], m[4])
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	p.at++
	switch {
	case p.at < len(p.lines) && p.body():
		if err := p.bodyOf(&h); err != nil {
			return err
		}
	case p.at < len(p.lines) && !headerOnly.MatchString(p.lines[p.at]):
		return fmt.Errorf("%q is neither a line of the hunk, with its mark in front, nor a header: a diff by words or with other marks cannot be read; give one by lines, as git diff prints it", p.lines[p.at])
	}
	p.file.Hunks = append(p.file.Hunks, h)
	return nil
}

// headerOnly matches lines that may follow a hunk without a body.
var headerOnly = regexp.MustCompile(`^($|@@ |diff |index |---|\+\+\+|#|Index: |Only in |Binary files |Submodule |commit |From |-- $)`)

// bodyOf reads the lines of a hunk.
func (p *diffParser) bodyOf(h *Hunk) error {
	old, new := h.Old.Lines, h.New.Lines
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if strings.HasPrefix(line, `\`) && len(h.Body) > 0 { // no newline at the end of the file
			mark := h.Body[len(h.Body)-1][0]
			h.OldBare, h.NewBare = h.OldBare || mark != '+', h.NewBare || mark != '-'
			continue
		}
		if old == 0 && new == 0 {
			break
		}
		if line == "" || line == "\r" {
			line = " " + line // an empty line of context whose space was lost
		}
		switch line[0] {
		case ' ':
			old, new = old-1, new-1
		case '-':
			old--
		case '+':
			new--
		default:
			return errors.New("the hunk ends before all of its lines have come")
		}
		if old < 0 || new < 0 {
			break
		}
		h.Body = append(h.Body, line)
	}
	if old != 0 || new != 0 || p.goesOn() {
		return errors.New("the hunk has other numbers of lines than its header says")
	}
	return nil
}

// body reports whether the line is the first one of a hunk's body. After a hunk of Git's no file
// begins without "diff --git". Empty lines are the first ones if a line with a mark follows them.
func (p *diffParser) body() bool {
	q := *p
	for q.at < len(q.lines) && strings.TrimSuffix(q.lines[q.at], "\r") == "" {
		q.at++
	}
	if q.at == len(q.lines) {
		return false
	}
	return q.marked() && (p.git || !q.fileHeader()) && (q.at == p.at || !q.signature())
}

// goesOn reports whether a hunk has more lines than its header says.
func (p *diffParser) goesOn() bool {
	return p.at < len(p.lines) && p.marked() && !p.fileHeader() && !p.signature()
}

// marked reports whether a line begins with a mark of a hunk.
func (p *diffParser) marked() bool {
	line := strings.TrimSuffix(p.lines[p.at], "\r")
	return line != "" && strings.ContainsRune(" -+", rune(line[0]))
}

// signature reports whether the line ends the changes of a mail.
func (p *diffParser) signature() bool {
	line := strings.TrimRight(p.lines[p.at], " \r")
	return line == "--" || line == "---"
}
