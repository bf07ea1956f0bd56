package footprint

import (
	"go/types"
	"strconv"
)

// term is a symbolic index: a parameter, a constant, a parameter and a number, or any, which is not
// known. A key is marked by keyTerm.
type term int32

// anywhere is the index that is not known.
const anywhere term = 0

// index is a list of terms, by number; 0 is the empty one.
type index int32

type indexNode struct {
	terms []term
	key   bool // the last term is the member of a set or the key of a map
}

// names numbers terms, indices, sources and constants.
type names struct {
	terms   []string
	termOf  map[string]term
	param   []bool                   // of a term: a parameter
	basic   map[term]types.BasicKind // of a parameter: its type
	indices []indexNode
	indexOf map[string]index
	extends map[[2]int32]index
	sources []sourceNode
	srcOf   map[sourceNode]Source
	consts  []string
	constOf map[string]int32
}

type sourceNode struct {
	variable int // see Variables; those of the state after come after
	index    index
}

func newNames() *names {
	n := &names{termOf: map[string]term{}, basic: map[term]types.BasicKind{}, indexOf: map[string]index{}, extends: map[[2]int32]index{},
		srcOf: map[sourceNode]Source{}, constOf: map[string]int32{}}
	n.term("*", false)
	n.index(nil, false)
	return n
}

func (n *names) term(s string, param bool) term {
	if t, ok := n.termOf[s]; ok {
		return t
	}
	t := term(len(n.terms))
	n.terms, n.param = append(n.terms, s), append(n.param, param)
	n.termOf[s] = t
	return t
}

// sumTerm returns the term of a parameter and a number, such as p.J-2. Like a parameter it may be
// equal to any other term.
func (n *names) sumTerm(s sum) term {
	if s.add == 0 {
		return s.of
	}
	sign := ""
	if s.add > 0 {
		sign = "+"
	}
	return n.term(n.terms[s.of]+sign+strconv.FormatInt(s.add, 10), true)
}

func (n *names) index(terms []term, key bool) index {
	b := make([]byte, 0, 16)
	for _, t := range terms {
		b = strconv.AppendInt(b, int64(t), 10)
		b = append(b, ',')
	}
	if key {
		b = append(b, 'k')
	}
	if x, ok := n.indexOf[string(b)]; ok {
		return x
	}
	x := index(len(n.indices))
	n.indices = append(n.indices, indexNode{terms, key})
	n.indexOf[string(b)] = x
	return x
}

// extend puts one more term after an index.
func (n *names) extend(x index, t term) index {
	k := [2]int32{int32(x), int32(t)}
	if y, ok := n.extends[k]; ok {
		return y
	}
	old := n.indices[x].terms
	y := n.index(append(old[:len(old):len(old)], t), false)
	n.extends[k] = y
	return y
}

// keyed returns an index with a key after it; an unknown key is none.
func (n *names) keyed(x index, t term) index {
	if t == anywhere || n.indices[x].key {
		return x
	}
	old := n.indices[x].terms
	return n.index(append(old[:len(old):len(old)], t), true)
}

func (n *names) join(x, below index) index {
	for _, t := range n.indices[below].terms {
		x = n.extend(x, t)
	}
	return x
}

// exact reports whether every term is known.
func (n *names) exact(x index) bool {
	for _, t := range n.indices[x].terms {
		if t == anywhere {
			return false
		}
	}
	return true
}

// apart reports whether two indices never name the same element: they differ in a constant.
func (n *names) apart(x, y index) bool {
	a, b := n.indices[x], n.indices[y]
	for k := range min(len(a.terms), len(b.terms)) {
		s, t := a.terms[k], b.terms[k]
		if s != t && s != anywhere && t != anywhere && !n.param[s] && !n.param[t] {
			return true
		}
	}
	return false
}

// within reports whether all that x names is named by y, too.
func (n *names) within(x, y index) bool {
	a, b := n.indices[x], n.indices[y]
	if len(b.terms) > len(a.terms) || b.key && !a.key {
		return false
	}
	for k, t := range b.terms {
		if t != anywhere && t != a.terms[k] {
			return false
		}
	}
	return !b.key || len(a.terms) == len(b.terms)
}

func (n *names) source(variable int, x index) Source {
	node := sourceNode{variable, x}
	if s, ok := n.srcOf[node]; ok {
		return s
	}
	s := Source(len(n.sources))
	n.sources = append(n.sources, node)
	n.srcOf[node] = s
	return s
}

func (n *names) text(s string) int32 {
	if c, ok := n.constOf[s]; ok {
		return c
	}
	c := int32(len(n.consts))
	n.consts = append(n.consts, s)
	n.constOf[s] = c
	return c
}
