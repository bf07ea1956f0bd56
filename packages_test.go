package multigrain_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
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

// mostPublic is the number of packages that another module may import, programs and examples aside.
const mostPublic = 45

// public are the packages that another module may import, and for whom. What one top-level folder
// needs for itself is in its folder internal: docs/decisions/0438.
var public = map[string]string{
	"checker":                 "programs: the interface of engines",
	"checker/conform":         "adapters of implementations",
	"checker/conform/drivers": "the command: kits and processes of drivers",
	"checker/explore":         "tests of specifications: the search",
	"checker/host":            "the command: files, clock, faults",
	"checker/itf":             "the command and tests: traces as ITF",
	"checker/mgtest":          "tests of users: a manifest is a test",
	"checker/program":         "assembled programs: their main function",
	"checker/ran":             "changed code in assembled programs",
	"checker/setting":         "specifications in assembled programs",
	"checker/spectest":        "tests of specifications and taps",
	"checker/wire":            "tests of taps and pages: what programs are asked",
	"cmd/speclint/golangci":   "golangci-lint: a plugin",
	"compose":                 "tests of taps and pages: manifests become programs",
	"configs":                 "tests of taps and pages: manifests",
	"docs/reference":          "the command: the text of the reference",
	"grains":                  "specifications: the catalog",
	"interaction":             "the command: preservation",
	"interaction/change":      "the command: changes of code",
	"interaction/speclint":    "tools for go vet: an analyzer",
	"interaction/vettest":     "tests of specifications: speclint",
	"modules":                 "specifications: modules and actions",
	"raft":                    "a specification",
	"raft/ccf":                "a specification",
	"raft/ccf/consistency":    "a specification",
	"raft/etcdraft":           "an adapter",
	"raft/etcdraft/mutants":   "tests of the command and pages",
	"raft/etcdraft/tap":       "users of etcd's library: a tap",
	"raft/etcdserver":         "users of etcd: a tap",
	"raft/events":             "a specification",
	"raft/hashicorpraft":      "a specification",
	"raft/libraft":            "a specification",
	"raft/pysyncobj":          "a specification",
	"raft/raftos":             "a specification",
	"raft/ratis":              "a specification",
	"raft/reference":          "a specification",
	"zab":                     "a specification",
	"zab/broadcast":           "a specification",
	"zab/protocol":            "a specification",
	"zab/published":           "a specification",
	"zab/published/sandtable": "a specification",
	"zab/zookeeper":           "users of ZooKeeper: a tap",
	"zab/zookeeper/control":   "tests of the command and pages: servers",
	"zab/zookeeper/mutants":   "tests of the command and pages",
	"zab/zookeeper/replay":    "an adapter",
}

// TestPackagesPublic compares the packages that another module may import with the list.
func TestPackagesPublic(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Name}} {{len .GoFiles}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if dir := strings.TrimPrefix(words[0], prefix); importable(dir, words[1]) && words[2] != "0" {
			found[dir] = true
		}
	}
	for dir := range found {
		if public[dir] == "" {
			t.Errorf("another module may import %s: move it into a folder internal, or say in public who needs it", dir)
		}
	}
	for dir := range public {
		if !found[dir] {
			t.Errorf("no other module can import %s: remove its line", dir)
		}
	}
	if len(found) > mostPublic {
		t.Errorf("%d packages can be imported from outside, at most %d are allowed", len(found), mostPublic)
	}
}

// importable reports whether another module may import a package that is no program and no example.
func importable(dir, name string) bool {
	return name != "main" && !strings.HasPrefix(dir, "configs/examples/") && !slices.Contains(strings.Split(dir, "/"), "internal")
}

func TestImportable(t *testing.T) {
	for dir, want := range map[string]bool{
		"checker": true, "checker/internal/graph": false, "zab/internals": true,
		"checker/refine/internal": false, "configs/examples/chain": false,
	} {
		if got := importable(dir, "p"); got != want {
			t.Errorf("%s: %v, want %v", dir, got, want)
		}
	}
	if importable("cmd/release", "main") {
		t.Error("a program can be imported")
	}
}

// folders are the top-level folders with code. Next to them are docs, the folders that tools need,
// and testdata of the tests of the root.
var folders = []string{"checker", "cmd", "compose", "configs", "grains", "interaction", "modules", "raft", "zab"}

// TestFolders: the repository has no other top-level folder.
func TestFolders(t *testing.T) {
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skipf("git does not list the files: %v", err)
	}
	if other := otherFolders(strings.Fields(string(out))); len(other) > 0 {
		t.Errorf("top-level folders %s: a package of several folders belongs to the lowest one that needs it", strings.Join(other, ", "))
	}
}

// otherFolders returns the top-level folders of files that are not among those allowed.
func otherFolders(files []string) (other []string) {
	for _, file := range files {
		top, _, below := strings.Cut(file, "/")
		if !below || slices.Contains(folders, top) || top == "docs" || top == "testdata" || strings.HasPrefix(top, ".") {
			continue
		}
		if !slices.Contains(other, top) {
			other = append(other, top)
		}
	}
	return other
}

func TestOtherFolders(t *testing.T) {
	files := []string{"go.mod", "zab/doc.go", ".ci/run", "docs/explanation/design.md", "testdata/x.txt", "internal/host/doc.go", "internal/itf/doc.go", "catalogs"}
	if other := otherFolders(files); !slices.Equal(other, []string{"internal"}) {
		t.Errorf("other folders: %v", other)
	}
}
