package preserve

import (
	"encoding/binary"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/inclusion"
	"github.com/multigrain/multigrain/checker/internal/layout"
)

// silent is the label of silent steps.
const silent = inclusion.Silent

// labels numbers what visible steps are observed by: the step, its view, and the assertions that it
// raises.
type labels struct {
	byKey  map[string]uint32
	step   []int32     // by label
	raised []bool      // by label: the step raises an assertion
	first  [2][]uint32 // by side and label: the first state that it was seen in, plus 1; 0: never
	buf    []byte
}

func newLabels() *labels {
	return &labels{byKey: map[string]uint32{}, step: []int32{-1}, raised: []bool{false}, first: [2][]uint32{{0}, {0}}}
}

// begin starts the key of a step, to which the view is appended.
func (l *labels) begin(step int, raised uint64) []byte {
	l.buf = binary.LittleEndian.AppendUint32(l.buf[:0], uint32(step))
	l.buf = binary.LittleEndian.AppendUint64(l.buf, raised)
	return l.buf
}

// key returns the key of a step from s: the step, the messages that its positions name, and the
// view. It is nil for a silent step.
func (r *run[T]) key(side int, s *T, instance int, raised bool) []byte {
	from := &r.c.Sides[side]
	step := from.Step[instance]
	if step < 0 {
		return nil
	}
	v, p := &r.c.Steps[step], r.c.State(s)
	var picks []layout.Cell
	if from.Picks != nil {
		picks = from.Picks[instance]
	}
	if v.Quiet && slices.ContainsFunc(picks, func(c layout.Cell) bool { return c.Hides(p) }) {
		return nil
	}
	mark := uint64(0)
	if raised {
		mark = 1 // which assertion it is follows from the view
	}
	key := r.labels.begin(step, mark)
	for k := range picks {
		key = picks[k].Append(key, p)
	}
	if !v.Environment {
		for k := range v.Cells {
			key = v.Cells[k].Append(key, p)
		}
	}
	r.labels.buf = key
	return key
}

// labelOf returns the label of a step from s to n; false if it is visible and no exploration has
// seen it.
func (r *run[T]) labelOf(side int, s, n *T, instance int) (label uint32, known bool) {
	raised := false
	if spec := r.c.Sides[side].Spec; spec.Raised != nil {
		raised, _ = spec.Raised(n)
	}
	key := r.key(side, s, instance, raised)
	if key == nil {
		return silent, true
	}
	label, known = r.labels.byKey[string(key)]
	return label, known
}

// number returns the label of a finished key, seen in a state.
func (l *labels) number(key []byte, side int, state uint32) uint32 {
	l.buf = key
	k, ok := l.byKey[string(key)]
	if !ok {
		k = uint32(len(l.step))
		l.byKey[string(key)] = k
		l.step = append(l.step, int32(binary.LittleEndian.Uint32(key)))
		l.raised = append(l.raised, binary.LittleEndian.Uint64(key[4:]) != 0)
		l.first[Fine], l.first[Coarse] = append(l.first[Fine], 0), append(l.first[Coarse], 0)
	}
	if l.first[side][k] == 0 {
		l.first[side][k] = state + 1
	}
	return k
}

// looks collects the values that invariants see.
type looks struct {
	seen []map[uint64]*look // by invariant and fingerprint of the value
}

// look is one value of an invariant's footprint.
type look struct {
	broken bool
	at     [2]sighting
}

// sighting is the place where a value of a property was first observed. That is after the step from
// a state by an instance or, if the instance is -1, in the state.
type sighting struct {
	seen     bool
	from     uint32
	instance int32
}

func newLooks(n int) *looks {
	l := &looks{seen: make([]map[uint64]*look, n)}
	for k := range l.seen {
		l.seen[k] = map[uint64]*look{}
	}
	return l
}

func (l *looks) add(k int, value uint64, side int, broken bool, from uint32, instance int32) {
	x := l.seen[k][value]
	if x == nil {
		x = &look{broken: broken}
		l.seen[k][value] = x
	}
	if !x.at[side].seen {
		x.at[side] = sighting{true, from, instance}
	}
}
