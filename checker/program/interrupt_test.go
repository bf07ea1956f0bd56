package program

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// endless returns an echo whose servers, once they have answered, count by themselves, too: a
// search for a message that they never send ends at its budget only. met is closed within such a
// search.
func endless() (m *Monitor[pingState], counted []modules.Footprint, met <-chan struct{}) {
	within := make(chan struct{})
	var once sync.Once
	tick := &modules.Action[pingState, modules.One[peer]]{
		Name:   "Tick",
		Params: modules.Each[peer](2),
		Guard:  func(s *pingState, p modules.One[peer]) bool { return s.Count[p.I] > 0 },
		Effect: func(s, n *pingState, p modules.One[peer]) {
			if n.Count[p.I]++; n.Count[p.I] > 1000 {
				once.Do(func() { close(within) })
			}
		},
	}
	m = echo()
	m.last = time.Second / 10
	m.Compose = func([]byte) (*modules.Spec[pingState], error) {
		s := &modules.Spec[pingState]{System: "echo", Init: func(yield func(pingState) bool) { yield(pingState{}) }}
		for _, b := range modules.Bind([]modules.AnyAction[pingState]{answer, reboot, tick}, nil, nil) {
			s.Actions = append(s.Actions, modules.SpecAction[pingState]{Bound: b, Environment: b.Name == "Reboot"})
		}
		return s, nil
	}
	count := modules.Access{Variable: "Count", Index: []string{"p.I"}}
	counted = append(prints(), modules.Footprint{Name: "Tick", Guard: []modules.Access{count},
		Writes: []modules.Write{{Variable: "Count", Data: []modules.Access{count},
			Elements: []modules.Element{{Index: []string{"p.I"}}}}}})
	return m, counted, within
}

// TestInterruptWithinSearch interrupts a check within a search that has no end, before a crash and
// for a message, from a file and from a socket. The check ends, is undecided and says how far it
// was.
func TestInterruptWithinSearch(t *testing.T) {
	// Not parallel: checkers take turns, and these keep theirs.
	for name, wrongly := range map[string]string{
		"a message": wrong,
		"a restart": `{"event":"restart","state":{"Count":18446744073709551615}}` + "\n",
	} {
		for _, source := range []string{"file", "unix:"} {
			t.Run(name+" from "+source, func(t *testing.T) {
				m, prints, met := endless()
				path := filepath.Join(t.TempDir(), "s")
				stream := pinged + ponged + pinged + wrongly + pinged + ponged
				o := wire.Monitor{Source: path, Footprints: prints, Budget: 1 << 40, Window: 1}
				if source != "file" {
					o.Source = source + path
				} else if err := os.WriteFile(path, []byte(stream), 0o600); err != nil {
					t.Fatal(err)
				}
				ctx, interrupt := context.WithCancel(t.Context())
				var out bytes.Buffer
				ended := make(chan error)
				go func() { ended <- runMonitor(ctx, m, &o, &out) }()
				if source != "file" {
					conn := dial(t, o.Source)
					defer conn.Close()
					if _, err := io.WriteString(conn, stream); err != nil {
						t.Fatal(err)
					}
				}
				<-met
				interrupt()
				if err := <-ended; err != nil {
					t.Fatal(err)
				}
				r, _ := reported(t, out.String())
				if r.Verdict != "undecided" || !strings.Contains(r.Reason, "interrupt") || !strings.Contains(r.Reason, "3 events are checked") {
					t.Errorf("%s (%s)", r.Verdict, r.Reason)
				}
				if n := countsOf(t, r); n.Events != 3 || n.Decided != 1 || n.Undecided != 0 {
					t.Errorf("%+v", n)
				}
			})
		}
	}
}

// TestInterruptOfSocket interrupts a live check. It holds if the check has reached the end of what
// was written, and is undecided if that ends within a line or if more was written than was read.
func TestInterruptOfSocket(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stream, verdict, reason string
	}{
		{"all", strings.Repeat(pinged+ponged, 100), "holds", ""},
		{"within a line", pinged + ponged + pinged[:20], "undecided", "the tap had written more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := wire.Monitor{Source: "unix:" + filepath.Join(t.TempDir(), "s"), Footprints: prints()}
			ctx, interrupt := context.WithCancel(t.Context())
			var out bytes.Buffer
			ended := make(chan error)
			go func() { ended <- runMonitor(ctx, echo(), &o, &out) }()
			conn := dial(t, o.Source) // and it stays open
			defer conn.Close()
			if _, err := io.WriteString(conn, c.stream); err != nil {
				t.Fatal(err)
			}
			interrupt()
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			r, _ := reported(t, out.String())
			if n := countsOf(t, r); r.Verdict != c.verdict || !strings.Contains(r.Reason, c.reason) || n.Events != int64(strings.Count(c.stream, "\n")) {
				t.Errorf("%s (%s), %+v", r.Verdict, r.Reason, n)
			}
		})
	}
}

// TestInterruptOfFlood interrupts a live check while a tap writes without a rest. The check says
// that it holds only if it has taken all that was written before.
func TestInterruptOfFlood(t *testing.T) {
	t.Parallel()
	o := wire.Monitor{Source: "unix:" + filepath.Join(t.TempDir(), "s"), Footprints: prints()}
	ctx, interrupt := context.WithCancel(t.Context())
	var out bytes.Buffer
	ended := make(chan error)
	m := echo()
	m.last = time.Second / 10
	go func() { ended <- runMonitor(ctx, m, &o, &out) }()
	conn := dial(t, o.Source)
	some := strings.Repeat(pinged+ponged, 1000)
	begun := make(chan struct{})
	var written atomic.Int64
	go func() {
		for k := 0; ; k++ {
			if _, err := io.WriteString(conn, some); err != nil {
				return
			}
			if written.Add(2000); k == 10 {
				close(begun)
			}
		}
	}()
	<-begun
	before := written.Load()
	interrupt()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	conn.Close()
	r, alarms := reported(t, out.String())
	said := r.Verdict == "undecided" && strings.Contains(r.Reason, "an interrupt came")
	if n := countsOf(t, r); !said && (r.Verdict != "holds" || n.Events < before) || len(alarms) > 0 {
		t.Errorf("%s (%s), %d of %d events, %d alarms", r.Verdict, r.Reason, n.Events, before, len(alarms))
	}
}
