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
	"checker/cover/cover.go",
	"checker/explore/counterexample/backward.go",
	"checker/explore/counterexample/regenerate.go",
	"checker/explore/counterexample/switches.go",
	"checker/explore/pruning.go",
	"checker/explore/store/table.go",
	"checker/explore/worker.go",
	"checker/fingerprint/hash.go",
	"checker/graph/components.go",
	"checker/guide/guide.go",
	"checker/internal/rounds/rounds.go",
	"checker/internal/rounds/shorten.go",
	"checker/liveness/lasso.go",
	"checker/inclusion/inclusion.go",
	"checker/preserve/lacking.go",
	"checker/preserve/lts.go",
	"checker/preserve/walk.go",
	"checker/priorities/priorities.go",
	"checker/reduce/equivariance.go",
	"checker/reduce/independence.go",
	"checker/reduce/slice.go",
	"checker/reduce/stubborn.go",
	"checker/reduce/symmetry.go",
	"checker/refine/declared.go",
	"checker/refine/derive.go",
	"checker/refine/interval.go",
	"checker/refine/record/antichain.go",
	"checker/refine/restart.go",
	"checker/refine/search.go",
	"checker/refine/selftest/naive.go",
	"checker/refine/selftest/order.go",
	"checker/rounds/machine.go",
	"checker/rounds/plan.go",
	"checker/rounds/schedule.go",
	"checker/simulate/learn.go",
	"checker/simulate/shrink.go",
	"checker/simulate/walker.go",
	"checker/sleepset/sleepset.go",
	"checker/trace/search.go",
	".ci/pages/experiment/statistics.go",
	"cmd/multigrain/internal/gaps/blame.go",
	"cmd/multigrain/internal/growth/growth.go",
	"cmd/multigrain/internal/narrate/diagram.go",
	"compose/assemble/unreached.go",
	"compose/change.go",
	"compose/resolve.go",
	"configs/extent/extent.go",
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
	"modules/layout/permute.go",
	"zab/zookeeper/sampling/consistency.go",
	"zab/zookeeper/sampling/schedule.go",
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
