package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestTrustPage compares the page about trust with the verbs. Each has a row with the sentences
// that its help prints.
func TestTrustPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/explanation/trust.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, v := range verbs() {
		if v.Code == "" {
			t.Errorf("%s does not say which code it runs: set Code", v.Name)
		}
		row := fmt.Sprintf("| `%s` | %s |\n", v.Name, v.Code)
		if rows++; !strings.Contains(string(page), row) {
			t.Errorf("docs/explanation/trust.md has no row %q", row)
		}
		out, _ := ran(t, 0, "", "help", v.Name)
		if help := strings.Join(strings.Fields(out), " "); !strings.Contains(help, v.Code) {
			t.Errorf("help of %s does not print %q", v.Name, v.Code)
		}
	}
	_, table, _ := strings.Cut(string(page), "## Verbs")
	table, _, _ = strings.Cut(table, "\n## ")
	if have := strings.Count(table, "\n| `"); have != rows {
		t.Errorf("the table has %d rows, and there are %d verbs", have, rows)
	}
}
