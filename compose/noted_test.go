package compose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/compose/internal/noting"
)

// TestNotedLanguage: notes in code of a language without type parameters have none.
func TestNotedLanguage(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{"go 1.17": "SeeBool(0, n())", "": "SeeBool(0, n())", "go 1.18": "See(0, n())", "go 1.26.1": "See(0, n())"} {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module example.com/lib\n\n" + version + "\n", "a.go": "package lib\n\nfunc f() bool {\n\treturn n() && n()\n}\n\nfunc n() bool { return true }\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		x, err := noted(Code{Dir: dir, Changed: map[string][]noting.Line{"a.go": {{Number: 4}}}}, dir, true)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(x.Files[filepath.Join(dir, "a.go")]); !strings.Contains(text, "multigrainran."+want) {
			t.Errorf("%q: no %q in\n%s", version, want, text)
		}
	}
}

// TestLost: an operation that goes is named, unless it moves, keeps its constant, or becomes a
// condition. So is an operand of a condition, where conditions have fewer operands than before.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          string
	}{
		{"n = n & 31", "n++", "n & 31"},
		{"n = min(n, m)", "n = m", "min(n, m)"},
		{"n = min(n, m)", "if m < n { n = m }", ""},
		{"n = n / 2", "n = (n + m) / 2", ""},
		{"n = n / 2", "n = n / 3", "n / 2"},
		{"n++", "n = n & 31", ""},
		{"if n > m && m < 9 { n++ }", "if n > m { n++ }", "m < 9"},
		{"if n > m { n++ }", "if m < n { n++ }", ""},
		{"if n > m && m < 9 { n++ }", "if !(n <= m || m >= 9) { n++ }", ""},
		{"if n > m { n++ }", "n++", "n > m"},
		{"if n == 3 { n++ }", "switch n { case 3: n++ }", ""},
		{"switch n { case 3: n++; case 4: n-- }", "switch n { case 3: n++ }", "n == 4"},
		{"switch n { case 3: n++; case 4: n++ }", "switch n { case 3, 4: n++ }", ""},
		{"for i := 0; i < m; i++ { n++ }", "for range m { n++ }", ""},
		{"for i := 0; i < m; i++ { n++ }", "n++", "i < m"},
	} {
		dirs := [2]string{t.TempDir(), t.TempDir()}
		for k, line := range []string{c.before, c.after} {
			for name, text := range map[string]string{"go.mod": "module example.com/lib\n\ngo 1.24\n", "a.go": "package lib\n\nfunc f(n, m int) int {\n" + line + "\nreturn n\n}\n"} {
				if err := os.WriteFile(filepath.Join(dirs[k], name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		x, err := noted(Code{Dir: dirs[1], Before: dirs[0], Changed: map[string][]noting.Line{"a.go": {{Number: 4}}}, Gone: map[string][]int{"a.go": {4}}}, dirs[1], true)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range x.Lost {
			got = append(got, l.Text)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s becomes %s: %q is lost, not %q", c.before, c.after, got, c.want)
		}
	}
}
