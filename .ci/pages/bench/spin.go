package bench

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"time"
)

//go:embed models/twophase.pml
var promela string

// promelaOf returns the model of two-phase commit for some resource managers.
func promelaOf(managers int) (string, error) {
	if managers < 1 || managers > 15 {
		return "", fmt.Errorf("the model of SPIN has 1 to 15 resource managers, not %d", managers)
	}
	t, err := template.New("twophase").Parse(promela)
	if err != nil {
		return "", err
	}
	type manager struct{ I, Bit int }
	values := struct {
		N, All int
		RMs    []manager
	}{N: managers, All: 1<<managers - 1}
	for k := range managers {
		values.RMs = append(values.RMs, manager{k, 1 << k})
	}
	var b strings.Builder
	err = t.Execute(&b, values)
	return b.String(), err
}

var (
	spinStates  = regexp.MustCompile(`(?m)^\s*(\d+) states, stored$`)
	spinErrors  = regexp.MustCompile(`(?m)^State-vector .*, errors: (\d+)$`)
	spinSeconds = regexp.MustCompile(`(?m)^pan: elapsed time ([\d.e+]+) seconds$`)
)

// spinDepth searches by depth with one processor: SPIN has no other search by depth that is
// complete.
func spinDepth(dir string, r *row) (measured, error) { return spin(dir, r, nil, nil) }

// spinBreadth searches by breadth with all workers.
func spinBreadth(dir string, r *row) (measured, error) {
	return spin(dir, r, []string{"-DBFS_PAR"}, []string{fmt.Sprintf("-u%d", workers)})
}

// spin explores two-phase commit with SPIN.
func spin(dir string, r *row, compile, flags []string) (m measured, err error) {
	for _, name := range []string{"spin", "cc"} {
		if _, err := exec.LookPath(name); err != nil {
			return m, fmt.Errorf("not run: there is no %s", name)
		}
	}
	text, err := promelaOf(r.vars["managers"])
	if err != nil {
		return m, err
	}
	if err := os.WriteFile(filepath.Join(dir, "twophase.pml"), []byte(text), 0o644); err != nil {
		return m, err
	}
	if err := build(dir, "spin", "-a", "twophase.pml"); err != nil {
		return m, err
	}
	if err := build(dir, "cc", append([]string{"-O3", "-DSAFETY", "-w", "-o", "pan", "pan.c"}, compile...)...); err != nil {
		return m, err
	}
	return fastest(func() (m measured, err error) {
		cmd := exec.Command("./pan", append([]string{"-E"}, flags...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		states, errs, seconds := spinStates.FindSubmatch(out), spinErrors.FindSubmatch(out), spinSeconds.FindSubmatch(out)
		if err != nil || states == nil || errs == nil || seconds == nil || string(errs[1]) != "0" || strings.Contains(string(out), "max search depth too small") {
			return m, fmt.Errorf("pan: %v\n%s", err, out)
		}
		m.distinct, _ = strconv.ParseInt(string(states[1]), 10, 64)
		m.seconds, _ = strconv.ParseFloat(string(seconds[1]), 64)
		m.complete, m.cpu, m.memory = true, cpu(cmd), peak(cmd)
		return m, nil
	})
}

// cpu returns the processor time of a process that has ended, and of those that it started.
func cpu(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
