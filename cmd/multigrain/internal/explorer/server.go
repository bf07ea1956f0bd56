package explorer

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/loopback"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
)

// server serves the page of an engine and answers its requests.
type server struct {
	*explorer
	*loopback.Site
}

// mostAsked bounds the body of a request, in bytes: an opened session is the largest.
const mostAsked = 64 << 20

// newServer returns a server with a random token.
func newServer(x *explorer) (*server, error) {
	page, err := html.Explore(x.title())
	if err != nil {
		return nil, err
	}
	s := &server{explorer: x, Site: loopback.New(page)}
	s.Get("status", func() any { return s.status() })
	s.Get("found", func() any { return s.searched() })
	s.Get("tree", func() any { return s.tree.all() })
	s.Handle("POST", "stop", func(w http.ResponseWriter, _ *http.Request) { s.stopSearch(); loopback.Reply(w, s.searched()) })
	for name, answer := range map[string]func(context.Context, *asked) (any, error){
		"look": s.look, "why": s.refused, "value": s.valued, "find": s.search, "diagram": s.drawn, "trace": s.traced,
		"keep": s.kept, "open": s.opened, "test": s.tested, "beside": s.alongside,
	} {
		s.Handle("POST", name, func(w http.ResponseWriter, r *http.Request) {
			q := new(asked)
			if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostAsked)).Decode(q); err != nil {
				loopback.Refuse(w, http.StatusBadRequest, fmt.Errorf("the request cannot be read: %w", err))
				return
			}
			if q.Path == nil {
				q.Path = []string{}
			}
			err := s.wait(r.Context())
			var out any
			if err == nil {
				out, err = answer(r.Context(), q)
			}
			if err != nil {
				loopback.Refuse(w, http.StatusUnprocessableEntity, err)
				return
			}
			loopback.Reply(w, out)
		})
	}
	return s, nil
}

// asked is a request of the page.
type asked struct {
	place
	goal
	Step  int             `json:"step,omitempty"`  // of a trace that is opened
	Trace json.RawMessage `json:"trace,omitempty"` // as ITF
}

// status says how far the building of the programs is.
type status struct {
	Ready  bool    `json:"ready"`
	Stage  string  `json:"stage,omitempty"`
	Second float64 `json:"seconds"` // since the stage began
	Failed string  `json:"failed,omitempty"`
	// Explains says that refusals are answered at once.
	Explains bool   `json:"explains"`
	Title    string `json:"title"`
	Beside   string `json:"beside,omitempty"` // the title of the other composition
	First    *place `json:"first,omitempty"`  // where the page begins
}

func (s *server) status() status {
	e := s.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	x := status{Ready: e.stage == "" && e.failed == "", Stage: e.stage, Second: host.Since(e.since).Seconds(), Failed: e.failed, Explains: e.explaining(),
		Title: s.title(), First: s.first}
	if s.beside != nil {
		x.Beside = s.beside.title()
	}
	return x
}
