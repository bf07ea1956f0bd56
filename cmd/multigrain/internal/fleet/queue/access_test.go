package queue

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// authority signs certificates into a folder.
type authority struct {
	t      *testing.T
	folder string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
}

// write writes a certificate and its key as NAME.pem and NAME.key.
func (a *authority) write(name string, usage x509.ExtKeyUsage, isCA bool) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	cert := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: isCA, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{usage},
	}
	if a.cert == nil {
		a.cert, a.key = cert, key
	}
	text, err := x509.CreateCertificate(rand.Reader, cert, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: text}, name + ".key": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(a.folder, file), pem.EncodeToMemory(block), 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
}

// TestTLS: a server that requires a certificate and a password, with the settings that
// docs/how-to/fleet.md shows. A context that lacks one of them is refused.
func TestTLS(t *testing.T) {
	t.Parallel()
	a := &authority{t: t, folder: t.TempDir()}
	a.write("ca", x509.ExtKeyUsageAny, true)
	a.write("server", x509.ExtKeyUsageServerAuth, false)
	a.write("client", x509.ExtKeyUsageClientAuth, false)
	conf := filepath.Join(a.folder, "nats.conf")
	text := fmt.Sprintf(`
listen: "127.0.0.1:-1"
jetstream { store_dir: %[1]q }
tls {
  cert_file: "%[1]s/server.pem"
  key_file: "%[1]s/server.key"
  ca_file: "%[1]s/ca.pem"
  verify: true
}
authorization { user: multigrain, password: "CHANGE-ME" }
`, a.folder)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	o.NoSigs, o.NoLog = true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server is not ready")
	}
	url := "tls://" + s.Addr().String()
	for _, c := range []struct {
		name, fields string
		ok           bool
	}{
		{"whole", `"ca": "%[1]s/ca.pem", "cert": "%[1]s/client.pem", "key": "%[1]s/client.key", "user": "multigrain", "password": "CHANGE-ME"`, true},
		{"wrong password", `"ca": "%[1]s/ca.pem", "cert": "%[1]s/client.pem", "key": "%[1]s/client.key", "user": "multigrain", "password": "other"`, false},
		{"no certificate", `"ca": "%[1]s/ca.pem", "user": "multigrain", "password": "CHANGE-ME"`, false},
		{"unknown authority", `"cert": "%[1]s/client.pem", "key": "%[1]s/client.key", "user": "multigrain", "password": "CHANGE-ME"`, false},
	} {
		path := filepath.Join(t.TempDir(), "context.json")
		if err := os.WriteFile(path, []byte(fmt.Sprintf(`{"url": "%[2]s", `+c.fields+`}`, a.folder, url)), 0o600); err != nil {
			t.Fatal(err)
		}
		var access Access
		if err := access.ReadContext(path); err != nil {
			t.Fatal(err)
		}
		conn, err := access.Dial()
		if err == nil {
			_, err = conn.Runs(t.Context())
			conn.Close()
		}
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestLoopback: the embedded server listens on the loopback address and requires its token.
func TestLoopback(t *testing.T) {
	t.Parallel()
	s, err := Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	host, _, err := net.SplitHostPort(s.server.Addr().String())
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("it listens on %s, %v", s.server.Addr(), err)
	}
	if conn, err := (Access{URL: s.URL()}).Dial(); err == nil {
		conn.Close()
		t.Error("it takes a connection without the token")
	} else if !Refused(err) {
		t.Errorf("%v is no refusal", err)
	}
}

// TestImporters: no other package imports NATS, so programs that explore do not have it.
func TestImporters(t *testing.T) {
	t.Parallel()
	root, read := filepath.Join("..", "..", "..", "..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || filepath.Base(filepath.Dir(path)) == "queue" {
			return err
		}
		text, err := os.ReadFile(path)
		read++
		if bytes.Contains(text, []byte("\t\"github.com/nats-io/")) {
			t.Errorf("%s imports NATS: use package queue", path)
		}
		return err
	})
	if err != nil || read < 500 {
		t.Errorf("%d files were read, %v", read, err)
	}
}
