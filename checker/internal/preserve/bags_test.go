package preserve

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// room is a state of a random system with messages in flight from 0 to 1.
type room struct {
	At  uint8
	Bag modules.Bag[uint8, parcelKind, parcel, [3]parcel, [2]parcels, [2][2]parcels]
}

type (
	parcelKind uint8
	parcel     struct {
		Kind parcelKind
		Body uint8
	}
	parcels = modules.Channel[parcel, [3]parcel]
)

// note is a message, whatever the number of its kind: the module under test reads those that are
// kept and not the hidden ones.
type note struct {
	hidden bool
	body   uint8
}

// office is a random system. In a state it has notes in flight. Silent steps lead on, and so do a
// step that takes a note that is kept and one of the environment that loses a note.
type office struct {
	notes  [][]note
	silent [][]uint8
	take   []map[note]uint8
	lose   []map[note]uint8
	silver uint8 // number of the hidden kind; the other one has 3 - silver
}

const places = 3 // of the Bag: silent instances come first, then takes and losses by place

func randomOffice(r *rand.Rand) *office {
	n := 1 + r.IntN(5)
	o := &office{silver: 1}
	for range n {
		var notes []note
		take, lose := map[note]uint8{}, map[note]uint8{}
		for range r.IntN(places + 1) {
			x := note{r.IntN(2) == 0, uint8(r.IntN(2))}
			if notes = append(notes, x); !x.hidden && r.IntN(3) > 0 {
				take[x] = uint8(r.IntN(n))
			}
			if r.IntN(3) == 0 {
				lose[x] = uint8(r.IntN(n))
			}
		}
		var silent []uint8
		for range r.IntN(3) {
			silent = append(silent, uint8(r.IntN(n)))
		}
		o.notes, o.silent = append(o.notes, notes), append(o.silent, silent)
		o.take, o.lose = append(o.take, take), append(o.lose, lose)
	}
	return o
}

// mutated is o with hidden notes taken out of some states: a coarse grain that does not send them.
// Sometimes it also lacks or invents a step with a note that is kept.
func (o *office) mutated(r *rand.Rand) *office {
	c := &office{silver: o.silver}
	for k := range o.notes {
		notes, lose := slices.Clone(o.notes[k]), map[note]uint8{}
		take := map[note]uint8{}
		if r.IntN(3) > 0 {
			notes = slices.DeleteFunc(notes, func(x note) bool { return x.hidden })
		}
		for x, to := range o.take[k] {
			if r.IntN(6) > 0 {
				take[x] = to
			}
		}
		if x := (note{body: uint8(r.IntN(2))}); len(notes) < places && r.IntN(6) == 0 {
			notes = append(notes, x)
			take[x] = uint8(r.IntN(len(o.notes)))
		}
		silent := slices.Clone(o.silent[k])
		for x, to := range o.lose[k] {
			if slices.Contains(notes, x) {
				lose[x] = to
			} else {
				silent = append(silent, to) // nobody can see that it is lost
			}
		}
		c.notes, c.silent = append(c.notes, notes), append(c.silent, silent)
		c.take, c.lose = append(c.take, take), append(c.lose, lose)
	}
	return c
}

func (o *office) parcel(x note) parcel {
	if x.hidden {
		return parcel{parcelKind(o.silver), x.body}
	}
	return parcel{parcelKind(3 - o.silver), x.body}
}

// to returns where an instance leads from a state, and the note that it names.
func (o *office) to(s *room, instance int) (to uint8, named note, ok bool) {
	if instance < 2 {
		if instance < len(o.silent[s.At]) {
			return o.silent[s.At][instance], note{}, true
		}
		return 0, note{}, false
	}
	k := (instance-2)%places + 1
	if !s.Bag.Is(0, 1, k, 1, 2) {
		return 0, note{}, false
	}
	m := s.Bag.Peek(0, 1, k, 1, 2)
	named = note{m.Kind == parcelKind(o.silver), m.Body}
	if instance-2 < places {
		to, ok = o.take[s.At][named]
	} else {
		to, ok = o.lose[s.At][named]
	}
	return to, named, ok
}

func (o *office) node(k uint8) (s room) {
	s.At = k
	for _, x := range o.notes[k] {
		s.Bag.Send(0, 1, o.parcel(x))
	}
	return s
}

func (o *office) spec() *checker.Spec[room] {
	spec := &checker.Spec[room]{
		System:  "office",
		Init:    func(yield func(*room) bool) { s := o.node(0); yield(&s) },
		State:   func(*room) uint64 { return 0 },
		Enabled: func(s *room, i int) bool { _, _, ok := o.to(s, i); return ok },
		Apply:   func(s, n *room, i int) { to, _, _ := o.to(s, i); *n = o.node(to) },
	}
	for i := range 2 + 2*places {
		spec.Actions = append(spec.Actions, checker.Action{Name: fmt.Sprint("A", i)})
		spec.Instances = append(spec.Instances, checker.Instance{Action: i})
	}
	spec.Next = func(s *room, out *checker.Successors[room]) {
		for i := range spec.Instances {
			if spec.Enabled(s, i) {
				spec.Apply(s, out.Slot(s), i)
				out.Emit(s, i)
			}
		}
	}
	return spec
}

// label returns the observation of an instance in state k: the note, and the kept notes in flight.
func (o *office) label(k uint8, instance int) string {
	s := o.node(k)
	_, named, _ := o.to(&s, instance)
	switch {
	case instance < 2 || named.hidden:
		return ""
	case instance-2 >= places:
		return fmt.Sprint("lose ", named.body, ";")
	}
	kept := slices.DeleteFunc(slices.Clone(o.notes[k]), func(x note) bool { return x.hidden })
	slices.SortFunc(kept, func(a, b note) int { return int(a.body) - int(b.body) })
	return fmt.Sprint("take ", named.body, " of ", kept, ";")
}

// words returns the observations from a state of at most n labels.
func (o *office) words(k uint8, n int) map[string]bool {
	out := map[string]bool{"": true}
	reach := []uint8{k}
	for at := 0; at < len(reach); at++ {
		s := o.node(reach[at])
		for i := range 2 + 2*places {
			to, _, ok := o.to(&s, i)
			switch l := o.label(s.At, i); {
			case !ok:
			case l == "" && !slices.Contains(reach, to):
				reach = append(reach, to)
			case l != "" && n > 0:
				for w := range o.words(to, n-1) {
					out[l+w] = true
				}
			}
		}
	}
	return out
}

func officeComparison(t *testing.T, sides [2]*office) *Comparison[room] {
	t.Helper()
	enum := func(typ reflect.Type) map[string]int64 {
		if typ == reflect.TypeFor[parcelKind]() {
			return map[string]int64{"HIDDEN": int64(sides[0].silver), "KEPT": int64(3 - sides[0].silver)}
		}
		return nil
	}
	index := []string{"p.J", "p.I"}
	picks := []modules.Pick{{Variable: "Bag#HIDDEN", Index: index, At: "p.K"}, {Variable: "Bag#KEPT", Index: index, At: "p.K"}}
	state := reflect.TypeFor[room]()
	cells, err := layout.CellsOf(state, []modules.Access{{Variable: "Bag#KEPT", Index: index}}, modules.At[uint8]{I: 1}, enum)
	if err != nil {
		t.Fatal(err)
	}
	c := &Comparison[room]{State: func(n *room) unsafe.Pointer { return unsafe.Pointer(n) }}
	c.Steps = []Step{{Action: "Take", Cells: cells}, {Action: "Lose", Environment: true, Quiet: true}}
	for side, o := range sides {
		s := Side[room]{Spec: o.spec(), Step: []int{-1, -1}, Picks: [][]layout.Cell{nil, nil}}
		for i := range 2 * places {
			named, err := layout.PicksOf(state, picks, []string{"Bag#HIDDEN"}, modules.At[uint8]{I: 1, K: uint8(i%places + 1)}, enum)
			if err != nil {
				t.Fatal(err)
			}
			s.Step, s.Picks = append(s.Step, i/places), append(s.Picks, named)
		}
		c.Sides[side] = s
	}
	return c
}

// TestRandomBags compares inclusion with the enumeration of all observations up to a length. Hidden
// messages come before the kept ones in the Bag, or after them.
func TestRandomBags(t *testing.T) {
	t.Parallel()
	const length = 3
	r := rand.New(rand.NewPCG(7, 5))
	counts := map[string]int{}
	for round := range 1000 {
		fine := randomOffice(r)
		coarse := fine.mutated(r)
		var got [2][4]Answer
		for order := range 2 {
			fine.silver, coarse.silver = uint8(1+order), uint8(1+order)
			res, err := Run(officeComparison(t, [2]*office{fine, coarse}), Options{Level: "L2"})
			if err != nil || res.Level != "L2" {
				t.Fatalf("round %d: %+v, %v", round, res, err)
			}
			got[order] = [4]Answer{res.L2.NoMissed, res.L2.NoFalse, res.L1.NoMissed, res.L1.NoFalse}
		}
		if got[0] != got[1] {
			t.Fatalf("round %d: %v where hidden messages come first, %v where they come last\n%+v\n%+v", round, got[0], got[1], fine, coarse)
		}
		sides := [2]*office{fine, coarse}
		for side := range 2 {
			answer := got[0][side]
			counts[fmt.Sprintf("%d%s", side, answer)]++
			theirs, lacking := sides[1-side].words(0, length), ""
			for w := range sides[side].words(0, length) {
				if !theirs[w] {
					lacking = w
				}
			}
			if (lacking != "") != (answer == No) {
				t.Fatalf("round %d, side %d: %s, and the other lacks %q\n%+v\n%+v", round, side, answer, lacking, fine, coarse)
			}
		}
	}
	if counts["0yes"] < 100 || counts["0no"] < 100 || counts["1yes"] < 100 || counts["1no"] < 50 {
		t.Errorf("answers %v are not mixed enough", counts)
	}
}
