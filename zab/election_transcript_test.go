package zab

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/grains"
)

// TestElectionTranscripts prints elections of three servers step by step: see testdata/election.
// Every line of "run" is an action with its servers. Below it stand the servers whose state
// changes, what is sent, or that it is not enabled. "start" begins anew, with servers whose last
// zxid and current epoch are given as server=epoch.counter. After a slash stands the accepted
// epoch, if it is another. "reach" is "run" that prints only what is not enabled.
func TestElectionTranscripts(t *testing.T) {
	t.Parallel()
	if Servers != 3 || MaxHistory < 2 {
		t.Skip("elections are told for the sizes as they are")
	}
	datadriven.Walk(t, "testdata/election", func(t *testing.T, path string) {
		var x *election
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "start" {
				x = newElection(t, d)
				return ""
			}
			return x.run(t, d.Input, d.Cmd == "reach")
		})
	})
}

type election struct {
	spec *checker.Spec[node]
	now  node
}

func newElection(t *testing.T, d *datadriven.TestData) *election {
	spec := compose(t, grains.Choice{
		Grains: []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
			{Module: "faults", Grain: "crash-partition phase_timeouts=true"}},
		Budgets: map[string]int{"crashes": 9, "partitions": 9, "timeouts": 9, "fle_timeouts": 9},
	})
	x := &election{spec: spec, now: node{State: initial()}}
	for _, arg := range d.CmdArgs {
		var i Server
		if _, err := fmt.Sscan(arg.Key, &i); err != nil {
			t.Fatalf("%s: %v", arg.Key, err)
		}
		for _, v := range arg.Vals {
			var z Zxid
			if _, err := fmt.Sscanf(v, "%d.%d", &z.Epoch, &z.Counter); err != nil {
				t.Fatalf("%s: %v", v, err)
			}
			accepted := z.Epoch
			if _, last, ok := strings.Cut(v, "/"); ok {
				if _, err := fmt.Sscan(last, &accepted); err != nil {
					t.Fatalf("%s: %v", v, err)
				}
			}
			s := &x.now.State
			if z.Counter > 0 {
				s.History[i].Append(Txn{Zxid: z})
				s.LastProcessed[i]++
			}
			s.AcceptedEpoch[i], s.CurrentEpoch[i] = accepted, z.Epoch
		}
	}
	return x
}

func (x *election) run(t *testing.T, lines string, quiet bool) string {
	var out strings.Builder
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		k := slices.IndexFunc(x.spec.Instances, func(c checker.Instance) bool {
			call := []string{x.spec.Actions[c.Action].Name}
			for _, p := range c.Params.Elems {
				if p.Text != "false" {
					call = append(call, p.Text)
				}
			}
			return slices.Equal(call, words)
		})
		if k < 0 {
			t.Fatalf("no action %q", strings.TrimSpace(line))
		}
		if !x.spec.Enabled(&x.now, k) {
			fmt.Fprintln(&out, strings.Join(words, " "), "is not enabled")
			continue
		}
		next := x.now
		x.spec.Apply(&x.now, &next, k)
		if !quiet {
			fmt.Fprintln(&out, strings.Join(words, " "))
			tellStep(&out, &x.now.State, &next.State)
		}
		x.now = next
	}
	return out.String()
}

func tellStep(out *strings.Builder, s, n *State) {
	for i := range Server(Servers) {
		if was, is := tellServer(s, i), tellServer(n, i); was != is {
			fmt.Fprintf(out, "  %d %s\n", i, is)
		}
	}
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			for k := s.ElectionMsgs.Len(i, j) + 1; k <= n.ElectionMsgs.Len(i, j); k++ {
				m := n.ElectionMsgs.At(i, j, k)
				fmt.Fprintf(out, "  %d to %d: %s in round %d, %s\n", i, j, stateNames[m.State], m.Round, tellVote(m.Vote))
			}
			for k := s.Msgs.Len(i, j) + 1; k <= n.Msgs.Len(i, j); k++ {
				m := n.Msgs.At(i, j, k)
				fmt.Fprintf(out, "  %d to %d: %s %d.%d", i, j, kindNames[m.Kind], m.Zxid.Epoch, m.Zxid.Counter)
				if m.Kind == ACKEPOCH {
					fmt.Fprintf(out, ", current epoch %d", m.Data)
				}
				fmt.Fprintln(out)
			}
		}
	}
}

var (
	stateNames = map[ServerState]string{LOOKING: "LOOKING", FOLLOWING: "FOLLOWING", LEADING: "LEADING"}
	phaseNames = map[ZabState]string{ELECTION: "ELECTION", DISCOVERY: "DISCOVERY", SYNCHRONIZATION: "SYNCHRONIZATION"}
	kindNames  = map[Kind]string{FOLLOWERINFO: "FOLLOWERINFO", LEADERINFO: "LEADERINFO", ACKEPOCH: "ACKEPOCH"}
)

func tellVote(v Vote) string {
	return fmt.Sprintf("votes for %d (epoch %d, zxid %d.%d)", v.Leader, v.Epoch, v.Zxid.Epoch, v.Zxid.Counter)
}

func tellServer(s *State, i Server) string {
	if !s.isOn(i) {
		return "is down"
	}
	b := stateNames[s.State[i]]
	switch {
	case s.State[i] != LOOKING:
		b += fmt.Sprintf(", %s, votes for %d", phaseNames[s.ZabState[i]], s.CurrentVote[i].Leader)
	case !s.InElection[i]:
		b += ", about to begin"
	default:
		b += fmt.Sprintf(" in round %d, %s", s.LogicalClock[i], tellVote(s.CurrentVote[i]))
		b += tellBallots("recvset", &s.ReceiveVotes[i]) + tellBallots("outofelection", &s.OutOfElection[i])
		if s.WaitNotmsg[i] {
			b += ", waits for a better one"
		}
	}
	if q := s.RecvQueue[i].Len(); q > 0 {
		b += fmt.Sprintf(", %d queued", q)
	}
	if e := s.AcceptedEpoch[i]; e != s.CurrentEpoch[i] {
		b += fmt.Sprintf(", accepted epoch %d", e)
	}
	return b
}

func tellBallots(name string, votes *Ballots) string {
	if votes.Len() == 0 {
		return ""
	}
	b := ", " + name
	for i := range Server(Servers) {
		if votes.Has(i) {
			b += fmt.Sprintf(" %d:%d", i, votes.At(i).Vote.Leader)
		}
	}
	return b
}
