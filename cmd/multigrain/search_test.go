package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// searched are shipped manifests with at most 300,000 states.
var searched = []string{
	"raft/additions", "raft/client", "raft/coarse-beats", "raft/election", "raft/membership", "raft/membership-joint", "raft/reads", "raft/storage",
	"zab/parity-mspec2", "zab/parity-zab", "zab/bugs/*", "raft/mistakes/*",
}

type searchResult struct {
	Verdict, Digest, Reason    string
	Distinct, Generated, Depth int64
	Workers                    int
	Violations                 []struct {
		Invariant string
		Depth     int
	}
	On *struct {
		Engine            string
		Workers, Restarts int
	}
	Diagnostics []struct{ Code string }
}

func explored(t *testing.T, manifest string, most int, flags ...string) (r searchResult) {
	t.Helper()
	args := append([]string{"check", manifest, "-json", "-quiet", "-allow-broken", "-traces", t.TempDir(), "-max-states", fmt.Sprint(most)}, flags...)
	cmd := exec.Command("multigrain", args...)
	cmd.Env = quickly()
	out, err := cmd.Output()
	if e := json.Unmarshal(out, &r); e != nil {
		t.Fatalf("%s: %v, %v: %s", manifest, err, e, out)
	}
	return r
}

// TestSearch: a search on several workers finds in shipped manifests what a search alone finds. Of
// those that are compared, one has a violation at least, and one has none.
func TestSearch(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds 40 programs and runs each five times; set MULTIGRAIN_SLOW=1")
	}
	most, patterns := 300_000, searched
	if os.Getenv("MULTIGRAIN_SEARCHES") != "" { // hours
		most, patterns = 5_000_000, []string{"raft/*", "raft/*/*", "zab/*", "zab/*/*", "examples/*", "examples/*/*"}
	}
	compared, violated := 0, 0
	for _, p := range patterns {
		for _, manifest := range glob(t, p+".hcl") {
			alone := explored(t, manifest, most)
			if alone.Verdict == "undecided" || alone.Verdict == "" {
				continue // larger, or no manifest to check
			}
			for workers := 1; workers <= 4; workers++ {
				on := explored(t, manifest, most, "-on", "embedded", "-workers", fmt.Sprint(workers))
				if slices.ContainsFunc(on.Diagnostics, func(d struct{ Code string }) bool { return d.Code == "MG239" }) {
					t.Logf("%s is refused", filepath.Base(manifest))
					break
				}
				if on.On == nil || on.On.Workers != workers {
					t.Errorf("%s: %d workers: %s, on %+v", manifest, workers, on.Reason, on.On)
					break
				}
				if on.Verdict != alone.Verdict || on.Distinct != alone.Distinct || on.Generated != alone.Generated || on.Depth != alone.Depth || on.Digest != alone.Digest ||
					len(alone.Violations) > 0 && (len(on.Violations) == 0 || on.Violations[0] != alone.Violations[0]) {
					t.Errorf("%s: %d workers: %+v\nalone: %+v", manifest, workers, on, alone)
				}
				if workers == 4 {
					compared++
					violated += min(1, len(alone.Violations))
				}
			}
		}
	}
	if compared < 15 || violated == 0 || violated == compared {
		t.Errorf("%d manifests were compared, %d of them with violations", compared, violated)
	}
}
