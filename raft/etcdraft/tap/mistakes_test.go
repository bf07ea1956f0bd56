package tap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// mistake is a change of the library, in one place, that brings back a known bug. Where that makes
// a difference it calls departs, which returns false and says so to the logger.
type mistake struct {
	name, key      string
	file, old, new string // "" where the cluster makes the mistake
	manifest       string
	o              taptest.Options
}

// turbulent are clusters that elect often.
var (
	turbulent = taptest.Options{Nodes: 3, Cut: 0.02, Tick: 0.9, Calm: true}
	changing  = taptest.Options{Nodes: 3, Change: 0.05, Joint: true, SlowApply: 0.2, Cut: 0.02, Tick: 0.9, Calm: true, Applies: true, Steps: true,
		PreVote: true, Quorum: true}
	lagging = taptest.Options{Nodes: 3, Messages: 4000, Compact: 0.3, Report: 0.1, Cut: 0.03, Drop: 0.2, Propose: 0.3, Tick: 0.9, Calm: true, Applies: true, Steps: true, PreVote: true, Quorum: true}
	reading = taptest.Options{Nodes: 3, Cut: 0.01, Tick: 0.7, Read: 0.05, Calm: true, PreVote: true, Quorum: true}
)

var mistakes = []mistake{
	{"etcd#741: a leader answers reads without asking whether it still leads", "741", "raft.go", "switch r.readOnly.option {",
		`switch r.readOption() {`,
		"monitor-reads.hcl", reading},
	{"etcd#7331: a leader answers reads before it has committed an entry of its term", "7331", "raft.go", "if !r.committedEntryInCurrentTerm() {",
		`if !r.committedEntryInCurrentTerm() && !departs(r.logger, "7331") {`, "monitor-reads.hcl", reading},
	{"etcd#12133: changes of the second kind are not counted before a campaign", "12133", "raft.go",
		"ents[i].GetType() == pb.EntryConfChange || ents[i].GetType() == pb.EntryConfChangeV2",
		`ents[i].GetType() == pb.EntryConfChange || ents[i].GetType() == pb.EntryConfChangeV2 && !departs(r.logger, "12133")`,
		"monitor-etcd.hcl", changing},
	{"etcd#7280: a campaign does not wait for changes to be applied", "7280", "raft.go", "if r.hasUnappliedConfChanges() {",
		`if r.hasUnappliedConfChanges() && !departs(r.logger, "7280") {`, "monitor-etcd.hcl", changing},
	{"a vote without a look at the log", "vote", "raft.go", "if canVote && r.raftLog.isUpToDate(candLastID) {",
		`if canVote && (r.raftLog.isUpToDate(candLastID) || departs(r.logger, "vote")) {`, "monitor.hcl", turbulent},
	{"figure 8: entries of earlier terms are committed by counting", "figure8", "log.go", "at.index > l.committed && l.matchTerm(at)",
		`at.index > l.committed && (l.matchTerm(at) || departs(l.logger, "figure8"))`, "monitor.hcl", turbulent},
	{"a snapshot has the leader's term in place of its last entry's", "term", "raft.go", "Type: pb.MsgSnap.Enum(), Snapshot: snapshot})",
		"Type: pb.MsgSnap.Enum(), Snapshot: r.ofMyTerm(snapshot)})", "monitor-etcd.hcl", lagging},
	{"a snapshot that is not taken is answered with the end of the log", "end", "raft.go", `ignored snapshot [index: %d, term: %d]",
			r.id, r.raftLog.committed, sindex, sterm)
		r.send(&pb.Message{To: m.From, Type: pb.MsgAppResp.Enum(), Index: new(r.raftLog.committed)})`, `ignored snapshot [index: %d, term: %d]",
			r.id, r.raftLog.committed, sindex, sterm)
		r.send(&pb.Message{To: m.From, Type: pb.MsgAppResp.Enum(), Index: new(r.endOfLog())})`, "monitor-etcd.hcl", lagging},
	{"a crash forgets the vote", "", "", "", "", "monitor.hcl",
		taptest.Options{Nodes: 3, ForgetVote: true, Crash: 0.05, Cut: 0.01, Tick: 0.9, Calm: true}},
}

// departs is added to the library: the mistake that is made is named in the environment.
const departs = `package raft

import (
	"os"

	pb "go.etcd.io/raft/v3/raftpb"
)

var mistake = os.Getenv("MULTIGRAIN_MISTAKE")

func departs(l Logger, name string) bool {
	if name != mistake {
		return false
	}
	l.Debug("departs")
	return true
}

func (r *raft) readOption() ReadOnlyOption {
	if departs(r.logger, "741") {
		return ReadOnlyLeaseBased
	}
	return r.readOnly.option
}

func (r *raft) ofMyTerm(snap *pb.Snapshot) *pb.Snapshot {
	if snap.GetMetadata().GetTerm() != r.Term && departs(r.logger, "term") {
		snap.Metadata.Term = new(r.Term)
	}
	return snap
}

func (r *raft) endOfLog() uint64 {
	if r.raftLog.lastIndex() > r.raftLog.committed && departs(r.logger, "end") {
		return r.raftLog.lastIndex()
	}
	return r.raftLog.committed
}
`

// TestMistakes runs clusters of a changed copy of the library until a monitor raises an alarm.
func TestMistakes(t *testing.T) {
	if !slow(t) {
		t.Skip("it builds a changed copy of the library and runs many clusters of it; set MULTIGRAIN_SLOW=1")
	}
	const clusters = 60
	record := recorder(t)
	for k := range mistakes {
		m := &mistakes[k]
		t.Run(m.name, func(t *testing.T) {
			x := assemble(t, m.manifest)
			missed := 0
			for seed := range clusters {
				streams, departed := record(m.key, mistaken(m.o, seed))
				for i, stream := range streams {
					if departed[i] < 0 {
						continue
					}
					r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: m.o.Steps})
					if r.verdict != "violated" {
						missed++
						continue
					}
					report(t, &r, stream, departed[i], seed, i, missed)
					return
				}
			}
			t.Errorf("no alarm in %d clusters, of which nodes departed from the library in %d streams", clusters, missed)
		})
	}
}

// old are libraries of old releases of etcd, with the bugs that they had: programs in testdata,
// each with a schedule in which a node runs into one.
var old = []struct {
	name, folder string
	manifest     string
	vars         []string
	node         int    // that runs into the bug
	behind       string // where it departs: the last line with this text
}{
	{"etcd#7331 in v3.1.0: a read before the first commit", "etcd31", "monitor-reads.hcl", []string{"pre_vote=false"}, 0, "AskRead"},
	{"etcd#7280 in v3.0.17: a campaign before a change is applied", "etcd30", "monitor-etcd.hcl", []string{"pre_vote=false", "check_quorum=false"}, 1, `"event":"in"`},
	{"etcd#12133 in v3.4.7: a campaign before a change is applied", "etcd34", "monitor-etcd.hcl", nil, 1, `"event":"in"`},
}

// TestOldLibraries runs each next to a monitor: what the node does too early is an alarm, the same
// a little later is none.
func TestOldLibraries(t *testing.T) {
	if !slow(t) {
		t.Skip("it builds raft libraries of old releases of etcd; set MULTIGRAIN_SLOW=1")
	}
	for _, o := range old {
		t.Run(o.name, func(t *testing.T) {
			build := func(args ...string) ([]byte, error) {
				cmd := exec.Command("go", args...)
				cmd.Dir = filepath.Join("testdata", o.folder)
				return cmd.CombinedOutput()
			}
			if out, err := build("mod", "download"); err != nil {
				t.Skipf("the module proxy does not have it: %s", out)
			}
			program := filepath.Join(t.TempDir(), "program")
			if out, err := build("build", "-o", program, "."); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			x := assemble(t, o.manifest, o.vars...)
			for when, want := range map[string]string{"early": "violated", "late": "holds"} {
				dir := t.TempDir()
				if out, err := exec.Command(program, dir, when).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				for i := range 3 {
					stream, err := os.ReadFile(filepath.Join(dir, fmt.Sprint(i)))
					if err != nil {
						t.Fatal(err)
					}
					r := x.check(t, i, stream, wire.Monitor{Total: true})
					switch {
					case i != o.node && r.verdict != "holds" || i == o.node && r.verdict != want:
						t.Errorf("%s, node %d: %s (%s) %s\n%s", when, i, r.verdict, r.reason, shown(r.alarm), stream)
					case r.alarm != nil:
						departed := bytes.Count(stream[:bytes.LastIndex(stream, []byte(o.behind))], []byte("\n"))
						report(t, &r, stream, departed, 0, i, 0)
					}
				}
			}
		})
	}
}

// report compares an alarm with what it must say, and logs how long it took: from is the line after
// which the node departed.
func report(t *testing.T, r *result, stream []byte, from, seed, node, missed int) {
	lines := bytes.SplitAfter(stream, []byte("\n"))
	a := r.alarm
	at := int(a.Position) - 1 // events are counted from 1
	if a.Message.Value == nil || len(a.Last) == 0 || !bytes.HasPrefix(lines[at], []byte(`{"event":"out"`)) {
		t.Errorf("the alarm names no message, or nothing before it: %s", shown(a))
	}
	if len(a.Expected) == 0 && a.Why == "" {
		t.Errorf("the alarm says neither what is allowed nor why nothing is: %s", shown(a))
	}
	if at < from {
		t.Errorf("the alarm is at event %d, and the node departed at %d: it is false", at, from)
	}
	outs := bytes.Count(bytes.Join(lines[from:at+1], nil), []byte(`{"event":"out"`))
	var allowed []string
	for _, e := range a.Expected {
		allowed = append(allowed, e.Action+" "+encoded(t, e.Value))
	}
	t.Logf("cluster %d, node %d: alarm at outgoing message %d, the %d. behind the departure (%d events); %d nodes had departed unnoticed\nsent %sallowed: %v",
		seed, node, a.Outgoing, outs, at+1-from, missed, lines[at], allowed)
}

func encoded(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// mistaken returns the options of a cluster in which a mistake is looked for.
func mistaken(o taptest.Options, seed int) taptest.Options {
	o.Seed, o.Messages, o.Propose, o.Drop, o.AtStep, o.Inflight = uint64(1000+seed), max(o.Messages, 800), max(o.Propose, 0.05), max(o.Drop, 0.01), true, 8
	return o
}

// TestNoMistakes runs the clusters of TestMistakes with the library as it is: there is no alarm,
// and all is decided.
func TestNoMistakes(t *testing.T) {
	clusters, kinds := 1, []int{2, 4}
	if slow(t) {
		clusters, kinds = 4, []int{1, 2, 4} // the different clusters
	}
	for _, k := range kinds {
		m := &mistakes[k]
		x := assemble(t, m.manifest)
		for seed := range clusters {
			c := taptest.New(mistaken(m.o, seed))
			if p := c.Run(); p != nil {
				t.Fatalf("the library panicked: %v", p)
			}
			for i, stream := range c.Streams {
				if r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: m.o.Steps}); r.verdict != "holds" {
					t.Errorf("%s, cluster %d, node %d: %s %s %s", m.name, seed, i, r.verdict, r.reason, shown(r.alarm))
				}
			}
		}
	}
}

// recorder builds the recorder with a copy of the library that can make every mistake, and returns
// the function that runs it. That returns the streams, and for each the number of lines before the
// node departed from the library, -1 where it did not.
func recorder(t *testing.T) func(mistake string, o taptest.Options) (streams [][]byte, departed []int) {
	t.Helper()
	dir := t.TempDir()
	run := func(environment, name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = "../../.."
		cmd.Env = append(os.Environ(), environment)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	lib := filepath.Join(dir, "lib")
	copyLibrary(t, run("", "go", "list", "-m", "-f", "{{.Dir}}", "go.etcd.io/raft/v3"), lib)
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), fmt.Sprintf("%s\nreplace go.etcd.io/raft/v3 => %s\n", mod, lib))
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	program := filepath.Join(dir, "record")
	run("", "go", "build", "-modfile="+filepath.Join(dir, "go.mod"), "-o", program, "./raft/etcdraft/tap/testdata/record")
	return func(mistake string, o taptest.Options) (streams [][]byte, departed []int) {
		b, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		to := t.TempDir()
		run("MULTIGRAIN_MISTAKE="+mistake, program, string(b), to)
		for i := range o.Nodes {
			s, err := os.ReadFile(filepath.Join(to, fmt.Sprint(i)))
			if err != nil {
				t.Fatal(err)
			}
			streams = append(streams, s)
		}
		b, err = os.ReadFile(filepath.Join(to, "departed"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &departed); err != nil {
			t.Fatal(err)
		}
		return streams, departed
	}
}

// copyLibrary copies a module without its tests, and makes it capable of all mistakes.
func copyLibrary(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "rafttest" || d.Name() == "testdata" || d.Name() == "tla"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case strings.HasSuffix(name, "_test.go") || filepath.Ext(name) != ".go" && d.Name() != "go.mod":
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(b)
		for _, m := range mistakes {
			if m.file != name || name == "" {
				continue
			}
			if !strings.Contains(text, m.old) {
				return fmt.Errorf("%s: there is no %q", name, m.old)
			}
			text = strings.Replace(text, m.old, m.new, 1)
		}
		return os.WriteFile(filepath.Join(to, name), []byte(text), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(to, "departs.go"), departs)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
