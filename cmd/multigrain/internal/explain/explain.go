// Package explain holds a text for every diagnostic code: what it means, an example that causes it,
// and the remedy. The texts are Markdown files, one for each hundred codes. The folder
// docs/reference/diagnostics contains the same files; go test -update copies them.
package explain

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed texts/*.md
var files embed.FS

// entry is the section of one code.
type entry struct {
	code, title string
	body        string // Markdown, without the heading
}

var heading = regexp.MustCompile(`^## (MG[0-9]{3}): (.+)$`)

// entries are all sections, by code. Each file name orders its hundred.
var entries = sync.OnceValue(func() []entry {
	var out []entry
	list, err := files.ReadDir("texts")
	if err != nil {
		panic(err) // an embedded folder can be read
	}
	for _, f := range list {
		text, err := files.ReadFile("texts/" + f.Name())
		if err != nil {
			panic(err)
		}
		out = append(out, sections(string(text))...)
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.code, b.code) })
	return out
})

// sections splits a file at its headings of the second level. The text before the first one is an
// introduction for readers of the file and belongs to no code.
func sections(text string) []entry {
	var out []entry
	for line := range strings.Lines(text) {
		if m := heading.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			out = append(out, entry{code: m[1], title: m[2]})
		} else if len(out) > 0 {
			out[len(out)-1].body += line
		}
	}
	for k := range out {
		out[k].body = strings.Trim(out[k].body, "\n")
	}
	return out
}

// Codes returns the codes that have a text, in ascending order.
func Codes() []string {
	var out []string
	for _, e := range entries() {
		out = append(out, e.code)
	}
	return out
}

// Title returns the few words that name a code. It reports whether the code exists; upper and lower
// case are the same.
func Title(code string) (string, bool) {
	e := find(code)
	return e.title, e.code != ""
}

// Text returns the text of a code as a terminal shows it: the code with its title, the meaning, the
// indented example, and the remedy. It reports whether the code exists. Upper and lower case are
// the same.
func Text(code string) (string, bool) {
	e := find(code)
	if e.code == "" {
		return "", false
	}
	return e.code + ": " + e.title + "\n\n" + plain(e.body) + "\n", true
}

// retired are codes that earlier versions had for a rule that has another code as well, each with
// the code of today. Numbers stand after MG.
var retired = map[string]string{"201": "301", "202": "302", "203": "303", "207": "421", "208": "403", "537": "220"}

// find returns the section of a code, or the zero entry. A retired code has that of today.
func find(code string) entry {
	code = strings.ToUpper(code)
	if now := retired[strings.TrimPrefix(code, "MG")]; now != "" {
		code = "MG" + now
	}
	all := entries()
	if k := slices.IndexFunc(all, func(e entry) bool { return e.code == code }); k >= 0 {
		return all[k]
	}
	return entry{}
}

// plain turns the Markdown of a section into text: code blocks are indented, and backquotes in
// prose are dropped.
func plain(body string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.SplitSeq(body, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			continue
		case fenced && line != "":
			line = "    " + line
		case !fenced:
			line = strings.ReplaceAll(line, "`", "")
		}
		out.WriteString(line + "\n")
	}
	return strings.TrimRight(out.String(), "\n")
}
