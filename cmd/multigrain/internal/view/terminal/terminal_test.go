package terminal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// hostile are texts that a terminal obeys.
var hostile = []string{
	"\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x1b\\", "\x1b[2J\x1b[H", "\x1b(0", "\r\x1b[Kholds", "a\bb", "\u009b31m", "\u009d0;x\u009c",
	"\u202eevil", "\u2066a\u2069", "\u200f", "\u2028", "\x7f", "\x00", "\xff\x1b[m", "\x1bP1$r\x1b\\", "\x1b", "\x1b[1;" + "m", "\x1b[;m",
}

// written returns the text that a Writer writes.
func written(t *testing.T, s string) string {
	t.Helper()
	var out bytes.Buffer
	w := Writer{&out}
	if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
		t.Fatal(n, err)
	}
	return out.String()
}

// TestHostile writes texts that a terminal obeys, alone and in styles.
func TestHostile(t *testing.T) {
	for _, s := range hostile {
		for what, text := range map[string]string{"plain": written(t, s), "line": Line(s), "styled": strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(written(t, Styled("1", s)))} {
			if strings.ContainsFunc(text, func(r rune) bool { return obeyed(r) && r != '\n' && r != '\t' }) {
				t.Errorf("%s: %q is written as %q", what, s, text)
			}
		}
	}
	for s, want := range map[string]string{
		"a\tb\n":                        "a\tb\n",
		"\x1b[31mx":                     `\u001b[31mx`,
		"é 漢 😀 …":                       "é 漢 😀 …",
		Styled("1;31", "Error:") + " x": "\x1b[1;31mError:\x1b[0m x",
		"\xffx":                         "\ufffdx",
	} {
		if have := written(t, s); have != want {
			t.Errorf("%q is written as %q, want %q", s, have, want)
		}
	}
	if have := Line("a\nholds\t\r"); have != `a\u000aholds\u0009\u000d` {
		t.Errorf("%q", have)
	}
	if n := Columns(Styled("2", "aé") + "漢b"); n != 4 {
		t.Errorf("%d columns", n)
	}
}

// FuzzWriter tests that no text brings a character that a terminal obeys through a Writer, and that
// a document in JSON keeps its meaning.
func FuzzWriter(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, token) {
			t.Skip()
		}
		if text := written(t, s); strings.ContainsFunc(text, func(r rune) bool { return obeyed(r) && r != '\n' && r != '\t' }) {
			t.Errorf("%q is written as %q", s, text)
		}
		doc, err := json.Marshal(map[string]string{"name": s})
		if err != nil {
			t.Fatal(err)
		}
		var before, after map[string]string
		if err := json.Unmarshal(doc, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(written(t, string(doc))), &after); err != nil || before["name"] != after["name"] {
			t.Errorf("%q becomes %q, %v", before["name"], after["name"], err)
		}
	})
}
