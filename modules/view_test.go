package modules

import (
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
