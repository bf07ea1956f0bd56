//go:build !multigrain_runtime

package etcdraft

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/raft"
)

// Symptoms is the vocabulary of symptom blocks: a word, its settings in brackets, and what is seen.
// "Left alone" says that all messages arrive and all that is committed is applied first.
const Symptoms = `
stale-read: a client got an older value than one that was written or read before it asked
panic(text): in the last step the library panics, and says the text
two-leaders: two servers lead in one term
next-at-match: a leader's Next for a server is not above its Match
many-appends: a leader has more appends unacknowledged by a server than MaxInflightMsgs
unanswered-read: left alone, a leader does not confirm a read that it was asked for in three rounds of heartbeats
stuck-joint: left alone, without a heartbeat, a leader stays in a joint configuration that leaves by itself
stuck-snapshot: left alone, a leader waits for a snapshot in three rounds of heartbeats
refused-command: left alone, with a round of heartbeats, a leader refuses a command
`

// judges are the words that the adapter judges. Each returns what was seen, and whether that is the
// symptom.
var judges = map[string]func(a *adapter, s conform.Symptom) (text string, seen bool, err error){
	"stale-read":      (*adapter).staleRead,
	"panic":           (*adapter).panics,
	"two-leaders":     (*adapter).twoLeaders,
	"next-at-match":   (*adapter).nextAtMatch,
	"many-appends":    (*adapter).manyAppends,
	"unanswered-read": (*adapter).unansweredRead,
	"stuck-joint":     (*adapter).stuckJoint,
	"stuck-snapshot":  (*adapter).stuckSnapshot,
	"refused-command": (*adapter).refusedCommand,
}

// Watch implements conform.Witness. It returns an error for a word that Symptoms lacks.
func (a *adapter) Watch(all []conform.Symptom) error {
	a.watched = all
	for _, s := range all {
		if judges[s.Word] == nil {
			return fmt.Errorf("the adapter knows no symptom %q", s.Word)
		}
	}
	return nil
}

// Look implements conform.Witness.
func (a *adapter) Look() (out []conform.Sighting) {
	for _, s := range a.watched {
		seen := conform.Sighting{Word: s.Word}
		text, is, err := a.judged(s)
		if err != nil {
			seen.Text = err.Error()
		} else {
			seen.Judged, seen.Seen, seen.Text = true, is, text
		}
		out = append(out, seen)
	}
	return out
}

// judged looks for a symptom. A value that the specification cannot hold is an error.
func (a *adapter) judged(s conform.Symptom) (text string, seen bool, err error) {
	defer asError(&err)
	return judges[s.Word](a, s)
}

// Assert implements conform.Asserter.
func (a *adapter) Assert(s step) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case strange:
			err = v
		default:
			if !strings.Contains(string(debug.Stack()), "\ngo.etcd.io/") {
				panic(v)
			}
			a.panicked, err = fmt.Sprint(v), nil
		}
	}()
	if err := calls[s.Action](a, s); err != nil {
		return err
	}
	return errors.New("the library does not panic")
}

// panics: Assert has noted what the library says.
func (a *adapter) panics(s conform.Symptom) (string, bool, error) {
	if a.panicked == "" {
		return "the library did not panic", false, nil
	}
	return "the library panics: " + a.panicked, strings.Contains(a.panicked, s.Settings["text"]), nil
}

// staleRead: the value of a read is that of the register of the server which answered it. What a
// client knew comes from the commands that the library gave to leaders to apply.
func (a *adapter) staleRead(conform.Symptom) (string, bool, error) {
	for k := range a.own.Reads {
		r, floor := &a.own.Reads[k], a.clients.floors[:][k]
		if r.Phase == raft.Answered && r.Value < floor {
			return fmt.Sprintf("read %d at server %d got the value of index %d, and the command at index %d was done before the read began",
				k, r.Server, r.Value, floor), true, nil
		}
	}
	return "no client got an older value than it knew", false, nil
}

func (a *adapter) twoLeaders(conform.Symptom) (string, bool, error) {
	for i := range raft.Server(raft.Servers) {
		for j := range i {
			if a.own.Role[i] == raft.Leader && a.own.Role[j] == raft.Leader && a.own.Term[i] == a.own.Term[j] {
				return fmt.Sprintf("servers %d and %d both lead term %d", j, i, a.own.Term[i]), true, nil
			}
		}
	}
	return "no term has two leaders", false, nil
}

// progresses calls judge with each leader's view of another server, until it returns a text.
func (a *adapter) progresses(judge func(i, j raft.Server, pr *raft.Progress) string) string {
	for i := range raft.Server(raft.Servers) {
		for j := range raft.Server(raft.Servers) {
			if pr := &a.own.Pr[i][j]; i != j && a.own.Role[i] == raft.Leader && pr.Next > 0 {
				if text := judge(i, j, pr); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

func (a *adapter) nextAtMatch(conform.Symptom) (string, bool, error) {
	text := a.progresses(func(i, j raft.Server, pr *raft.Progress) string {
		if pr.Next > pr.Match {
			return ""
		}
		return fmt.Sprintf("leader %d has Next %d and Match %d for server %d", i, pr.Next, pr.Match, j)
	})
	return orElse(text, "each Next is above Match")
}

func (a *adapter) manyAppends(conform.Symptom) (string, bool, error) {
	if raft.Batching {
		return "", false, errors.New("appends are not counted where they carry several entries")
	}
	text := a.progresses(func(i, j raft.Server, pr *raft.Progress) string {
		if pr.State != raft.Replicate || int(pr.Next) <= int(pr.Match)+1+raft.MaxInflight {
			return ""
		}
		return fmt.Sprintf("leader %d has sent server %d the entries %d to %d, one an append, and MaxInflightMsgs is %d", i, j, pr.Match+1, pr.Next-1,
			raft.MaxInflight)
	})
	return orElse(text, "no server has more appends to acknowledge than MaxInflightMsgs")
}

func (a *adapter) unansweredRead(conform.Symptom) (string, bool, error) {
	if err := a.settle(3); err != nil {
		return "", false, err
	}
	for k := range a.own.Reads {
		if r := &a.own.Reads[k]; r.Phase == raft.Asked && a.own.Role[r.Server] == raft.Leader {
			return fmt.Sprintf("leader %d was asked for read %d, and three rounds of heartbeats have not confirmed it", r.Server, k), true, nil
		}
	}
	return "no leader has a read that is not confirmed", false, nil
}

func (a *adapter) stuckJoint(conform.Symptom) (string, bool, error) {
	if err := a.settle(0); err != nil {
		return "", false, err
	}
	for i := range a.own.Conf {
		if a.own.Role[i] == raft.Leader && a.own.Conf[i].AutoLeave {
			return fmt.Sprintf("leader %d is in the joint configuration %v, and nothing is in flight", i, a.own.Conf[i].Members), true, nil
		}
	}
	return "no leader is in a joint configuration", false, nil
}

func (a *adapter) stuckSnapshot(conform.Symptom) (string, bool, error) {
	if err := a.settle(3); err != nil {
		return "", false, err
	}
	text := a.progresses(func(i, j raft.Server, pr *raft.Progress) string {
		if pr.State != raft.InSnapshot {
			return ""
		}
		return fmt.Sprintf("leader %d waits for server %d to take a snapshot, and nothing is in flight; Match is %d, Next %d", i, j, pr.Match, pr.Next)
	})
	return orElse(text, "no leader waits for a snapshot")
}

func (a *adapter) refusedCommand(conform.Symptom) (string, bool, error) {
	if err := a.settle(1); err != nil {
		return "", false, err
	}
	for i := range raft.Server(raft.Servers) {
		if a.own.Role[i] != raft.Leader {
			continue
		}
		if err := a.servers[i].node.Propose([]byte{1}); err != nil {
			return fmt.Sprintf("leader %d refuses a command: %v", i, err), true, nil
		}
	}
	return "each leader takes a command", false, nil
}

// orElse returns what was seen, or the other text where nothing was.
func orElse(text, other string) (string, bool, error) {
	if text == "" {
		return other, false, nil
	}
	return text, true, nil
}

// mostDeliveries bounds the messages after the last step.
const mostDeliveries = 1000

// settle delivers what is in flight and applies what is committed, until nothing is left, and does
// so again after each round of heartbeats of the leaders. Then it observes.
func (a *adapter) settle(heartbeats int) error {
	if raft.AsyncStorage || slices.Contains(links(a), true) {
		return errors.New("servers are not left to themselves where storage is slow or a link is broken")
	}
	deliveries := 0
	for round := 0; ; round++ {
		for more := true; more; {
			more = false
			for i := range raft.Server(raft.Servers) {
				a.applyAll(i)
				if err := a.drain(i); err != nil {
					return err
				}
				for j := range raft.Server(raft.Servers) {
					for len(a.net[j][i]) > 0 {
						more = true
						if deliveries++; deliveries > mostDeliveries {
							return fmt.Errorf("after %d messages there are still some in flight", mostDeliveries)
						}
						if err := a.deliverAt(raft.At{I: i, J: j, K: 1}); err != nil && !strings.Contains(err.Error(), "proposal dropped") {
							return err
						}
					}
				}
			}
		}
		var observed raft.State
		if err := a.Observe(&observed); err != nil {
			return err
		}
		if round == heartbeats {
			return nil
		}
		for i := range raft.Server(raft.Servers) {
			if observed.Role[i] == raft.Leader {
				if err := calls["Beat"](a, step{Params: raft.One{I: i}}); err != nil {
					return err
				}
			}
		}
	}
}

// links says of each pair of servers whether the link between them is broken.
func links(a *adapter) (out []bool) {
	for i := range raft.Server(raft.Servers) {
		for j := range i {
			out = append(out, a.isCut(i, j))
		}
	}
	return out
}
