package zookeeper_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
)

// A trace of the specification, read from ITF, and what one server of it would see: the stream of a
// tap next to that server. Where the trace is coarser than messages, what it leaves out is put in:
// the messages of Discovery after ElectionAndDiscovery, the acknowledgement of UPTODATE, and the
// ends of connections.

// plain takes ITF's wrappings off a value: numbers become float64, and functions and tuples slices
// or maps.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if n, ok := v["#bigint"].(string); ok {
			f, _ := strconv.ParseFloat(n, 64)
			return f
		}
		if pairs, ok := v["#map"].([]any); ok {
			out := make([]any, len(pairs))
			for _, p := range pairs {
				p := p.([]any)
				out[int(plain(p[0]).(float64))] = plain(p[1])
			}
			return out
		}
		if v["tag"] == "Some" {
			return plain(v["value"])
		}
		if set, ok := v["#set"].([]any); ok {
			return plain(set)
		}
		out := map[string]any{}
		for k, x := range v {
			if k[0] != '#' {
				out[k] = plain(x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for k, x := range v {
			out[k] = plain(x)
		}
		return out
	}
	return v
}

// step is a state of a trace and the action that leads to it.
type step struct {
	action string
	picks  map[string]any
	vars   map[string]any
}

func (s *step) at(variable string, i int) any { return s.vars[variable].([]any)[i] }

func (s *step) number(variable string, i int) float64 { return s.at(variable, i).(float64) }

// flight returns the messages in flight from i to j.
func (s *step) flight(net string, i, j int) []any {
	v := s.at(net, i).([]any)[j]
	if cut, ok := v.(map[string]any); ok {
		v = cut["messages"]
	}
	return v.([]any)
}

func readTrace(t *testing.T, path string) (out []step) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ States []map[string]json.RawMessage }
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	for _, raw := range doc.States {
		s := step{vars: map[string]any{}}
		for _, name := range []string{"State", "AcceptedEpoch", "CurrentEpoch", "History", "LastProcessed", "Learners", "LeaderAddr", "Msgs", "Status"} {
			var v any
			if err := json.Unmarshal(raw[name], &v); err != nil {
				t.Fatal(name, err)
			}
			s.vars[name] = plain(v)
		}
		var picks any
		json.Unmarshal(raw["mbt::actionTaken"], &s.action)
		json.Unmarshal(raw["mbt::nondetPicks"], &picks)
		s.picks, _ = plain(picks).(map[string]any)
		out = append(out, s)
	}
	return out
}

// projector writes the stream of one server.
type projector struct {
	me       int
	out      bytes.Buffer
	proposed [2]float64 // the last zxid that came of a request
}

func (p *projector) line(event string, peer int, kind string, epoch, counter float64, data any) {
	m := map[string]any{"Kind": kind, "Zxid": map[string]any{"Epoch": epoch, "Counter": counter}}
	if data != nil {
		m["Data"] = data
	}
	b, _ := json.Marshal(map[string]any{"event": event, "peer": peer, "msg": m})
	p.out.Write(append(b, '\n'))
}

// sent writes a message from i to j, if the server is one of them.
func (p *projector) sent(i, j int, kind string, epoch, counter float64, data any) {
	switch p.me {
	case i:
		p.line("out", j, kind, epoch, counter, data)
	case j:
		p.line("in", i, kind, epoch, counter, data)
	}
}

// peers are the servers to which i is connected.
func peers(s *step, i int) (out []int) {
	switch s.at("State", i) {
	case "FOLLOWING":
		if l, ok := s.at("LeaderAddr", i).(float64); ok && l >= 0 { // it may be NullPoint
			out = append(out, int(l))
		}
	case "LEADING":
		for _, j := range s.at("Learners", i).([]any) {
			if int(j.(float64)) != i {
				out = append(out, int(j.(float64)))
			}
		}
	}
	return out
}

func isOn(s *step, i int) bool { return slices.Contains(s.vars["Status"].([]any), any(float64(i))) }

func (p *projector) step(s, n *step) {
	before, after := peers(s, p.me), peers(n, p.me)
	for _, j := range before {
		if !slices.Contains(after, j) {
			if isOn(n, p.me) {
				p.line("in", j, "CLOSED", 0, 0, nil)
			}
			p.line("out", j, "CLOSED", 0, 0, nil)
		}
	}
	if !isOn(s, p.me) && isOn(n, p.me) {
		p.out.WriteString(`{"event":"restart"}` + "\n")
	}
	if n.action == "ElectionAndDiscovery" {
		p.discovery(s, n)
	}
	if n.action == "FollowerProcessUPTODATE" { // before what it then logs
		i := int(n.picks["I"].(float64))
		p.sent(i, int(n.picks["J"].(float64)), "ACK", n.number("CurrentEpoch", i), 0, nil)
	}
	for i := range s.vars["Msgs"].([]any) {
		for j := range s.vars["Msgs"].([]any) {
			for _, m := range added(s.flight("Msgs", i, j), n.flight("Msgs", i, j)) {
				m := m.(map[string]any)
				z := m["Zxid"].(map[string]any)
				epoch, counter := z["Epoch"].(float64), z["Counter"].(float64)
				if at := [2]float64{epoch, counter}; i == p.me && m["Kind"] == "PROPOSAL" && epoch == n.number("CurrentEpoch", i) && slices.Compare(at[:], p.proposed[:]) > 0 {
					// as the tap does, where it is first seen
					p.out.WriteString(`{"event":"input","action":"LeaderProcessRequest","set":{"ClientRequest":0}}` + "\n")
					p.proposed = at
				}
				switch m["Kind"] {
				case "DIFF":
					p.sent(i, j, "DIFF", 0, 0, nil)
				case "ACKEPOCH":
					p.sent(i, j, "ACKEPOCH", epoch, counter, m["Data"])
				default: // the value is that of the only transaction with its zxid
					p.sent(i, j, m["Kind"].(string), epoch, counter, nil)
				}
			}
		}
	}
	p.votes(s, n)
}

// votes writes the notifications of elections, where the trace has them. Two servers that can reach
// each other again connect anew: messages that were in transit before may be unread.
func (p *projector) votes(s, n *step) {
	if all, ok := n.vars["ElectionMsgs"].([]any); !ok || len(all) == 0 {
		return
	}
	for j := range n.vars["ElectionMsgs"].([]any) {
		switch {
		case j == p.me:
		case n.action == "NodeStart" && isOn(n, p.me) && isOn(n, j) && !(isOn(s, p.me) && isOn(s, j)), n.action == "PartitionRecover":
			fmt.Fprintf(&p.out, `{"event":"input","action":"NodeMeets","params":{"J":%d}}`+"\n", j)
		}
	}
	for i := range n.vars["ElectionMsgs"].([]any) {
		for j := range n.vars["ElectionMsgs"].([]any) {
			for _, m := range added(s.flight("ElectionMsgs", i, j), n.flight("ElectionMsgs", i, j)) {
				event, peer := "out", j
				if j == p.me {
					event, peer = "in", i
				} else if i != p.me {
					continue
				}
				b, _ := json.Marshal(map[string]any{"event": event, "peer": peer, "msg": m})
				p.out.Write(append(b, '\n'))
			}
		}
	}
}

// discovery writes the messages of Discovery between a leader and its quorum.
func (p *projector) discovery(s, n *step) {
	i := int(n.picks["I"].(float64))
	var learners []int
	for _, j := range n.picks["S"].([]any) {
		if int(j.(float64)) != i {
			learners = append(learners, int(j.(float64)))
		}
	}
	for _, j := range learners {
		p.sent(j, i, "FOLLOWERINFO", s.number("AcceptedEpoch", j), 0, nil)
	}
	for _, j := range learners {
		p.sent(i, j, "LEADERINFO", n.number("AcceptedEpoch", i), 0, nil)
	}
	for _, j := range learners {
		epoch, counter := 0.0, 0.0
		if k := int(s.number("LastProcessed", j)); k > 0 {
			z := s.at("History", j).([]any)[k-1].(map[string]any)["Zxid"].(map[string]any)
			epoch, counter = z["Epoch"].(float64), z["Counter"].(float64)
		}
		p.sent(j, i, "ACKEPOCH", epoch, counter, s.number("CurrentEpoch", j))
	}
}

// added returns the messages that a step has appended to a channel. The step may have taken the
// first ones out of it.
func added(s, n []any) []any {
	for r := range s {
		if len(s)-r <= len(n) && fmt.Sprint(s[r:]) == fmt.Sprint(n[:len(s)-r]) {
			return n[len(s)-r:]
		}
	}
	return n
}

func project(trace []step, me int) []byte {
	p := &projector{me: me}
	for k := 1; k < len(trace); k++ {
		p.step(&trace[k-1], &trace[k])
	}
	p.out.WriteString(`{"event":"end"}` + "\n")
	return p.out.Bytes()
}

// TestProjectedBug makes the stream of a leader with the bug of ZOOKEEPER-1154 from a
// counterexample of the variant of the specification that has it. The monitor, without the bug,
// alarms: see monitor-zookeeper.txtar of cmd/multigrain.
func TestProjectedBug(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") != "1" {
		t.Skip("explores a composition: set MULTIGRAIN_SLOW=1")
	}
	dir := t.TempDir()
	monitor := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", monitor, "github.com/multigrain/multigrain/cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	manifests, err := filepath.Abs("../../configs/zab")
	if err != nil {
		t.Fatal(err)
	}
	check := exec.Command(monitor, "check", filepath.Join(manifests, "bugs/zk-1154.hcl"), "-traces", dir)
	if out, err := check.CombinedOutput(); check.ProcessState.ExitCode() != 12 {
		t.Fatalf("%v: %s", err, out)
	}
	stream := project(readTrace(t, filepath.Join(dir, "zk-1154-I-4.itf.json")), 0)
	kept := "testdata/streams/zk-1154-0.ndjson"
	if os.Getenv("MULTIGRAIN_REWRITE") == "1" {
		if err := os.WriteFile(kept, stream, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(kept); err != nil || !bytes.Equal(want, stream) {
		t.Errorf("%s is not the stream of the counterexample: %v\n%s", kept, err, udiff.Unified(kept, "counterexample", string(want), string(stream)))
	}
	path := filepath.Join(dir, "stream.ndjson")
	if err := os.WriteFile(path, stream, 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(monitor, "monitor", filepath.Join(manifests, "zookeeper.hcl"), "-node", "0", "-source", path, "-log", "off")
	out, err := run.CombinedOutput()
	if run.ProcessState.ExitCode() != 30 || !strings.Contains(string(out), "{Kind=DIFF}") || !strings.Contains(string(out), "{Kind=SNAP") {
		t.Errorf("no alarm for DIFF: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}
