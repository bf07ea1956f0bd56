package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// usual is the assumed cost of a manifest that .ci/manifests.txt does not list: its program is built
// and explores little.
const usual = 6.0

// runManifests compares a sample of the manifests below configs with their expect blocks. With
// -costs it prints what each manifest took in a run of `multigrain test -json`.
func runManifests(args []string) error {
	flags := flag.NewFlagSet("manifests", flag.ExitOnError)
	with := flags.String("with", "multigrain", "the `program`")
	seed := flags.String("sample", today(), "`seed` of the sample")
	budget := flags.Float64("budget", 200, "processor `seconds` of the sample")
	from := flags.String("costs", "", "print the costs in the `document` of multigrain test -json")
	flags.Parse(args)
	if *from != "" {
		return printCosts(*from)
	}
	known, err := manifestCosts()
	if err != nil {
		return err
	}
	var all []string
	err = filepath.WalkDir("configs", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case filepath.Ext(path) == ".hcl":
			all = append(all, filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		return err
	}
	cost := func(path string) float64 {
		if c, ok := known[path]; ok {
			delete(known, path)
			return c
		}
		return usual
	}
	costs := map[string]float64{}
	for _, path := range all {
		costs[path] = cost(path)
		if costs[path] > *budget {
			return fmt.Errorf("%s costs %.0f s, more than a sample of %.0f s", path, costs[path], *budget)
		}
	}
	for path := range known {
		return fmt.Errorf(".ci/manifests.txt lists %s, which does not exist", path)
	}
	all = slices.DeleteFunc(all, func(path string) bool { return costs[path] == 0 })
	sample, sum := choose(all, func(p string) float64 { return costs[p] }, *seed, *budget)
	fmt.Printf("sample %s: %d of %d manifests, about %.0f processor seconds; the same again: MULTIGRAIN_SAMPLE=%s\n",
		*seed, len(sample), len(all), sum, *seed)
	slices.Sort(sample)
	for k, path := range sample {
		sample[k] = regexp.QuoteMeta(path)
	}
	cmd := exec.Command(*with, "test", "configs", "-quiet", "-filter", "^("+strings.Join(sample, "|")+")$")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	if cmd.ProcessState != nil {
		fmt.Printf("  %.0f processor seconds\n", seconds(cmd.ProcessState))
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return errFailed
	}
	return err
}

// manifestCosts reads lines of: processor seconds, manifest. Zero marks a file that is part of
// others and no manifest by itself.
func manifestCosts() (map[string]float64, error) {
	f, err := os.Open(".ci/manifests.txt")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]float64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		c, err := strconv.ParseFloat(fields[0], 64)
		if err != nil || len(fields) != 2 {
			return nil, fmt.Errorf(".ci/manifests.txt: %q is no cost and manifest", lines.Text())
		}
		out[fields[1]] = c
	}
	return out, nil
}

// printCosts prints the manifests of a document with the seconds of each, for .ci/manifests.txt.
func printCosts(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var doc struct {
		Tests []struct {
			Manifest string
			Seconds  float64
		}
		Skipped []string
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return err
	}
	for _, t := range doc.Tests {
		fmt.Printf("%6.0f %s\n", t.Seconds, filepath.ToSlash(t.Manifest))
	}
	for _, s := range doc.Skipped {
		fmt.Printf("%6.0f %s\n", 0.0, filepath.ToSlash(s))
	}
	return nil
}
