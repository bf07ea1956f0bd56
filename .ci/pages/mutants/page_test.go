package mutants

import (
	"strings"
	"testing"
)

// TestRowsStay: what a page shows is read back from it, so that a manifest that is not measured
// again keeps its row, its bounds, its day and its lost mutants.
func TestRowsStay(t *testing.T) {
	t.Parallel()
	rows := make([]*measured, len(subjects))
	rows[1] = &measured{Drawn: 40, Sites: 54, Found: 11, Kept: 10, Lost: 1, Equal: 28, Undecided: 1, Fine: searched{"holds", 17121}, Mixed: searched{"undecided", 99},
		Seconds: [2]float64{3, 2}, Bounds: "servers=3", On: "2026-11-28", Mutants: []mutant{
			{Name: "Put: a || b => a", Outcome: "lost", Blame: &blamed{"Tell"}}, {Name: "Get", Outcome: "undecided", Note: "the time is over"},
		}}
	rows[3] = &measured{Drawn: 3, Sites: 3, Equal: 3, Bounds: "servers=2", On: "2026-11-30"}
	a := &asked{}
	page := string(a.page(rows))
	again := make([]*measured, len(subjects))
	stay := readPage(page)
	for k, s := range subjects {
		again[k] = stay[nameOf(s)]
	}
	if got := string(a.page(again)); got != page {
		t.Errorf("the page\n%s\nis read as\n%s", page, got)
	}
	if len(stay) != 2 {
		t.Errorf("%d rows are read, want 2", len(stay))
	}
	for _, want := range []string{"| sum | 43 | 11 | 10 | 1 | 0 | 31 | 1 |", "Put: a \\|\\| b => a", "- " + nameOf(subjects[0]), "| 2026-11-30 | servers=2 |"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}
