package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// runTests runs the long tests, all or a sample. It goes on after a failure, so that one run
// reports all of them.
func runTests(args []string) error {
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	seed := flags.String("sample", today(), "`seed` of the sample")
	budget := flags.Float64("budget", 300, "processor `seconds` of the sample")
	all := flags.Bool("all", false, "run all long tests")
	only := flags.String("only", "", "no packages but `this` one")
	flags.Parse(args)
	tests, err := longTests()
	if err != nil {
		return err
	}
	if *only != "" {
		tests = slices.DeleteFunc(tests, func(t longTest) bool { return t.pkg != *only })
	}
	patterns := map[string][]string{}
	if *all {
		for _, t := range tests {
			patterns[t.pkg] = append(patterns[t.pkg], part{longTest{path: t.path, parts: 1}, 0}.pattern())
		}
	} else {
		every, err := parts(tests, *budget)
		if err != nil {
			return err
		}
		sample, sum := choose(every, part.cost, *seed, *budget)
		fmt.Printf("sample %s: %d of %d parts of long tests, about %.0f processor seconds; the same again: MULTIGRAIN_SAMPLE=%s\n",
			*seed, len(sample), len(every), sum, *seed)
		if len(sample) == 0 {
			return fmt.Errorf("no part of a long test fits into %.0f processor seconds", *budget)
		}
		for _, p := range sample {
			patterns[p.test.pkg] = append(patterns[p.test.pkg], p.pattern())
		}
	}
	failed := false
	for _, pkg := range slices.Sorted(maps.Keys(patterns)) {
		slices.Sort(patterns[pkg])
		failed = !long(pkg, strings.Join(patterns[pkg], "|")) || failed
	}
	if failed {
		return errFailed
	}
	return nil
}

// long runs some long tests of a package and reports whether they passed.
func long(pkg, pattern string) bool {
	args := []string{"test", "-count=1", "-timeout=90m", "-run=" + pattern, pkg}
	fmt.Printf("%s=1 go test -count=1 -timeout=90m -run='%s' %s\n", variable, pattern, pkg)
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), variable+"=1")
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	ran := !strings.Contains(string(out), "[no tests to run]")
	if err != nil || !ran {
		fmt.Printf("%s\n", out)
	}
	if !ran {
		fmt.Println("no test matches")
	}
	fmt.Printf("  %v, %.0f processor seconds\n", time.Since(begun).Round(time.Second), seconds(cmd.ProcessState))
	return err == nil && ran
}

// seconds returns the processor time of an ended process and of the children that it waited for.
func seconds(s *os.ProcessState) float64 {
	return (s.UserTime() + s.SystemTime()).Seconds()
}
