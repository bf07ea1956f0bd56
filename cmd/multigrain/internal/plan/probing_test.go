package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// probed holds the predictions for a composition; 0: nothing.
type probed struct {
	manifest    string
	knuth, chen float64
}

const probedHead = "manifest\tKnuth\tChen\n"

// readProbed reads testdata/probing.tsv.
func readProbed(t *testing.T) (all []probed) {
	t.Helper()
	text, err := os.ReadFile("testdata/probing.tsv")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text), probedHead)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			t.Fatalf("testdata/probing.tsv: %q", line)
		}
		knuth, err1 := strconv.ParseFloat(f[1], 64)
		chen, err2 := strconv.ParseFloat(f[2], 64)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		all = append(all, probed{f[0], knuth, chen})
	}
	return all
}

// TestProbing writes testdata/probing.tsv: what Knuth's and Chen's probing predict of the
// compositions of testdata/levels.tsv that have no coarse grain, small ones first. One that has a
// line keeps it, so that a run that was ended continues.
func TestProbing(t *testing.T) {
	if !*measure {
		t.Skip("builds a program for each shipped manifest that ends, which takes an hour: give -levels")
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(t.TempDir(), "multigrain")
	build := exec.Command("go", "build", "-o", command, "./cmd/multigrain")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := readMeasured(t)
	slices.SortStableFunc(all, func(a, b measured) int { return cmp.Compare(a.states(), b.states()) })
	for k := range all {
		have := readProbed(t)
		if slices.ContainsFunc(have, func(p probed) bool { return p.manifest == all[k].manifest }) {
			continue
		}
		p, err := probeOne(root, command, all[k].manifest)
		if err != nil {
			t.Logf("%s: %v", all[k].manifest, err)
			continue
		}
		have = append(have, p)
		slices.SortFunc(have, func(a, b probed) int { return cmp.Compare(a.manifest, b.manifest) })
		var b strings.Builder
		b.WriteString(probedHead)
		for _, p := range have {
			fmt.Fprintf(&b, "%s\t%.3g\t%.3g\n", p.manifest, p.knuth, p.chen)
		}
		if err := os.WriteFile("testdata/probing.tsv", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// probeOne plans a manifest with all of its modules under test: that is its own composition alone.
func probeOne(root, command, manifest string) (p probed, err error) {
	run := func(d any, args ...string) error {
		cmd := exec.Command(command, args...)
		cmd.Dir = root
		var out, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &stderr
		_ = cmd.Run() // the exit code says the verdict
		if err := json.Unmarshal(out.Bytes(), d); err != nil {
			return fmt.Errorf("%w: %s", err, stderr.String())
		}
		return nil
	}
	var whole struct{ Modules []result.Module }
	if err := run(&whole, "validate", manifest, "-json", "-quiet"); err != nil {
		return p, err
	}
	args := []string{"plan", manifest, "-covers", "1", "-probe", "100ms", "-estimators", "-json", "-quiet"}
	for _, m := range whole.Modules {
		args = append(args, "-target", m.Module)
	}
	var d struct{ Plan *result.Plan }
	if err := run(&d, args...); err != nil {
		return p, err
	}
	if d.Plan == nil || len(d.Plan.Covers) != 1 || len(d.Plan.Covers[0].Others) != 2 {
		return p, fmt.Errorf("nothing was probed: %+v", d.Plan)
	}
	others := d.Plan.Covers[0].Others
	return probed{manifest, others[0].States, others[1].States}, nil
}

// probingTable compares predictions of probing with the states.
func probingTable(t *testing.T, all []measured) string {
	var b, rows strings.Builder
	factors := map[string][]float64{}
	unknown := map[string]int{}
	have := readProbed(t)
	rows.WriteString("| manifest | states | Knuth's probing | Chen's probing |\n|---|---|---|---|\n")
	for _, m := range all {
		k := slices.IndexFunc(have, func(p probed) bool { return p.manifest == m.manifest })
		if k < 0 {
			continue
		}
		cell := func(name string, x float64) string {
			if x == 0 {
				unknown[name]++
				return "unknown"
			}
			r := x / float64(m.states())
			factors[name] = append(factors[name], max(r, 1/r))
			return fmt.Sprintf("%.3g (%.2g)", x, r)
		}
		fmt.Fprintf(&rows, "| %s | %d | %s | %s |\n", m.manifest, m.states(), cell(Knuth, have[k].knuth), cell(Chen, have[k].chen))
	}
	fmt.Fprintf(&b, "\nMeasured for %d of the %d compositions, the smallest first.\n\n| estimator | median factor | nine of ten below | nothing predicted |\n|---|---|---|---|\n", len(have), len(all))
	for _, name := range []string{Knuth, Chen} {
		f := factors[name]
		slices.Sort(f)
		if len(f) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %.2g | %.2g | %d |\n", name, f[len(f)/2], f[len(f)*9/10], unknown[name])
		if f[len(f)/2] < 4 {
			t.Errorf("%s has a median factor of %.2g, so docs/results/plan.md is wrong about it", name, f[len(f)/2])
		}
	}
	return b.String() + "\n" + rows.String() + "\n"
}

// TestProbingTable compares the table of docs/results/plan.md, or writes it with -update.
func TestProbingTable(t *testing.T) { keepTable(t, "probing", probingTable(t, readMeasured(t))) }
