package monitor

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// TestWebhook gives two alarms to a service whose webhook first hangs and then refuses. The service
// continues meanwhile, and both arrive in their order.
func TestWebhook(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	tries := 0
	got := make(chan string, 8)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if tries++; tries == 1 {
			<-hang
		}
		if tries <= 2 {
			http.Error(w, "not yet", http.StatusServiceUnavailable)
			return
		}
		var alarm struct{ Alarm struct{ Position int } }
		if err := json.Unmarshal(b, &alarm); err != nil || alarm.Alarm.Position == 0 {
			t.Errorf("%v: %s", err, b)
		}
		got <- string(b)
	}))
	defer hook.Close()
	file := filepath.Join(t.TempDir(), "alarms")
	s := &Service{log: slog.New(slog.DiscardHandler)}
	if err := s.open(&Options{webhook: hook.URL, alarms: file, listen: "127.0.0.1:0"}); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for n := int64(1); n <= 2; n++ { // does not wait: the webhook hangs
		r := wire.Refinement{Alarm: map[string]any{"position": n, "message": map[string]any{}}, Alarms: n}
		s.heard(r)
		s.heard(r) // the report says it again
	}
	close(hang)
	s.finish()
	close(got)
	var all []string
	for b := range got {
		all = append(all, b)
	}
	if len(all) != 2 || !strings.Contains(all[0], `"position":1`) || !strings.Contains(all[1], `"position":2`) || s.failed != 0 {
		t.Errorf("posted %q, %d failed", all, s.failed)
	}
	if b, err := os.ReadFile(file); err != nil || strings.Count(string(b), "\n") != 2 {
		t.Errorf("alarms: %s, %v", b, err)
	}
}

// TestWebhookRedirected redirects the posts of an alarm to a second host. That host never gets one,
// and the alarm counts as not delivered.
func TestWebhookRedirected(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		asked := 0
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
		hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/elsewhere", status)
		}))
		var log bytes.Buffer
		client := newClient()
		err := postOnce(client, hook.URL, []byte("{}"))
		if err == nil || !strings.Contains(err.Error(), other.URL) {
			t.Errorf("%d: %v", status, err)
		}
		if status == http.StatusFound { // with all attempts
			s := &Service{log: slog.New(slog.NewTextHandler(&log, nil)), webhook: hook.URL, posts: make(chan []byte, 1), posted: make(chan struct{})}
			s.posts <- []byte("{}")
			go s.post()
			s.finish()
			if s.failed != 1 || !strings.Contains(log.String(), "redirects to") {
				t.Errorf("%d deliveries failed: %s", s.failed, log.String())
			}
		}
		if asked > 0 {
			t.Errorf("%d: the other host was asked %d times", status, asked)
		}
		hook.Close()
		other.Close()
	}
}

// TestHostileAlarm writes an alarm whose message has characters that a terminal obeys.
func TestHostileAlarm(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "alarms")
	var log bytes.Buffer
	s := &Service{log: slog.New(slog.NewTextHandler(&terminal.Writer{To: &log}, nil))}
	if err := s.open(&Options{alarms: file}); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	const evil = "a\x1b[2J\u009b31m\u202eb\n"
	s.heard(wire.Refinement{Alarms: 1, Alarm: map[string]any{"position": 1, "message": map[string]any{"type": evil, "network": evil}}})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for what, written := range map[string]string{"alarms": string(text), "log": log.String()} {
		if written == "" || terminal.Visible(written) != written || strings.Count(written, "\n") != 1 {
			t.Errorf("%s: %q", what, written)
		}
	}
	var alarm struct {
		Alarm struct{ Message map[string]string }
	}
	if err := json.Unmarshal(text, &alarm); err != nil || alarm.Alarm.Message["type"] != evil {
		t.Errorf("%v: %q", err, text)
	}
}
