package modules

import (
	"slices"
	"strings"
)

// Footprint lists the variables that a step may read and write, for all states. It belongs to an
// action with the rules that ride on it, to a property or to Init. Package interaction computes it
// from the code. It errs on one side: a variable that is not listed is neither read nor written;
// one that is listed may be.
type Footprint struct {
	Name string `json:"name"` // of the action or property
	// Guard lists what decides whether the action is enabled; for a property, all that it reads.
	Guard []Access `json:"guard,omitempty"`
	// Writes has one entry for each variable that the step may leave with another value.
	Writes []Write `json:"writes,omitempty"`
	// Sends and Receives are the variables of the kinds of messages that the step may send and take
	// out.
	Sends    []string `json:"sends,omitempty"`
	Receives []string `json:"receives,omitempty"`
	// Touched are the variables that the code uses in any way, be it that the result does not
	// matter.
	Touched []string `json:"touched,omitempty"`
	// Picks are the messages of Bags that the step names by a position that is a parameter.
	Picks []Pick `json:"picks,omitempty"`
}

// Pick is a message of a Bag that a step names by its position, as in Is, Peek, Recv, Lose and
// Duplicate. The position says which message it is and means nothing else.
type Pick struct {
	Variable string   `json:"variable"` // the messages of one kind, as Msgs#ACK
	Index    []string `json:"index"`    // of the channel, as in Access
	At       string   `json:"at"`       // the parameter that is the position, as p.K
	// Add is the number that is added to the parameter: 1 for positions that count from 0.
	Add int `json:"add,omitempty"`
}

// Equal reports whether two picks are the same.
func (p Pick) Equal(q Pick) bool {
	return p.Variable == q.Variable && p.At == q.At && p.Add == q.Add && slices.Equal(p.Index, q.Index)
}

// Access is a reading of one variable at one symbolic index.
//
// A variable is a path of fields of the State, as PacketsSync.NotCommitted: arrays are passed over,
// structs of the specification are split, the value types of this package are not. A Net or Bag is
// split by kinds, as Msgs#NEWLEADER. Its variable Msgs.cut holds which connections are broken. A
// Raised is split by assertions.
type Access struct {
	Variable string `json:"variable"`
	// Index has one term for each array on the path, from the outside, and for a Net or Bag sender
	// and receiver. A term is a parameter (p.I), a number, or "*" for an index that is not known.
	// Fewer terms stand for all elements below.
	Index []string `json:"index,omitempty"`
	// Key is the term of the one member of a Set, or the one key of a Map, that is meant; "" means
	// all. Of a kind of messages, AllOfKind means those in a channel, as Count reads them, and ""
	// what Is, Peek and Recv read.
	Key string `json:"key,omitempty"`
	// Next marks a reading of the state after, in a step property.
	Next bool `json:"next,omitempty"`
	// At is where the action's own code reads it, and In where it is read in fact, if that is in
	// another function.
	At Position  `json:"at"`
	In *Position `json:"in,omitempty"`
}

// AllOfKind is the Key of an Access to all messages of one kind in a channel, wherever they are.
const AllOfKind = "*"

// Write describes how a step writes one variable.
type Write struct {
	Variable string    `json:"variable"`
	Elements []Element `json:"elements"` // where; one without index means the whole variable
	// Data are the sources of the values written. Control are the sources of the conditions on
	// which it is written or which choose the value. Indices are the sources of the indices that
	// select an element, for writing or for reading a source. A value that stays in its own element
	// is no source of it.
	Data    []Access `json:"data,omitempty"`
	Control []Access `json:"control,omitempty"`
	Indices []Access `json:"indices,omitempty"`
	// Constants are the constants that may be assigned, by name where the type has one; Computed
	// says that other values may be, too.
	Constants []string   `json:"constants,omitempty"`
	Computed  bool       `json:"computed,omitempty"`
	At        []Position `json:"at"` // in the action's own code
}

// Element is a symbolic index, as in Access.
type Element struct {
	Index []string `json:"index,omitempty"`
	Key   string   `json:"key,omitempty"`
}

// Position is a place in a source file; Line and Column count from 1.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String returns the access as people write it: History[p.I].
func (a Access) String() string {
	s := a.Variable + Element{a.Index, a.Key}.String()
	if a.Next {
		s += "'"
	}
	return s
}

// String returns the index as people write it: [p.I][p.J], and a key in braces.
func (e Element) String() string {
	var b strings.Builder
	for _, x := range e.Index {
		b.WriteString("[" + x + "]")
	}
	if e.Key != "" {
		b.WriteString("{" + e.Key + "}")
	}
	return b.String()
}

// Sources returns the accesses on which w depends, in any way, each once.
func (w *Write) Sources() []Access { return distinct(w.Data, w.Control, w.Indices) }

// Reads returns all accesses on which the step depends in any way, each once: the elements of the
// step's view.
func (f *Footprint) Reads() []Access {
	lists := [][]Access{f.Guard}
	for k := range f.Writes {
		lists = append(lists, f.Writes[k].Data, f.Writes[k].Control, f.Writes[k].Indices)
	}
	return distinct(lists...)
}

// Write returns what the step does to a variable, nil where it does nothing.
func (f *Footprint) Write(variable string) *Write {
	for k := range f.Writes {
		if f.Writes[k].Variable == variable {
			return &f.Writes[k]
		}
	}
	return nil
}

func distinct(lists ...[]Access) (out []Access) {
	seen := map[string]bool{}
	for _, l := range lists {
		for _, a := range l {
			if s := a.String(); !seen[s] {
				seen[s] = true
				out = append(out, a)
			}
		}
	}
	return out
}

// Local reports whether an access is to the acting server's own element of a variable that has one
// element for each server. Its first index is the parameter p.I. A Net or Bag has two indices, and
// one of them is p.I. For a set of servers, the key is.
func (a Access) Local() bool {
	n := len(a.Index)
	switch {
	case n == 0:
		return a.Key == "p.I"
	case n > 1 && (strings.Contains(a.Variable, "#") || strings.HasSuffix(a.Variable, ".cut")):
		return a.Index[n-1] == "p.I" || a.Index[n-2] == "p.I"
	}
	return a.Index[0] == "p.I"
}

// Identities are the values of a type that names nodes, 0 to Count-1. They say what changes in a
// State when nodes of one role change places.
type Identities struct {
	// Type is the name of the type in the State's package. Values outside 0 to Count-1 stand for
	// none, or for nodes that never change places.
	Type  string `json:"type"`
	Count int    `json:"count"` // at most LargestSet
	// Groups are the roles whose nodes change places with each other, in ascending order. They do
	// not overlap and end at Count or before. Nodes outside all groups stay. Empty: all nodes from
	// 0 to Count-1 are one group.
	Groups []Group `json:"groups,omitempty"`
	// Arrays are the fields that have one element for each identity: Vote.Of/0 is the outermost
	// dimension of field Of of the struct type Vote. The containers of this package need not be
	// listed.
	Arrays []string `json:"arrays"`
}

// Group is a role whose nodes change places: Count of them, from First on.
type Group struct {
	Name  string `json:"name,omitempty"` // of the role, for people
	First int    `json:"first"`
	Count int    `json:"count"`
}

// End returns the number after the last node of the group.
func (g Group) End() int { return g.First + g.Count }

// Moving returns the groups of nodes that change places.
func (ids Identities) Moving() []Group {
	if len(ids.Groups) == 0 {
		return []Group{{Name: "server", Count: ids.Count}}
	}
	return ids.Groups
}
