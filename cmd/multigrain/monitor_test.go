package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestMonitorLive runs a monitor at a socket. It serves metrics and health, survives unreadable
// lines and a tap that connects again, and delivers an alarm. An interrupt ends it with exit code
// 30.
func TestMonitorLive(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command and a monitor")
	}
	dir := t.TempDir()
	posted := make(chan string, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		posted <- string(b)
	}))
	defer hook.Close()
	socket := filepath.Join(dir, "tap")
	cmd := exec.Command(binary(t), "monitor", "../../configs/raft/monitor.hcl", "-node", "0", "-order", "total", "-source", "unix:"+socket,
		"-listen", "127.0.0.1:0", "-webhook", hook.URL, "-alarms", filepath.Join(dir, "alarms"), "-log", "json")
	var out bytes.Buffer
	cmd.Stdout = &out
	logs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	address := listening(t, logs)
	say(t, socket, `{"event":"in","peer":1,"msg":{"Kind":"MsgHeartbeat","Term":1}}`, `{"event":"out","peer":1,"msg":{"Kind":"MsgHeartbeatResp","Term":1}}`)
	await(t, address+"/metrics", `multigrain_monitor_decided_total{node="0"} 1`)
	await(t, address+"/healthz", `"status":"ok"`)
	say(t, socket, strings.Repeat("x", 2<<20), `{"event":"what"}`, `{"event":"restart","state":{"Term":4,"Vote":-1,"Commit":0,"Log":[{"Term":4}]}}`)
	await(t, address+"/metrics", `multigrain_monitor_malformed_total{node="0"} 2`)
	say(t, socket, `{"event":"in","peer":2,"msg":{"Kind":"MsgHeartbeat","Term":4}}`, `{"event":"out","peer":2,"msg":{"Kind":"MsgHeartbeatResp","Term":4}}`)
	await(t, address+"/metrics", `multigrain_monitor_decided_total{node="0"} 2`)
	say(t, socket, `{"event":"out","peer":2,"msg":{"Kind":"MsgHeartbeatResp","Term":9}}`)
	await(t, address+"/metrics", `multigrain_monitor_alarms_total{node="0"} 1`)
	select {
	case body := <-posted:
		var alarm map[string]any
		if err := json.Unmarshal([]byte(body), &alarm); err != nil || alarm["alarm"] == nil {
			t.Errorf("webhook got %s", body)
		}
	case <-time.After(time.Minute):
		t.Error("the webhook got nothing")
	}
	cmd.Process.Signal(os.Interrupt)
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != verdicts.ExitMismatch || !strings.Contains(out.String(), "alarm: node 0 must not have sent to 2") {
		t.Errorf("exit code %d, %v\n%s", code, err, out.String())
	}
	if b, err := os.ReadFile(filepath.Join(dir, "alarms")); err != nil || bytes.Count(b, []byte("\n")) != 1 {
		t.Errorf("alarms: %s, %v", b, err)
	}
}

// listening returns the address that the monitor says it listens on, once its socket is there, too.
func listening(t *testing.T, logs io.Reader) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		b := make([]byte, 0, 1<<16)
		said := false
		for {
			n, err := logs.Read(b[len(b):cap(b)])
			b = b[:len(b)+n]
			if m := regexp.MustCompile(`"address":"([^"]+)"`).FindSubmatch(b); m != nil && !said {
				said = true
				found <- "http://" + string(m[1])
			}
			if err != nil || len(b) == cap(b) {
				io.Copy(io.Discard, logs)
				return
			}
		}
	}()
	select {
	case a := <-found:
		return a
	case <-time.After(2 * time.Minute):
		t.Fatal("the monitor does not listen")
	}
	return ""
}

// say writes lines to the monitor's socket over a connection of its own.
func say(t *testing.T, socket string, lines ...string) {
	t.Helper()
	var conn net.Conn
	eventually(t, "socket", func() error {
		var err error
		conn, err = net.Dial("unix", socket)
		return err
	})
	defer conn.Close()
	for _, l := range lines {
		if _, err := fmt.Fprintln(conn, l); err != nil {
			t.Fatal(err)
		}
	}
}

// await gets a page until it contains a text.
func await(t *testing.T, url, want string) {
	t.Helper()
	eventually(t, url, func() error {
		resp, err := http.Get(url)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if !strings.Contains(string(b), want) {
			return fmt.Errorf("no %s in %s (%v)", want, b, err)
		}
		return nil
	})
}

func eventually(t *testing.T, what string, try func() error) {
	t.Helper()
	var err error
	for range 600 {
		if err = try(); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s: %v", what, err)
}
