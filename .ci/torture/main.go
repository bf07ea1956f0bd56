// Command torture checks a pool of manifests while their files, their clock, their limits and their
// lives fail, and compares every result that survives with that of an undisturbed run.
// docs/how-to/torture.md describes it.
//
//	go run ./.ci/torture -faults 10000             until so many faults took place; goes on where it was
//	go run ./.ci/torture -faults 50 -rows 4        a sample of four rows of the pool
//	go run ./.ci/torture -only 117                 case 117 of the seed again
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	var o options
	flag.IntVar(&o.faults, "faults", 10000, "end after `N` faults took place, those of earlier runs of the state folder included")
	flag.StringVar(&o.seed, "seed", "1", "`seed` of all random choices")
	flag.StringVar(&o.state, "state", "", "`folder` with the state that a run goes on from (default: torture in the user's cache folder)")
	flag.IntVar(&o.rows, "rows", 0, "take `N` rows of the pool, chosen by the seed; 0: all")
	flag.IntVar(&o.jobs, "jobs", 2, "run `N` cases at once")
	flag.IntVar(&o.only, "only", -1, "run one case, by its `number`, and print what it does")
	flag.BoolVar(&o.keep, "keep", false, "go on after a case failed; the end still reports it")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	faults, rows, jobs, only int
	seed, state              string
	keep                     bool
}

// run prepares everything and runs cases.
func (o *options) run() error {
	if o.state == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("%w; name a folder with -state", err)
		}
		o.state = filepath.Join(cache, "multigrain-torture")
	}
	state, err := filepath.Abs(o.state)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(state, 0o755); err != nil {
		return err
	}
	release, err := occupy(state)
	if err != nil {
		return err
	}
	defer release()
	b := &bench{state: state, seed: o.seed}
	if err := b.build(); err != nil {
		return err
	}
	rows, err := readPool(".ci/torture/pool.txt")
	if err != nil {
		return err
	}
	if err := b.prepare(sample(rows, o.seed, o.rows)); err != nil {
		return err
	}
	if o.only >= 0 {
		return b.again(o.only)
	}
	return b.cases(o)
}
