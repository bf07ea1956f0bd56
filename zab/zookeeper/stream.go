package zookeeper

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/multigrain/multigrain/zab"
)

// Stream turns the events of a tap into what one server sees, in the words of package zab. The
// first line is a header, which states the networks and the kinds of messages that it has. After it
// there is a line for each message of the specification that the server receives or sends, as a
// checker next to that server reads them. What the specification does not have is left out: PING,
// REQUEST, REVALIDATE, SYNC, AUTH, and what concerns observers. Notifications are left out unless
// they are asked for.
//
//   - Servers are counted from 0, in the order of their identities.
//   - The ACK of NEWLEADER is ACKLD: the first one on a connection that has the epoch's zxid. That
//     of UPTODATE, which has it too, is an ACK.
//   - DIFF has no zxid: that on the wire is of the last committed transaction, or of the last one
//     that the learner has, and nobody reads it.
//   - UPTODATE has no zxid on the wire; here it has that of the epoch, as in the specification.
//   - The value of a transaction is a digest of its header: client, request, zxid, time and
//     operation. (Not of all its data: a leader that proposes again what it has read from its log
//     may leave out the digest of its tree.)
//   - The end of a connection is message CLOSED, after all that was sent over it. The
//     specification's channels know one connection at a time, so what comes over an earlier one
//     when a later one has begun is left out.
//   - A proposal of its own that a leader sends first is a client's request before it, since the
//     ports of clients are not tapped: action LeaderProcessRequest with the value in ClientRequest.
//   - A connection to the election port over which both servers may send is action NodeMeets, with
//     the other server, where notifications are asked for. A notification over an earlier one,
//     which the server may have left, has action NodeParts after it.
type Stream struct {
	// Notifications says that those of elections are part of the stream.
	Notifications bool
	// Numbered numbers the values of transactions among those with the same zxid, from 0, in the
	// order in which they come first, instead of the digests. A zxid stands for one transaction, so
	// another value than 0 is another transaction in the place of the first: what nobody has seen
	// yet has value 0. The last 65536 zxids are remembered.
	Numbered bool

	begun   bool // the header is written
	node    int64
	servers []int64
	out     io.Writer
	conns   map[uint64]*stretch
	now     map[[2]int64]uint64 // the last connection to the quorum port between learner and leader
	met     map[int64]uint64    // the last connection to the election port, by the other server
	// epoch is that of the last LEADERINFO of the server, and proposed the last zxid that it has
	// proposed in an epoch that it leads.
	epoch, proposed Zxid
	values          map[Zxid][]TxnHeader
	known           []Zxid // of values, the oldest first
	err             error
}

// stretch holds the known facts of a connection.
type stretch struct {
	learner, leader int64
	epoch           Zxid // of NEWLEADER
	acked           bool // NEWLEADER
	closed          [2]bool
}

// NewStream returns a Stream that writes the events of server node to out. It fails unless node is
// one of servers, the whole ensemble, and each of these is there once.
func NewStream(node int64, servers []int64, out io.Writer) (*Stream, error) {
	servers = slices.Clone(servers)
	slices.Sort(servers)
	if len(slices.Compact(slices.Clone(servers))) != len(servers) || !slices.Contains(servers, node) {
		return nil, fmt.Errorf("server %d is not one of %v, or one of these is there twice", node, servers)
	}
	return &Stream{node: node, servers: servers, out: out, conns: map[uint64]*stretch{}, now: map[[2]int64]uint64{}, met: map[int64]uint64{}}, nil
}

// line is a line of the stream.
type line struct {
	Event  string         `json:"event"`
	Peer   *int           `json:"peer,omitempty"`
	Msg    any            `json:"msg,omitempty"`
	Action string         `json:"action,omitempty"`
	Params map[string]any `json:"params,omitempty"`
	Set    map[string]any `json:"set,omitempty"`
	Count  uint64         `json:"count,omitempty"`
	At     int64          `json:"at"`
}

// message is zab.Msg with fields that are wide enough for any zxid.
type message struct {
	Kind string
	Zxid zxidFields
	Data int64 `json:",omitempty"`
}

// zxidFields is zab.Zxid.
type zxidFields struct{ Epoch, Counter int64 }

func (z Zxid) fields() zxidFields { return zxidFields{z.Epoch(), int64(z.Counter())} }

// notification is zab.Notification.
type notification struct {
	Kind   string
	Source int
	State  string
	Round  int64
	Vote   voteFields
}

type voteFields struct {
	Leader int
	Zxid   zxidFields
	Epoch  int64
}

// Take writes what e is for the server. The first error of the writer ends the stream, and is
// returned from then on.
func (s *Stream) Take(e *Event) error {
	switch e.What {
	case EventDropped:
		s.write(line{Event: "lost", Count: e.Count, At: e.Time.UnixNano()})
		return s.err
	case EventBlind:
		if e.From == s.node || e.To == s.node || e.From < 0 || e.To < 0 {
			s.write(line{Event: "lost", Count: 1, At: e.Time.UnixNano()})
		}
		return s.err
	case EventRestart:
		if e.From == s.node {
			s.restarted(e.Time.UnixNano())
		}
	case EventClosed:
		s.closed(e)
	case EventPacket:
		switch {
		case e.Port == QuorumPort:
			s.packet(e)
		case !s.Notifications:
		case e.Packet.Type == NOTIFICATION:
			s.notification(e)
		case e.Packet.Type == HELLO:
			s.meeting(e)
		}
	}
	return s.err
}

// restarted forgets the connections of the process that has ended, whose ends may be reported
// later.
func (s *Stream) restarted(at int64) {
	s.epoch, s.proposed = 0, 0
	for id, c := range s.conns {
		if c.learner == s.node || c.leader == s.node {
			delete(s.conns, id)
		}
	}
	s.write(line{Event: "restart", At: at})
}

// End writes the event "end", which says that the stream is complete. The time is in nanoseconds
// since
// 1970. It returns the first error of the writer.
func (s *Stream) End(at int64) error {
	s.write(line{Event: "end", At: at})
	return s.err
}

func (s *Stream) write(l line) {
	if s.err != nil {
		return
	}
	b, err := json.Marshal(l)
	if err == nil && !s.begun {
		s.begun = true
		_, err = s.out.Write(header(len(s.servers), s.Notifications))
	}
	if err == nil {
		_, err = s.out.Write(append(b, '\n'))
	}
	s.err = err
}

// message writes a message between the server and a peer; others' are left out.
func (s *Stream) message(e *Event, msg any) {
	event, peer := "out", e.To
	if e.To == s.node {
		event, peer = "in", e.From
	} else if e.From != s.node {
		return
	}
	p := slices.Index(s.servers, peer)
	if p < 0 {
		return // an observer
	}
	s.write(line{Event: event, Peer: &p, Msg: msg, At: e.Time.UnixNano()})
}

// closed ends one direction of a connection.
func (s *Stream) closed(e *Event) {
	c := s.conns[e.Conn]
	if e.Port != QuorumPort || c == nil {
		return
	}
	if s.now[[2]int64{c.learner, c.leader}] == e.Conn {
		s.message(e, message{Kind: "CLOSED"})
	}
	way := 0
	if e.From == c.leader {
		way = 1
	}
	if c.closed[way] = true; c.closed[0] && c.closed[1] {
		delete(s.conns, e.Conn)
	}
}

func (s *Stream) packet(e *Event) {
	p := &e.Packet
	if p.Type == FOLLOWERINFO && p.Odd == "" {
		s.conns[e.Conn] = &stretch{learner: e.From, leader: e.To}
		s.now[[2]int64{e.From, e.To}] = e.Conn
	}
	c := s.conns[e.Conn]
	if c == nil || s.now[[2]int64{c.learner, c.leader}] != e.Conn {
		return
	}
	m := message{Zxid: p.Zxid.fields()}
	switch p.Type {
	case LEADERINFO:
		if e.From == s.node {
			s.epoch = p.Zxid
		}
	case FOLLOWERINFO, TRUNC, SNAP, COMMIT:
	case DIFF:
		m.Zxid = zxidFields{}
	case ACKEPOCH:
		m.Data = int64(p.CurrentEpoch)
	case NEWLEADER:
		c.epoch = p.Zxid
	case UPTODATE:
		m.Zxid = c.epoch.fields()
	case PROPOSAL:
		m.Data = s.value(p.Txn)
		s.request(e, m.Data)
	case ACK:
		if p.Zxid == c.epoch && !c.acked {
			c.acked = true
			m.Kind = "ACKLD"
		}
	default:
		return
	}
	if m.Kind == "" {
		m.Kind = p.Type.String()
	}
	s.message(e, m)
}

// request writes a client's request before the first proposal that comes of it.
func (s *Stream) request(e *Event, value int64) {
	z := e.Packet.Zxid
	if e.From != s.node || z <= s.proposed || z.Epoch() != s.epoch.Epoch() {
		return
	}
	s.proposed = z
	s.write(line{Event: "input", Action: zab.LeaderProcessRequest.Name, Set: map[string]any{"ClientRequest": value}, At: e.Time.UnixNano()})
}

// value identifies a transaction by its header, as a number from 0 on.
func (s *Stream) value(t TxnHeader) int64 {
	if !s.Numbered {
		return int64(xxh3.HashString(fmt.Sprint(t)) >> 1)
	}
	same := s.values[t.Zxid]
	if k := slices.Index(same, t); k >= 0 {
		return int64(k)
	}
	if same == nil {
		if s.values == nil {
			s.values = map[Zxid][]TxnHeader{}
		}
		if len(s.known) == maxKnown {
			delete(s.values, s.known[0])
			s.known = s.known[1:]
		}
		s.known = append(s.known, t.Zxid)
	}
	s.values[t.Zxid] = append(same, t)
	return int64(len(same))
}

// maxKnown is of how many zxids a numbered Stream remembers what they stand for.
const maxKnown = 1 << 16

// meeting writes that a connection to the election port was made. A server keeps no connection that
// one with a smaller identity has dialled.
//
// ZooKeeper: QuorumCnxManager.startConnection and handleConnection, QuorumCnxManager.java:515 and
// 650@3.8.0.
func (s *Stream) meeting(e *Event) {
	peer := e.To
	if e.To == s.node {
		peer = e.From
	}
	if slices.Contains(s.servers, peer) && e.From > e.To && (e.From == s.node || e.To == s.node) {
		s.met[peer] = e.Conn
		s.linked(&zab.NodeMeets, peer, e)
	}
}

// linked writes what became of a connection to the election port.
func (s *Stream) linked(action *zab.Action[zab.Pair], peer int64, e *Event) {
	s.write(line{Event: "input", Action: action.Name, Params: map[string]any{"J": slices.Index(s.servers, peer)}, At: e.Time.UnixNano()})
}

func (s *Stream) notification(e *Event) {
	v := &e.Packet.Vote
	s.message(e, notification{
		Kind: "NOTIFICATION", Source: slices.Index(s.servers, e.From), State: v.State.String(), Round: v.Round,
		Vote: voteFields{Leader: slices.Index(s.servers, v.Leader), Zxid: e.Packet.Zxid.fields(), Epoch: v.PeerEpoch},
	})
	if conn, ok := s.met[e.From]; ok && conn != e.Conn && e.To == s.node {
		s.linked(&zab.NodeParts, e.From, e)
	}
}
