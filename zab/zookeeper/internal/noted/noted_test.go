package noted

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

const source = `package p;

class A {
  int constant = 1;
  int bare;

  int sum(int n, boolean open) {
    int out = 0;
    // a comment
    if (n > 2 && open) {
      out = twice(n,
          n + 1);
    }
    Runnable r = () -> {
      System.out.println(n);
    };
    return out;
  }

  int twice(int a, int b) {
    return a + b;
  }

  static class Inner {
    void none() { }
  }
}
`

// TestFind compares the places of lines with what a reader expects.
func TestFind(t *testing.T) {
	t.Parallel()
	if err := javac.Look(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	file := "server/src/main/java/p/A.java"
	if err := javac.Compile(context.Background(), nil, dir, map[string]string{file: source}); err != nil {
		t.Fatal(err)
	}
	text := strings.Split(source, "\n")
	for _, c := range []struct {
		line    int
		removed bool
		want    string
	}{
		{4, false, "line A.<init>"}, // the constructor has it
		{5, false, ""},              // no code
		{8, false, "line A.sum"},
		{10, false, "line A.sum, jump A.sum 1/2, jump A.sum 2/2"},
		{11, false, "line A.sum"},
		{12, false, "line A.sum"}, // it is a part of the statement in line 11
		{13, true, "line A.sum"},
		{15, false, "line A.lambda$sum$0"},
		{26, false, ""},
	} {
		places, spots, err := Find(dir, []Line{{File: file, Number: c.line, Removed: c.removed, Text: text[c.line-1]}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range places {
			s := fmt.Sprintf("%s %s", p.Kind, p.Func)
			if p.Kind == Jump {
				s += fmt.Sprintf(" %d/%d", p.Column, p.Of)
			}
			got = append(got, s)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("line %d: %s, expected %s", c.line, strings.Join(got, ", "), c.want)
		}
		if len(places) > 0 && len(spots) == 0 {
			t.Errorf("line %d: no instruction", c.line)
		}
	}
	if _, _, err := Find(dir+"/none", []Line{{File: file, Number: 8}}); err == nil {
		t.Error("a folder that is not there")
	}
}

const spread = `package p;

class B {
  boolean greater(long e, long f, long z, long y, long id, long my) {
    return e > f
        || e == f
            && z > y
            && id > my;
  }

  String text(StringBuilder b, int n) {
    int unrelated = 1;
    return b
        .append(n)
        .append(
            unrelated)
        .toString();
  }

  int pick(Boolean a, int n,
      int m) {
    if (a
        && n > 1
        && a) {
      n++;
    }
    Comparable<Integer> c = x ->
        x
            + n();
    return m;
  }

  int n() {
    return 1;
  }
}
`

// TestFindInStatements: a line of operands has no line of bytecode of its own. It stands for the
// statement around it, with all of its conditions. Without the statements of the sources, what is
// after the last line with code is not found.
func TestFindInStatements(t *testing.T) {
	t.Parallel()
	if err := javac.Look(); err != nil {
		t.Skip(err)
	}
	dir, bare := t.TempDir(), t.TempDir()
	file := "server/src/main/java/p/B.java"
	sources := map[string]string{file: spread}
	for _, d := range []string{dir, bare} {
		if err := javac.Compile(context.Background(), nil, d, sources); err != nil {
			t.Fatal(err)
		}
	}
	all, err := javac.Statements(context.Background(), sources)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(javac.ExtentsFile)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, javac.ExtentsFile), []byte(javac.WriteExtents(all)), 0o644); err != nil {
		t.Fatal(err)
	}
	text := strings.Split(spread, "\n")
	four := "line B.greater, jump B.greater 1/4, jump B.greater 2/4, jump B.greater 3/4, jump B.greater 4/4"
	for _, c := range []struct {
		line    int
		removed bool
		want    string
	}{
		{5, false, four},
		{6, false, four},
		{7, false, four},
		{8, false, four},
		{8, true, four}, // an operand before it is gone
		{13, false, "line B.text"},
		{16, false, "line B.text"},
		{21, false, ""}, // parameters
		{22, true, "line B.pick"},
		{23, false, "line B.pick, jump B.pick 1/3, jump B.pick 2/3, jump B.pick 3/3"},
		{24, true, "line B.pick, jump B.pick 1/3, jump B.pick 2/3, jump B.pick 3/3"},
		{28, false, "line B.lambda$pick$0"},
	} {
		places, spots, err := Find(dir, []Line{{File: file, Number: c.line, Removed: c.removed, Text: text[c.line-1]}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range places {
			s := fmt.Sprintf("%s %s", p.Kind, p.Func)
			if p.Kind == Jump {
				s += fmt.Sprintf(" %d/%d", p.Column, p.Of)
			}
			got = append(got, s)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("line %d: %s, expected %s", c.line, strings.Join(got, ", "), c.want)
		}
		for _, s := range spots {
			if m := "n"; s.Method == m {
				t.Errorf("line %d: it stands for %s", c.line, m)
			}
		}
	}
	// The first instruction of line 13 is that of its own statement, not of the one before it.
	_, spots, err := Find(dir, []Line{{File: file, Number: 13, Text: text[12]}})
	if err != nil || len(spots) == 0 {
		t.Fatal(spots, err)
	}
	_, before, err := Find(dir, []Line{{File: file, Number: 12, Text: text[11]}})
	if err != nil || len(before) == 0 || before[0].Offset >= spots[0].Offset {
		t.Errorf("line 13 stands for %v, and line 12 for %v: %v", spots, before, err)
	}
	if places, _, err := Find(bare, []Line{{File: file, Number: 7, Text: text[6]}}); err != nil || len(places) > 0 {
		t.Errorf("without statements: %v, %v", places, err)
	}
}
