package explain

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "copy the texts to docs/reference/diagnostics and write its index")

// root returns the folder of the project's go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above has a go.mod")
		}
	}
}

// TestEveryCodeHasText compares the codes in the project's code with the texts. Each code that is a
// string in Go code needs a text, and each text needs such a code.
func TestEveryCodeHasText(t *testing.T) {
	literal := regexp.MustCompile(`"(MG[0-9]{3})"`)
	where := map[string]string{}
	top := root(t)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != top) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range literal.FindAllSubmatch(text, -1) {
			where[string(m[1])] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(where) < 100 {
		t.Fatalf("only %d codes were found in the code: the search is wrong", len(where))
	}
	codes := Codes()
	for code, path := range where {
		if !slices.Contains(codes, code) {
			t.Errorf("%s: %s has no text; add a section to texts/%sxx.md", path, code, strings.ToLower(code[:3]))
		}
	}
	for k, code := range codes {
		if where[code] == "" {
			t.Errorf("texts: %s is a code that no Go code contains; remove the section", code)
		}
		if k > 0 && codes[k-1] == code {
			t.Errorf("texts: %s has two sections", code)
		}
	}
}

// TestOneRuleOneCode: no two codes have the same title, so a rule has one code wherever it is
// reported. A code of an earlier version is explained by that of today.
func TestOneRuleOneCode(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for _, code := range Codes() {
		title, _ := Title(code)
		if other := of[title]; other != "" {
			t.Errorf("%s and %s are both %q: give the rule one code", other, code, title)
		}
		of[title] = code
	}
	for old, now := range retired {
		text, ok := Text("MG" + old)
		if !ok || !strings.HasPrefix(text, "MG"+now+": ") || slices.Contains(Codes(), "MG"+old) {
			t.Errorf("MG%s is explained by %.40s", old, text)
		}
	}
}

// TestForm checks that every text is short and has a meaning, an example and a remedy, in this
// order.
func TestForm(t *testing.T) {
	for _, e := range entries() {
		lines := strings.Count(e.body, "\n") + 1
		if lines > 32 {
			t.Errorf("%s has %d lines; at most 32 are readable at one look", e.code, lines)
		}
		before, rest, _ := strings.Cut(e.body, "\n```")
		if strings.TrimSpace(before) == "" {
			t.Errorf("%s does not begin with what the code means", e.code)
		}
		at := strings.LastIndex(rest, "\n```\n\n")
		if at < 0 {
			t.Errorf("%s has no example", e.code)
			continue
		}
		if !strings.HasPrefix(rest[at+len("\n```\n\n"):], "Remedy: ") {
			t.Errorf("%s does not end with a remedy after its example", e.code)
		}
		if words := len(strings.Fields(e.title)); words > 8 {
			t.Errorf("%s: the title has %d words; at most 8 fit into an index", e.code, words)
		}
	}
}

// TestReference holds docs/reference/diagnostics equal to the texts. The flag -update copies them.
func TestReference(t *testing.T) {
	folder := filepath.Join(root(t), "docs", "reference", "diagnostics")
	want := map[string][]byte{"README.md": []byte(index(t))}
	list, err := files.ReadDir("texts")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if want[f.Name()], err = files.ReadFile("texts/" + f.Name()); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	have, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range have {
		if want[f.Name()] == nil {
			t.Errorf("%s is no copy of a text; remove it", filepath.Join(folder, f.Name()))
		}
	}
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s differs from the texts; run go test ./cmd/multigrain/internal/explain -update", filepath.Join(folder, name))
		}
	}
}

// index returns the first page of the reference: every code with its title and the file of its
// text.
func index(t *testing.T) string {
	var out strings.Builder
	out.WriteString("# Diagnostics\n\nEvery diagnostic has a code. A code never gets a second meaning, so scripts can rely on it.\n" +
		"`multigrain explain CODE` prints the text of a code.\n\n| code | what it reports |\n|---|---|\n")
	for _, code := range Codes() {
		title, ok := Title(code)
		if !ok {
			t.Fatalf("%s has no title", code)
		}
		fmt.Fprintf(&out, "| [%s](%sxx.md) | %s |\n", code, strings.ToLower(code[:3]), title)
	}
	return out.String()
}

func TestText(t *testing.T) {
	got, ok := Text("mg009")
	want := "MG009: Wrong label\n\nA block has a label too few or too many, or a label that is not a name.\n\n" +
		"    variable \"3servers\" {\n      default = 3\n    }\n\nRemedy: write the labels that the block type requires, such as the module's name in\n" +
		"module \"election\". Names start with a letter and contain letters, digits, - and _.\n"
	if !ok || got != want {
		t.Errorf("Text(mg009) is %v:\n%s\nwant:\n%s", ok, got, want)
	}
	for _, code := range []string{"", "MG", "MG000", "MG0099", "xMG009"} {
		if text, ok := Text(code); ok || text != "" {
			t.Errorf("Text(%q) returns %q", code, text)
		}
	}
}
