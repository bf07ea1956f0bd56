package capacity

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// TestCapacity: the length of an array that sets a capacity is found along the types of a package,
// with the bounds that it is computed from.
func TestCapacity(t *testing.T) {
	t.Parallel()
	const src = `package p

const (
	Clients = 2
	Grants  = 3
	Plain   = 5
	Twice   = 2*Clients + 1
	Both    = (Twice << 1) + Grants
)

type Queue = modules.Seq[uint8, [2]uint8]
type Log[A any] struct{ Entries modules.Seq[uint8, A] }
type Server struct {
	Log   modules.Seq[Entry, [Twice]Entry]
	Votes modules.Set[uint8, [modules.Some]uint8]
}
type Entry struct{ At [2]uint8 }
type State struct {
	Literal  modules.Seq[uint8, [2]uint8]
	Alias    Queue
	Bound    modules.Seq[uint8, [Clients]uint8]
	Same     modules.Seq[uint8, [Plain - 3]uint8]
	Constant modules.Seq[uint8, [Plain]uint8]
	Servers  [Clients]Server
	Both     modules.Seq[uint8, [Both]uint8]
	Inline   modules.Net[Entry, [Clients][Grants - 1]Entry]
	Cast     modules.Seq[uint8, [int(Grants) * 2]uint8]
	Generic  Log[[4]uint8]
}
`
	p := declared{files: token.NewFileSet(), types: map[string]*ast.TypeSpec{}, consts: nil, set: map[string]string{"Clients": "2", "Grants": "3"}}
	p.consts = map[string]*ast.ValueSpec{}
	p.read("p.go", []byte(src))
	for _, c := range []struct {
		field    string
		capacity int
		want     string
	}{
		{"Literal", 2, "p.go:19 2 []"},
		{"Alias", 2, "p.go:11 2 []"},
		{"Bound", 2, "p.go:4 Clients = 2 [Clients] plain"},
		{"Same", 2, "p.go:22 Plain - 3 []"},
		{"Constant", 5, "p.go:6 Plain = 5 []"},
		{"Servers[1].Log", 5, "p.go:7 Twice = 2 * Clients + 1 [Clients]"},
		{"Both", 13, "p.go:8 Both = (Twice << 1) + Grants [Clients Grants]"},
		{"Inline", 2, "p.go:4 Clients = 2 [Clients] plain"},
		{"Cast", 6, "p.go:27 int(Grants) * 2 [Grants]"},
		{"Generic.Entries", 4, "none"},
		{"Servers[1].Votes", 2, "none"},
		{"Literal", 3, "none"},
		{"Missing", 2, "none"},
	} {
		got := "none"
		if x, ok := p.capacity("State", c.field, c.capacity); ok {
			slices.Sort(x.Consts)
			got = fmt.Sprintf("%s:%d %s %v", x.At.Filename, x.At.Line, x.Text, x.Consts)
			if x.Plain {
				got += " plain"
			}
		}
		if got != c.want {
			t.Errorf("%s with room for %d: %s, want %s", c.field, c.capacity, got, c.want)
		}
	}
}
