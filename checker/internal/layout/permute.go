package layout

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// What it computes. A plan, made once from a State type, that rewrites a state with its identities
// permuted: server k becomes to[k] wherever it occurs.
//
// Why it is right. Only the type decides what is an identity: a value of the type of servers, a set
// of them, an array with an element for each, the key of a map. The shape of a type says which of
// these it is, and what its parts are. Elements of sets and maps have no order, so they are sorted
// again: equal values have equal bytes. Bytes without identities are copied. What cannot be
// permuted is an error when the plan is made.
//
// What it costs. Planning is reflection, once. Applying the plan writes each byte of a state once,
// and sorts the elements of collections. Neighbouring fields without identities are copied in one
// piece.
//
// Example. With to = 0->1, 1->0:
//
//	Role   [Leader, Follower]    becomes [Follower, Leader]    an array by servers
//	Vote   [0, 0]                becomes [1, 1]                the same, and its values are servers
//	Term   3                     stays 3

// Permutation is a plan, made once from a flat type, that permutes values of the type with the
// identities in them. The identities of a group change places with each other, such as the clients
// next to a master and servers. Values of the identities' type outside all groups name other nodes:
// they stay what they are, and so do their elements of arrays.
type Permutation struct {
	groups []modules.Group
	count  int                   // the end of the last group
	group  [modules.MaxSet]uint8 // of each identity, from 1; 0: it stays
	root   *shape
	rows   []row
}

// row is a variable at the top of a State with one element for each identity.
type row struct {
	at uintptr
	of *shape
}

// shape is how a type is permuted. A nil shape has no identities: its bytes are copied.
type shape struct {
	kind   shapeKind
	size   uintptr
	elem   *shape  // of arrays, sequences, maps; nil for one without identities
	length int     // of arrays; the capacity of sequences
	stride uintptr // size of an element
	count  uintptr // where the number of elements is, or the set of keys
	moved  bool    // the index is an identity
	parts  []piece // of structs
}

type shapeKind uint8

const (
	ofIdentity shapeKind = iota
	ofIdentities
	ofArray
	ofStruct
	ofSequence
	ofSorted // its elements have no order and are kept sorted by their bytes
	ofMap
)

// piece is a part of a struct; of is nil for bytes without identities.
type piece struct {
	at, size uintptr
	of       *shape
}

// PermutationOf plans the permutation of a State of type t. The fields in without are left as
// they are. It fails where a value cannot be permuted: the identity is not one byte, an array has
// elements for a part of a group only, or there is a Chain.
func PermutationOf(t reflect.Type, ids modules.Identities, without []string) (*Permutation, error) {
	if ids.Count < 1 || ids.Count > modules.MaxSet {
		return nil, fmt.Errorf("%d identities cannot be permuted, at most %d can", ids.Count, modules.MaxSet)
	}
	p := &Permutation{groups: ids.Moving()}
	for k, g := range p.groups {
		if g.First < p.count || g.Count < 1 || g.End() > ids.Count {
			return nil, fmt.Errorf("the groups %v of %d identities are empty, overlap or are out of order", p.groups, ids.Count)
		}
		p.count = g.End()
		for i := g.First; i < g.End(); i++ {
			p.group[i] = uint8(k + 1)
		}
	}
	c := &shaping{ids: ids, groups: p.groups, pkg: t.PkgPath(), arrays: map[string]bool{}}
	for _, a := range ids.Arrays {
		c.arrays[a] = true
	}
	root, err := c.structure(t, without)
	if err != nil {
		return nil, err
	}
	if root == nil {
		root = &shape{kind: ofStruct, size: t.Size(), parts: []piece{{0, t.Size(), nil}}}
	}
	p.root = root
	for _, x := range root.parts {
		if x.of != nil && x.of.kind == ofArray && x.of.moved {
			p.rows = append(p.rows, row{x.at, x.of})
		}
	}
	return p, nil
}

// Groups returns the groups of identities that change places with each other, in ascending order.
func (p *Permutation) Groups() []modules.Group { return p.groups }

type shaping struct {
	ids    modules.Identities
	groups []modules.Group
	pkg    string
	arrays map[string]bool
}

// argument returns the name by which a type argument of the package's value types is an identity.
func (c *shaping) argument() string { return c.pkg + "." + c.ids.Type }

func (c *shaping) shape(t reflect.Type, site string) (*shape, error) {
	switch {
	case isOurs(t) && t.Name() != "":
		return c.container(t)
	case t.Name() == c.ids.Type && t.PkgPath() == c.pkg:
		if t.Size() != 1 {
			return nil, fmt.Errorf("%s has %d bytes, an identity has one", t, t.Size())
		}
		return &shape{kind: ofIdentity, size: 1}, nil
	case t.Kind() == reflect.Struct:
		return c.structure(t, nil)
	case t.Kind() == reflect.Array:
		if t.Name() != "" && t.PkgPath() != "" {
			site = t.Name()
		}
		return c.array(t, site, 0)
	}
	return nil, nil
}

// splits reports whether an index below length can be only some identities of a group.
func (c *shaping) splits(length int) bool {
	return slices.ContainsFunc(c.groups, func(g modules.Group) bool { return g.First < length && length < g.End() })
}

func (c *shaping) array(t reflect.Type, site string, depth int) (s *shape, err error) {
	var elem *shape
	if inner := t.Elem(); inner.Kind() == reflect.Array && inner.Name() == "" {
		elem, err = c.array(inner, site, depth+1)
	} else {
		elem, err = c.shape(inner, "")
	}
	moved := c.arrays[fmt.Sprintf("%s/%d", site, depth)] && t.Len() > 0
	switch {
	case err != nil:
		return nil, err
	case moved && c.splits(t.Len()):
		return nil, fmt.Errorf("%s has %d elements, there are %d identities", site, t.Len(), c.ids.Count)
	case !moved && elem == nil || t.Size() == 0:
		return nil, nil
	}
	return &shape{kind: ofArray, size: t.Size(), elem: elem, length: t.Len(), stride: t.Elem().Size(), moved: moved}, nil
}

func (c *shaping) structure(t reflect.Type, without []string) (*shape, error) {
	s := &shape{kind: ofStruct, size: t.Size()}
	found := false
	for f := range t.Fields() {
		of, err := c.shape(f.Type, t.Name()+"."+f.Name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(without, f.Name) {
			of = nil
		}
		found = found || of != nil
		if k := len(s.parts) - 1; of == nil && k >= 0 && s.parts[k].of == nil {
			s.parts[k].size += f.Type.Size() // a State has no padding
			continue
		}
		s.parts = append(s.parts, piece{f.Offset, f.Type.Size(), of})
	}
	if !found {
		return nil, nil
	}
	return s, nil
}

// container returns the shape of a value type of this package.
func (c *shaping) container(t reflect.Type) (*shape, error) {
	name, args, _ := strings.Cut(t.Name(), "[")
	first := strings.HasPrefix(args, c.argument()+",") || args == c.argument()+"]"
	switch name {
	case "Chain":
		return nil, fmt.Errorf("a Chain cannot be permuted")
	case "Set":
		if first {
			return &shape{kind: ofIdentities, size: t.Size()}, nil
		}
		return nil, nil
	case "Seq", "Records":
		return c.sequence(t, name == "Records")
	case "Map":
		return c.keyed(t, first)
	case "Net":
		return c.channels(t.Field(0).Type, first, false)
	case "Bag":
		return c.channels(t.Field(0).Type.Field(0).Type, first, true)
	}
	return nil, nil
}

func (c *shaping) sequence(t reflect.Type, sorted bool) (*shape, error) {
	elem, _ := t.FieldByName("elem")
	n, _ := t.FieldByName("n")
	of, err := c.shape(elem.Type.Elem(), "")
	if err != nil || of == nil || elem.Type.Len() == 0 {
		return nil, err
	}
	s := &shape{kind: ofSequence, size: t.Size(), elem: of, length: elem.Type.Len(), stride: elem.Type.Elem().Size(), count: n.Offset}
	if sorted {
		s.kind = ofSorted
	}
	return s, nil
}

func (c *shaping) keyed(t reflect.Type, moved bool) (*shape, error) {
	val, _ := t.FieldByName("val")
	in, _ := t.FieldByName("in")
	of, err := c.shape(val.Type.Elem(), "")
	if err != nil || of == nil && !moved || val.Type.Len() == 0 {
		return nil, err
	}
	if moved && c.splits(val.Type.Len()) {
		return nil, fmt.Errorf("a Map has room for %d values, there are %d identities", val.Type.Len(), c.ids.Count)
	}
	return &shape{kind: ofMap, size: t.Size(), elem: of, length: val.Type.Len(), stride: val.Type.Elem().Size(), count: in.Offset, moved: moved}, nil
}

// channels returns the shape of the matrix t of a Net, or of a Bag, whose channels are sorted.
func (c *shaping) channels(t reflect.Type, moved, sorted bool) (*shape, error) {
	if t.Size() == 0 {
		return nil, nil
	}
	row, channel := t.Elem(), t.Elem().Elem()
	q, _ := channel.FieldByName("q")
	of, err := c.sequence(q.Type, sorted)
	if err != nil || of == nil && !moved {
		return nil, err
	}
	if moved && (c.splits(t.Len()) || c.splits(row.Len())) {
		return nil, fmt.Errorf("a network connects %d with %d, there are %d identities", t.Len(), row.Len(), c.ids.Count)
	}
	if of != nil {
		end := q.Offset + q.Type.Size()
		of = &shape{kind: ofStruct, size: channel.Size(), parts: []piece{{q.Offset, q.Type.Size(), of}, {end, channel.Size() - end, nil}}}
	} else if sorted {
		of = nil // its messages are in the order of their bytes, which stay
	}
	inner := &shape{kind: ofArray, size: row.Size(), elem: of, length: row.Len(), stride: channel.Size(), moved: moved}
	return &shape{kind: ofArray, size: t.Size(), elem: inner, length: t.Len(), stride: row.Size(), moved: moved}, nil
}

// Apply writes the state at src to dst with identity k replaced by to[k]: another one of its group,
// or k itself if it is in no group. The two must not overlap. An absent element stays zero.
func (p *Permutation) Apply(to *[modules.MaxSet]uint8, src, dst unsafe.Pointer) {
	p.root.apply(to, uint8(p.count), src, dst)
}
