package multigrain_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// mostFiles is the number of Go files, tests aside, that a package may have. A larger package has a
// second subject, which is a package of its own.
const mostFiles = 20

// largePackages may have more than mostFiles: one specification is one package, with a file for
// each module and grain. Each gives the reason in its doc.go, under largeHeading. There are two,
// and no other package may become a third: docs/decisions/0123.
var largePackages = [2]string{"raft", "zab"}

// largeHeading is the heading in a doc.go under which a large package gives its reason.
const largeHeading = "# Why one package"

// TestPackageSizes counts the files of every package.
func TestPackageSizes(t *testing.T) {
	counts, err := countFiles(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(counts) < 40 {
		t.Fatalf("only %d packages were found: the search is wrong", len(counts))
	}
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		n := counts[dir]
		switch {
		case slices.Contains(largePackages[:], dir):
			checkReason(t, dir, n)
		case n > mostFiles:
			t.Errorf("%s has %d Go files, at most %d are allowed: move a subject into a package below it", dir, n, mostFiles)
		}
	}
}

// checkReason expects that a large package is large, and that its doc.go gives the reason.
func checkReason(t *testing.T, dir string, n int) {
	t.Helper()
	if n <= mostFiles {
		t.Errorf("%s has %d Go files only: remove it from the exceptions, and its reason from its doc.go", dir, n)
	}
	f, err := parser.ParseFile(token.NewFileSet(), path.Join(dir, "doc.go"), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if reason := reasonIn(f.Doc.Text()); len(strings.Fields(reason)) < 10 {
		t.Errorf("%s/doc.go needs the heading %q, and the reason below it", dir, largeHeading)
	}
}

// reasonIn returns the text under largeHeading, up to the next heading.
func reasonIn(doc string) string {
	_, reason, _ := strings.Cut(doc, largeHeading+"\n")
	reason, _, _ = strings.Cut(reason, "\n# ")
	return reason
}

// countFiles returns the number of Go files that are no tests, by folder. It leaves out test data
// and hidden folders other than .ci.
func countFiles(root fs.FS) (map[string]int, error) {
	counts := map[string]int{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".") && base != ".ci") {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") {
			counts[path.Dir(name)]++
		}
		return nil
	})
	return counts, err
}

func TestCountFiles(t *testing.T) {
	tree := fstest.MapFS{}
	for _, name := range []string{"a/x.go", "a/y.go", "a/y_test.go", "a/z.md", "a/testdata/x.go", "a/b/x.go", ".git/x.go", ".ci/x.go"} {
		tree[name] = &fstest.MapFile{}
	}
	counts, err := countFiles(tree)
	if want := map[string]int{"a": 2, "a/b": 1, ".ci": 1}; err != nil || !maps.Equal(counts, want) {
		t.Errorf("counted %v, want %v; %v", counts, want, err)
	}
}

func TestReasonIn(t *testing.T) {
	for doc, want := range map[string]string{
		"Package a.\n": "",
		"Package a.\n\n" + largeHeading + "\n\nIt must.\n\n# Names\n\nMore.\n": "\nIt must.\n",
	} {
		if got := reasonIn(doc); got != want {
			t.Errorf("the reason in %q is %q, want %q", doc, got, want)
		}
	}
}
