package change

import (
	"strings"
	"testing"
)

// TestIgnored: a pattern means whole paths, and ** any number of folders. A pattern with many stars
// takes no longer than others.
func TestIgnored(t *testing.T) {
	for _, x := range []struct {
		pattern, path string
		want          bool
	}{
		{"**/src/test/**", "zookeeper-server/src/test/java/A.java", true},
		{"**/src/test/**", "src/test/A.java", true},
		{"**/src/test/**", "src/tests/A.java", false},
		{"internal/metrics/**", "internal/metrics/a/b.go", true},
		{"internal/metrics/**", "x/internal/metrics/a.go", false},
		{"*.go", "a.go", true},
		{"*.go", "a/b.go", false},
		{"a/?.go", "a/b.go", true},
		{"a/?.go", "a/bb.go", false},
		{"**/*_{linux,darwin}.go", "a/b_linux.go", true},
		{"**/*_{linux,darwin}.go", "a/b_windows.go", false},
	} {
		if got := ignored([]string{x.pattern}, x.path) != ""; got != x.want {
			t.Errorf("%s matches %s: %v", x.pattern, x.path, got)
		}
	}
	// It would not end if each star tried each place.
	ignored([]string{strings.Repeat("*a", 30) + "b"}, strings.Repeat("a", 200))
}

// TestNoPattern: a pattern that is none is an error and not one that matches nothing.
func TestNoPattern(t *testing.T) {
	if _, err := Analyse(Options{Ignore: []string{"src/[a-z"}}); err == nil || !strings.Contains(err.Error(), `"src/[a-z" is no pattern of files or functions`) {
		t.Errorf("the error is %v", err)
	}
}
