package explorer

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// server serves the page of an engine and answers its requests.
type server struct {
	*explorer
	token string
	page  string
}

// mostAsked bounds the body of a request, in bytes: an opened session is the largest.
const mostAsked = 64 << 20

// newServer returns a server with a random token.
func newServer(x *explorer) (*server, error) {
	page, err := html.Explore(x.title())
	return &server{explorer: x, token: rand.Text(), page: page}, err
}

// address returns the address of the page on a listener.
func (s *server) address(l net.Listener) string {
	return (&url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/" + s.token + "/"}).String()
}

// handler returns what serves all requests. A request needs the token in its path, a Host on
// loopback, and no Origin other than the page's own.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	root := "/" + s.token + "/"
	mux.HandleFunc("GET "+root+"{$}", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Write([]byte(s.page))
	})
	mux.HandleFunc("GET "+root+"status", func(w http.ResponseWriter, _ *http.Request) { reply(w, s.status()) })
	mux.HandleFunc("GET "+root+"found", func(w http.ResponseWriter, _ *http.Request) { reply(w, s.searched()) })
	mux.HandleFunc("GET "+root+"tree", func(w http.ResponseWriter, _ *http.Request) { reply(w, s.tree.all()) })
	mux.HandleFunc("POST "+root+"stop", func(w http.ResponseWriter, _ *http.Request) { s.stopSearch(); reply(w, s.searched()) })
	for name, answer := range map[string]func(context.Context, *asked) (any, error){
		"look": s.look, "why": s.refused, "value": s.valued, "find": s.search, "diagram": s.drawn, "trace": s.traced,
		"keep": s.kept, "open": s.opened, "test": s.tested, "beside": s.alongside,
	} {
		mux.HandleFunc("POST "+root+name, func(w http.ResponseWriter, r *http.Request) {
			q := new(asked)
			if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostAsked)).Decode(q); err != nil {
				refuse(w, http.StatusBadRequest, fmt.Errorf("the request cannot be read: %w", err))
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
				refuse(w, http.StatusUnprocessableEntity, err)
				return
			}
			reply(w, out)
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if why := foreign(r); why != "" {
			refuse(w, http.StatusForbidden, errors.New(why))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// foreign says why a request is not one of the page on this machine; "" if it is. A page of another
// site that resolves its name to loopback sends that name as Host. With a forwarded port the Host
// has another port, which is allowed.
func foreign(r *http.Request) string {
	if !loopback(r.Host) {
		return fmt.Sprintf("the Host %q is not a name of loopback: open the address that multigrain explore prints", r.Host)
	}
	for _, o := range r.Header.Values("Origin") {
		if o != "http://"+r.Host {
			return fmt.Sprintf("the Origin %q is not that of the page", o)
		}
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
		return ""
	default:
		return fmt.Sprintf("the request comes from another page (Sec-Fetch-Site: %s)", site)
	}
}

// loopback reports whether a host, with or without a port, is loopback.
func loopback(address string) bool {
	name := address
	if h, _, err := net.SplitHostPort(address); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

func reply(w http.ResponseWriter, v any) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(b.Bytes())
}

func refuse(w http.ResponseWriter, code int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]string{"error": words.Printable(err.Error())})
}

// asked is a request of the page.
type asked struct {
	place
	goal
	Step  int             `json:"step,omitempty"`  // of a trace that is opened
	Trace json.RawMessage `json:"trace,omitempty"` // as ITF
}

// serve serves the page until ctx is done.
func (s *server) serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if srv.Shutdown(closing) != nil {
		srv.Close()
	}
	return nil
}

// loopbackAddress returns the address to listen on: a free port of loopback for "". A port alone is
// one of loopback.
func loopbackAddress(address string) (string, error) {
	switch _, err := strconv.Atoi(address); {
	case address == "":
		return "127.0.0.1:0", nil
	case err == nil:
		return "127.0.0.1:" + address, nil
	case strings.HasPrefix(address, ":"):
		return "127.0.0.1" + address, nil
	case !loopback(address):
		return "", fmt.Errorf("it is no address of loopback, such as 127.0.0.1:8080; from another machine, forward the port with ssh -L 8080:127.0.0.1:8080 HOST")
	}
	return address, nil
}

// listen listens on an address of loopback.
func listen(address string) (net.Listener, error) {
	address, err := loopbackAddress(address)
	if err != nil {
		return nil, err
	}
	return net.Listen("tcp", address)
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
