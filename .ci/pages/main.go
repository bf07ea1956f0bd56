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
	"github.com/multigrain/multigrain/.ci/pages/bounds"
	"github.com/multigrain/multigrain/.ci/pages/changes"
	"github.com/multigrain/multigrain/.ci/pages/confirmed"
	"github.com/multigrain/multigrain/.ci/pages/edit"
	"github.com/multigrain/multigrain/.ci/pages/experiment"
	"github.com/multigrain/multigrain/.ci/pages/larger"
	"github.com/multigrain/multigrain/.ci/pages/methods"
	"github.com/multigrain/multigrain/.ci/pages/mutants"
	"github.com/multigrain/multigrain/.ci/pages/rank"
	"github.com/multigrain/multigrain/.ci/pages/sample"
	"github.com/multigrain/multigrain/.ci/pages/versions"
)

// verbs are the verbs, with what each writes.
var verbs = []struct {
	name, writes string
	run          func()
}{
	{"bench", "the tables of docs/results/speed.md, on the standard output", bench.Main},
	{"bounds", "docs/results/larger-bounds.md", bounds.Main},
	{"changes", "docs/results/changes.md", changes.Main},
	{"confirmed", "docs/results/confirmed.md", confirmed.Main},
	{"edit", "the figures of docs/results/edit.md, on the standard output", edit.Main},
	{"experiment", "docs/results/experiment.md", experiment.Main},
	{"larger", "docs/results/larger.md", larger.Main},
	{"methods", "configs/zab/changes/zookeeper.tsv", methods.Main},
	{"mutants", "docs/results/level-l3.md", mutants.Main},
	{"rank", "docs/results/rank.md", rank.Main},
	{"sample", "the figures of docs/results/sampling.md", sample.Main},
	{"versions", "docs/results/versions.md", versions.Main},
}

func main() {
	if len(os.Args) > 1 {
		for _, v := range verbs {
			if v.name == os.Args[1] {
				os.Args = append([]string{"pages " + v.name}, os.Args[2:]...)
				flag.CommandLine.Init(os.Args[0], flag.ExitOnError)
				v.run()
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
