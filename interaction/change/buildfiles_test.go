package change

import (
	"strings"
	"testing"
)

// TestBuiltFrom: what says from which code of other modules packages are built can matter. Hashes
// that come with a requirement cannot.
func TestBuiltFrom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ diff, want string }{
		"new list of vendored modules": {"--- /dev/null\n+++ b/vendor/modules.txt\n@@ -0,0 +1 @@\n+# example.com/a v1.0.0\n", "vendor/modules.txt"},
		"other vendored module":        {"--- a/vendor/modules.txt\n+++ b/vendor/modules.txt\n@@ -1 +1 @@\n-# example.com/a v1.0.0\n+# example.com/a v1.0.1\n", "vendor/modules.txt"},
		"workspace":                    {"--- /dev/null\n+++ b/go.work\n@@ -0,0 +1 @@\n+use ./other\n", "go.work"},
		"other hash":                   {"--- a/go.sum\n+++ b/go.sum\n@@ -1 +1 @@\n-example.com/a v1.0.0 h1:x=\n+example.com/a v1.0.0 h1:y=\n", "example.com/a v1.0.0"},
		"hash of another version":      {"--- a/go.sum\n+++ b/go.sum\n@@ -1 +1 @@\n-example.com/a v1.0.0 h1:x=\n+example.com/a v1.0.1 h1:y=\n", ""},
		"hash in another line":         {"--- a/go.work.sum\n+++ b/go.work.sum\n@@ -1,2 +1,2 @@\n-example.com/a v1.0.0 h1:x=\n example.com/b v1.0.0 h1:z=\n+example.com/a v1.0.0 h1:x=\n", ""},
		"list of no vendored modules":  {"--- a/doc/modules.txt\n+++ b/doc/modules.txt\n@@ -1 +1 @@\n-x\n+y\n", ""},
	} {
		dir := t.TempDir()
		written(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": "package m\n"})
		a, err := Analyse(Options{Dir: dir, Packages: []string{"."}, Diff: c.diff})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var names []string
		for _, u := range a.Unmodelled {
			names = append(names, u.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: not modelled: %q, not %q", name, got, c.want)
		}
	}
}

// TestMisfit: a diff that does not fit names the file and the hunk, and a file with the same end of
// its name is another one.
func TestMisfit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	written(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": "package m\n\nvar x = 1\n\nvar y = 1\n", "sub/a.go": "package sub\n\nvar z = 1\n"})
	for name, c := range map[string]struct{ diff, want string }{
		"second hunk":          {"--- a/a.go\n+++ b/a.go\n@@ -3 +3 @@\n-var x = 1\n+var x = 2\n@@ -5 +5 @@\n-var y = 3\n+var y = 2\n", "a.go, @@ -5,1 +5,1 @@"},
		"another file":         {"--- other/sub/b/a.go\n+++ other/sub/b/a.go\n@@ -3 +3 @@\n-var w = 1\n+var w = 2\n", "a.go, no file"},
		"in the folder around": {"--- m/sub/a.go\n+++ m/sub/a.go\n@@ -3 +3 @@\n-var z = 1\n+var z = 2\n", ""},
		"of the root":          {"--- x/y/a.go\n+++ x/y/a.go\n@@ -3 +3 @@\n-var x = 1\n+var x = 2\n", ""},
	} {
		_, err := WriteSides(Options{Dir: dir, Packages: []string{"./..."}, Diff: c.diff}, t.TempDir())
		if (err == nil) != (c.want == "") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for part := range strings.SplitSeq(c.want, ", ") {
			if err != nil && !strings.Contains(err.Error(), part) {
				t.Errorf("%s: no %q in %v", name, part, err)
			}
		}
	}
}

// TestBuildFiles: a file of a linter is one of the build, and a script is not known to be one.
func TestBuildFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{".golangci.yml": "a file of the build", ".golangci-lint.yml": "a file of the build", "sub/.golangci.yaml": "a file of the build", "tag.sh": "", "golangci.go": ""} {
		if got := (Options{Packages: []string{"."}}).kindOf(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}
