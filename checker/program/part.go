package program

import (
	"bufio"
	"errors"
	"io"

	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/explore/exchange"
	"github.com/multigrain/multigrain/checker/wire"
)

// part returns the part of a search that a request asks for; nil for a whole search.
func (p *Program[S, U]) part(asked *wire.Share) (*explore.Part, error) {
	if asked == nil {
		return nil, nil
	}
	if p.side.Sent == nil {
		return nil, errors.New("a part of a search needs a command that carries its frames")
	}
	out := &explore.Part{Index: asked.Index, Count: asked.Count, Link: pipes{p.side.Sent, bufio.NewReaderSize(p.side.Received, 256<<10)}}
	if p.Branches != nil {
		out.Taken = p.Branches.Taken
	}
	return out, nil
}

// pipes is a link by the command.
type pipes struct {
	sent     io.Writer
	received *bufio.Reader
}

func (l pipes) Send(frame []byte) error { return exchange.Write(l.sent, frame) }

func (l pipes) Receive() ([]byte, error) { return exchange.Read(l.received) }

// isLost reports whether an error says that the parts of a search lost each other.
func isLost(err error) bool {
	_, ok := errors.AsType[*exchange.Error](err)
	return ok
}
