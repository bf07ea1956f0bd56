package bounds

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/multigrain/multigrain/.ci/pages/jobs"
)

// lacked returns the jobs that the folder lacks, and the files that keep their documents: the
// searches, and the walks after those that did not end.
func (a *asked) lacked(of []*result) (list []jobs.Job, files []string, err error) {
	for _, r := range of {
		if err := r.read(); err != nil {
			return nil, nil, err
		}
		verb, file := r.next(a.short)
		if verb == "" {
			continue
		}
		j := jobs.Job{Verb: verb, Manifest: r.manifest, Vars: []jobs.Var{{Name: r.bound, Value: strconv.Itoa(r.value)}}, Flags: a.flags(verb, r.long)}
		if verb == "simulate" {
			j.Seed = new(uint64)
			*j.Seed = 1
		}
		list, files = append(list, j), append(files, file)
	}
	return list, files, nil
}

// runFleet runs what the folder lacks: first the searches, and then the walks after those that did
// not end. A job without a result is left out, and the next call runs it again.
func (a *asked) runFleet(program string, of []*result) error {
	for range 2 {
		list, files, err := a.lacked(of)
		if err != nil {
			return err
		}
		have := len(list) == 0
		err = a.engine.Run(program, a.keep, nil, list, func(k int, document []byte, folder string) error {
			if !isResult(document) {
				fmt.Fprintf(os.Stderr, "%s %s %v has no result:\n%s\n", list[k].Verb, list[k].Manifest, list[k].Vars, document)
				return nil
			}
			have = true
			return os.WriteFile(files[k], document, 0o644)
		})
		if err != nil {
			return err
		}
		if !have {
			return fmt.Errorf("no job has a result")
		}
	}
	return nil
}

// isResult reports whether a text is the document of a search or of walks that ran.
func isResult(text []byte) bool {
	var d document
	return json.Unmarshal(text, &d) == nil && slices.Contains([]string{"holds", "violated", "undecided", "nothing-found"}, d.Verdict)
}
