package noted

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/javac"
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
