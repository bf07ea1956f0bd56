package raft

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// transcriptSizes are the constants for transcripts of what the default sizes leave out.
var transcriptSizes = map[string]string{
	"MaxTerm": "4", "MaxRequests": "3", "MaxReads": "2", "MaxChanges": "3", "MaxCompactions": "2", "MaxTransfers": "2",
	"MaxQueue": "8", "ByConsensus": `"joint"`,
}

// withAll says that this binary has transcriptSizes.
const withAll = MaxTerm == 4 && MaxReads == 2 && MaxChanges == 3 && MaxCompactions == 2 && MaxTransfers == 2 && ByConsensus == "joint"

// TestTranscripts narrates scenarios step by step: see testdata/basic. In a transcript, "start"
// begins anew. Each line of "run" is an action with its servers, the receiver of a message before
// the sender; the position of the message may be left out. The output of a step is the state of
// each server that the step changes, and each message that it sends. The line "deliver" handles
// messages until none is in flight. The command "reach" is a run that prints only steps that are
// not enabled. Run with -rewrite to write the output into the transcripts.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	if Servers != 3 || MaxTerm < 2 || MaxRequests < 1 || Network != "udp" || PreVote || CheckQuorum || Mistake != "none" {
		t.Skip("the transcripts are for the sizes as they are")
	}
	transcripts(t, "testdata/basic", grains.Choice{Grains: refs("election/baseline replication/baseline apply/baseline " +
		"client/baseline faults/restart-partition network/drop-duplicate")})
}

// TestTranscriptsOfAll narrates scenarios with membership, snapshots, reads and transfers: see
// testdata/all. Their constants are 0 by default, so the test builds and runs itself with others.
func TestTranscriptsOfAll(t *testing.T) {
	t.Parallel()
	if withAll {
		transcripts(t, "testdata/all", grains.Choice{Grains: refs("election/fine replication/baseline apply/baseline " +
			"membership/baseline snapshot/baseline client/reads faults/restart-partition network/drop-duplicate")})
		return
	}
	if os.Getenv(nested) != "" {
		t.Fatal("the overlay did not change the sizes")
	}
	if testing.Short() {
		t.Skip("builds the package with other sizes")
	}
	args := []string{"test", "-overlay=" + transcriptOverlay(t), "-run=^TestTranscriptsOfAll$", "-count=1", "-v", "."}
	if f := flag.Lookup("rewrite"); f != nil && f.Value.String() == "true" {
		args = append(args, "-rewrite")
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), nested+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestTranscriptsOfAll/") {
		t.Errorf("%v\n%s", err, out)
	}
}

// nested is set for the test that TestTranscriptsOfAll runs.
const nested = "MULTIGRAIN_TRANSCRIPTS"

// transcriptOverlay writes an overlay in which this package has transcriptSizes.
func transcriptOverlay(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("sizes.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range transcriptSizes {
		re := regexp.MustCompile(`(?m)^(\t` + name + `\s*= ).*$`)
		if !re.Match(text) {
			t.Fatalf("%s has no constant %s", path, name)
		}
		text = re.ReplaceAll(text, []byte("${1}"+value))
	}
	dir := t.TempDir()
	changed, overlay := filepath.Join(dir, "sizes.go"), filepath.Join(dir, "overlay.json")
	b, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{changed: text, overlay: b} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}

func refs(list string) (out []grains.Ref) {
	for _, s := range strings.Fields(list) {
		m, g, _ := strings.Cut(s, "/")
		out = append(out, grains.Ref{Module: m, Grain: g})
	}
	return out
}

func transcripts(t *testing.T, dir string, c grains.Choice) {
	c.Budgets = map[string]int{}
	for _, b := range []string{"timeouts", "requests", "heartbeats", "restarts", "partitions", "drops", "duplicates", "learners", "compactions", "transfers"} {
		c.Budgets[b] = 100
	}
	m, err := grains.Compose(&System, c)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [16]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > 150 {
			t.Errorf("%s has %d lines: tell its end in another one", path, n)
		}
		x := &story{spec: spec}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "start" {
				x.now = node{State: cluster(func(*State) {})}
				return ""
			}
			return x.run(t, d.Input, d.Cmd == "reach")
		})
	})
}

// story is a scenario under way.
type story struct {
	spec *checker.Spec[node]
	now  node
	out  strings.Builder
}

func (x *story) run(t *testing.T, lines string, quiet bool) string {
	x.out.Reset()
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if slices.Equal(words, []string{"deliver"}) {
			x.deliver(quiet)
			continue
		}
		known, enabled := x.find(words)
		switch {
		case !known:
			t.Fatalf("no action %q", strings.TrimSpace(line))
		case enabled < 0:
			x.out.WriteString(strings.Join(words, " ") + " is not enabled\n")
		default:
			x.take(enabled, strings.Join(words, " "), quiet)
		}
	}
	return x.out.String()
}

// find finds an instance whose name and first parameters are the words: the first one that is
// enabled.
func (x *story) find(words []string) (known bool, enabled int) {
	for k := range x.spec.Instances {
		call := x.call(k)
		if len(call) < len(words) || !slices.Equal(call[:len(words)], words) {
			continue
		}
		known = true
		if x.spec.Enabled(&x.now, k) {
			return true, k
		}
	}
	return known, -1
}

func (x *story) call(k int) []string {
	c := &x.spec.Instances[k]
	call := []string{x.spec.Actions[c.Action].Name}
	for _, p := range c.Params.Elems {
		text := p.Text
		if p.Shape == modules.Collection {
			var members []string
			for _, m := range p.Elems {
				members = append(members, m.Text)
			}
			text = "{" + strings.Join(members, ",") + "}"
		}
		call = append(call, text)
	}
	return call
}

// take takes a step and prints it.
func (x *story) take(k int, name string, quiet bool) {
	next := x.now
	x.spec.Apply(&x.now, &next, k)
	if !quiet {
		x.out.WriteString(name + "\n")
		before := x.out.Len()
		printStep(&x.out, &x.now.State, &next.State)
		if x.out.Len() == before {
			x.out.WriteString("  no visible change\n")
		}
	}
	x.now = next
}

// deliver handles messages, in the order of receivers and senders, until none is in flight that is
// not lost.
func (x *story) deliver(quiet bool) {
	for range 200 {
		k := slices.IndexFunc(x.spec.Instances, func(c checker.Instance) bool {
			return strings.HasPrefix(x.spec.Actions[c.Action].Name, "Handle")
		})
		for ; k < len(x.spec.Instances); k++ {
			if strings.HasPrefix(x.call(k)[0], "Handle") && x.spec.Enabled(&x.now, k) {
				break
			}
		}
		if k == len(x.spec.Instances) {
			return
		}
		x.take(k, strings.Join(x.call(k)[:3], " "), quiet)
	}
	x.out.WriteString("messages are still in flight after 200 steps\n")
}
