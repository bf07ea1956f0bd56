package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// An echo: what a server receives it sends back, one message for each.

type peer int8

type pingKind uint8

const (
	_ pingKind = iota
	ping
	pong
)

type pingMsg struct {
	Kind pingKind
	N    uint8
}

type (
	pingChannel = modules.Channel[pingMsg, [2]pingMsg]
	pingNet     = modules.Net[peer, pingKind, pingMsg, [2]pingMsg, [2]pingChannel, [2][2]pingChannel]
)

type pingState struct {
	Count [2]uint64
	Msgs  pingNet
}

var answer = &modules.Action[pingState, modules.Pair[peer]]{
	Name:   "Answer",
	Params: modules.EachPair[peer](2),
	Guard:  func(s *pingState, p modules.Pair[peer]) bool { return s.Msgs.Is(p.J, p.I, ping) },
	Effect: func(s, n *pingState, p modules.Pair[peer]) {
		m := n.Msgs.Recv(p.J, p.I, ping)
		n.Count[p.I]++
		n.Msgs.Send(p.I, p.J, pingMsg{pong, m.N})
	},
}

var reboot = &modules.Action[pingState, modules.One[peer]]{
	Name:   "Reboot",
	Params: modules.Each[peer](2),
	Effect: func(s, n *pingState, p modules.One[peer]) {},
}

func echo() *Monitor[pingState] {
	return &Monitor[pingState]{
		Compose: func([]byte) (*modules.Spec[pingState], error) {
			s := &modules.Spec[pingState]{System: "echo", Init: func(yield func(pingState) bool) { yield(pingState{}) }}
			for _, b := range modules.Bind([]modules.AnyAction[pingState]{answer, reboot}, nil, nil) {
				s.Actions = append(s.Actions, modules.SpecAction[pingState]{Bound: b, Environment: b.Name == "Reboot"})
			}
			return s, nil
		},
		Enums:   map[string]map[int64]string{"github.com/multigrain/multigrain/checker/program.pingKind": {1: "ping", 2: "pong"}},
		Runtime: &modules.Runtime[pingState]{Restart: reboot},
		last:    time.Minute, // a test asserts no time
	}
}

// prints returns the footprints of echo's actions.
func prints() []modules.Footprint {
	at := func(i, j string) []modules.Element { return []modules.Element{{Index: []string{i, j}}} }
	count := modules.Access{Variable: "Count", Index: []string{"p.I"}}
	return []modules.Footprint{
		{Name: "Answer", Receives: []string{"Msgs#ping"}, Sends: []string{"Msgs#pong"},
			Guard: []modules.Access{{Variable: "Msgs#ping", Index: []string{"p.J", "p.I"}}},
			Writes: []modules.Write{{Variable: "Msgs#ping", Elements: at("p.J", "p.I")},
				{Variable: "Msgs#pong", Elements: at("p.I", "p.J"), Data: []modules.Access{count}},
				{Variable: "Count", Elements: []modules.Element{{Index: []string{"p.I"}}}, Data: []modules.Access{count}}}},
		{Name: "Reboot"},
	}
}

// judge compares a stream of server 0 with the echo, as a program does that is asked to, and
// returns the report.
func judge(t testing.TB, stream []byte, o wire.Monitor) *wire.Report {
	t.Helper()
	o.Source = filepath.Join(t.TempDir(), "stream")
	if err := os.WriteFile(o.Source, stream, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Footprints = prints()
	return asked(t, &o)
}

// asked runs the program with a request, and returns its report.
func asked(t testing.TB, o *wire.Monitor) *wire.Report {
	t.Helper()
	report, fault := request(t, context.Background(), o)
	if fault != nil {
		t.Fatalf("%+v", fault)
	}
	return report
}

// request runs the program with a request, and returns its report or its error.
func request(t testing.TB, ctx context.Context, o *wire.Monitor) (*wire.Report, *wire.Error) {
	t.Helper()
	req, err := json.Marshal(wire.Request{Verb: "monitor", Options: wire.Options{Monitor: o}})
	if err != nil {
		t.Fatal(err)
	}
	in, asking := io.Pipe() // whose end would ask it to stop
	defer asking.Close()
	go asking.Write(append(req, '\n'))
	var out bytes.Buffer
	if err := echo().run(ctx, in, &out, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var e wire.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Error != nil || e.Report != nil {
			return e.Report, e.Error
		}
	}
	t.Fatalf("no report in %s", out.String())
	return nil, nil
}

// counts are statistics that tests look at.
type counts struct {
	Events, In, Out, Decided, Undecided, Lost int64
	Inputs, Restarts                          int64
	Unexplained                               int64 `json:"unexplained_restarts"`
}

func countsOf(t testing.TB, r *wire.Report) (c counts) {
	t.Helper()
	b, err := json.Marshal(r.Refinement.Stats)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	pinged = `{"event":"in","peer":1,"msg":{"Kind":"ping","N":7}}` + "\n"
	ponged = `{"event":"out","peer":1,"msg":{"Kind":"pong","N":7}}` + "\n"
	wrong  = `{"event":"out","peer":1,"msg":{"Kind":"pong","N":8}}` + "\n"
)

// TestUnreadable says which lines cannot be read, and that nothing is decided after them but what a
// restart tells all of.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	long := `{"event":"in","x":"` + strings.Repeat("y", maxLine) + "\"}\n"
	for _, c := range []struct {
		name, stream, verdict string
		lines                 []int64
		decided, undecided    int64
	}{
		{"nothing wrong", pinged + "\n" + ponged, "holds", nil, 1, 0},
		{"garbage", pinged + ponged + "what\n" + pinged + wrong, "undecided", []int64{3}, 1, 1},
		{"too long", pinged + long + ponged, "undecided", []int64{2}, 0, 1},
		{"known again", "\x00\xff\n" + ponged + `{"event":"restart","state":{"Count":4}}` + "\n" + pinged + ponged, "undecided", []int64{1}, 1, 1},
		{"cut off", pinged + ponged + pinged[:20], "undecided", []int64{3}, 1, 0},
		{"cut off where it is alone", pinged[:20], "undecided", []int64{1}, 0, 0},
		{"cut off after an alarm", pinged + wrong + pinged[:20], "violated", nil, 0, 0},
		{"cut off within blanks", pinged + ponged + "  ", "holds", nil, 1, 0},
		{"not cut off, and wrong", pinged + ponged + "what", "undecided", []int64{3}, 1, 0},
		{"a key twice", pinged + `{"event":"out","peer":1,"event":"in","msg":{"Kind":"pong","N":8}}` + "\n", "undecided", []int64{2}, 0, 0},
		{"a key twice in a message", pinged + `{"event":"out","peer":1,"msg":{"Kind":"pong","N":8,"N":7}}` + "\n", "undecided", []int64{2}, 0, 0},
		{"whole without its end", pinged + strings.TrimSpace(ponged), "holds", nil, 1, 0},
		{"an alarm", pinged + wrong, "violated", nil, 0, 0},
	} {
		r := judge(t, []byte(c.stream), wire.Monitor{})
		var lines []int64
		for _, u := range r.Refinement.Unreadable {
			lines = append(lines, u.Line)
		}
		n := countsOf(t, r)
		if r.Verdict != c.verdict || len(lines) != len(c.lines) || len(lines) > 0 && lines[0] != c.lines[0] || n.Decided != c.decided || n.Undecided != c.undecided {
			t.Errorf("%s: %s (%s), unreadable %v, %+v", c.name, r.Verdict, r.Reason, lines, n)
		}
	}
}

// TestGoesOn checks a stream that grows, each time from the snapshot, wherever the stream ends.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat(pinged+ponged, 3) + "what\n" + `{"event":"restart","state":{"Count":4}}` + "\n" + pinged + pinged + ponged + ponged
	want := countsOf(t, judge(t, []byte(whole), wire.Monitor{}))
	for cut := range len(whole) {
		dir := t.TempDir()
		o := wire.Monitor{Source: filepath.Join(dir, "stream"), Snapshot: filepath.Join(dir, "state"), Footprints: prints()}
		var r *wire.Report
		for _, text := range []string{whole[:cut], whole} {
			if err := os.WriteFile(o.Source, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			r = asked(t, &o)
		}
		if got := countsOf(t, r); got != want || r.Refinement.Alarm != nil || len(r.Refinement.Unreadable) != 1 || r.Refinement.Unreadable[0].Line != 7 {
			t.Errorf("cut at %d: %s, %+v, want %+v; unreadable %+v", cut, r.Verdict, got, want, r.Refinement.Unreadable)
		}
	}
}

// TestOtherFile continues from a snapshot with a file that is not the original one: it was
// truncated or replaced.
func TestOtherFile(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat(pinged+ponged, 3)
	for _, c := range []struct{ name, text, fault string }{
		{"longer", whole + pinged + ponged, ""},
		{"empty", "", "is not the file"},
		{"shorter", whole[:len(whole)-1], "is not the file"},
		{"another", strings.ReplaceAll(whole, "7", "6") + pinged + ponged, "is not the file"},
	} {
		dir := t.TempDir()
		o := wire.Monitor{Source: filepath.Join(dir, "stream"), Snapshot: filepath.Join(dir, "state"), Footprints: prints()}
		var fault *wire.Error
		for _, text := range []string{whole, c.text} {
			if err := os.WriteFile(o.Source, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, fault = request(t, t.Context(), &o)
		}
		if (fault != nil) != (c.fault != "") || fault != nil && (fault.Kind != wire.ErrorInput || !strings.Contains(fault.Message, c.fault)) {
			t.Errorf("%s: %+v", c.name, fault)
		}
	}
}

// TestNoFolder names a snapshot that cannot be written: that is stated at once.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	o := wire.Monitor{Source: os.DevNull, Snapshot: filepath.Join(t.TempDir(), "none", "state"), Footprints: prints()}
	if r, fault := request(t, t.Context(), &o); fault == nil || fault.Kind != wire.ErrorInput {
		t.Errorf("%+v, %+v", r, fault)
	}
}

// TestStopped interrupts the check of a file. The rest is not read, so the verdict is not "holds".
func TestStopped(t *testing.T) {
	t.Parallel()
	o := wire.Monitor{Source: filepath.Join(t.TempDir(), "stream"), Footprints: prints()}
	if err := os.WriteFile(o.Source, []byte(pinged+ponged), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, fault := request(t, ctx, &o); fault != nil || r.Verdict != "undecided" || !strings.Contains(r.Reason, "interrupt") {
		t.Errorf("%+v, %+v", r, fault)
	}
}

// TestReadError reads a file that cannot be read to its end.
func TestReadError(t *testing.T) {
	t.Parallel()
	o := wire.Monitor{Source: "/proc/self/mem", Footprints: prints()}
	if _, err := os.Stat(o.Source); err != nil {
		t.Skip(err)
	}
	if r := asked(t, &o); r.Verdict != "undecided" || r.Refinement.Malformed != 1 {
		t.Errorf("%+v, %+v", r, r.Refinement)
	}
}

// TestReplace writes a file from several places at once: each does, and the file is whole.
func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	errs := make(chan error)
	for k := range 4 {
		go func() {
			var err error
			for range 50 {
				err = errors.Join(err, replace(path, func(w io.Writer) error {
					_, err := w.Write(bytes.Repeat([]byte{byte('a' + k)}, 1<<14))
					return err
				}))
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil || len(b) != 1<<14 || len(bytes.Trim(b, string(b[:1]))) > 0 {
		t.Errorf("%v, %d bytes", err, len(b))
	}
	if err := os.WriteFile(path+".1.next", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sweep(path)
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("%v, %d files", err, len(files))
	}
}

// FuzzStream gives a monitor any stream: it ends with a verdict that its counts and lines bear out.
func FuzzStream(f *testing.F) {
	for _, s := range []string{"", "\n", pinged + ponged, pinged + wrong, "what\n" + ponged, pinged[:30], `{"event":"restart"}` + "\n" + ponged,
		`{"event":"lost","count":9223372036854775807}` + "\n", `{"event":"in","peer":-9,"msg":{}}` + "\n", `{"event":"out","peer":1,"msg":{"Kind":0}}` + "\n",
		`{"event":"restart","state":{"Count":99999999999999999999}}` + "\n", `{"event":"in","peer":1,"msg":{"Kind":"pong","N":256}}`,
		strings.Repeat(`[`, 5000) + "\n", `{"event":"end"}` + "\n" + pinged + ponged, `{"event":"end"}`, `{"event":"restart"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := judge(t, stream, wire.Monitor{Window: 2, Within: 4, Budget: 100})
		n := countsOf(t, r)
		clean := r.Refinement.Malformed == 0 && n.Lost == 0 && n.Undecided == 0 && n.Unexplained == 0
		switch {
		case r.Verdict == "violated" && r.Refinement.Alarm == nil, r.Verdict != "violated" && r.Refinement.Alarm != nil:
			t.Errorf("%s, alarm %v", r.Verdict, r.Refinement.Alarm)
		case r.Verdict == "holds" && (!clean || n.Decided != n.Out || n.Out == 0):
			t.Errorf("holds: %+v, %d malformed", n, r.Refinement.Malformed)
		case r.Verdict == "undecided" && (clean && n.Out > 0 || r.Reason == ""):
			t.Errorf("undecided without a cause: %q, %+v", r.Reason, n)
		}
	})
}
