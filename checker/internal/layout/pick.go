package layout

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// PicksOf returns a cell for each position that parameter p is in a Bag. Its value is the message
// at that position. It is nothing if the kind is hidden or is not one of the picks. Hidden are
// variables, as in modules.Pick. The error names a pick that means no channel of the State.
func PicksOf(t reflect.Type, picks []modules.Pick, hidden []string, p any, enum modules.Enum) ([]Cell, error) {
	var out []Cell
	for _, k := range picks {
		c := &cellCompiler{param: reflect.ValueOf(p), enum: enum, kinds: map[string]int{}, seen: map[string]bool{}}
		place, err := c.term(k.At)
		if err == nil {
			err = c.add(t, modules.Access{Variable: k.Variable, Index: k.Index})
		}
		if err != nil {
			return nil, fmt.Errorf("%s at %s: %w", k.Variable, k.At, err)
		}
		if len(c.out) != 1 || c.out[0].kind != ofKind || place < 0 {
			continue // a channel without room
		}
		place += k.Add
		cell := c.out[0]
		net, _, _ := strings.Cut(cell.Variable, "#")
		cell.Name = strings.Replace(cell.Name, cell.Variable, net, 1) + " at " + k.At
		if k.Add != 0 {
			cell.Name += fmt.Sprintf("%+d", k.Add)
		}
		cell.Variable, cell.kind, cell.place = net, ofPlace, uint8(max(0, min(place, 255)))
		at := slices.IndexFunc(out, func(x Cell) bool { return x.Name == cell.Name })
		if at < 0 {
			at, out = len(out), append(out, cell)
		}
		if !slices.Contains(hidden, k.Variable) {
			out[at].kinds[cell.message/64] |= 1 << (cell.message % 64)
		}
	}
	return out, nil
}

// Others returns a text that is the same for values of an action's parameters that differ only in
// the positions of picks.
func Others(picks []modules.Pick, p any) string {
	v := reflect.New(reflect.TypeOf(p)).Elem()
	v.Set(reflect.ValueOf(p))
	for _, k := range picks {
		f := v
		for x, name := range strings.Split(k.At, ".") {
			if x > 0 { // p itself comes first
				f = f.FieldByName(name)
			}
		}
		reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().SetZero()
	}
	return fmt.Sprintf("%#v", v.Interface())
}
