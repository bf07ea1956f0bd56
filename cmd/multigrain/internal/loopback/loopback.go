// Package loopback serves pages of the command to people at the same machine. A page has a random
// token in its address and listens on loopback only.
package loopback

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
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Site serves a page and answers what the page asks. A request needs the token in its path, a Host
// on loopback, and no Origin other than the page's own.
type Site struct {
	token string
	mux   *http.ServeMux
}

// New returns the site of a page, with a random token.
func New(page string) *Site {
	s := &Site{token: rand.Text(), mux: http.NewServeMux()}
	s.Handle("GET", "{$}", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Write([]byte(page))
	})
	return s
}

// Root returns the path of the page, which begins and ends with a slash.
func (s *Site) Root() string { return "/" + s.token + "/" }

// Handle answers requests with a method for a name, which is relative to the page.
func (s *Site) Handle(method, name string, answer http.HandlerFunc) {
	s.mux.HandleFunc(method+" "+s.Root()+name, answer)
}

// Get answers a GET of a name with a value as JSON.
func (s *Site) Get(name string, value func() any) {
	s.Handle("GET", name, func(w http.ResponseWriter, _ *http.Request) { Reply(w, value()) })
}

// Address returns the address of the page on a listener.
func (s *Site) Address(l net.Listener) string {
	return (&url.URL{Scheme: "http", Host: l.Addr().String(), Path: s.Root()}).String()
}

// ServeHTTP serves the page and answers its requests.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if why := foreign(r); why != "" {
		Refuse(w, http.StatusForbidden, errors.New(why))
		return
	}
	s.mux.ServeHTTP(w, r)
}

// Serve serves the page until ctx is done.
func (s *Site) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
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

// foreign says why a request is not one of the page on this machine; "" if it is. A page of another
// site that resolves its name to loopback sends that name as Host. With a forwarded port the Host
// has another port, which is allowed.
func foreign(r *http.Request) string {
	if !loopback(r.Host) {
		return fmt.Sprintf("the Host %q is not a name of loopback: open the address that multigrain prints", r.Host)
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

// Reply answers with a value as JSON.
func Reply(w http.ResponseWriter, v any) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		Refuse(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(b.Bytes())
}

// Refuse answers with an error as JSON.
func Refuse(w http.ResponseWriter, code int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]string{"error": words.Printable(err.Error())})
}

// Address returns the address to listen on: a free port of loopback for "". A port alone is
// one of loopback.
func Address(address string) (string, error) {
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

// Listen listens on an address of loopback.
func Listen(address string) (net.Listener, error) {
	address, err := Address(address)
	if err != nil {
		return nil, err
	}
	return net.Listen("tcp", address)
}

// Open opens an address in the user's browser.
func Open(address string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	cmd := exec.Command(command[0], append(command[1:], address)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait()
	return nil
}
