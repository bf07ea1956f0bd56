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
		x, err := noted(Code{Dir: dir, Changed: map[string][]noting.Line{"a.go": {{Number: 4}}}}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(x.Files[filepath.Join(dir, "a.go")]); !strings.Contains(text, "multigrainran."+want) {
			t.Errorf("%q: no %q in\n%s", version, want, text)
		}
	}
}
