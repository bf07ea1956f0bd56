package queue

import (
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server in this process. It listens on the loopback address, at a free port, and
// requires a token that is made for it.
type Server struct {
	server *server.Server
	Token  string
}

// Start starts a server that keeps its files in a folder. Only one may use a folder at a time.
func Start(folder string) (*Server, error) {
	token := rand.Text()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: folder,
		Authorization: token, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the embedded server does not accept connections")
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("the embedded server has no storage in %s", folder)
	}
	return &Server{s, token}, nil
}

// URL returns the address of the server, without the token.
func (s *Server) URL() string { return s.server.ClientURL() }

// Stop ends the server and waits until its files are closed.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}
