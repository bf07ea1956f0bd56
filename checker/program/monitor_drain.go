package program

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// What a tap has written to a socket before an interrupt is read after it, without waiting for
// more: acceptNow and readNow return at once. A tap that writes faster than the check reads always
// has more, so reading ends after some time in any case.

// pause is between two reads of a socket that is empty: a tap that waited for room writes then.
const pause = 5 * time.Millisecond

// drainage is the reading of a socket after the end of ctx.
type drainage struct {
	ctx   context.Context
	drain time.Duration // how long it may take
	end   time.Time     // zero before it begins
	cut   bool          // it ended before all was read
}

// late reports whether reading must end.
func (d *drainage) late() bool {
	if d.end.IsZero() {
		d.end = host.Now().Add(d.drain)
	}
	late := host.Now().After(d.end)
	d.cut = d.cut || late
	return late
}

// twice calls try, and once more after a pause if nothing was there.
func (d *drainage) twice(try func() (found bool)) bool {
	if d.late() || try() {
		return true
	}
	time.Sleep(pause)
	return try()
}

// past makes the calls return that wait for a socket.
var past = time.Unix(1, 0)

// accept takes the next connection. After the end of ctx it returns an error if none waits.
func (d *drainage) accept(l *net.UnixListener) (conn *net.UnixConn, err error) {
	if d.ctx.Err() == nil {
		if conn, err = l.AcceptUnix(); err == nil || d.ctx.Err() == nil {
			return conn, err
		}
	}
	d.twice(func() bool {
		conn, err = acceptNow(l)
		return err == nil
	})
	if conn == nil && err == nil {
		err = os.ErrDeadlineExceeded
	}
	return conn, err
}

// drained is a connection. After the end of a context it reads only what is there already.
type drained struct {
	*net.UnixConn
	of *drainage
}

// Read returns os.ErrDeadlineExceeded where nothing is there any more.
func (c drained) Read(b []byte) (n int, err error) {
	if c.of.ctx.Err() == nil {
		if n, err = c.UnixConn.Read(b); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
	err = os.ErrDeadlineExceeded
	c.of.twice(func() bool {
		n, err = readNow(c.UnixConn, b)
		return !errors.Is(err, os.ErrDeadlineExceeded)
	})
	return n, err
}
