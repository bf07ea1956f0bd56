package etcdserver

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// authority signs certificates of members and of a tap.
type authority struct {
	t    *testing.T
	dir  string
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	file string // of its certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.cert = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.key = a.newKey()
	a.file = a.write("authority", "CERTIFICATE", a.sign(a.cert, &a.key.PublicKey))
	return a
}

func (a *authority) newKey() *ecdsa.PrivateKey {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	return key
}

func (a *authority) sign(c *x509.Certificate, key *ecdsa.PublicKey) []byte {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, key, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	return der
}

func (a *authority) write(name, kind string, der []byte) string {
	a.t.Helper()
	path := filepath.Join(a.dir, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// options returns the flags of a tap, or of a member, with a certificate of its own.
func (a *authority) options(name string) *options {
	a.t.Helper()
	key := a.newKey()
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	return &options{ca: a.file, cert: a.write(name+".cert", "CERTIFICATE", a.sign(c, &key.PublicKey)), key: a.write(name+".key", "EC PRIVATE KEY", der)}
}

func (a *authority) certificates(name string) *Certificates {
	a.t.Helper()
	c, err := a.options(name).certificates()
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

// member listens as a peer port does that demands certificates of peers. It counts the requests.
func (a *authority) member(requests *atomic.Int32) string {
	a.t.Helper()
	config := a.certificates("member").Server.Clone()
	config.ClientAuth = tls.RequireAndVerifyClientCert
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		a.t.Fatal(err)
	}
	server := &http.Server{ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	})}
	go server.Serve(listener)
	a.t.Cleanup(func() { server.Close() })
	return listener.Addr().String()
}

// TestTLS: a tap with certificates decodes what members say by TLS. It passes nobody on who has no
// certificate: the member would take the tap's own for it. A tap without certificates refuses.
func TestTLS(t *testing.T) {
	a, stranger := newAuthority(t), newAuthority(t)
	peer := a.certificates("peer").Client
	nobody := peer.Clone()
	nobody.Certificates = nil
	foreign := peer.Clone()
	foreign.Certificates = stranger.certificates("stranger").Client.Certificates
	for name, c := range map[string]struct {
		tap    *Certificates
		peer   *tls.Config
		passes bool
		cause  string // of what the tap cannot decode
	}{
		"a member":                {a.certificates("tap"), peer, true, ""},
		"no certificate":          {a.certificates("tap"), nobody, false, ""},
		"another authority":       {a.certificates("tap"), foreign, false, ""},
		"a tap that has no flags": {nil, peer, false, needsCertificates},
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int32
			var mu sync.Mutex
			var sent []string
			cause := ""
			backlog := NewBacklog()
			link, err := Forward(0, "127.0.0.1:0", a.member(&requests), c.tap, backlog, func(e Event) {
				mu.Lock()
				defer mu.Unlock()
				switch e.Kind {
				case Sent:
					sent = append(sent, e.Message.GetType().String())
				case Blind:
					cause = e.Cause
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			defer link.Close()
			body, err := proto.Marshal(&pb.Message{Type: pb.MsgHeartbeat.Enum(), From: new(uint64(10)), To: new(uint64(11)), Term: new(uint64(2))})
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{TLSClientConfig: c.peer, DisableKeepAlives: true}}
			resp, err := client.Post("https://"+link.Addr()+pathMessage, "application/protobuf", bytes.NewReader(body))
			if err == nil {
				resp.Body.Close()
			}
			link.Close()
			backlog.Close()
			mu.Lock()
			defer mu.Unlock()
			if passed := err == nil && requests.Load() == 1 && strings.Join(sent, " ") == "MsgHeartbeat"; passed != c.passes {
				t.Errorf("%d requests came to the member, the tap decoded %q, and the peer's error is %v", requests.Load(), sent, err)
			}
			if !c.passes && (requests.Load() > 0 || len(sent) > 0) {
				t.Errorf("%d requests came to the member, and the tap decoded %q", requests.Load(), sent)
			}
			if cause != c.cause {
				t.Errorf("the tap could not decode for %q, want %q", cause, c.cause)
			}
		})
	}
}

// TestServersTLS: the members of a real cluster talk by TLS and demand certificates of each other.
// A tap with certificates sees all that they say, and a message that is changed is an alarm.
func TestServersTLS(t *testing.T) {
	a := newAuthority(t)
	secure := a.options("members")
	c := plainCluster(t, "v3.7", 3)
	c.secure = secure
	c.linked(a.certificates("tap"))
	for i := range 3 {
		c.start(i, 3, "new")
	}
	c.await(0)
	if took := c.load(60, 2); len(took) < 60 {
		t.Fatalf("%d of 60 writes came through", len(took))
	}
	c.stop()
	c.holds()
	wrong := 0
	for i := range 3 {
		lines := bytes.Split(bytes.TrimSpace(recordOf(t, c, i)), []byte("\n"))
		if find(lines, `"event":"out"`, `"Kind":"MsgAppResp"`, 20) < 0 {
			continue // it leads
		}
		lines = edit(t, lines, `"event":"out"`, `"Kind":"MsgAppResp"`, 20, func(m map[string]any) { m["Index"] = m["Index"].(float64) + 50 })
		if r := assemble(t, "v3.7").check(t, i, append(bytes.Join(lines, []byte("\n")), '\n')); r.alarm == nil {
			t.Errorf("node %d: %s %s, and it must be an alarm", i, r.verdict, r.reason)
		}
		wrong++
	}
	if wrong == 0 {
		t.Error("nobody follows")
	}
}
