// Command suites finds the long tests of this repository, runs all of them or a sample, and
// measures what tests cost. docs/how-to/tests.md describes how the pieces fit together.
//
//	go run ./.ci/suites list                       every long test with its cost
//	go run ./.ci/suites run [-sample S] [-budget N] a sample of the long tests
//	go run ./.ci/suites run -all                   all long tests
//	go run ./.ci/suites manifests -with PROGRAM    a sample of the manifests
//	go run ./.ci/suites fuzz                       all fuzz targets, ten minutes each
//	go run ./.ci/suites measure [-tests] [PACKAGE] processor seconds of go test
//
// Costs are processor seconds, user and system, of the whole process tree.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

const usage = "usage: go run ./.ci/suites list|run|manifests|fuzz|measure [flags]"

func main() {
	verbs := map[string]func(args []string) error{
		"list": list, "run": runTests, "manifests": runManifests, "measure": measure, "fuzz": fuzz,
	}
	if len(os.Args) < 2 || verbs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err := verbs[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "suites:", err)
		os.Exit(1)
	}
}

// list prints every long test, its cost and its number of parts.
func list([]string) error {
	tests, err := longTests()
	if err != nil {
		return err
	}
	total := 0.0
	for _, t := range tests {
		fmt.Printf("%7.1f s in %2d parts  %s %s\n", t.cost, t.parts, t.pkg, t.path)
		total += t.cost
	}
	fmt.Printf("%7.1f s in all\n", total)
	return nil
}

// today is the seed unless the environment or a flag gives another one: a sample changes daily, and
// all runs of one day agree.
func today() string {
	if s := os.Getenv("MULTIGRAIN_SAMPLE"); s != "" {
		return s
	}
	return time.Now().UTC().Format("2006-01-02")
}

var errFailed = errors.New("what was printed above failed")
