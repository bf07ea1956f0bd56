package html_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/axetest"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
)

// TestFleetPage opens the page of runs while one runs, ends, and while the server does not answer.
// What was known last stays.
func TestFleetPage(t *testing.T) {
	ctx := browser(t)
	page, err := html.Fleet("nats://<b>127.0.0.1:4222")
	if err != nil {
		t.Fatal(err)
	}
	var finished atomic.Int64
	var failed atomic.Bool
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(w, page)
		case r.URL.Path == "/runs" && failed.Load():
			fmt.Fprint(w, `{"error":"The server does not answer."}`)
		case r.URL.Path == "/runs":
			n := int(finished.Load())
			json.NewEncoder(w).Encode(map[string]any{"runs": []result.FleetStatus{{
				Run: "<i>a</i>", Begun: "2026-01-01T00:00:00Z", Jobs: 10, Finished: n, Running: min(2, 10-n), Waiting: max(0, 8-n), Done: n == 10,
				PerSecond: 0.5, Left: float64(10-n) / 0.5, Imbalance: 1.25, Deaths: 1, Coordinator: "run-1",
				Workers: []result.FleetWorker{{Name: "one", State: "alive", Jobs: n, Seconds: 61}, {Name: "two", State: "dead"}},
			}}})
		default:
			http.NotFound(w, r)
		}
	}))
	defer srv.Close()
	until := func(text string) {
		t.Helper()
		shown := ""
		for range 300 {
			if shown = value[string](t, ctx, "document.body.innerText"); strings.Contains(shown, text) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("%q does not appear in\n%s", text, shown)
	}
	for _, width := range []int64{390, 1280, 1920} {
		for _, scheme := range []string{"light", "dark"} {
			finished.Store(3)
			failed.Store(false)
			opened(t, ctx, srv.URL, width, scheme)
			where := fmt.Sprintf("%d, %s", width, scheme)
			for _, want := range []string{"Runs on nats://<b>127.0.0.1:4222", "Run <i>a</i>", "3 of 10 jobs have ended, 2 are running, 5 are waiting", "14 s left", "1 dead worker", "1 min 1 s"} {
				until(want)
			}
			if w := value[int64](t, ctx, "document.documentElement.scrollWidth"); w > width {
				t.Errorf("%s: the page is %d wide", where, w)
			}
			if c := value[float64](t, ctx, leastContrast); c < 4.5 {
				t.Errorf("%s: text has a contrast of %.1f", where, c)
			}
			axetest.Check(t, where, func(expression string) string { return value[string](t, ctx, expression) })
			finished.Store(10)
			until("done: its command prints the document")
			until("10 of 10 jobs have ended, 0 are running, 0 are waiting")
			if s := value[string](t, ctx, `document.querySelector("svg").getAttribute("aria-label")`); !strings.HasSuffix(s, "from 3 to 10 of 10") {
				t.Errorf("%s: the plot is %q", where, s)
			}
			failed.Store(true)
			until("The server does not answer.")
			until("10 of 10 jobs have ended")
			if folder := os.Getenv("MULTIGRAIN_PICTURES"); folder != "" {
				picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
				if err == nil {
					err = os.WriteFile(filepath.Join(folder, fmt.Sprintf("fleet-%d-%s.png", width, scheme)), picture, 0o644)
				}
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
}
