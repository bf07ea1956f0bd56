package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// javaFile is a file that no table has. A change replaces one text in it.
const javaFile = `package p;

import java.util.List;

/**
 * Keeps the votes
 * of one round
 * until it ends.
 */
public class Votes {
    // how many there are
    private int count = 0; /* zero */

    @Override
    public String toString() {
        return "votes" + count;
    }

    void first(List<String> all) {
        one();
        two();
        three();
        four();
    }
}
`

// TestQuietJava: what changes nothing is seen in a file that the table lacks, with both texts, and
// by the lines of hunks alone.
func TestQuietJava(t *testing.T) {
	t.Parallel()
	const code, quiet = "!Votes.java", "~"
	for _, c := range []struct{ name, old, new, both, lines, bare string }{
		{"a line of a comment", "// how many there are", "// their number", quiet, quiet, quiet},
		{"a comment after code", "0; /* zero */", "0; // none", quiet, quiet, code},
		{"code before a comment", "= 0; /* zero */", "= 1; /* zero */", code, code, code},
		{"in the middle of a comment", "of one round", "of a round", quiet, quiet, code},
		{"layout", "        one();\n        two();", "\tone(); two();", quiet, quiet, quiet},
		{"carriage returns", "one();\n", "one();\r\n", quiet, quiet, quiet},
		{"an annotation goes", "    @Override\n", "", quiet, quiet, quiet},
		{"an annotation comes", "    void first", "    @SuppressWarnings({\"unchecked\", \"rawtypes\"})\n    void first", quiet, quiet, quiet},
		{"one with a package", "    void first", "    @edu.umd.cs.findbugs.annotations.SuppressFBWarnings(value = \"X\")\n    void first", quiet, quiet, quiet},
		{"another annotation", "    void first", "    @Transactional\n    void first", code, code, code},
		{"an import comes", "import java.util.List;", "import java.util.List;\nimport java.util.Map;", quiet, code, code},
		{"an import of the same name", "import java.util.List;", "import java.awt.List;", code, code, code},
		{"an import moves", "import java.util.List;", "\nimport java.util.List;\n", quiet, quiet, quiet},
		{"all names of the package", "import java.util.List;", "import java.util.*;", quiet, quiet, quiet},
		{"all names of another package", "import java.util.List;", "import java.awt.*;", code, code, code},
		{"a static import of a name in use", "import java.util.List;", "import java.util.List;\nimport static q.Other.one;", code, code, code},
		{"commented out", "        two();\n        three();", "        /* two();\n        three(); */", code, code, code},
		{"a comment around unchanged lines", "        one();\n        two();\n        three();\n        four();\n", "        /*\n        one();\n        two();\n        three();\n        four();\n        */\n", code, code, code},
		{"text in quotation marks", `"votes"`, `"// votes"`, code, code, code},
		{"a log comes", "        three();\n", "        three();\n        LOG.info(\"third of {}\", all);\n", quiet, quiet, code},
		{"a log of several lines", "        three();\n", "        three();\n        LOG.debug(\n            \"third \" + Long.toHexString(count),\n            Level.MAX);\n", quiet, quiet, code},
		{"a log that calls", "        three();\n", "        three();\n        LOG.info(\"third of {}\", all.remove(0));\n", code, code, code},
		{"a log of what may be null", "        three();\n", "        three();\n        LOG.info(\"third of {}\", all.first.name);\n", code, code, code},
		{"a log with a cast", "        three();\n", "        three();\n        LOG.info(\"third of {}\", (List) count);\n", code, code, code},
		{"a log with a sum", "        three();\n", "        three();\n        LOG.info(\"third of {}\", size + 1);\n", code, code, code},
		{"a log with a text and a number", "        three();\n", "        three();\n        LOG.info(\"third of \" + size + \", \" + (size));\n", quiet, quiet, code},
		{"a log that assigns", "        three();\n", "        three();\n        LOG.info(\"third of {}\", count = 1);\n", code, code, code},
		{"a log that divides", "        three();\n", "        three();\n        LOG.info(\"third of {}\", 1 / count);\n", code, code, code},
		{"a log as a branch", "        three();\n", "        if (count > 0)\n            LOG.info(\"some\");\n        three();\n", code, code, code},
		{"another method of that name", "        three();\n", "        three();\n        LOG.send(\"third\");\n", code, code, code},
		{"two signs", "count;\n", "count + +1;\n", code, code, code},
	} {
		after := strings.Replace(javaFile, c.old, c.new, 1)
		if after == javaFile {
			t.Fatalf("%s: nothing is replaced", c.name)
		}
		for _, form := range []struct{ context, want string }{{"both", c.both}, {"-U3", c.lines}, {"-U0", c.bare}} {
			o := quietOptions(t)
			flag := form.context
			if flag == "both" {
				flag = "-U3"
				o.Dir = t.TempDir()
				written(t, o.Dir, map[string]string{"src/A.java": "class A {}\n", "Votes.java": after})
			}
			o.Diff = gitDiff(t, flag, "Votes.java", javaFile, after)
			a, err := Analyse(o)
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(a); !strings.HasPrefix(got, form.want) {
				t.Errorf("%s, %s: %s, want %s; %+v\n%s", c.name, form.context, got, form.want, a, o.Diff)
			}
		}
	}
}

func quietOptions(t *testing.T) Options {
	t.Helper()
	table, err := ParseTable(small)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Table: table, Places: NewPlaces(&grains.Catalog{}, nil)}
}

// TestCommentOutsideOfTheHunk: where a comment begins or ends outside of the lines that a diff
// shows, the lines count as changed, whatever they look like.
func TestCommentOutsideOfTheHunk(t *testing.T) {
	t.Parallel()
	for name, diff := range map[string]string{
		"it opens, and ends below": "@@ -3,0 +4 @@\n+/*\n",
		"it closes":                "@@ -4 +3,0 @@\n-*/\n",
		"lines of a comment":       "@@ -3 +3 @@\n- * the votes\n+ * their votes\n",
		"a text block":             "@@ -3,2 +3,2 @@\n-// a\n+// b\n \"\"\";\n",
		"after one that was left":  "@@ -3,0 +4 @@\n+/*\n@@ -9 +10 @@\n-// x\n+// y\n",
		"no lines":                 "@@ -3 +3 @@\n",
	} {
		o := quietOptions(t)
		o.Diff = "--- a/Votes.java\n+++ b/Votes.java\n" + diff
		a, err := Analyse(o)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Unmodelled) == 0 {
			t.Errorf("%s: %+v", name, a)
		}
		if blind := strings.Contains(fmt.Sprint(a.Unmodelled), "give the whole diff"); blind != (name == "no lines") {
			t.Errorf("%s: %+v", name, a.Unmodelled)
		}
	}
}

// TestFirstLogOfHunk: where a hunk has nothing before a log, the log may be a branch.
func TestFirstLogOfHunk(t *testing.T) {
	t.Parallel()
	for after, quiet := range map[string]bool{
		"class A {\n  void f() {\n    if (x)\n      LOG.info(\"b\");\n    g();\n  }\n}\n": true,
		"class A {\n  void f() {\n    if (x)\n    g();\n  }\n}\n":                         false,
	} {
		before := "class A {\n  void f() {\n    if (x)\n      LOG.info(\"a\");\n    g();\n  }\n}\n"
		o := quietOptions(t)
		o.Diff = gitDiff(t, "-U0", "B.java", before, after)
		a, err := Analyse(o)
		if err != nil || (len(a.Unmodelled) == 0) != quiet {
			t.Errorf("%q: %v, %+v", after, err, a)
		}
	}
}

// TestHashComments: comments from # on are quiet where both texts show that they are comments.
func TestHashComments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, before, after string
		quiet               bool
	}{
		{"tag.sh", "#!/bin/sh\n# by A\nset -e\n", "#!/bin/sh\n# by B\n\nset -e\n", true},
		{"tag.sh", "#!/bin/sh\n# by A\nset -e\n", "#!/bin/bash\n# by A\nset -e\n", false},
		{"tag.sh", "#!/bin/sh\n# by A\nset -e\n", "#!/bin/sh\n# by A\nset -eu\n", false},
		{"tag.sh", "cat <<E\n# by A\nE\n", "cat <<E\n# by B\nE\n", false},
		{"tag.sh", "echo '\n# by A\n'\n", "echo '\n# by B\n'\n", false},
		{"tag.sh", "# by A\nset -e\n", "# by A\n# set -e\n", false},
		{"zoo.cfg", "# https://a\ntickTime=2000\n", "# https://b\ntickTime=2000\n", true},
		{"zoo.cfg", "a=b \\\n# c\n", "a=b \\\n# d\n", false},
		{"zoo.cfg", "#autopurge=1\n", "autopurge=1\n", false},
		{"a.yaml", "a: \"b\"\n# c\nd: 1\n", "a: \"b\"\n# e\nd: 1\n", true},
		{"a.yaml", "a: |\n  # c\n", "a: |\n  # d\n", false},
		{"a.json", "# c\n", "# d\n", false},
	} {
		o := quietOptions(t)
		o.Dir = t.TempDir()
		written(t, o.Dir, map[string]string{"src/A.java": "class A {}\n", c.file: c.after})
		o.Diff = gitDiff(t, "-U1", c.file, c.before, c.after)
		a, err := Analyse(o)
		if err != nil || (len(a.Unmodelled) == 0) != c.quiet {
			t.Errorf("%s %q: %v, %+v", c.file, c.after, err, a)
		}
	}
}

// TestTextBlocks: what stands in a text block is no comment, and its empty lines count.
func TestTextBlocks(t *testing.T) {
	t.Parallel()
	const before = "class A {\n  String s = \"\"\"\n    a\n    // b\n    \"\"\";\n}\n"
	for _, change := range [][2]string{{"// b", "// c"}, {"    a\n", "    a\n\n"}, {"    a\n", "    a \\\"\"\" x\n"}} {
		after := strings.Replace(before, change[0], change[1], 1)
		o := quietOptions(t)
		o.Dir = t.TempDir()
		written(t, o.Dir, map[string]string{"src/A.java": "class A {}\n", "B.java": after})
		o.Diff = gitDiff(t, "-U1", "B.java", before, after)
		if a, err := Analyse(o); err != nil || len(a.Unmodelled) == 0 {
			t.Errorf("%q: %v, %+v", change, err, a)
		}
	}
}

// TestKindsOfFiles: documents, tests and files of the build select nothing. Exceptions are those
// that are code on the other side, that a program embeds, or that the manifest names.
func TestKindsOfFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	written(t, dir, map[string]string{"src/A.java": "class A {}\n", "web/a.go": "package web\n\nimport _ \"embed\"\n\n//go:embed help.txt all:pages\nvar help string\n"})
	for name, want := range map[string]bool{
		"README.md": true, "LICENSE": true, "zookeeper-docs/src/x.properties": true, "docs/a.png": true, "docs/A.java": false,
		"pom.xml": true, "a/b/build.gradle": true, "Makefile": true, "go.sum": true, "src/main/java/pom/A.java": false,
		"server/src/test/java/p/A.java": true, "src/integrationTest/x.properties": true, "tests/run.sh": true, "src/main/test/A.java": false,
		"a_test.go": true, "testdata/x.json": true, "src/main/resources/help.txt": false, "web/help.txt": false, "web/pages/a.md": false, "web/other.txt": true,
		"config.yaml": false, "src/A.java": false,
	} {
		o := quietOptions(t)
		o.Packages = []string{"./..."}
		r := &repo{dir: dir}
		if _, got := o.kind(r, &unified.File{Old: name, New: name}); got != want {
			t.Errorf("%s passes: %v", name, got)
		}
		if _, got := o.kind(r, &unified.File{Old: "a.yaml", New: name}); got {
			t.Errorf("%s passes that was a.yaml", name)
		}
		o.Rules = []Rule{{Pattern: "**/" + name, Policy: Fail}}
		if _, got := o.kind(r, &unified.File{New: name}); got {
			t.Errorf("%s passes though the manifest fails it", name)
		}
	}
}

// TestRules: the first rule that fits counts, and those of the short form come last.
func TestRules(t *testing.T) {
	t.Parallel()
	o := quietOptions(t)
	o.Rules = []Rule{{Pattern: "p.A.g", Policy: Fail}, {Pattern: "*.B.*", Policy: Ignore}, {Pattern: "conf/secret.yaml", Policy: Report}, {Pattern: "conf/**", Policy: Ignore}}
	o.Ignore = []string{"*.cfg"}
	o.Diff = "--- a/src/A.java\n+++ b/src/A.java\n@@ -15 +15 @@\n@@ -25 +25 @@\n@@ -9 +9 @@\n--- a/conf/a.yaml\n+++ b/conf/a.yaml\n@@ -1 +1 @@\n" +
		"--- a/conf/secret.yaml\n+++ b/conf/secret.yaml\n@@ -1 +1 @@\n--- a/x.cfg\n+++ b/x.cfg\n@@ -1 +1 @@\n"
	a, err := Analyse(o)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, u := range a.Unmodelled {
		got += u.Name + " " + string(u.Policy) + "; "
	}
	if want := "p.A.g fail; p.A.f report; conf/secret.yaml report; "; got != want || len(a.Ignored) != 3 {
		t.Errorf("%s, ignored %v", got, a.Ignored)
	}
}
