package tap_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// mutation is a change of one outgoing message of a stream.
type mutation struct {
	kind string
	at   int // line
	text string
}

// mutate changes one outgoing message. What it cuts off at the end may still have been sent later,
// so none of the last tenth.
func mutate(lines [][]byte, which string, rng *rand.Rand) (out [][]byte, m mutation) {
	var outs []int
	for k, l := range lines {
		if bytes.HasPrefix(l, []byte(`{"event":"out"`)) && bytes.Contains(l, []byte(which)) {
			outs = append(outs, k)
		}
	}
	outs = outs[len(outs)/20 : len(outs)*9/10]
	if len(outs) == 0 {
		return nil, m
	}
	at := outs[rng.IntN(len(outs))]
	m.at = at
	out = append(out, lines...)
	switch rng.IntN(4) {
	case 0:
		m.kind = "dropped"
		m.text = string(lines[at])
		return append(out[:at:at], lines[at+1:]...), m
	case 1:
		m.kind = "duplicated"
		m.text = string(lines[at])
		return append(append(out[:at:at], lines[at]), lines[at:]...), m
	case 2:
		m.kind = "moved"
		to := min(at+1+rng.IntN(12), len(lines)-2) // the last line is the end
		m.text = fmt.Sprintf("%s behind %s", lines[at], lines[to])
		moved := append(out[:at:at], lines[at+1:to+1]...)
		return append(append(moved, lines[at]), lines[to+1:]...), m
	}
	m.kind = "changed"
	out[at] = change(lines[at], rng)
	m.text = fmt.Sprintf("%s to %s", lines[at], out[at])
	return out, m
}

// fields are those of a message that change changes.
var fields = map[string][]string{
	"MsgVote": {"Term", "Index", "LogTerm"}, "MsgVoteResp": {"Term", "Reject"}, "MsgPreVote": {"Term", "Index", "LogTerm"},
	"MsgPreVoteResp": {"Term", "Reject"}, "MsgApp": {"Term", "Index", "LogTerm", "Commit", "Entry"}, "MsgAppResp": {"Term", "Index", "Reject"},
	"MsgHeartbeat": {"Term", "Commit", "Context"}, "MsgHeartbeatResp": {"Term", "Context"}, "MsgTimeoutNow": {"Term"},
	"MsgSnap": {"Term", "Index", "LogTerm", "Snap"}, "MsgReadIndex": {"Context"}, "MsgReadIndexResp": {"Term", "Index", "Context"},
}

// change changes one field of a message.
func change(line []byte, rng *rand.Rand) []byte {
	var e map[string]any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&e); err != nil {
		panic(err)
	}
	msg := e["msg"].(map[string]any)
	names := fields[msg["Kind"].(string)]
	switch f := names[rng.IntN(len(names))]; f {
	case "Reject":
		msg[f] = msg[f] == nil
	case "Snap": // other voters
		msg[f] = []any{map[string]any{"Conf": []any{map[string]any{"Members": map[string]any{"Voters": []int{rng.IntN(3)}}}}}}
	case "Entry":
		if msg[f] == nil {
			msg[f] = map[string]any{"Term": msg["Term"], "Value": 7}
		} else {
			delete(msg, f)
		}
	default:
		var x uint64
		if n, ok := msg[f].(json.Number); ok {
			if _, err := fmt.Sscan(n.String(), &x); err != nil {
				panic(err)
			}
		}
		if x > 0 && rng.IntN(2) == 0 {
			x--
		} else {
			x++
		}
		msg[f] = x
	}
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return b
}

// line is the part of a line of a stream that the test reads.
type line struct {
	Event string
	Peer  int
	Msg   struct {
		Kind                 string
		Term, Index, Context uint64
		Reject               bool
		Entry                *struct{}
	}
	text string
}

func parse(lines [][]byte) (out []line) {
	for _, l := range lines {
		x := line{text: string(l)}
		if err := json.Unmarshal(l, &x); err != nil {
			panic(err)
		}
		out = append(out, x)
	}
	return out
}

// lane is 1 for messages that wait for the disk.
func (l *line) lane() int {
	if slices.Contains([]string{"MsgAppResp", "MsgVoteResp", "MsgPreVoteResp"}, l.Msg.Kind) {
		return 1
	}
	return 0
}

// timeout reports whether l is sent when a time-out passes, whatever else happens.
func (l *line) timeout() bool {
	return slices.Contains([]string{"MsgHeartbeat", "MsgPreVote", "MsgVote"}, l.Msg.Kind)
}

// sent is an outgoing message of a stream.
type sent struct {
	at    int // messages that the node has taken before it
	line  *line
	after []*line // the messages of lane 1 before it on its connection
}

// lanes returns the outgoing messages of a stream by the life of the process, the peer and the
// lane.
func lanes(lines []line) map[[3]int][]sent {
	out := map[[3]int][]sent{}
	slow := map[[2]int][]*line{}
	life, at := 0, 0
	for k := range lines {
		l := &lines[k]
		switch l.Event {
		case "restart":
			life++
		case "out":
			on := [2]int{life, l.Peer}
			key := [3]int{life, l.Peer, l.lane()}
			out[key] = append(out[key], sent{at, l, slow[on]})
			if key[2] == 1 {
				slow[on] = append(slow[on], l)
			}
			continue
		}
		at++
	}
	return out
}

// legal is why a node that behaves as the recorded one may have this stream; "" where it is not
// known to. The node does what it did, and
//   - what it has sent goes out later, after more of what it takes and after messages to other
//     nodes or of lane 1: a Ready may be handed
//     to the transport later, and streams promise the order of a connection and a lane only;
//   - what it has sent last before a crash or the end of the stream does not go out: the crash came
//     before;
//   - an answer to a heartbeat follows one to an earlier append: the Ready was taken between the
//     two.
//
// So each connection and lane must have the messages that it had, or the first of them, none of
// them earlier than it was.
func legal(recorded, mutated []line) string {
	was, is := lanes(recorded), lanes(mutated)
	why := "sent in another order to different nodes, or in different lanes"
	for key := range is {
		if len(was[key]) == 0 {
			return ""
		}
	}
	for key, old := range was {
		now := is[key]
		if len(now) > len(old) {
			return ""
		}
		for k := range now {
			switch {
			case now[k].line.text != old[k].line.text || now[k].at < old[k].at:
				return ""
			case key[2] == 0 && len(now[k].after) > len(old[k].after):
				for _, l := range now[k].after[len(old[k].after):] {
					if !answersLater(recorded, now[k].line, l) {
						return ""
					}
				}
				why = "the Ready was taken earlier"
			case now[k].at > old[k].at:
				why = "sent later"
			}
		}
		if len(now) < len(old) {
			why = "lost in a crash or behind the end"
		}
	}
	return why
}

// answersLater reports whether a message is the answer to a heartbeat that was received after the
// append which another message answers.
func answersLater(recorded []line, answer, other *line) bool {
	if answer.Msg.Kind != "MsgHeartbeatResp" || other.Msg.Kind != "MsgAppResp" {
		return false
	}
	heartbeat, app := -1, -1
	for k := range recorded {
		l := &recorded[k]
		switch {
		case l.text == answer.text && heartbeat > app && app >= 0:
			return true
		case l.Event != "in" || l.Peer != answer.Peer || l.Msg.Term != answer.Msg.Term:
		case l.Msg.Kind == "MsgHeartbeat" && l.Msg.Context == answer.Msg.Context:
			heartbeat = k
		case l.Msg.Kind == "MsgApp" && (l.Msg.Entry == nil && l.Msg.Index == other.Msg.Index || l.Msg.Entry != nil && l.Msg.Index+1 == other.Msg.Index):
			app = k
		}
	}
	return false
}

// anytime returns why a stream is legal in which a time-out's message is changed, or another one
// has come after such messages of its connection. Time-outs happen at any moment, or once more or
// less. Without such messages of its kind and term the stream must be legal. With them, a
// connection must have the same ones in the same order. If more than one server gets them, the
// number of each must be the same.
func anytime(recorded, mutated []line, at int) string {
	m := &recorded[at]
	like := func(l line) bool { return l.Event == "out" && l.Msg.Kind == m.Msg.Kind && l.Msg.Term == m.Msg.Term }
	if !m.timeout() {
		like = func(l line) bool {
			return l.Event == "out" && l.Peer == m.Peer && l.timeout() && l.Msg.Term == m.Msg.Term
		}
	}
	none := func(ls []line) []line {
		return slices.DeleteFunc(slices.Clone(ls), like)
	}
	if legal(none(recorded), none(mutated)) == "" {
		return ""
	}
	texts := func(ls []line, peer int) (out []string) {
		for _, l := range ls {
			if like(l) && l.Peer == peer {
				out = append(out, l.text)
			}
		}
		return out
	}
	for peer := range 3 {
		was, is := texts(recorded, peer), texts(mutated, peer)
		if slices.Equal(was, is) {
			continue
		}
		if len(was) != len(is) && !alone(recorded, at) || !slices.Equal(slices.Compact(was), slices.Compact(is)) {
			return ""
		}
	}
	return "a time-out at another moment, once more or once less"
}

// unseen returns why a vote that is refused instead of given is legal. Before a crash, the node had
// begun a candidacy in that term and voted for itself, and the crash lost the messages.
func unseen(recorded, mutated []line, at int) string {
	was, is := &recorded[at].Msg, &mutated[at].Msg
	if was.Kind != "MsgVoteResp" || is.Kind != was.Kind || was.Reject || !is.Reject || was.Term != is.Term {
		return ""
	}
	crashed := false
	for _, l := range recorded[:at] {
		crashed = crashed || l.Event == "restart"
		if l.Event == "out" && l.Msg.Term >= was.Term {
			return ""
		}
	}
	if !crashed {
		return ""
	}
	return "a candidacy that was lost in a crash"
}

// alone reports whether about a message nobody but its receiver is sent time-outs' messages: the
// configuration has two servers.
func alone(recorded []line, at int) bool {
	for k := max(0, at-30); k < min(len(recorded), at+30); k++ {
		if l := &recorded[k]; l.Event == "out" && l.timeout() && l.Peer != recorded[at].Peer {
			return false
		}
	}
	return true
}

// noticed counts mutations.
type noticed struct{ noticed, of int }

// mutations changes a message that contains a text in each of number streams. Each change that is
// not noticed must be legal; explain, if not nil, knows of other reasons. It returns how many were
// noticed.
func mutations(t *testing.T, x *monitor, number int, which string, o taptest.Options, explain func(node int, mutated []byte) string) (total int) {
	o.Nodes, o.Drop, o.Propose, o.Tick, o.AtStep, o.Inflight = 3, 0.01, 0.3, 0.5, true, 8
	rng := rand.New(rand.NewPCG(9, 9))
	found, reasons := map[string]noticed{}, map[string]int{}
	var latency []int64
	var cluster *taptest.Cluster
	for k := range number {
		if seed := uint64(100 + k/8); seed != o.Seed {
			o.Seed = seed
			cluster = taptest.New(o)
			if p := cluster.Run(); p != nil {
				t.Fatalf("the library panicked: %v", p)
			}
		}
		node := k % 3
		lines := bytes.Split(bytes.TrimSpace(cluster.Streams[node]), []byte("\n"))
		changed, m := mutate(lines, which, rng)
		if changed == nil {
			t.Fatalf("stream of seed %d, node %d: no message to change", o.Seed, node)
		}
		mutated := append(bytes.Join(changed, []byte("\n")), '\n')
		r := x.check(t, node, mutated, wire.Monitor{Total: true, Steps: o.Steps, Window: 256})
		n := found[m.kind]
		n.of++
		if r.verdict == "violated" {
			if len(r.alarm.Expected) == 0 && r.alarm.Why == "" {
				t.Errorf("%s: the alarm says neither what is allowed nor why nothing is\n%s", m.text, shown(r.alarm))
			}
			n.noticed++
			latency = append(latency, r.alarm.Position-1-int64(m.at))
		} else {
			was, is := parse(lines), parse(changed)
			why := cmp.Or(legal(was, is), anytime(was, is, m.at), unseen(was, is, m.at))
			if why == "" && explain != nil {
				why = explain(node, mutated)
			}
			if why == "" || r.verdict != "holds" {
				t.Errorf("seed %d, node %d: not noticed (%s %s): %s %s", o.Seed, node, r.verdict, r.reason, m.kind, m.text)
			}
			reasons[m.kind+", "+why]++
			t.Logf("not noticed, legal (%s): %s %s", why, m.kind, m.text)
		}
		found[m.kind] = n
	}
	for _, n := range found {
		total += n.noticed
	}
	slices.Sort(latency)
	t.Logf("noticed by kind, of: %v; %d of %d; the others: %v; events between, median and most: %d, %d", found, total, number, reasons,
		latency[len(latency)/2], latency[len(latency)-1])
	return total
}

// TestMutations changes single messages of good streams. Each that is not noticed is a legal
// behaviour.
func TestMutations(t *testing.T) {
	for _, c := range []struct {
		manifest    string
		quick, slow int
		o           taptest.Options
	}{
		{"monitor.hcl", 16, 160, taptest.Options{Messages: 1500, Crash: 0.001, Cut: 0.002}},
		{"monitor-etcd.hcl", 8, 60, taptest.Options{Messages: 1500, Crash: 0.001, Cut: 0.004, PreVote: true, Quorum: true, Transfer: 0.01, Read: 0.05,
			Change: 0.01, Joint: true, Applies: true, Steps: true}},
	} {
		t.Run(c.manifest, func(t *testing.T) {
			number := c.quick
			if slow(t) {
				number = c.slow
			}
			total := mutations(t, assemble(t, c.manifest), number, `{"event":"out"`, c.o, nil)
			if slow(t) && total*100 < number*80 { // of few the share says little
				t.Errorf("%d of %d mutations were noticed", total, number)
			}
		})
	}
}

// TestCoarseMutations changes messages of elections, which a coarse grain leaves out, next to a
// monitor with that grain. What is not noticed is legal, or what the coarse grain leaves out: the
// fine one notices it.
func TestCoarseMutations(t *testing.T) {
	number := 12
	if slow(t) {
		number = 100
	}
	x, fine := assemble(t, "monitor-coarse-election.hcl"), assemble(t, "monitor.hcl")
	total := mutations(t, x, number, `MsgVote`, taptest.Options{Messages: 1500, Crash: 0.01, Cut: 0.02, Calm: true}, func(node int, mutated []byte) string {
		if r := fine.check(t, node, mutated, wire.Monitor{Total: true}); r.verdict == "violated" {
			return "noticed by the fine grain"
		}
		return ""
	})
	if total*100 < number*60 {
		t.Errorf("%d of %d mutations were noticed", total, number)
	}
}
