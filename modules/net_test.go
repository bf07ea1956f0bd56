package modules

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type (
	letter  uint8
	post    struct{ Kind, Body letter }
	line    = Channel[post, [3]post]
	postNet = Net[int8, letter, post, [3]post, [2]line, [2][2]line]
	postBag = Bag[int8, letter, post, [3]post, [2]line, [2][2]line]
)

const depth = 3 // capacity of a line

// wire is a channel of the oracle.
type wire struct {
	msgs []post
	cut  bool
}

func randomPost(r *rand.Rand) post { return post{letter(1 + r.IntN(2)), letter(r.IntN(2))} }

func TestNetAgainstSlices(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	var n postNet
	var want [2][2]wire
	for range 50_000 {
		i, j, before := int8(r.IntN(2)), int8(r.IntN(2)), n
		due, err := netStep(t, r, &n, i, j, &want[i][j])
		if due != (err != nil) || err != nil && n != before {
			t.Fatalf("panic %v, due: %v", err, due)
		}
		checkNet(t, &n, &want)
	}
}

// netStep does one random operation from i to j and returns whether a panic is due, and the panic.
func netStep(t *testing.T, r *rand.Rand, n *postNet, i, j int8, w *wire) (due bool, err error) {
	k, m := r.IntN(depth+2), randomPost(r)
	valid := k >= 1 && k <= len(w.msgs)
	var got post
	first := func() {
		if due {
			return
		}
		if got != w.msgs[0] {
			t.Fatalf("took %v, sent first %v", got, w.msgs[0])
		}
		w.msgs = w.msgs[1:]
	}
	switch r.IntN(9) {
	case 0, 1, 2:
		due, err = !w.cut && len(w.msgs) == depth, caught(func() { n.Send(i, j, m) })
		if !due && !w.cut {
			w.msgs = append(w.msgs, m)
		}
	case 3:
		due, err = len(w.msgs) == 0 || w.msgs[0].Kind != 1, caught(func() { got = n.Recv(i, j, 1) })
		first()
	case 4:
		due, err = len(w.msgs) == 0, caught(func() { got = n.Pop(i, j) })
		first()
	case 5:
		due, err = !valid, caught(func() { n.Lose(i, j, k) })
		if !due {
			w.msgs = slices.Delete(w.msgs, k-1, k)
		}
	case 6:
		due, err = !valid || len(w.msgs) == depth, caught(func() { n.Duplicate(i, j, k) })
		if !due {
			w.msgs = append(w.msgs, w.msgs[k-1])
		}
	case 7:
		if r.IntN(2) == 0 {
			n.Cut(i, j)
			w.cut = true
		} else {
			n.Clear(i, j)
		}
		w.msgs = nil
	case 8:
		n.Mend(i, j)
		w.cut = false
	}
	return due, err
}

func checkNet(t *testing.T, n *postNet, want *[2][2]wire) {
	t.Helper()
	var fresh postNet
	for i := range int8(2) {
		for j := range int8(2) {
			w := want[i][j]
			for k, m := range w.msgs {
				fresh.Send(i, j, m)
				if n.At(i, j, k+1) != m {
					t.Fatalf("message %d is %v, want %v", k+1, n.At(i, j, k+1), m)
				}
			}
			if w.cut {
				fresh.Cut(i, j)
			}
			if n.Len(i, j) != len(w.msgs) || n.Empty(i, j) != (len(w.msgs) == 0) || n.IsCut(i, j) != w.cut {
				t.Fatalf("from %d to %d: %d messages, cut %v; want %+v", i, j, n.Len(i, j), n.IsCut(i, j), w)
			}
			for kind := range letter(4) {
				is := len(w.msgs) > 0 && w.msgs[0].Kind == kind
				if n.Is(i, j, kind) != is || n.Is(i, j, 9, kind) != is || n.Is(i, j) {
					t.Fatalf("first is of kind %d: %v, want %v", kind, n.Is(i, j, kind), is)
				}
				if err := caught(func() { n.Peek(i, j, kind) }); is != (err == nil) {
					t.Fatalf("Peek of kind %d: %v", kind, err)
				}
			}
			checkKinds(t, n, i, j, w.msgs)
			if len(w.msgs) > 0 && (n.Head(i, j) != w.msgs[0] || n.Peek(i, j, 1, 2) != w.msgs[0]) {
				t.Fatalf("first is %v, want %v", n.Head(i, j), w.msgs[0])
			}
		}
	}
	sameBytes(t, "Net", n, &fresh)
}

// counter is a Net or a Bag, which count messages by kind.
type counter interface {
	Count(i, j int8, kinds ...letter) int
	Nth(i, j int8, k int, kinds ...letter) post
	Holds(i, j int8, m post) bool
}

// checkKinds compares counts and messages of single kinds with the messages from i to j, in their
// order.
func checkKinds(t *testing.T, n counter, i, j int8, msgs []post) {
	t.Helper()
	for _, kinds := range [][]letter{{}, {1}, {2}, {3}, {1, 2}, {2, 3}} {
		var of []post
		for _, m := range msgs {
			if slices.Contains(kinds, m.Kind) {
				of = append(of, m)
			}
		}
		if n.Count(i, j, kinds...) != len(of) {
			t.Fatalf("%d messages of kinds %v in %v", n.Count(i, j, kinds...), kinds, msgs)
		}
		for k := range len(of) + 2 {
			var got post
			err := caught(func() { got = n.Nth(i, j, k, kinds...) })
			if due := k < 1 || k > len(of); due != (err != nil) || !due && got != of[k-1] {
				t.Fatalf("message %d of kinds %v in %v is %v, %v", k, kinds, msgs, got, err)
			}
		}
	}
	for kind := range letter(4) {
		for body := range letter(3) {
			if m := (post{kind, body}); n.Holds(i, j, m) != slices.Contains(msgs, m) {
				t.Fatalf("%v in %v: %v", m, msgs, n.Holds(i, j, m))
			}
		}
	}
}

// TestNetNamesTheChannel: the address of a full channel leads to its place in the state. Pointer
// keeps the channels out of the stack, which moves when it grows.
func TestNetNamesTheChannel(t *testing.T) {
	t.Parallel()
	var n postNet
	err := caught(func() {
		for {
			n.Send(1, 0, post{1, 1})
		}
	})
	e, ok := errors.AsType[*CapacityError](err)
	if !ok || e.Capacity != depth || e.Address != reflect.ValueOf(&n.ch[1][0]).Pointer() {
		t.Errorf("%#v", err)
	}
}

// TestNetSaysWhatIsMissing holds that a message of another kind than the one that is taken is named
// as the reason, and no number of elements.
func TestNetSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for want, msgs := range map[string][]post{"none is in flight": nil, "of another kind": {{2, 1}}} {
		var n postNet
		for _, m := range msgs {
			n.Send(0, 1, m)
		}
		for _, take := range []func(){func() { n.Recv(0, 1, 1) }, func() { n.Peek(0, 1, 1) }} {
			if err := caught(take); !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
}

func TestBagAgainstMultiset(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	var b postBag
	var want [2][2]wire // in any order
	for range 50_000 {
		i, j, before := int8(r.IntN(2)), int8(r.IntN(2)), b
		due, err := bagStep(t, r, &b, i, j, &want[i][j])
		if due != (err != nil) || err != nil && b != before {
			t.Fatalf("panic %v, due: %v", err, due)
		}
		checkBag(t, r, &b, &want)
	}
}

// bagStep does one random operation from i to j and returns whether a panic is due, and the panic.
func bagStep(t *testing.T, r *rand.Rand, b *postBag, i, j int8, w *wire) (due bool, err error) {
	k, m := r.IntN(depth+2), randomPost(r)
	valid := k >= 1 && k <= len(w.msgs)
	var chosen post
	if valid {
		chosen = b.net.At(i, j, k)
	}
	take := func() {
		if !due {
			at := slices.Index(w.msgs, chosen)
			w.msgs = slices.Delete(w.msgs, at, at+1)
		}
	}
	switch r.IntN(8) {
	case 0, 1, 2:
		due, err = !w.cut && len(w.msgs) == depth, caught(func() { b.Send(i, j, m) })
		if !due && !w.cut {
			w.msgs = append(w.msgs, m)
		}
	case 3:
		got := chosen
		due, err = !b.Is(i, j, k, 1), caught(func() { got = b.Recv(i, j, k, 1) })
		if got != chosen || !due && got.Kind != 1 {
			t.Fatalf("received %v, chosen %v", got, chosen)
		}
		take()
	case 4:
		due, err = !valid, caught(func() { b.Lose(i, j, k) })
		take()
	case 5:
		due, err = !valid || len(w.msgs) == depth, caught(func() { b.Duplicate(i, j, k) })
		if !due {
			w.msgs = append(w.msgs, chosen)
		}
	case 6:
		if r.IntN(2) == 0 {
			b.Cut(i, j)
			w.cut = true
		} else {
			b.Clear(i, j)
			w.msgs = nil
		}
	case 7:
		b.Mend(i, j)
		w.cut = false
	}
	return due, err
}

// checkBag also sends the same messages in another order, and sees that each distinct message is
// one choice.
func checkBag(t *testing.T, r *rand.Rand, b *postBag, want *[2][2]wire) {
	t.Helper()
	var fresh postBag
	for i := range int8(2) {
		for j := range int8(2) {
			w := want[i][j]
			distinct := map[post]bool{}
			for _, k := range r.Perm(len(w.msgs)) {
				fresh.Send(i, j, w.msgs[k])
				distinct[w.msgs[k]] = true
			}
			if w.cut {
				fresh.Cut(i, j)
			}
			sorted := slices.Clone(w.msgs)
			slices.SortFunc(sorted, func(x, y post) int { return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Body, y.Body)) })
			checkKinds(t, b, i, j, sorted)
			if b.Len(i, j) != len(w.msgs) || b.IsCut(i, j) != w.cut {
				t.Fatalf("from %d to %d: %d messages, want %d", i, j, b.Len(i, j), len(w.msgs))
			}
			choices, messages := 0, len(distinct)
			for k := -1; k <= depth+1; k++ {
				if b.Is(i, j, k, 1, 2) {
					choices++
					delete(distinct, b.Peek(i, j, k, 1, 2))
				}
				if b.Is(i, j, k, 1) && b.Is(i, j, k, 2) || b.Is(i, j, k, 3) || b.Is(i, j, k) {
					t.Fatalf("message %d is of two kinds, or of none that was sent", k)
				}
			}
			if choices != messages || len(distinct) > 0 {
				t.Fatalf("%d choices out of %v, not among them %v", choices, w.msgs, distinct)
			}
		}
	}
	sameBytes(t, "Bag", b, &fresh)
}

// TestMessageOfAnAt: the methods that take an At do as those that take its fields. Tell sends to
// everyone else.
func TestMessageOfAnAt(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 6))
	for range 20_000 {
		var b postBag
		for range r.IntN(2 * depth) {
			i, j := int8(r.IntN(2)), int8(r.IntN(2))
			if b.Len(i, j) < depth {
				b.Send(i, j, randomPost(r))
			}
		}
		p := At[int8]{int8(r.IntN(2)), int8(r.IntN(2)), uint8(r.IntN(depth + 2))}
		kind := letter(r.IntN(3))
		have, want := b, b
		if have.Arrived(p, kind) != want.Is(p.J, p.I, int(p.K), kind) {
			t.Fatalf("%+v of kind %d in %+v: %v", p, kind, b, have.Arrived(p, kind))
		}
		if want.Is(p.J, p.I, int(p.K), kind) {
			if have.Read(p, kind) != want.Peek(p.J, p.I, int(p.K), kind) || have.Take(p, kind) != want.Recv(p.J, p.I, int(p.K), kind) || have != want {
				t.Fatalf("%+v of kind %d in %+v: another message", p, kind, b)
			}
		} else if caught(func() { have.Read(p, kind) }) == nil || caught(func() { have.Take(p, kind) }) == nil {
			t.Fatalf("%+v of kind %d in %+v is taken, and is none", p, kind, b)
		}
		m := randomPost(r)
		if have.Len(p.I, p.J) < depth {
			have.Reply(p, m)
			want.Send(p.I, p.J, m)
		}
		if other := 1 - p.I; have.Len(p.I, other) < depth {
			have.Tell(p.I, 2, m)
			want.Send(p.I, other, m)
		}
		if have != want {
			t.Fatalf("%+v sends %v in %+v: %+v, want %+v", p, m, b, have, want)
		}
	}
	var n postNet
	n.Tell(1, 2, post{1, 1})
	if n.Len(1, 0) != 1 || n.Len(1, 1) != 0 || n.Len(0, 1) != 0 {
		t.Errorf("told %+v", n)
	}
}
