package zookeeper_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// mutation is a change of one outgoing message of a stream.
type mutation struct {
	kind, text string
	at         int // line
}

// zxids are the fields of messages that change changes; what a message does not have is not a
// mistake that a server could make.
var zxids = map[string][]string{
	"FOLLOWERINFO": {"Epoch"}, "LEADERINFO": {"Epoch"}, "ACKEPOCH": {"Epoch", "Counter", "Data"}, "TRUNC": {"Epoch", "Counter"}, "SNAP": {"Epoch", "Counter"},
	"NEWLEADER": {"Epoch"}, "UPTODATE": {"Kind"}, "ACKLD": {"Epoch"}, "ACK": {"Epoch", "Counter"}, "PROPOSAL": {"Epoch", "Counter", "Data"},
	"COMMIT": {"Epoch", "Counter"}, "DIFF": {"Kind"}, "CLOSED": {"Kind"},
}

// other is the kind that change puts in the place of one that has nothing else.
var other = map[string]string{"UPTODATE": "NEWLEADER", "DIFF": "TRUNC", "CLOSED": "COMMIT"}

// mutate changes one outgoing message: a field, or whether, how often and where it is sent.
func mutate(lines [][]byte, rng *rand.Rand) (out [][]byte, m mutation) {
	var outs []int
	for k, l := range lines {
		if bytes.HasPrefix(l, []byte(`{"event":"out"`)) {
			outs = append(outs, k)
		}
	}
	at := outs[rng.IntN(len(outs))]
	m = mutation{at: at, text: string(lines[at])}
	out = slices.Clone(lines)
	switch rng.IntN(4) {
	case 0:
		m.kind = "dropped"
		return slices.Delete(out, at, at+1), m
	case 1:
		m.kind = "duplicated"
		return slices.Insert(out, at, lines[at]), m
	case 2:
		m.kind = "moved"
		to := min(at+1+rng.IntN(12), len(lines)-2) // the last line is the end
		m.text += " behind " + string(lines[to])
		return slices.Insert(slices.Delete(out, at, at+1), to, lines[at]), m
	}
	m.kind = "changed"
	out[at] = change(lines[at], rng)
	m.text += " to " + string(out[at])
	return out, m
}

// change changes one field of a message.
func change(line []byte, rng *rand.Rand) []byte {
	var e map[string]any
	if err := json.Unmarshal(line, &e); err != nil {
		panic(err)
	}
	msg := e["msg"].(map[string]any)
	kind := msg["Kind"].(string)
	fields := zxids[kind]
	f := fields[rng.IntN(len(fields))]
	in := msg["Zxid"].(map[string]any)
	switch f {
	case "Kind":
		msg[f] = other[kind]
	case "Data":
		in = msg
		fallthrough
	default:
		n, _ := in[f].(float64)
		if n > 0 && rng.IntN(2) == 0 {
			n -= 2
		}
		in[f] = n + 1
	}
	delete(e, "at")
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return b
}

// sentMessage is a message that a server sent: after how many events that it took, and what.
type sentMessage struct {
	behind         int
	kind, text     string
	epoch, counter int64
}

// thread is which of a server's threads sends a message, or for which it is queued: those of one
// come in their order.
func (m *sentMessage) thread() string {
	switch {
	case m.kind == "PROPOSAL" || m.kind == "COMMIT":
		return m.kind
	case m.kind == "ACK" && m.counter != 0:
		return "log"
	}
	return "main"
}

// connection holds the messages that a server sent over one, in the order of the stream; closed
// says that it sent the end.
type connection struct {
	said   []sentMessage
	closed *sentMessage
}

// way is a peer in a life of the server's process.
type way struct{ life, peer int }

// connections are those of a stream.
func connections(lines [][]byte) map[way][]connection {
	out := map[way][]connection{}
	life, taken := 0, 0
	for _, l := range lines {
		var e struct {
			Event string
			Peer  int
			Msg   struct {
				Kind string
				Zxid struct{ Epoch, Counter int64 }
			}
		}
		if err := json.Unmarshal(l, &e); err != nil {
			panic(err)
		}
		switch e.Event {
		case "restart":
			life++
		case "in":
			taken++
		case "out":
			text, _, _ := strings.Cut(string(l), `,"at"`)
			m, w := sentMessage{taken, e.Msg.Kind, text, e.Msg.Zxid.Epoch, e.Msg.Zxid.Counter}, way{life, e.Peer}
			if n := len(out[w]); n == 0 || out[w][n-1].closed != nil {
				out[w] = append(out[w], connection{})
			}
			last := &out[w][len(out[w])-1]
			if m.kind == "CLOSED" {
				last.closed = &m
			} else {
				last.said = append(last.said, m)
			}
		}
	}
	return out
}

// legal is why a server that behaves as the recorded one may have this stream; "" where it is not
// known to. The server does what it did, and
//   - what it sends is on the wire later, after more of what it takes and after messages to others;
//   - what one of its threads sent last on a connection is lost with that before the tap: it
//     closes, or is killed, or the stream ends;
//   - of two threads, or of a leader's proposals and commits, another one comes first
//     (ZOOKEEPER-4685, NodeSendsProposal): a commit follows its proposal, and NEWLEADER follows
//     those of earlier epochs.
func legal(recorded, mutated [][]byte) string {
	was, is := connections(recorded), connections(mutated)
	why := "on the wire later"
	for w, before := range was {
		now := is[w]
		if len(now) > len(before) || len(now) < len(before)-1 {
			return ""
		}
		for k := range before {
			old, c := before[k], connection{}
			if k < len(now) {
				c = now[k]
			}
			last := k == len(before)-1
			switch {
			case old.closed == nil && c.closed != nil, old.closed != nil && c.closed == nil && !last,
				c.closed != nil && c.closed.behind < old.closed.behind:
				return ""
			case old.closed != nil && c.closed == nil:
				why = "lost with the process, or behind the end"
			}
			threads := map[string][]sentMessage{}
			for _, m := range old.said {
				threads[m.thread()] = append(threads[m.thread()], m)
			}
			proposed := map[[2]int64]bool{}
			for x, m := range c.said {
				queue := threads[m.thread()]
				if len(queue) == 0 || queue[0].text != m.text || m.behind < queue[0].behind {
					return ""
				}
				threads[m.thread()] = queue[1:]
				z := [2]int64{m.epoch, m.counter}
				proposed[z] = proposed[z] || m.kind == "PROPOSAL"
				if m.kind == "COMMIT" && !proposed[z] {
					return ""
				}
				if m.kind == "NEWLEADER" && slices.ContainsFunc(threads["PROPOSAL"], func(p sentMessage) bool { return p.epoch < m.epoch }) {
					return ""
				}
				if m.text != old.said[x].text {
					why = "another thread, or another of proposals and commits, comes first"
				}
			}
			if len(old.said) > len(c.said) {
				why = "the last of a thread, lost with the connection or behind the end"
			}
		}
	}
	for w := range is {
		if len(was[w]) == 0 {
			return ""
		}
	}
	return why
}

// TestMutations changes single messages of streams that real servers have sent. Each change that is
// not noticed is a legal behaviour.
func TestMutations(t *testing.T) {
	number := 24
	if os.Getenv("MULTIGRAIN_SLOW") == "1" {
		number = 260
	}
	x := assemble(t)
	paths, err := filepath.Glob("testdata/streams/*-[012].ndjson")
	if err != nil || len(paths) < 6 {
		t.Fatal(paths, err)
	}
	// an alarm as it is
	paths = slices.DeleteFunc(paths, func(p string) bool { return strings.Contains(p, "zk-") })
	rng := rand.New(rand.NewPCG(9, 9))
	type noticed struct{ noticed, of int }
	found, reasons := map[string]noticed{}, map[string]int{}
	var latency []int64
	for k := range number {
		path := paths[k%len(paths)]
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		changed, m := mutate(lines, rng)
		node := int(path[len(path)-len("0.ndjson")] - '0')
		r := x.check(t, node, append(bytes.Join(changed, []byte("\n")), '\n'), wire.Monitor{})
		n := found[m.kind]
		n.of++
		if r.verdict == "violated" {
			n.noticed++
			latency = append(latency, r.alarm.Position-1-int64(m.at))
		} else {
			why := legal(lines, changed)
			if r.verdict == "undecided" && strings.Contains(r.reason, "NodeSendsOpening raises an assertion") {
				why = "not decided: what a snapshot held is not known"
			} else if why == "" || r.verdict != "holds" {
				t.Errorf("%s: not noticed (%s %s): line %d %s %s", filepath.Base(path), r.verdict, r.reason, m.at+1, m.kind, m.text)
			}
			reasons[m.kind+", "+why]++
			t.Logf("%s: not noticed, legal (%s): line %d %s %s", filepath.Base(path), why, m.at+1, m.kind, m.text)
		}
		found[m.kind] = n
	}
	total := 0
	for _, n := range found {
		total += n.noticed
	}
	slices.Sort(latency)
	t.Logf("noticed by kind, of: %v; %d of %d; the others: %v; events between, median and most: %d, %d", found, total, number, reasons,
		latency[len(latency)/2], latency[len(latency)-1])
	if total*100 < number*70 {
		t.Errorf("%d of %d mutations were noticed", total, number)
	}
}
