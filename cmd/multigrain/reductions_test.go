package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// quickly returns the environment of programs that are built once and run for a second: their main
// package, which takes longest to compile, is not optimized.
func quickly() []string { return append(os.Environ(), "GOFLAGS=-gcflags=-l") }

// glob returns the shipped manifests that a pattern below configs matches.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob("../../configs/" + pattern)
	if err != nil || len(found) == 0 {
		t.Fatal(pattern, err)
	}
	return found
}

// reducible are the shipped manifests outside raft/mistakes and zab/bugs that end within the
// limit and for which one of the reductions at least is sound. Of the others, TestRefusals has
// an example for each reason.
var reducible = []string{"raft/client", "raft/election", "raft/etcd", "raft/etcd-full", "zab/parity-zab", "zab/parity-zk37"}

type reducedResult struct {
	Verdict    string
	Distinct   int64
	Seconds    float64
	Violations []struct {
		Kind  string
		Depth int
	}
	Diagnostics []struct{ Code, Severity, Summary, Detail string }
}

// refused is why a reduction is refused; "" where it is not.
func (r *reducedResult) refused() string {
	for _, d := range r.Diagnostics {
		if slices.Contains([]string{"MG220", "MG538", "MG539"}, d.Code) {
			return d.Detail
		}
	}
	return ""
}

func checkReduced(t *testing.T, manifest string, flags ...string) (r reducedResult) {
	t.Helper()
	args := append([]string{"check", manifest, "-json", "-quiet", "-allow-broken", "-traces", t.TempDir(), "-max-states", "250000"}, flags...)
	cmd := exec.Command("multigrain", args...)
	cmd.Env = quickly()
	out, err := cmd.Output()
	if e := json.Unmarshal(out, &r); e != nil {
		t.Fatalf("%s: %v, %v: %s", manifest, err, e, out)
	}
	return r
}

// TestReductions: symmetry and partial-order reduction change no verdict, symmetry not the
// length of the shortest counterexample either, and neither makes more states. What refuses one
// is named.
func TestReductions(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds 33 programs and runs each three times; set MULTIGRAIN_SLOW=1")
	}
	manifests := slices.Concat(glob(t, "raft/mistakes/*.hcl"), glob(t, "zab/bugs/*.hcl"))
	for _, m := range reducible {
		manifests = append(manifests, "../../configs/"+m+".hcl")
	}
	var mu sync.Mutex
	ran, smaller, applied := 0, map[string]int{}, map[string]int{}
	t.Run("manifests", func(t *testing.T) {
		for _, m := range manifests {
			t.Run(strings.TrimSuffix(filepath.Base(m), ".hcl"), func(t *testing.T) {
				t.Parallel()
				whole := checkReduced(t, m)
				mu.Lock()
				ran++
				mu.Unlock()
				if whole.Verdict == "undecided" || whole.Verdict == "" {
					return
				}
				for _, flag := range []string{"-symmetry", "-por"} {
					got := checkReduced(t, m, flag)
					if why := got.refused(); why != "" {
						t.Logf("%s: refused: %.120s", flag, why)
						continue
					}
					// violations end a run in the middle of a level, where the limit may come first
					if got.Verdict == "undecided" {
						continue
					}
					if got.Verdict != whole.Verdict || len(got.Violations) != len(whole.Violations) ||
						whole.Verdict == "holds" && got.Distinct > whole.Distinct ||
						flag == "-symmetry" && fmt.Sprint(got.Violations) != fmt.Sprint(whole.Violations) {
						t.Errorf("%s: %+v, without %+v", flag, got, whole)
					}
					mu.Lock()
					applied[flag]++
					if got.Distinct < whole.Distinct {
						smaller[flag]++
					}
					mu.Unlock()
					t.Logf("%s: %s, %d states in %.2f s; without %d in %.2f s", flag, got.Verdict, got.Distinct, got.Seconds, whole.Distinct, whole.Seconds)
				}
			})
		}
	})
	// a sample may have fewer
	if ran == len(manifests) && (smaller["-symmetry"] == 0 || applied["-por"] < 10) {
		t.Errorf("nothing is ever left out: applied %v, smaller %v", applied, smaller)
	}
}

// TestRefusals: what makes a reduction unsound refuses it before a program is built.
func TestRefusals(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it loads and analyses three systems five times; set MULTIGRAIN_SLOW=1")
	}
	t.Parallel()
	for _, x := range []struct{ manifest, flag, why string }{
		{"raft/membership-joint", "-symmetry", "names server 0"},
		{"raft/etcd-trace", "-symmetry", "no action takes a server"},
		{"zab/endpoints", "-symmetry", "orders servers"},
		{"zab/liveness", "-symmetry", "Liveness properties are not checked with symmetry"},
		{"zab/liveness", "-por", "Liveness properties are not checked with partial-order reduction"},
	} {
		r := checkReduced(t, "../../configs/"+x.manifest+".hcl", x.flag)
		if why := r.refused(); !strings.Contains(why, x.why) || r.Distinct != 0 {
			t.Errorf("%s %s: %q, %d states", x.manifest, x.flag, why, r.Distinct)
		}
	}
}
