// Package rank writes docs/results/rank.md: at which rank multigrain rank has the first
// configuration that finds a known bug. It ranks the configurations of a grid for each bug of a
// list, and then searches all of them, in the folder of the checkout:
//
//	go run ./.ci/pages rank -keep DIR
//
// Results are kept in the folder DIR. A command that was ended continues there with the bugs that
// are missing. Rows of the document whose results the folder does not have stay as they are.
package rank

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/kept"
)

// bug is a manifest that expects a violation, and the grid of its configurations.
type bug struct{ manifest, grid string }

// bugs are those that have a grid. Budgets alone vary, so one program serves a whole grid.
var bugs = []bug{
	{"configs/zab/bugs/zk-4712.hcl", faults},
	{"configs/raft/mistakes/vote-not-persisted.hcl", elections},
	{"configs/zab/bugs/zk-3023.hcl", faults},
	{"configs/raft/mistakes/stale-vote-replies.hcl", elections},
	{"configs/zab/bugs/zk-4685.hcl", faults},
	{"configs/raft/mistakes/next-at-match.hcl", messages},
	{"configs/zab/bugs/zk-4646.hcl", faults},
	{"configs/raft/mistakes/erase-matching.hcl", messages},
	{"configs/zab/bugs/zk-2845.hcl", faults},
	{"configs/raft/mistakes/match-from-stale-reply.hcl", messages},
	{"configs/zab/bugs/zk-3911.hcl", faults},
	{"configs/raft/mistakes/match-from-rejection.hcl", messages},
	{"configs/zab/bugs/zk-4643.hcl", faults},
	{"configs/raft/mistakes/truncate-committed.hcl", messages},
	{"configs/zab/bugs/zk-1154.hcl", faults},
	{"configs/raft/mistakes/leader-votes.hcl", elections},
	{"configs/zab/bugs/zk-2832.hcl", faults},
	{"configs/raft/mistakes/vote-without-log-check.hcl", elections},
	{"configs/zab/bugs/lost-epoch.hcl", power},
	{"configs/zab/bugs/lost-truncation.hcl", power},
	{"configs/zab/bugs/memory-behind-log.hcl", faults},
	{"configs/zab/bugs/rolled-log.hcl", power},
	{"configs/zab/bugs/truncate-keeps-record.hcl", faults},
	{"configs/zab/bugs/truncated-ack.hcl", faults},
	{"configs/zab/bugs/truncated-commit.hcl", faults},
	{"configs/zab/bugs/unforced-log.hcl", power},
	{"configs/zab/bugs/unforced-snapshot.hcl", faults},
	{"configs/zab/bugs/unforced-tail.hcl", power},
	{"configs/zab/bugs/zk-1419-sandtable.hcl", "crashes=0..2,timeouts=0..2"},
	{"configs/zab/bugs/zk-1419.hcl", faults},
	{"configs/zab/bugs/zk-2354.hcl", faults},
	{"configs/zab/bugs/zk-4394.hcl", faults},
	{"configs/zab/bugs/zk-4837.hcl", faults},
	{"configs/zab/bugs/zk-4925.hcl", faults},
	{"configs/zab/bugs/zk-5094.hcl", faults},
	{"configs/raft/mistakes/ack-beyond-message.hcl", elections},
	{"configs/raft/mistakes/answer-learner.hcl", "timeouts=1..3,changes=1..2"},
	{"configs/raft/mistakes/apply-uncommitted.hcl", changes},
	{"configs/raft/mistakes/campaign-unapplied.hcl", changes},
	{"configs/raft/mistakes/commit-older-term.hcl", elections},
	{"configs/raft/mistakes/concurrent-changes.hcl", changes},
	{"configs/raft/mistakes/read-before-commit.hcl", elections},
	{"configs/raft/mistakes/read-without-quorum.hcl", elections},
	{"configs/raft/mistakes/stale-cache.hcl", elections},
	{"configs/raft/mistakes/union-quorum.hcl", changes},
	{"configs/raft/mistakes/vote-before-write.hcl", elections},
}

const (
	faults    = "crashes=0..2,partitions=0..2"
	power     = "crashes=0..2,losses=0..2"
	elections = "timeouts=1..3,restarts=0..2"
	changes   = "timeouts=1..3,changes=0..2"
	messages  = "timeouts=1..2,drops=0..1,duplicates=0..1"
)

// measured holds the results of a bug.
type measured struct {
	Manifest, Grid string
	Configurations []configuration // in the order of their ranks
}

// configuration is a ranked configuration with the result of its search.
type configuration struct {
	Values   []string
	Branches int
	Verdict  string
	Distinct float64 // states up to the violation, or all, or those up to the limit
}

// found reports whether the search found the violation.
func (c *configuration) found() bool { return c.Verdict == "violated" }

// asked are the flags.
type asked struct {
	number, states int
	keep, out      string
	bugs           string // names, separated by commas; "": all
	only           bool
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.IntVar(&a.number, "number", 1000, "walks in each configuration")
	flag.IntVar(&a.states, "max-states", 2_000_000, "distinct states of a search, at most")
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results, by bug")
	flag.StringVar(&a.out, "out", "docs/results/rank.md", "the file that is written")
	flag.StringVar(&a.bugs, "bugs", "", "the `names` of the bugs that are measured, separated by commas (default: all)")
	flag.BoolVar(&a.only, "only-kept", false, "write the table from what the folder has, and run nothing")
	flag.Parse()
	return a.write()
}

func (a *asked) write() error {
	if a.keep == "" {
		return errors.New("name a folder for results with -keep")
	}
	if err := os.MkdirAll(a.keep, 0o755); err != nil {
		return err
	}
	program := filepath.Join(a.keep, "multigrain")
	if !a.only {
		if err := kept.Command(program); err != nil {
			return err
		}
	}
	var all []*measured
	for _, b := range bugs {
		k, err := a.result(program, b)
		if err != nil {
			return err
		}
		if k != nil {
			all = append(all, k)
		}
	}
	old, err := os.ReadFile(a.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(a.out, []byte(a.table(all, rowsOf(string(old)))), 0o644)
}

// result returns what is known of a bug, and finds it out if it is not known. It is nil where
// nothing is run.
func (a *asked) result(program string, b bug) (*measured, error) {
	name := strings.TrimSuffix(filepath.Base(b.manifest), ".hcl")
	file := filepath.Join(a.keep, name+".json")
	text, err := os.ReadFile(file)
	if err == nil {
		k := new(measured)
		if err = json.Unmarshal(text, k); err == nil && k.Manifest == b.manifest && k.Grid == b.grid {
			return k, nil
		}
		return nil, fmt.Errorf("%s is of another grid or damaged (%v); remove it", file, err)
	}
	if !errors.Is(err, fs.ErrNotExist) || a.only || a.bugs != "" && !slices.Contains(strings.Split(a.bugs, ","), name) {
		return nil, nil
	}
	fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), name)
	k, err := a.measure(program, b, filepath.Join(a.keep, name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.manifest, err)
	}
	if text, err = json.MarshalIndent(k, "", "  "); err == nil {
		err = os.WriteFile(file, text, 0o644)
	}
	return k, err
}

// measure ranks the configurations of a bug and searches each of them.
func (a *asked) measure(program string, b bug, folder string) (*measured, error) {
	var ranked struct {
		Ranking *struct {
			Verdict        string
			Configurations []struct {
				Values   []string
				Manifest string
				Branches struct{ Taken int }
			}
		}
	}
	if err := run(&ranked, program, "rank", b.manifest, "-grid", b.grid, "-number", fmt.Sprint(a.number), "-to", folder, "-json"); err != nil {
		return nil, err
	}
	if ranked.Ranking == nil || ranked.Ranking.Verdict != "ranked" {
		return nil, errors.New("its configurations cannot be ranked")
	}
	k := &measured{Manifest: b.manifest, Grid: b.grid}
	search := []string{"compare", "-max-states", fmt.Sprint(a.states), "-json"}
	for _, c := range ranked.Ranking.Configurations {
		k.Configurations = append(k.Configurations, configuration{Values: c.Values, Branches: c.Branches.Taken})
		search = append(search, c.Manifest)
	}
	var compared struct {
		Compared []struct {
			Manifest string
			Result   struct {
				Verdict  string
				Distinct float64
			}
		}
	}
	if err := run(&compared, program, search...); err != nil {
		return nil, err
	}
	if len(compared.Compared) != len(k.Configurations) {
		return nil, errors.New("not all configurations were searched")
	}
	for n, c := range compared.Compared {
		if c.Result.Verdict == "" {
			return nil, fmt.Errorf("%s has no verdict", c.Manifest)
		}
		k.Configurations[n].Verdict, k.Configurations[n].Distinct = c.Result.Verdict, c.Result.Distinct
	}
	return k, nil
}

// run runs the command and reads the document that it prints, whatever its exit code.
func run(into any, program string, args ...string) error {
	text, err := exec.Command(program, args...).Output()
	if wrong := json.Unmarshal(text, into); wrong != nil {
		return fmt.Errorf("%s %s: %w", program, args[0], errors.Join(err, wrong))
	}
	return nil
}

// orders has the figures of a bug for an order of its configurations.
type orders struct {
	finding      int     // configurations that find the bug
	first        int     // the rank of the first one; 0: none does
	random       float64 // the mean of that rank over all orders
	states       float64 // distinct states of the searches up to the first that finds the bug
	randomStates float64 // the mean over all orders
}

// figures computes the means over all orders exactly. With f configurations of n that find the
// bug, the first of them has mean rank (n+1)/(f+1). Each of the others comes before all of them
// with probability 1/(f+1).
func (k *measured) figures() (x orders) {
	var finding, others float64
	for n := range k.Configurations {
		c := &k.Configurations[n]
		if x.first == 0 {
			x.states += c.Distinct
		}
		if !c.found() {
			others += c.Distinct
			continue
		}
		if x.finding++; x.finding == 1 {
			x.first = n + 1
		}
		finding += c.Distinct
	}
	if f := float64(x.finding); f > 0 {
		x.random = (float64(len(k.Configurations)) + 1) / (f + 1)
		x.randomStates = others/(f+1) + finding/f
	}
	return x
}

const introduction = `# Ranks of the configurations that find known bugs

Generated by ` + "`go run ./.ci/pages rank -keep DIR`" + `; do not edit. For each bug the configurations of a
grid are ranked with

    multigrain rank MANIFEST -grid GRID -number %d -to DIR

and then all of them are searched with

    multigrain compare DIR/*.hcl -max-states %d

*Finding* counts the configurations whose search finds a violation.
*Rank* is that of the first one. *Random* is the mean rank of the first one over all orders of the
configurations, computed exactly. *States* are the distinct states of all searches up to the one
that finds the bug, in the order of the ranks. The mean over all orders stands next to them.

`

// row is a line of the table with what the summary counts.
type row struct {
	text string
	// first and random are the rank of the first configuration that finds the bug, and its mean.
	// First is 0 where none does.
	first, random, states, randomStates float64
}

// rowsOf returns the rows of a document by the names of the bugs.
func rowsOf(document string) map[string]row {
	out := map[string]row{}
	for line := range strings.Lines(document) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 10 || !strings.HasPrefix(line, "| [") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(fields[1]), "["), "]")
		r := row{text: line}
		for k, x := range []*float64{&r.first, &r.random, &r.states, &r.randomStates} {
			*x, _ = strconv.ParseFloat(strings.TrimSpace(fields[k+5]), 64) // "-": 0
		}
		out[name] = r
	}
	return out
}

// rowOf returns the row of a bug.
func rowOf(k *measured) row {
	x := k.figures()
	name := strings.TrimSuffix(filepath.Base(k.Manifest), ".hcl")
	text := fmt.Sprintf("| [%s](../../%s) | %s | %d | %d | ", name, k.Manifest, k.Grid, len(k.Configurations), x.finding)
	if x.finding == 0 {
		return row{text: text + "- | - | - | - |\n"}
	}
	return row{text + fmt.Sprintf("%d | %.2f | %.0f | %.0f |\n", x.first, x.random, x.states, x.randomStates), float64(x.first), x.random, x.states, x.randomStates}
}

// table returns the document, with rows of an earlier one.
func (a *asked) table(all []*measured, rows map[string]row) string {
	for _, k := range all {
		rows[strings.TrimSuffix(filepath.Base(k.Manifest), ".hcl")] = rowOf(k)
	}
	var b strings.Builder
	fmt.Fprintf(&b, introduction, a.number, a.states)
	fmt.Fprintf(&b, "Measured up to %s, %s/%s with 2 processors that others used, too. The figures do not\ndepend on the machine.\n\n", time.Now().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH)
	b.WriteString("| bug | grid | configurations | finding | rank | random | states | random |\n|---|---|---|---|---|---|---|---|\n")
	better, worse, none, fewer, measured := 0, 0, 0, 0, 0
	for _, x := range bugs {
		r, ok := rows[strings.TrimSuffix(filepath.Base(x.manifest), ".hcl")]
		if !ok {
			continue
		}
		measured++
		b.WriteString(r.text)
		switch {
		case r.first == 0:
			none++
		case r.first < r.random:
			better++
		case r.first > r.random:
			worse++
		}
		if r.first > 0 && r.states < r.randomStates {
			fewer++
		}
	}
	fmt.Fprintf(&b, "\nOf %d bugs the ranking is better than random order for %d, worse for %d and equal for %d. In %d grids\nno configuration finds the bug. In the order of the ranks, fewer states than the mean are searched\nfor %d. Large bounds cover more branches, so they come first, and their searches are long.\n", measured, better, worse, measured-better-worse-none, none, fewer)
	if left := len(bugs) - measured; left > 0 {
		fmt.Fprintf(&b, "%d more bugs have a grid and were not measured.\n", left)
	}
	return b.String()
}
