//go:build !multigrain_runtime

package etcdraft

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sizes are the constants of package raft for the runs of TestCoverage.
var sizes = []map[string]string{
	{"MaxTerm": "10", "MaxRequests": "4", "MaxQueue": "24", "MaxInflight": "2", "PreVote": "true", "CheckQuorum": "true", "MaxTransfers": "4", "MaxChanges": "4",
		"MaxReads": "4", "MaxCompactions": "4", "ByConsensus": `"joint"`, "InitialVoters": "2"},
	{"MaxTerm": "10", "MaxRequests": "4", "MaxQueue": "24", "MaxInflight": "2", "MaxTransfers": "4", "MaxChanges": "4", "MaxReads": "4", "MaxWrites": "8",
		"ByConsensus": `"joint-manual"`},
	{"MaxTerm": "10", "MaxRequests": "8", "MaxQueue": "24", "PreVote": "true", "CheckQuorum": "true", "MaxReads": "4", "ReadOnlyOption": `"lease"`},
}

// TestCoverage runs TestWalks at these sizes with the library instrumented, and prints how much of
// its functions was run.
func TestCoverage(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("builds the library three times with instrumentation: set MULTIGRAIN_SLOW=1")
	}
	dir := t.TempDir()
	blocks := map[string]bool{} // of the profiles, whether they were run
	for k, set := range sizes {
		overlay := overlayOf(t, filepath.Join(dir, strconv.Itoa(k)), set)
		profile := filepath.Join(dir, fmt.Sprint(k, ".out"))
		cmd := exec.Command("go", "test", "-overlay="+overlay, "-run=^TestWalks$", "-count=1", "-coverpkg=go.etcd.io/raft/v3/...", "-coverprofile="+profile, ".")
		cmd.Env = append(os.Environ(), "MULTIGRAIN_WALKS=2000")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		merge(t, blocks, profile)
	}
	merged := filepath.Join(dir, "merged.out")
	var text strings.Builder
	text.WriteString("mode: set\n")
	for b, run := range blocks {
		fmt.Fprintf(&text, "%s %d\n", b, map[bool]int{true: 1}[run])
	}
	if err := os.WriteFile(merged, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "cover", "-func="+merged).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	step := regexp.MustCompile(`(?m)^\S+/(raft\.go:\d+:)\s+(Step|step\w+|handle\w+|maybeSend\w+|hup|campaign|restore|applyConfChange|switchToConfig)\s+([0-9.]+)%$`)
	found := step.FindAllStringSubmatch(string(out), -1)
	for _, m := range found {
		t.Logf("%-10s %-22s %6s %%", strings.TrimSuffix(m[1], ":"), m[2], m[3])
		if share, _ := strconv.ParseFloat(m[3], 64); m[2] == "Step" && share < 80 {
			t.Errorf("only %s %% of Step was run", m[3])
		}
	}
	if len(found) < 10 {
		t.Errorf("only %d functions found in\n%s", len(found), out)
	}
}

// overlayOf writes an overlay in which package raft has other constants.
func overlayOf(t *testing.T, dir string, set map[string]string) string {
	t.Helper()
	path, err := filepath.Abs("../sizes.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range set {
		re := regexp.MustCompile(`(?m)^(\t` + name + `\s*= ).*$`)
		if !re.Match(text) {
			t.Fatalf("%s has no constant %s", path, name)
		}
		text = re.ReplaceAll(text, []byte("${1}"+value))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	changed, overlay := filepath.Join(dir, "sizes.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, text, 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return overlay
}

// merge notes which blocks of a profile were run.
func merge(t *testing.T, blocks map[string]bool, profile string) {
	t.Helper()
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		at := strings.LastIndexByte(lines.Text(), ' ')
		if strings.HasPrefix(lines.Text(), "mode:") || at < 0 {
			continue
		}
		block := lines.Text()[:at]
		blocks[block] = blocks[block] || lines.Text()[at+1:] != "0"
	}
}
