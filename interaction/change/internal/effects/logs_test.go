package effects

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// library returns the text of the library.
func library(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWritesBeforeALoop: what a function writes before a loop with which it continues is named.
func TestWritesBeforeALoop(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	base := strings.Replace(library(t, dir), "func (n *Node) ack", "func (n *Node) drain() {\n\tn.round = 0\n\tfor len(n.out) > 3 {\n\t\tn.out = n.out[1:]\n\t}\n}\n\nfunc (n *Node) ack", 1)
	text := strings.Replace(base, "\tn.round = 0\n", "\tn.round = 1\n", 1)
	gone, come := differing(base, text)
	var got []string
	for _, w := range loaded(t, dir, text, false).Writes(come, loaded(t, dir, base, false), gone) {
		got = append(got, w.Place)
	}
	if want := []string{"library.Node.round"}; !slices.Equal(got, want) {
		t.Errorf("written are %q, want %q", got, want)
	}
}

// TestOnlyLogs: conditions that decide logs alone, functions that write nothing else, and fields
// that are read for these alone, are no more than logs. Whatever else a condition decides is more.
func TestOnlyLogs(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	log := "\tn.logger.Debugf(\"%d\", n.term)\n"
	base := strings.Replace(library(t, dir), "\tn.resets++\n}\n", "\tn.resets++\n"+log+"\tfor k := range n.out {\n\t\tn.logger.Debugf(\"%d\", k)\n\t\tn.hidden++\n\t}\n}\n\n"+
		"func (n *Node) note(k uint64) {\n\tn.logger.Debugf(\"%d\", k)\n}\n", 1)
	base = strings.Replace(base, "transport  Transport\n", "transport  Transport\n\tsilent     bool\n", 1)
	old := loaded(t, dir, base, false)
	for _, c := range []struct {
		name, was, is string
		more          [2]string // another replacement
		want          bool
	}{
		{name: "a condition", was: log, is: "\tif !n.silent {\n\t" + log + "\t}\n", want: true},
		{name: "a condition in a loop", was: "\t\tn.logger.Debugf(\"%d\", k)\n\t\tn.hidden++\n", is: "\t\tif !n.silent {\n\t\t\tn.logger.Debugf(\"%d\", k)\n\t\t}\n\t\tn.hidden++\n", want: true},
		{name: "a field that is read for a log", was: log, is: log + "\tn.silent = term > 3\n", more: [2]string{"\tn.logger.Debugf(\"%d\", k)\n}", "\tif !n.silent {\n\t\tn.logger.Debugf(\"%d\", k)\n\t}\n}"}, want: true},
		{name: "a function that writes a log", was: log, is: log + "\tn.note(term)\n", want: true},
		{name: "another argument of it", was: log, is: log + "\tn.note(term, n.silent)\n", more: [2]string{"note(k uint64) {\n\tn", "note(k uint64, silent bool) {\n\tif silent {\n\t\treturn\n\t}\n\tn"}, want: true},
		{name: "a condition that writes, too", was: log, is: "\tif !n.silent {\n\t" + log + "\t\tn.round = 1\n\t}\n"},
		{name: "a condition that returns", was: log, is: "\tif n.silent {\n\t\treturn\n\t}\n" + log},
		{name: "a condition that leaves a loop", was: "\t\tn.hidden++\n", is: "\t\tif n.silent {\n\t\t\tbreak\n\t\t}\n\t\tn.hidden++\n"},
		{name: "a condition that never ends", was: log, is: log + "\tif n.silent {\n\t\tfor {\n\t\t}\n\t}\n"},
		{name: "a loop", was: log, is: log + "\tfor n.silent {\n\t" + log + "\t}\n"},
		{name: "a condition that may panic", was: log, is: "\tif n.reads.queue[0] > 3 {\n\t" + log + "\t}\n"},
		{name: "a function that writes, too", was: log, is: log + "\tn.note(term)\n", more: [2]string{"\tn.logger.Debugf(\"%d\", k)\n}", "\tn.logger.Debugf(\"%d\", k)\n\tn.round = 1\n}"}},
		{name: "a function that calls itself", was: log, is: log + "\tn.note(term)\n", more: [2]string{"\tn.logger.Debugf(\"%d\", k)\n}", "\tn.logger.Debugf(\"%d\", k)\n\tn.note(k)\n}"}},
		{name: "a field that is read for more", was: log, is: log + "\tn.silent = term > 3\n", more: [2]string{"\tn.lead = m.To\n", "\tif !n.silent {\n\t\tn.lead = m.To\n\t}\n"}},
		{name: "a value of a condition around more", was: "\tn.resets++\n", is: "\tn.resets++\n\tk := term\n\tif n.silent {\n\t\tk = 1\n\t}\n\tn.hidden = int(k)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(base, c.was, c.is, 1)
			if c.more[0] != "" {
				text = strings.Replace(text, c.more[0], c.more[1], 1)
			}
			if text == base {
				t.Fatal("nothing is replaced")
			}
			if got := loaded(t, dir, text, false).OnlyLogs(old, "example.org/library.Node.reset"); got != c.want {
				t.Errorf("only logs: %v, want %v", got, c.want)
			}
		})
	}
}
