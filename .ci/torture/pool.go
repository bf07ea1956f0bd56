package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// row is a row of the pool, and what an undisturbed run of it finds.
type row struct {
	args []string // manifest, values and options
	want *result
	code int
	took time.Duration
}

func (r *row) String() string { return strings.Join(r.args, " ") }

// readPool reads the rows of the pool, without their results.
func readPool(path string) ([]*row, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows []*row
	for line := range strings.Lines(string(text)) {
		if line, _, _ = strings.Cut(line, "#"); len(strings.Fields(line)) > 0 {
			rows = append(rows, &row{args: strings.Fields(line)})
		}
	}
	return rows, nil
}

// sample chooses n rows by a seed, in the order of the pool; all if n is 0.
func sample(rows []*row, seed string, n int) []*row {
	if n == 0 || n >= len(rows) {
		return rows
	}
	chosen := random(seed, 0).Perm(len(rows))[:n]
	slices.Sort(chosen)
	var out []*row
	for _, k := range chosen {
		out = append(out, rows[k])
	}
	return out
}

// random is the source of all choices of a case.
func random(seed string, number uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return rand.New(rand.NewPCG(h.Sum64(), number))
}

// bench is what all cases share.
type bench struct {
	state   string // folder
	seed    string
	repo    string
	program string // the command, built with the tag torture
	rows    []*row
}

// build makes the command.
func (b *bench) build() error {
	repo, err := os.Getwd()
	if err != nil {
		return err
	}
	b.repo, b.program = repo, filepath.Join(b.state, "multigrain")
	out, err := exec.Command("go", "build", "-tags", "torture", "-o", b.program, "./cmd/multigrain").CombinedOutput()
	if err != nil {
		return fmt.Errorf("the command cannot be built: %w\n%s", err, out)
	}
	return nil
}

// prepare runs every row undisturbed, which also puts its program and the key of checkpoints into
// the cache.
func (b *bench) prepare(rows []*row) error {
	b.rows = rows
	for _, r := range rows {
		for k := range 2 { // the second one is timed: nothing is built
			work, err := os.MkdirTemp(b.state, "calm-*")
			if err != nil {
				return err
			}
			begun := time.Now()
			options := []string{"-json", "-traces", "traces"}
			if k == 0 {
				options = append(options, "-checkpoint", kept)
			}
			p := b.start(work, "", r, options)
			p.wait(longestBuild)
			r.took, r.code = time.Since(begun), p.code
			if r.want = resultOf(p.stdout.Bytes()); r.want == nil || r.want.Verdict == "" || r.want.Verdict == "undecided" {
				return fmt.Errorf("%s ends with %d and no verdict without a fault:\n%s%s", r, p.code, p.stdout.Bytes(), p.stderr.Bytes())
			}
			if k >= 0 {
				os.RemoveAll(work)
			}
		}
		fmt.Printf("%4d ms  %s: %s, %d distinct, exit code %d\n", r.took.Milliseconds(), r, r.want.Verdict, r.want.Distinct, r.code)
	}
	return nil
}

// result is what the JSON document of a run says, as far as cases compare it.
type result struct {
	Verdict     string       `json:"verdict"`
	Reason      string       `json:"reason"`
	Distinct    int64        `json:"distinct"`
	Generated   int64        `json:"generated"`
	Depth       int          `json:"depth"`
	Digest      string       `json:"digest"`
	Levels      []int64      `json:"levels"`
	Violations  []violation  `json:"violations"`
	Diagnostics []diagnostic `json:"diagnostics"`
	Checkpoint  *struct {
		Failure  string `json:"failure"`
		Distinct int64  `json:"distinct"`
	} `json:"checkpoint"`
}

type violation struct {
	Invariant string `json:"invariant"`
	Kind      string `json:"kind"`
	Depth     int    `json:"depth"`
	Trace     string `json:"trace"`
}

type diagnostic struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
}

// resultOf reads a document; nil where there is none.
func resultOf(text []byte) *result {
	var r result
	if json.Unmarshal(text, &r) != nil {
		return nil
	}
	return &r
}
