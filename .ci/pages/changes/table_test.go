package changes

import (
	"strings"
	"testing"
	"time"
)

// TestKeptRows: a row without a result stays as the page has it, and counts. One of a table without
// the new column has an empty cell there. A row that the list no longer has is gone.
func TestKeptRows(t *testing.T) {
	t.Parallel()
	had := tableIn(`Some words.

| commit | expected | what it does | verdict | modules that it touches | on the release |
|---|---|---|---|---|---|
| aaaaaaaa | none | a comment \| a text | touches nothing (0) |  | applied: touches nothing (0) |
| bbbbbbbb | protocol | a change | undecided (20) | faults | taken back: behaves (0) |
| cccccccc | outside | a log | undecided (20) | faults | does not apply |
| dddddddd | harmless | gone | touches nothing (0) |  | does not apply |

More words.
`)
	hash := func(letter string) string { return strings.Repeat(letter, 40) }
	o := &outcome{Exit: 30, Commit: "12345678", Made: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	o.Document.Verdict = "differs"
	nothing := &outcome{Exit: 20, Commit: "12345678", Made: o.Made}
	rows := []realRow{
		{commit: commit{Hash: hash("a"), Expect: "none"}},
		{commit: commit{Hash: hash("b"), Expect: "protocol"}, how: applied, asIs: nothing}, // the second run is missing
		{commit: commit{Hash: hash("c"), Expect: "outside", What: "a log"}, how: applied, asIs: nothing, onRelease: o},
	}
	got := readText(rows, had)
	for _, want := range []string{
		"2 rows are of earlier runs", "1 of 3 commits end in exit code 0 without a run; a reader expects that of 1.",
		"3 of 3 runs on the release are decided. 1 changes of the protocol end in exit code 0.",
		"| aaaaaaaa | none | a comment \\| a text | touches nothing (0) |  | applied: touches nothing (0) |  |\n",
		"| bbbbbbbb | protocol | a change | undecided (20) | faults | taken back: behaves (0) |  |\n",
		"| cccccccc | outside | a log | invalid (20) |  | applied: differs (30) | 2026-01-02, 12345678 |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "dddddddd") {
		t.Errorf("a row that the list does not have stays:\n%s", got)
	}
	if again := tableIn(got); len(again.rows) != 3 || again.cell(again.rows[2], measured) != "2026-01-02, 12345678" {
		t.Errorf("the table is read again as %v", again)
	}
}

// TestKeptMutants: rows of mutants that were not run again count by their verdicts, also those of
// the longer time.
func TestKeptMutants(t *testing.T) {
	t.Parallel()
	had := tableIn(`| mutant | manifest | verdict | broken | first difference | s | processor s | with ` + "`-budget 15m`" + ` |
|---|---|---|---|---|---|---|---|
| early | z | violated (12) | I-9 | x, step 2, A | 1 | 2 |  |
| late | z | undecided (20) | I-10 | x, step 2, A | 1 | 2 | violated (12), 320 s |
| never | z | undecided (20) |  | conform cannot find it: a reason | 1 | 2 | undecided (20), 700 s |
| other | z | differs (30) |  | x, step 3, B | 1 | 2 |  |
| green | z | behaves (0) |  |  | 1 | 2 | behaves (0), 1 s |
`)
	var rows []row
	for _, name := range []string{"early", "late", "never", "other", "green"} {
		rows = append(rows, row{name: name})
	}
	got := plantedText(library{longer: 15 * time.Minute}, rows, had)
	for _, want := range []string{"3 of 5 mutants are seen: 2 violate an invariant or panic, and 1 behave differently. 1 end in exit code 0.",
		"Conform cannot find 1 of the others. 1 are seen only with `-budget 15m`.", "| late | z | undecided (20) | I-10 | x, step 2, A | 1 | 2 | violated (12), 320 s |  |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestUnread: a run whose adapter compiles and finds other fields is neither decided nor undecided,
// and an older adapter is tried.
func TestUnread(t *testing.T) {
	t.Parallel()
	had := tableIn(`| commit | expected | what it does | as it is | on the release | measured |
|---|---|---|---|---|---|
| aaaaaaaa | protocol | x | v3.6.0: undecided (20) tracker.Progress has no field sentCommit: the adapter does not fit this version of the library | does not apply | 2026 |
| bbbbbbbb | harmless | x | behaves (0) | taken back: undecided (20) no walk took Beat | 2026 |
| cccccccc | none | x | does not compile | does not apply | 2026 |
`)
	rows := []realRow{}
	for _, hash := range []string{"a", "b", "c"} {
		rows = append(rows, realRow{commit: commit{Hash: strings.Repeat(hash, 40)}})
	}
	text := realText(rows, had)
	want := "3 of 4 runs compile with an adapter. In 1 of these the library has other fields than each adapter reads. 1 of the other 2 are decided."
	if !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	var o outcome
	o.Document.Change = &struct {
		Touched    []struct{ Module string }
		Trails     []struct{ Place struct{ Name string } }
		Unmodelled []struct{ Name, Reason string }
		Observed   *observed
	}{Observed: &observed{Verdict: "undecided", Reason: "the changed code cannot be followed: a.B has no field c: the adapter does not fit this version of the library"}}
	if o.unfit() == "" || !o.misfits() || o.unbuildable() {
		t.Errorf("the outcome fits: %q", o.unfit())
	}
}
