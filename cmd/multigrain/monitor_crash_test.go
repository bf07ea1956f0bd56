//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// grown returns a stream of a follower of etcd's library, of so many appends.
func grown(appends int) []byte {
	var b bytes.Buffer
	type fields = map[string]any
	say := func(event string, msg fields) {
		line, _ := json.Marshal(fields{"event": event, "peer": 1, "msg": msg})
		b.Write(append(line, '\n'))
	}
	for k := range appends {
		m := fields{"Kind": "MsgApp", "Term": 1, "Index": k, "LogTerm": min(k, 1), "Commit": max(k-1, 0), "Entry": fields{"Term": 1, "Value": k}}
		say("in", m)
		say("out", fields{"Kind": "MsgAppResp", "Term": 1, "Index": k + 1})
		if k%1000 == 999 {
			b.WriteString("{\"event\":\"restart\"}\n")
		}
	}
	return b.Bytes()
}

// killAll kills a process and the ones that it has started, it first, so that it reports nothing.
func killAll(pid int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for _, p := range append([]string{strconv.Itoa(pid)}, strings.Fields(string(text))...) {
		if n, err := strconv.Atoi(p); err == nil {
			syscall.Kill(n, syscall.SIGKILL)
		}
	}
}

// TestMonitorKilled kills a monitor again and again while it reads a stream and keeps its state,
// until it is through: it says what one says that was not killed. Then the same with a message at
// the end that the node must not send.
func TestMonitorKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command and a monitor")
	}
	appends, most := 30_000, 12 // kills: on a busy machine none of these runs comes far
	if os.Getenv("MULTIGRAIN_SLOW") == "1" {
		appends, most = 400_000, 200
	}
	dir := t.TempDir()
	bin := binary(t)
	warm := exec.Command(bin, "monitor", "../../configs/raft/monitor.hcl", "-node", "0", "-source", os.DevNull, "-log", "off")
	if out, _ := warm.CombinedOutput(); warm.ProcessState.ExitCode() != shell.Undecided {
		t.Fatalf("%s", out)
	}
	stream := grown(appends)
	wrong := []byte(`{"event":"out","peer":2,"msg":{"Kind":"MsgAppResp","Term":1,"Index":7}}` + "\n")
	for _, c := range []struct {
		name  string
		text  []byte
		code  int
		means string
	}{
		{"good", stream, shell.OK, "holds"},
		{"bad", append(bytes.Clone(stream), wrong...), verdicts.ExitMismatch, "violated"},
	} {
		source, state := filepath.Join(dir, c.name), filepath.Join(dir, c.name+".state")
		if err := os.WriteFile(source, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		run := func(kill time.Duration) (killed bool, code int, doc result.Monitor) {
			cmd := exec.Command(bin, "monitor", "../../configs/raft/monitor.hcl", "-node", "0", "-order", "total", "-source", source, "-snapshot", state,
				"-every", "5ms", "-history", "1000", "-json", "-log", "off")
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(kill, func() { killAll(cmd.Process.Pid) })
			err := cmd.Wait()
			timer.Stop()
			if cmd.ProcessState.ExitCode() < 0 {
				return true, 0, doc
			}
			var report struct {
				Monitor *result.Monitor `json:"monitor"`
			}
			if bad := json.Unmarshal(out.Bytes(), &report); bad != nil || report.Monitor == nil {
				t.Fatalf("%s: %v, %v\n%s", c.name, err, bad, out.String())
			}
			return false, cmd.ProcessState.ExitCode(), *report.Monitor
		}
		kills := 0
		for {
			kill := 300*time.Millisecond + rand.N(500*time.Millisecond)*time.Duration(10+kills)/10
			if kills == most {
				kill = time.Hour
			}
			killed, code, doc := run(kill)
			if killed {
				kills++
				continue
			}
			want := int64(strings.Count(string(c.text), `"out"`))
			if code != c.code || doc.Verdict != c.means || doc.Stats.Out != want || doc.Stats.Undecided != 0 {
				t.Errorf("%s, killed %d times: exit code %d, %s (%s), %d of %d messages", c.name, kills, code, doc.Verdict, doc.Reason, doc.Stats.Out, want)
			}
			break
		}
		t.Logf("%s: killed %d times", c.name, kills)
	}
}
