package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/jobs"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// runner runs jobs as commands.
type runner struct {
	program string   // this command
	folder  string   // the root of the sources
	environ []string // NAME=value
	whole   bool     // keep the documents of all jobs
}

// do runs the job of a message. The job is not done if ctx ended first, or if its machine failed:
// another worker gets it then.
func (r runner) do(ctx context.Context, message []byte) queue.Done {
	var j jobs.Job
	err := json.Unmarshal(message, &j)
	if err == nil {
		err = j.Check()
	}
	if err != nil {
		return queue.Done{Result: encode(lost(j, fmt.Sprintf("a worker refuses the job: %v", err)))}
	}
	traces, err := host.MkdirTemp("", "multigrain-job-*")
	if err != nil {
		return queue.Done{Failed: err.Error()}
	}
	defer host.RemoveAll(traces)
	cmd := exec.CommandContext(ctx, r.program, j.Args(traces)...)
	cmd.Dir, cmd.Env = r.folder, append(r.environ, j.Environ...)
	endWithParent(cmd)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return queue.Done{Excused: true}
	case cmd.ProcessState == nil:
		return queue.Done{Failed: fmt.Sprintf("the command cannot be started: %v", err)}
	case cmd.ProcessState.ExitCode() < 0:
		return queue.Done{Failed: "the command was ended: " + cmd.ProcessState.String()}
	}
	job, d := judged(j, cmd.ProcessState.ExitCode(), out.Bytes())
	if job.Exit == verdicts.ExitSystem || job.Lost != "" {
		return queue.Done{Failed: job.Lost}
	}
	done := queue.Done{Result: encode(job)}
	if r.whole || job.Outcome != verdicts.AsExpected || len(violations(d)) > 0 {
		done.Documents = documentsOf(out.Bytes(), traces)
	}
	return done
}

// resultFile is the name of the document of a job's verb.
const resultFile = "result.json"

// documentsOf returns the document of a command and the files of its folder for traces.
func documentsOf(document []byte, folder string) map[string][]byte {
	all := map[string][]byte{resultFile: document}
	_ = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") {
			return nil // a trace that cannot be read is in the document, too
		}
		if text, err := host.ReadFile(path); err == nil {
			all[d.Name()] = text
		}
		return nil
	})
	return all
}

func encode(j result.FleetJob) []byte {
	text, err := json.Marshal(j)
	if err != nil {
		panic(err) // it holds texts and numbers
	}
	return text
}

// lost returns the result of a job that could not be run.
func lost(j jobs.Job, why string) result.FleetJob {
	return result.FleetJob{Title: j.Title(), Outcome: verdicts.Undecided, Expected: expected(j), Found: "lost", Exit: -1, Lost: why}
}

// abandoned returns the result of a job that was delivered too often, with the last failure.
func abandoned(message []byte, why string) []byte {
	var j jobs.Job
	_ = json.Unmarshal(message, &j) // what cannot be read has no title
	if why == "" {
		why = "its worker ended"
	}
	return encode(lost(j, fmt.Sprintf("the job was begun %d times and never finished; the last time: %s", queue.Deliveries, why)))
}

// expected says in words what a job is compared with.
func expected(j jobs.Job) string {
	x := j.Expects
	switch {
	case j.Verb == "interaction" && x.Interaction != "":
		return strings.TrimSpace("interaction " + x.Interaction + " " + j.Level())
	case searches(j) && x.Verdict == string(verdicts.Violated):
		return strings.TrimSpace("violated " + x.Invariant)
	}
	return "exit code 0"
}

// searches reports whether a job looks for violations and compares them itself.
func searches(j jobs.Job) bool { return j.Verb == "simulate" || j.Verb == "check" && !j.Tested() }

// violations returns the violations in a document.
func violations(d *result.Document) []result.Violation {
	if d == nil || d.Exploration == nil {
		return nil
	}
	return d.Violations
}

// judged returns the result of a job whose command ended, and the document that it printed.
func judged(j jobs.Job, exit int, out []byte) (result.FleetJob, *result.Document) {
	d := new(result.Document)
	if err := json.Unmarshal(out, d); err != nil || d.FormatVersion == "" {
		x := lost(j, fmt.Sprintf("the command ended with exit code %d and without a result", exit))
		return x, nil
	}
	x := result.FleetJob{Title: j.Title(), Exit: exit, Expected: expected(j)}
	compared := len(d.Tests) == 1 && d.Tests[0].Result != nil // by the verb test
	open := false
	if compared {
		t := d.Tests[0]
		x.Expected, x.Differences = t.Expected, t.Differences
		open = t.Found == string(verdicts.Undecided)
		d = t.Result
	}
	word, _ := d.Outcome()
	x.Found = string(word)
	if e := d.Exploration; e != nil {
		x.Distinct, x.Generated, x.Depth, x.Digest = e.Distinct, e.Generated, e.Depth, e.Digest
		x.Found = d.Found()
	}
	if !compared {
		x.Differences = errorsOf(d)
	}
	x.Outcome = outcome(j, exit, d, open)
	if exit == verdicts.ExitSystem {
		x.Lost = "the command failed on its machine: " + strings.Join(errorsOf(d), ", ")
	}
	return x, d
}

// errorsOf returns the errors in a document, each kind once.
func errorsOf(d *result.Document) (out []string) {
	seen := map[string]bool{}
	for _, diag := range d.Diagnostics {
		line := fmt.Sprintf("%s [%s]", diag.Summary, diag.Code)
		if diag.Severity == "error" && !seen[line] {
			seen[line] = true
			out = append(out, line)
		}
	}
	return out
}

// outcome says what the end of a command means for a job. Open says that the verb test found
// nothing decided.
func outcome(j jobs.Job, exit int, d *result.Document, open bool) verdicts.Word {
	x, word := j.Expects, string(stated(d))
	switch {
	case open || exit == verdicts.ExitUndecided:
		return verdicts.Undecided
	case j.Verb == "interaction" && x.Interaction != "" && d.Interaction != nil && word != "":
		if d.Interaction.Verdict == x.Interaction && (j.Level() == "" || d.Interaction.Level == j.Level()) {
			return verdicts.AsExpected
		}
		return verdicts.Differs
	case searches(j) && x.Verdict == string(verdicts.Violated):
		found := violations(d)
		switch {
		case len(found) == 0 && exit == verdicts.ExitOK && j.Verb == "simulate":
			return verdicts.Undecided // unless another seed finds it
		case len(found) > 0 && (x.Invariant == "" || x.Invariant == found[0].Invariant || x.Invariant == found[0].Name()):
			return verdicts.AsExpected
		}
		return verdicts.Differs
	case exit == verdicts.ExitOK:
		return verdicts.AsExpected
	}
	return verdicts.Differs
}

// stated returns the verdict of a document.
func stated(d *result.Document) verdicts.Word {
	word, _ := d.Outcome()
	return word
}
