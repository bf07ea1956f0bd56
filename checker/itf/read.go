package itf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// maxNesting bounds how deep values are nested, so that a broken file cannot exhaust the stack.
const maxNesting = 200

// node is a JSON value that keeps the order of an object's fields.
type node struct {
	delim json.Delim // '{', '[' or 0
	token json.Token // a string, json.Number or bool where delim is 0
	keys  []string   // of an object
	elems []*node
}

// file is an ITF document.
type file struct {
	Meta   json.RawMessage   `json:"#meta"`
	Vars   []string          `json:"vars"`
	States []json.RawMessage `json:"states"`
	Loop   *int              `json:"loop"`
}

// Read reads a trace. A trace that Write has written comes back as it was; traces of other tools
// have no module and, without --mbt, no action. A JSON array of objects with the same fields counts
// as the array "states", as TLC's JsonSerialize writes a behaviour. So does a graph of states and
// actions, which newer versions of TLC write with -dumpTrace json. The errors name the state and
// the variable where something is wrong.
func Read(r io.Reader) (Meta, *wire.Trace, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return Meta{}, nil, err
	}
	meta, t, _, err := ReadPart(src, 0, math.MaxInt)
	return meta, t, err
}

// ReadPart reads the states first to last of a trace, as Read does, where states are numbered from
// 0. It returns how many states the trace has. The others are not decoded, and take no memory in
// addition to src. If the trace has fewer than first+1 states, there is no trace and no error. The
// loop is that of the whole trace.
func ReadPart(src []byte, first, last int) (Meta, *wire.Trace, int, error) {
	f, states, ok := scan(src, first, last)
	if !ok {
		var err error
		if f, err = whole(src); err != nil {
			return Meta{}, nil, 0, notJSON(src, err)
		}
		states = len(f.States)
		f.States = f.States[min(first, states) : min(last, states-1)+1]
	}
	if states == 0 {
		return Meta{}, nil, 0, errors.New(`it has no "states", so it is not an ITF trace`)
	}
	if f.Loop != nil && (*f.Loop < 0 || *f.Loop >= states) {
		return Meta{}, nil, states, fmt.Errorf(`"loop" is %d, and the states are numbered from 0 to %d`, *f.Loop, states-1)
	}
	var head fileMeta
	if len(f.Meta) > 0 {
		// Other tools put what they like into "#meta": what does not fit ours is left out.
		_ = json.Unmarshal(f.Meta, &head)
	}
	if len(f.States) == 0 {
		return head.Meta, nil, states, nil
	}
	d := &decoder{mappings: map[string]bool{}, multisets: map[string]bool{}}
	for _, p := range head.Multisets {
		d.multisets[p] = true
	}
	for _, p := range head.Mappings {
		d.mappings[p] = true
	}
	t := &wire.Trace{Nodes: head.Nodes, Loop: f.Loop}
	for k, raw := range f.States {
		step, err := d.state(raw)
		if err != nil {
			return Meta{}, nil, states, fmt.Errorf("state %d: %w", first+k, err)
		}
		if k == 0 {
			t.Init = step.State
		} else {
			t.Steps = append(t.Steps, step)
		}
	}
	return head.Meta, t, states, nil
}

// meant are the names of fields that whole reads, in capitals or not.
var meant = []string{"#meta", "vars", "states", "loop", "state", "counterexample"}

// scan reads a document of ITF with the states first to last only, and counts the states. Ok is
// false for all that is no object with one array "states".
func scan(src []byte, first, last int) (f file, states int, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(src))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return f, 0, false
	}
	var other json.RawMessage
	seen := map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		name, isText := tok.(string)
		if err != nil || !isText || seen[name] {
			return f, 0, false
		}
		seen[name] = true
		switch name {
		case "states":
			if tok, err = dec.Token(); err != nil || tok != json.Delim('[') {
				return f, 0, false
			}
			var raw json.RawMessage // whose memory serves the next state again
			for ; dec.More(); states++ {
				if err := dec.Decode(&raw); err != nil {
					return f, 0, false
				}
				if states >= first && states <= last {
					f.States = append(f.States, bytes.Clone(raw))
				}
			}
			_, err = dec.Token()
		case "#meta":
			err = dec.Decode(&f.Meta)
		case "loop":
			err = dec.Decode(&f.Loop)
		case "vars":
			err = dec.Decode(&f.Vars)
		default:
			if slices.ContainsFunc(meant, func(m string) bool { return strings.EqualFold(m, name) }) {
				return f, 0, false
			}
			err = dec.Decode(&other)
		}
		if err != nil {
			return f, 0, false
		}
	}
	_, err := dec.Token()
	_, end := dec.Token()
	return f, states, err == nil && end == io.EOF && states > 0
}

// whole reads a document in each form that Read reads.
func whole(src []byte) (f file, err error) {
	if text := bytes.TrimSpace(src); len(text) > 0 && text[0] == '[' {
		if err = json.Unmarshal(src, &f.States); err == nil {
			err = sameFields(f.States)
		}
	} else if states, loop, ok, wrong := fromTLC(src); ok {
		f.States, f.Loop, err = states, loop, wrong
	} else {
		err = json.Unmarshal(src, &f)
	}
	return f, err
}

// sameFields reports what an array holds where its elements are no states of one specification:
// they must be objects with the same fields.
func sameFields(states []json.RawMessage) error {
	const itf = `An ITF trace is an object with "vars" and "states"`
	var first []string
	for k, raw := range states {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
			return fmt.Errorf("it is a JSON array whose element %d is no object, so it has no states. %s", k, itf)
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(fields)), func(name string) bool { return strings.HasPrefix(name, "#") })
		if k == 0 {
			first = names
		} else if !slices.Equal(names, first) {
			return fmt.Errorf("it is a JSON array whose elements have different fields (element 0: %s; element %d: %s), "+
				"so it is a list of steps or events and not of states. %s; the elements of an array of states have the same variables",
				fieldList(first), k, fieldList(names), itf)
		}
	}
	if len(first) == 0 {
		return errors.New("it is a JSON array without states, so it is not an ITF trace. " + itf)
	}
	return nil
}

// fieldList returns the first names, for a message.
func fieldList(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) > 6 {
		return strings.Join(names[:6], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// notJSON says where a document stops being JSON.
func notJSON(src []byte, err error) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		before := src[:min(int(syntax.Offset), len(src))]
		return fmt.Errorf("line %d: it is not JSON: %w", 1+bytes.Count(before, []byte("\n")), err)
	case errors.As(err, &typ):
		if typ.Field == "" {
			return fmt.Errorf(`it is a JSON %s. An ITF trace is an object with "vars" and "states"`, typ.Value)
		}
		return fmt.Errorf("it is not an ITF trace: %q is a JSON %s", typ.Field, typ.Value)
	}
	return err
}

// decoder decodes states.
type decoder struct {
	mappings, multisets map[string]bool // by path
}

func (d *decoder) state(raw json.RawMessage) (step wire.Step, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	n, err := parse(dec, 0)
	if err != nil {
		return step, err
	}
	if n.delim != '{' {
		return step, errors.New("it is not an object")
	}
	step = wire.Step{Server: -1, State: modules.View{Shape: modules.Record}}
	var meta stateMeta
	var picks *node
	for k, name := range n.keys {
		switch e := n.elems[k]; name {
		case "#meta":
			var own struct {
				Meta stateMeta `json:"#meta"`
			}
			if json.Unmarshal(raw, &own) == nil {
				meta = own.Meta
			}
		case actionTaken:
			step.Action, _ = e.token.(string)
		case nondetPicks:
			picks = e
		default:
			v, err := d.value(e, join("", name))
			if err != nil {
				return step, fmt.Errorf("%s: %w", name, err)
			}
			step.State.Names = append(step.State.Names, name)
			step.State.Elems = append(step.State.Elems, v)
		}
	}
	step.Module, step.Environment = meta.Module, meta.Environment
	if meta.Server != nil {
		step.Server, step.Touched = *meta.Server, meta.Touched
	}
	step.Params, err = d.params(picks, meta.Bare, join(nondetPicks, step.Action))
	if err != nil {
		return step, fmt.Errorf("%s: %w", nondetPicks, err)
	}
	return step, nil
}

// params decodes the parameters of a step. Picks that are None are left out: Quint lists those of
// all actions.
func (d *decoder) params(picks *node, bare bool, path string) (modules.View, error) {
	out := modules.View{Shape: modules.Record}
	if picks == nil {
		return out, nil
	}
	for k, name := range picks.keys {
		e := picks.elems[k]
		if tag, ok := e.field("tag"); ok && tag.token == "None" {
			continue
		}
		if some, ok := e.field("value"); ok {
			e = some
		}
		v, err := d.value(e, join(path, name))
		if err != nil {
			return out, fmt.Errorf("%s: %w", name, err)
		}
		if bare && name == barePick {
			return v, nil
		}
		out.Names = append(out.Names, name)
		out.Elems = append(out.Elems, v)
	}
	return out, nil
}

func (n *node) field(name string) (*node, bool) {
	for k, key := range n.keys {
		if key == name {
			return n.elems[k], true
		}
	}
	return nil, false
}

func parse(dec *json.Decoder, depth int) (*node, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		if tok == nil {
			return nil, errors.New("null is no value of ITF")
		}
		return &node{token: tok}, nil
	}
	if depth == maxNesting {
		return nil, fmt.Errorf("values are nested more than %d deep", maxNesting)
	}
	n := &node{delim: delim}
	seen := map[string]bool{}
	for dec.More() {
		if delim == '{' {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string) // the decoder accepts no other key
			if seen[name] {
				return nil, fmt.Errorf("field %q occurs twice", name)
			}
			seen[name] = true
			n.keys = append(n.keys, name)
		}
		e, err := parse(dec, depth+1)
		if err != nil {
			return nil, err
		}
		n.elems = append(n.elems, e)
	}
	_, err = dec.Token()
	return n, err
}

func (d *decoder) value(n *node, path string) (modules.View, error) {
	switch n.delim {
	case '[':
		shape := modules.Sequence
		if d.multisets[path] {
			shape = modules.Multiset
		}
		return d.list(shape, n, path)
	case '{':
		return d.object(n, path)
	}
	text, err := scalar(n)
	return modules.View{Text: text}, err
}

// scalar returns the text of a value that is not made of others.
func scalar(n *node) (string, error) {
	switch x := n.token.(type) {
	case bool:
		return strconv.FormatBool(x), nil
	case string:
		return x, nil
	case json.Number:
		return number(x.String())
	}
	if n.delim == '{' && len(n.keys) == 1 {
		switch text, isText := n.elems[0].token.(string); {
		case n.keys[0] == "#bigint" && isText:
			return number(text)
		case n.keys[0] == "#unserializable" && isText:
			return text, nil
		}
	}
	return "", errors.New("a number or a text is required")
}

// mostDigits bounds the length of a number: the time to convert one grows with its square.
const mostDigits = 10_000

func number(text string) (string, error) {
	if len(text) > mostDigits {
		return "", fmt.Errorf("a number of %d characters is too long: at most %d are read", len(text), mostDigits)
	}
	x, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return "", fmt.Errorf("%q is not a whole number", text)
	}
	return x.String(), nil
}

func (d *decoder) object(n *node, path string) (modules.View, error) {
	if len(n.keys) != 1 || n.keys[0] == "" || n.keys[0][0] != '#' {
		return d.record(n, path)
	}
	switch key := n.keys[0]; key {
	case "#bigint", "#unserializable":
		text, err := scalar(n)
		return modules.View{Text: text}, err
	case "#set":
		return d.list(modules.Collection, n.elems[0], path)
	case "#tup":
		return d.list(modules.Sequence, n.elems[0], path)
	case "#map":
		return d.pairs(n.elems[0], path)
	default:
		return modules.View{}, fmt.Errorf("ITF has no value of the form %q", key)
	}
}

func (d *decoder) record(n *node, path string) (modules.View, error) {
	v := modules.View{Shape: modules.Record}
	for k, name := range n.keys {
		e, err := d.value(n.elems[k], join(path, name))
		if err != nil {
			return v, fmt.Errorf("%s: %w", name, err)
		}
		v.Names = append(v.Names, name)
		v.Elems = append(v.Elems, e)
	}
	return v, nil
}

func (d *decoder) list(shape modules.Shape, n *node, path string) (modules.View, error) {
	v := modules.View{Shape: shape}
	if n.delim != '[' {
		return v, errors.New("a list is required")
	}
	for _, e := range n.elems {
		x, err := d.value(e, join(path, "*"))
		if err != nil {
			return v, err
		}
		v.Elems = append(v.Elems, x)
	}
	return v, nil
}

// pairs decodes a function: an array if its keys are 0, 1, 2 in order and nothing says that it is a
// map.
func (d *decoder) pairs(n *node, path string) (modules.View, error) {
	v := modules.View{Shape: modules.Mapping}
	if n.delim != '[' {
		return v, errors.New(`"#map" takes a list of pairs`)
	}
	array := !d.mappings[path]
	seen := map[string]bool{}
	for k, pair := range n.elems {
		if pair.delim != '[' || len(pair.elems) != 2 {
			return v, errors.New(`"#map" takes pairs of a key and a value`)
		}
		key, err := d.value(pair.elems[0], join(path, "key"))
		if err != nil {
			return v, err
		}
		name := Text(key)
		if seen[name] {
			return v, fmt.Errorf("the key %s occurs twice", name)
		}
		seen[name] = true
		array = array && name == strconv.Itoa(k)
		x, err := d.value(pair.elems[1], join(path, "*"))
		if err != nil {
			return v, fmt.Errorf("[%s]: %w", name, err)
		}
		v.Names = append(v.Names, name)
		v.Elems = append(v.Elems, x)
	}
	if array {
		v.Shape, v.Names = modules.Function, nil
	}
	return v, nil
}
