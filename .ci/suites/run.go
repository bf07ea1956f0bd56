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
	whole := map[string]bool{} // packages in which an undivided test runs
	if *all {
		for _, t := range tests {
			patterns[t.pkg] = append(patterns[t.pkg], part{longTest{path: t.path, parts: 1}, 0}.pattern())
			whole[t.pkg] = true
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
			whole[p.test.pkg] = whole[p.test.pkg] || p.test.parts == 1
		}
	}
	failed := false
	for _, pkg := range slices.Sorted(maps.Keys(patterns)) {
		slices.Sort(patterns[pkg])
		failed = !long(pkg, strings.Join(patterns[pkg], "|"), whole[pkg]) || failed
	}
	if failed {
		return errFailed
	}
	return nil
}

// long runs long tests of a package and reports whether they passed. Whole says that at least one of
// them is undivided, so a run without any test is a failure. A part of a divided test can be empty:
// that the test itself exists is checked when tests are listed.
func long(pkg, pattern string, whole bool) bool {
	args := []string{"test", "-count=1", "-timeout=90m", "-run=" + pattern, pkg}
	fmt.Printf("%s=1 go test -count=1 -timeout=90m -run='%s' %s\n", variable, pattern, pkg)
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), variable+"=1")
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	passed, message := judge(string(out), err, whole)
	if !passed {
		fmt.Printf("%s\n", out)
	}
	if message != "" {
		fmt.Println(message)
	}
	fmt.Printf("  %v, %.0f processor seconds\n", time.Since(begun).Round(time.Second), seconds(cmd.ProcessState))
	return passed
}

// judge reports whether a run of tests passed, with a message if it ran none.
func judge(out string, err error, whole bool) (passed bool, message string) {
	switch {
	case !strings.Contains(out, "[no tests to run]"):
		return err == nil, ""
	case whole:
		return false, "no test matches"
	default:
		return err == nil, "  no subtest belongs to this part"
	}
}

// seconds returns the processor time of an ended process and of the children that it waited for.
func seconds(s *os.ProcessState) float64 {
	return (s.UserTime() + s.SystemTime()).Seconds()
}
