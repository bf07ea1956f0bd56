package monitor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// Service surrounds a running monitor: metrics, health, and where alarms go.
type Service struct {
	node    int
	log     *slog.Logger
	started time.Time
	server  *http.Server
	file    host.File
	webhook string
	posts   chan []byte   // alarms for the webhook
	posted  chan struct{} // closed when there are no more

	mu      sync.Mutex
	stats   result.MonitorStats
	last    wire.Refinement
	alarms  int64
	failed  int   // deliveries
	unread  int64 // the last unreadable line that was logged
	heardAt time.Time
}

// maxPosts is how many alarms may wait for the webhook. More are in the file and in the log only.
const maxPosts = 64

// open begins to listen and opens the file of alarms.
func (s *Service) open(opt *Options) error {
	s.webhook, s.heardAt = opt.webhook, host.Now()
	if s.webhook != "" {
		s.posts, s.posted = make(chan []byte, maxPosts), make(chan struct{})
		go s.post()
	}
	if opt.alarms != "" {
		f, err := host.OpenFile(opt.alarms, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		s.file = f
	}
	if opt.listen == "" {
		return nil
	}
	l, err := net.Listen("tcp", opt.listen)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", s.metrics)
	mux.HandleFunc("GET /healthz", s.health)
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go s.server.Serve(l)
	s.log.Info("listening", "address", l.Addr().String())
	return nil
}

func (s *Service) close() {
	if s.server != nil {
		s.server.Close()
	}
	if s.file != nil {
		s.file.Close()
	}
}

// heard takes in an intermediate message of the program. It does not wait for where alarms go.
func (s *Service) heard(r wire.Refinement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heardAt = host.Now()
	for _, u := range r.Unreadable { // a line for each reason
		if u.Line > s.unread {
			s.unread = u.Line
			s.log.Warn("unreadable line", "line", u.Line, "why", u.Why, "text", u.Text)
		}
	}
	if r.Stats != nil {
		before, named := s.stats.Undecided, len(s.stats.LeftOut)
		s.stats = result.MonitorStats{}
		remarshal(r.Stats, &s.stats)
		s.last = r
		if s.stats.Undecided > before && before == 0 && len(s.stats.Causes) > 0 {
			cause := s.stats.Causes[len(s.stats.Causes)-1].Cause
			// The cause of an unreadable line is logged above.
			if !slices.ContainsFunc(r.Unreadable, func(u wire.Unreadable) bool { return strings.HasSuffix(cause, u.Why) }) {
				s.log.Warn("undecided", "cause", cause)
			}
		}
		for _, x := range s.stats.LeftOut[named:] {
			s.log.Warn("left out", "network", x.Network, "why", "the composition does not model it")
		}
	}
	if r.Alarm == nil || r.Alarms <= s.alarms {
		return
	}
	s.alarms = r.Alarms
	s.raise(r.Alarm)
}

// leftOut returns the networks whose events were left out so far.
func (s *Service) leftOut() (networks []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.stats.LeftOut {
		networks = append(networks, x.Network)
	}
	return networks
}

// raise takes an alarm to where alarms go.
func (s *Service) raise(alarm any) {
	line, err := json.Marshal(map[string]any{"format_version": "1", "time": host.Now().UTC(), "alarm": alarm})
	if err != nil {
		s.failed++
		s.log.Error("an alarm cannot be written", "error", err)
		return
	}
	line = []byte(terminal.Visible(string(line))) // a terminal may show the file
	var a result.Alarm
	remarshal(alarm, &a)
	s.log.Error("alarm", "node", a.Node, "position", a.Position, "outgoing", a.Outgoing, "message", a.Message.Line())
	if s.file != nil {
		if _, err := s.file.Write(append(line, '\n')); err != nil {
			s.failed++
			s.log.Error("an alarm cannot be written", "error", err)
		}
	}
	if s.posts == nil {
		return
	}
	select {
	case s.posts <- line:
	default:
		s.failed++
		s.log.Error("an alarm cannot be posted", "error", "too many wait")
	}
}

// attempts is how often an alarm is posted at most; between two attempts it waits, each time
// twice as long.
const (
	attempts  = 5
	firstWait = 500 * time.Millisecond
)

// post posts the alarms that wait until there are no more.
func (s *Service) post() {
	defer close(s.posted)
	client := newClient()
	for line := range s.posts {
		wait := firstWait
		for k := 1; ; k++ {
			err := postOnce(client, s.webhook, line)
			if err == nil {
				break
			}
			s.log.Warn("webhook", "attempt", k, "error", err)
			if k == attempts {
				s.mu.Lock()
				s.failed++
				s.mu.Unlock()
				break
			}
			time.Sleep(wait)
			wait *= 2
		}
	}
}

// newClient returns a client that follows no redirect: one could send the alarm to another host, or
// turn the POST into a GET.
func newClient() *http.Client {
	return &http.Client{Timeout: 5 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func postOnce(client *http.Client, url string, body []byte) error {
	resp, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp.Body.Close()
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.Header.Get("Location") != "":
		return fmt.Errorf("status %s: it redirects to %q, and alarms follow no redirect; name the address where they arrive", resp.Status, resp.Header.Get("Location"))
	case resp.StatusCode < 200 || resp.StatusCode >= 300:
		return fmt.Errorf("status %s", resp.Status)
	}
	return nil
}

// lastWait is how long the end waits for alarms to be posted, however many there are: what all
// attempts for one take.
const lastWait = 33 * time.Second

// finish waits until the alarms are delivered, or are not after some attempts.
func (s *Service) finish() {
	if s.posts == nil {
		return
	}
	close(s.posts)
	if s.delivered(time.Second) {
		return
	}
	s.log.Info("the webhook is waited for", "alarms", len(s.posts)+1)
	if !s.delivered(lastWait) {
		s.log.Error("alarms were not posted", "alarms", len(s.posts)+1)
	}
}

// delivered reports whether all alarms are posted, or given up, within a time.
func (s *Service) delivered(within time.Duration) bool {
	select {
	case <-s.posted:
		return true
	case <-time.After(within):
		return false
	}
}

// metrics are in the text format of Prometheus, version 0.0.4.
func (s *Service) metrics(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	put := func(name, kind, help string, x any) {
		fmt.Fprintf(w, "# HELP multigrain_monitor_%s %s\n# TYPE multigrain_monitor_%s %s\nmultigrain_monitor_%s{node=\"%d\"} %v\n", name, help, name, kind, name, s.node, x)
	}
	st := &s.stats
	put("events_total", "counter", "Events processed.", st.Events)
	put("incoming_total", "counter", "Messages received by the node.", st.In)
	put("outgoing_total", "counter", "Messages sent by the node.", st.Out)
	put("decided_total", "counter", "Messages sent that were decided.", st.Decided)
	put("undecided_total", "counter", "Messages sent that are undecided.", st.Undecided)
	put("lost_total", "counter", "Events that the tap lost or that could not be read.", st.Lost)
	left := int64(0)
	for _, x := range st.LeftOut {
		left += x.Events
	}
	put("left_out_total", "counter", "Events of networks that the composition does not model.", left)
	put("malformed_total", "counter", "Lines that could not be read.", s.last.Malformed)
	put("restarts_total", "counter", "Restarts of the node.", st.Restarts)
	put("alarms_total", "counter", "Alarms.", s.alarms)
	put("delivery_failures_total", "counter", "Alarms that could not be delivered.", s.failed)
	put("searches_total", "counter", "Searches for a schedule.", st.Searches)
	put("explored_total", "counter", "Simulation states explored.", st.Explored)
	put("steps_total", "counter", "Steps of the specification taken.", st.Steps)
	put("states", "gauge", "Simulation states that explain the stream.", st.States)
	put("waiting_events", "gauge", "Events received and not processed.", s.last.Waiting)
	put("log_entries", "gauge", "Log entries held.", st.Entries)
	put("resident_bytes", "gauge", "Memory of the process that checks.", s.last.Memory)
	put("uptime_seconds", "gauge", "Seconds since the monitor started.", int64(host.Since(s.started).Seconds()))
}

// stale is how long a monitor may say nothing and still be healthy.
const stale = 15 * time.Second

// health is 200 while the monitor runs and knows the node's state, 503 where it does not. An
// alarm is no lack of health.
func (s *Service) health(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	status, code := "ok", http.StatusOK
	switch {
	case host.Since(s.heardAt) > stale:
		status, code = "stalled", http.StatusServiceUnavailable
	case s.alarms > 0:
		status = "alarm"
	case s.stats.Events > 0 && s.stats.States == 0:
		status, code = "blind", http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]any{"status": status, "node": s.node, "outgoing": s.stats.Out, "decided": s.stats.Decided})
}
