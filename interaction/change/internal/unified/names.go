package unified

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var colours = regexp.MustCompile(`\x1b\[[0-9;]*[mK]`)

// mnemonic begins a name of Git with one of its prefixes.
var mnemonic = regexp.MustCompile(`^[abciow12]/`)

// headers are the lines of a diff that show what form it has.
var headers = []string{"diff ", "--- ", "+++ ", "@@ "}

// plain returns the lines of a diff without colours, byte order mark and, where headers have them,
// carriage returns at their ends.
func plain(text string) ([]string, error) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return nil, errors.New("the diff is text in UTF-16: write it in UTF-8, as git diff --output=FILE does")
	}
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	lines := strings.Split(text, "\n")
	some := func(is func(string) bool) bool {
		for _, line := range lines {
			for _, h := range headers {
				if strings.HasPrefix(colours.ReplaceAllString(line, ""), h) && is(line) {
					return true
				}
			}
		}
		return false
	}
	if some(func(line string) bool { return colours.MatchString(line[:min(len(line), 12)]) }) {
		for k := range lines {
			lines[k] = colours.ReplaceAllString(lines[k], "")
		}
	}
	if !some(func(line string) bool { return !strings.HasSuffix(line, "\r") }) {
		for k := range lines {
			lines[k] = strings.TrimSuffix(lines[k], "\r")
		}
	}
	return lines, nil
}

// mail skips the message of a mail of git format-patch, which may quote a diff.
func (p *diffParser) mail() {
	if len(p.lines) == 0 || !strings.HasPrefix(p.lines[0], "From ") {
		return
	}
	for k, line := range p.lines {
		if line == "---" {
			p.at = k + 1
			return
		}
	}
}

// end returns the files, or says why they are not those of one change.
func (p *diffParser) end() ([]*File, error) {
	if len(p.files) == 0 {
		for _, line := range p.lines {
			if l := strings.ToLower(line); strings.HasPrefix(l, "content-transfer-encoding: base64") || strings.HasPrefix(l, "content-transfer-encoding: quoted-printable") {
				return nil, errors.New("the mail is encoded: decode it first, as git mailinfo does")
			}
		}
		return nil, errors.New("no changed file is named: a unified diff has lines with --- and +++")
	}
	olds, news := map[string]*File{}, map[string]*File{}
	for _, f := range p.files {
		if f.Path() == "" {
			return nil, fmt.Errorf("line %d: the names of the file cannot be read: it has spaces, or prefixes that are unknown; give the diff with lines --- and +++", f.line)
		}
		for _, x := range []struct {
			name string
			seen map[string]*File
		}{{f.Old, olds}, {f.New, news}} {
			if before := x.seen[x.name]; x.name != "" && before != nil {
				return nil, fmt.Errorf("line %d: %s is changed at line %d, too, so this is a series of changes: give one diff of all of them, as git diff FIRST LAST prints it", f.line, x.name, before.line)
			}
			x.seen[x.name] = f
		}
	}
	return p.files, nil
}

// folders notes the folders of a line "diff -r OLD NEW". Later lines name files in them.
func (p *diffParser) folders(line string) {
	if words := strings.Fields(line); len(words) > 3 && p.roots == nil && strings.Contains(words[1], "r") {
		before, after := words[len(words)-2], words[len(words)-1]
		if a, b := pair(before, after); a == b && len(a) < len(before) {
			p.roots = []string{strings.TrimSuffix(before, "/"+a), strings.TrimSuffix(after, "/"+a)}
		}
	}
}

// named sets the paths of a file from what follows --- and +++.
func (p *diffParser) named(before, after string) {
	f := p.file
	old, oldTime, _ := strings.Cut(before, "\t")
	new, newTime, _ := strings.Cut(after, "\t")
	old, new = unquoted(strings.TrimSuffix(old, "\r")), unquoted(strings.TrimSuffix(new, "\r"))
	if p.git && f.Path() != "" { // the lines above say it
		return
	}
	was, is := old != "/dev/null" && !epoch(oldTime), new != "/dev/null" && !epoch(newTime)
	switch {
	case p.git && mnemonic.MatchString(old) && mnemonic.MatchString(new):
		f.Old, f.New = old[2:], new[2:]
	case p.git && old != "/dev/null" && new != "/dev/null":
		f.Old, f.New = old, new
	case old == "/dev/null":
		f.New = strings.TrimPrefix(new, "b/")
	case new == "/dev/null":
		f.Old = strings.TrimPrefix(old, "a/")
	default:
		f.Old, f.New = pair(old, new)
	}
	if !was {
		f.Old = ""
	}
	if !is {
		f.New = ""
	}
}

// epoch reports whether a time is that which diff -N gives to a file that is not there.
func epoch(s string) bool {
	for _, layout := range []string{"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.Unix() == 0
		}
	}
	return false
}

// gitPaths returns the paths of a line "diff --git a/x b/x". If the line is ambiguous, the lines
// below name them.
func gitPaths(s string) (before, after string) {
	type names struct{ before, after string }
	var equal, alike, tails []names
	for k := range s {
		if s[k] != ' ' {
			continue
		}
		a, b := unquoted(s[:k]), unquoted(s[k+1:])
		old, new := pair(a, b)
		switch {
		case a == b:
			equal = append(equal, names{a, a})
		case old == new && strings.Count(a, "/")-strings.Count(old, "/") == 1 && strings.Count(b, "/")-strings.Count(new, "/") == 1:
			alike = append(alike, names{old, new})
		case old == new && !mnemonic.MatchString(a):
			tails = append(tails, names{old, new})
		}
	}
	for _, found := range [][]names{equal, alike, tails} {
		if len(found) > 0 {
			if len(found) > 1 {
				break
			}
			return found[0].before, found[0].after
		}
	}
	return "", ""
}

// pair returns the names of one file on both sides without the prefixes: what their paths end with
// alike, by folders. Without such an end, the sides have different names.
func pair(before, after string) (old, new string) {
	a, b := strings.Split(before, "/"), strings.Split(after, "/")
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	if n > 0 {
		name := strings.Join(a[len(a)-n:], "/")
		return name, name
	}
	for _, backup := range []string{".orig", ".old", ".bak", "~"} {
		if before == after+backup {
			return after, after
		}
	}
	return strings.TrimPrefix(before, "a/"), strings.TrimPrefix(after, "b/")
}

// unquoted returns a name without the quotation marks and escapes that Git and diff give to unusual
// ones.
func unquoted(s string) string {
	if strings.HasPrefix(s, `"`) {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return s
}
