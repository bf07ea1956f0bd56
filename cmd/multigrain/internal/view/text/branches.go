package text

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/wire"
)

// How many branches that were not taken are shown without -v, of steps and of invariants.
const (
	fewBranches          = 20
	fewInvariantBranches = 5
)

// branchTable counts the branches of a part of the specification, and lists those that were not
// taken. Conditions that had the other value come first.
func branchTable(of string, x *wire.Branches, few int, verbose bool) string {
	if x == nil {
		return ""
	}
	text := fmt.Sprintf("\n  branches of %s: %d of %d taken\n", of, x.Taken, x.Of)
	missing := slices.Clone(x.Missing)
	slices.SortStableFunc(missing, func(a, b wire.Untaken) int {
		switch {
		case a.Evaluated == b.Evaluated:
			return 0
		case a.Evaluated:
			return -1
		}
		return 1
	})
	rows := Table{Indent: "  "}
	for k, m := range missing {
		if k == few && !verbose {
			break
		}
		never := fmt.Sprintf("never %t", m.Value)
		if !m.Evaluated {
			both := func(x wire.Untaken) bool {
				return !x.Value && x.File == m.File && x.Line == m.Line && x.Column == m.Column
			}
			if m.Value && slices.ContainsFunc(missing, both) {
				continue // one row for both
			}
			never = "never asked"
		}
		rows.Row(fmt.Sprintf("%s:%d", m.File, m.Line), never, m.Condition, "in "+m.Function)
	}
	text += rows.Text()
	if len(missing) > few && !verbose {
		text += fmt.Sprintf("  and %d more; see all with -v\n", len(missing)-few)
	}
	return text
}
