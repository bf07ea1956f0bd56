// Command random compares the command multigrain with an oracle on random specifications.
//
//	go run ./.ci/random                          specifications of today, for 60 processor seconds
//	go run ./.ci/random -seed 2026-11-28         those of a day again
//	go run ./.ci/random -seed 2026-11-28 -only 7 one of them, with each command; its files are kept
//	go run ./.ci/random -number 1000             so many; a run that was ended continues
//
// # What a specification is
//
// A random specification has two or three nodes, three to seven variables of all value types of
// package modules, and four to a dozen actions in two or three modules. Some have a network, rules,
// budgets, several initial states, or an environment. Each has state invariants, step properties and
// liveness properties, and most have assertions, state constraints and coarse grains. Most have up
// to 4000 states. Every fifth one has up to 12,000, with a level that is explored with sleep sets.
//
// A specification is a syntax tree, see package oracle. The tree is printed as Go, which the command
// checks, and interpreted by the oracle, which shares no code with the command.
//
// # What is compared
//
//   - check, with one and two workers, fingerprints of 96 bits, little memory, the build tag
//     portable, to the first violation and beyond: exit code, distinct and generated states, depth,
//     levels, violated properties, how often each is violated, and the lengths of counterexamples.
//   - check -checkpoint, ended by limits of states and by SIGKILL, and continued: the same.
//   - check -slice, -por, -symmetry, and together: what each promises. That is the verdict, the
//     violated properties, and no more states. With -symmetry the states are those up to
//     permutations of the nodes.
//   - check with state constraints, and with liveness properties.
//   - simulate: it finds only what the oracle finds.
//   - Every counterexample is replayed: each step must be one of the oracle's, and its end, or its
//     loop, must violate the property.
//   - interaction -level L2 of every coarse grain: see trial_coarse.go.
//
// # What happens to a disagreement
//
// The run fails, prints the commands and what differs, and writes the specification into
// testdata/kept. The test TestKept runs it again. Whoever finds which side is wrong mends it, and
// leaves the file as a test. A disagreement can be a mistake of the oracle, too: it is the reading
// of the documents by one person.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// options are those of the command line.
type options struct {
	seed, work, keep, state string
	budget, number, only    int
}

func main() {
	var o options
	flag.StringVar(&o.seed, "seed", today(), "`seed` of all random choices (default: MULTIGRAIN_SAMPLE or the date)")
	flag.IntVar(&o.budget, "budget", 60, "end after so many processor `seconds`")
	flag.IntVar(&o.number, "number", 0, "try `N` specifications, however long that takes; continue after those that are done")
	flag.IntVar(&o.only, "only", -1, "try one specification, by its `number`")
	flag.StringVar(&o.work, "work", "", "`folder` for specifications and traces (default: a temporary one)")
	flag.StringVar(&o.keep, "keep", ".ci/random/testdata/kept", "`folder` for specifications that fail")
	flag.StringVar(&o.state, "state", "", "`file` that says how far -number is (default: multigrain-random in the user's cache folder)")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "random:", err)
		os.Exit(1)
	}
}

func today() string {
	if seed := os.Getenv("MULTIGRAIN_SAMPLE"); seed != "" {
		return seed
	}
	return time.Now().UTC().Format(time.DateOnly)
}

// run tries specifications.
func (o *options) run() error {
	repo, err := os.Getwd()
	if err != nil {
		return err
	}
	if o.work == "" {
		if o.work, err = os.MkdirTemp("", "multigrain-random"); err != nil {
			return err
		}
		if o.only < 0 {
			defer os.RemoveAll(o.work)
		}
	}
	if err := os.MkdirAll(o.work, 0o755); err != nil {
		return err
	}
	b, err := newBench(repo, o.work)
	if err != nil {
		return err
	}
	if o.only >= 0 {
		b.trace = func(text string) { fmt.Println(text) }
		t, err := o.try(b, o.only)
		if err != nil {
			return err
		}
		fmt.Printf("files in %s\n", t.dir)
		return o.failed(t)
	}
	return o.several(b)
}

// several tries specifications until the budget, or the number, is reached.
func (o *options) several(b *bench) error {
	notes := map[string]int{}
	first := 0
	if o.number > 0 {
		var err error
		if first, err = o.done(); err != nil {
			return err
		}
	}
	runs, number := 0, first
	for o.number > 0 && number < o.number || o.number == 0 && b.spent() < time.Duration(o.budget)*time.Second {
		t, err := o.try(b, number)
		if err != nil {
			return err
		}
		if err := o.failed(t); err != nil {
			return err
		}
		for k, n := range t.notes {
			notes[k] += n
		}
		runs += t.runs
		number++
		if o.number > 0 {
			if err := o.note(number); err != nil {
				return err
			}
		}
	}
	fmt.Printf("seed %s: %d specifications agree with the oracle in %d runs, %.0f processor seconds; the same again: go run ./.ci/random -seed %s\n",
		o.seed, number-first, runs, b.spent().Seconds(), o.seed)
	for _, k := range slices.Sorted(maps.Keys(notes)) {
		fmt.Printf("  %5d %s\n", notes[k], k)
	}
	return nil
}

// try makes specification number of the seed and compares it. Its folder is removed if it agrees.
func (o *options) try(b *bench, number int) (*trial, error) {
	of := small
	if number%5 == 4 {
		of = large
	}
	s := generate(dice(o.seed, number, 0), fmt.Sprintf("random%d", number), of)
	t := newTrial(b, s, dice(o.seed, number, 1))
	t.number, t.portable = number, number%8 == 7
	if err := t.all(); err != nil {
		return nil, err
	}
	if len(t.wrong) == 0 && o.only < 0 {
		return t, os.RemoveAll(t.dir)
	}
	return t, nil
}

// dice makes the random choices of a specification (use 0) and of its runs (use 1).
func dice(seed string, number int, use uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return rand.New(rand.NewPCG(h.Sum64(), uint64(number)<<1|use))
}

func newTrial(b *bench, s *oracle.Spec, r *rand.Rand) *trial {
	return &trial{b: b, s: s, m: oracle.New(s), r: r, dir: filepath.Join(b.work, s.Name), notes: map[string]int{}, graphs: map[string]*oracle.Graph{}}
}
