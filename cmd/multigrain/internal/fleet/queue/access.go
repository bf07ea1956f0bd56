package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/multigrain/multigrain/checker/host"
)

// Access says how a server is reached. The fields with a JSON name are those of a context of the
// command nats. NATS itself reads the files.
type Access struct {
	URL      string `json:"url"` // nats:// or tls://, several with commas between them
	Token    string `json:"token"`
	User     string `json:"user"`
	Password string `json:"password"`
	Creds    string `json:"creds"` // a file of credentials
	NKey     string `json:"nkey"`  // a file with a seed
	Cert     string `json:"cert"`  // a file with the certificate of the client
	Key      string `json:"key"`   // a file with its key
	CA       string `json:"ca"`    // a file of certificates that the server's is signed with
	TLSFirst bool   `json:"tls_first"`
	// Patience is how long a lost connection is made again. A call that the server refuses is
	// repeated for as long; 0: until its context is done.
	Patience time.Duration `json:"-"`
}

// ignored are settings of a context that do not decide how a server is reached.
var ignored = []string{"description", "color_scheme"}

// ReadContext takes the settings of a context file. A URL that is given already stays.
func (a *Access) ReadContext(path string) error {
	text, err := host.ReadFile(path)
	if err != nil {
		return err
	}
	all := map[string]any{}
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("%s is no context of nats: %w", path, err)
	}
	given := a.URL
	if err := json.Unmarshal(text, a); err != nil {
		return fmt.Errorf("%s is no context of nats: %w", path, err)
	}
	if given != "" {
		a.URL = given
	}
	var known map[string]any
	fields, err := json.Marshal(Access{})
	if err == nil {
		err = json.Unmarshal(fields, &known)
	}
	for _, name := range ignored {
		known[name] = nil
	}
	for name, value := range all {
		if _, ok := known[name]; !ok && value != nil && value != "" && value != false {
			return fmt.Errorf("%s has the setting %q, which is not supported. Remove it, or use one of url, token, user, password, creds, nkey, cert, key, ca and tls_first", path, name)
		}
	}
	return err
}

// options returns the options of a connection. Gone is closed when it has ended for good.
func (a Access) options(gone chan struct{}) ([]nats.Option, error) {
	const wait = 250 * time.Millisecond
	opts := []nats.Option{
		nats.Name("multigrain"), nats.Timeout(5 * time.Second), nats.ReconnectWait(wait), nats.ReconnectJitter(0, 0),
		nats.MaxReconnects(max(1, int(a.Patience/wait))),
		nats.ClosedHandler(func(*nats.Conn) { close(gone) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // calls report their own
	}
	if a.Token != "" {
		opts = append(opts, nats.Token(a.Token))
	}
	if a.User != "" {
		opts = append(opts, nats.UserInfo(a.User, a.Password))
	}
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	if a.NKey != "" {
		key, err := nats.NkeyOptionFromSeed(a.NKey)
		if err != nil {
			return nil, err
		}
		opts = append(opts, key)
	}
	if a.Cert != "" || a.Key != "" {
		opts = append(opts, nats.ClientCert(a.Cert, a.Key))
	}
	if a.CA != "" {
		opts = append(opts, nats.RootCAs(a.CA))
	}
	if a.TLSFirst {
		opts = append(opts, nats.TLSHandshakeFirst())
	}
	return opts, nil
}

// Conn is a connection to a server with JetStream.
type Conn struct {
	nc   *nats.Conn
	js   jetstream.JetStream
	gone chan struct{}

	patience time.Duration // of Access

	// Replicas is how many servers of a cluster keep what this connection makes: 1, 3 or 5.
	Replicas int

	// Store keeps the objects of runs; nil: the server does.
	Store Store
}

// Dial connects. The error says that there is no server, or that it refuses the caller.
func (a Access) Dial() (*Conn, error) {
	gone := make(chan struct{})
	opts, err := a.options(gone)
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(a.URL, opts...)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Conn{nc: nc, js: js, gone: gone, patience: a.Patience, Replicas: 1}, nil
}

// Refused reports whether an error of Dial says that a server refuses the caller, which waiting
// does not mend.
func Refused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrSecureConnRequired)
}

// Gone is closed when the connection has ended for good.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Close ends the connection.
func (c *Conn) Close() { c.nc.Close() }

// errGone is the end of a connection.
var errGone = errors.New("the connection to the server has ended")

// persist calls a function until it succeeds, or gives up, or the connection has ended for good, or
// ctx is done. A call that the server refuses for longer than Access.Patience is given up. A server
// that is started again costs a few tries. One whose disk was full refuses all.
func (c *Conn) persist(ctx context.Context, call func(ctx context.Context) error) error {
	begun := host.Now()
	for {
		one, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := call(one)
		cancel()
		if err == nil || errors.As(err, new(final)) {
			return err
		}
		if c.patience > 0 && host.Since(begun) > c.patience {
			return fmt.Errorf("the server has refused a call for %s: %w. Look whether its disk is full: after that a server of NATS must be started again", c.patience, err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-c.gone:
			return errors.Join(err, errGone)
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// final is an error that calling again does not change.
type final struct{ error }
