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

// TestApart: a new field of a struct shows in the functions that name it, unless the struct is
// compared or goes to code outside, or the adapter names it.
func TestApart(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	base := strings.Replace(library(t, dir), "// Node is a server.", "// Settings are those of a node.\ntype Settings struct {\n\tA, Quiet bool\n}\n\n// Use begins.\nfunc (n *Node) Use(s, o Settings) {\n\tn.hidden = len(words(&s))\n}\n\nfunc words(s *Settings) (out []string) {\n\treturn out\n}\n\n// Node is a server.", 1)
	for _, c := range []struct {
		name, line string
		want       bool
	}{
		{"copied", "var all []Settings\n\tall = append(all, s, o)\n\ts = all[0]", true},
		{"in an atomic value", "var v atomic.Value\n\tv.Store(s)\n\to = v.Load().(Settings)", true},
		{"a pointer is compared", "if &s == &o {\n\t\tn.hidden++\n\t}", true},
		{"compared", "if s == o {\n\t\tn.hidden++\n\t}", false},
		{"a part of what is compared", "x, y := [2]Settings{s}, [2]Settings{o}\n\tif x == y {\n\t\tn.hidden++\n\t}", false},
		{"compared as any value", "var x any = s\n\tif x == any(o) {\n\t\tn.hidden++\n\t}", false},
		{"a key", "m := map[Settings]int{}\n\tm[s]++", false},
		{"made a text", "n.hidden = len(fmt.Sprint(&s))", false},
		{"given to code outside", "n.hidden = slices.Index([]Settings{s}, o)", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(base, "\tn.hidden = len(words(&s))\n", "\tn.hidden = len(words(&s))\n\t"+c.line+"\n", 1)
			for _, pkg := range []string{"slices", "sync/atomic"} {
				if strings.Contains(c.line, pkg[strings.LastIndexByte(pkg, '/')+1:]+".") {
					text = strings.Replace(text, `import "fmt"`, "import (\n\t\"fmt\"\n\t\""+pkg+"\"\n)", 1)
				}
			}
			if got := loaded(t, dir, text, false).Apart("example.org/library.Settings", []string{"Quiet"}); got != c.want {
				t.Errorf("apart: %v, want %v", got, c.want)
			}
		})
	}
	p := loaded(t, dir, base, false)
	if p.Apart("example.org/library.Message", []string{"To"}) {
		t.Error("the adapter names Message.To")
	}
	if p.Apart("example.org/library.Node", []string{"lead"}) {
		t.Error("the adapter finds Node.lead by its name")
	}
	if p.Apart("example.org/library.None", []string{"Quiet"}) {
		t.Error("there is no type None")
	}
}

// TestAbsent: code that runs only with a field that nothing sets differs in nothing, if the
// manifest says that the specification has nothing for the field. A field that something sets, or
// may set, counts.
func TestAbsent(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	base := strings.Replace(library(t, dir), "// Node is a server.", "// Settings are those of a node.\ntype Settings struct {\n\tNotify chan bool\n\tA int\n}\n\n// Node is a server.", 1)
	base = strings.Replace(base, "\ttransport  Transport\n", "\ttransport  Transport\n\tsettings   Settings\n", 1)
	base = strings.Replace(base, "\tn.resets++\n}\n", "\tn.resets++\n\tif notify := n.settings.Notify; notify != nil {\n\t\tnotify <- true\n\t}\n}\n\nfunc (n *Node) begin(c chan bool) {\n\tn.settings.A = 3\n}\n", 1)
	is := func(field string) func(string) bool { return func(name string) bool { return name == field } }
	change := [2]string{"\t\tnotify <- true\n", "\t\tnotify <- false\n\t\tn.round = 2\n"}
	for _, c := range []struct {
		name   string
		absent func(string) bool
		edits  [][2]string // of both sides
		more   [2]string   // of one side
		want   bool
	}{
		{name: "absent", absent: is("Settings.Notify"), want: true},
		{name: "absent, and read as nil", absent: is("Settings.Notify"), edits: [][2]string{{"; notify != nil {", "; !(nil == notify) {"}}, want: true},
		{name: "nothing is said"},
		{name: "another field", absent: is("Settings.A")},
		{name: "set", absent: is("Settings.Notify"), edits: [][2]string{{"n.settings.A = 3", "n.settings.Notify = c"}}},
		{name: "set as a part", absent: is("Settings.Notify"), edits: [][2]string{{"n.settings.A = 3", "n.settings = Settings{Notify: c}"}}},
		{name: "its address is taken", absent: is("Settings.Notify"), edits: [][2]string{{"n.settings.A = 3", "p := &n.settings.Notify\n\t*p = c"}}},
		{name: "code outside gets it", absent: is("Settings.Notify"), edits: [][2]string{{"n.settings.A = 3", "fmt.Sscan(\"\", &n.settings)"}}},
		{name: "on the other way", absent: is("Settings.Notify"), edits: [][2]string{{"; notify != nil {", "; notify == nil {"}}},
		{name: "another change, too", absent: is("Settings.Notify"), more: [2]string{"n.vote = 0", "n.vote = 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := base
			for _, e := range c.edits {
				if !strings.Contains(text, e[0]) {
					t.Fatalf("there is no %q", e[0])
				}
				text = strings.Replace(text, e[0], e[1], 1)
			}
			var sides [2]*Program
			for k, text := range []string{strings.Replace(text, change[0], change[1], 1), text} {
				if k == 0 && c.more[0] != "" {
					text = strings.Replace(text, c.more[0], c.more[1], 1)
				}
				p := loaded(t, dir, text, false)
				p.of.Absent = c.absent
				sides[k] = p
			}
			const name = "example.org/library.Node.reset"
			if got := sides[0].OnlyLogs(sides[1], name) && sides[1].OnlyLogs(sides[0], name); got != c.want {
				t.Errorf("cannot matter: %v, want %v", got, c.want)
			}
			if rests := sides[0].Rests(name); c.want != slices.Contains(rests, "library.Settings.Notify") && c.more[0] == "" && c.name != "on the other way" {
				t.Errorf("it rests on %q", rests)
			}
		})
	}
}
