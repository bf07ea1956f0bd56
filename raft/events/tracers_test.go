package events_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
)

// line is an event as a log has it.
type line struct {
	m map[string]any
}

func (l line) name() string { s, _ := l.m["name"].(string); return s }
func (l line) node() string { s, _ := l.m["nid"].(string); return s }

func (l line) part(name string) map[string]any { m, _ := l.m[name].(map[string]any); return m }

// lines returns the events of a log.
func lines(t *testing.T, log []byte) (out []line) {
	t.Helper()
	for _, text := range bytes.Split(bytes.TrimSpace(log), []byte("\n")) {
		var x struct{ Event map[string]any }
		if err := json.Unmarshal(text, &x); err != nil {
			t.Fatal(err)
		}
		out = append(out, line{x.Event})
	}
	return out
}

func eventsOf(t *testing.T, ls []line) []spectest.Event {
	t.Helper()
	var b bytes.Buffer
	for _, l := range ls {
		if err := json.NewEncoder(&b).Encode(l.m); err != nil {
			t.Fatal(err)
		}
	}
	return read(t, b.Bytes())
}

func holds(t *testing.T, what string, ls []line) {
	t.Helper()
	log := eventsOf(t, ls)
	if r := validate(t, log); r.Verdict != checker.Holds || r.Broken != nil {
		t.Errorf("%s: %s, %d of %d events matched; next is %v\n%+v", what, r.Verdict, r.Matched, len(log), log[r.Matched].Fields, r.Candidates)
	}
}

func refused(t *testing.T, what string, ls []line) {
	t.Helper()
	if r := validate(t, eventsOf(t, ls)); r.Verdict != checker.Violated {
		t.Errorf("%s: %s, %d of %d events matched", what, r.Verdict, r.Matched, len(ls))
	}
}

// newer returns a log as the tracer of specula-org's etcd-raft case study writes it. It logs a
// commit only when the index moves, and no event for a snapshot's configuration. It states the
// index of a snapshot as that of the message, and has events for what an application does.
func newer(ls []line) (out []line) {
	commit, install := map[string]any{}, map[string]bool{}
	for _, l := range ls {
		state := l.part("state")
		if l.name() == "Commit" && commit[l.node()] == state["commit"] {
			continue
		}
		if l.name() == "ApplyConfChange" && install[l.node()] {
			install[l.node()] = false
			continue
		}
		commit[l.node()] = state["commit"]
		install[l.node()] = false
		if msg := l.part("msg"); msg["type"] == "MsgSnap" {
			msg["index"], msg["entries"] = msg["entries"], 0
			install[l.node()] = l.name() == "ReceiveAppendEntriesRequest"
		}
		out = append(out, l)
		if l.name() == "Ready" {
			out = append(out, line{map[string]any{"name": "ApplyEntries", "nid": l.node(), "state": state, "role": l.m["role"], "log": l.m["log"],
				"conf": l.m["conf"], "prop": map[string]any{"applied": state["commit"]}}})
		}
	}
	return out
}

// TestNewerTracer: logs of tracers that log more of an application and less of commits hold. In
// them a commit that moves must be logged.
func TestNewerTracer(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{"-seed 12 -events 1500", "-seed 5 -compact -batch 0 -events 2000", "-seed 4 -changes -events 1500"} {
		ls := newer(lines(t, record(t, flags)))
		holds(t, flags, ls)
		k := slices.IndexFunc(ls[len(ls)/3:], func(l line) bool { return l.name() == "Commit" }) + len(ls)/3
		refused(t, flags+" without a commit", slices.Delete(slices.Clone(ls), k, k+1))
		k = slices.IndexFunc(ls[len(ls)/3:], func(l line) bool { return l.name() == "ApplyEntries" }) + len(ls)/3
		ls[k].m["log"] = ls[k].m["log"].(float64) + 1
		refused(t, flags+" with another log in ApplyEntries", ls)
	}
}

// TestSnapshotTerm: a tracer that states the term of a snapshot states the right one.
func TestSnapshotTerm(t *testing.T) {
	t.Parallel()
	ls := newer(lines(t, record(t, "-seed 5 -compact -batch 0 -events 2000")))
	k := slices.IndexFunc(ls, func(l line) bool { return l.part("msg")["type"] == "MsgSnap" })
	if k < 0 {
		t.Fatal("the log has no snapshot")
	}
	ls[k].part("msg")["logTerm"] = 1000
	refused(t, "a snapshot of another term", ls)
}

// TestLearnersAtBoot: the events of a server that starts state voters only. A message shows a
// learner, and a learner has no more rights than before.
func TestLearnersAtBoot(t *testing.T) {
	t.Parallel()
	log := record(t, "-seed 21 -events 1500 -learners 2")
	ls := lines(t, log)
	holds(t, "a cluster with two learners", ls)
	sends := slices.IndexFunc(ls, func(l line) bool {
		to := l.part("msg")["to"]
		return l.name() == "SendAppendEntriesRequest" && (to == "4" || to == "5")
	})
	if sends < 0 {
		t.Fatal("no leader sends to a learner")
	}
	k := slices.IndexFunc(ls, func(l line) bool { return l.name() == "BecomeCandidate" })
	ls[k].m["nid"] = "4" // a learner does not campaign
	refused(t, "a learner that campaigns", ls)
}

// TestRemovedServer: a server that a change has removed is no learner that the log does not state.
func TestRemovedServer(t *testing.T) {
	t.Parallel()
	ls := lines(t, record(t, "-seed 4 -changes -events 3000"))
	for k, l := range ls {
		conf, _ := l.m["conf"].([]any)
		voters, _ := conf[0].([]any)
		outgoing, _ := conf[1].([]any)
		msg := l.part("msg")
		if l.name() != "SendAppendEntriesRequest" || msg["type"] != "MsgHeartbeat" || len(voters) > 4 || len(outgoing) > 0 {
			continue
		}
		for _, id := range []string{"1", "2", "3", "4", "5"} {
			removed := slices.ContainsFunc(ls[:k], func(c line) bool {
				cc, _ := c.part("prop")["cc"].(map[string]any)
				changes, _ := cc["changes"].([]any)
				for _, x := range changes {
					if one, _ := x.(map[string]any); one["nid"] == id && one["action"] == "RemoveServer" {
						return true
					}
				}
				return false
			})
			learner := slices.ContainsFunc(ls, func(s line) bool {
				return s.name() == "SendAppendEntriesRequest" && s.node() == l.node() && s.part("msg")["to"] == id && s.part("state")["term"] == l.part("state")["term"]
			})
			if !removed || learner || slices.Contains(voters, any(id)) {
				continue
			}
			msg["to"], msg["commit"] = id, 0
			refused(t, "a heartbeat to server "+id+", which was removed", ls[:k+1])
			return
		}
	}
	t.Fatal("the log has no such place")
}
