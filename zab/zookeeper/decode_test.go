package zookeeper

import (
	"bufio"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// javaPacket is a message that ZooKeeper's own classes wrote; see testdata/Packets.java.
type javaPacket struct {
	stream, kind string
	bytes        []byte
}

func javaPackets(t testing.TB) []javaPacket {
	t.Helper()
	f, err := os.Open("testdata/packets.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []javaPacket
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		words := strings.Fields(in.Text())
		b, err := hex.DecodeString(words[2])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, javaPacket{words[0], words[1], b})
	}
	if in.Err() != nil || len(out) == 0 {
		t.Fatalf("%d packets, %v", len(out), in.Err())
	}
	return out
}

// javaStreams are the messages of each stream, and the streams' names in order.
func javaStreams(t testing.TB) (streams map[string][]javaPacket, names []string) {
	streams = map[string][]javaPacket{}
	for _, p := range javaPackets(t) {
		if streams[p.stream] == nil {
			names = append(names, p.stream)
		}
		streams[p.stream] = append(streams[p.stream], p)
	}
	return streams, names
}

func joined(packets []javaPacket) []byte {
	var out []byte
	for _, p := range packets {
		out = append(out, p.bytes...)
	}
	return out
}

// open returns a decoder for a stream and what it has emitted.
func open(stream string) (decoder, *[]Packet) {
	got := new([]Packet)
	emit := func(p *Packet) { *got = append(*got, *p) }
	switch stream {
	case "leader", "learner":
		return NewQuorum(emit), got
	}
	return NewElection(stream != "answer", emit), got
}

// decodeAll decodes b in pieces that end at the given offsets.
func decodeAll(stream string, b []byte, cuts ...int) ([]Packet, error) {
	d, got := open(stream)
	at := 0
	for _, cut := range append(cuts, len(b)) {
		if err := d.Decode(b[at:cut]); err != nil {
			return *got, err
		}
		at = cut
	}
	return *got, nil
}

func TestTypesAndLengths(t *testing.T) {
	t.Parallel()
	streams, names := javaStreams(t)
	for _, name := range names {
		got, err := decodeAll(name, joined(streams[name]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(got) != len(streams[name]) {
			t.Fatalf("%s: %d packets, want %d", name, len(got), len(streams[name]))
		}
		at := int64(0)
		for k, p := range got {
			want := streams[name][k]
			if p.Type.String() != want.kind || p.Start != at || p.Bytes != int64(len(want.bytes)) || p.Odd != "" {
				t.Errorf("%s, packet %d: %s at %d with %d bytes %q, want %s at %d with %d", name, k, p.Type, p.Start, p.Bytes, p.Odd,
					want.kind, at, len(want.bytes))
			}
			at += p.Bytes
		}
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	zxid := func(epoch, counter int64) Zxid { return Zxid(epoch<<32 | counter) }
	streams, _ := javaStreams(t)
	find := func(stream string, kind Type, nth int) Packet {
		got, err := decodeAll(stream, joined(streams[stream]))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got {
			if p.Type == kind {
				if nth--; nth < 0 {
					return p
				}
			}
		}
		t.Fatalf("%s has no %s", stream, kind)
		return Packet{}
	}
	txn := TxnHeader{Client: 77, Cxid: 5, Zxid: zxid(3, 9), Time: 1234567890123, Op: 5}
	for _, c := range []struct {
		stream string
		kind   Type
		nth    int
		got    func(p Packet) any
		want   any
	}{
		{"learner", FOLLOWERINFO, 0, func(p Packet) any { return p.Learner }, Learner{Server: 4, Protocol: 0x10000, Config: 6}},
		{"learner", FOLLOWERINFO, 0, func(p Packet) any { return p.Zxid }, zxid(2, 0)},
		{"learner", OBSERVERINFO, 0, func(p Packet) any { return p.Learner }, Learner{Server: 4, Protocol: 0x10000}},
		{"learner", ACKEPOCH, 0, func(p Packet) any { return p.CurrentEpoch }, int32(2)},
		{"learner", ACKEPOCH, 0, func(p Packet) any { return p.Zxid.String() }, "2:41"},
		{"learner", PING, 0, func(p Packet) any { return p.Sessions }, 3},
		{"learner", REVALIDATE, 0, func(p Packet) any { return p.Session }, Session{ID: 5, Timeout: 30000}},
		{"learner", REQUEST, 0, func(p Packet) any { return p.Request }, RequestHeader{Client: 77, Cxid: 5, Op: 9}},
		{"leader", AUTH, 0, func(p Packet) any { return p.AuthStatus }, int32(1)},
		{"leader", LEADERINFO, 0, func(p Packet) any { return p.Protocol }, int64(0x10000)},
		{"leader", SNAPSHOT, 0, func(p Packet) any { return p.Snapshot.Sessions }, 2},
		{"leader", SNAPSHOT, 0, func(p Packet) any { return p.Snapshot.ACLs }, 3},
		// the root, zookeeper with config and quota, and 3
		{"leader", SNAPSHOT, 0, func(p Packet) any { return p.Snapshot.Nodes }, 7},
		{"leader", PROPOSAL, 0, func(p Packet) any { return p.Txn }, txn},
		{"leader", PROPOSAL, 1, func(p Packet) any { return p.Txn }, txn},
		{"leader", PROPOSAL, 1, func(p Packet) any { return p.DataLen }, int64(6046)},
		{"leader", INFORM, 0, func(p Packet) any { return p.Txn }, txn},
		{"leader", UPTODATE, 0, func(p Packet) any { return p.Zxid.String() }, "none"},
		{"leader", REVALIDATE, 0, func(p Packet) any { return p.Session }, Session{ID: 5, Answer: true, Valid: true}},
		{"leader", COMMITANDACTIVATE, 0, func(p Packet) any { return p.Leader }, int64(2)},
		{"leader", INFORMANDACTIVATE, 0, func(p Packet) any { return p.Txn.Zxid.String() }, "3:10"},
		{"v0", HELLO, 0, func(p Packet) any { return []any{p.Server, p.Protocol} }, []any{int64(3), int64(0)}},
		{"v1", HELLO, 0, func(p Packet) any { return p.Addresses }, "10.0.0.3:3888"},
		{"v2", HELLO, 0, func(p Packet) any { return p.Addresses }, "10.0.0.3:3888|10.1.0.3:3888"},
		{"answer", NOTIFICATION, 0, func(p Packet) any { return p.Vote }, Vote{State: LOOKING, Leader: 3, Round: 8, PeerEpoch: 2, Version: 1}},
		{"answer", NOTIFICATION, 1, func(p Packet) any { return p.Vote }, Vote{State: LEADING, Leader: 3, Round: 8, PeerEpoch: 2, Version: 2}},
		{"answer", NOTIFICATION, 2, func(p Packet) any { return p.Vote }, Vote{State: LOOKING, Leader: 3, Round: 8, PeerEpoch: 2}},
		{"answer", NOTIFICATION, 3, func(p Packet) any { return p.Zxid }, zxid(2, 41)},
	} {
		if got := c.got(find(c.stream, c.kind, c.nth)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s %d: %v, want %v", c.stream, c.kind, c.nth, got, c.want)
		}
	}
	first, second := find("leader", PROPOSAL, 0), find("leader", INFORM, 0)
	if first.Digest == 0 || first.Digest != second.Digest {
		t.Errorf("equal data has digests %x and %x", first.Digest, second.Digest)
	}
}

// TestCutAnywhere decodes each stream split in two at every place, byte by byte, and split into
// random pieces.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	streams, names := javaStreams(t)
	for _, name := range names {
		b := joined(streams[name])
		want, err := decodeAll(name, b)
		if err != nil {
			t.Fatal(err)
		}
		check := func(cuts ...int) {
			if got, err := decodeAll(name, b, cuts...); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, cut at %v: other packets, %v", name, cuts[:min(len(cuts), 5)], err)
			}
		}
		every := make([]int, len(b))
		for k := range every {
			every[k] = k
		}
		check(every...)
		r := rand.New(rand.NewPCG(1, 2))
		for range min(len(b), 500) {
			check(r.IntN(len(b)))
		}
		for range 50 {
			cuts := []int{r.IntN(len(b)), r.IntN(len(b)), r.IntN(len(b)), r.IntN(len(b))}
			slices.Sort(cuts)
			check(cuts...)
		}
	}
}

// TestEndAnywhere ends each stream at every place: what was complete is decoded, and the decoder
// knows whether it stands inside of a packet.
func TestEndAnywhere(t *testing.T) {
	t.Parallel()
	streams, names := javaStreams(t)
	for _, name := range names {
		at := 0
		for k, p := range streams[name] {
			for _, n := range []int{0, 1, len(p.bytes) / 2, len(p.bytes) - 1} {
				d, got := open(name)
				if err := d.Decode(joined(streams[name])[:at+n]); err != nil {
					t.Fatal(err)
				}
				if len(*got) != k || d.Inside() != (n > 0) {
					t.Errorf("%s, %d bytes into packet %d: %d packets, inside %v", name, n, k, len(*got), d.Inside())
				}
			}
			at += len(p.bytes)
		}
	}
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stream, hex, want string }{
		{"leader", "00000014" + "0000000000000000" + "ffffffff" + "ffffffff", "a packet of unknown type 20"},
		{"leader", "00000000" + "0000000000000000" + "ffffffff" + "ffffffff", "a packet of unknown type 0"},
		{"leader", "00000004" + "0000000000000000" + "fffffffe", "data of -2 bytes in COMMIT"},
		{"leader", "00000004" + "0000000000000000" + "ffffffff" + "fffffffe", "-2 entries of authinfo in COMMIT"},
		{"leader", "00000004" + "0000000000000000" + "ffffffff" + "00000001" + "fffffffe", "a text of -2 bytes in authinfo of COMMIT"},
		{"leader", "16030100000000000000000000000000", "the connection is encrypted by TLS"},
		{"leader", "5f2435013501edcc" + "00000000" + "fffffffe", "a token of -2 bytes in AUTH"},
		{"leader", "0000000f0000000300000003ffffffffffffffff" + "ffffffff", "a negative length in a snapshot"},
		{"leader", "0000000f0000000300000003ffffffffffffffff" + "00000000" + "00000000" + "00000001" + "61", "a path that does not begin with / in a snapshot"},
		{"leader", "0000000f0000000300000003ffffffffffffffff" + "00000000" + "00000000" + "00000001" + "2f" + "00000009", "no signature in a snapshot"},
		{"leader", "0000000f0000000300000003ffffffffffffffff" + "00000000" + "00000000" + "00000001" + "2f" + "0000000a" + "42656e57617348657266", "no signature in a snapshot"},
		{"v1", "fffffffffffe0000", "HELLO of unknown version -131072"},
		{"v1", "1603010000000000", "the connection is encrypted by TLS"},
		{"v1", "ffffffffffff0000" + "0000000000000001" + "00000801", "addresses of 2049 bytes in HELLO"},
		{"answer", "0000001b", "a notification of 27 bytes"},
		{"answer", "00080001", "a notification of 524289 bytes"},
		{"answer", "5f243501" + "00000000" + "00000000" + "00000000", "a message of 1596208385 bytes"},
	} {
		b, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		_, err = decodeAll(c.stream, b)
		var bad *FormatError
		if !errors.As(err, &bad) || bad.Reason != c.want {
			t.Errorf("%s %s: %v, want %s", c.stream, c.hex, err, c.want)
		}
	}
}

// TestOdd holds packets whose data does not fit the type: the stream continues after them.
func TestOdd(t *testing.T) {
	t.Parallel()
	commit := "00000004" + "0000000300000001" + "ffffffff" + "ffffffff"
	for _, c := range []struct{ stream, hex string }{
		{"learner", "0000000b" + "0000000000000000" + "00000003" + "000000" + "ffffffff"},
		{"leader", "00000011" + "0000000000000000" + "ffffffff" + "ffffffff"},
		{"leader", "00000002" + "0000000000000000" + "00000002" + "0000" + "ffffffff"},
		{"leader", "00000013" + "0000000000000000" + "00000008" + "0000000000000000" + "ffffffff"},
		{"leader", "00000004" + "0000000000000000" + "00000001" + "00" + "ffffffff"},
		{"learner", "00000005" + "0000000000000000" + "00000001" + "00" + "ffffffff"},
	} {
		b, err := hex.DecodeString(c.hex + commit)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeAll(c.stream, b)
		if err != nil || len(got) != 2 || got[0].Odd == "" || got[1].Odd != "" || got[1].Type != COMMIT {
			t.Errorf("%s: %v %v", c.hex, got, err)
		}
	}
	for _, body := range []string{
		"00000020" + strings.Repeat("00", 32), // no version has this length
		"00000028" + "00000004" + strings.Repeat("00", 36),
		"0000002c" + strings.Repeat("00", 36) + "00000002" + "00000001",
	} {
		b, err := hex.DecodeString(body)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeAll("answer", b); err != nil || len(got) != 1 || got[0].Odd == "" {
			t.Errorf("%s: %v %v", body, got, err)
		}
	}
}

// TestLargeIsNotKept sends the beginning of a packet that claims a gigabyte of data, and some of
// it.
func TestLargeIsNotKept(t *testing.T) {
	d := NewQuorum(func(p *Packet) { t.Errorf("%s is not complete", p.Type) })
	head, _ := hex.DecodeString("00000002" + "0000000300000001" + "40000000")
	piece := make([]byte, 64<<10)
	if err := d.Decode(head); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if err := d.Decode(piece); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations for a piece", n)
	}
	if cap(d.field) > maxField {
		t.Errorf("%d bytes are kept", cap(d.field))
	}
}

func fuzzStreams(f *testing.F, names ...string) {
	streams, _ := javaStreams(f)
	for _, name := range names {
		for _, p := range streams[name] {
			if len(p.bytes) < 2000 {
				f.Add(p.bytes, uint16(3), uint16(9))
			}
		}
	}
}

// holds decodes b whole and split, and says what is wrong: packets that depend on the pieces,
// lengths that do not add up, memory.
func holds(t *testing.T, stream string, b []byte, cuts []int) {
	whole, err := decodeAll(stream, b)
	other, err2 := decodeAll(stream, b, cuts...)
	if (err == nil) != (err2 == nil) || !reflect.DeepEqual(whole, other) {
		t.Fatalf("cut at %v: %d packets (%v) and %d (%v)", cuts, len(whole), err, len(other), err2)
	}
	at := int64(0)
	for _, p := range whole {
		if p.Start != at || p.Bytes <= 0 {
			t.Fatalf("%s begins at %d with %d bytes, want %d", p.Type, p.Start, p.Bytes, at)
		}
		at += p.Bytes
	}
	if at > int64(len(b)) {
		t.Fatalf("packets of %d bytes in %d", at, len(b))
	}
}

func cutsOf(b []byte, x, y uint16) []int {
	n := len(b) + 1
	cuts := []int{int(x) % n, int(y) % n}
	slices.Sort(cuts)
	return cuts
}

func FuzzQuorum(f *testing.F) {
	fuzzStreams(f, "leader", "learner")
	f.Fuzz(func(t *testing.T, b []byte, x, y uint16) { holds(t, "leader", b, cutsOf(b, x, y)) })
}

// FuzzSnapshot puts SNAP before the input.
func FuzzSnapshot(f *testing.F) {
	streams, _ := javaStreams(f)
	for _, p := range streams["leader"] {
		if p.kind == "SNAPSHOT" {
			f.Add(p.bytes[:600], uint16(3), uint16(9))
		}
	}
	snap, _ := hex.DecodeString("0000000f0000000300000003ffffffffffffffff")
	f.Fuzz(func(t *testing.T, b []byte, x, y uint16) {
		b = append(slices.Clone(snap), b...)
		holds(t, "leader", b, cutsOf(b, x, y))
	})
}

func FuzzElection(f *testing.F) {
	fuzzStreams(f, "v0", "v1", "v2", "answer")
	f.Fuzz(func(t *testing.T, b []byte, x, y uint16) {
		holds(t, "v1", b, cutsOf(b, x, y))
		holds(t, "answer", b, cutsOf(b, x, y))
	})
}
