package itf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Names of the variables that carry the action and its parameters.
const (
	actionTaken = "mbt::actionTaken"
	nondetPicks = "mbt::nondetPicks"
	initial     = "init"
	barePick    = "value"
)

// Meta describes a trace, apart from its states.
type Meta struct {
	Spec     string `json:"spec,omitempty"`     // name of the manifest
	System   string `json:"system,omitempty"`   // name of the system
	Manifest string `json:"manifest,omitempty"` // path of the manifest
	// values of the manifest's variables, as HCL
	Variables map[string]string `json:"variables,omitempty"`
	// Set are the values that -set gave to bounds, options and attributes of the check block.
	Set     map[string]string `json:"set,omitempty"`
	Modules []Module          `json:"modules,omitempty"`
	// Implementation is the one on which the trace was done, with the bounds of its block; empty
	// for other traces.
	Implementation string `json:"implementation,omitempty"`
	// Change names the changed code on which the trace was done; nil for other traces.
	Change *OfChange `json:"change,omitempty"`
	// The property that the trace violates; empty for other traces.
	Invariant string `json:"invariant,omitempty"` // its identifier
	Instance  string `json:"instance,omitempty"`
	// Kind is state, step, assert, deadlock or liveness, or explored for a path that was explored.
	Kind string `json:"kind,omitempty"`
	Doc  string `json:"doc,omitempty"` // the property in a sentence
	// Messages are the fields that messages of each kind carry, by the name of the kind.
	Messages map[string][]string `json:"messages,omitempty"`
	// Zeros are the names that stand for 0 in each enumeration that has them.
	Zeros []string `json:"zeros,omitempty"`
	// Why is which condition of the property was false at the end, where that was asked for.
	Why []wire.Reason `json:"why,omitempty"`
	// Explored are the ends of all paths that multigrain explore visited; nil for other traces.
	Explored []Way `json:"explored,omitempty"`
}

// Way is a path: the number of an initial state, from 0, and the steps that follow by their names.
type Way struct {
	Init int      `json:"init"`
	Path []string `json:"path"`
}

// OfChange names a change of an implementation's code. Its fields are texts of a file that anybody
// may have written.
type OfChange struct {
	// Hash is that of the change, in 16 hexadecimal digits. Before and After are hashes of all the
	// code on both sides, in 32 digits each.
	Hash   string `json:"hash"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Repo, Diff and Base are the flags of the command multigrain change.
	Repo string `json:"repo,omitempty"`
	Diff string `json:"diff,omitempty"`
	Base string `json:"base,omitempty"`
	// Renamed are settings of the program with the changed code: the names that fields got. See
	// package setting.
	Renamed map[string]string `json:"renamed,omitempty"`
	// Shared are the differences that the code before the change has, too.
	Shared []wire.Departure `json:"shared,omitempty"`
	// Code is the path of changed code that is compiled to classes, in the folder of the cache with
	// the code of changes. Content is a hash of its files: 32 hexadecimal digits.
	Code    string `json:"code,omitempty"`
	Content string `json:"content,omitempty"`
	// Composed has options and bounds of the composition in which the trace was done, whose grains
	// are those of Meta.Modules. It is nil if the composition is the manifest's own.
	Composed *Composed `json:"composed,omitempty"`
}

// Composed has what a composition sets that the manifest does not, by name.
type Composed struct {
	Options map[string]string `json:"options,omitempty"`
	Bounds  map[string]string `json:"bounds,omitempty"`
}

// Module is the grain of one module.
type Module struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target,omitempty"`
}

// fileMeta is "#meta" of a file.
type fileMeta struct {
	Format      string `json:"format"`
	Description string `json:"format-description"`
	Meta
	Nodes    []string `json:"nodes,omitempty"` // of the trace
	Mappings []string `json:"mappings,omitempty"`
	// Multisets are the paths of the lists whose order means nothing.
	Multisets []string `json:"multisets,omitempty"`
}

// stateMeta is "#meta" of a state.
type stateMeta struct {
	Index       int    `json:"index"`
	Module      string `json:"module,omitempty"`
	Server      *int   `json:"server,omitempty"`
	Touched     []int  `json:"touched,omitempty"`
	Environment bool   `json:"environment,omitempty"`
	Bare        bool   `json:"bare,omitempty"`
}

// Write writes a trace as one ITF document, one state a line. It returns the error of w. It also
// fails for a trace that Read would not return as it is. Such a trace has a state that is no
// record, or a name that ITF uses itself. Or it has an array and a map at the same path, or a
// sequence and a multiset, which ITF writes alike.
func Write(w io.Writer, m Meta, t *wire.Trace) error {
	e := &encoder{shapes: map[place]modules.Shape{}}
	states := [][]byte{e.state(0, &t.Init, nil)}
	for k := range t.Steps {
		states = append(states, e.state(k+1, &t.Steps[k].State, &t.Steps[k]))
	}
	if e.err != nil {
		return e.err
	}
	head := fileMeta{Format: "ITF", Description: "https://apalache-mc.org/docs/adr/015adr-trace.html", Meta: m, Nodes: t.Nodes}
	for at, shape := range e.shapes {
		switch shape {
		case modules.Mapping:
			head.Mappings = append(head.Mappings, at.path)
		case modules.Multiset:
			head.Multisets = append(head.Multisets, at.path)
		}
	}
	slices.Sort(head.Mappings)
	slices.Sort(head.Multisets)
	vars := append(slices.Clone(t.Init.Names), actionTaken, nondetPicks)
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"#meta\": %s,\n  \"vars\": %s,\n  \"states\": [\n", mustJSON(head), mustJSON(vars))
	for k, s := range states {
		comma := ","
		if k == len(states)-1 {
			comma = ""
		}
		fmt.Fprintf(&out, "    %s%s\n", s, comma)
	}
	out.WriteString("  ]")
	if t.Loop != nil {
		fmt.Fprintf(&out, ",\n  \"loop\": %d", *t.Loop)
	}
	out.WriteString("\n}\n")
	_, err := w.Write(out.Bytes())
	return err
}

// mustJSON encodes strings, numbers and structs of them, which cannot fail.
func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// encoder encodes views. It remembers the first error, and by path the shapes that ITF does not
// tell apart: array and map, sequence and multiset.
type encoder struct {
	out    bytes.Buffer
	shapes map[place]modules.Shape
	err    error
}

// place is a path, and whether the value there is written as a list or as pairs.
type place struct {
	path string
	list bool
}

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

// state encodes the state at an index; by is the step that led to it, nil for the initial one.
func (e *encoder) state(index int, v *modules.View, by *wire.Step) []byte {
	e.out.Reset()
	if v.Shape != modules.Record {
		e.fail("state %d is not a record of variables", index)
		return nil
	}
	meta := stateMeta{Index: index}
	if by != nil {
		meta.Module, meta.Server, meta.Touched, meta.Environment = by.Module, &by.Server, by.Touched, by.Environment
		meta.Bare = by.Params.Shape != modules.Record
	}
	fmt.Fprintf(&e.out, `{"#meta":%s`, mustJSON(meta))
	for _, name := range v.Names {
		if name == actionTaken || name == nondetPicks {
			e.fail("a variable is named %s", name)
		}
	}
	if len(v.Names)+len(v.Elems) > 0 {
		e.out.WriteByte(',')
		e.fields(v, "")
	}
	if by == nil {
		fmt.Fprintf(&e.out, `,"%s":"%s","%s":{}}`, actionTaken, initial, nondetPicks)
		return bytes.Clone(e.out.Bytes())
	}
	fmt.Fprintf(&e.out, `,"%s":`, actionTaken)
	e.text(by.Action)
	fmt.Fprintf(&e.out, `,"%s":{`, nondetPicks)
	path := join(nondetPicks, by.Action)
	switch {
	case meta.Bare:
		e.pick(barePick, &by.Params, path)
	case e.names(&by.Params, path):
		for k, name := range by.Params.Names {
			if k > 0 {
				e.out.WriteByte(',')
			}
			e.pick(name, &by.Params.Elems[k], path)
		}
	}
	e.out.WriteString("}}")
	return bytes.Clone(e.out.Bytes())
}

// pick encodes a parameter of the action whose path is given.
func (e *encoder) pick(name string, v *modules.View, path string) {
	e.text(name)
	e.out.WriteString(`:{"tag":"Some","value":`)
	e.value(v, join(path, name))
	e.out.WriteByte('}')
}

// names checks the names of a record or mapping.
func (e *encoder) names(v *modules.View, path string) bool {
	if len(v.Names) != len(v.Elems) {
		e.fail("%s has %d names for %d values", path, len(v.Names), len(v.Elems))
		return false
	}
	seen := map[string]bool{}
	for _, n := range v.Names {
		if seen[n] {
			e.fail("%s has two values for %q", path, n)
		}
		seen[n] = true
		if v.Shape == modules.Record && (n == "" || n[0] == '#') {
			e.fail("%s has a field named %q, which ITF keeps for itself", path, n)
		}
	}
	return true
}

func (e *encoder) fields(v *modules.View, path string) {
	if !e.names(v, path) {
		return
	}
	for k, name := range v.Names {
		if k > 0 {
			e.out.WriteByte(',')
		}
		e.text(name)
		e.out.WriteByte(':')
		e.value(&v.Elems[k], join(path, name))
	}
}

func (e *encoder) value(v *modules.View, path string) {
	inner := join(path, "*")
	switch v.Shape {
	case modules.Scalar:
		e.scalar(v.Text)
	case modules.Record:
		e.out.WriteByte('{')
		e.fields(v, path)
		e.out.WriteByte('}')
	case modules.Sequence, modules.Multiset:
		e.shape(v.Shape, path)
		e.list("[", v.Elems, inner, "]")
	case modules.Collection:
		e.list(`{"#set":[`, v.Elems, inner, "]}")
	case modules.Function, modules.Mapping:
		e.shape(v.Shape, path)
		e.pairs(v, inner)
	default:
		e.fail("%s has a value of unknown shape %d", path, v.Shape)
	}
}

// lookalikes names the shapes that ITF writes like another one.
var lookalikes = map[modules.Shape]string{
	modules.Function: "an array", modules.Mapping: "a map", modules.Sequence: "a sequence", modules.Multiset: "a multiset",
}

// shape remembers the shape of a value at a path. The reader knows it by the path alone.
func (e *encoder) shape(s modules.Shape, path string) {
	at := place{path, s == modules.Sequence || s == modules.Multiset}
	if was, ok := e.shapes[at]; ok && was != s {
		e.fail("%s is %s in one state and %s in another", path, lookalikes[min(was, s)], lookalikes[max(was, s)])
	}
	e.shapes[at] = s
}

func (e *encoder) list(open string, elems []modules.View, path, end string) {
	e.out.WriteString(open)
	for k := range elems {
		if k > 0 {
			e.out.WriteByte(',')
		}
		e.value(&elems[k], path)
	}
	e.out.WriteString(end)
}

func (e *encoder) pairs(v *modules.View, path string) {
	if v.Shape == modules.Mapping && !e.names(v, path) {
		return
	}
	e.out.WriteString(`{"#map":[`)
	for k := range v.Elems {
		if k > 0 {
			e.out.WriteByte(',')
		}
		e.out.WriteByte('[')
		if v.Shape == modules.Function {
			e.scalar(strconv.Itoa(k))
		} else {
			e.scalar(v.Names[k])
		}
		e.out.WriteByte(',')
		e.value(&v.Elems[k], path)
		e.out.WriteByte(']')
	}
	e.out.WriteString("]}")
}

func (e *encoder) scalar(text string) {
	switch {
	case text == "true" || text == "false":
		e.out.WriteString(text)
	case isNumber(text):
		fmt.Fprintf(&e.out, `{"#bigint":"%s"}`, text)
	default:
		e.text(text)
	}
}

func (e *encoder) text(s string) {
	if !utf8.ValidString(s) {
		e.fail("%q is not UTF-8", s)
	}
	e.out.Write(mustJSON(s))
}

// isNumber reports whether text is a whole number in its shortest form.
func isNumber(text string) bool {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(n, 10) == text
	}
	n, ok := new(big.Int).SetString(text, 10)
	return ok && n.String() == text
}

// join adds a name to a path. A dot or a star in a name cannot be mistaken for one of the path's.
func join(path, name string) string {
	if name != "*" && bytes.ContainsAny([]byte(name), ".*\"") {
		name = strconv.Quote(name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}
