package change

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSidesOfJava: the lines of changed Java code are those with code, without comments and imports
// of what changes. Tests are not compiled.
func TestSidesOfJava(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := "src/main/java/p/A.java"
	if err := os.MkdirAll(filepath.Join(dir, "src/main/java/p"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := "package p;\nclass A {\n  int f() {\n    // old\n    return 1;\n  }\n}\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	diff := "--- a/" + name + "\n+++ b/" + name + "\n@@ -1,7 +1,11 @@\n package p;\n+import java.util.List;\n class A {\n   int f() {\n-    // old\n-    return 1;\n+    // new\n+    int x = 1;\n+    {\n+      return x;\n+    }\n   }\n }\n" +
		"--- /dev/null\n+++ b/src/test/java/p/ATest.java\n@@ -0,0 +1 @@\n+class ATest { }\n"
	s, err := WriteSides(Options{Dir: dir, Diff: diff}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if want := []Line{{Number: 6}, {Number: 8}}; !slices.Equal(s.Lines[name], want) {
		t.Errorf("lines %v, want %v", s.Lines[name], want)
	}
	if want := []int{4, 5}; !slices.Equal(s.Gone[name], want) {
		t.Errorf("gone %v, want %v", s.Gone[name], want)
	}
	if want := []string{name}; !slices.Equal(s.Compiled, want) || !slices.Equal(s.CompiledBefore, want) {
		t.Errorf("compiled %v, before %v", s.Compiled, s.CompiledBefore)
	}
	if !HasLines(diff) || HasLines("--- a/x.java\n+++ b/x.java\n@@ -1 +1 @@\n") {
		t.Error("a diff with headers only has no lines")
	}
}

// TestSidesIgnored: files that a rule ignores are no changed code. They are named apart, since what
// is compiled may need them.
func TestSidesIgnored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	diff := ""
	for _, name := range []string{"main/a/A.java", "main/b/B.java", "main/b/test/C.java"} {
		diff += "--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+class X { int x = 1; }\n"
	}
	s, err := WriteSides(Options{Dir: dir, Diff: diff, Ignore: []string{"main/b/**"}}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Lines) != 1 || !slices.Equal(s.Compiled, []string{"main/a/A.java"}) || !slices.Equal(s.Ignored, []string{"main/b/B.java"}) || len(s.IgnoredBefore) > 0 {
		t.Errorf("lines of %v, compiled %v, ignored %v and %v", s.Lines, s.Compiled, s.Ignored, s.IgnoredBefore)
	}
}

// TestGoneCode: where a comment or a blank line takes the place of code, the code is gone, and the
// line after it must run.
func TestGoneCode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "A.java"), []byte("class A {\n  void f() {\n    a();\n    b();\n    c();\n  }\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, with := range []string{"+    // b is not needed\n", "+\n", ""} {
		s, err := WriteSides(Options{Dir: dir, Diff: "--- a/A.java\n+++ b/A.java\n@@ -3,3 +3," + map[bool]string{true: "2", false: "3"}[with == ""] + " @@\n     a();\n-    b();\n" + with + "     c();\n"}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		want := Line{Number: 5, Removed: true}
		if with == "" {
			want.Number = 4
		}
		if got := s.Lines["A.java"]; !slices.Equal(got, []Line{want}) {
			t.Errorf("with %q: lines %v, want %v", with, got, want)
		}
	}
}
