package zookeeper

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"net"
	"slices"
	"testing"
	"time"
)

// BenchmarkRoundTrip sends a PROPOSAL and waits for an ACK, over a connection of its own and over
// one through a link, in turns. Both packets cross the link, so it adds half of the difference to
// each.
func BenchmarkRoundTrip(b *testing.B) {
	proposal, _ := hex.DecodeString("00000002" + "0000000300000009" + "00000045")
	proposal = append(proposal, make([]byte, 69)...)
	proposal = append(proposal, 0xff, 0xff, 0xff, 0xff)
	ack, _ := hex.DecodeString("00000003" + "0000000300000009" + "ffffffff" + "ffffffff")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				in := make([]byte, len(proposal))
				for {
					if _, err := io.ReadFull(c, in); err != nil {
						return
					}
					c.Write(ack)
				}
			}()
		}
	}()
	sink := NewSink(1 << 16)
	go sink.Drain(context.Background(), func(batch []Event) error { return WriteEvents(io.Discard, batch) })
	defer sink.Close()
	link, err := Forward(Route{Port: QuorumPort, From: 1, To: 2, Listen: "127.0.0.1:0", Target: listener.Addr().String()}, sink)
	if err != nil {
		b.Fatal(err)
	}
	defer link.Close()
	var conns [2]net.Conn
	for k, address := range []string{listener.Addr().String(), link.Addr().String()} {
		if conns[k], err = net.Dial("tcp", address); err != nil {
			b.Fatal(err)
		}
		defer conns[k].Close()
	}
	times := [2][]time.Duration{}
	answer := make([]byte, len(ack))
	for b.Loop() {
		for k, c := range conns {
			start := time.Now()
			c.Write(proposal)
			if _, err := io.ReadFull(c, answer); err != nil {
				b.Fatal(err)
			}
			times[k] = append(times[k], time.Since(start))
		}
	}
	if _, dropped := sink.Counts(); dropped > 0 {
		b.Errorf("%d events were dropped", dropped)
	}
	at := func(k int, q float64) float64 {
		slices.Sort(times[k])
		return float64(times[k][int(q*float64(len(times[k])-1))].Nanoseconds()) / 1000
	}
	b.ReportMetric(at(0, 0.5), "direct-p50-µs")
	b.ReportMetric(at(1, 0.5), "link-p50-µs")
	b.ReportMetric((at(1, 0.5)-at(0, 0.5))/2, "added-p50-µs/packet")
	b.ReportMetric((at(1, 0.99)-at(0, 0.99))/2, "added-p99-µs/packet")
}

// BenchmarkDecode decodes the stream of a leader that proposes and commits.
func BenchmarkDecode(b *testing.B) {
	streams, _ := javaStreams(b)
	var some []byte
	for _, p := range streams["leader"] {
		if p.kind == "COMMIT" || p.kind == "INFORMANDACTIVATE" {
			some = append(some, p.bytes...)
		}
	}
	stream := bytes.Repeat(some, 500)
	packets := 0
	d := NewQuorum(func(*Packet) { packets++ })
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		if err := d.Decode(stream); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(packets), "ns/packet")
	b.ReportAllocs()
}
