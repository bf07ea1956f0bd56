package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/.ci/pages/jobs"
	"github.com/multigrain/multigrain/.ci/pages/kept"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// batch is how many seeds a job has. A call of the command takes longer than many runs.
const batch = 10

// asking is a job: the cells of some seeds in a row.
type asking struct {
	subject     subject
	strategy    string
	first, many int
}

// errSpent ends a command whose processor hours are spent.
var errSpent = errors.New("the processor hours are spent")

// measure runs the cells that are missing: those of the first seeds of all mistakes and strategies
// before those of later seeds.
func (a *asked) measure(s *store, subjects []subject) error {
	program := filepath.Join(a.keep, "multigrain")
	if err := kept.Command(program); err != nil {
		return err
	}
	all, err := mutants.All()
	if err != nil {
		return err
	}
	workspace, err := mutants.MakeAll(all, ".", filepath.Join(a.keep, "library"))
	if err != nil {
		return err
	}
	environ := []string{"GOWORK=" + workspace, "GOMAXPROCS=1"} // programs have one worker
	for first := 0; first < a.seeds; first += batch {
		missing := a.missing(s, subjects, first, min(first+batch, a.seeds))
		var list []jobs.Job
		for _, x := range missing {
			j, err := x.job(a.limit(x.subject).String())
			if err != nil {
				return fmt.Errorf("%s, %s: %w", x.subject.Name, x.strategy, err)
			}
			list = append(list, j)
		}
		err := a.engine.Run(program, a.keep, environ, list, func(k int, document []byte, _ string) error {
			cells, err := missing[k].cells(document)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s, %s: %v\n", missing[k].subject.Name, missing[k].strategy, err)
			}
			for _, c := range cells {
				c.Limit = a.limit(missing[k].subject).Seconds()
				if err := s.add(c); err != nil {
					return err
				}
			}
			if s.spent > a.hours*3600 {
				return errSpent
			}
			return nil
		})
		if errors.Is(err, errSpent) {
			fmt.Fprintln(os.Stderr, err)
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// missing returns the jobs for the cells of some seeds that the flags select and the store lacks.
func (a *asked) missing(s *store, subjects []subject, first, end int) (out []asking) {
	for _, x := range subjects {
		for _, strategy := range x.strategies() {
			if !a.selects(x, strategy) {
				continue
			}
			for seed := first; seed < min(end, seeds(strategy, a.seeds)); seed++ {
				if s.has(cell{Kind: x.Kind, Subject: x.Name, Strategy: strategy, Seed: seed}) {
					continue
				}
				if n := len(out) - 1; n >= 0 && out[n].subject == x && out[n].strategy == strategy && out[n].first+out[n].many == seed {
					out[n].many++
				} else {
					out = append(out, asking{x, strategy, seed, 1})
				}
			}
		}
	}
	return out
}

// job returns the job. Each seed has a limit of processor time.
func (x asking) job(limit string) (jobs.Job, error) {
	s := x.subject
	j := jobs.Job{Verb: "simulate", Manifest: s.Manifest, Flags: []string{"-processor-time=" + limit}}
	if s.Mutant == nil {
		j.Flags = append(j.Flags, "-number=0")
	} else {
		j.Verb, j.Manifest = "conform", mutants.Manifest(".", s.Mutant.Manifest)
		j.Vars = []jobs.Var{{Name: "mutant", Value: s.Mutant.Name}}
		j.Flags = append(j.Flags, "-branches=false")
		if x.strategy == covering {
			j.Manifest = mutants.Manifest(".", s.Mutant.Manifest+"-one-election")
			j.Flags = append(j.Flags, "-cover=edges", "-max-states=20000")
			return j, nil
		}
		j.Flags = append(j.Flags, "-walks=0")
	}
	name := x.strategy
	if x.strategy == manual {
		name = baseline
		weights, err := byHand(s.Manifest)
		if err != nil {
			return j, err
		}
		j.Flags = append(j.Flags, weights...)
	} else if hash, ok := strings.CutPrefix(x.strategy, "learned-"); ok {
		name = "learned:" + hash
	}
	first := uint64(x.first)
	j.Seed = &first
	j.Flags = append(j.Flags, "-strategy="+name, fmt.Sprintf("-seeds=%d", x.many))
	return j, nil
}

// document is what is read of the document of a job.
type document struct {
	Diagnostics []struct{ Code, Severity, Detail string }
	Seeds       []struct {
		Seed         int
		Verdict      string
		Found        string
		Walks, Steps int64
		Processor    float64 `json:"processor_seconds"`
	}
	Conform *struct {
		Traces, Steps, Differences int64
		Processor                  float64 `json:"processor_seconds"`
		Found                      []struct{ Kind, Variable string }
	}
}

// strategyCode is the code of a strategy that does not take a composition.
const strategyCode = "MG540"

// cells returns the cells of a document. The error says why it has none.
func (x asking) cells(text []byte) (out []cell, err error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	c := cell{Kind: x.subject.Kind, Subject: x.subject.Name, Strategy: x.strategy, Seed: x.first}
	for _, diag := range d.Diagnostics {
		if diag.Severity == "error" && diag.Code != strategyCode {
			return nil, errors.New(diag.Detail)
		}
		if diag.Code == strategyCode {
			c.Refused = diag.Detail
		}
	}
	switch {
	case c.Refused != "":
		for k := range x.many {
			c.Seed = x.first + k
			out = append(out, c)
		}
	case x.strategy == covering && d.Conform != nil:
		r := d.Conform
		c.Walks, c.Steps, c.Found, c.Seconds = r.Traces, r.Steps, r.Differences > 0, r.Processor
		if len(r.Found) > 0 {
			if c.What = r.Found[0].Variable; c.What == "" {
				c.What = r.Found[0].Kind
			}
		}
		out = append(out, c)
	}
	for _, s := range d.Seeds {
		c.Seed, c.Walks, c.Steps, c.Found, c.What, c.Seconds = s.Seed, s.Walks, s.Steps, s.Verdict == "violated", s.Found, s.Processor
		out = append(out, c)
	}
	if len(out) == 0 {
		err = fmt.Errorf("the job has no result: %.200s", text)
	}
	return out, err
}

// fails reports whether an action begins an election or ends a leadership, by its name.
func fails(action string) bool {
	return strings.HasSuffix(action, "Timeout") || strings.Contains(action, "TimesOut") || action == "CheckQuorum" || strings.HasSuffix(action, "GivesUp")
}

// byHand returns the flags of strategy manual: weight 0.1 for actions of modules that only fail, and
// for failures of other modules.
func byHand(manifest string) (flags []string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	m, diags := configs.Load(manifest, configs.Options{})
	if diags.HasErrors() {
		return nil, diags
	}
	comp, diags := compose.Resolve(m, compose.Env{CacheDir: filepath.Join(cache, "multigrain")})
	if diags.HasErrors() {
		return nil, diags
	}
	for _, g := range comp.Chosen() {
		for _, name := range g.Actions {
			if g.Covers[0] == "faults" || g.Covers[0] == "network" || fails(name) {
				flags = append(flags, "-weight="+name+"=0.1")
			}
		}
	}
	slices.Sort(flags)
	return flags, nil
}
