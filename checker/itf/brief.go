package itf

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// shortRun is the number of elements from which a run at the end of an array is one text.
const shortRun = 8

// Brief returns a value for a line of text, without zeros that say nothing. A record whose kind is
// not known has no zeros after its field Kind. A record in a value whose fields are all zero is the
// text "zero". A run of equal elements at the end of an array is one text. Zeros are the names of
// constants that stand for 0.
func Brief(v modules.View, known func(kind string) bool, zeros []string) modules.View {
	if len(v.Elems) == 0 {
		return v
	}
	out, kind := v, len(v.Elems)
	if at := KindAt(&v); at >= 0 && v.Names[at] == "Kind" && !known(v.Elems[at].Text) {
		kind = at
	}
	out.Names, out.Elems = nil, nil
	for x := range v.Elems {
		if x > kind && Zero(&v.Elems[x], zeros) {
			continue
		}
		e := Brief(v.Elems[x], known, zeros)
		if e.Shape == modules.Record && Zero(&v.Elems[x], zeros) {
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
	for first > 0 && Equal(v.Elems[first-1], v.Elems[last]) {
		first--
	}
	if n := last - first + 1; n >= shortRun {
		out.Elems = append(out.Elems[:first], modules.View{Text: fmt.Sprintf("%d times %s", n, Text(out.Elems[last]))})
	}
	return out
}

// Zero reports whether a value is known to be the zero value of its type. A name of an enumeration
// is one if it is among zeros: it stands for 0 wherever it is a name.
func Zero(v *modules.View, zeros []string) bool {
	if v.Shape == modules.Scalar {
		return v.Text == "0" || v.Text == "false" || slices.Contains(zeros, v.Text)
	}
	return !slices.ContainsFunc(v.Elems, func(e modules.View) bool {
		return v.Shape != modules.Record && v.Shape != modules.Function || !Zero(&e, zeros)
	})
}

// KindAt returns the place of the kind among the fields of a message: that of the field Kind or
// Type, or the first. It is -1 for a value that is no record.
func KindAt(m *modules.View) int {
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
