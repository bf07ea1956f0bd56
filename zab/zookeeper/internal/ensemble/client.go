package ensemble

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Client is a session with one server that makes one call at a time. It speaks ZooKeeper's client
// protocol, jute records after their length.
type Client struct {
	conn net.Conn
	xid  int32
	// Zxid is that of the last answer.
	Zxid int64
	// Session is the one that Dial has opened or Resume has continued.
	Session Session
}

// Session identifies a session. The zero value is none.
type Session struct {
	ID       int64
	password [16]byte
}

// Op codes of ZooDefs.OpCode.
const (
	opCreate  = 1
	opGetData = 4
	opSetData = 5
	opSync    = 9
	opClose   = -11
)

// Error is an error code of a server, KeeperException.Code.
type Error int32

// Errors that callers distinguish.
const (
	NoNode     Error = -101
	NodeExists Error = -110
)

func (e Error) Error() string { return fmt.Sprintf("zookeeper error %d", int32(e)) }

// sessionTimeout is asked for, in milliseconds. The server grants its maxSessionTimeout at most.
const sessionTimeout = 3_600_000

// Dial opens a session. It fails if that takes longer than limit.
func Dial(address string, limit time.Duration) (*Client, error) {
	return Resume(address, Session{}, limit)
}

// Resume continues a session at a server, or opens one if there is none. It fails if that takes
// longer than limit, or if the session has expired.
func Resume(address string, session Session, limit time.Duration) (*Client, error) {
	conn, err := net.DialTimeout("tcp", address, limit)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn}
	conn.SetDeadline(time.Now().Add(limit))
	var q record
	q.int32(0).int64(0).int32(sessionTimeout).int64(session.ID).bytes(session.password[:]).bool(false)
	answer, err := c.exchange(q)
	if err == nil && (len(answer) < 36 || binary.BigEndian.Uint64(answer[8:]) == 0) {
		err = errors.New("the server refuses the session")
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	// The answer is version, time-out, session, and a password after its length.
	c.Session.ID = int64(binary.BigEndian.Uint64(answer[8:]))
	copy(c.Session.password[:], answer[20:36])
	return c, nil
}

// exchange sends a record and returns the answer.
func (c *Client) exchange(q record) ([]byte, error) {
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(q)))
	if _, err := c.conn.Write(append(frame, q...)); err != nil {
		return nil, err
	}
	var head [4]byte
	if _, err := io.ReadFull(c.conn, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > 16<<20 {
		return nil, fmt.Errorf("an answer of %d bytes", n)
	}
	answer := make([]byte, n)
	_, err := io.ReadFull(c.conn, answer)
	return answer, err
}

// call makes a request and returns what stands after the answer's header.
func (c *Client) call(limit time.Duration, op int32, body record) ([]byte, error) {
	c.conn.SetDeadline(time.Now().Add(limit))
	c.xid++
	var q record
	q.int32(c.xid).int32(op)
	answer, err := c.exchange(append(q, body...))
	switch {
	case err != nil:
		return nil, err
	case len(answer) < 16:
		return nil, errors.New("an answer without a header")
	}
	if got := int32(binary.BigEndian.Uint32(answer)); got != c.xid {
		return nil, fmt.Errorf("answer %d to request %d", got, c.xid)
	}
	c.Zxid = int64(binary.BigEndian.Uint64(answer[4:]))
	if code := Error(binary.BigEndian.Uint32(answer[12:])); code != 0 {
		return nil, code
	}
	return answer[16:], nil
}

// Create makes a node that everyone may change. The error is an Error if the server refuses, or
// that of a connection that breaks or does not answer within limit.
func (c *Client) Create(path string, data []byte, limit time.Duration) error {
	var q record
	q.bytes([]byte(path)).bytes(data).int32(1).int32(31).bytes([]byte("world")).bytes([]byte("anyone")).int32(0)
	_, err := c.call(limit, opCreate, q)
	return err
}

// Set changes a node's data, whatever its version. Errors are as in Create.
func (c *Client) Set(path string, data []byte, limit time.Duration) error {
	var q record
	q.bytes([]byte(path)).bytes(data).int32(-1)
	_, err := c.call(limit, opSetData, q)
	return err
}

// Get returns a node's data as this server knows it. Errors are as in Create.
func (c *Client) Get(path string, limit time.Duration) ([]byte, error) {
	var q record
	answer, err := c.call(limit, opGetData, *q.bytes([]byte(path)).bool(false))
	if err != nil {
		return nil, err
	}
	if len(answer) < 4 || int64(int32(binary.BigEndian.Uint32(answer))) > int64(len(answer)-4) {
		return nil, errors.New("the answer of the server has no data")
	}
	n := max(int32(binary.BigEndian.Uint32(answer)), 0)
	return answer[4 : 4+n], nil
}

// Sync waits until this server knows what its leader had committed when it was asked. Errors are as
// in Create.
func (c *Client) Sync(path string, limit time.Duration) error {
	var q record
	_, err := c.call(limit, opSync, *q.bytes([]byte(path)))
	return err
}

// Abort breaks the connection, and with it a call that waits. The session ends with its time-out.
func (c *Client) Abort() { c.conn.Close() }

// Close ends the session.
func (c *Client) Close() {
	c.call(time.Second, opClose, nil)
	c.conn.Close()
}

// record is a jute record that is being written.
type record []byte

func (r *record) int32(v int32) *record {
	*r = binary.BigEndian.AppendUint32(*r, uint32(v))
	return r
}

func (r *record) int64(v int64) *record {
	*r = binary.BigEndian.AppendUint64(*r, uint64(v))
	return r
}

func (r *record) bool(v bool) *record {
	*r = append(*r, 0)
	if v {
		(*r)[len(*r)-1] = 1
	}
	return r
}

func (r *record) bytes(v []byte) *record {
	r.int32(int32(len(v)))
	*r = append(*r, v...)
	return r
}
