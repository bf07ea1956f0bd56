package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// warned returns the end of a run of check with diagnostics and a long text.
func warned(codes ...string) *ended {
	e := &ended{exit: 20, notes: "a note of the program"}
	e.doc.Start("check")
	e.doc.Exploration = result.Unexplored("a limit came first")
	for k, code := range codes {
		severity := "warning"
		if k == 0 {
			severity = "error"
		}
		e.doc.Diagnostics = append(e.doc.Diagnostics, result.Diagnostic{Severity: severity, Code: code, Summary: "Something is odd", Detail: strings.Repeat("long ", 200), File: "m.hcl", Line: k + 1})
	}
	return e
}

// TestParts: each part of an answer has the exit code, the verdict and all diagnostics, is not
// larger than asked, and the parts together are the whole.
func TestParts(t *testing.T) {
	t.Parallel()
	var many []string
	for k := range 60 {
		many = append(many, fmt.Sprintf("MG1%02d", k%12))
	}
	for name, codes := range map[string][]string{"none": nil, "few": {"MG117", "MG118"}, "many": many} {
		w := answerOf(warned(codes...), call{})
		for _, size := range []int{0, 1, 2000, 1 << 30} {
			var got []string
			for line, number := 0, 0; ; number++ {
				a := w.part(7, line, size)
				if limit := map[int]int{0: usual, 1: smallest, 2000: 2000, 1 << 30: largest}[size]; length(a) > limit {
					t.Errorf("%s: part %d of size %d has %d bytes", name, number, size, length(a))
				}
				if a.ExitCode != 20 || a.Verdict != "undecided" || !strings.Contains(a.Means, "undecided") {
					t.Errorf("%s: the head is %+v", name, a)
				}
				all := strings.Join(a.Diagnostics, "\n")
				for _, code := range codes {
					if !strings.Contains(all, code) {
						t.Fatalf("%s: part %d lacks %s:\n%s", name, number, code, all)
					}
				}
				got = append(got, a.Lines...)
				if a.Cursor == "" {
					break
				}
				var n int
				if _, err := fmt.Sscanf(a.Cursor, "%d:%d", &n, &line); err != nil || n != 7 {
					t.Fatal(a.Cursor)
				}
			}
			if strings.Join(got, "\n") != strings.Join(w.lines, "\n") {
				t.Errorf("%s: the parts of size %d are not the whole", name, size)
			}
		}
		if !strings.Contains(strings.Join(w.lines, "\n"), "a note of the program") {
			t.Errorf("%s: the note is missing", name)
		}
	}
}

// TestListed: few diagnostics are listed with their places, many are counted by code.
func TestListed(t *testing.T) {
	t.Parallel()
	if got := listed(warned("MG117").doc.Diagnostics); len(got) != 1 || got[0] != "error MG117 m.hcl:1 Something is odd" {
		t.Errorf("%q", got)
	}
	many := make([]string, 50)
	for k := range many {
		many[k] = "MG117"
	}
	if got := listed(warned(many...).doc.Diagnostics); len(got) != 2 || got[1] != "warning MG117, 49 times" {
		t.Errorf("%q", got)
	}
}

// TestMeaning: an exit code of 0 says nothing about properties where nothing is judged.
func TestMeaning(t *testing.T) {
	t.Parallel()
	if got := meaning(0, ""); !strings.Contains(got, "nothing is judged") {
		t.Error(got)
	}
	if got := meaning(0, "holds"); strings.Contains(got, "nothing is judged") {
		t.Error(got)
	}
	if got := meaning(-1, ""); !strings.Contains(got, "nothing is known") {
		t.Error(got)
	}
}

// TestBroken: long lines are broken between characters.
func TestBroken(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("aé", 500)
	got := broken(line)
	if strings.Join(got, "") != line || len(got) < 3 || len(got[0]) > widest {
		t.Errorf("%d pieces", len(got))
	}
	for _, piece := range got {
		if !strings.HasPrefix(strings.ToValidUTF8(piece, "?"), piece) {
			t.Errorf("%q is broken within a character", piece)
		}
	}
}
