package methods

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/change"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// TestTable compares the table of configs/zab/changes with the jars of releases in the local Maven
// repository. The lines of each method must have the lines of its class file. What methods do
// must be the same as in the bytecode.
func TestTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../configs/zab/changes/zookeeper.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, err := change.ParseTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	if got := all.Versions(); len(got) != 12 || got[0] != "3.4.14" || got[11] != "master" {
		t.Errorf("the table has the versions %v", got)
	}
	compared := 0
	for _, version := range all.Versions() {
		jar, err := bytecode.OpenJar(filepath.Join(home, ".m2/repository/org/apache/zookeeper/zookeeper", version, "zookeeper-"+version+".jar"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		defer jar.Close()
		var classes []*bytecode.Class
		for _, name := range jar.Classes() {
			c, err := jar.Class(name)
			if err != nil {
				t.Fatal(err)
			}
			classes = append(classes, c)
		}
		compared++
		compareRelease(t, all.Of(version), classes)
	}
	if compared == 0 {
		t.Skip("no jar of a release is in the local Maven repository: make zookeeper-jars")
	}
	t.Logf("compared with %d releases", compared)
}

// compareRelease compares a version of the table with the classes of its release.
func compareRelease(t *testing.T, of *change.Table, classes []*bytecode.Class) {
	t.Helper()
	r, err := newRelease(classes)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGraph(classes)
	if err != nil {
		t.Fatal(err)
	}
	rows, files := map[string][]change.TableRow{}, map[string]*change.TableFile{}
	for _, f := range of.Files {
		for _, x := range f.Rows {
			if x.Class {
				files[x.Name] = f
			}
			if !x.Field {
				rows[x.Name] = append(rows[x.Name], x)
			}
		}
	}
	lines, methods := 0, 0
	for _, c := range classes {
		for k := range c.Methods {
			m := &c.Methods[k]
			name := r.name(c, m)
			class := name[:strings.LastIndexByte(name, '.')]
			if files[class] == nil || m.Flags&flagSynthetic != 0 {
				continue // the compiler of records made the class, or the method
			}
			for _, l := range m.Lines {
				lines++
				if !within(rows, name, class, l.Line) {
					t.Fatalf("version %s: line %d of %s is outside of its rows", of.Version, l.Line, name)
				}
			}
		}
	}
	for name, m := range g.Methods {
		x := rows[name]
		if k := slices.IndexFunc(x, func(r change.TableRow) bool { return len(r.Calls)+len(r.Over)+len(r.Uses) > 0 || r.Outside }); k > 0 {
			x = x[k:]
		}
		if len(x) == 0 {
			continue // see Read
		}
		methods++
		if !slices.Equal(x[0].Calls, m.Calls) || !slices.Equal(x[0].Over, m.Over) || !slices.Equal(x[0].Uses, m.Uses) || x[0].Outside != m.Outside {
			t.Fatalf("version %s: %s does %v, and the table has %v: make zookeeper-methods", of.Version, name, m, x[0])
		}
	}
	if lines < 20000 || methods < 3000 {
		t.Errorf("version %s: only %d lines and %d methods are compared", of.Version, lines, methods)
	}
}

// within reports whether a line of a method is in one of its rows. A constructor or an initialiser
// also has the lines of fields, and a method that the compiler made for an enum those of the class.
func within(rows map[string][]change.TableRow, name, class string, line int) bool {
	in := func(all []change.TableRow) bool {
		return slices.ContainsFunc(all, func(r change.TableRow) bool { return r.Span.Start <= line && line <= r.Span.Last() })
	}
	own := rows[name]
	if last := name[len(class)+1:]; len(own) == 0 || own[0].Span.Lines == 0 || last == "<clinit>" || strings.HasSuffix(class, "."+last) {
		return in(rows[class])
	}
	return in(own)
}

// TestLines reads the rows of a small program, with the JDK's parser.
func TestLines(t *testing.T) {
	t.Parallel()
	g, dir := compiled(t)
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip(err)
	}
	out, err := exec.Command("java", "Lines.java", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := Read(string(out), "src", func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }, g)
	if err != nil {
		t.Fatal(err)
	}
	text := Format([]Version{{Name: "1", Revision: "r", Files: files}, {Name: "2", Revision: "s", Files: files}})
	for _, want := range []string{
		"class\tprog.Fine\t13\t20\nconstant\t.LIMIT\t14\t14\nfield\t.LOCK\t15\t15\nfield\t.secret\t16\t16\nmethod\t.run\t17\t17\n",
		"method\t.hook\t18\t18\nover\t..Base.hook\nmethod\t.<clinit>\ncalls\t.Fine\n",
		"class\tprog.Fine.Inner\t19\t19\nmethod\t.peek\t19\t19\nuses\t..Fine.secret\n",
		"method\t.Fine\ncalls\t..Base.Base\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
	if _, shared, _ := strings.Cut(text, "version\t2\n"); strings.Count(shared, "\n") != 2 {
		t.Errorf("version 2 has other rows: %s", shared)
	}
	if _, err := change.ParseTable(text); err != nil {
		t.Error(err)
	}
}
