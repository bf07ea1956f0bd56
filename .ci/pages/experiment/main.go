// Package experiment compares the strategies of random walks. It measures how often, and after how
// many executions, each strategy finds each known mistake:
//
//   - by simulate, in the manifests of configs that expect a violation;
//   - by conform, in go.etcd.io/raft/v3 with each mutant of package raft/etcdraft/mutants.
//
// In the folder of the checkout:
//
//	go run ./.ci/pages experiment -keep DIR
//
// A cell is a mistake, a strategy and a seed. Its run stops when it detects the mistake, or after a
// limit of processor time. The file DIR/cells.ndjson has a line for each cell that was run. A
// command that was ended continues with the cells that are missing.
//
// Runs are jobs of multigrain run (see package jobs), with ten seeds each. The first ten seeds of all
// cells come before the next ones, so a part of the experiment has few seeds of all cells.
//
// The document docs/results/experiment.md and its plots are written at the end, and by -only-kept
// from what the folder has. See doc in statistics.go for the figures.
package experiment

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/jobs"
)

// asked are the flags.
type asked struct {
	keep, out            string
	seeds                int
	specification        time.Duration // limit of a run by simulate, in processor time
	library              time.Duration // limit of a run by conform
	hours                float64       // of processor time for all runs
	only, strategies, in string
	kept                 bool
	engine               jobs.Engine
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results and mutants")
	flag.StringVar(&a.out, "out", "docs/results/experiment.md", "the document that is written; plots go into a folder of its name")
	flag.IntVar(&a.seeds, "seeds", 30, "seeds of each mistake and strategy")
	flag.DurationVar(&a.specification, "specification", 10*time.Second, "processor time of a run on a specification, at most")
	flag.DurationVar(&a.library, "library", 20*time.Second, "processor time of a run on a library, at most")
	flag.Float64Var(&a.hours, "hours", 8, "processor hours of all runs that the folder keeps, at most")
	flag.StringVar(&a.only, "only", "", "run only mistakes whose names have one of these parts, separated by commas")
	flag.StringVar(&a.strategies, "strategies", "", "run only these strategies, separated by commas")
	flag.StringVar(&a.in, "in", "", "run only mistakes in a specification or a library")
	flag.BoolVar(&a.kept, "only-kept", false, "write the document from what the folder has, and run nothing")
	a.engine.Flags(flag.CommandLine)
	flag.Parse()
	return a.run()
}

func (a *asked) run() error {
	switch {
	case flag.NArg() > 0:
		return fmt.Errorf("%q is no flag: all arguments are flags", flag.Arg(0))
	case a.keep == "":
		return fmt.Errorf("name a folder for results with -keep")
	case a.seeds < 1:
		return fmt.Errorf("-seeds %d: at least one is required", a.seeds)
	case a.specification <= 0 || a.library <= 0:
		return fmt.Errorf("-specification and -library must be longer than 0")
	}
	if err := os.MkdirAll(a.keep, 0o755); err != nil {
		return err
	}
	subjects, err := subjectsOf(".")
	if err != nil {
		return err
	}
	s, err := openStore(filepath.Join(a.keep, "cells.ndjson"))
	if err != nil {
		return err
	}
	defer s.close()
	var ended error
	if !a.kept {
		ended = a.measure(s, subjects)
	}
	return errors.Join(ended, a.write(s, subjects))
}

// limit returns the processor time that a run may take.
func (a *asked) limit(s subject) time.Duration {
	if s.Kind == inLibrary {
		return a.library
	}
	return a.specification
}

// selects reports whether the flags select a cell.
func (a *asked) selects(s subject, strategy string) bool { // "": any
	name, _, _ := strings.Cut(strategy, ":")
	part := func(list, of string) bool {
		if list == "" {
			return true
		}
		for x := range strings.SplitSeq(list, ",") {
			if strings.Contains(of, x) {
				return true
			}
		}
		return false
	}
	return part(a.only, s.Name) && (a.in == "" || a.in == s.Kind) && (strategy == "" || a.strategies == "" || strings.Contains(","+a.strategies+",", ","+name+","))
}
