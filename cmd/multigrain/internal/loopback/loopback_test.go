package loopback

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestListen: only loopback is listened on.
func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "[::]:0", "example.com:80", "8.8.8.8:1"} {
		if l, err := Listen(address); err == nil {
			l.Close()
			t.Errorf("it listens on %s", address)
		}
	}
	for _, address := range []string{"", "127.0.0.1:0", "localhost:0", ":0", "0"} {
		l, err := Listen(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		l.Close()
	}
}

// TestForeign: a request with another Host or Origin, or without the token, is refused before it is
// read.
func TestForeign(t *testing.T) {
	s := New("<!doctype html>")
	s.Get("status", func() any { return "well" })
	root := s.Root()
	for _, c := range []struct {
		host, path, header, value string
		code                      int
	}{
		{"127.0.0.1:8080", root, "", "", 200},
		{"localhost:9", root, "", "", 200},
		{"[::1]:80", root, "", "", 200},
		{"127.0.0.1:8080", root, "Origin", "http://127.0.0.1:8080", 200},
		{"127.0.0.1:8080", root, "Sec-Fetch-Site", "none", 200},
		{"127.0.0.1:8080", root + "status", "", "", 200},
		{"evil.example:8080", root, "", "", 403},
		{"127.0.0.1.evil.example", root + "status", "", "", 403},
		{"192.168.1.2:8080", root, "", "", 403},
		{"", root, "", "", 403},
		{"127.0.0.1:8080", root, "Origin", "http://evil.example", 403},
		{"127.0.0.1:8080", root, "Origin", "null", 403},
		{"127.0.0.1:8080", root, "Origin", "http://127.0.0.1:8081", 403},
		{"127.0.0.1:8080", root, "Origin", "https://127.0.0.1:8080", 403},
		{"127.0.0.1:8080", root + "status", "Sec-Fetch-Site", "cross-site", 403},
		{"127.0.0.1:8080", "/", "", "", 404},
		{"127.0.0.1:8080", "/AAAA/", "", "", 404},
		{"127.0.0.1:8080", root + "../", "", "", 307},
	} {
		r := httptest.NewRequest("GET", "http://127.0.0.1:8080"+c.path, nil)
		r.Host = c.host
		if c.header != "" {
			r.Header.Set(c.header, c.value)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.code {
			t.Errorf("%+v: %d", c, w.Code)
		}
		if w.Code != 200 && strings.Contains(w.Body.String(), s.token) {
			t.Errorf("%+v: the token is in the answer", c)
		}
	}
}
