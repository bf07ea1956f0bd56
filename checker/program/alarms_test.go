package program

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
)

// again is a restart that tells all that server 0 keeps.
const again = `{"event":"restart","state":{"Count":4}}` + "\n"

// TestAlarmBeforeRestart plants a wrong message at every distance before a restart that tells its
// state. Each is an alarm at its own place, from a file and from a socket.
func TestAlarmBeforeRestart(t *testing.T) {
	t.Parallel()
	const window = 12
	for _, total := range []bool{false, true} {
		for distance := range window + 5 {
			events := strings.SplitAfter(strings.Repeat(pinged+ponged, distance), "\n")[:distance]
			stream := strings.Repeat(pinged+ponged, 3) + pinged + wrong + strings.Join(events, "")
			stream += again + pinged + ponged
			o := wire.Monitor{Window: window, Total: total}
			for _, source := range []string{"file", "socket"} {
				var r *wire.Report
				var alarms []wire.Refinement
				if source == "file" {
					r = judge(t, []byte(stream), o)
				} else {
					r, alarms = overSocket(t, stream, o)
				}
				if r.Verdict != "violated" || r.Refinement.Alarms != 1 || positionOf(t, r.Refinement.Alarm) != 8 {
					t.Errorf("%s, total order %t, %d events before the restart: %s (%s), %d alarms, the first at %d", source, total,
						distance, r.Verdict, r.Reason, r.Refinement.Alarms, positionOf(t, r.Refinement.Alarm))
				}
				if source == "socket" && len(alarms) != 1 {
					t.Errorf("total order %t, %d events before the restart: %d alarms were sent", total, distance, len(alarms))
				}
			}
		}
	}
}

// TestEveryAlarm plants a wrong message before each of several restarts: a socket's monitor reports
// every one.
func TestEveryAlarm(t *testing.T) {
	t.Parallel()
	r, alarms := overSocket(t, strings.Repeat(pinged+wrong+again, 5)+pinged+ponged, wire.Monitor{})
	if r.Verdict != "violated" || r.Refinement.Alarms != 5 || len(alarms) != 5 || positionOf(t, r.Refinement.Alarm) != 2 {
		t.Errorf("%s, %d alarms, %d were sent", r.Verdict, r.Refinement.Alarms, len(alarms))
	}
	for k := range alarms {
		if at := positionOf(t, alarms[k].Alarm); at != int64(3*k+2) {
			t.Errorf("alarm %d is at event %d", k, at)
		}
	}
}

func positionOf(t testing.TB, alarm any) int64 {
	t.Helper()
	b, err := json.Marshal(alarm)
	if err != nil {
		t.Fatal(err)
	}
	var a struct{ Position int64 }
	if err := json.Unmarshal(b, &a); err != nil {
		t.Fatal(err)
	}
	return a.Position
}

// overSocket gives a stream to the program over a socket and then interrupts it. It returns the
// report and the alarms that the program sent before.
func overSocket(t testing.TB, stream string, o wire.Monitor) (*wire.Report, []wire.Refinement) {
	t.Helper()
	o.Source, o.Footprints = "unix:"+filepath.Join(t.TempDir(), "s"), prints()
	ctx, interrupt := context.WithCancel(t.Context())
	var out bytes.Buffer
	ended := make(chan error)
	go func() { ended <- runMonitor(ctx, echo(), &o, &out) }()
	conn := dial(t, o.Source)
	if _, err := io.WriteString(conn, stream); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	interrupt()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return reported(t, out.String())
}

// runMonitor runs the program of a monitor with a request.
func runMonitor(ctx context.Context, m *Monitor[pingState], o *wire.Monitor, out io.Writer) error {
	req, err := json.Marshal(wire.Request{Verb: "monitor", Options: wire.Options{Monitor: o}})
	if err != nil {
		return err
	}
	in, asking := io.Pipe() // whose end would ask it to stop
	defer asking.Close()
	go asking.Write(append(req, '\n'))
	return m.run(ctx, in, out, func() error { return nil })
}

// dial connects to a socket once something listens there.
func dial(t testing.TB, source string) net.Conn {
	t.Helper()
	for range 1000 {
		if conn, err := net.Dial("unix", strings.TrimPrefix(source, "unix:")); err == nil {
			return conn
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("nothing listens at " + source)
	return nil
}

// reported returns the report and the alarms in the output of a program.
func reported(t testing.TB, out string) (r *wire.Report, alarms []wire.Refinement) {
	t.Helper()
	for line := range strings.Lines(out) {
		var e wire.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Report != nil:
			r = e.Report
		case e.Refinement != nil && e.Refinement.Alarm != nil:
			alarms = append(alarms, *e.Refinement)
		}
	}
	if r == nil {
		t.Fatalf("no report in %s", out)
	}
	return r, alarms
}
