package change

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// miniature is a module with a protocol in miniature: Put and Get are modelled, the rest is around
// them.
var miniature = map[string]string{
	"go.mod": "module example.com/mini\n\ngo 1.26\n",
	"a.go": `package mini

import "sort"

type Store interface{ load() int }

type disk struct{ n int }

func (d *disk) load() int { return d.n + offset() }

type S struct {
	store Store
	limit int
}

const first = 1

func New() *S { return &S{store: &disk{n: first}, limit: bound} }

var bound = 5

func (s *S) Put(n int) {
	check(n, func() int { return s.limit })
	func() { record(n) }()
}

func (s *S) Get() int { return s.store.load() }

func check(n int, limit func() int) bool { return n < limit() }

func offset() int { return 0 }

func record(int) {}

func generic[T any](x T) T { return x }

func (s *S) Size() int { return generic(7) }

func lonely() { sort.Ints(nil) }

func recursive(n int) { mutual(n) }

func mutual(n int) { recursive(n) }

type byN []int

func (b byN) Len() int           { return len(b) }
func (b byN) Less(i, k int) bool { return b[i] < b[k] }
func (b byN) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }

func (s *S) Sorted(b byN) { sort.Sort(b) }
`,
	"b.go": `package mini

func inB() int { return 3 }

func (s *S) Other() int { return inB() }
`,
	"a_test.go": "package mini\n\nimport \"testing\"\n\nfunc TestX(*testing.T) {}\n",
}

// TestGoChanges changes the miniature in one place each. The required trails are as someone who
// reads it would say.
func TestGoChanges(t *testing.T) {
	t.Parallel()
	cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}}}}
	var own []Modelled
	for _, f := range []string{"S.Put", "S.Get", "S.Size", "S.Other", "S.Sorted", "S.Gone"} {
		own = append(own, Modelled{Module: "m", Function: f})
	}
	for _, c := range []struct{ name, file, old, new, want string }{
		{"modelled", "a.go", "return s.store.load()", "return 2 * s.store.load()", "S.Get"},
		{"helper", "a.go", "func record(int) {}", "func record(int) { println() }", "record<S.Put"},
		{"through an interface", "a.go", "d.n + offset()", "d.n - offset()", "disk.load<S.Get"},
		{"two calls away", "a.go", "offset() int { return 0 }", "offset() int { return 1 }", "offset<disk.load<S.Get"},
		{"in a literal's caller", "a.go", "n < limit()", "n <= limit()", "check<S.Put"},
		{"generic", "a.go", "T { return x }", "T { println(); return x }", "generic<S.Size"},
		{"nobody calls it", "a.go", "sort.Ints(nil)", "sort.Strings(nil)", "~"},
		{"only itself calls it", "a.go", "{ recursive(n) }", "{ recursive(n + 1) }", "~"},
		{"called by code that is not loaded", "a.go", "b[i] < b[k]", "b[i] > b[k]", "!byN.Less"},
		{"field", "a.go", "limit int\n", "limit int `json:\"limit\"`\n", "S<S.Get S<S.Other S<S.Put S<S.Size S<S.Sorted"},
		{"a field of another type", "a.go", "type disk struct{ n int }", "type disk struct{ n, m int }", "disk<disk.load<S.Get"},
		// only New uses it, which is not modelled
		{"constant", "a.go", "const first = 1", "const first = 2", "!first"},
		{"removed", "b.go", "func inB() int { return 3 }\n\nfunc (s *S) Other() int { return inB() }", "func (s *S) Other() int { return 3 }", "S.Other inB<S.Other"},
		{"test", "a_test.go", "TestX", "TestY", "~"},
		{"comment", "a.go", "func lonely()", "// lonely is\nfunc lonely()", "~"},
		{"layout", "a.go", "func record(int) {}", "func record(\n\tint,\n) {\n}", "~"},
		{"import", "a.go", `import "sort"`, `import sort "example.com/mini/sort"`, `"example.com/mini/sort"<S.Sorted`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range miniature {
				write(name, text)
			}
			write("sort/sort.go", "package sort\n\ntype Interface interface{ Less(i, k int) bool }\n\nfunc Sort(Interface) {}\n\nfunc Ints([]int) {}\n")
			after := strings.Replace(miniature[c.file], c.old, c.new, 1)
			if after == miniature[c.file] {
				t.Fatal("nothing is replaced")
			}
			// The diff says that all lines of the file go and come; the folder holds the old side,
			// then the new one.
			diff := wholeDiff(c.file, miniature[c.file], after)
			sides := []string{miniature[c.file], after}
			if c.name != "helper" && c.name != "removed" {
				sides = sides[1:]
			}
			for _, side := range sides {
				write(c.file, side)
				a, err := Analyse(Options{Dir: dir, Diff: diff, Packages: []string{"."}, Places: NewPlaces(cat, own)})
				if err != nil {
					t.Fatal(err)
				}
				if got := trails(a); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
				if c.want != "~" && !slices.Equal(a.Missing, []string{"S.Gone"}) {
					t.Errorf("missing %v, want S.Gone", a.Missing)
				}
			}
		})
	}
}

// wholeDiff replaces all lines of a file.
func wholeDiff(name, before, after string) string {
	var b strings.Builder
	count := func(s string) string {
		return "1," + string(rune('0'+strings.Count(s, "\n")/10)) + string(rune('0'+strings.Count(s, "\n")%10))
	}
	b.WriteString("--- a/" + name + "\n+++ b/" + name + "\n@@ -" + count(before) + " +" + count(after) + " @@\n")
	for l := range strings.Lines(before) {
		b.WriteString("-" + l)
	}
	for l := range strings.Lines(after) {
		b.WriteString("+" + l)
	}
	return b.String()
}

// trails returns what an analysis of Go found: the declaration and after it who reaches it, up to
// the modelled function.
func trails(a *Analysis) string {
	short := func(s string) string { return strings.TrimPrefix(s, "example.com/mini.") }
	var out []string
	for _, x := range a.Trails {
		s := short(x.Declaration.Name)
		for _, p := range x.Path {
			s += "<" + short(p.Name)
		}
		out = append(out, s)
	}
	for _, x := range a.Unmodelled {
		out = append(out, "!"+short(x.Name))
	}
	for range a.Ignored {
		out = append(out, "~")
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}
