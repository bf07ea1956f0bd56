package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/compose"
)

// outcome is what became of a case.
type outcome struct {
	Number int            `json:"number"`
	Row    string         `json:"row"`
	Trials []string       `json:"trials"`
	Faults map[string]int `json:"faults"` // those that took place, by name
	// runs by how they ended: same, undecided, system, killed
	Ends    map[string]int `json:"ends"`
	Resumed int            `json:"resumed"`         // runs that went on from a checkpoint
	Wrong   []string       `json:"wrong,omitempty"` // what must not be
}

// try runs the case with a number, in a folder of its own. A case that fails leaves its folder.
func (b *bench) try(number int) *outcome {
	r := random(b.seed, uint64(number)+1)
	of := b.rows[r.IntN(len(b.rows))]
	o := &outcome{Number: number, Row: of.String(), Faults: map[string]int{}, Ends: map[string]int{}}
	work := filepath.Join(b.state, "cases", fmt.Sprint(number))
	os.RemoveAll(work)
	if err := os.MkdirAll(work, 0o755); err != nil {
		o.Wrong = append(o.Wrong, err.Error())
		return o
	}
	trials := choose(r, of)
	for _, t := range trials {
		o.Trials = append(o.Trials, t.String())
		if wrong := b.disturbed(work, of, t, o); len(wrong) > 0 {
			o.Wrong = append(o.Wrong, fmt.Sprintf("trial %d: %s", len(o.Trials), strings.Join(wrong, "; ")))
			return o
		}
	}
	if wrong := b.calm(work, of, trials[len(trials)-1], o); len(wrong) > 0 {
		o.Wrong = append(o.Wrong, "the run that goes on: "+strings.Join(wrong, "; "))
		return o
	}
	os.RemoveAll(work)
	return o
}

// resuming replaces -checkpoint by -resume where the folder holds a checkpoint.
func resuming(work string, options []string, o *outcome) []string {
	at := slices.Index(options, "-checkpoint")
	if _, err := os.Stat(filepath.Join(work, kept, "checkpoint")); err != nil || at < 0 {
		return options
	}
	o.Resumed++
	options = slices.Clone(options)
	options[at] = "-resume"
	return options
}

// disturbed runs one trial and returns what is wrong with how it ends.
func (b *bench) disturbed(work string, of *row, t *trial, o *outcome) (wrong []string) {
	for _, name := range []string{"traces", "report", "out.sarif", "out.xml", "temp", "faults"} {
		os.RemoveAll(filepath.Join(work, name))
	}
	earlier := parts(work)
	var environ []string
	if t.plan != nil {
		plan := *t.plan
		plan.Log = filepath.Join(work, "faults.log")
		os.Remove(plan.Log)
		environ = append(environ, "MULTIGRAIN_TORTURE="+plan.String())
	}
	if t.cold {
		cache, err := b.coldCache(work)
		if err != nil {
			return []string{err.Error()}
		}
		defer os.RemoveAll(cache)
		environ = append(environ, "MULTIGRAIN_CACHE="+cache)
	}
	p := b.start(work, t.limit, of, resuming(work, t.options, o), environ...)
	took := false
	if t.signal != "" {
		time.Sleep(t.after)
		took = p.signal(t.signal, t.to)
	}
	p.wait(longest)
	killed := took && t.signal == "KILL" && t.to == "command"
	if left := p.left(); len(left) > 0 {
		wrong = append(wrong, fmt.Sprintf("processes are left: %v", left))
	}
	got := resultOf(p.stdout.Bytes())
	if !slices.Contains(t.options, "-json") && !killed {
		got = reported(work)
	}
	wrong = append(wrong, t.judgeExit(of, p, got)...)
	excused := killed || t.plan != nil && (t.plan.Fault == "no-remove") || t.signal == "KILL"
	os.WriteFile(filepath.Join(work, "stdout"), p.stdout.Bytes(), 0o644)
	os.WriteFile(filepath.Join(work, "stderr"), p.stderr.Bytes(), 0o644)
	wrong = append(wrong, leftovers(work, excused, earlier...)...)
	if got != nil && p.code == of.code {
		wrong = append(wrong, traces(work, got)...)
	}
	t.count(work, took, o)
	o.Ends[t.end(p, of)]++
	return wrong
}

// count adds the faults that took place.
func (t *trial) count(work string, took bool, o *outcome) {
	switch {
	case t.plan != nil:
		text, _ := os.ReadFile(filepath.Join(work, "faults.log"))
		if n := strings.Count(string(text), "\n"); n > 0 {
			o.Faults[t.fault()] += n
		}
	case t.limit != "" || took:
		o.Faults[t.fault()]++
	}
}

// end names how a run ended.
func (t *trial) end(p *process, of *row) string {
	switch p.code {
	case of.code:
		return "same"
	case exitUndecided:
		return "undecided"
	case exitSystem:
		return "system"
	case -1:
		return "killed"
	}
	return fmt.Sprint(p.code)
}

// reported is the document in the folder of -report; nil where there is none.
func reported(work string) *result {
	found, _ := filepath.Glob(filepath.Join(work, "report", "*.json"))
	for _, path := range found {
		if text, err := os.ReadFile(path); err == nil && !strings.HasSuffix(path, ".itf.json") {
			return resultOf(text)
		}
	}
	return nil
}

// calm goes on from the checkpoint that is left, without a fault: it finds what the undisturbed run
// found.
func (b *bench) calm(work string, of *row, last *trial, o *outcome) (wrong []string) {
	at := slices.Index(last.options, "-fingerprint")
	options := append([]string{"-json", "-traces", "traces", "-checkpoint", kept}, last.options[at:at+2]...)
	resumed := o.Resumed
	if options = resuming(work, options, o); o.Resumed == resumed {
		return nil
	}
	p := b.start(work, "", of, options)
	p.wait(longest)
	got := resultOf(p.stdout.Bytes())
	if p.code != of.code || got == nil {
		return []string{fmt.Sprintf("exit code %d, undisturbed %d:\n%s%s", p.code, of.code, p.stdout.Bytes(), p.stderr.Bytes())}
	}
	return append(differences(of.want, got), traces(work, got)...)
}

// coldCache is a cache with the programs and the key of checkpoints, and without the analyses.
func (b *bench) coldCache(work string) (string, error) {
	to := filepath.Join(work, "cache")
	from := filepath.Join(b.state, "cache", "programs")
	programs, err := os.ReadDir(from)
	if err == nil {
		err = os.MkdirAll(filepath.Join(to, "programs"), 0o700)
	}
	for _, p := range programs {
		if err == nil && p.Type().IsRegular() {
			err = os.Link(filepath.Join(from, p.Name()), filepath.Join(to, "programs", p.Name()))
		}
	}
	if err == nil { // of checkpoints, which the next run continues
		err = os.Link(filepath.Join(b.state, "cache", compose.SecretFile), filepath.Join(to, compose.SecretFile))
	}
	return to, err
}
