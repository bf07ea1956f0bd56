// Command confirm-table writes docs/results/confirmed.md: which bugs of ZooKeeper multigrain
// confirm sees on which versions. It runs multigrain confirm for each manifest of configs/zab/bugs
// that declares symptoms, in the folder of the checkout:
//
//	go run ./cmd/confirm-table -keep DIR
//
// A result in the folder DIR is not made again, so a run that was ended continues there. A new
// manifest or a new version is a new row or column.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// document is the part of a result of multigrain confirm that the table shows.
type document struct {
	Confirm *struct {
		Verdict, Reason, Version string
		Length                   int
		Runs, Controls           attempts
		Attempts                 []struct {
			Control bool
			Outcome string
			Step    int
			Action  string
			Message string
		}
	}
	Diagnostics []struct{ Severity, Summary, Detail string }
}

type attempts struct{ Shown, Absent, Unjudged, Departed, Undriven, Spoilt int }

func (n attempts) begun() int { return n.Shown + n.Absent + n.Unjudged + n.Departed + n.Undriven }

// result is a document with the bug and the version that it is about.
type result struct {
	bug, version string
	document
}

func main() {
	first := flag.String("version", "3.8.0", "the version that has all bugs: confirm each of them often there")
	others := flag.String("others", "3.7.2,3.8.6,3.9.1,3.9.2,3.9.3,3.9.5", "further versions, where each counterexample is done once")
	runs := flag.Int("runs", 20, "runs on the first version")
	controls := flag.Int("controls", 5, "controls on the first version")
	keep := flag.String("keep", "", "the folder that keeps results, by bug and version")
	out := flag.String("out", "docs/results/confirmed.md", "the file that is written")
	only := flag.Bool("only-kept", false, "write the table from what the folder has, and run nothing")
	flag.Parse()
	if err := write(*first, strings.Split(*others, ","), *runs, *controls, *keep, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "confirm-table:", err)
		os.Exit(1)
	}
}

func write(first string, others []string, runs, controls int, keep, out string, only bool) error {
	if keep == "" {
		return errors.New("name a folder for results with -keep")
	}
	if err := os.MkdirAll(keep, 0o755); err != nil {
		return err
	}
	bugs, err := declared("configs/zab/bugs")
	if err != nil {
		return err
	}
	program := filepath.Join(keep, "multigrain")
	if !only {
		if text, err := exec.Command("go", "build", "-o", program, "./cmd/multigrain").CombinedOutput(); err != nil {
			return fmt.Errorf("go build ./cmd/multigrain: %w\n%s", err, text)
		}
	}
	var all []result
	for k, version := range append([]string{first}, others...) {
		for _, bug := range bugs {
			n, m := runs, controls
			if k > 0 {
				n, m = 1, 1
			}
			r := result{bug: bug, version: version}
			file := filepath.Join(keep, bug+"-"+version+".json")
			text, err := os.ReadFile(file)
			if err != nil && !only {
				fmt.Fprintf(os.Stderr, "%s %s on %s\n", time.Now().Format(time.TimeOnly), bug, version)
				// The exit code says the verdict, which the document has, too.
				text, _ = exec.Command(program, "confirm", filepath.Join("configs/zab/bugs", bug+".hcl"), "-impl", "zookeeper@"+version,
					"-runs", fmt.Sprint(n), "-controls", fmt.Sprint(m), "-to", keep, "-json").Output()
				if err := os.WriteFile(file, text, 0o644); err != nil {
					return err
				}
			}
			if len(text) > 0 {
				if err := json.Unmarshal(text, &r.document); err != nil {
					return fmt.Errorf("%s: %w; remove it", file, err)
				}
			}
			all = append(all, r)
		}
	}
	return os.WriteFile(out, []byte(table(bugs, append([]string{first}, others...), all)), 0o644)
}

// declared returns the manifests of a folder that declare a symptom or extend one that does.
func declared(folder string) (bugs []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no manifest in %s: run the command in the folder of the checkout", folder))
	}
	var declares func(string) bool
	declares = func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(strings.TrimSpace(line), "symptom ") {
				return true
			}
			if name, ok := strings.CutPrefix(line, "extends = "); ok && declares(filepath.Join(folder, strings.Trim(name, "\" \n"))) {
				return true
			}
		}
		return false
	}
	for _, f := range files {
		if declares(f) {
			bugs = append(bugs, strings.TrimSuffix(filepath.Base(f), ".hcl"))
		}
	}
	return bugs, nil
}

// cell describes a result in a few words.
func (r *result) cell() string {
	c := r.Confirm
	switch {
	case c == nil && len(r.Diagnostics) > 0:
		return "not driven"
	case c == nil:
		return "not run"
	}
	switch c.Verdict {
	case "confirmed":
		return fmt.Sprintf("confirmed %d of %d", c.Runs.Shown, c.Runs.begun())
	case "departs":
		for _, a := range c.Attempts {
			if a.Outcome == "departed" {
				return fmt.Sprintf("departs at step %d", a.Step)
			}
		}
	case "holds":
		return "no violation"
	}
	return "not driven"
}

// why says more about a result that is not confirmed.
func (r *result) why() string {
	if r.Confirm != nil && r.Confirm.Reason != "" {
		line, _, _ := strings.Cut(r.Confirm.Reason, "\n")
		return strings.ReplaceAll(line, "|", "\\|")
	}
	for _, d := range r.Diagnostics {
		if d.Severity == "error" {
			return strings.ReplaceAll(strings.ReplaceAll(d.Detail, "\n", " "), "|", "\\|")
		}
	}
	return ""
}

const introduction = `# Bugs confirmed on real servers

Generated by ` + "`go run ./cmd/confirm-table -keep DIR`" + `; do not edit. Each cell is a result of

    multigrain confirm configs/zab/bugs/BUG.hcl -impl zookeeper@VERSION

on the unmodified release. *Confirmed N of M*: in N of M runs that came to the first step the
counterexample was driven to its end, and the symptoms were seen. *Departs at step K*: the servers
do something else there, as those with a fix do. *Not driven* and *not run* say nothing about the
version. docs/zookeeper.md explains symptoms and controls.

`

// table returns the document.
func table(bugs, versions []string, all []result) string {
	var b strings.Builder
	b.WriteString(introduction)
	fmt.Fprintf(&b, "Measured on %s, %s/%s with %d processors that others used, too.\n\n", time.Now().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	b.WriteString("| bug | " + strings.Join(versions, " | ") + " |\n|---" + strings.Repeat("|---", len(versions)) + "|\n")
	find := func(bug, version string) *result {
		return &all[slices.IndexFunc(all, func(r result) bool { return r.bug == bug && r.version == version })]
	}
	for _, bug := range bugs {
		fmt.Fprintf(&b, "| [%s](../../configs/zab/bugs/%[1]s.hcl)", bug)
		for _, v := range versions {
			b.WriteString(" | " + find(bug, v).cell())
		}
		b.WriteString(" |\n")
	}
	fmt.Fprintf(&b, "\n## Runs and controls on %s\n\nA spoilt run did not come to the first step. It was repeated.\n\n", versions[0])
	b.WriteString("| bug | steps | runs with the symptom | other runs | spoilt | controls with the symptom | other controls |\n|---|---|---|---|---|---|---|\n")
	for _, bug := range bugs {
		c := find(bug, versions[0]).Confirm
		if c == nil {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d | %d of %d | %s | %d | %d of %d | %s |\n", bug, c.Length, c.Runs.Shown, c.Runs.begun(), c.Runs.others(), c.Runs.Spoilt,
			c.Controls.Shown, c.Controls.begun(), c.Controls.others())
	}
	b.WriteString("\n## Why others end\n\n| bug | version | reason |\n|---|---|---|\n")
	for k := range all {
		if why := all[k].why(); why != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", all[k].bug, all[k].version, why)
		}
	}
	return b.String()
}

// others describes the attempts that did not show the symptom.
func (n attempts) others() string {
	var parts []string
	for _, x := range []struct {
		count int
		what  string
	}{{n.Absent, "without it"}, {n.Unjudged, "not judged"}, {n.Departed, "departed"}, {n.Undriven, "not driven to the end"}} {
		if x.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.count, x.what))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
