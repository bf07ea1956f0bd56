package lsp

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/multigrain/multigrain/docs/reference"
)

// section has the sentences of the reference about a block.
type section struct {
	about  string // its sentences
	attrs  []described
	blocks []string // types of nested blocks
}

// described is a name with its meaning, in Markdown.
type described struct{ name, means string }

// attribute is a row of a table of attributes.
var attribute = regexp.MustCompile("^\\| `([a-z_]+)` \\| (.*) \\|$")

// sections are those of the reference by their headings, such as "module / accept"; "" is the top
// level. A test compares the headings and tables of that page with the loader.
var sections = sync.OnceValue(func() map[string]*section {
	out := map[string]*section{"": {}}
	at, fence := &section{}, false
	for line := range strings.Lines(reference.Manifest) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			fence = !fence
		case fence:
		case strings.HasPrefix(line, "## "), strings.HasPrefix(line, "### "):
			title := strings.TrimSpace(strings.TrimLeft(line, "#"))
			if title == "Top level" {
				at = out[""]
				continue
			}
			at = &section{}
			out[title] = at
			above, name := "", title
			if k := strings.LastIndex(title, " / "); k >= 0 {
				above, name = title[:k], title[k+3:]
			}
			out[above].blocks = append(out[above].blocks, name)
		case attribute.MatchString(line):
			m := attribute.FindStringSubmatch(line)
			at.attrs = append(at.attrs, described{m[1], m[2]})
		case line != "" && !strings.HasPrefix(line, "|") && len(at.attrs) == 0:
			at.about = strings.TrimSpace(at.about + " " + line)
		}
	}
	return out
})

// literal is a text in quotes in the meaning of an attribute.
var literal = regexp.MustCompile("`\"([^\"`]+)\"`")

// quotedIn returns the values that the reference lists for an attribute of a block at path.
func quotedIn(path, attr string) (out []string) {
	s := sections()[path]
	if s == nil {
		return nil
	}
	for _, a := range s.attrs {
		for _, m := range literal.FindAllStringSubmatch(a.means, -1) {
			if a.name == attr {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// inSection returns the names that the reference has for a block at path.
func inSection(path string) (out []name) {
	s := sections()[path]
	if s == nil {
		return nil
	}
	for _, a := range s.attrs {
		out = append(out, name{text: a.name, kind: kindProperty, detail: "attribute", doc: a.means, insert: a.name + " = "})
	}
	for _, b := range s.blocks {
		inner := path + " / " + b
		if path == "" {
			inner = b
		}
		if slices.ContainsFunc(out, func(n name) bool { return n.text == b }) {
			continue // accept = [] and accept { }: the block is written far more often
		}
		out = append(out, name{text: b, kind: kindModule, detail: "block", doc: sections()[inner].about, insert: b + " "})
	}
	return out
}
