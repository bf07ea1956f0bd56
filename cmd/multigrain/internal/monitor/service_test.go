package monitor

import (
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
