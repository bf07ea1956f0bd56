package fleet

import (
	"encoding/json"
	"fmt"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/jobs"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// split returns the jobs in a list, in the form in which a worker gets each.
func split(list []byte) ([][]byte, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(list, &raw); err != nil {
		return nil, fmt.Errorf("the list of jobs cannot be read: %w", err)
	}
	out := make([][]byte, len(raw))
	for k := range raw {
		out[k] = raw[k]
	}
	return out, nil
}

// joined returns the results of jobs in the order of the jobs, as JSON. It depends on nothing else,
// so all coordinators make the same of them.
func joined(list []byte, results map[int][]byte) ([]byte, error) {
	ended, err := join(list, results)
	if err != nil {
		return nil, err
	}
	return json.Marshal(ended)
}

// join returns the results of jobs in the order of the jobs. Jobs without a result are left out.
//
// Walks that find nothing where the manifest expects a violation are undecided. They are as
// expected if another seed of the same job finds the violation.
func join(list []byte, results map[int][]byte) ([]result.FleetJob, error) {
	var all []jobs.Job
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, fmt.Errorf("the list of jobs cannot be read: %w", err)
	}
	ended, families := []result.FleetJob{}, []string{}
	found := map[string]bool{}
	for k, j := range all {
		text, ok := results[k]
		if !ok {
			continue
		}
		var x result.FleetJob
		if err := json.Unmarshal(text, &x); err != nil || x.Title != j.Title() {
			return nil, fmt.Errorf("the result of job %q is damaged", j.Title())
		}
		family := j.Family()
		ended, families = append(ended, x), append(families, family)
		if j.Verb == "simulate" && x.Outcome == verdicts.AsExpected && j.Expects.Verdict == string(verdicts.Violated) {
			found[family] = true
		}
	}
	for k := range ended {
		x := &ended[k]
		if found[families[k]] && x.Outcome == verdicts.Undecided && x.Exit == verdicts.ExitOK {
			x.Outcome = verdicts.AsExpected
		}
	}
	return ended, nil
}
