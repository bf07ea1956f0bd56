package multigrain

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSoundness compares the table of docs/explanation/soundness.md with the tests that it names.
// Each row names one, and each exists: a function, or a script of the command.
func TestSoundness(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/explanation/soundness.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testNames(t)
	rows, missing := soundnessRows(string(text), func(name string) bool { return tests[name] })
	for _, m := range missing {
		t.Error("docs/explanation/soundness.md: " + m)
	}
	if rows < 23 {
		t.Errorf("the table has only %d rows", rows)
	}
	// the rules see mistakes
	const row = "| claim | rests on | what it does not show | tried by |\n|---|---|---|---|\n"
	for text, want := range map[string]int{
		row + "| a | b | c | `TestNothing` |": 1, row + "| a | b | c | somehow |": 1, row + "| a | b | c | `TestSoundness` |": 0,
		row + "| a | b | c | `TestScripts/nothing` |": 1, row + "| a | b | c | `TestScripts/stands` |": 0,
	} {
		if _, missing := soundnessRows(text, func(name string) bool { return tests[name] }); len(missing) != want {
			t.Errorf("%q: %v", text, missing)
		}
	}
}

var (
	namedTest = regexp.MustCompile("`(Test[A-Za-z0-9]+(?:/[a-z-]+)?)`")
	declared  = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(t \*testing\.T\)`)
)

// soundnessRows counts the rows of tables with a last column "tried by", and lists what is wrong
// with that column.
func soundnessRows(text string, exists func(name string) bool) (rows int, missing []string) {
	within := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		switch {
		case !strings.HasPrefix(line, "|"):
			within = false
		case last == "tried by":
			within = true
		case within && !strings.HasPrefix(last, "---"):
			rows++
			named := namedTest.FindAllStringSubmatch(last, -1)
			if len(named) == 0 {
				missing = append(missing, "no test is named for the claim "+strings.TrimSpace(cells[0])+": name one in the last column")
			}
			for _, n := range named {
				if !exists(n[1]) {
					missing = append(missing, "there is no test "+n[1]+": name one that exists")
				}
			}
		}
	}
	return rows, missing
}

// testNames returns the test functions of all packages, and the scripts of the command as
// TestScripts/NAME.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != "." && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case strings.HasPrefix(filepath.ToSlash(path), "cmd/multigrain/testdata/script/") && filepath.Ext(path) == ".txtar":
			names["TestScripts/"+strings.TrimSuffix(e.Name(), ".txtar")] = true
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				names[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
