package zookeeper

import "slices"

// Quorum decodes one direction of a connection to the quorum port.
type Quorum struct {
	scanner
	snapshot snapshotReader
	step     quorumStep
	p        Packet
	data     int64 // bytes of the data that are not looked at
	ids      int32 // entries of authinfo, each of two strings, that follow
	second   bool  // the next string is the second one of its entry
	emit     func(*Packet)
}

type quorumStep uint8

const (
	atHeader quorumStep = iota
	atData
	atDataEnd
	atAuthInfo
	inAuthInfo
	atEnd
	inSnapshot
)

// headerLen is the length of a QuorumPacket before its data: type, zxid and length of the data.
const headerLen = 4 + 8 + 4

// dataHead is how much of a packet's data is looked at.
const dataHead = 40

// NewQuorum returns a decoder that calls emit for each packet, which emit must not keep.
func NewQuorum(emit func(*Packet)) *Quorum {
	d := &Quorum{emit: emit}
	d.begin()
	return d
}

// Decode reads the next bytes of the stream. An error is a *FormatError; the decoder must not be
// used after it.
func (d *Quorum) Decode(p []byte) error { return d.feed(p, d.next) }

// Inside reports whether the stream stands inside of a packet, which is incomplete if it ends
// there.
func (d *Quorum) Inside() bool { return d.inside(d.p.Start) }

// begin waits for a packet.
func (d *Quorum) begin() {
	d.step = atHeader
	d.p = Packet{Start: d.at}
	d.take(headerLen)
}

func (d *Quorum) end() {
	d.p.Bytes = d.at - d.p.Start
	d.emit(&d.p)
	snap := d.p.Type == SNAP
	d.begin()
	if snap {
		d.step = inSnapshot
		d.p.Type = SNAPSHOT
		d.take(d.snapshot.begin())
	}
}

func (d *Quorum) next(field []byte) error {
	switch d.step {
	case atHeader:
		return d.header(field)
	case atData:
		d.read(field)
		d.step = atDataEnd
		d.skip(d.data)
		d.take(0)
	case atDataEnd:
		d.p.Digest = d.endHash()
		d.step = atAuthInfo
		d.take(4)
	case atAuthInfo:
		if d.ids = int32At(field, 0); d.ids < -1 {
			return d.fail("%d entries of authinfo in %s", d.ids, d.p.Type)
		}
		d.nextID()
	case inAuthInfo:
		n := int32At(field, 0)
		if n < -1 {
			return d.fail("a text of %d bytes in authinfo of %s", n, d.p.Type)
		}
		d.skip(int64(max(n, 0)))
		if d.second = !d.second; !d.second {
			d.ids--
			d.nextID()
		}
	case atEnd:
		d.end()
	case inSnapshot:
		over, want, err := d.snapshot.next(field, &d.p.Snapshot)
		if err != "" {
			return d.fail("%s in a snapshot", err)
		}
		if want < 0 {
			d.end()
			return nil
		}
		d.skip(over)
		d.take(want)
	}
	return nil
}

// nextID waits for an entry of authinfo. The packet ends after the last one, and with it the part
// that must be skipped.
func (d *Quorum) nextID() {
	switch {
	case d.ids > 0:
		d.step = inAuthInfo
		d.take(4)
	case d.over > 0:
		d.step = atEnd
		d.take(0)
	default:
		d.end()
	}
}

// header reads the beginning of a packet.
func (d *Quorum) header(field []byte) error {
	if int64At(field, 0) == authMagic {
		d.p.Type = AUTH
		d.p.AuthStatus = int32At(field, 8)
		n := int32At(field, 12)
		if n < -1 {
			return d.fail("a token of %d bytes in AUTH", n)
		}
		d.p.DataLen = int64(n)
		d.step = atEnd
		d.skip(int64(max(n, 0)))
		d.take(0)
		return nil
	}
	d.p.Type = Type(int32At(field, 0))
	d.p.Zxid = Zxid(int64At(field, 4))
	d.p.DataLen = int64(int32At(field, 12))
	switch {
	case field[0] == 0x16 && field[1] == 3 && d.p.Start == 0:
		return d.fail("the connection is encrypted by TLS")
	case d.p.Type < REQUEST || d.p.Type > INFORMANDACTIVATE:
		return d.fail("a packet of unknown type %d", int32(d.p.Type))
	case d.p.DataLen < -1:
		return d.fail("data of %d bytes in %s", d.p.DataLen, d.p.Type)
	case d.p.DataLen < 0:
		d.read(nil)
		d.step = atAuthInfo
		d.take(4)
		return nil
	}
	d.startHash()
	d.step = atData
	head := min(d.p.DataLen, dataHead)
	d.data = d.p.DataLen - head
	d.take(int(head))
	return nil
}

// authMagic opens a QuorumAuthPacket: QuorumAuth.QUORUM_AUTH_MAGIC_NUMBER.
const authMagic = 6855662812065295820

// read takes the fields of a packet's data, whose first dataHead bytes are head.
func (d *Quorum) read(head []byte) {
	p := &d.p
	n := p.DataLen
	fits := func(lengths ...int64) bool { return slices.Contains(lengths, n) }
	good := true
	switch p.Type {
	case FOLLOWERINFO, OBSERVERINFO:
		if good = fits(8, 12, 20); !good {
			break
		}
		p.Learner.Server = int64At(head, 0)
		if n >= 12 {
			p.Learner.Protocol = int32At(head, 8)
		}
		if n == 20 {
			p.Learner.Config = int64At(head, 12)
		}
	case LEADERINFO:
		if good = fits(4); good {
			p.Protocol = int64(int32At(head, 0))
		}
	case ACKEPOCH:
		if good = fits(4); good {
			p.CurrentEpoch = int32At(head, 0)
		}
	case PROPOSAL, INFORM:
		good = p.Txn.read(head)
	case INFORMANDACTIVATE:
		if good = n >= 8; good {
			p.Leader = int64At(head, 0)
			good = p.Txn.read(head[8:])
		}
	case COMMITANDACTIVATE:
		if good = fits(8); good {
			p.Leader = int64At(head, 0)
		}
	case REQUEST:
		if good = n >= 16; good {
			p.Request = RequestHeader{Client: int64At(head, 0), Cxid: int32At(head, 8), Op: int32At(head, 12)}
		}
	case REVALIDATE:
		if good = fits(9, 12); !good {
			break
		}
		p.Session.ID = int64At(head, 0)
		if p.Session.Answer = n == 9; p.Session.Answer {
			p.Session.Valid = head[8] != 0
		} else {
			p.Session.Timeout = int32At(head, 8)
		}
	case PING:
		good = n <= 0 || n%12 == 0
		p.Sessions = int(max(n, 0) / 12)
	case ACK, COMMIT, UPTODATE, DIFF, TRUNC, SNAP:
		good = n <= 0
	}
	if !good {
		p.Odd = "its data does not fit the type"
	}
}

// read takes the header from the beginning of a serialised transaction and reports whether there is
// one.
func (t *TxnHeader) read(b []byte) bool {
	if len(b) < 32 {
		return false
	}
	*t = TxnHeader{Client: int64At(b, 0), Cxid: int32At(b, 8), Zxid: Zxid(int64At(b, 12)), Time: int64At(b, 20), Op: int32At(b, 28)}
	return true
}
