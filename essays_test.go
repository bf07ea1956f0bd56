package multigrain_test

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// algorithms are the files that implement an algorithm. Each begins with an essay of at most a
// screen, a comment with the paragraphs of essayParts.
var algorithms = []string{
	"checker/conform/run.go",
	"checker/internal/cover/cover.go",
	"checker/explore/internal/counterexample/backward.go",
	"checker/explore/internal/counterexample/regenerate.go",
	"checker/explore/internal/counterexample/switches.go",
	"checker/explore/pruning.go",
	"checker/explore/internal/store/table.go",
	"checker/explore/worker.go",
	"checker/internal/fingerprint/hash.go",
	"checker/internal/graph/components.go",
	"checker/internal/guide/guide.go",
	"checker/internal/walks/rounds.go",
	"checker/internal/walks/shorten.go",
	"checker/internal/liveness/lasso.go",
	"checker/internal/inclusion/inclusion.go",
	"checker/internal/preserve/lacking.go",
	"checker/internal/preserve/lts.go",
	"checker/internal/preserve/walk.go",
	"checker/internal/priorities/priorities.go",
	"checker/internal/reduce/equivariance.go",
	"checker/internal/reduce/independence.go",
	"checker/internal/reduce/slice.go",
	"checker/internal/reduce/stubborn.go",
	"checker/internal/reduce/symmetry.go",
	"checker/internal/refine/declared.go",
	"checker/internal/refine/derive.go",
	"checker/internal/refine/interval.go",
	"checker/internal/refine/internal/record/antichain.go",
	"checker/internal/refine/restart.go",
	"checker/internal/refine/search.go",
	"checker/internal/selftest/naive.go",
	"checker/internal/selftest/order.go",
	"checker/internal/rounds/machine.go",
	"checker/internal/rounds/plan.go",
	"checker/internal/rounds/schedule.go",
	"checker/internal/simulate/learn.go",
	"checker/internal/simulate/shrink.go",
	"checker/internal/simulate/walker.go",
	"checker/internal/sleepset/sleepset.go",
	"checker/internal/trace/search.go",
	".ci/pages/experiment/statistics.go",
	"cmd/multigrain/internal/gaps/blame.go",
	"cmd/multigrain/internal/growth/growth.go",
	"cmd/multigrain/internal/narrate/diagram.go",
	"compose/internal/assemble/unreached.go",
	"compose/change.go",
	"compose/resolve.go",
	"configs/internal/extent/extent.go",
	"interaction/change/graph.go",
	"interaction/depend.go",
	"interaction/internal/flow/flow.go",
	"interaction/internal/footprint/analyzer.go",
	"interaction/internal/initial/exec.go",
	"interaction/internal/merging/compare.go",
	"interaction/internal/order/order.go",
	"interaction/preserve.go",
	"interaction/speclint/flow.go",
	"modules/arena.go",
	"checker/internal/layout/permute.go",
	".ci/pages/sample/sampling/consistency.go",
	".ci/pages/sample/sampling/schedule.go",
}

// essayParts begin the paragraphs of an essay.
var essayParts = []string{"What it computes. ", "Why it is right. ", "What it costs. ", "Example."}

// screen is the number of lines of an essay that a reader sees at once.
const screen = 50

// TestEssays checks that each algorithm's file begins with an essay.
func TestEssays(t *testing.T) {
	for _, file := range algorithms {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		essay := ""
		for _, c := range f.Comments {
			if c.Pos() > f.Package && strings.HasPrefix(c.Text(), essayParts[0]) {
				essay = c.Text()
				break
			}
		}
		for _, part := range essayParts {
			if !strings.Contains("\n"+essay, "\n"+part) {
				t.Errorf("%s: no comment after the imports has a paragraph that begins with %q", file, part)
			}
		}
		if n := strings.Count(essay, "\n"); n > screen {
			t.Errorf("%s: the essay has %d lines, at most %d fit on a screen", file, n, screen)
		}
	}
}
