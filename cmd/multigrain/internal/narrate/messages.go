package narrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// All messages of a network have one Go type, so each has the fields of all kinds. What people read
// shows a message without the fields that its kind does not carry.

// Value returns a value in which messages have the fields of their kind only. A message is a record
// whose kind is known and that has all fields of that kind. A field that the kind does not carry
// stays if it is not zero, or if it stands before the kind, as the servers of a parameter do. So
// two different values stay different.
func (k *Known) Value(v modules.View) modules.View {
	if len(k.Messages) == 0 || len(v.Elems) == 0 {
		return v
	}
	out := v
	out.Elems = make([]modules.View, len(v.Elems))
	for x := range v.Elems {
		out.Elems[x] = k.Value(v.Elems[x])
	}
	at := kindAt(&v)
	if at < 0 || v.Elems[at].Shape != modules.Scalar {
		return out
	}
	carried, known := k.Messages[v.Elems[at].Text]
	if !known || slices.ContainsFunc(carried, func(f string) bool { return !slices.Contains(v.Names, f) }) {
		return out
	}
	all := out.Elems
	out.Names, out.Elems = nil, nil
	for x, name := range v.Names {
		if x <= at || slices.Contains(carried, name) || !k.zero(&v.Elems[x]) {
			out.Names, out.Elems = append(out.Names, name), append(out.Elems, all[x])
		}
	}
	return out
}

// shortRun is the number of elements from which a run at the end of an array is one text.
const shortRun = 8

// Brief returns a value for a line of text: as Value does, and without zeros that say nothing. A
// record whose kind is not known has no zeros after its field Kind. A record in a value whose
// fields are all zero is the text "zero". A run of equal elements at the end of an array is one
// text.
func (k *Known) Brief(v modules.View) modules.View { return k.brief(k.Value(v)) }

func (k *Known) brief(v modules.View) modules.View {
	if len(v.Elems) == 0 {
		return v
	}
	out, kind := v, len(v.Elems)
	if at := kindAt(&v); at >= 0 && v.Names[at] == "Kind" {
		if _, known := k.Messages[v.Elems[at].Text]; !known {
			kind = at
		}
	}
	out.Names, out.Elems = nil, nil
	for x := range v.Elems {
		if x > kind && k.zero(&v.Elems[x]) {
			continue
		}
		e := k.brief(v.Elems[x])
		if e.Shape == modules.Record && k.zero(&v.Elems[x]) {
			e = modules.View{Text: "zero"}
		}
		if out.Elems = append(out.Elems, e); x < len(v.Names) {
			out.Names = append(out.Names, v.Names[x])
		}
	}
	if v.Shape != modules.Function {
		return out
	}
	last := len(v.Elems) - 1
	first := last // of the run
	for first > 0 && itf.Equal(v.Elems[first-1], v.Elems[last]) {
		first--
	}
	if n := last - first + 1; n >= shortRun {
		out.Elems = append(out.Elems[:first], modules.View{Text: fmt.Sprintf("%d times %s", n, itf.Text(out.Elems[last]))})
	}
	return out
}

// trace returns a trace with the values that Value returns for its states and parameters.
func (k *Known) trace(t *wire.Trace) *wire.Trace {
	if len(k.Messages) == 0 {
		return t
	}
	out := *t
	out.Init, out.Steps = k.Value(t.Init), slices.Clone(t.Steps)
	for x := range out.Steps {
		out.Steps[x].State, out.Steps[x].Params = k.Value(t.Steps[x].State), k.Value(t.Steps[x].Params)
	}
	return &out
}

// zero reports whether a value is known to be the zero value of its type. A name of an enumeration
// is one if it stands for 0 wherever it is a name.
func (k *Known) zero(v *modules.View) bool {
	if v.Shape == modules.Scalar {
		return v.Text == "0" || v.Text == "false" || slices.Contains(k.Zeros, v.Text)
	}
	return !slices.ContainsFunc(v.Elems, func(e modules.View) bool {
		return v.Shape != modules.Record && v.Shape != modules.Function || !k.zero(&e)
	})
}

// kindAt returns the place of the kind among the fields of a message: that of the field Kind or
// Type, or the first. It is -1 for a value that is no record.
func kindAt(m *modules.View) int {
	if m.Shape != modules.Record || len(m.Elems) == 0 {
		return -1
	}
	for _, name := range []string{"Kind", "Type", "kind", "type"} {
		if k := slices.Index(m.Names, name); k >= 0 {
			return k
		}
	}
	return 0
}

// kindOf returns the name of a message: its kind, or the whole of one that is no record.
func kindOf(m modules.View) string {
	if k := kindAt(&m); k >= 0 {
		return itf.Text(m.Elems[k])
	}
	return itf.Text(m)
}

// fieldsOf returns the fields of a message other than its kind.
func fieldsOf(m modules.View) string {
	at := kindAt(&m)
	var parts []string
	for k, name := range m.Names {
		if k != at {
			parts = append(parts, name+": "+itf.Text(m.Elems[k]))
		}
	}
	return strings.Join(parts, ", ")
}
