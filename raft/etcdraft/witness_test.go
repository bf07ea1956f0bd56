//go:build !multigrain_runtime

package etcdraft

import (
	"strings"
	"testing"

	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/raft"
)

// started returns a cluster on which all symptoms are looked for.
func started(t *testing.T) *adapter {
	t.Helper()
	if err := locate(); err != nil {
		t.Fatal(err)
	}
	a := &adapter{}
	var all []conform.Symptom
	for line := range strings.Lines(strings.TrimSpace(Symptoms)) {
		word, _, _ := strings.Cut(line, ":")
		word, setting, has := strings.Cut(word, "(")
		s := conform.Symptom{Word: word, Settings: map[string]string{}}
		if has {
			s.Settings[strings.TrimSuffix(setting, ")")] = "out of range"
		}
		all = append(all, s)
	}
	if len(all) != len(judges) {
		t.Fatalf("the vocabulary has %d words, and %d are judged", len(all), len(judges))
	}
	if err := a.Watch(all); err != nil {
		t.Fatal(err)
	}
	if err := a.Start(nil); err != nil {
		t.Fatal(err)
	}
	return a
}

func perform(t *testing.T, a *adapter, action string, params any) {
	t.Helper()
	s := step{Action: action, Params: params}
	s.After = &raft.State{Proposed: 1}
	if err := a.Perform(s); err != nil {
		t.Fatalf("%s: %v", action, err)
	}
	var s2 raft.State
	if err := a.Observe(&s2); err != nil {
		t.Fatalf("%s: %v", action, err)
	}
}

// TestSymptoms expects that a healthy cluster shows none, and that what shows one is seen.
func TestSymptoms(t *testing.T) {
	a := started(t)
	perform(t, a, "Timeout", raft.One{I: 0})
	perform(t, a, "HandleVote", raft.At{I: 1, J: 0, K: 1})
	perform(t, a, "HandleVoteResp", raft.At{I: 0, J: 1, K: 1})
	perform(t, a, "Propose", raft.One{I: 0})
	for _, s := range a.Look() {
		if !s.Judged || s.Seen {
			t.Errorf("%s on a healthy cluster: judged %v, seen %v: %s", s.Word, s.Judged, s.Seen, s.Text)
		}
	}
	seen := func(word string) (out conform.Sighting) {
		for _, s := range a.Look() {
			if s.Word == word {
				out = s
			}
		}
		return out
	}
	a.own.Pr[0][1].Next = a.own.Pr[0][1].Match
	if s := seen("next-at-match"); !s.Seen {
		t.Errorf("Next at Match is not seen: %s", s.Text)
	}
	a.own.Pr[0][1].Next = a.own.Pr[0][1].Match + raft.MaxInflight + 2
	if s := seen("many-appends"); !s.Seen {
		t.Errorf("an append too many is not seen: %s", s.Text)
	}
	a.own.Role[1] = raft.Leader
	if s := seen("two-leaders"); !s.Seen {
		t.Errorf("two leaders of a term are not seen: %s", s.Text)
	}
	if err := a.Watch([]conform.Symptom{{Word: "no-word"}}); err == nil {
		t.Error("an unknown word is taken")
	}
}

// TestSymptomsNeedLinks expects that nothing is judged of servers that cannot reach one another.
func TestSymptomsNeedLinks(t *testing.T) {
	a := started(t)
	perform(t, a, "Cut", raft.Pair{I: 0, J: 1})
	for _, s := range a.Look() {
		if afterwards := strings.Contains(Symptoms, s.Word+": left alone"); s.Seen || s.Judged == afterwards {
			t.Errorf("%s over a broken link: judged %v, seen %v: %s", s.Word, s.Judged, s.Seen, s.Text)
		}
	}
}

// TestAssert expects that a panic of the library is seen with its text, and that a step without one
// is none.
func TestAssert(t *testing.T) {
	a := started(t)
	if err := a.Assert(step{Action: "Timeout", Params: raft.One{I: 0}}); err == nil {
		t.Error("a step without a panic is taken for one")
	}
	to, from := uint64(1), uint64(2)
	a.send(1, &pb.Message{Type: pb.MsgHeartbeat.Enum(), To: &to, From: &from, Term: new(uint64(3)), Commit: new(uint64(7))})
	if err := a.Assert(step{Action: "HandleHeartbeat", Params: raft.At{I: 0, J: 1, K: 1}}); err != nil {
		t.Fatal(err)
	}
	if text, seen, err := a.panics(a.watched[1]); !seen || err != nil {
		t.Errorf("the panic is not seen: %s, %v", text, err)
	}
	if text, seen, _ := a.panics(conform.Symptom{Settings: map[string]string{"text": "another text"}}); seen {
		t.Errorf("another panic is seen: %s", text)
	}
}
