package layout

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// panel is a State whose parts are read cell by cell.
type panel struct {
	Deep struct {
		Line [2]modules.Seq[post, [3]post]
		Flag [2]bool
	}
	Grid  [2][2]uint8
	Who   [2]modules.Set[int8]
	Table [2]modules.Map[int8, post, [2]post]
	Net   postNet
	Bag   postBag
	Alarm modules.Raised[letter]
}

type (
	letter  uint8
	post    struct{ Kind, Body letter }
	line    = modules.Channel[post, [3]post]
	postNet = modules.Net[int8, letter, post, [3]post, [2]line, [2][2]line]
	postBag = modules.Bag[int8, letter, post, [3]post, [2]line, [2][2]line]
)

func randomPost(r *rand.Rand) post { return post{letter(1 + r.IntN(2)), letter(r.IntN(2))} }

// inFlight prints the messages from i to j.
func inFlight(n *postNet, i, j int8) (out string) {
	for k := 1; k <= n.Len(i, j); k++ {
		out += fmt.Sprint(n.At(i, j, k))
	}
	return out
}

// ofKinds prints the messages of a kind from 1 to 0.
func ofKinds(n *postNet, kind letter) (out string) {
	for k := 1; k <= n.Count(1, 0, kind); k++ {
		out += fmt.Sprint(n.Nth(1, 0, k, kind))
	}
	return out
}

// letters names the values of the type letter, and nothing else.
func letters(t reflect.Type, value int64) (string, bool) {
	if t == reflect.TypeFor[letter]() && value >= 1 && value <= 2 {
		return fmt.Sprintf("%c", 'a'+rune(value)-1), true
	}
	return "", false
}

// letterKinds returns the kinds of posts.
func letterKinds(t reflect.Type) map[string]int64 {
	if t == reflect.TypeFor[letter]() {
		return map[string]int64{"a": 1, "b": 2}
	}
	return nil
}

func randomPanel(r *rand.Rand) (s panel) {
	for i := range int8(2) {
		for range r.IntN(4) {
			s.Deep.Line[i].Append(randomPost(r))
		}
		s.Deep.Flag[i] = r.IntN(2) == 1
		for j := range int8(2) {
			s.Grid[i][j] = uint8(r.IntN(3))
			if r.IntN(2) == 0 {
				s.Who[i].Add(j)
				s.Table[i].Put(j, randomPost(r))
			}
			for range r.IntN(4) {
				s.Net.Send(i, j, randomPost(r))
				s.Bag.Send(i, j, randomPost(r))
			}
			if r.IntN(4) == 0 {
				s.Net.Cut(i, j)
			}
		}
	}
	return s
}

// TestCells compares the values of cells with the operations of the types, in random states.
// Two states have equal cells exactly if these operations cannot distinguish them.
func TestCells(t *testing.T) {
	t.Parallel()
	p := modules.Pair[int8]{I: 1, J: 0}
	net := func(s *panel, kind letter) string {
		if s.Net.Is(1, 0, kind) {
			return fmt.Sprint(s.Net.Peek(1, 0, kind))
		}
		return "-"
	}
	bag := func(s *panel, kind letter) (out string) {
		var m post
		for k := 1; k <= s.Bag.Len(1, 0); k++ {
			if s.Bag.Is(1, 0, k, 1, 2) { // else it is equal to the one before it
				m = s.Bag.Peek(1, 0, k, 1, 2)
			}
			if m.Kind == kind {
				out += fmt.Sprint(m)
			}
		}
		return out
	}
	for _, c := range []struct {
		accesses string
		names    string
		see      func(s *panel) string
	}{
		{"Deep.Line[p.I]", "Deep.Line[1]", func(s *panel) string { return fmt.Sprint(s.Deep.Line[1]) }},
		{"Deep.Flag", "Deep.Flag[0] Deep.Flag[1]", func(s *panel) string { return fmt.Sprint(s.Deep.Flag) }},
		{"Grid[p.J][*]", "Grid[0][0] Grid[0][1]", func(s *panel) string { return fmt.Sprint(s.Grid[0]) }},
		{"Grid[*][1]", "Grid[0][1] Grid[1][1]", func(s *panel) string { return fmt.Sprint(s.Grid[0][1], s.Grid[1][1]) }},
		{"Grid[p.I]", "Grid[1][0] Grid[1][1]", func(s *panel) string { return fmt.Sprint(s.Grid[1]) }},
		{"Grid[1][1] Grid[p.I][1]", "Grid[1][1]", func(s *panel) string { return fmt.Sprint(s.Grid[1][1]) }},
		{"Who[p.I]{p.J}", "Who[1]{0}", func(s *panel) string { return fmt.Sprint(s.Who[1].Has(0)) }},
		{"Who[p.I]", "Who[1]", func(s *panel) string { return fmt.Sprint(s.Who[1]) }},
		{"Table[p.J]{p.I}", "Table[0]{1}", func(s *panel) string {
			if !s.Table[0].Has(1) {
				return "-"
			}
			return fmt.Sprint(s.Table[0].At(1))
		}},
		{"Net#a[p.I][p.J]", "Net#a[1][0]", func(s *panel) string { return net(s, 1) }},
		{"Net#a[p.I][p.J] Net#b[p.I][p.J]", "Net[1][0]", func(s *panel) string { return inFlight(&s.Net, 1, 0) }},
		{"Net#b[p.I][p.J] Net#a[p.J][p.I]", "Net#b[1][0] Net#a[0][1]", func(s *panel) string {
			return net(s, 2) + fmt.Sprint(s.Net.Is(0, 1, 1), s.Net.Is(0, 1, 1) && s.Net.Head(0, 1).Body == 1)
		}},
		{"Net#a[p.I][p.J]{*}", "Net#a[1][0]{*}", func(s *panel) string { return ofKinds(&s.Net, 1) }},
		{"Net#a[p.I][p.J] Net#a[p.I][p.J]{*}", "Net#a[1][0] Net#a[1][0]{*}", func(s *panel) string { return net(s, 1) + ofKinds(&s.Net, 1) }},
		{"Net#a[p.I][p.J]{*} Net#b[p.I][p.J]", "Net[1][0]", func(s *panel) string { return inFlight(&s.Net, 1, 0) }},
		{"Net.cut[p.I][*]", "Net.cut[1][0] Net.cut[1][1]", func(s *panel) string { return fmt.Sprint(s.Net.IsCut(1, 0), s.Net.IsCut(1, 1)) }},
		{"Bag#b[p.I][p.J]", "Bag#b[1][0]", func(s *panel) string { return bag(s, 2) }},
		{"Bag#b[p.I][p.J]{*} Bag#b[p.I][p.J]", "Bag#b[1][0]", func(s *panel) string { return bag(s, 2) }},
		{"Alarm#a", "", func(*panel) string { return "" }},
	} {
		cells, err := CellsOf(reflect.TypeFor[panel](), parseAccesses(c.accesses), p, letterKinds)
		if err != nil {
			t.Fatalf("%s: %v", c.accesses, err)
		}
		var names []string
		for k := range cells {
			names = append(names, cells[k].Name)
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%s: cells %s, want %s", c.accesses, got, c.names)
		}
		read := func(cells []Cell, s *panel) (out []byte) {
			for k := range cells {
				out = cells[k].Append(out, unsafe.Pointer(s))
			}
			return out
		}
		r := rand.New(rand.NewPCG(3, 3))
		packed := Packed(cells)
		equal := 0
		for range 3000 {
			a, b := randomPanel(r), randomPanel(r)
			want := c.see(&a) == c.see(&b)
			if got := bytes.Equal(read(cells, &a), read(cells, &b)); got != want || got != bytes.Equal(read(packed, &a), read(packed, &b)) {
				t.Fatalf("%s: equal %v, want %v\n%+v\n%+v", c.accesses, got, want, a, b)
			}
			if want {
				equal++
			}
		}
		if equal == 0 {
			t.Errorf("%s: no two states look the same", c.accesses)
		}
	}
}

// parseAccesses reads accesses as Access.String writes them.
func parseAccesses(text string) (out []modules.Access) {
	for _, s := range strings.Fields(text) {
		a := modules.Access{}
		if k := strings.IndexByte(s, '{'); k >= 0 {
			a.Key, s = s[k+1:len(s)-1], s[:k]
		}
		parts := strings.Split(strings.ReplaceAll(s, "]", ""), "[")
		a.Variable, a.Index = parts[0], parts[1:]
		out = append(out, a)
	}
	return out
}

// show prints a scalar as its text and a record as its fields.
func show(v modules.View) string {
	if v.Shape == modules.Scalar {
		return v.Text
	}
	var parts []string
	for k, e := range v.Elems {
		parts = append(parts, v.Names[k]+":"+show(e))
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func TestCellView(t *testing.T) {
	t.Parallel()
	var s panel
	s.Net.Send(1, 0, post{2, 7})
	s.Table[0].Put(1, post{1, 3})
	s.Who[1].Add(0)
	for access, want := range map[string]string{
		"Net#b[1][0]": "{Kind:b Body:7}", "Net#a[1][0]": "no message first", "Who[1]{0}": "true", "Table[0]{1}": "{Kind:a Body:3}",
		"Table[1]{1}": "absent", "Net.cut[0][0]": "false", "Grid[1][1]": "0",
	} {
		cells, err := CellsOf(reflect.TypeFor[panel](), parseAccesses(access), modules.None{}, letterKinds)
		if err != nil || len(cells) != 1 {
			t.Fatal(access, err)
		}
		if got := show(cells[0].View(unsafe.Pointer(&s), letters)); got != want {
			t.Errorf("%s is %s, want %s", access, got, want)
		}
	}
}

func TestCellsRefuse(t *testing.T) {
	t.Parallel()
	for access, want := range map[string]string{
		"Nowhere": "no field", "Grid[p.X]": "no number", "Net#z[0][1]": "no constant", "Deep.Line.More": "no field", "Who[0]{*}": "not known",
	} {
		if _, err := CellsOf(reflect.TypeFor[panel](), parseAccesses(access), modules.Pair[int8]{}, letterKinds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", access, err)
		}
	}
}
