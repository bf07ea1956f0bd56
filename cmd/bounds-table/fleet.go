package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// job is a run that the folder lacks.
type job struct {
	verb, manifest, bound string
	value                 int
	flags                 []string // -name=value
	file                  string   // where its document is kept
}

// jobs returns the searches that the folder lacks, and the walks after those that did not end.
func (a *asked) jobs(of []*result) (list []job, err error) {
	for _, r := range of {
		if err := r.read(); err != nil {
			return nil, err
		}
		if verb, file := r.next(a.short); verb != "" {
			list = append(list, job{verb, r.manifest, r.bound, r.value, a.flags(verb, r.long), file})
		}
	}
	return list, nil
}

// runFleet runs what the folder lacks as jobs of multigrain run: first the searches, and then the
// walks after those that did not end. A job without a document is left out, and the next call runs
// it again.
func (a *asked) runFleet(program string, of []*result) error {
	for range 2 {
		list, err := a.jobs(of)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return nil
		}
		if err := a.runJobs(program, list); err != nil {
			return err
		}
	}
	return nil
}

// runJobs writes a job file, runs it and keeps the documents. The exit code of multigrain run is
// about expectations, which these jobs have not.
func (a *asked) runJobs(program string, list []job) error {
	path, err := filepath.Abs(filepath.Join(a.keep, "jobs.hcl"))
	if err != nil {
		return err
	}
	text, err := jobFile(filepath.Dir(path), list)
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		return err
	}
	documents := filepath.Join(a.keep, "jobs")
	if err := os.RemoveAll(documents); err != nil {
		return err
	}
	args := []string{"run", path, "-on", a.on, "-out", documents}
	if a.context != "" {
		args = append(args, "-context", a.context)
	}
	fmt.Fprintf(os.Stderr, "%s %d jobs\n", time.Now().Format(time.TimeOnly), len(list))
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	ran := cmd.Run()
	if exit := new(exec.ExitError); ran != nil && !errors.As(ran, &exit) {
		return ran
	}
	have := 0
	for k, j := range list {
		text, err := os.ReadFile(filepath.Join(documents, fmt.Sprint(k), "result.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if text = inner(text); !isResult(text) {
			fmt.Fprintf(os.Stderr, "%s %s %s=%d has no result:\n%s\n", j.verb, j.manifest, j.bound, j.value, text)
			continue
		}
		if err := os.WriteFile(j.file, text, 0o644); err != nil {
			return err
		}
		have++
	}
	if have == 0 {
		return fmt.Errorf("multigrain run: no job has a result: %v", ran)
	}
	return nil
}

// jobFile returns the file of jobs for multigrain run. Its paths are relative to the folder.
func jobFile(folder string, list []job) ([]byte, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	f := hclwrite.NewEmptyFile()
	for k, j := range list {
		path, err := filepath.Rel(folder, filepath.Join(here, j.manifest))
		if err != nil {
			return nil, err
		}
		flags := make([]cty.Value, len(j.flags))
		for k, text := range j.flags {
			flags[k] = cty.StringVal(text)
		}
		b := f.Body().AppendNewBlock("job", []string{fmt.Sprintf("bounds-%d", k)}).Body()
		b.SetAttributeValue("verb", cty.StringVal(j.verb))
		b.SetAttributeValue("manifests", cty.ListVal([]cty.Value{cty.StringVal(filepath.ToSlash(path))}))
		b.SetAttributeValue("vars", cty.ObjectVal(map[string]cty.Value{j.bound: cty.NumberIntVal(int64(j.value))}))
		b.SetAttributeValue("flags", cty.ListVal(flags))
		if j.verb == "simulate" {
			b.SetAttributeValue("seeds", cty.StringVal("1..1"))
		}
	}
	return f.Bytes(), nil
}

// inner returns the document of the search where a job was compared with an expect block: the
// document of the comparison has it. Another document is returned as it is.
func inner(text []byte) []byte {
	var compared struct {
		Tests []struct{ Result json.RawMessage }
	}
	if json.Unmarshal(text, &compared) == nil && len(compared.Tests) == 1 {
		return compared.Tests[0].Result
	}
	return text
}

// isResult reports whether a text is the document of a search or of walks that ran.
func isResult(text []byte) bool {
	var d document
	return json.Unmarshal(text, &d) == nil && slices.Contains([]string{"holds", "violated", "undecided", "nothing-found"}, d.Verdict)
}
