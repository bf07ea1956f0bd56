package bench

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// explore returns the fastest of some runs of multigrain, after one that builds the program.
func (r *row) explore(command string) (measured, error) {
	args := []string{"check", r.manifest, "-json", "-quiet", "-workers", strconv.Itoa(workers)}
	for name, value := range r.vars {
		args = append(args, "-var", fmt.Sprintf("%s=%d", name, value))
	}
	run := func() (m measured, err error) {
		cmd := exec.Command(command, args...)
		out, err := cmd.Output()
		var result struct {
			Verdict  string
			Distinct int64
			Seconds  float64
		}
		if jsonErr := json.Unmarshal(out, &result); jsonErr != nil || result.Verdict != "holds" {
			return m, fmt.Errorf("multigrain %s: %v, verdict %q", strings.Join(args, " "), err, result.Verdict)
		}
		return measured{result.Distinct, true, result.Seconds, cpu(cmd), peak(cmd)}, nil
	}
	if m, err := run(); err != nil {
		return m, err
	}
	return fastest(run)
}
