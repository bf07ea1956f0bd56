package sampling

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// TestPublished does known schedules on real servers. Those of ZOOKEEPER-2832 and ZOOKEEPER-3875
// are done on versions that have the bug and on versions that have not. That of F1 loses an
// acknowledged write, and does not without the connection that breaks.
func TestPublished(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("set MULTIGRAIN_SLOW=1 to start servers")
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("javac is not on the PATH: install a JDK")
	}
	for _, test := range []struct{ version, harness, schedule, isolation, result string }{
		{"3.4.9", "div", "01-0,02,12", Stop, Divergence},
		{"3.5.8", "div", "01-0,02,12", Stop, Converged},
		{"3.5.8", "div", "01-0,12,2-2", Stop, Divergence},
		{"3.5.8", "sc4", "01-0,01,02,012", Stop, Inconsistent},
		{"3.6.4", "sc4", "01-0,01,02,012", Stop, Converged},
		{"3.8.0", "div", "012,01,12-1", Disconnect, Converged},
		{"3.8.0", "ack", "012-12-0,01", Late, Inconsistent},
		{"3.8.0", "ack", "012-12,01", Late, Converged},
	} {
		t.Run(test.version+" "+test.schedule, func(t *testing.T) {
			jars, err := control.Find(control.Places{}, test.version)
			if err != nil {
				t.Skip(err)
			}
			h := harness(t, test.harness)
			s, err := ParseSchedule(test.schedule, h.Servers(), h)
			if err != nil {
				t.Fatal(err)
			}
			classes := t.TempDir()
			if err := BuildHost(t.Context(), jars, classes); err != nil {
				t.Fatal(err)
			}
			slot, err := NewSlot(&Options{Jars: jars, Servers: h.Servers(), Harness: h, Isolation: test.isolation, Wait: 400 * time.Millisecond,
				Patience: 20 * time.Second}, filepath.Join(t.TempDir(), "slot"), classes)
			if err != nil {
				t.Fatal(err)
			}
			defer slot.Close()
			if x := slot.Run(t.Context(), 0, s, ""); x.Result != test.result {
				t.Errorf("the result is %+v, expected %s", x, test.result)
			}
		})
	}
}
