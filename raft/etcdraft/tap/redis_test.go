package tap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

// redis has the bugs of Redis Raft in table 2 of Ellsberg ("Runtime Protocol Refinement Checking",
// appendix D). Redis Raft is no library of Go, so the streams are those of random walks of the
// specification with a matching mistake.
var redis = []struct {
	name             string
	variant, mistake string
	manifest         string
	vars             []string
	// the stream reports what is applied: the answer to the client that asked for the change
	told    bool
	weights map[string]float64
	message string // what the message of the first alarm has
}{
	{"17: a second change of the configuration while one is not committed", "variant-changes.hcl", "concurrent-changes",
		"monitor-membership.hcl", []string{"servers=3", "voters=0"}, false, map[string]float64{"ProposeChange": 4, "Timeout": 0.2, "Propose": 0.5}, `"Kind":"Simple"`},
	{"19: reads before the leader has committed an entry of its term", "variant-reads.hcl", "read-before-commit",
		"monitor-reads.hcl", []string{"pre_vote=false", "check_quorum=false"}, false, map[string]float64{"ReadIndex": 4, "Timeout": 0.3}, `"Kind":"MsgHeartbeat"`},
	{"52: replaced entries are read from a cache", "variant.hcl", "stale-cache",
		"monitor.hcl", nil, false, map[string]float64{"Timeout": 0.5, "Propose": 2, "Restart": 0.3}, ""},
	{"256: a change is answered before a quorum has it", "variant-changes.hcl", "apply-uncommitted",
		"monitor-etcd.hcl", []string{"pre_vote=false", "check_quorum=false"}, true, map[string]float64{"ProposeChange": 3, "Timeout": 0.2}, ""},
	{"unreported: who asks for a server to be added is answered when it is a learner", "variant-additions.hcl", "answer-learner",
		"../../raft/etcdraft/tap/testdata/redis/monitor-additions.hcl", []string{"pre_vote=false", "check_quorum=false"}, true,
		map[string]float64{"AskAddition": 4, "AnswerAddition": 3, "Timeout": 0.2}, ""},
}

// TestRedis walks through the specification with each mistake, and monitors all servers: in one of
// the walks there is an alarm. Without the mistake there is none.
func TestRedis(t *testing.T) {
	number := 3
	if slow(t) {
		number = 12
	}
	for _, c := range redis {
		t.Run(c.name, func(t *testing.T) {
			if c.vars != nil && !slow(t) {
				t.Skip("its programs take long to build; set MULTIGRAIN_SLOW=1")
			}
			x := assemble(t, c.manifest, c.vars...)
			for _, mistake := range []string{"none", c.mistake} {
				walks := walksOf(t, c.variant, mistake, number, c.weights)
				alarms, messages := 0, int64(0)
				var first *struct {
					walk, server int
					r            result
				}
				for w, trace := range walks {
					for i, stream := range streamsOf(trace, c.told) {
						r := x.check(t, i, stream, wire.Monitor{Total: true, Budget: 5000})
						messages += r.stats.Decided
						if r.alarm == nil {
							continue
						}
						alarms++
						if first == nil {
							first = &struct {
								walk, server int
								r            result
							}{w, i, r}
						}
						if mistake == "none" {
							t.Errorf("walk %d, server %d, without a mistake: %s\n%s", w, i, shown(r.alarm), stream)
							return
						}
					}
				}
				switch {
				case mistake == "none" && messages == 0:
					t.Error("no message is decided")
				case mistake != "none" && first == nil:
					t.Errorf("no alarm in %d walks", number)
				case first != nil && !strings.Contains(briefly(first.r.alarm.Message.Value), c.message):
					t.Errorf("the alarm's message is %s", briefly(first.r.alarm.Message.Value))
				case first != nil:
					t.Logf("%d alarms in %d walks; the first in walk %d at server %d, at its outgoing message %d: %s", alarms, number, first.walk, first.server,
						first.r.alarm.Outgoing, briefly(first.r.alarm.Message.Value))
				default:
					t.Logf("without the mistake %d messages are decided in %d walks", messages, number)
				}
			}
		})
	}
}

// walksOf takes random walks of a variant.
func walksOf(t *testing.T, manifest, mistake string, number int, weights map[string]float64) []*wire.Trace {
	t.Helper()
	opt := configs.Options{Assignments: []configs.Assignment{{Var: "mistake=" + mistake}}}
	m, diags := configs.Load(filepath.Join("testdata/redis", manifest), opt)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	comp, diags := compose.Resolve(m, compose.Env{CacheDir: cacheDir})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	path, diags := comp.Assemble(context.Background(), compose.Simulate)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	r, err := wire.Run(context.Background(), path, wire.Request{Verb: "simulate", Choice: comp.EncodedChoice(), Options: wire.Options{
		Seed: 1, Workers: 1, Simulate: &wire.Simulate{Number: 1, Depth: 150, Weights: weights, Keep: number}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Simulation.Kept
}

// readers is raft.Readers: so many reads have one number except for who is asked.
const readers = 8

// streamsOf returns the servers' streams of a walk: what a step takes out of a channel was received
// by it, and what is new in one was sent.
func streamsOf(t *wire.Trace, told bool) (streams [][]byte) {
	servers := len(variable(&t.Init, "Term").Elems)
	streams = make([][]byte, servers)
	say := func(i int, event map[string]any) {
		b, err := json.Marshal(event)
		if err != nil {
			panic(err) // it is made of numbers and names
		}
		streams[i] = append(append(streams[i], b...), '\n')
	}
	before := &t.Init
	for k := range t.Steps {
		s := &t.Steps[k]
		asked(s, before, told, say)
		from, to := variable(before, "Stream"), variable(&s.State, "Stream")
		type sent struct {
			i, j int
			m    modules.View
		}
		var out []sent
		for j := range servers {
			for i := range servers {
				old, now := messages(from, j, i), messages(to, j, i)
				took := len(old) - common(old, now)
				if took > 0 && !s.Environment && s.Server == i {
					say(i, map[string]any{"event": "in", "peer": j, "msg": messageOf(&s.State, old[0])})
				}
				for _, m := range now[len(old)-took:] {
					out = append(out, sent{j, i, m})
				}
			}
		}
		for _, o := range out {
			say(o.i, map[string]any{"event": "out", "peer": o.j, "msg": messageOf(&s.State, o.m)})
		}
		before = &s.State
	}
	for i := range streams {
		say(i, map[string]any{"event": "end"})
	}
	return streams
}

// asked says what a step gives to a server from outside.
func asked(s *wire.Step, before *modules.View, told bool, say func(int, map[string]any)) {
	input := func(i int, params, set map[string]any) {
		e := map[string]any{"event": "input", "action": s.Action}
		if params != nil {
			e["params"] = params
		}
		if set != nil {
			e["set"] = set
		}
		say(i, e)
	}
	switch s.Action {
	case "Restart":
		say(number(variable(&s.Params, "I")), map[string]any{"event": "restart"})
	case "Propose":
		input(s.Server, nil, map[string]any{"Proposed": number(variable(before, "Proposed"))})
	case "ProposeChange":
		input(s.Server, map[string]any{"S": plain(variable(&s.Params, "S"))}, nil)
	case "AskAddition", "AnswerAddition":
		input(s.Server, map[string]any{"J": number(variable(&s.Params, "J"))}, nil)
	case "ReadIndex":
		id := 0
		for ; variable(&variable(before, "Reads").Elems[id], "Phase").Text != "Unused"; id++ {
		}
		s.Action = "AskRead"
		input(s.Server, nil, map[string]any{"Asked": []int{id*readers + s.Server}})
	case "Apply":
		if !told {
			return
		}
		i := s.Server
		log := variable(before, "Log").Elems[i].Elems
		last := number(&variable(&s.State, "Applied").Elems[i])
		for k := number(&variable(before, "Applied").Elems[i]) + 1; k <= last; k++ {
			for _, c := range variable(&log[k-1], "Change").Elems {
				if variable(&c, "Kind").Text != "NoChange" {
					s.Action = "ApplyChange"
					input(i, nil, map[string]any{"AppliedTo": []int{k}})
				}
			}
		}
		s.Action = "NoteApplied"
		input(i, nil, map[string]any{"AppliedTo": []int{last}})
	}
}

// variable returns a field of a record.
func variable(v *modules.View, name string) *modules.View {
	if k := slices.Index(v.Names, name); k >= 0 {
		return &v.Elems[k]
	}
	return &modules.View{}
}

// messages returns those in flight from one server to another.
func messages(net *modules.View, from, to int) []modules.View {
	c := &net.Elems[from].Elems[to]
	for c.Shape == modules.Record {
		c = &c.Elems[0]
	}
	return c.Elems
}

// common returns how many messages at the end of old are at the beginning of now.
func common(old, now []modules.View) int {
	for n := len(old); n > 0; n-- {
		if len(now) >= n && slices.EqualFunc(old[len(old)-n:], now[:n], func(a, b modules.View) bool { return briefly(&a) == briefly(&b) }) {
			return n
		}
	}
	return 0
}

// messageOf returns a message as a stream has it: reads are known by who was asked, too.
func messageOf(state *modules.View, m modules.View) map[string]any {
	out := plain(&m).(map[string]any)
	if kind := out["Kind"]; kind == "MsgReadIndex" || kind == "MsgReadIndexResp" {
		id := number(variable(&m, "Context"))
		out["Context"] = id*readers + number(variable(&variable(state, "Reads").Elems[id], "Server"))
	}
	return out
}

// plain returns a view as JSON has it.
func plain(v *modules.View) any {
	switch v.Shape {
	case modules.Record:
		out := map[string]any{}
		for k, name := range v.Names {
			out[name] = plain(&v.Elems[k])
		}
		return out
	case modules.Scalar:
		if n, err := strconv.Atoi(v.Text); err == nil {
			return n
		}
		if b, err := strconv.ParseBool(v.Text); err == nil {
			return b
		}
		return v.Text
	}
	out := []any{}
	for k := range v.Elems {
		out = append(out, plain(&v.Elems[k]))
	}
	return out
}

func number(v *modules.View) int {
	n, _ := strconv.Atoi(v.Text)
	return n
}

// briefly returns a view in one line.
func briefly(v *modules.View) string {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(plain(v)); err != nil {
		return fmt.Sprint(err)
	}
	return strings.TrimSpace(b.String())
}
