package etcdserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

var cacheDir string

// tapEnv has this program be the tap.
const tapEnv = "MULTIGRAIN_TAP"

// TestMain has all tests share one cache of programs, and packages if MULTIGRAIN_CACHE is set.
func TestMain(m *testing.M) {
	if os.Getenv(tapEnv) != "" {
		os.Exit(Tap(os.Args[1:]))
	}
	if cacheDir = os.Getenv("MULTIGRAIN_CACHE"); cacheDir == "" {
		dir, err := os.MkdirTemp("", "multigrain-etcd-*")
		if err != nil {
			panic(err)
		}
		cacheDir = dir
		defer os.RemoveAll(dir)
	}
	m.Run() // it sets the exit code
}

// monitor is the assembled manifest configs/raft/monitor-etcd-server.hcl.
type monitor struct {
	path   string
	choice json.RawMessage
	prints []modules.Footprint
}

var assembling sync.Map // functions that assemble, by version and number of servers

func assembleVersion(version string, servers int) (*monitor, error) {
	m, diags := configs.Load("../../configs/raft/monitor-etcd-server.hcl", configs.Options{
		Environ: []string{"MULTIGRAIN_VAR_version=" + strings.TrimPrefix(version, "v"), fmt.Sprint("MULTIGRAIN_VAR_servers=", servers)}})
	if diags.HasErrors() {
		return nil, diags
	}
	comp, diags := compose.Resolve(m, compose.Env{CacheDir: cacheDir})
	if diags.HasErrors() {
		return nil, diags
	}
	program, diags := comp.AssembleMonitor(context.Background())
	if diags.HasErrors() {
		return nil, diags
	}
	return &monitor{program.Path, program.Choice, program.Footprints}, nil
}

// assemble returns the monitor of three servers of a version, such as "v3.6".
func assemble(t testing.TB, version string) *monitor { return assembleFor(t, version, 3) }

// assembleFor returns the monitor of some servers.
func assembleFor(t testing.TB, version string, servers int) *monitor {
	t.Helper()
	f, _ := assembling.LoadOrStore(fmt.Sprint(version, servers), sync.OnceValues(func() (*monitor, error) { return assembleVersion(version, servers) }))
	x, err := f.(func() (*monitor, error))()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// result is the result of a monitor for a stream.
type result struct {
	verdict, reason string
	stats           spectest.Stats
	alarm           *spectest.Alarm
}

func (x *monitor) check(t testing.TB, node int, stream []byte) (res result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), fmt.Sprint("stream", node))
	if err := os.WriteFile(file, stream, 0o644); err != nil {
		t.Fatal(err)
	}
	o := &wire.Monitor{Node: node, Source: file, Footprints: x.prints}
	r, err := wire.Run(context.Background(), x.path, wire.Request{Verb: "monitor", Choice: x.choice, Options: wire.Options{Monitor: o}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res.verdict, res.reason = r.Verdict, r.Reason
	decode(t, r.Refinement.Stats, &res.stats)
	if r.Refinement.Alarm != nil {
		res.alarm = new(spectest.Alarm)
		decode(t, r.Refinement.Alarm, res.alarm)
	}
	return res
}

// decode reads a part of a result, which is JSON without a type.
func decode(t testing.TB, from, to any) {
	t.Helper()
	b, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// recorded is a stream of testdata/streams: of a cluster of etcd 3.6.16, whose member 0 was under
// load (TestRecord).
func recorded(t *testing.T, node int) []byte {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("testdata/streams/node%d.ndjson", node))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRecorded: all messages of a recorded run are explained.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("it assembles a monitor")
	}
	x := assemble(t, "v3.6")
	for node := range 3 {
		if r := x.check(t, node, recorded(t, node)); r.alarm != nil || r.stats.Undecided > 0 || r.stats.Decided < 50 {
			t.Errorf("node %d: %s %s, %+v", node, r.verdict, r.reason, r.stats)
		}
	}
}

// TestLaws tries what is declared at each state of a recorded run: the steps that may come
// before a message that waits, and what Merge leaves out.
func TestLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("it assembles a monitor")
	}
	x := assemble(t, "v3.6")
	o := &wire.Monitor{Node: leaderOf(t), Source: fmt.Sprintf("testdata/streams/node%d.ndjson", leaderOf(t)), Footprints: x.prints, Verify: 1}
	r, err := wire.Run(context.Background(), x.path, wire.Request{Verb: "monitor", Choice: x.choice, Options: wire.Options{Monitor: o}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var v spectest.Verification
	if decode(t, r.Refinement.Verified, &v); v.Broken != "" || v.Merge == 0 {
		t.Errorf("%+v", v)
	}
}

// TestMistakes: what a server must not send is an alarm.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("it assembles a monitor")
	}
	x := assemble(t, "v3.6")
	leader := leaderOf(t)
	follower := (leader + 1) % 3
	other := 3 - leader - follower
	for name, c := range map[string]struct {
		node   int
		change func(lines [][]byte) [][]byte
	}{
		"it commits what it does not have": {leader, func(lines [][]byte) [][]byte {
			return edit(t, lines, `"event":"out"`, `"Kind":"MsgApp"`, 40, func(m map[string]any) { m["Commit"] = m["Index"].(float64) + 50 })
		}},
		"it commits what no quorum has": {leader, func(lines [][]byte) [][]byte {
			return edit(t, lines, `"event":"out"`, `"Entry"`, 40, func(m map[string]any) { m["Commit"] = m["Index"].(float64) + 1 })
		}},
		"it acknowledges an entry that it does not have": {follower, func(lines [][]byte) [][]byte {
			return edit(t, lines, `"event":"out"`, `"Kind":"MsgAppResp"`, 20, func(m map[string]any) { m["Index"] = m["Index"].(float64) + 50 })
		}},
		"it votes twice in a term": {follower, func(lines [][]byte) [][]byte {
			k := find(lines, `"event":"out"`, `"Kind":"MsgVoteResp"`, 0)
			ask := fmt.Appendf(nil, `{"event":"in","peer":%d,"msg":{"Kind":"MsgVote","Term":2,"Index":3,"LogTerm":1}}`, other)
			grant := fmt.Appendf(nil, `{"event":"out","peer":%d,"msg":{"Kind":"MsgVoteResp","Term":2}}`, other)
			return append(append(append([][]byte{}, lines[:k+1]...), ask, grant), lines[k+1:]...)
		}},
		"its entry differs from the proposed one": {leader, func(lines [][]byte) [][]byte {
			return edit(t, lines, `"event":"out"`, `"Entry"`, 40, func(m map[string]any) { m["Entry"].(map[string]any)["Term"] = 1 })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			lines := bytes.Split(bytes.TrimSpace(recorded(t, c.node)), []byte("\n"))
			r := x.check(t, c.node, append(bytes.Join(c.change(lines), []byte("\n")), '\n'))
			if r.alarm == nil {
				t.Errorf("%s %s, and it must be an alarm", r.verdict, r.reason)
			}
		})
	}
}

// TestRefusedVote: a second vote that is refused is no alarm.
func TestRefusedVote(t *testing.T) {
	if testing.Short() {
		t.Skip("it assembles a monitor")
	}
	leader := leaderOf(t)
	follower := (leader + 1) % 3
	other := 3 - leader - follower
	lines := bytes.Split(bytes.TrimSpace(recorded(t, follower)), []byte("\n"))
	k := find(lines, `"event":"out"`, `"Kind":"MsgVoteResp"`, 0)
	ask := fmt.Appendf(nil, `{"event":"in","peer":%d,"msg":{"Kind":"MsgVote","Term":2,"Index":3,"LogTerm":1}}`, other)
	refuse := fmt.Appendf(nil, `{"event":"out","peer":%d,"msg":{"Kind":"MsgVoteResp","Term":2,"Reject":true}}`, other)
	lines = append(append(append([][]byte{}, lines[:k+1]...), ask, refuse), lines[k+1:]...)
	if r := assemble(t, "v3.6").check(t, follower, append(bytes.Join(lines, []byte("\n")), '\n')); r.alarm != nil || r.stats.Undecided > 0 {
		t.Errorf("%s %s", r.verdict, r.reason)
	}
}

// leaderOf returns the member of the recorded run that leads.
func leaderOf(t *testing.T) int {
	t.Helper()
	for node := range 3 {
		if bytes.Contains(recorded(t, node), []byte(`"action":"Propose"`)) {
			return node
		}
	}
	t.Fatal("nobody leads in the recorded run")
	return 0
}

// find returns the number of the line that is the k-th with two texts, from 0.
func find(lines [][]byte, a, b string, k int) int {
	for n, l := range lines {
		if strings.Contains(string(l), a) && strings.Contains(string(l), b) {
			if k == 0 {
				return n
			}
			k--
		}
	}
	return -1
}

// edit changes the message of the line that is the k-th with two texts.
func edit(t *testing.T, lines [][]byte, a, b string, k int, change func(m map[string]any)) [][]byte {
	t.Helper()
	n := find(lines, a, b, k)
	if n < 0 {
		t.Fatalf("the stream has no %d messages with %s", k+1, b)
	}
	out := append([][]byte{}, lines...)
	d := json.NewDecoder(bytes.NewReader(lines[n]))
	var e map[string]any
	if err := d.Decode(&e); err != nil {
		t.Fatal(err)
	}
	m := e["msg"].(map[string]any)
	if entry, ok := m["Entry"].(map[string]any); ok { // numbers of 64 bits
		var full struct {
			Msg struct {
				Entry struct{ Value json.Number }
			}
		}
		if err := json.Unmarshal(lines[n], &full); err != nil {
			t.Fatal(err)
		}
		entry["Value"] = full.Msg.Entry.Value
	}
	change(m)
	var err error
	if out[n], err = json.Marshal(e); err != nil {
		t.Fatal(err)
	}
	return out
}
