package queue

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

// Store keeps the objects of runs elsewhere than on the server of the queue. Its methods may be
// called at the same time.
type Store interface {
	// Address says where it is, without credentials. Two stores with the same address are the
	// same.
	Address() string
	// Of returns the objects of a run.
	Of(run string) Objects
}

// Objects are the objects of a run: its jobs, sources, result and documents.
type Objects interface {
	// Put stores an object. Readers see the whole old one or the whole new one.
	Put(ctx context.Context, name string, content []byte) error
	// Get returns an object. The error is ErrNoObject if there is none.
	Get(ctx context.Context, name string) ([]byte, error)
	// List returns all objects by name, each with a text that changes when the object does.
	List(ctx context.Context) (map[string]string, error)
	// Remove removes all.
	Remove(ctx context.Context) error
}

// ErrNoObject says that a run has no object of a name.
var ErrNoObject = errors.New("there is no such object")

// address returns where the connection keeps objects: "" is the server.
func (c *Conn) address() string {
	if c.Store == nil {
		return ""
	}
	return c.Store.Address()
}

// objectsOf opens the objects of a run that this connection's store has. Make makes their bucket
// on the server, if that keeps them.
func (c *Conn) objectsOf(ctx context.Context, id string, make bool) (Objects, error) {
	if c.Store != nil {
		return c.Store.Of(id), nil
	}
	name := prefix + id
	if !make {
		o, err := c.js.ObjectStore(ctx, name)
		return stored{c.js, o, name}, err
	}
	o, err := c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, Replicas: c.Replicas})
	return stored{c.js, o, name}, err
}

// Elsewhere reports whether another store than that of the connection has the objects of a run.
// The run cannot be worked on then.
func (r *Run) Elsewhere() bool { return r.Record.Store != r.conn.address() }

// stored are objects on the server.
type stored struct {
	js   jetstream.JetStream
	o    jetstream.ObjectStore
	name string
}

func (s stored) Put(ctx context.Context, name string, content []byte) error {
	_, err := s.o.PutBytes(ctx, name, content)
	return err
}

func (s stored) Get(ctx context.Context, name string) ([]byte, error) {
	content, err := s.o.GetBytes(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		err = ErrNoObject
	}
	return content, err
}

func (s stored) List(ctx context.Context) (map[string]string, error) {
	all, err := s.o.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, nil
	}
	out := map[string]string{}
	for _, o := range all {
		out[o.Name] = o.Digest
	}
	return out, err
}

func (s stored) Remove(ctx context.Context) error {
	if err := s.js.DeleteObjectStore(ctx, s.name); err != nil && !absent(err) {
		return err
	}
	return nil
}

// foreign are objects that another store has.
type foreign struct{ where string }

func (f foreign) error() error {
	where := f.where
	if where == "" {
		where = "the server of the queue"
	}
	return final{errors.New("the objects of the run are in " + where)}
}

func (f foreign) Put(context.Context, string, []byte) error       { return f.error() }
func (f foreign) Get(context.Context, string) ([]byte, error)     { return nil, f.error() }
func (f foreign) List(context.Context) (map[string]string, error) { return nil, f.error() }
func (f foreign) Remove(context.Context) error                    { return f.error() }
