package change

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// TestOddDeclarations: declarations that change without a line that runs are named, and are not
// followed. Positions are those of the text, whatever a line directive says.
func TestOddDeclarations(t *testing.T) {
	t.Parallel()
	const body = "package lib\n\nimport _ \"embed\"\n\n//go:embed words.txt\nvar words string\n\nconst (\n\ta = iota\n\tb\n\tc\n)\n\n" +
		"type S struct {\n\tN int `json:\"n\"`\n\tinner\n}\n\ntype inner struct{ k int }\n\nfunc (i *inner) add(n int) { i.k += n + c }\n\ntype judge interface{ judge() bool }\n\n" +
		"var hook = func(n int) int { return n }\n\n//line other.y:1\nfunc (s *S) Put(n int) { s.add(hook(n)); _ = len(words) }\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"a constant before others", "a = iota\n", "zero = iota\n\ta\n", "c: changed"},
		{"a tag", "json:\"n\"", "json:\"number\"", "S: changed"},
		{"an interface that nothing uses", "judge() bool }", "judge(n int) bool }", ""},
		{"a method of an embedded field", "n + c", "n - c", "inner.add: changed"},
		{"a function in a variable", "{ return n }", "{ return n + 1 }", "hook: changed, followed"},
		{"another function in a variable", "func(n int) int { return n }", "other\n\nfunc other(n int) int { return n }", "hook: changed; other: added"},
		{"after a line directive", "hook(n))", "hook(-n))", "S.Put: changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			run(t, dir, "git", "init", "-q")
			written(t, dir, map[string]string{"go.mod": "module example.com/lib\n\ngo 1.26\n", "lib.go": body, "words.txt": "a\n"})
			run(t, dir, "git", "add", "-A")
			run(t, dir, "git", "commit", "-qm", "a")
			written(t, dir, map[string]string{"lib.go": strings.Replace(body, c.old, c.new, 1)})
			a, err := Analyse(Options{Dir: dir, Base: "HEAD", Packages: []string{"."}, Places: NewPlaces(&grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}, Models: []string{"S.Put"}}}}, nil)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			add := func(d Declaration) {
				text := strings.TrimPrefix(d.Name, "example.com/lib.") + ": " + string(d.How)
				if d.Followed {
					text += ", followed"
				}
				got = append(got, text)
			}
			for _, x := range a.Trails {
				add(x.Declaration)
			}
			for _, x := range a.Unmodelled {
				add(x.Declaration)
			}
			slices.Sort(got)
			if s := strings.Join(slices.Compact(got), "; "); s != c.want {
				t.Errorf("%s, not %s; %+v", s, c.want, a)
			}
		})
	}
}
