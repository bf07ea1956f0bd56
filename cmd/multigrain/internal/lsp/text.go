package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/grains"
)

// pathOf returns the file of a URI; "" for one that is no file.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // a drive
		path = path[1:]
	}
	return filepath.FromSlash(path)
}

// uriOf returns the URI of a file.
func uriOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// offsetOf returns the byte of a position. One after the end of a line is the end of the line.
func offsetOf(text string, p position) int {
	at := 0
	for range p.Line {
		k := strings.IndexByte(text[at:], '\n')
		if k < 0 {
			return len(text)
		}
		at += k + 1
	}
	for units := 0; units < p.Character && at < len(text) && text[at] != '\n'; {
		r, size := utf8.DecodeRuneInString(text[at:])
		units += max(1, utf16.RuneLen(r))
		at += size
	}
	return at
}

// positionOf returns the position of a byte.
func positionOf(text string, offset int) position {
	offset = min(max(offset, 0), len(text))
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	p := position{Line: strings.Count(text[:start], "\n")}
	for _, r := range text[start:offset] {
		p.Character += max(1, utf16.RuneLen(r))
	}
	return p
}

// rangeOf returns a range of a text by its bytes.
func rangeOf(text string, from, to int) textRange {
	return textRange{positionOf(text, from), positionOf(text, to)}
}

// rangeIn returns a range of HCL. Without the text of its file, characters are not UTF-16 units.
func rangeIn(text string, r hcl.Range) textRange {
	if text != "" && r.End.Byte > 0 && r.End.Byte <= len(text) {
		return rangeOf(text, r.Start.Byte, max(r.Start.Byte, r.End.Byte))
	}
	at := func(p hcl.Pos) position { return position{max(0, p.Line-1), max(0, p.Column-1)} }
	return textRange{at(r.Start), at(r.End)}
}

// locationOf returns a place in Go.
func locationOf(p grains.Place) location {
	at := position{max(0, p.Line-1), max(0, p.Column-1)}
	return location{uriOf(p.File), textRange{at, at}}
}
