// Package changes writes the tables of docs/results/changes.md: the verdicts of multigrain change
// on changes of libraries. It runs that command for each row, in the folder of the checkout:
//
//	go run ./.ci/pages changes -keep DIR planted
//	go run ./.ci/pages changes -keep DIR harmless
//	go run ./.ci/pages changes -keep DIR -repo CLONE real
//
// Each writes its part of the page and leaves the rest. Results are kept in the folder DIR, and a
// command that was ended continues there. A result is made again when the command's program has
// changed. A row without a result in the folder stays as the page has it.
package changes

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"time"
)

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results")
	flag.StringVar(&a.out, "out", "docs/results/changes.md", "the file that is written")
	flag.StringVar(&a.only, "only", "", "run only rows whose names have this part, and print them instead of the page")
	flag.StringVar(&a.library, "library", "etcd", "the library: etcd, hashicorp or, for planted and real, zookeeper")
	flag.StringVar(&a.repo, "repo", "", "a clone of the library, for real")
	flag.DurationVar(&a.budget, "budget", 0, "the time of the walks of each change; 0 is the command's")
	flag.BoolVar(&a.missing, "missing", false, "run only rows without a result in the folder, also one of another program")
	flag.BoolVar(&a.keptOnly, "only-kept", false, "write the table from what the folder has, and run nothing")
	flag.Parse()
	return a.run(flag.Arg(0))
}

// asked are the values of the flags.
type asked struct {
	keep, out, only, library, repo string
	budget                         time.Duration
	missing, keptOnly              bool
	runner                         *runner
}

func (a *asked) run(what string) error {
	table := map[string]func(library) ([]row, error){"planted": a.planted, "harmless": a.harmless}[what]
	if table == nil && what != "real" {
		return errors.New("name a table: planted, harmless or real")
	}
	lib, ok := libraries[a.library]
	if !ok || what == "harmless" && lib.harmless == nil {
		return fmt.Errorf("no library %q for %s: name etcd or hashicorp", a.library, what)
	}
	var err error
	if a.runner, err = newRunner(a.keep); err != nil {
		return err
	}
	a.runner.budget, a.runner.missing, a.runner.keptOnly = a.budget, a.missing, a.keptOnly
	text := ""
	had, err := a.had(what)
	if err != nil {
		return err
	}
	switch what {
	case "real":
		rows, err := a.real(lib)
		if err != nil {
			return err
		}
		if text = realText(rows, had); lib.flags != nil {
			text = readText(rows, had)
		}
	default:
		rows, err := table(lib)
		if err != nil {
			return err
		}
		if text = harmlessText(rows, had); what == "planted" {
			text = plantedText(lib, rows, had)
		}
	}
	if a.only != "" {
		fmt.Print(text)
		return nil
	}
	return a.write(what, text)
}
