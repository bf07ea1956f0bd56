package javac

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestCompile(t *testing.T) {
	t.Parallel()
	if err := Look(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	good := map[string]string{"src/main/java/a/A.java": "package a;\nclass A { int x = b.B.y(); }\n", "src/main/java/b/B.java": "package b;\npublic class B { public static int y() { return 1; } }\n"}
	if err := Compile(context.Background(), nil, dir, good); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/A.class", "b/B.class"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	// The compiler's file and line are those of the source.
	err := Compile(context.Background(), []string{dir}, t.TempDir(), map[string]string{"x/C.java": "package a;\nclass C {\n  int z = b.B.z();\n}\n"})
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("the error is %v", err)
	}
	if got := refused.Messages[0].String(); got != "x/C.java:3: cannot find symbol; symbol: method z(); location: class B" {
		t.Errorf("the message is %q", got)
	}
	if err := Compile(context.Background(), nil, t.TempDir(), map[string]string{"../C.java": ""}); err == nil || errors.As(err, &refused) {
		t.Errorf("a source outside of the folder: %v", err)
	}
}

// TestMissing: without a compiler the error says how to install one.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := Compile(context.Background(), nil, t.TempDir(), nil); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
}
