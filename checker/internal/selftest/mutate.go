package selftest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/modules"
)

// leaf is a number or a truth value in a message.
type leaf struct {
	path string
	at   uintptr
	t    reflect.Type
}

// leavesOf appends the leaves of a type to out and returns it. It leaves out the elements of Chains
// and sequences.
func leavesOf(out []leaf, path string, t reflect.Type, at uintptr) []leaf {
	switch {
	case t.PkgPath() == reflect.TypeFor[modules.None]().PkgPath():
		return out
	case t.Kind() == reflect.Array:
		for k := range t.Len() {
			out = leavesOf(out, fmt.Sprintf("%s[%d]", path, k), t.Elem(), at+uintptr(k)*t.Elem().Size())
		}
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			name := f.Name
			if path != "" {
				name = path + "." + name
			}
			out = leavesOf(out, name, f.Type, at+f.Offset)
		}
	case t.Size() > 0:
		out = append(out, leaf{path, at, t})
	}
	return out
}

// ages are fields that number what follows one another.
var ages = regexp.MustCompile(`(?i)term|epoch|round|view|ballot`)

// mutations names the ways in which a stream is changed.
var mutations = []string{"drop", "duplicate", "swap", "move", "field", "age", "destination"}

// mutate changes a stream of node me, and says how. It returns nil where the drawn change is not
// possible.
func (r *runner[S]) mutate(me int, events []event[S], random *rand.Rand) ([]event[S], string) {
	var at, outs []int
	for k := range events {
		if e := &events[k]; e.kind == refine.In || e.kind == refine.Out {
			at = append(at, k)
			if e.kind == refine.Out {
				outs = append(outs, k)
			}
		}
	}
	if len(outs) == 0 {
		return nil, ""
	}
	k := outs[random.IntN(len(outs))]
	if random.IntN(4) == 0 {
		k = at[random.IntN(len(at))]
	}
	what := mutations[random.IntN(len(mutations))]
	out := slices.Clone(events)
	said := fmt.Sprintf("%s event %d", what, k+1)
	switch what {
	case "drop":
		out = slices.Delete(out, k, k+1)
	case "duplicate":
		out = slices.Insert(out, k+random.IntN(min(4, len(out)-k)), out[k])
	case "swap":
		x := at[random.IntN(len(at))]
		out[k], out[x] = out[x], out[k]
		said += fmt.Sprintf(" and %d", x+1)
	case "move":
		e := out[k]
		out = slices.Delete(out, k, k+1)
		out = slices.Insert(out, random.IntN(len(out)), e)
	case "field", "age":
		path := r.change(&out[k], what == "age", random)
		if path == "" {
			return nil, ""
		}
		said += ", " + path
	case "destination":
		others := []int{}
		for j := range r.model.servers {
			if j != me && j != out[k].peer {
				others = append(others, j)
			}
		}
		if len(others) == 0 {
			return nil, ""
		}
		out[k].peer = others[random.IntN(len(others))]
		out[k].line = r.enc.message(out[k].kind, out[k].peer, out[k].msg)
	}
	if bytes.Equal(text(out), text(events)) {
		return nil, ""
	}
	return out, said
}

// change changes a field of a message, and returns its path.
func (r *runner[S]) change(e *event[S], age bool, random *rand.Rand) string {
	net := r.model.netOf(e.msg)
	leaves := r.leaves[net]
	if age {
		leaves = slices.DeleteFunc(slices.Clone(leaves), func(l leaf) bool { return !ages.MatchString(l.path) })
	}
	if len(leaves) == 0 {
		return ""
	}
	l := leaves[random.IntN(len(leaves))]
	e.msg = bytes.Clone(e.msg)
	v := reflect.NewAt(l.t, unsafe.Pointer(&e.msg[l.at])).Elem()
	names := r.model.spec.Enum(l.t)
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case len(names) > 0:
		x := random.Int64N(int64(len(names)) + 1)
		if _, ok := r.model.spec.Names(l.t, x); !ok {
			return ""
		}
		set(v, x)
	default:
		set(v, get(v)+[]int64{1, 1, -1, 2}[random.IntN(4)])
	}
	if kind := e.msg[0]; l.at == 0 && r.model.netOf(e.msg) != net || kind == 0 {
		return ""
	}
	e.line = r.enc.message(e.kind, e.peer, e.msg)
	return l.path
}

func get(v reflect.Value) int64 {
	if v.CanInt() {
		return v.Int()
	}
	return int64(v.Uint())
}

func set(v reflect.Value, x int64) {
	if v.CanInt() {
		v.SetInt(x)
	} else if v.CanUint() {
		v.SetUint(uint64(max(x, 0)))
	}
}

// text returns a stream as a monitor reads it.
func text[S any](events []event[S]) []byte {
	var b []byte
	for k := range events {
		b = append(append(b, events[k].line...), '\n')
	}
	return b
}
