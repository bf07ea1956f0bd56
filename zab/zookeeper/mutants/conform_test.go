package mutants

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var limit = flag.Duration("limit", 15*time.Minute, "time of a search with -search")

// searcher looks for mutants with multigrain conform itself, in the walks of
// configs/zab/mspec-3.hcl on real servers: seed, depth, weights, bounds and known differences are
// the manifest's.
type searcher struct {
	command, folder string
	originals       string // the manifest of servers with the compiled originals
	builder         *Builder
}

// newSearcher builds the command and the originals of the mutants' classes.
func newSearcher(t testing.TB, b *Builder, of []Mutant) *searcher {
	t.Helper()
	dir := t.TempDir()
	s := &searcher{command: filepath.Join(dir, "multigrain"), folder: dir, builder: b}
	if out, err := exec.Command("go", "build", "-o", s.command, "github.com/multigrain/multigrain/cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	classes := filepath.Join(dir, "originals")
	if err := b.BuildOriginals(of, classes); err != nil {
		t.Fatal(err)
	}
	s.originals = s.manifest(t, "originals", "mspec-3.hcl", classes)
	return s
}

// manifest writes a manifest that extends one of configs/zab and has servers with a folder of
// classes, and returns its path.
func (s *searcher) manifest(t testing.TB, name, extends, classes string) string {
	t.Helper()
	base, err := filepath.Abs(filepath.Join("..", "..", "..", "configs", "zab", extends))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.folder, name+".hcl")
	text := fmt.Sprintf("extends = %q\n\nimplementation \"zookeeper\" {\n  settings {\n    patch = %q\n  }\n}\n", base, classes)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// verdict is the part of a result of conform and replay that a search needs.
type verdict struct {
	Verdict, Reason string
	Traces          int64
	Found           []finding
}

// finding is where servers depart from a walk.
type finding struct {
	Kind, Variable, Action, Message, Trace string
	Step                                   int
	Walk                                   int64
}

// most is how many kinds of differences a search takes. Not each one is the mutant's.
const most = 4

// run runs a verb of the command.
func (s *searcher) run(t testing.TB, args ...string) *verdict {
	t.Helper()
	cmd := exec.Command(s.command, append(args, "-impl", "zookeeper@"+Version, "-json", "-quiet")...)
	out, err := cmd.Output()
	var doc struct{ Conform *verdict }
	if bad := json.Unmarshal(out, &doc); bad != nil || doc.Conform == nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		t.Fatalf("multigrain %q: %v %v\n%s", args, err, bad, out)
	}
	return doc.Conform
}

// departure is the first difference of a result, nil if there is none.
func (v *verdict) departure() *departure {
	switch {
	case len(v.Found) > 0:
		d := v.Found[0]
		what, _, _ := strings.Cut(d.Message, "\n")
		if d.Variable != "" {
			what = strings.FieldsFunc(d.Variable, func(r rune) bool { return r == '[' || r == '.' })[0]
		}
		return &departure{step: d.Step, action: d.Action, what: what, driven: true}
	case v.Verdict == "undecided":
		return &departure{what: v.Reason}
	}
	return nil
}

// find looks for a mutant in as many walks as the flag says. Servers with the mutant have to depart
// in the same way once more, and servers with the originals have to do the same steps.
func (s *searcher) find(t testing.TB, m Mutant) (walk int64, d *departure, tried int64) {
	classes := filepath.Join(s.folder, m.Name)
	if err := s.builder.Build(m, classes); err != nil {
		t.Fatal(err)
	}
	manifest := s.manifest(t, m.Name, "mspec-3.hcl", classes)
	traces := filepath.Join(s.folder, m.Name+"-traces")
	v := s.run(t, "conform", manifest, "-traces", fmt.Sprint(*walks), "-time", limit.String(), "-stop", fmt.Sprint(most), "-branches=false", "-to", traces)
	for _, found := range v.Found {
		d := (&verdict{Found: []finding{found}}).departure()
		if again := s.run(t, "replay", found.Trace, "-manifest", manifest, "-to", traces).departure(); !d.equals(again) {
			t.Logf("walk %d departs at %v, and then at %v: that does not count", found.Walk, d, again)
		} else if same := s.run(t, "replay", found.Trace, "-manifest", s.originals, "-to", traces).departure(); same != nil {
			t.Logf("walk %d departs at %v, and the originals at %v: that does not count", found.Walk, d, same)
		} else {
			return found.Walk, d, v.Traces
		}
	}
	return 0, v.departure(), v.Traces
}

// TestReports takes a walk on servers with a mutant that departs, and on servers with one that does
// not come to the end of a step. The result of both shows the step, where the servers' threads
// stand, and what the servers have logged last. That of the first has both values. A replay shows
// the same.
func TestReports(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	b := builder(t)
	mutants := all(t)
	s := newSearcher(t, b, mutants[:1])
	departs := mutants[slices.IndexFunc(mutants, func(m Mutant) bool { return m.Name == "ack-of-newleader-before-log" })]
	// The prelude has epoch 1.
	hangs := Mutant{Name: "hangs-at-diff", Class: "quorum.Learner", Method: "syncWithLeader",
		Line: `LOG.info("Getting a diff from the leader 0x{}", Long.toHexString(qp.getZxid()));`, Becomes: "if (self.getAcceptedEpoch() > 1) { Thread.sleep(3_600_000L); }"}
	trace := ""
	for _, x := range []struct {
		mutant Mutant
		code   int
		shown  []string
	}{
		{departs, 30, []string{"difference: ", "FollowerProcessNEWLEADERReplyAck(", "Msgs", "specification ", "implementation "}},
		{hangs, 20, []string{"FollowerProcessSyncMessage(", "cannot be driven"}},
	} {
		classes := filepath.Join(s.folder, x.mutant.Name)
		if err := b.Build(x.mutant, classes); err != nil {
			t.Fatal(err)
		}
		manifest := s.manifest(t, x.mutant.Name, "mspec-3.hcl", classes)
		for _, verb := range []string{"conform", "replay"} {
			to := t.TempDir()
			args := []string{verb, "-impl", "zookeeper@" + Version, "-quiet", "-to", to}
			if verb == "conform" {
				args = append(args, "-traces", "1", "-branches=false", manifest)
			} else {
				args = append(args, "-manifest", manifest, trace)
			}
			cmd := exec.Command(s.command, args...)
			out, _ := cmd.CombinedOutput()
			shown := string(out)
			for _, want := range append(x.shown, "quorum.QuorumPeer.run", "stands at ", "its last lines") {
				if !strings.Contains(shown, want) {
					t.Errorf("%s of %s does not show %q", verb, x.mutant.Name, want)
				}
			}
			if code := cmd.ProcessState.ExitCode(); code != x.code || t.Failed() {
				t.Errorf("%s of %s ends with %d\n%s", verb, x.mutant.Name, code, shown)
			}
			t.Logf("%s of %s\n%s", verb, x.mutant.Name, shown)
			if found, _ := filepath.Glob(filepath.Join(to, "*.itf.json")); len(found) > 0 && trace == "" {
				trace = found[0]
			}
		}
	}
}
