package mutants

import (
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

const sample = `package a;
// class Not { void run() { } }
public class Sample {
    private static final char BRACE = '{', QUOTE = '\'';
    private final String text = "run() { \" }";

    abstract void none();

    /* void twice() { */
    void twice(int a) {
        other.run();
    }

    void twice() {
    }

    @Override
    public void run() throws Exception,
            java.io.IOException {
        new Thread() {
            public void run() {
                go();
            }
        }.start();
        stop("}");
        go();
    }

    static class Nested {
        void inner() {
        }
    }
}
`

// TestFindMethod finds methods by their first and last lines, and names what it does not find.
func TestFindMethod(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"run":          "{18 27}",
		"twice":        "2 methods twice",
		"twice(int a)": "{10 12}", "twice()": "{14 15}", "twice(long a)": "0 methods twice",
		"none":  "0 methods none",
		"inner": "0 methods inner",
		"start": "0 methods start",
	} {
		at, err := findMethod(sample, name)
		if got := fmt.Sprint(at, err); !strings.Contains(got, want) {
			t.Errorf("%s is %s; want %s", name, got, want)
		}
	}
}

// TestReplace replaces a line that a method has once.
func TestReplace(t *testing.T) {
	t.Parallel()
	got, err := replace(sample, "run", `  stop("}");`, "stop(null);")
	if want := strings.Replace(sample, `        stop("}");`, "stop(null);", 1); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	for line, want := range map[string]string{"go();": "2 times, first in lines 22 and 26", "other.run();": "has no line"} {
		if _, err := replace(sample, "run", line, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", line, err, want)
		}
	}
}

// TestTableErrors reads tables with mistakes.
func TestTableErrors(t *testing.T) {
	t.Parallel()
	block := func(name, becomes string) string {
		return fmt.Sprintf("mutant %q {\n mistake = \"m\"\n class = \"c\"\n method = \"m\"\n line = \"a;\"\n becomes = %q\n}\n", name, becomes)
	}
	if all, err := parse("t.hcl", []byte(block("a", "")+block("b", "c;"))); err != nil || len(all) != 2 || all[1].Becomes != "c;" {
		t.Errorf("%v, %v", all, err)
	}
	for text, want := range map[string]string{
		block("a", "") + block("a", "b;"): `two mutants "a"`,
		block("a", " a; "):                "the same line",
		`mutant "a" {}`:                   "t.hcl:1",
	} {
		if _, err := parse("t.hcl", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}

var (
	methodLine = regexp.MustCompile(`^  [\w<].*?([\w$]+)\([^)]*\)(?: throws .*)?;$`)
	tableLine  = regexp.MustCompile(`^      line (\d+): \d+$`)
)

// TestLines compares the lines of methods with those in the tables of the released classes, as
// javap prints them.
func TestLines(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("javap"); err != nil {
		t.Skip("javap is not on the PATH: install a JDK, version 11 or later")
	}
	b := builder(t)
	var names []string
	for _, m := range all(t) {
		if name := control.FullClass(m.Class); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	out, err := exec.Command("javap", append([]string{"-p", "-l", "-cp", b.Jars.Server()}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	printed := strings.SplitAfter(string(out), "\n}\n")
	compared := 0
	for k, name := range names {
		class := strings.TrimPrefix(name, control.FullClass(""))
		_, text, err := b.source(class)
		if err != nil {
			t.Fatal(err)
		}
		for method, want := range linesOf(printed[k]) {
			if strings.HasSuffix(name, "."+method) {
				continue // a constructor, which has the lines of the fields' values
			}
			at, err := findMethod(text, method)
			if err != nil {
				t.Errorf("%s: %v", class, err)
				continue
			}
			// The table has no line for the head of the method; it has the line of its end where
			// the method can come to it.
			if at.from > want.from || at.to < want.to || want.to < at.to-3 {
				t.Errorf("%s.%s is in lines %v; javap says %v", class, method, at, want)
			}
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("only %d methods were compared", compared)
	}
	t.Logf("%d methods of %d classes", compared, len(names))
}

// linesOf returns the first and the last line of each method that a class has once, from what javap
// prints about the class. Methods that the compiler has made have a dollar sign.
func linesOf(printed string) map[string]extent {
	out, count := map[string]extent{}, map[string]int{}
	name := ""
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == "static {};" {
			name = ""
		}
		if x := methodLine.FindStringSubmatch(line); x != nil {
			name = x[1]
			count[name]++
		}
		x := tableLine.FindStringSubmatch(line)
		if x == nil || name == "" {
			continue
		}
		n, _ := strconv.Atoi(x[1])
		at, ok := out[name]
		if !ok {
			at = extent{n, n}
		}
		out[name] = extent{min(at.from, n), max(at.to, n)}
	}
	maps.DeleteFunc(out, func(name string, _ extent) bool { return count[name] != 1 || strings.Contains(name, "$") })
	return out
}
