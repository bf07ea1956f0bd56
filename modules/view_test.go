package modules

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// show writes a View so that its shape can be seen: {} a record, () a function, <> a sequence, [] a
// collection, # a mapping, / a multiset.
func show(v View) string {
	marks := map[Shape]string{Record: "{}", Function: "()", Sequence: "<>", Collection: "[]", Mapping: "##", Multiset: "//"}
	if v.Shape == Scalar {
		return v.Text
	}
	var parts []string
	for k, e := range v.Elems {
		part := show(e)
		if len(v.Names) > 0 {
			part = v.Names[k] + ":" + part
		}
		parts = append(parts, part)
	}
	return marks[v.Shape][:1] + strings.Join(parts, " ") + marks[v.Shape][1:]
}

// letters names the values of the type letter, and nothing else.
func letters(t reflect.Type, value int64) (string, bool) {
	if t == reflect.TypeFor[letter]() && value >= 1 && value <= 2 {
		return fmt.Sprintf("%c", 'a'+rune(value)-1), true
	}
	return "", false
}

func TestViewOf(t *testing.T) {
	t.Parallel()
	var q Seq[post, [3]post]
	q.Append(post{1, 2})
	q.Append(post{2, 7})
	var table Map[letter, int8, [3]int8]
	table.Put(2, -5)
	table.Put(0, 5)
	var records Records[letter, [3]letter]
	records.Add(2)
	records.Add(1)
	var raised Raised[letter]
	raised.Raise(31)
	raised.Raise(1)
	var net postNet
	net.Send(0, 1, post{1, 1})
	net.Cut(1, 1)
	var bag postBag
	bag.Send(1, 0, post{2, 1})
	bag.Send(1, 0, post{1, 1})
	type inner struct {
		B bool
		N [2]int16
	}
	for _, c := range []struct {
		value any
		want  string
	}{
		{true, "true"},
		{int8(-1), "-1"},
		{uint8(255), "255"},
		{uint64(math.MaxUint64), "18446744073709551615"},
		{int64(math.MinInt64), "-9223372036854775808"},
		{letter(1), "a"},
		{letter(9), "9"},
		{[3]letter{0, 1, 2}, "(0 a b)"},
		{[0]letter{}, "()"},
		{inner{true, [2]int16{-300, 300}}, "{B:true N:(-300 300)}"},
		{q, "<{Kind:a Body:b} {Kind:b Body:7}>"},
		{SetOf[letter](1, 2, 7), "[a b 7]"},
		{table, "#0:5 b:-5#"},
		{records, "[a b]"},
		{raised, "[a 31]"},
		{net, "((<> <{Kind:a Body:a}>) (<> {cut:true messages:<>}))"},
		{bag, "((// //) (/{Kind:a Body:a} {Kind:b Body:a}/ //))"},
		{None{}, "{}"},
		{Pair[letter]{0, 1}, "{I:0 J:a}"},
		{Party[letter]{1, SetOf[letter](1, 3)}, "{I:a S:[a 3]}"},
		{At[letter]{1, 2, 3}, "{I:a J:b K:3}"},
		{struct{ Q Seq[post, [3]post] }{q}, "{Q:<{Kind:a Body:b} {Kind:b Body:7}>}"},
		{[1]Set[int8]{5}, "([0 2])"},
	} {
		if got := show(ViewOf(c.value, letters)); got != c.want {
			t.Errorf("%T: got %s, want %s", c.value, got, c.want)
		}
	}
	if got := show(ViewOf(letter(1), nil)); got != "1" {
		t.Errorf("without names: %s", got)
	}
}

// TestFill: Fill is the inverse of ViewOf for every type of a state. It refuses what has no room in
// another way than what is of another type.
func TestFill(t *testing.T) {
	type message struct{ Kind, Term uint8 }
	type channel = Channel[message, [3]message]
	type state struct {
		Flag  bool
		Mood  letter
		Array [2]int8
		Queue Seq[uint8, [3]uint8]
		Set   Set[uint8]
		Map   Map[uint8, uint8, [3]uint8]
		Net   Net[uint8, letter, message, [3]message, [2]channel, [2][2]channel]
		Bag   Bag[uint8, letter, message, [3]message, [2]channel, [2][2]channel]
	}
	enum := func(t reflect.Type) map[string]int64 {
		if t == reflect.TypeFor[letter]() {
			return map[string]int64{"a": 1, "b": 2}
		}
		return nil
	}
	s := state{Flag: true, Mood: 2, Array: [2]int8{-1, 5}, Set: SetOf[uint8](0, 3)}
	s.Queue.Append(7)
	s.Map.Put(2, 9)
	s.Net.Send(0, 1, message{2, 3})
	s.Net.Send(0, 1, message{1, 4})
	s.Net.Cut(1, 0)
	for _, m := range []message{{2, 3}, {1, 4}, {1, 4}} {
		s.Bag.Send(1, 0, m)
	}
	s.Bag.Cut(1, 0)
	var have state
	if err := Fill(&have, ViewOf(s, letters), enum); err != nil || have != s {
		t.Errorf("%v\n%+v\n%+v", err, have, s)
	}
	list := func(texts ...string) (v View) {
		v.Shape = Sequence
		for _, x := range texts {
			v.Elems = append(v.Elems, View{Text: x})
		}
		return v
	}
	for _, x := range []struct {
		to   any
		from View
		room bool
	}{
		{&have.Queue, list("1", "2", "3", "4"), true}, {&have.Queue, list("300"), true}, {&have.Queue, list("-1"), true}, {&have.Set, list("9"), true},
		{&have.Mood, View{Text: "z"}, false}, {&have.Flag, View{Text: "1"}, false}, {&have.Array, list("1"), false}, {&have.Queue, View{Text: "1"}, false},
		{&have, View{Shape: Record, Names: []string{"Other"}, Elems: []View{{Text: "1"}}}, false},
	} {
		err := Fill(x.to, x.from, enum)
		if _, room := errors.AsType[*RoomError](err); err == nil || room != x.room {
			t.Errorf("%T from %s: %v", x.to, show(x.from), err)
		}
	}
}

// TestFillOfABagWithoutRows fills the Bag of a composition that does not use it. The Go compiler
// fails on n.ch[i] there, since the matrix has no rows.
func TestFillOfABagWithoutRows(t *testing.T) {
	t.Parallel()
	type none struct {
		Bag Bag[int8, letter, post, [3]post, [2]line, [0][2]line]
	}
	var s none
	if err := Fill(&s, ViewOf(s, letters), nil); err != nil {
		t.Error(err)
	}
}
