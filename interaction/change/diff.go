package change

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
	// OldBlob and NewBlob are the object names in Git, perhaps abbreviated. "" is unknown.
	OldBlob, NewBlob string
	Binary           bool
	Hunks            []Hunk
}

// Path returns the file's path, the new one where there are two.
func (f *File) Path() string {
	if f.New != "" {
		return f.New
	}
	return f.Old
}

// Hunk is a changed part. With Lines 0, Start is the line after which something is inserted or was
// removed.
type Hunk struct {
	Old, New Span
	// Body are its lines, each with its mark; nil where the diff has headers only.
	Body []string
}

// Span is a range of lines: Start counts from 1.
type Span struct{ Start, Lines int }

func (s Span) last() int { return s.Start + s.Lines - 1 }

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// ParseDiff reads a unified diff, as git diff and diff -u print it. Hunks may lack their bodies;
// then all lines that the header names count as changed, so that such a diff is best made without
// context. Text before the first file is skipped.
func ParseDiff(text string) ([]*File, error) {
	p := &diffParser{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	for p.at < len(p.lines) {
		if err := p.line(); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.at+1, err)
		}
	}
	if len(p.files) == 0 {
		return nil, errors.New("no changed file is named: a unified diff has lines with --- and +++")
	}
	return p.files, nil
}

type diffParser struct {
	lines []string
	at    int
	files []*File
	file  *File // nil before the first one
	// git says that the file began with a line "diff --git", fresh that its lines --- and +++ have
	// not come yet.
	git, fresh bool
}

func (p *diffParser) start() {
	p.file = &File{}
	p.files = append(p.files, p.file)
}

func (p *diffParser) line() error {
	line := p.lines[p.at]
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "diff --git "):
		p.start()
		p.git, p.fresh = true, true
		p.file.Old, p.file.New = gitPaths(strings.TrimPrefix(line, "diff --git "))
	case p.fileHeader():
		if !p.fresh {
			p.start()
			p.git = false
		}
		p.fresh = false
		p.file.Old, p.file.New = diffPath(line[4:], "a/"), diffPath(p.lines[p.at+1][4:], "b/")
		p.at++
	case p.file == nil:
	case word == "index":
		blobs, _, _ := strings.Cut(rest, " ")
		before, after, _ := strings.Cut(blobs, "..")
		p.file.OldBlob, p.file.NewBlob = blobName(before), blobName(after)
	case strings.HasPrefix(line, "new file mode"):
		p.file.Old = ""
	case strings.HasPrefix(line, "deleted file mode"):
		p.file.New = ""
	case strings.HasPrefix(line, "rename from "):
		p.file.Old = strings.TrimPrefix(line, "rename from ")
	case strings.HasPrefix(line, "rename to "):
		p.file.New = strings.TrimPrefix(line, "rename to ")
	case strings.HasPrefix(line, "Binary files ") || strings.HasPrefix(line, "GIT binary patch"):
		p.file.Binary = true
	case strings.HasPrefix(line, "@@ "):
		return p.hunk()
	}
	p.at++
	return nil
}

// fileHeader reports whether the two lines that name a file begin here.
func (p *diffParser) fileHeader() bool {
	return p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at], "--- ") && strings.HasPrefix(p.lines[p.at+1], "+++ ")
}

// hunk reads a hunk's header, and its body if there is one.
func (p *diffParser) hunk() error {
	m := hunkHeader.FindStringSubmatch(p.lines[p.at])
	if m == nil {
		return fmt.Errorf("%q is no header of a hunk", p.lines[p.at])
	}
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil { // left out: one line
			n = 1
		}
		return n
	}
	h := Hunk{Old: Span{number(m[1]), number(m[2])}, New: Span{number(m[3]), number(m[4])}}
	p.at++
	if old, new := h.Old.Lines, h.New.Lines; p.at < len(p.lines) && p.body() {
		for ; p.at < len(p.lines) && (old > 0 || new > 0); p.at++ {
			line := p.lines[p.at]
			if line == "" {
				line = " " // an empty line of context whose space was lost
			}
			switch line[0] {
			case ' ':
				old, new = old-1, new-1
			case '-':
				old--
			case '+':
				new--
			case '\\': // no newline at the end of the file
				continue
			default:
				return errors.New("the hunk ends before all of its lines have come")
			}
			h.Body = append(h.Body, line)
		}
		if old != 0 || new != 0 {
			return errors.New("the hunk has other numbers of lines than its header says")
		}
	}
	p.file.Hunks = append(p.file.Hunks, h)
	return nil
}

// body reports whether the line is the first one of a hunk's body. After a hunk of Git's no file
// begins without "diff --git".
func (p *diffParser) body() bool {
	line := p.lines[p.at]
	return line != "" && strings.ContainsRune(" -+", rune(line[0])) && (p.git || !p.fileHeader())
}

// gitPaths returns the paths of a line "diff --git a/x b/x". If the line is ambiguous, the lines
// below name them.
func gitPaths(s string) (before, after string) {
	if !strings.HasPrefix(s, "a/") {
		return "", ""
	}
	if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' && s[2:half] == strings.TrimPrefix(s[half+1:], "b/") {
		return s[2:half], s[2:half]
	}
	return "", ""
}

// diffPath returns a path of a line --- or +++ without its prefix; "" for /dev/null. A tab ends it.
func diffPath(s, prefix string) string {
	s, _, _ = strings.Cut(s, "\t")
	s = strings.TrimSpace(s)
	if s == "/dev/null" {
		return ""
	}
	if unquoted, err := strconv.Unquote(s); err == nil {
		s = unquoted
	}
	return strings.TrimPrefix(s, prefix)
}

// runs returns the changed parts of a hunk without the lines around them.
func (h *Hunk) runs() []Hunk {
	if h.Body == nil {
		return []Hunk{*h}
	}
	var out []Hunk
	var run *Hunk
	old, new := h.Old.Start, h.New.Start
	if h.Old.Lines == 0 {
		old++ // Start is the line before
	}
	if h.New.Lines == 0 {
		new++
	}
	for _, line := range h.Body {
		if line[0] == ' ' {
			run = nil
			old, new = old+1, new+1
			continue
		}
		if run == nil {
			out = append(out, Hunk{Old: Span{old, 0}, New: Span{new, 0}})
			run = &out[len(out)-1]
		}
		run.Body = append(run.Body, line)
		if line[0] == '-' {
			run.Old.Lines++
			old++
		} else {
			run.New.Lines++
			new++
		}
	}
	for k := range out { // as headers have it
		for _, s := range []*Span{&out[k].Old, &out[k].New} {
			if s.Lines == 0 {
				s.Start--
			}
		}
	}
	return out
}

// blobName returns a word of a diff if it is the name of an object in Git, and "" otherwise. The
// word becomes an argument of Git, which takes other words for flags.
func blobName(word string) string {
	if strings.Trim(word, "0123456789abcdef") != "" {
		return ""
	}
	return word
}
