package etcdserver

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Paths of the peer port. rafthttp/http.go.
const (
	pathMessage  = "/raft"
	pathSnapshot = "/raft/snapshot"
	pathStream   = "/raft/stream/"
)

// parser runs a function that reads a stream of bytes. The bytes come in pieces: feed returns when
// the function needs more. So what a piece completes is noted when that piece is fed.
type parser struct {
	next  func() (struct{}, bool)
	stop  func()
	piece []byte
	ended bool
	err   error // of the function; set when it has returned
}

func newParser(read func(io.Reader) error) *parser {
	p := &parser{}
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil {
				p.err = fmt.Errorf("fault of the decoder: %v", r)
			}
		}()
		p.err = read(pieces{p, yield})
	})
	return p
}

// feed gives the function the next bytes. The error says that they cannot be decoded; the function
// has returned then.
func (p *parser) feed(b []byte) error {
	p.piece = b
	if _, more := p.next(); !more && p.err == nil {
		p.err = io.ErrUnexpectedEOF
	}
	return p.err
}

// end says that no more bytes come.
func (p *parser) end() {
	p.ended = true
	p.stop()
}

// pieces reads what feed gives.
type pieces struct {
	*parser
	yield func(struct{}) bool
}

func (p pieces) Read(b []byte) (int, error) {
	for len(p.piece) == 0 {
		if p.ended || !p.yield(struct{}{}) {
			return 0, io.EOF
		}
	}
	n := copy(b, p.piece)
	p.piece = p.piece[n:]
	return n, nil
}

// exchange is the HTTP traffic of a connection to the member target: its requests and the answers.
type exchange struct {
	note   func(Event)
	posted *Event // the message whose request has no answer so far; nil: none

	mu       sync.Mutex
	requests []*http.Request // without an answer so far
	stream   *Event          // the stream that the connection carries; nil: none
}

// readRequests decodes what the member sends that has dialled.
func (x *exchange) readRequests(r io.Reader) error {
	in := bufio.NewReader(r)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return err
		}
		x.mu.Lock()
		x.requests = append(x.requests, req)
		x.mu.Unlock()
		from, _ := parseID(req.Header.Get("X-Server-From"))
		switch {
		case req.Method == http.MethodPost && req.URL.Path == pathMessage:
			err = x.post(from, req.Body)
		case req.Method == http.MethodPost && req.URL.Path == pathSnapshot:
			err = x.snapshot(from, req.Body)
		default:
			_, err = io.Copy(io.Discard, req.Body)
		}
		if err != nil {
			return err
		}
	}
}

// post reads a message that is the body of a request.
func (x *exchange) post(from uint64, body io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(body, mostBytes))
	if err != nil {
		return err
	}
	m := &pb.Message{}
	if err := proto.Unmarshal(b, m); err != nil {
		return fmt.Errorf("POST %s: %w", pathMessage, err)
	}
	e := Event{From: from, To: m.GetTo(), Message: m, Single: true}
	e.Kind = Sent
	x.note(e)
	e.Kind = Delivered
	x.note(e)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.posted = &Event{Kind: Answered, From: from, To: m.GetTo(), Single: true}
	return nil
}

// answered notes that the request of a message has an answer, or will have none.
func (x *exchange) answered() {
	x.mu.Lock()
	e := x.posted
	x.posted = nil
	x.mu.Unlock()
	if e != nil {
		x.note(*e)
	}
}

// snapshot reads a snapshot: a message, and after it the bytes of the database. The member has the
// message when it has them all.
func (x *exchange) snapshot(from uint64, body io.Reader) error {
	m, err := messageStream{body}.next()
	if err != nil || m == nil {
		return fmt.Errorf("POST %s has no message: %w", pathSnapshot, err)
	}
	e := Event{From: from, To: m.GetTo(), Message: m, Single: true}
	e.Kind = Sent
	x.note(e)
	if _, err := io.Copy(io.Discard, body); err != nil {
		return err
	}
	e.Kind = Delivered
	x.note(e)
	return nil
}

// readAnswers decodes what the member sends that was dialled.
func (x *exchange) readAnswers(r io.Reader) error {
	in := bufio.NewReader(r)
	for {
		if _, err := in.Peek(1); err != nil {
			return err
		}
		x.mu.Lock()
		if len(x.requests) == 0 {
			x.mu.Unlock()
			return fmt.Errorf("an answer without a request")
		}
		req := x.requests[0]
		x.requests = x.requests[1:]
		x.mu.Unlock()
		resp, err := http.ReadResponse(in, req)
		if err != nil {
			return err
		}
		if resp.StatusCode == http.StatusOK && strings.HasPrefix(req.URL.Path, pathStream) {
			return x.readStream(req, resp.Header.Get("X-Server-Version"), resp.Body)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return err
		}
		if req.URL.Path == pathMessage {
			x.answered()
		}
	}
}

// readStream decodes a stream, from the member that was dialled to the one that has dialled.
func (x *exchange) readStream(req *http.Request, version string, body io.Reader) error {
	from, err := parseID(req.Header.Get("X-Raft-To"))
	if err != nil {
		return fmt.Errorf("header X-Raft-To of a stream: %w", err)
	}
	to, err := parseID(path.Base(req.URL.Path))
	if err != nil {
		return fmt.Errorf("path %s of a stream: %w", req.URL.Path, err)
	}
	e := Event{Kind: Attached, From: from, To: to, Version: version}
	var d decoder = messageStream{body}
	switch path.Base(path.Dir(req.URL.Path)) {
	case "msgapp":
		e.Appends = true
		d = &appStream{r: body, from: from, to: to}
	case "message":
	default:
		return fmt.Errorf("%s is an unknown stream", req.URL.Path)
	}
	x.mu.Lock()
	x.stream = &e
	x.mu.Unlock()
	x.note(e)
	for {
		m, err := d.next()
		if err != nil {
			return err
		}
		if m == nil {
			continue
		}
		e := Event{From: from, To: to, Message: m, Appends: e.Appends}
		e.Kind = Sent
		x.note(e)
		e.Kind = Delivered
		x.note(e)
	}
}

// ended notes that the connection has ended.
func (x *exchange) ended() {
	x.answered()
	x.mu.Lock()
	stream := x.stream
	x.stream = nil
	x.mu.Unlock()
	if stream != nil {
		e := *stream
		e.Kind = Detached
		x.note(e)
	}
}

// parseID reads the identity of a member as etcd writes it, in hexadecimal.
func parseID(s string) (uint64, error) { return strconv.ParseUint(s, 16, 64) }
