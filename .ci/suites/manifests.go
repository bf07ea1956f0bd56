package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// snapshotFile has a row for each shipped manifest, with the size of its state space.
const snapshotFile = "configs/testdata/snapshot.tsv"

// A manifest costs what its program takes to build, and its steps twice: `multigrain test` and
// TestSnapshot explore it.
const (
	building       = 8.0   // seconds
	stepsPerSecond = 500e3 // of one processor
	comparing      = 3     // times the cost, where levels L1 or L2 are expected
	snapshotTest   = "TestSnapshot"
)

// runManifests compares a sample of the shipped manifests with their expect blocks and with their
// rows of the snapshot.
func runManifests(args []string) error {
	flags := flag.NewFlagSet("manifests", flag.ExitOnError)
	with := flags.String("with", "multigrain", "the `program`")
	seed := flags.String("sample", today(), "`seed` of the sample")
	budget := flags.Float64("budget", 200, "processor `seconds` of the sample")
	flags.Parse(args)
	costs, err := manifestCosts()
	if err != nil {
		return err
	}
	var small []string
	for path, c := range costs {
		if c <= *budget {
			small = append(small, path)
		}
	}
	slices.Sort(small) // a sample depends on the seed alone
	sample, sum := choose(small, func(path string) float64 { return costs[path] }, *seed, *budget)
	fmt.Printf("sample %s: %d of %d manifests, about %.0f processor seconds; the same again: MULTIGRAIN_SAMPLE=%s\n",
		*seed, len(sample), len(small), sum, *seed)
	fmt.Printf("%d manifests cost more than a sample may and run in make long only\n", len(costs)-len(small))
	if len(sample) == 0 {
		return fmt.Errorf("no manifest fits into %.0f processor seconds", *budget)
	}
	slices.Sort(sample)
	var files, rows []string
	for _, path := range sample {
		files = append(files, regexp.QuoteMeta(path))
		rows = append(rows, "^"+snapshotTest+"$/^"+strings.ReplaceAll(regexp.QuoteMeta(path), "/", "$/^")+"$")
	}
	cmd := exec.Command(*with, "test", "configs", "-quiet", "-filter", "^("+strings.Join(files, "|")+")$")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	exit := new(exec.ExitError)
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	fmt.Printf("  %.0f processor seconds\n", seconds(cmd.ProcessState))
	if !long(".", strings.Join(rows, "|"), true) || err != nil {
		return errFailed
	}
	return nil
}

// manifestCosts estimates the processor seconds of each manifest from its row of the snapshot.
func manifestCosts() (map[string]float64, error) {
	f, err := os.Open(snapshotFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]float64{}
	lines := bufio.NewScanner(f)
	lines.Scan() // names of the columns
	for lines.Scan() {
		row := strings.Split(lines.Text(), "\t")
		if len(row) < 5 {
			return nil, fmt.Errorf("%s: %q has too few columns", snapshotFile, lines.Text())
		}
		distinct, err1 := strconv.ParseFloat(row[3], 64)
		generated, err2 := strconv.ParseFloat(row[4], 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%s: %w", snapshotFile, err)
		}
		text, err := os.ReadFile(row[0])
		if err != nil {
			return nil, err
		}
		// Rows of undecided runs do not count the steps.
		c := building + 2*max(generated, 4*distinct)/stepsPerSecond
		if expectsLevel.Match(text) {
			c *= comparing
		}
		// A limit of the row ended the snapshot's search, and `multigrain test` has no such limit.
		if row[2] == "undecided" && !unexplored.Match(text) {
			c = math.Inf(1)
		}
		out[row[0]] = c
	}
	return out, lines.Err()
}

var unexplored = regexp.MustCompile(`"unexplored"`)

var expectsLevel = regexp.MustCompile(`(?m)^\s*level\s*=`)
