package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// mistake is a coarse grain of chain replication that somebody could have written.
type mistake struct {
	name  string
	grain string // client, replication or master
	// level finds it: L0, L1, L2, or larger with two updates and two queries. It is "" for what
	// none finds, and for a correct grain.
	level string
	// change has texts of the shipped grain, and what stands there instead.
	change []string
}

// mistakes are nineteen coarse grains with a mistake each.
var mistakes = []mistake{
	{"the query forgets what the client knows", "client", "L0", []string{"		n.Floor = s.Known\n", ""}},
	{"the client forgets that it asked", "client", "L1", []string{"		n.Phase = Sent\n", ""}},
	{"the update has no number of its own", "client", "L0", []string{"		n.Puts = s.Puts + 1\n", ""}},
	{"the update goes to the tail", "client", "L0", []string{"n.Msgs.Send(Client, s.Head, Msg{Kind: PUT, V: n.Puts})", "n.Msgs.Send(Client, s.Tail, Msg{Kind: PUT, V: n.Puts})"}},
	{"the query has the number of the last one", "client", "L1", []string{"Msg{Kind: GET, N: n.Gets}", "Msg{Kind: GET, N: s.Gets}"}},
	{"the client asks while it waits", "client", "larger", []string{"s.Phase == Idle && s.Gets < MaxGets", "s.Gets < MaxGets"}},
	{"the query is not sent again", "client", "L2", []string{"		if s.Phase == Sent {\n			n.Msgs.Send(Client, n.asked(), Msg{Kind: GET, N: s.Gets})\n		}\n", ""}},
	{"acknowledged updates are sent again", "client", "larger", []string{"v > s.Known && v <= s.Puts", "v > 0 && v <= s.Puts"}},
	{"the client forgets the new tail", "client", "L0", []string{"		n.Tail = tail(m.Chain)\n", ""}},
	{"any server takes updates", "replication", "", []string{" && head(s.View[p.I]) == p.I", ""}},
	{"an update is not stored", "replication", "L1", []string{"			n.Log[p.I] = m.V\n			n.send(p.I, m.V)\n		}\n	},\n}\n\n// RelayUpdate", "			n.send(p.I, m.V)\n		}\n	},\n}\n\n// RelayUpdate"}},
	{"an update is stored again", "replication", "L1", []string{"m := n.Msgs.Recv(p.J, p.I, UPDATE)\n		if m.V == s.Log[p.I]+1 {", "m := n.Msgs.Recv(p.J, p.I, UPDATE)\n		if m.V > 0 {"}},
	{"any server answers", "replication", "L1", []string{" && (ReadAtHead || tail(s.View[p.I]) == p.I)", ""}},
	{"the answer is of the head", "replication", "L1", []string{"V: s.Log[p.I], N: m.N", "V: s.Log[0], N: m.N"}},
	{"a new chain passes nothing on", "replication", "L1", []string{"				n.send(p.I, v)\n", "				_ = v\n"}},
	{"every server acknowledges", "replication", "L1", []string{"		n.Msgs.Send(i, j, Msg{Kind: UPDATE, V: v})", "		n.Msgs.Send(i, Client, Msg{Kind: DONE, V: v})"}},
	{"the client does not hear of the chain", "master", "L1", []string{"		n.Msgs.Send(Master, Client, Msg{Kind: VIEW, Chain: n.Chain})\n	},\n", "	},\n"}},
	{"a server that failed stays in the chain", "master", "L0", []string{"		n.Chain.Remove(p.I)\n", ""}},
	{"servers hear of the old chain", "master", "L1", []string{"n.Msgs.Send(Master, j, Msg{Kind: VIEW, Chain: n.Chain})", "n.Msgs.Send(Master, j, Msg{Kind: VIEW, Chain: s.Chain})"}},
}

// correct are coarse grains without a mistake. None must be rejected.
var correct = []mistake{
	{"the client", "client", "", nil},
	{"replication", "replication", "", nil},
	{"the master", "master", "", nil},
	{"queries in two steps", "client", "", []string{"&TakeDone, &Get,", "&TakeDone, &CallGet, &SendGet,"}},
	{"updates in two steps", "client", "", []string{"&Put, &TakeDone, &Get, &TakeValue, &Finish, &Resend", "&CallPut, &SendPut, &TakeDone, &Get, &TakeValue, &Finish, &TakeView"}},
	{"the client hears of the chain first", "master", "", []string{
		"		n.Msgs.Send(Master, Client, Msg{Kind: VIEW, Chain: n.Chain})\n", "",
		"		n.Chain.Remove(p.I)\n", "		n.Chain.Remove(p.I)\n		n.Msgs.Send(Master, Client, Msg{Kind: VIEW, Chain: n.Chain})\n",
	}},
}

// TestForeignMistakes compares coarse grains of a protocol in a module of its own. The comparisons
// above level L0 take minutes.
func TestForeignMistakes(t *testing.T) {
	for _, grain := range []string{"client", "replication", "master"} {
		w := newWorkshop(t, mutatedGrains[grain])
		var all []mistake
		var sources []mutant
		for _, m := range slices.Concat(mistakes, correct) {
			if m.grain == grain {
				all = append(all, m)
				sources = append(sources, m.source(t, w.original, len(all)))
			}
		}
		for k, m := range all {
			t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
				if os.Getenv("MULTIGRAIN_SLOW") != "" {
					w.build(t, sources)
				} else if m.level != "L0" || slices.IndexFunc(all, func(o mistake) bool { return o.level == "L0" }) != k {
					t.Skip("it is one of many, or compares behaviours; set MULTIGRAIN_SLOW=1")
				} else {
					sources[k].number = alone
				}
				m.judge(t, w, sources[k])
			})
		}
	}
}

// source is the grain with the mistake. A change of the list of actions has a program of its own.
func (m *mistake) source(t *testing.T, original []byte, number int) mutant {
	text := string(original)
	for k := 0; k < len(m.change); k += 2 {
		before := text
		if text = strings.Replace(text, m.change[k], m.change[k+1], 1); text == before {
			t.Fatalf("%s: the grain has no %q", m.name, m.change[k])
		}
		if strings.HasPrefix(m.change[k], "&") {
			number = alone
		}
	}
	if len(m.change) == 0 {
		number = 0
	}
	return mutant{source: []byte(text), number: number, text: m.name}
}

// judge expects that the level finds the mistake with one error, in the file of the coarse grain.
func (m *mistake) judge(t *testing.T, w *workshop, source mutant) {
	f := w.try(t, source)
	t.Logf("level %q, at %s", f.level, f.at)
	if f.level != m.level {
		t.Errorf("found at level %q, want %q: %s", f.level, m.level, f.at)
	}
	if f.level != "" && f.level != "larger" && (f.errors != 1 || !strings.Contains(f.at, w.file)) {
		t.Errorf("%d errors, the first at %s", f.errors, f.at)
	}
}
