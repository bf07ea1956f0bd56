package narrate_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/modules"
)

// mails is a State with two networks without an order and one with.
type mails struct {
	Old, New mailBag
	Line     modules.Net[int8, letter, mail, [9]mail, [3]wires, [3][3]wires]
}

type (
	letter  uint8
	mail    struct{ Kind, Body letter }
	wires   = modules.Channel[mail, [9]mail]
	mailBag = modules.Bag[int8, letter, mail, [9]mail, [3]wires, [3][3]wires]
)

// play is a network with an identity for every message: the oracle of diagrams. Of equal messages
// without an order it takes the one that was sent first.
type play struct {
	state mails
	trace *wire.Trace
	step  int
	sent  []*sentMail
}

type sentMail struct {
	net          string
	from, to     int8
	start, end   int // steps from 0; end -1: in flight
	mail         mail
	lost, copied bool
}

func (m *sentMail) String() string {
	return fmt.Sprintf("%d-%d {%d %d} %d..%d lost=%t copy=%t", m.from, m.to, m.mail.Kind, m.mail.Body, m.start, m.end, m.lost, m.copied)
}

func newPlay() *play {
	p := &play{}
	p.trace = &wire.Trace{Init: p.view()}
	return p
}

func (p *play) view() modules.View { return modules.ViewOf(p.state, nil) }

// end ends a step of a server, -1 for the environment.
func (p *play) end(server int) {
	p.trace.Steps = append(p.trace.Steps, wire.Step{Action: "Do", Server: server, Environment: server < 0, State: p.view()})
	p.step++
}

func (p *play) bag(net string) *mailBag {
	return map[string]*mailBag{"Old": &p.state.Old, "New": &p.state.New}[net]
}

func (p *play) len(net string, from, to int8) int {
	if net == "Line" {
		return p.state.Line.Len(from, to)
	}
	return p.bag(net).Len(from, to)
}

func (p *play) send(net string, from, to int8, m mail) {
	if net == "Line" {
		p.state.Line.Send(from, to, m)
	} else {
		p.bag(net).Send(from, to, m)
	}
	p.sent = append(p.sent, &sentMail{net: net, from: from, to: to, start: p.step, end: -1, mail: m})
}

// at returns the k-th message of a channel.
func (p *play) at(net string, from, to int8, k int) mail {
	if net == "Line" {
		return p.state.Line.At(from, to, k)
	}
	b := *p.bag(net) // Peek knows only the first of equal messages
	for ; !b.Is(from, to, k, 1, 2, 3); k-- {
	}
	return b.Peek(from, to, k, 1, 2, 3)
}

// take takes the k-th message of a channel.
func (p *play) take(net string, from, to int8, k int, lost bool) {
	m := p.at(net, from, to, k)
	if net == "Line" {
		p.state.Line.Lose(from, to, k)
	} else {
		p.bag(net).Lose(from, to, k)
	}
	for _, x := range p.sent {
		if x.net == net && x.from == from && x.to == to && x.end < 0 && x.mail == m {
			x.end, x.lost = p.step, lost
			return
		}
	}
	panic("the oracle has no such message")
}

func (p *play) clear(net string, from, to int8, lost bool) {
	for p.len(net, from, to) > 0 {
		p.take(net, from, to, 1, lost)
	}
}

// story lists the messages of the oracle.
func (p *play) story() (out []string) {
	for _, m := range p.sent {
		out = append(out, m.String())
	}
	slices.Sort(out)
	return out
}

// drawn lists the messages of the diagram.
func drawn(t *wire.Trace) (out []string) {
	for _, m := range narrate.DiagramOf(t, narrate.Known{}).Messages {
		kind, body := m.Text, strings.TrimPrefix(m.Fields, "Body: ")
		out = append(out, fmt.Sprintf("%d-%d {%s %s} %d..%d lost=%t copy=%t", m.From, m.To, kind, body, m.Sent, m.End, m.Lost, m.Copy))
	}
	slices.Sort(out)
	return out
}

// TestDiagramOfBags compares diagrams of random behaviours with a network that knows each message.
// Servers send equal and other messages, take several in one step and answer. The environment loses
// and copies messages, and crashes servers. There are several networks, and traces are also written
// and read.
func TestDiagramOfBags(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 38))
		p := newPlay()
		for range 25 {
			p.random(r)
		}
		if got, want := drawn(p.trace), p.story(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the diagram shows\n%s\nand the network had\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		var file bytes.Buffer
		if err := itf.Write(&file, itf.Meta{}, p.trace); err != nil {
			t.Fatal(err)
		}
		_, read, err := itf.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := drawn(read), p.story(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the diagram of the file differs:\n%s\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// random takes a random step.
func (p *play) random(r *rand.Rand) {
	nets := []string{"Old", "New", "Line"}
	net, i := nets[r.IntN(3)], int8(r.IntN(3))
	j := (i + 1 + int8(r.IntN(2))) % 3
	some := func() mail { return mail{letter(1 + r.IntN(3)), letter(r.IntN(2))} }
	room := func(net string, from, to int8) bool { return p.len(net, from, to) < 8 }
	switch kind := r.IntN(10); {
	case kind < 4: // some messages to one or two servers
		for range 1 + r.IntN(3) {
			if j := (i + 1 + int8(r.IntN(2))) % 3; room(net, i, j) {
				p.send(net, i, j, some())
			}
		}
		p.end(int(i))
	case kind < 7: // the receiver takes some, and answers on any network
		for range 1 + r.IntN(2) {
			if n := p.len(net, i, j); n > 0 {
				p.take(net, i, j, p.place(r, net, n), false)
			}
		}
		if net := nets[r.IntN(3)]; r.IntN(2) == 0 && room(net, j, i) {
			p.send(net, j, i, some())
		}
		p.end(int(j))
	case kind < 8: // the environment loses one
		if n := p.len(net, i, j); n > 0 {
			p.take(net, i, j, p.place(r, net, n), true)
			p.end(-1)
		}
	case kind < 9: // the environment copies one
		if n := p.len(net, i, j); n > 0 && net != "Line" && room(net, i, j) {
			p.send(net, i, j, p.at(net, i, j, 1+r.IntN(n)))
			p.sent[len(p.sent)-1].copied = true
			p.end(-1)
		}
	default: // a crash clears the channels of a server
		for j := range int8(3) {
			for _, net := range nets {
				p.clear(net, i, j, true)
				p.clear(net, j, i, true)
			}
		}
		p.end(-1)
	}
}

// place returns a position that can be taken: the first of a queue.
func (p *play) place(r *rand.Rand, net string, n int) int {
	if net == "Line" {
		return 1
	}
	return 1 + r.IntN(n)
}

// TestMessageBeforeACrash: a message that was sent before a crash and is received after the restart
// stays one message, although what the server sends after the restart is put before it.
func TestMessageBeforeACrash(t *testing.T) {
	t.Parallel()
	p := newPlay()
	p.send("Old", 0, 1, mail{3, 1}) // a vote
	p.end(0)
	p.end(-1) // a crash that loses nothing in flight
	p.send("Old", 0, 1, mail{1, 0})
	p.end(0)
	p.take("Old", 0, 1, 2, false)
	p.end(1)
	want := []string{"0-1 {1 0} 2..-1 lost=false copy=false", "0-1 {3 1} 0..3 lost=false copy=false"}
	if got := drawn(p.trace); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	b := narrate.BehaviourOf(p.trace, narrate.Known{}, false)
	for k, want := range map[int]string{2: "added {Kind: 1, Body: 0}; 1 before, 2 now", 3: "removed {Kind: 3, Body: 1}; 2 before, 1 now"} {
		if c := b.Steps[k].Changes; len(c) != 1 || c[0].Queue != want {
			t.Errorf("step %d changes %+v, want %s", k+1, c, want)
		}
	}
}

// TestCutBag: a broken connection keeps the messages of a Bag.
func TestCutBag(t *testing.T) {
	t.Parallel()
	p := newPlay()
	p.send("Old", 0, 1, mail{2, 0})
	p.send("Old", 0, 1, mail{2, 0})
	p.end(0)
	p.state.Old.Cut(0, 1)
	p.end(-1)
	p.take("Old", 0, 1, 1, false)
	p.end(1)
	p.state.Old.Mend(0, 1)
	p.end(-1)
	p.send("Old", 0, 1, mail{1, 0})
	p.take("Old", 0, 1, 2, true) // the sender takes a message back
	p.end(0)
	if got, want := drawn(p.trace), p.story(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestQueued: sets and multisets of records say what was added and removed, wherever it stands.
func TestQueued(t *testing.T) {
	t.Parallel()
	of := func(s modules.Shape, bodies ...string) *modules.View {
		v := &modules.View{Shape: s}
		for _, b := range bodies {
			v.Elems = append(v.Elems, record("B", b))
		}
		return v
	}
	for _, c := range []struct {
		shape    modules.Shape
		old, now []string
		want     string
	}{
		{modules.Multiset, []string{"2"}, []string{"1", "2"}, "added {B: 1}; 1 before, 2 now"},
		{modules.Multiset, []string{"1", "1", "2"}, []string{"1", "2"}, "removed {B: 1}; 3 before, 2 now"},
		{modules.Multiset, []string{"1", "2", "3"}, []string{"2", "2"}, "removed {B: 1}, {B: 3}, added {B: 2}; 3 before, 2 now"},
		{modules.Multiset, []string{"1"}, []string{"2"}, "removed {B: 1}, added {B: 2}; 1 before, 1 now"},
		{modules.Collection, []string{"2"}, []string{"1", "2"}, "added {B: 1}; 1 before, 2 now"},
		{modules.Sequence, []string{"1", "2"}, []string{"2", "3"}, "removed {B: 1}, added {B: 3}; 2 before, 2 now"},
		{modules.Sequence, []string{"2"}, []string{"1", "2"}, ""},
	} {
		if got := narrate.Queued(itf.Change{Old: of(c.shape, c.old...), New: of(c.shape, c.now...)}); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.old, c.now, got, c.want)
		}
	}
}
