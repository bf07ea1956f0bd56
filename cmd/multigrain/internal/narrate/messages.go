package narrate

import (
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
	at := itf.KindAt(&v)
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

// Brief returns a value for a line of text: as Value does, and as itf.Brief does with what Value
// leaves.
func (k *Known) Brief(v modules.View) modules.View {
	known := func(kind string) bool { _, ok := k.Messages[kind]; return ok }
	return itf.Brief(k.Value(v), known, k.Zeros)
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

// zero reports whether a value is known to be the zero value of its type.
func (k *Known) zero(v *modules.View) bool { return itf.Zero(v, k.Zeros) }

// kindOf returns the name of a message: its kind, or the whole of one that is no record.
func kindOf(m modules.View) string {
	if k := itf.KindAt(&m); k >= 0 {
		return itf.Text(m.Elems[k])
	}
	return itf.Text(m)
}

// fieldsOf returns the fields of a message other than its kind.
func fieldsOf(m modules.View) string {
	at := itf.KindAt(&m)
	var parts []string
	for k, name := range m.Names {
		if k != at {
			parts = append(parts, name+": "+itf.Text(m.Elems[k]))
		}
	}
	return strings.Join(parts, ", ")
}
