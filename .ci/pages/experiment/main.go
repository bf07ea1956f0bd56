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
// command that was ended continues with the cells that are missing. It takes all cells of one
// seed before those of the next one, so a part of the experiment has few seeds of all cells.
//
// The folder also keeps which programs were built. Remove DIR/built after a change of the framework
// or of a specification.
//
// The document docs/results/experiment.md and its plots are written at the end, and by -only-kept
// from what the folder has. See doc in statistics.go for the figures.
package experiment

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// asked are the flags.
type asked struct {
	keep, out            string
	seeds                int
	specification        time.Duration // limit of a run by simulate, in processor time
	library              time.Duration // limit of a run by conform
	hours                float64       // of processor time for all runs
	until                string        // time of day, such as 17:30
	only, strategies, in string
	build, built, kept   bool
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
	flag.StringVar(&a.until, "until", "", "end at this time of the day in UTC, such as 17:30")
	flag.StringVar(&a.only, "only", "", "run only mistakes whose names have one of these parts, separated by commas")
	flag.StringVar(&a.strategies, "strategies", "", "run only these strategies, separated by commas")
	flag.StringVar(&a.in, "in", "", "run only mistakes in a specification or a library")
	flag.BoolVar(&a.build, "build", false, "build all programs, and run none")
	flag.BoolVar(&a.built, "built", false, "run only mistakes whose programs -build has built")
	flag.BoolVar(&a.kept, "only-kept", false, "write the document from what the folder has, and run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return a.run(ctx)
}

func (a *asked) run(ctx context.Context) error {
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
	if a.build {
		w := workshop{folder: a.keep}
		for _, x := range subjects {
			if a.selects(x, "") {
				if _, err := w.program(ctx, x); err != nil {
					return fmt.Errorf("%s: %w", x.Name, err)
				}
			}
		}
		return nil
	}
	s, err := openStore(filepath.Join(a.keep, "cells.ndjson"))
	if err != nil {
		return err
	}
	defer s.close()
	if !a.kept {
		if err := a.measure(ctx, s, subjects); err != nil {
			return err
		}
	}
	return a.write(s, subjects)
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

// measure runs the cells that are missing, seed by seed.
func (a *asked) measure(ctx context.Context, s *store, subjects []subject) error {
	end, err := a.end()
	if err != nil {
		return err
	}
	os.Setenv("GOMAXPROCS", "1") // of programs, whose workers are one
	w := workshop{folder: a.keep, built: map[string]*built{}}
	for seed := range a.seeds {
		for _, x := range subjects {
			for _, strategy := range x.strategies() {
				c := cell{Kind: x.Kind, Subject: x.Name, Strategy: strategy, Seed: seed}
				if seed >= seeds(strategy, a.seeds) || s.has(c) || !a.selects(x, strategy) || a.built && !w.has(x) {
					continue
				}
				switch {
				case ctx.Err() != nil, !end.IsZero() && time.Now().After(end):
					return nil
				case s.spent > a.hours*3600:
					fmt.Fprintln(os.Stderr, "the processor hours are spent")
					return nil
				}
				c.Limit = a.limit(x).Seconds()
				err := w.run(ctx, x, &c)
				if ctx.Err() != nil { // an interrupted run is no result
					return nil
				}
				if err != nil {
					return fmt.Errorf("%s, %s: %w", x.Name, strategy, err)
				}
				if err := s.add(c); err != nil {
					return err
				}
			}
		}
		fmt.Fprintln(os.Stderr, time.Now().UTC().Format(time.TimeOnly), "seed", seed, "is done;", int(s.spent), "processor seconds")
	}
	return nil
}

// nextTime returns the first time after now that has the hour and minute of t.
func nextTime(now, t time.Time) time.Time {
	end := time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC)
	if !end.After(now) {
		end = end.AddDate(0, 0, 1)
	}
	return end
}

// end returns when to end; zero: never.
func (a *asked) end() (time.Time, error) {
	if a.until == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse("15:04", a.until)
	if err != nil {
		return t, err
	}
	return nextTime(time.Now().UTC(), t), nil
}
