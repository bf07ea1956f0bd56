//go:build !unix

package program

import (
	"net"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// moment is how long to wait for what is there already, where a system does not tell that at once.
const moment = 20 * time.Millisecond

// readNow reads what is there. It returns os.ErrDeadlineExceeded where nothing is.
func readNow(c *net.UnixConn, b []byte) (int, error) {
	if err := c.SetReadDeadline(host.Now().Add(moment)); err != nil {
		return 0, err
	}
	return c.Read(b)
}

// acceptNow takes a connection that waits. It returns an error where none does.
func acceptNow(l *net.UnixListener) (*net.UnixConn, error) {
	if err := l.SetDeadline(host.Now().Add(moment)); err != nil {
		return nil, err
	}
	return l.AcceptUnix()
}
