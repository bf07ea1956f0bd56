package events_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/raft/events"
)

// recorder is the program that records logs, built once with the tag with_tla.
var recorder = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "record")
	out, err := exec.Command("go", "build", "-tags", "with_tla", "-o", program, "./testdata/record").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return program, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if program, err := recorder(); err == nil {
		os.RemoveAll(filepath.Dir(program))
	}
	os.Exit(code)
}

// record returns a log of the library under random faults.
func record(t *testing.T, flags string) []byte {
	t.Helper()
	program, err := recorder()
	if err != nil {
		t.Fatal(err)
	}
	log, err := exec.Command(program, strings.Fields(flags)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// mapping is the trace block of the shipped manifest.
var mapping = sync.OnceValues(func() (*spectest.Mapping, error) {
	m, diags := configs.Load("../../configs/raft/etcd-trace.hcl", configs.Options{})
	if diags.HasErrors() {
		return nil, diags
	}
	out := new(spectest.Mapping)
	return out, json.Unmarshal(m.Trace.Encoded(), out)
})

func names(t reflect.Type, v int64) (string, bool) {
	list := map[reflect.Type][]string{
		reflect.TypeFor[events.Role](): {"Follower", "Candidate", "Leader", "PreCandidate"},
		reflect.TypeFor[events.Kind](): {"", "MsgVote", "MsgVoteResp", "MsgApp", "MsgAppResp", "MsgHeartbeat", "MsgHeartbeatResp", "MsgSnap"},
		reflect.TypeFor[events.Duty](): {"Nothing", "RaiseTerm", "StepBack", "GiveUp", "TakeOffice", "Vote", "Acknowledge", "Beat", "Install", "Count"},
	}[t]
	if v < 0 || v >= int64(len(list)) || list[v] == "" {
		return "", false
	}
	return list[v], true
}

func enum(t reflect.Type) map[string]int64 {
	out := map[string]int64{}
	for v := range int64(16) {
		if s, ok := names(t, v); ok {
			out[s] = v
		}
	}
	return out
}

func validate(t *testing.T, log []spectest.Event) *spectest.LogResult[events.State] {
	t.Helper()
	r, problems := validateKnown(t, log)
	if len(problems) > 0 {
		t.Fatalf("%+v", problems)
	}
	return r
}

// validateKnown validates a log. The problems are events that the mapping does not know.
func validateKnown(t *testing.T, log []spectest.Event) (*spectest.LogResult[events.State], []spectest.Problem) {
	t.Helper()
	m, err := mapping()
	if err != nil {
		t.Fatal(err)
	}
	spec, err := grains.Compose(&events.System, grains.Choice{Invariants: []string{"*"}, Grains: []grains.Ref{
		{Module: "election", Grain: "unlogged"}, {Module: "replication", Grain: "baseline"}, {Module: "storage", Grain: "baseline"},
		{Module: "membership", Grain: "baseline"}, {Module: "faults", Grain: "crash-restart"}}})
	if err != nil {
		t.Fatal(err)
	}
	return spectest.Validate(spec, m, log, spectest.LogOptions{Names: modules.Names(names), Enum: modules.Enum(enum), MaxStates: 500_000})
}

func read(t *testing.T, log []byte) []spectest.Event {
	t.Helper()
	l, err := spectest.ReadLog(bytes.NewReader(log), "log", "etcd-raft")
	if err != nil {
		t.Fatal(err)
	}
	return l.Events
}

// TestRecorded validates logs of the library in several configurations, whole and truncated.
func TestRecorded(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{
		"-seed 1", "-seed 2 -bootstrap", "-seed 3 -prevote -checkquorum", "-seed 4 -changes", "-seed 5 -compact -batch 0",
		"-seed 6 -changes -compact -prevote -checkquorum -bootstrap -crashes 9 -loss 20 -servers 4",
	} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			log := read(t, record(t, flags+" -events 2000"))
			r := validate(t, log)
			if r.Verdict != checker.Holds || r.Matched != len(log) || r.Broken != nil {
				t.Fatalf("%s: %s, %d of %d events, %+v %+v", r.Verdict, r.Reason, r.Matched, len(log), r.Broken, r.Candidates)
			}
			led, restarted := r.Fired[6], int64(0)
			for k := range r.Steps {
				if r.Steps[k].Action == len(r.Fired)-3 {
					restarted++
				}
			}
			if led == 0 || restarted == 0 {
				t.Errorf("%d elections and %d restarts are too few for a test", led, restarted)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for range 5 {
				if n := 1 + rng.IntN(len(log)); validate(t, log[:n]).Verdict != checker.Holds {
					t.Errorf("cut behind %d events it does not match", n)
				}
			}
		})
	}
}

// at returns a place in an event.
func at(e map[string]any, path string) (map[string]any, string) {
	parts := strings.Split(path, ".")
	for _, p := range parts[:len(parts)-1] {
		e, _ = e[p].(map[string]any)
	}
	return e, parts[len(parts)-1]
}

// corrupted returns the log with a field of event k changed; ok reports whether the event has the
// field.
func corrupted(log []spectest.Event, k int, path string) (out []spectest.Event, ok bool) {
	out = append([]spectest.Event(nil), log...)
	b, err := json.Marshal(log[k].Fields)
	if err != nil {
		return nil, false
	}
	one, err := spectest.ReadLog(bytes.NewReader(b), "log", "etcd-raft")
	if err != nil {
		return nil, false
	}
	m, name := at(one.Events[0].Fields, path)
	switch v := m[name].(type) {
	case int64:
		m[name] = v + 1
	case bool:
		m[name] = !v
	case string:
		m[name] = map[string]string{"1": "2", "StateFollower": "StateLeader", "StateLeader": "StateFollower"}[v]
		if m[name] == "" {
			m[name] = "1"
		}
	default:
		return nil, false
	}
	out[k] = one.Events[0]
	out[k].Name, _ = out[k].Fields["name"].(string)
	out[k].Line = log[k].Line
	return out, true
}

// TestRecordingIsRepeatable: what the other tests judge is the same log on every machine.
func TestRecordingIsRepeatable(t *testing.T) {
	const flags = "-seed 4 -events 3000 -changes -compact -prevote -checkquorum"
	if a, b := record(t, flags), record(t, flags); !bytes.Equal(a, b) {
		t.Errorf("two recordings differ (%d and %d bytes)", len(a), len(b))
	}
}

// TestCorruptedField: a changed field is refused at its event. With another type of message the
// event can be one that the mapping does not know.
func TestCorruptedField(t *testing.T) {
	t.Parallel()
	log := read(t, record(t, "-seed 7 -events 500 -changes"))
	rng := rand.New(rand.NewPCG(3, 4))
	for _, path := range []string{
		"state.term", "state.vote", "state.commit", "role", "log", "nid", "msg.type", "msg.term", "msg.from", "msg.to", "msg.entries", "msg.logTerm",
		"msg.index", "msg.commit", "msg.reject", "msg.rejectHint",
	} {
		done := 0
		for done < 4 {
			k := 60 + rng.IntN(len(log)-60)
			bad, ok := corrupted(log, k, path)
			if !ok || log[k].Name == "InitState" || log[k].Name == "ChangeConf" || strings.HasPrefix(path, "msg.type") && log[k].Name == "InitState" {
				continue
			}
			done++
			r, problems := validateKnown(t, bad)
			if len(problems) > 0 {
				if p := problems[0]; path != "msg.type" || p.Kind != "event" || p.Line != log[k].Line {
					t.Errorf("%s of event %d (%s): %+v", path, k, log[k].Name, problems)
				}
				continue
			}
			// a message may be like another one, for a while
			right := r.Matched == k || r.Matched > k && strings.HasPrefix(path, "msg.")
			if r.Verdict != checker.Violated || !right || len(r.Candidates) == 0 {
				t.Errorf("%s of event %d (%s): %s, %d matched", path, k, log[k].Name, r.Verdict, r.Matched)
			}
		}
	}
}

// TestLostEvent: most events cannot be missing. What may be missing is named.
func TestLostEvent(t *testing.T) {
	t.Parallel()
	log := read(t, record(t, "-seed 8 -events 600"))
	rng := rand.New(rand.NewPCG(5, 6))
	missed := map[string]int{}
	for range 40 {
		k := 60 + rng.IntN(len(log)-260) // what depends on it follows
		bad := append(append([]spectest.Event(nil), log[:k]...), log[k+1:]...)
		r := validate(t, bad)
		if r.Verdict == checker.Holds {
			missed[log[k].Name+" "+fmt.Sprint(log[k].Fields["role"])]++
			continue
		}
		if r.Matched < k {
			t.Errorf("without event %d (%s) only %d are matched", k, log[k].Name, r.Matched)
		}
	}
	t.Logf("missed: %v", missed)
}
