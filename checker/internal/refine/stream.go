package refine

// lane is a sequence of messages in one direction, as it was observed. What all states have
// consumed or produced is dropped.
type lane[S any] struct {
	size int
	msgs []byte // size bytes each
	pos  []int64
	same []bool      // equal to the message before it, from the same peer
	peer []int32     // of incoming lanes: who sent it
	in   []*input[S] // of incoming lanes: what came from outside the protocol, nil for messages
	last int64       // position of the last message that was dropped; -1: none was
}

// input is something that the environment gives to the node.
type input[S any] struct {
	instance *instance[S]
	set      func(*S)
	fate     fate
	line     []byte // the event as it was read
	// What it is, in parts of the line.
	action       string
	params, sets []byte
}

// fate is the node's reaction to an input, as the stream reports it.
type fate uint8

const (
	untold    fate = iota
	accepted       // the node took it
	dismissed      // the node refused it
)

// stated reports whether the stream states that the node has processed the input.
func (in *input[S]) stated() bool { return in.instance.done || in.fate != untold }

// text returns an input for people.
func (in *input[S]) text() string {
	text := in.action
	for _, part := range [][]byte{in.params, in.sets} {
		if part != nil {
			text += " " + string(part)
		}
	}
	return text
}

func (l *lane[S]) len() int { return len(l.pos) }

func (l *lane[S]) at(k uint32) []byte { return l.msgs[int(k)*l.size : (int(k)+1)*l.size] }

func (l *lane[S]) add(msg []byte, pos int64, peer int, in *input[S]) {
	n := len(l.pos)
	l.same = append(l.same, n > 0 && in == nil && l.in[n-1] == nil && int(l.peer[n-1]) == peer && string(l.msgs[(n-1)*l.size:]) == string(msg))
	l.msgs = append(l.msgs, msg...)
	l.pos = append(l.pos, pos)
	l.peer = append(l.peer, int32(peer))
	l.in = append(l.in, in)
}

// drop forgets the first k messages.
func (l *lane[S]) drop(k int) {
	if k == 0 {
		return
	}
	l.last = l.pos[k-1]
	l.msgs = append(l.msgs[:0], l.msgs[k*l.size:]...)
	l.pos = append(l.pos[:0], l.pos[k:]...)
	l.same = append(l.same[:0], l.same[k:]...)
	l.peer = append(l.peer[:0], l.peer[k:]...)
	l.in = append(l.in[:0], l.in[k:]...)
	if len(l.same) > 0 {
		l.same[0] = false
	}
}

// before returns how many messages stand before position p.
func (l *lane[S]) before(p int64) uint32 {
	lo, hi := 0, len(l.pos)
	for lo < hi {
		if mid := (lo + hi) / 2; l.pos[mid] < p {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return uint32(lo)
}
