package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// TestSlice: what is left out of the state changes neither the verdict of a shipped manifest nor
// which invariant is violated after how many steps, and never makes more states.
func TestSlice(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it checks every bug and mistake twice; set MULTIGRAIN_SLOW=1")
	}
	manifests := slices.Concat(glob(t, "zab/bugs/*.hcl"), glob(t, "zab/fixes/pr-*.hcl"), glob(t, "raft/mistakes/*.hcl"))
	type result struct {
		Verdict    string
		Distinct   int64
		Sliced     []string
		Violations []struct {
			Invariant, Instance string
			Depth               int
		}
	}
	check := func(t *testing.T, manifest string, flags ...string) (r result) {
		args := append([]string{"check", manifest, "-json", "-quiet", "-traces", t.TempDir()}, flags...)
		cmd := exec.Command("multigrain", args...)
		cmd.Env = quickly()
		out, err := cmd.Output()
		if e := json.Unmarshal(out, &r); e != nil || r.Distinct == 0 || (r.Verdict == "violated") != (len(r.Violations) > 0) {
			t.Fatalf("%s: %v, %v: %s", manifest, err, e, out)
		}
		return r
	}
	var ran, smaller atomic.Int32
	t.Run("manifests", func(t *testing.T) {
		for _, m := range manifests {
			t.Run(strings.TrimSuffix(filepath.Base(m), ".hcl"), func(t *testing.T) {
				t.Parallel()
				ran.Add(1)
				whole, sliced := check(t, m), check(t, m, "-slice")
				first := func(r result) any { // a repair has no violation
					if len(r.Violations) == 0 {
						return nil
					}
					return r.Violations[0]
				}
				if whole.Verdict != sliced.Verdict || first(whole) != first(sliced) || sliced.Distinct > whole.Distinct {
					t.Errorf("%+v, sliced %+v", whole, sliced)
				}
				if sliced.Distinct < whole.Distinct {
					smaller.Add(1)
				}
				t.Logf("%d states, %d without %v", whole.Distinct, sliced.Distinct, sliced.Sliced)
			})
		}
	})
	if int(ran.Load()) == len(manifests) && smaller.Load() == 0 { // a sample may have none
		t.Error("nothing is ever left out")
	}
}
