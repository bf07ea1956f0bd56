package effects

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpacked writes the files of testdata/node.txtar into a folder.
func unpacked(t *testing.T) string {
	t.Helper()
	a, err := txtar.ParseFile("testdata/node.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range a.Files {
		at := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// loaded reads the program with a text of the library, and the constant Round of the specification.
func loaded(t *testing.T, dir, text string, round bool, compared ...string) *Program {
	t.Helper()
	return renamed(t, dir, text, round, nil, compared...)
}

// renamed is loaded for a library in which names have other ones.
func renamed(t *testing.T, dir, text string, round bool, to map[string]string, compared ...string) *Program {
	t.Helper()
	overlay := map[string][]byte{filepath.Join(dir, "library", "node.go"): []byte(text)}
	if round {
		at := filepath.Join(dir, "check", "spec", "spec.go")
		spec, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		overlay[at] = []byte(strings.Replace(string(spec), "Round = false", "Round = true", 1))
	}
	p, err := Load(Source{Dir: filepath.Join(dir, "check"), Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), Overlay: overlay,
		Root: filepath.Join(dir, "library"), Module: "example.org/library", Adapter: "example.org/check/adapter", Compared: compared, Renamed: to})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestObserves: what an adapter observes is computed from its code, for the variables that are
// compared and the constants of the composition.
func TestObserves(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	text, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"library.Message.To", "library.Node.hidden", "library.Node.lead", "library.Node.out", "library.Node.reads", "library.Node.term", "library.Node.vote", "library.book.acks"}
	if got := loaded(t, dir, string(text), false).Observes(); !reflect.DeepEqual(got, all) {
		t.Errorf("the adapter observes %v, want %v", got, all)
	}
	with := loaded(t, dir, string(text), true).Observes()
	if !slices.Contains(with, "library.Node.round") {
		t.Errorf("with a constant that switches a part on, the adapter observes %v", with)
	}
	some := loaded(t, dir, string(text), false, "Term", "Vote", "Sent").Observes()
	if slices.Contains(some, "library.Node.hidden") || !slices.Contains(some, "library.Node.term") {
		t.Errorf("where Hidden is not compared, the adapter observes %v", some)
	}
}

// TestWrites plants changes, wrong ones and harmless ones, and compares the places that are named.
func TestWrites(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	b, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	base := string(b)
	old := loaded(t, dir, base, false)
	for _, c := range []struct {
		name     string
		was, is  string
		more     [2]string // another replacement
		unseen   string    // places that are named on either side, with spaces between them
		observed bool      // at least one place that is observed
	}{
		{name: "a field that is not observed", was: "n.vote = 0", is: "n.vote = 0\n\tn.round = 3", unseen: "library.Node.round"},
		{name: "a removed write", was: "\tn.hidden = 0\n", is: "", observed: true},
		{name: "a removed write of what is not compared", was: "\tn.vote = 0\n", is: "", observed: true},
		{name: "an observed field", was: "n.vote = 0", is: "n.vote = 1", observed: true},
		{name: "through a local", was: "n.vote = 0", is: "k := 0\n\tif term > 3 {\n\t\tk = 1\n\t}\n\tn.vote = 0\n\tn.round = k", unseen: "library.Node.round"},
		{name: "through a function", was: "n.vote = 0", is: "n.vote = 0\n\tbump(&n.round)", more: [2]string{"func (n *Node) ack", "func bump(p *int) { *p = 3 }\n\nfunc (n *Node) ack"}, unseen: "library.Node.round"},
		{name: "a result of a function", was: "n.vote = 0", is: "n.vote = 0\n\tn.round = n.next()", more: [2]string{"func (n *Node) ack", "func (n *Node) next() int { return len(n.out) }\n\nfunc (n *Node) ack"}, unseen: "library.Node.round"},
		{name: "a condition", was: "n.vote = 0", is: "n.vote = 0\n\tif n.lead == 1 {\n\t\tn.round = 0\n\t}", unseen: "library.Node.round"},
		{name: "an element of a slice", was: "n.reads.acks[to] = true", is: "n.reads.acks[to] = true\n\tn.reads.queue = append(n.reads.queue, to)"},
		{name: "an element of a slice that modelled code reads", was: "n.reads.acks[to] = true", is: "n.reads.acks[to] = true\n\tn.reads.queue = append(n.reads.queue, to)", more: [2]string{"n.lead = m.To", "if len(n.reads.queue) < 9 {\n\t\tn.lead = m.To\n\t}"}, unseen: "library.book.queue", observed: true},
		{name: "an element of a map", was: "n.reads.acks[to] = true", is: "n.reads.acks[to] = to != 2", observed: true},
		{name: "a package variable", was: "n.vote = 0", is: "n.vote = 0\n\tepoch = 3"},
		{name: "a package variable that modelled code reads", was: "n.vote = 0", is: "n.vote = 0\n\tepoch = 3", more: [2]string{"if m.Term > n.term {", "if m.Term > n.term && epoch < 9 {"}, unseen: "library.epoch", observed: true},
		{name: "a package variable that a getter reads", was: "n.vote = 0", is: "n.vote = 0\n\tepoch++", more: [2]string{"// Steps counts.", "// Epochs counts.\nfunc Epochs() int { return epoch }\n\n// Steps counts."}, unseen: "the result of library.Epochs"},
		{name: "a package variable that a text has", was: "n.vote = 0", is: "n.vote = 0\n\tepoch++", more: [2]string{"fmt.Sprint(n.term)", "fmt.Sprint(n.term, epoch)"}, unseen: "the result of library.Node.Describe"},
		{name: "a field that another function acts on", was: "n.resets++", is: "n.resets += 2", more: [2]string{"// Steps counts.", "// Calm resets.\nfunc (n *Node) Calm() {\n\tif n.resets > 3 {\n\t\tn.lead = 0\n\t}\n}\n\n// Steps counts."}, unseen: "library.Node.resets", observed: true},
		{name: "a field that a log has", was: "n.resets++", is: "n.resets += 2\n\tif n.resets > 9 {\n\t\tn.logger.Debugf(\"%d\", n.resets)\n\t}"},
		{name: "a field that is sent", was: "n.resets++", is: "n.resets += 2", more: [2]string{"n.out = append(n.out, m)", "m.Term += uint64(n.resets)\n\tn.out = append(n.out, m)"}, unseen: "library.Node.resets library.Message.Note library.Message.Term", observed: true},
		{name: "a field whose address goes elsewhere", was: "n.resets++", is: "n.resets += 2", more: [2]string{"n.out = append(n.out, m)", "keep = &n.resets\n\tn.out = append(n.out, m)\n}\n\nvar keep *int\n\nfunc (n *Node) kept() {\n\tn.hidden = *keep"}, unseen: "library.Node.resets library.keep"},
		{name: "an atomic counter", was: "n.vote = 0", is: "n.vote = 0\n\tcalls.Add(1)", more: [2]string{"var epoch int", "var epoch int\n\nvar calls atomic.Int64"}},
		{name: "an argument of code outside", was: "n.out = append(n.out, m)", is: "n.out = append(n.out, m)\n\tn.transport.Deliver(m)", unseen: "the arguments of Transport.Deliver"},
		{name: "a part of a message that is not read", was: "Term: n.term})", is: "Term: n.term, Note: \"x\"})", unseen: "library.Message.Note"},
		{name: "a part of a message", was: "Message{To: m.To,", is: "Message{To: m.To + 1,", observed: true},
		{name: "a result that nothing takes", was: "return fmt.Sprint(n.term)", is: "return fmt.Sprint(n.vote)", unseen: "the result of library.Node.Describe"},
		{name: "a log", was: "n.vote = 0", is: "n.logger.Debugf(\"%d %v\", n.term, n.out)\n\tn.vote = 0"},
		{name: "a counter", was: "n.resets++", is: "n.resets += 2"},
		{name: "a local that nothing reads", was: "n.vote = 0", is: "k := n.hidden + 3\n\t_ = k\n\tn.vote = 0"},
		{name: "a name", was: "func (n *Node) reset(term uint64) {\n\tn.term = term", is: "func (n *Node) reset(to uint64) {\n\tn.term = to"},
		{name: "a temporary variable", was: "n.lead = m.To", is: "to := m.To\n\tn.lead = to"},
		{name: "another order", was: "\tn.vote = 0\n\tn.hidden = 0\n", is: "\tn.hidden = 0\n\tn.vote = 0\n"},
		{name: "an order that matters", was: "\tn.lead = m.To\n\tn.ack(m.To)\n", is: "\tn.ack(m.To)\n\tn.lead = m.To\n", observed: true},
		{name: "an extracted function", was: "\tn.term = term\n\tn.vote = 0\n", is: "\tn.begin(term)\n", more: [2]string{"func (n *Node) ack", "func (n *Node) begin(term uint64) {\n\tn.term = term\n\tn.vote = 0\n}\n\nfunc (n *Node) ack"}, observed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(base, c.was, c.is, 1)
			if c.more[0] != "" {
				text = strings.Replace(text, c.more[0], c.more[1], 1)
			}
			if strings.Contains(text, "atomic.") {
				text = strings.Replace(text, `import "fmt"`, `import ("fmt"; "sync/atomic")`, 1)
			}
			now := loaded(t, dir, text, false)
			gone, come := differing(base, text)
			var unseen []string
			observed := false
			for _, w := range append(now.Writes(come, old, gone), old.Writes(gone, now, come)...) {
				observed = observed || w.Observed
				if !w.Observed && !slices.Contains(unseen, w.Place) {
					unseen = append(unseen, w.Place)
				}
			}
			if got := strings.Join(unseen, " "); got != c.unseen {
				t.Errorf("named are %q, want %q", got, c.unseen)
			}
			if c.observed && !observed {
				t.Error("no observed place is written")
			}
		})
	}
}

// TestLinesOfWrites: each write has a line of the function. So does that of a loop with which it
// begins.
func TestLinesOfWrites(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	b, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	was := string(b) + `
// Each acknowledges.
func (n *Node) Each(list []uint64) {
	for k := range list {
		n.ack(list[k])
	}
}
`
	is := strings.NewReplacer("for k := range list", "for _, to := range list", "list[k]", "to + 1").Replace(was)
	old, now := loaded(t, dir, was, false), loaded(t, dir, is, false)
	gone, come := differing(was, is)
	all := append(now.Writes(come, old, gone), old.Writes(gone, now, come)...)
	if len(all) == 0 {
		t.Error("the loop writes nothing")
	}
	for _, w := range all {
		if !slices.Contains(come[w.File], w.Line) {
			t.Errorf("%s:%d writes %s: the changed lines are %v", w.File, w.Line, w.Place, come)
		}
	}
}

// differing returns the lines of two texts between what they begin and end with alike, by file.
func differing(was, is string) (gone, come map[string][]int) {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	end := 0
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	lines := func(n int) map[string][]int {
		var out []int
		for k := from; k < n-end; k++ {
			out = append(out, k+1)
		}
		return map[string][]int{"node.go": out}
	}
	return lines(len(a)), lines(len(b))
}

// TestLost: fields that the adapter finds by name and that a change renames, removes or gives
// another type are named with the adapter's line.
func TestLost(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	b, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	base := string(b)
	old := loaded(t, dir, base, false)
	for _, c := range []struct{ name, was, is, want string }{
		{"renamed", "vote", "ballot", "28 reads library.Node.vote, which is library.Node.ballot after the change"},
		{"another type", "hidden     int", "hidden     int64", "29 reads library.Node.hidden as a int, which is a int64 after the change"},
		{"removed", "\tacks  map[uint64]bool\n\tqueue []uint64\n", "\tbits map[uint64]bool\n\tmore, queue []uint64\n", "30 reads library.book.acks, which the change removes"},
		{"renamed and not read", "round", "turn", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(base, c.was, c.is)
			text = strings.ReplaceAll(text, "n.reads.acks[to]", map[bool]string{true: "n.reads.bits[to]", false: "n.reads.acks[to]"}[c.name == "removed"])
			got := strings.Join(loaded(t, dir, text, false).Lost(old), "; ")
			if _, line, _ := strings.Cut(got, "adapter.go:"); line != c.want {
				t.Errorf("named is %q, want %q", got, c.want)
			}
		})
	}
}

// TestLacks: an adapter lacks a function that is gone if it mentions the name, as where a method of
// an embedded field takes its place. So does code that asks for an interface.
func TestLacks(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	text, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	p := loaded(t, dir, string(text), false)
	for _, c := range []struct {
		name   string
		method bool
		want   bool
	}{{"Elsewhere", true, true}, {"Elsewhere", false, true}, {"Step", true, false}, {"Error", true, false}, {"Error", false, true}, {"Unwrap", true, false}} {
		if got := p.Lacks(c.name, c.method); got != c.want {
			t.Errorf("%s, method %v: %v", c.name, c.method, got)
		}
	}
}

// TestRenamed: a field with another name is the one that the adapter finds by its old name. What
// is written into it is observed, and a function that differs in nothing else is as before. A field
// that is gone is still named.
func TestRenamed(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	b, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	old := loaded(t, dir, string(b), false)
	text := strings.NewReplacer("vote", "ballot", "round", "turn").Replace(string(b))
	to := map[string]string{"example.org/library.vote": "ballot", "example.org/library.round": "turn"}
	now := renamed(t, dir, text, false, to)
	if !slices.Contains(now.Observes(), "library.Node.ballot") || len(now.Lost(old)) > 0 {
		t.Errorf("the adapter observes %v and loses %v", now.Observes(), now.Lost(old))
	}
	gone, come := differing(string(b), text)
	if w := append(now.Writes(come, old, gone), old.Writes(gone, now, come)...); len(w) > 0 {
		t.Errorf("new names write %v", w)
	}
	wrong := strings.Replace(text, "n.ballot = 0", "n.ballot = 1\n\tn.turn = 1", 1)
	now = renamed(t, dir, wrong, false, to)
	gone, come = differing(string(b), wrong)
	var got []string
	for _, w := range now.Writes(come, old, gone) {
		got = append(got, w.Place+map[bool]string{true: " observed"}[w.Observed])
	}
	if want := "library.Node.ballot observed, library.Node.turn"; strings.Join(got, ", ") != want {
		t.Errorf("written are %q, want %q", got, want)
	}
	removed := strings.NewReplacer("term, vote", "term", "\tn.vote = 0\n", "").Replace(string(b))
	if lost := strings.Join(loaded(t, dir, removed, false).Lost(old), "; "); !strings.HasSuffix(lost, "reads library.Node.vote, which the change removes") {
		t.Errorf("lost are %q", lost)
	}
}

// TestGivenFunction: a function that a changed line gives to another one does what it does by
// itself, and not what others give there.
func TestGivenFunction(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	b, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	base := strings.Replace(string(b), "func (n *Node) ack", "func each(n *Node, do func(uint64)) { do(n.term) }\n\nfunc (n *Node) turns() { each(n, func(k uint64) { n.round = int(k) }) }\n\n"+
		"func (n *Node) stay(k uint64) { n.hidden = int(k) }\n\nfunc (n *Node) turn(k uint64) { n.round = int(k) }\n\nfunc (n *Node) ack", 1)
	base = strings.Replace(base, "n.vote = 0", "n.vote = 0\n\teach(n, func(k uint64) { n.hidden = int(k) })", 1)
	old := loaded(t, dir, base, false)
	for given, want := range map[string]string{"n.stay": "", "n.turn": "library.Node.round"} {
		text := strings.Replace(base, "func(k uint64) { n.hidden = int(k) }", given, 1)
		gone, come := differing(base, text)
		now := loaded(t, dir, text, false)
		var unseen []string
		for _, w := range append(now.Writes(come, old, gone), old.Writes(gone, now, come)...) {
			if !w.Observed && !slices.Contains(unseen, w.Place) {
				unseen = append(unseen, w.Place)
			}
		}
		if got := strings.Join(unseen, " "); got != want {
			t.Errorf("%s: named are %q, want %q", given, got, want)
		}
	}
}

// TestHeldResult: the result of a function that calls changed code is not equal only because all
// memory is. A field can be compared in memory.
func TestHeldResult(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	b, err := os.ReadFile(filepath.Join(dir, "library", "node.go"))
	if err != nil {
		t.Fatal(err)
	}
	base := strings.Replace(string(b), "func (n *Node) ack", "// Level has the level.\nfunc (n *Node) Level() int { return n.level() }\n\n"+
		"func (n *Node) level() int { return len(n.reads.queue) }\n\nfunc (n *Node) ack", 1)
	base = strings.Replace(base, "n.vote = 0", "n.vote = 0\n\tn.hidden = n.level()\n\tif n.hidden > 3 {\n\t\tn.lead = 0\n\t}", 1)
	text := strings.Replace(base, "return len(n.reads.queue) }", "return len(n.reads.queue) + 1 }", 1)
	old, now := loaded(t, dir, base, false), loaded(t, dir, text, false)
	gone, come := differing(base, text)
	got := map[string]Held{}
	for _, w := range now.Writes(come, old, gone) {
		got[w.Place] = w.Held
	}
	if h, ok := got["the result of library.Node.Level"]; !ok || h.All {
		t.Errorf("the result of Level: %+v of %v", h, got)
	}
	if h := got["library.Node.hidden"]; h.Field != "example.org/library.Node.hidden" || h.Local || h.All {
		t.Errorf("the field: %+v of %v", h, got)
	}
}
