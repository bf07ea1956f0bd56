package zookeeper

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// What follows is the text form of events: one JSON object a line. Fields that a type of packet
// does not have are absent.

// eventLine is the text form of an Event.
type eventLine struct {
	Event    string         `json:"event"`
	Seq      uint64         `json:"seq"`
	At       int64          `json:"at"` // nanoseconds since 1970
	Count    uint64         `json:"count,omitempty"`
	Port     string         `json:"port,omitempty"`
	Conn     uint64         `json:"conn,omitempty"`
	From     *int64         `json:"from,omitempty"`
	To       *int64         `json:"to,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Type     string         `json:"type,omitempty"`
	Bytes    int64          `json:"bytes,omitempty"`
	Zxid     *Zxid          `json:"zxid,omitempty"`
	Length   *int64         `json:"length,omitempty"` // of the data, where there is any
	Digest   digest         `json:"digest,omitempty"`
	Odd      string         `json:"odd,omitempty"`
	Learner  *Learner       `json:"learner,omitempty"`
	Protocol *int64         `json:"protocol,omitempty"`
	Epoch    *int32         `json:"currentEpoch,omitempty"`
	Txn      *TxnHeader     `json:"txn,omitempty"`
	Request  *RequestHeader `json:"request,omitempty"`
	Session  *Session       `json:"session,omitempty"`
	Sessions *int           `json:"sessions,omitempty"`
	Leader   *int64         `json:"leader,omitempty"`
	Snapshot *Snapshot      `json:"snapshot,omitempty"`
	Status   *int32         `json:"status,omitempty"`
	Server   *int64         `json:"server,omitempty"`
	Address  string         `json:"addresses,omitempty"`
	Vote     *Vote          `json:"vote,omitempty"`
}

type digest uint64

func (d digest) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(d)), nil }

func (d *digest) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 16, 64)
	*d = digest(n)
	return err
}

// MarshalText is epoch:counter, or "none".
func (z Zxid) MarshalText() ([]byte, error) { return []byte(z.String()), nil }

// UnmarshalText reads "none" or EPOCH:COUNTER, which MarshalText wrote. The error says which number
// is wrong.
func (z *Zxid) UnmarshalText(b []byte) error {
	if *z = -1; string(b) == "none" {
		return nil
	}
	epoch, counter, _ := strings.Cut(string(b), ":")
	e, bad := strconv.ParseInt(epoch, 10, 32)
	c, worse := strconv.ParseUint(counter, 10, 32)
	*z = Zxid(e<<32 | int64(c))
	return errors.Join(bad, worse)
}

// MarshalText returns the state's name.
func (s ServerState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a state's name, or "state N" for a number without a name. It returns an error
// for any other text.
func (s *ServerState) UnmarshalText(b []byte) error {
	for *s = LOOKING; *s <= OBSERVING; *s++ {
		if s.String() == string(b) {
			return nil
		}
	}
	n, err := strconv.Atoi(strings.TrimPrefix(string(b), "state "))
	*s = ServerState(n)
	return err
}

// MarshalJSON returns the event's line, without a line break.
func (e *Event) MarshalJSON() ([]byte, error) {
	l := eventLine{Event: e.What, Seq: e.Seq, At: e.Time.UnixNano(), Count: e.Count, Reason: e.Reason}
	if e.What == EventDropped {
		return json.Marshal(&l)
	}
	if e.What == EventRestart {
		l.From = &e.From
		return json.Marshal(&l)
	}
	l.Port, l.Conn, l.From, l.To = e.Port.String(), e.Conn, &e.From, &e.To
	if e.What == EventPacket {
		l.packet(&e.Packet)
	}
	return json.Marshal(&l)
}

// packet fills in what a type of packet has.
func (l *eventLine) packet(p *Packet) {
	l.Type, l.Bytes, l.Odd = p.Type.String(), p.Bytes, p.Odd
	if p.Type <= INFORMANDACTIVATE {
		l.Zxid = &p.Zxid
		if p.DataLen >= 0 {
			l.Length, l.Digest = &p.DataLen, digest(p.Digest)
		}
	}
	switch p.Type {
	case FOLLOWERINFO, OBSERVERINFO:
		l.Learner = &p.Learner
	case LEADERINFO:
		l.Protocol = &p.Protocol
	case ACKEPOCH:
		l.Epoch = &p.CurrentEpoch
	case PROPOSAL, INFORM:
		l.Txn = &p.Txn
	case INFORMANDACTIVATE:
		l.Txn, l.Leader = &p.Txn, &p.Leader
	case COMMITANDACTIVATE:
		l.Leader = &p.Leader
	case REQUEST:
		l.Request = &p.Request
	case REVALIDATE:
		l.Session = &p.Session
	case PING:
		l.Sessions = &p.Sessions
	case SNAPSHOT:
		l.Snapshot = &p.Snapshot
	case AUTH:
		l.Status = &p.AuthStatus
	case HELLO:
		l.Server, l.Protocol, l.Address = &p.Server, &p.Protocol, p.Addresses
	case NOTIFICATION:
		l.Zxid, l.Vote = &p.Zxid, &p.Vote
	}
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Event) UnmarshalJSON(b []byte) error {
	var l eventLine
	if err := json.Unmarshal(b, &l); err != nil {
		return err
	}
	*e = Event{What: l.Event, Seq: l.Seq, Time: time.Unix(0, l.At), Count: l.Count, Reason: l.Reason, Conn: l.Conn}
	e.From, e.To = value(l.From, -1), value(l.To, -1)
	switch l.Port {
	case ElectionPort.String():
		e.Port = ElectionPort
	case QuorumPort.String(), "":
	default:
		return fmt.Errorf("unknown port %q", l.Port)
	}
	switch l.Event {
	case EventOpen, EventClosed, EventBlind, EventDropped, EventRestart:
		return nil
	case EventPacket:
		return e.Packet.fill(&l)
	}
	return fmt.Errorf("unknown event %q", l.Event)
}

func (p *Packet) fill(l *eventLine) error {
	known := false
	for t, name := range typeNames {
		if name == l.Type {
			p.Type, known = t, true
		}
	}
	if !known {
		return fmt.Errorf("unknown type of packet %q", l.Type)
	}
	p.Bytes, p.Odd, p.Digest = l.Bytes, l.Odd, uint64(l.Digest)
	p.Zxid, p.DataLen = value(l.Zxid, 0), value(l.Length, -1)
	p.Learner, p.Protocol, p.CurrentEpoch = value(l.Learner, Learner{}), value(l.Protocol, 0), value(l.Epoch, 0)
	p.Txn, p.Request, p.Session = value(l.Txn, TxnHeader{}), value(l.Request, RequestHeader{}), value(l.Session, Session{})
	p.Sessions, p.Leader, p.Snapshot = value(l.Sessions, 0), value(l.Leader, 0), value(l.Snapshot, Snapshot{})
	p.AuthStatus, p.Server, p.Addresses, p.Vote = value(l.Status, 0), value(l.Server, 0), l.Address, value(l.Vote, Vote{})
	return nil
}

func value[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// WriteEvents writes a line for each event.
func WriteEvents(w io.Writer, events []Event) error {
	for k := range events {
		b, err := events[k].MarshalJSON()
		if err != nil {
			return err
		}
		if _, err := w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// maxLine is the longest line of events that is read, in bytes.
const maxLine = 1 << 20

// ReadEvents passes the events of r, as WriteEvents writes them, to take, until the end, a line
// that is none, or an error of take.
func ReadEvents(r io.Reader, take func(*Event) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		var e Event
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := take(&e); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return in.Err()
}
