package versions

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const documentFile = "../../../docs/results/versions.md"

// A row is a bug of the document: the steps that each version has, 0 where it holds. A version
// without a result is left out.
type row struct {
	bug      string
	versions []string
	steps    map[string]int
}

// rows reads the first table of the document.
func rows(t *testing.T) (out []row) {
	t.Helper()
	text, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`^(\d+) steps`)
	var head []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		switch {
		case head == nil && cells[0] == "bug":
			head = cells
		case head != nil && len(cells) < 2:
			return out
		case head != nil && strings.HasPrefix(cells[0], "["):
			name, _, _ := strings.Cut(cells[0][1:], "]")
			r := row{bug: name, versions: head[1:], steps: map[string]int{}}
			for k, cell := range cells[1:] {
				if m := steps.FindStringSubmatch(cell); m != nil {
					r.steps[head[k+1]], _ = strconv.Atoi(m[1])
				} else if strings.HasPrefix(cell, "holds") {
					r.steps[head[k+1]] = 0
				}
			}
			out = append(out, r)
		}
	}
	t.Fatalf("%s has no table of bugs and versions", documentFile)
	return nil
}

// edge returns the last version with the bug and the first one after it without; "" where no result
// says so.
func (r *row) edge() (with, without string) {
	for _, v := range r.versions {
		if n, ok := r.steps[v]; ok && n > 0 {
			with, without = v, ""
		} else if ok && with != "" && without == "" {
			without = v
		}
	}
	return with, without
}

// TestExpected: a manifest expects what the document says of each version.
func TestExpected(t *testing.T) {
	for _, r := range rows(t) {
		text, err := os.ReadFile(filepath.Join("../../..", folder, r.bug+".hcl"))
		if err != nil {
			t.Fatal(err)
		}
		expected := map[string]int{}
		for _, m := range regexp.MustCompile(`(?m)^ *"(v[\d.]+|master)" *= (\d+)$`).FindAllStringSubmatch(string(text), -1) {
			expected[m[1]], _ = strconv.Atoi(m[2])
		}
		for v, n := range r.steps {
			if expected[v] != n {
				t.Errorf("%s with %s: the manifest expects %d steps, and the document has %d (0: it holds)", r.bug, v, expected[v], n)
			}
		}
	}
}

// TestEdges checks the last version with a bug and the first one without it, for one bug. The seed
// MULTIGRAIN_SAMPLE, or the day, chooses the bug; MULTIGRAIN_SLOW=1 checks all bugs.
func TestEdges(t *testing.T) {
	if testing.Short() {
		t.Skip("it composes and explores two specifications, which takes up to a minute")
	}
	all := slices.DeleteFunc(rows(t), func(r row) bool {
		with, without := r.edge()
		return with == "" || without == ""
	})
	if len(all) == 0 {
		t.Fatalf("no bug in %s ends with a version", documentFile)
	}
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		h := fnv.New32a()
		h.Write([]byte(cmp.Or(os.Getenv("MULTIGRAIN_SAMPLE"), time.Now().UTC().Format(time.DateOnly))))
		k := int(h.Sum32() % uint32(len(all)))
		all = all[k : k+1]
	}
	program := filepath.Join(t.TempDir(), "multigrain")
	if text, err := exec.Command("go", "build", "-o", program, "../../../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, r := range all {
		with, without := r.edge()
		for _, v := range []string{with, without} {
			t.Run(r.bug+" "+v, func(t *testing.T) {
				// The exit code says the verdict, which the document has, too.
				text, err := exec.Command(program, "check", filepath.Join("../../..", folder, r.bug+".hcl"), "-var", "version="+v, "-json", "-quiet", "-traces", t.TempDir()).Output()
				var d document
				if json.Unmarshal(text, &d) != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				steps := 0
				if d.Verdict == "violated" {
					steps = d.Depth
				}
				if d.Verdict != "violated" && d.Verdict != "holds" || steps != r.steps[v] {
					t.Errorf("%s after %d steps, the document has %d (0: it holds)", d.Verdict, steps, r.steps[v])
				}
			})
		}
	}
}

// TestEdge finds the last version with a bug, also where the bug was gone before.
func TestEdge(t *testing.T) {
	for _, c := range []struct {
		steps         map[string]int
		with, without string
	}{
		{map[string]int{"a": 3, "b": 4, "c": 0, "d": 0}, "b", "c"},
		{map[string]int{"a": 3, "b": 0, "c": 5, "d": 0}, "c", "d"},
		{map[string]int{"a": 3, "c": 0}, "a", "c"},
		{map[string]int{"a": 0, "d": 7}, "d", ""},
		{map[string]int{"a": 0}, "", ""},
	} {
		r := row{versions: []string{"a", "b", "c", "d"}, steps: c.steps}
		if with, without := r.edge(); with != c.with || without != c.without {
			t.Errorf("%v: %q and %q, want %q and %q", c.steps, with, without, c.with, c.without)
		}
	}
}

// TestConfirmed reads a table as pages confirmed writes it.
func TestConfirmed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "confirmed.md")
	text := "# Title\n\n| bug | 3.8.0 | 3.9.1 |\n|---|---|---|\n| [a](x.hcl) | confirmed 4 of 5 | not run |\n\n| bug | other |\n|---|---|\n| b | c |\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := confirmed(file)
	if err != nil || got[[2]string{"a", "3.8.0"}] != "confirmed 4 of 5" || len(got) != 2 {
		t.Errorf("read %v, %v", got, err)
	}
}

// TestRowOf: if the folder lacks a result of a row, the row stays as the document has it.
func TestRowOf(t *testing.T) {
	text := `# Title

| bug | v1 | v2 |
|---|---|---|
| [a](x.hcl) | holds, 3 states<br>jar: no violation | 4 steps |
| [b](x.hcl) | 5 steps | 6 steps |

| bug | bounds | invariant | measured, commit |
|---|---|---|---|
| a | 3 servers | I-8 | 2026-01-01, abc |
| b | 3 servers | I-9 | 2026-01-02, def |
`
	before, err := rowsBefore(text, []string{"v1", "v2"})
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)
	steps := func(n int) *document {
		return &document{Verdict: "violated", Depth: n, Violations: []violation{{Invariant: "I-1"}}}
	}
	tab := &table{commit: "new", before: before, all: []*result{
		{bug: "a", got: steps(7), made: day}, {bug: "a"},
		{bug: "b", got: steps(8), made: day.AddDate(0, 0, 1)}, {bug: "b", got: steps(9), made: day},
		{bug: "c", got: steps(1), made: day}, {bug: "c"},
	}}
	for bug, want := range map[string]measured{
		"a": {[]string{"holds, 3 states", "4 steps"}, "I-8", "2026-01-01, abc"},
		"b": {[]string{"8 steps", "9 steps"}, "I-1", "2026-02-03, new"},
		"c": {[]string{"1 steps", "not run"}, "I-1", "2026-02-03, new"},
	} {
		if got := tab.rowOf(bug); !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v, want %+v", bug, *got, want)
		}
	}
	if _, err := rowsBefore(text, []string{"v1"}); err == nil {
		t.Error("a document with other versions is taken")
	}
}
