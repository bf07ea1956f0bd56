// Package jobs runs what a page lacks as jobs of multigrain run, in the folder of the checkout.
// By default two worker processes of this machine do them. Workers of a NATS server can do them,
// too: docs/how-to/fleet.md has more.
//
// A result is handed over as soon as its job ends. So a command that was ended has the results
// until then. The next call with the same jobs continues with those that were in progress.
package jobs

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// Job is one call of a verb.
type Job struct {
	Verb     string
	Manifest string // relative to the working folder
	Vars     []Var
	Flags    []string // -name=value
	Seed     *uint64  // nil for verbs without random choices
}

// Var is a variable of a manifest with its value.
type Var struct{ Name, Value string }

// Engine says which workers do jobs.
type Engine struct {
	on, context string
	processes   int
	most        time.Duration
}

// embedded is the engine of workers on this machine.
const embedded = "embedded"

// Flags declares the flags of an engine.
func (e *Engine) Flags(fs *flag.FlagSet) {
	fs.StringVar(&e.on, "on", embedded, "run jobs on workers, `embedded|URL`, as multigrain run does")
	fs.StringVar(&e.context, "context", "", "the `FILE` with credentials for -on, as of multigrain run")
	fs.IntVar(&e.processes, "processes", 2, "with -on embedded, run `N` jobs at the same time")
	fs.DurationVar(&e.most, "for", 0, "end the command after this time; 0 is no limit. The next call continues")
}

// poll is the time between two looks for documents.
const poll = 500 * time.Millisecond

// Take takes the result of job k: the document of its verb, or a text that is none, and the
// folder with its traces.
type Take func(k int, document []byte, folder string) error

// Run runs jobs with a program, which is multigrain. The folder is for the job file and for
// documents. Environ are additional variables of the environment, NAME=VALUE, which only workers
// of this machine get.
//
// The error is that of take, or says that the run was ended, or that no job has a document. Jobs
// without one are named on the standard error. That a result is not what its manifest expects is
// no error: a page shows what results there are.
func (e Engine) Run(program, folder string, environ []string, list []Job, take Take) error {
	if len(list) == 0 {
		return nil
	}
	cmd, documents, err := e.command(program, folder, list)
	if err != nil {
		return err
	}
	cmd.Env = append(os.Environ(), environ...)
	fmt.Fprintf(os.Stderr, "%s %d jobs\n", time.Now().Format(time.TimeOnly), len(list))
	taken := make([]bool, len(list))
	harvest := func() error {
		for k := range list {
			at := filepath.Join(documents, fmt.Sprint(k))
			text, err := os.ReadFile(filepath.Join(at, "result.json"))
			if taken[k] || errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				err = take(k, inner(text), at)
			}
			if err != nil {
				return err
			}
			taken[k] = true
		}
		return nil
	}
	ended, ran, err := e.wait(cmd, harvest)
	if err == nil {
		err = harvest()
	}
	if err != nil {
		return err
	}
	if ended {
		return errors.New("the run was ended. The same command continues")
	}
	missing := 0
	for k, j := range list {
		if !taken[k] {
			missing++
			fmt.Fprintf(os.Stderr, "%s %s %v has no document\n", j.Verb, j.Manifest, j.Vars)
		}
	}
	if missing == len(list) {
		return fmt.Errorf("multigrain run: no job has a document: %v", ran)
	}
	return nil
}

// command returns the call of multigrain run, after its job file is written, and the folder in
// which it writes documents.
func (e Engine) command(program, folder string, list []Job) (cmd *exec.Cmd, documents string, err error) {
	path, err := filepath.Abs(filepath.Join(folder, "jobs.hcl"))
	if err != nil {
		return nil, "", err
	}
	text, err := file(filepath.Dir(path), list)
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		return nil, "", err
	}
	documents = filepath.Join(folder, "jobs")
	if err := os.RemoveAll(documents); err != nil {
		return nil, "", err
	}
	args := []string{"run", path, "-on", e.on, "-out", documents}
	if e.context != "" {
		args = append(args, "-context", e.context)
	}
	if e.on == embedded && e.context == "" {
		args = append(args, "-workers", fmt.Sprint(e.processes))
	}
	cmd = exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd, documents, nil
}

// wait runs a command and calls a function again and again until the command ends. A signal, the
// end of the time and an error of the function interrupt it. Ran is the command's own error.
func (e Engine) wait(cmd *exec.Cmd, each func() error) (ended bool, ran, err error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	alone(cmd)
	if err := cmd.Start(); err != nil {
		return false, nil, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var over <-chan time.Time
	if e.most > 0 {
		over = time.After(e.most)
	}
	for {
		select {
		case ran := <-done:
			return ended, ran, err
		case <-signals:
		case <-over:
		case <-time.After(poll):
			if err != nil {
				continue
			}
			if err = each(); err == nil {
				continue
			}
		}
		if !ended {
			ended = true
			_ = cmd.Process.Signal(os.Interrupt) // one that has ended is reported above
		}
	}
}

// file returns the file of jobs. Its paths are relative to the folder.
func file(folder string, list []Job) ([]byte, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	f := hclwrite.NewEmptyFile()
	for k, j := range list {
		path, err := filepath.Rel(folder, filepath.Join(here, j.Manifest))
		if err != nil {
			return nil, err
		}
		b := f.Body().AppendNewBlock("job", []string{fmt.Sprint(k)}).Body()
		b.SetAttributeValue("verb", cty.StringVal(j.Verb))
		b.SetAttributeValue("manifests", cty.TupleVal(texts([]string{filepath.ToSlash(path)})))
		if len(j.Vars) > 0 {
			vars := map[string]cty.Value{}
			for _, v := range j.Vars {
				vars[v.Name] = cty.StringVal(v.Value)
			}
			b.SetAttributeValue("vars", cty.ObjectVal(vars))
		}
		b.SetAttributeValue("flags", cty.TupleVal(texts(j.Flags)))
		if j.Seed != nil {
			b.SetAttributeValue("seeds", cty.StringVal(fmt.Sprintf("%d..%d", *j.Seed, *j.Seed)))
		}
	}
	return f.Bytes(), nil
}

func texts(list []string) (out []cty.Value) {
	for _, s := range list {
		out = append(out, cty.StringVal(s))
	}
	return out
}

// inner returns the document of the verb where a job was compared with an expect block: the
// document of the comparison has it. Another document is returned as it is.
func inner(text []byte) []byte {
	var compared struct {
		Tests []struct{ Result json.RawMessage }
	}
	if json.Unmarshal(text, &compared) == nil && len(compared.Tests) == 1 && compared.Tests[0].Result != nil {
		return compared.Tests[0].Result
	}
	return text
}

// Traces moves the traces of a job into another folder.
func Traces(from, to string) error {
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Name() == "result.json" {
			continue
		}
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(from, f.Name()), filepath.Join(to, f.Name())); err != nil {
			return err
		}
	}
	return nil
}
