package preserve

import "encoding/binary"

// silent is the label of silent steps.
const silent = 0

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
