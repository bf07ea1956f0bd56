package javac

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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

// TestStatements: each statement has its lines, and one with others in it those of its head.
func TestStatements(t *testing.T) {
	t.Parallel()
	if err := Look(); err != nil {
		t.Skip(err)
	}
	const source = `package a;
class A {
  int field =
    1;
  int bare;
  int f(int n, boolean open) {
    if (n > 1
        && open) {
      n++;
    } else if (n < 0) n--;
    for (int k = 0;
        k < n;
        k++) { }
    while (n > 5
        || open) { }
    Runnable r = () ->
        System.out
            .println(n);
    switch (n) {
      case 1: return 2;
    }
    return n > 1
      ? 1
      : 2;
  }
}
`
	all, err := Statements(context.Background(), map[string]string{"src/a/A.java": source, "src/a/B.java": "package a;\nclass B { }\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Extent{{3, 4}, {7, 8}, {9, 9}, {10, 10}, {10, 10}, {12, 12}, {11, 11}, {13, 13}, {14, 15}, {16, 18}, {17, 18}, {19, 19}, {20, 20}, {22, 24}}
	if got := all["src/a/A.java"]; !slices.Equal(got, want) {
		t.Errorf("the statements are %v, expected %v", got, want)
	}
	if got, some := all["src/a/B.java"]; !some || len(got) > 0 {
		t.Errorf("a file without statements has %v", all)
	}
	again, err := ReadExtents(WriteExtents(all))
	if err != nil || !reflect.DeepEqual(again, all) {
		t.Errorf("read again they are %v, %v", again, err)
	}
	if _, err := ReadExtents("lines\t1\n"); err == nil {
		t.Error("a row without a last line is read")
	}
}

// TestMissing: without a compiler the error says how to install one.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := Compile(context.Background(), nil, t.TempDir(), nil); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
}
