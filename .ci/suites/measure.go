package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// measure prints the processor seconds that go test takes for each package, or for each test of the
// packages, with a warm build cache and no cached results. The best of some runs counts: what else
// the machine does makes runs dearer and never cheaper.
func measure(args []string) error {
	flags := flag.NewFlagSet("measure", flag.ExitOnError)
	runs := flags.Int("runs", 3, "how often; the best counts")
	tests := flags.Bool("tests", false, "each test by itself")
	slow := flags.Bool("long", false, "with MULTIGRAIN_SLOW=1, only the long tests")
	flags.Parse(args)
	packages := flags.Args()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	list := []string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}"}
	out, err := exec.Command("go", append(list, packages...)...).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	folders := strings.Fields(string(out))
	if *slow {
		return measureLong(folders)
	}
	if *tests {
		return measureTests(folders, *runs)
	}
	// What is not measured: compiling the packages and their tests.
	if err := exec.Command("go", append([]string{"test", "-run=^$"}, packages...)...).Run(); err != nil {
		return fmt.Errorf("the tests do not build: %w", err)
	}
	total, worst, failed := 0.0, 0.0, false
	for _, folder := range folders {
		best, most := math.Inf(1), 0.0
		for range *runs {
			cmd := exec.Command("go", "test", "-count=1", "-timeout=30m", folder)
			if err := cmd.Run(); err != nil {
				fmt.Printf("%s fails: %v\n", here(folder), err)
				failed = true
			}
			c := seconds(cmd.ProcessState)
			best, most = min(best, c), max(most, c)
		}
		fmt.Printf("%7.1f s  %s\n", best, here(folder))
		total, worst = total+best, worst+most
	}
	fmt.Printf("%7.1f s in all, best of %d; %.1f s in the worst\n", total, *runs, worst)
	if failed {
		return errFailed
	}
	return nil
}

// timed runs a command and returns its processor seconds. Where it fails it shows what it printed.
func timed(cmd *exec.Cmd, to io.Writer) (float64, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		to.Write(out)
		return 0, err
	}
	return seconds(cmd.ProcessState), nil
}

// measureTests runs each test of the packages by itself, so tests that share something pay for it
// one by one, and prints the dearest first.
func measureTests(folders []string, runs int) error {
	dir, err := os.MkdirTemp("", "suites-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	type row struct {
		cost float64
		name string
	}
	for k, folder := range folders {
		binary := filepath.Join(dir, fmt.Sprint(k))
		if _, err := timed(exec.Command("go", "test", "-c", "-o", binary, folder), os.Stderr); err != nil {
			return err
		}
		names := exec.Command(binary, "-test.list=^Test")
		names.Dir = folder
		out, err := names.Output()
		if err != nil {
			return err
		}
		var rows []row
		for _, name := range testsOf(folder, strings.Fields(string(out))) {
			best := math.Inf(1)
			for range runs {
				cmd := exec.Command(binary, "-test.paniconexit0", "-test.run="+part{longTest{path: name, parts: 1}, 0}.pattern())
				cmd.Dir = folder
				c, err := timed(cmd, os.Stderr)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				best = min(best, c)
			}
			rows = append(rows, row{best, name})
		}
		slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.cost, a.cost) })
		fmt.Println(here(folder))
		for _, r := range rows {
			if r.cost >= 0.1 {
				fmt.Printf("%7.1f s  %s\n", r.cost, r.name)
			}
		}
	}
	return nil
}

// testsOf are the tests of a folder, with each script in the place of TestScripts.
func testsOf(folder string, names []string) []string {
	k := slices.Index(names, "TestScripts")
	files, _ := filepath.Glob(filepath.Join(folder, "testdata/script/*.txtar"))
	if k < 0 {
		return names
	}
	names = slices.Delete(names, k, k+1)
	for _, f := range files {
		names = append(names, "TestScripts/"+strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	return names
}

// measureLong runs each long test once and prints lines for .ci/costs.txt.
func measureLong(folders []string) error {
	tests, err := longTests()
	if err != nil {
		return err
	}
	for _, t := range tests {
		dir, err := filepath.Abs(t.pkg)
		if err != nil {
			return err
		}
		if !slices.Contains(folders, dir) || t.parts == 0 {
			continue
		}
		cmd := exec.Command("go", "test", "-count=1", "-timeout=90m", "-run="+part{longTest{path: t.path, parts: 1}, 0}.pattern(), t.pkg)
		cmd.Env = append(os.Environ(), variable+"=1")
		c, err := timed(cmd, os.Stderr)
		if err != nil {
			fmt.Printf("# %s %s failed: %v\n", t.pkg, t.path, err)
			continue
		}
		fmt.Printf("%6.0f %s %s %d\n", c, t.pkg, t.path, t.parts)
	}
	return nil
}

// here shortens a path to one that is relative to the working folder.
func here(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil {
			return "./" + filepath.ToSlash(rel)
		}
	}
	return path
}
