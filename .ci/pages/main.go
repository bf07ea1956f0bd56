// Command pages makes the pages of results, each with a verb. In the folder of the checkout:
//
//	go run ./.ci/pages VERB [flags]
//
// A verb runs multigrain or tests, keeps their results in a folder, and writes a page of
// docs/results. -h after a verb lists its flags, and its package says what it measures.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/multigrain/multigrain/.ci/pages/bench"
	"github.com/multigrain/multigrain/.ci/pages/billion"
	"github.com/multigrain/multigrain/.ci/pages/bounds"
	"github.com/multigrain/multigrain/.ci/pages/changes"
	"github.com/multigrain/multigrain/.ci/pages/confirmed"
	"github.com/multigrain/multigrain/.ci/pages/edit"
	"github.com/multigrain/multigrain/.ci/pages/experiment"
	"github.com/multigrain/multigrain/.ci/pages/larger"
	"github.com/multigrain/multigrain/.ci/pages/mutants"
	"github.com/multigrain/multigrain/.ci/pages/rank"
	"github.com/multigrain/multigrain/.ci/pages/sample"
	"github.com/multigrain/multigrain/.ci/pages/sandtable"
	"github.com/multigrain/multigrain/.ci/pages/versions"
)

// verbs are the verbs, with what each writes.
var verbs = []struct {
	name, writes string
	run          func() error
}{
	{"bench", "the tables of docs/results/speed.md, on the standard output", bench.Run},
	{"billion", "docs/results/billion.md", billion.Run},
	{"bounds", "docs/results/larger-bounds.md", bounds.Run},
	{"changes", "docs/results/changes.md", changes.Run},
	{"confirmed", "docs/results/confirmed.md", confirmed.Run},
	{"edit", "the figures of docs/results/edit.md, on the standard output", edit.Run},
	{"experiment", "docs/results/experiment.md", experiment.Run},
	{"larger", "docs/results/larger.md", larger.Run},
	{"mutants", "docs/results/level-l3.md", mutants.Run},
	{"rank", "docs/results/rank.md", rank.Run},
	{"sample", "the figures of docs/results/sampling.md", sample.Run},
	{"sandtable", "tables of docs/results/sandtable.md, on the standard output", sandtable.Run},
	{"versions", "docs/results/versions.md", versions.Run},
}

func main() {
	if len(os.Args) > 1 {
		for _, v := range verbs {
			if v.name == os.Args[1] {
				os.Args = append([]string{"pages " + v.name}, os.Args[2:]...)
				flag.CommandLine.Init(os.Args[0], flag.ExitOnError)
				if err := v.run(); err != nil {
					fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
					os.Exit(1)
				}
				return
			}
		}
	}
	fmt.Fprintln(os.Stderr, "Usage: go run ./.ci/pages VERB [flags]")
	for _, v := range verbs {
		fmt.Fprintf(os.Stderr, "  %-10s  %s\n", v.name, v.writes)
	}
	os.Exit(2)
}
