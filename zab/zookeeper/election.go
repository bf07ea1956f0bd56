package zookeeper

// Election decodes one direction of a connection to the election port.
type Election struct {
	scanner
	step electionStep
	p    Packet
	rest int64 // bytes of a notification after what is looked at
	emit func(*Packet)
}

type electionStep uint8

const (
	atHello     electionStep = iota
	atHelloMore              // identity and length of the addresses
	inHello                  // the addresses
	atLength
	inVote
	atVoteEnd
	atToken // status and length of the token of AUTH
)

// Limits of QuorumCnxManager: maxBuffer and PACKETMAXSIZE.
const (
	maxHello        = 2048
	maxNotification = 512 << 10
)

// voteHead is how much of a notification is looked at: all but the configuration.
const voteHead = 44

// NewElection returns a decoder that calls emit for each message, which emit must not keep. Dials
// says that the stream comes from the server that dials, which says who it is first.
func NewElection(dials bool, emit func(*Packet)) *Election {
	d := &Election{emit: emit}
	d.begin()
	if dials {
		d.step = atHello
		d.p.Type = HELLO
		d.take(8)
	}
	return d
}

// Decode reads the next bytes of the stream. An error is a *FormatError; the decoder must not be
// used after it.
func (d *Election) Decode(p []byte) error { return d.feed(p, d.next) }

// Inside reports whether the stream stands inside of a message, which is incomplete if it ends
// there.
func (d *Election) Inside() bool { return d.inside(d.p.Start) }

func (d *Election) begin() {
	d.step = atLength
	d.p = Packet{Type: NOTIFICATION, Start: d.at}
	d.take(4)
}

func (d *Election) end() {
	d.p.Bytes = d.at - d.p.Start
	d.emit(&d.p)
	d.begin()
}

func (d *Election) next(field []byte) error {
	switch d.step {
	case atHello:
		return d.hello(int64At(field, 0), field)
	case atHelloMore:
		d.p.Server = int64At(field, 0)
		n := int32At(field, 8)
		if n <= 0 || n > maxHello {
			return d.fail("addresses of %d bytes in HELLO", n)
		}
		d.step = inHello
		d.take(int(n))
	case inHello:
		d.p.Addresses = string(field)
		d.end()
	case atLength:
		return d.length(int32At(field, 0))
	case inVote:
		d.vote(field)
		d.step = atVoteEnd
		d.skip(d.rest)
		d.take(0)
	case atToken:
		if int32At(field, 0) != authMagic&(1<<32-1) {
			return d.fail("a message of %d bytes", int32(authMagic>>32))
		}
		n := int32At(field, 8)
		if n < -1 {
			return d.fail("a token of %d bytes in AUTH", n)
		}
		d.p.Type = AUTH
		d.p.AuthStatus = int32At(field, 4)
		d.p.DataLen = int64(n)
		d.step = atVoteEnd
		d.skip(int64(max(n, 0)))
		d.take(0)
	case atVoteEnd:
		d.end()
	}
	return nil
}

// hello reads the first number of the server that dials: its identity, or a negative version and
// more after.
func (d *Election) hello(n int64, field []byte) error {
	switch {
	case n >= 0 && field[0] == 0x16 && field[1] == 3:
		return d.fail("the connection is encrypted by TLS")
	case n >= 0:
		d.p.Server = n
		d.end()
	case n == -65536 || n == -65535:
		d.p.Protocol = n
		d.step = atHelloMore
		d.take(8 + 4)
	default:
		return d.fail("HELLO of unknown version %d", n)
	}
	return nil
}

// length reads the length of a notification; only the first half of AUTH's magic number stands at
// its place, too.
func (d *Election) length(n int32) error {
	switch {
	case n == authMagic>>32:
		d.step = atToken
		d.take(4 + 4 + 4)
		return nil
	case n < 28 || n > maxNotification:
		return d.fail("a notification of %d bytes", n)
	}
	head := min(n, voteHead)
	d.rest = int64(n - head)
	d.p.DataLen = int64(n)
	d.step = inVote
	d.take(int(head))
	return nil
}

// vote reads a notification. How long it is says which version wrote it.
func (d *Election) vote(b []byte) {
	p := &d.p
	p.Zxid = Zxid(int64At(b, 12))
	p.Vote = Vote{State: ServerState(int32At(b, 0)), Leader: int64At(b, 4), Round: int64At(b, 20), PeerEpoch: p.Zxid.Epoch()}
	n := p.DataLen
	switch {
	case n != 28 && n != 36 && n < 40:
		p.Odd = "no version has notifications of this length"
		return
	case n >= 36:
		p.Vote.PeerEpoch = int64At(b, 28)
	}
	if n >= 40 {
		p.Vote.Version = int32At(b, 36)
	}
	if p.Vote.Version > 1 && (n < voteHead || int64(int32At(b, 40)) != n-voteHead) {
		p.Odd = "its configuration does not fill it"
	}
	if p.Vote.State < LOOKING || p.Vote.State > OBSERVING {
		p.Odd = "a server has no such state"
	}
}
