package change

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// TestFollowed: a declaration without lines that run is followed if all that uses it changed.
func TestFollowed(t *testing.T) {
	t.Parallel()
	const body = "package lib\n\nvar Sum int\n\ntype S struct{}\n\nfunc (s *S) Put(n int) { Sum += helper(n) }\n\nfunc (s *S) Other() int { return 1 }\n\nfunc helper(n int) int { return n }\n"
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(body) }
	for _, c := range []struct {
		name, after string
		want        map[string]bool // by name: whether it is followed
	}{
		{"a new constant", edit("return n ", "return n + zero ") + "\nconst zero = 0\n", map[string]bool{"zero": true, "helper": false}},
		{"a changed constant", strings.Replace(body, "var Sum int", "var Sum = 7", 1), map[string]bool{"Sum": false}},
		{"a new variable that runs", body + "\nvar started = helper(1)\n", map[string]bool{"started": false}},
		{"a new type that hides a predeclared one", body + "\ntype int = int64\n", map[string]bool{"int": false}},
		{"a function inlined", edit("Sum += helper(n)", "Sum += n", "\nfunc helper(n int) int { return n }\n", ""), map[string]bool{"helper": true, "S.Put": false}},
		{"a new type in a new variable", body + "\ntype count int32\n\nvar counted count\n", map[string]bool{"count": true}},
		{"a new type in a variable that is there", edit("var Sum int", "var Sum count", "helper(n)", "count(helper(n))") + "\ntype count int32\n", map[string]bool{"count": true, "Sum": false, "S.Put": false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			run(t, dir, "git", "init", "-q")
			for _, text := range []string{body, c.after} {
				written(t, dir, map[string]string{"go.mod": "module example.com/lib\n\ngo 1.26\n", "lib.go": text})
				run(t, dir, "git", "add", "-A")
				if text == body {
					run(t, dir, "git", "commit", "-qm", "a")
				}
			}
			a, err := Analyse(Options{Dir: dir, Base: "HEAD", Packages: []string{"."}, Places: NewPlaces(&grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}, Models: []string{"S.Put"}}}}, nil)})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, x := range a.Trails {
				got[strings.TrimPrefix(x.Declaration.Name, "example.com/lib.")] = x.Declaration.Followed
			}
			for _, x := range a.Unmodelled {
				got[strings.TrimPrefix(x.Name, "example.com/lib.")] = x.Followed
			}
			for name, want := range c.want {
				if followed, there := got[name]; followed != want || !there && name != "int" {
					t.Errorf("%s is followed: %v; named: %v; %+v", name, followed, there, a)
				}
			}
		})
	}
}
