package refine

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/flatjson"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/refine/internal/shown"
	"github.com/multigrain/multigrain/modules"
)

// Event is an event of a stream: see docs/reference/stream.md.
type Event[S any] struct {
	Kind EventKind
	Peer int
	Msg  []byte // In and Out; padding is zero
	// Stream is the one by which the message came, where that is not the one of its kind; -1 else.
	Stream int
	// Input is the input of an event of Kind Input; nil for a step that the node takes by itself.
	Input *input[S]
	Count int64  // Lost: events that the tap dropped
	At    int64  // nanoseconds since the epoch, 0 where it is not known
	Cause string // Lost: why, where it was not the tap
	// Network is the one that an event LeftOut is about.
	Network string
	// State holds the node's variables that a Restart reports; nil: none.
	State  func(*S)
	known  []string
	header *shown.Header // of a Header
	told   *S            // by State, while the event is processed
	line   []byte        // as it was read
}

// EventKind says what an event is.
type EventKind uint8

// Kinds of events.
const (
	In EventKind = iota
	Out
	Input
	Restart
	Lost
	End
	LeftOut // a message or an input of a network that the composition does not model
	Begin   // a state in which the node may be at the begin of the stream: Checker.Parts
	Header  // states which networks, kinds of messages and inputs the stream has
)

var eventKinds = map[string]EventKind{"in": In, "out": Out, "input": Input, "restart": Restart, "lost": Lost, "end": End, "begin": Begin, "header": Header}

func (k EventKind) String() string {
	for name, x := range eventKinds {
		if x == k {
			return name
		}
	}
	return "?"
}

// Decoder reads events.
type Decoder[S any] struct {
	node *node[S]
	// by net, of those that the composition does not model after the others
	msgs   []*flatjson.Codec
	state  map[string]flatjson.Field // by variable
	vars   map[string]flatjson.Field // of the node, that a restart keeps: its own element
	rows   map[string]flatjson.Field // all of the node
	params map[string]*flatjson.Codec
	// allowed are the variables that an input may set. They hold no Chains.
	allowed map[string]map[string]flatjson.Field
	scratch *S
	arena   func() *modules.Arena
	// settings are the values of the composition's options: Options.Settings.
	settings map[string]string
}

func newDecoder[S any](n *node[S], enum modules.Enum) *Decoder[S] {
	d := &Decoder[S]{node: n, state: map[string]flatjson.Field{}, vars: map[string]flatjson.Field{}, rows: map[string]flatjson.Field{}, params: map[string]*flatjson.Codec{},
		allowed: map[string]map[string]flatjson.Field{}}
	for x := range n.nets {
		d.msgs = append(d.msgs, flatjson.CodecOf(n.nets[x].Message, enum))
	}
	for _, w := range n.unmodelled {
		d.msgs = append(d.msgs, flatjson.CodecOf(w.Message, enum))
	}
	t := reflect.TypeFor[S]()
	for f := range t.Fields() {
		if f.Type.Size() == 0 || slices.ContainsFunc(n.nets, func(x net) bool { return x.Variable == f.Name }) {
			continue
		}
		d.state[f.Name] = flatjson.Field{At: f.Offset, Of: flatjson.CodecOf(f.Type, enum)}
		if slices.Contains(n.plan.Variables, f.Name) {
			d.rows[f.Name] = flatjson.Field{At: f.Offset + uintptr(n.me)*f.Type.Elem().Size(), Of: flatjson.CodecOf(f.Type.Elem(), enum)}
		}
		if slices.Contains(n.kept, f.Name) {
			d.vars[f.Name] = d.rows[f.Name]
		}
	}
	for name, variables := range n.sets {
		d.allowed[name] = map[string]flatjson.Field{}
		for _, v := range variables {
			if f, ok := d.state[v]; ok && len(layout.ChainsIn(f.Of.Type)) == 0 {
				d.allowed[name][v] = f
			}
		}
	}
	for name, ins := range n.inputs {
		if len(ins) > 0 {
			d.params[name] = flatjson.CodecOf(reflect.TypeOf(ins[0].bound.Params[ins[0].k]), enum)
		}
	}
	return d
}

// Decode reads one line of a stream, without its line break, and keeps it in the event. It returns
// an error if the line is no JSON object, or no event of this specification.
func (d *Decoder[S]) Decode(line []byte) (e Event[S], err error) {
	s := flatjson.NewScanner(line)
	e.Peer, e.Stream, e.line = -1, -1, line
	var action string
	var params, set []byte
	var lists [3][]byte // of a header
	var options []byte  // of a header
	servers := int64(d.node.servers)
	known, fate := false, untold
	// Values whose meaning depends on the action are read at the end.
	later := func(to *[]byte) (err error) {
		*to, err = s.Raw()
		return err
	}
	var state []byte
	err = s.Members(func(name []byte) error {
		switch string(name) {
		case "event":
			word, err := s.Text()
			if err != nil {
				return err
			}
			if e.Kind, known = eventKinds[string(word)]; !known {
				return fmt.Errorf("unknown event %.20q", word)
			}
		case "peer":
			return s.Int(func(x int64) { e.Peer = int(x) })
		case "msg":
			x := d.net(*s)
			e.Msg = make([]byte, max(d.node.msgSize, int(d.msgs[x].Size)))
			if x >= len(d.node.nets) {
				e.Network = d.node.unmodelled[x-len(d.node.nets)].Variable
			}
			if d.node.msgChains || e.Network != "" {
				defer enter(d.arena())()
			}
			return d.msgs[x].Read(s, unsafe.Pointer(&e.Msg[0]))
		case "at":
			return s.Int(func(x int64) { e.At = x })
		case "stream":
			return s.Int(func(x int64) { e.Stream = int(x) })
		case "count":
			return s.Int(func(x int64) { e.Count = x })
		case "cause":
			cause, err := s.Text()
			e.Cause = string(cause)
			return err
		case "action":
			named, err := s.Text()
			action = string(named)
			return err
		case "params":
			return later(&params)
		case "set":
			return later(&set)
		case "state":
			return later(&state)
		case "networks":
			return later(&lists[0])
		case "kinds":
			return later(&lists[1])
		case "inputs":
			return later(&lists[2])
		case "servers":
			return s.Int(func(x int64) { servers = x })
		case "options":
			return later(&options)
		case "refused":
			var no bool
			err := s.Bool(&no)
			if fate = accepted; no {
				fate = dismissed
			}
			return err
		default:
			return s.Skip()
		}
		return nil
	})
	if err == nil {
		err = s.End()
	}
	switch {
	case err != nil:
		return e, err
	case !known:
		return e, fmt.Errorf("no event is named")
	case (e.Kind == In || e.Kind == Out) && e.Msg == nil:
		return e, fmt.Errorf("an event %s needs a message", e.Kind)
	case (e.Kind == In || e.Kind == Out) && (e.Peer < 0 || e.Peer >= d.node.servers || e.Peer == d.node.me):
		return e, fmt.Errorf("the peer of a message is another server, not %d: this is node %d of 0 to %d. The stream may be another node's", e.Peer, d.node.me, d.node.servers-1)
	case e.Stream != -1 && (e.Stream < 0 || e.Stream >= d.node.arrivals):
		return e, fmt.Errorf("a message comes by one of the streams 0 to %d of this composition, not by %d", d.node.arrivals-1, e.Stream)
	case e.Kind == Lost && (e.Count < 0 || e.Count > maxLost):
		return e, fmt.Errorf("%d events cannot be lost", e.Count)
	case e.Kind == Lost:
		e.Count = max(e.Count, 1)
	case e.Kind == Input && d.node.elsewhere[action] != "":
		e.Network = d.node.elsewhere[action]
	case e.Kind == Input && d.node.unused[action]: // the check finds out by itself when it happens
	case e.Kind == Input:
		if e.Input, err = d.input(action, params, set); err == nil {
			e.Input.line, e.Input.fate = line, fate
		}
	case e.Kind == Header && servers != int64(d.node.servers):
		return e, fmt.Errorf("the stream is of one of %d servers, and the composition has %d", servers, d.node.servers)
	case e.Kind == Header && options != nil && d.otherOptions(options) != nil:
		return e, d.otherOptions(options)
	case e.Kind == Header:
		e.header, err = d.headerOf(&lists)
	case e.Kind == Begin:
		e.State, e.known, err = d.variables(d.rows, state)
	case e.Kind == Restart && state != nil:
		e.State, e.known, err = d.variables(d.vars, state)
	}
	if err == nil && e.Network != "" {
		e.Kind, e.Msg = LeftOut, nil
	}
	return e, err
}

// otherOptions returns an error where a header states another value of an option than the
// composition has, or is no object of texts. Options that the system does not have count as stated
// for another specification.
func (d *Decoder[S]) otherOptions(text []byte) error {
	var stated map[string]string
	if err := json.Unmarshal(text, &stated); err != nil {
		return fmt.Errorf("options of a header are texts by name: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if have, ok := d.settings[name]; ok && have != stated[name] {
			return fmt.Errorf("the stream is of a server with %s = %q, and the composition has %s = %q: choose a manifest with the options of the server", name, stated[name], name, have)
		}
	}
	return nil
}

// headerOf reads the lists of a header. It returns an error for a name that the specification does
// not have.
func (d *Decoder[S]) headerOf(lists *[3][]byte) (*shown.Header, error) {
	h := &shown.Header{}
	for k, x := range []struct {
		what string
		to   *[]string
		has  func(name string) bool
	}{
		{"network", &h.Networks, d.hasNetwork}, {"kind of messages", &h.Kinds, d.hasKind},
		{"input", &h.Inputs, func(name string) bool { return slices.Contains(d.node.declared, name) }},
	} {
		if lists[k] == nil {
			continue
		}
		names, err := flatjson.NewScanner(lists[k]).Texts()
		if err != nil {
			return nil, fmt.Errorf("a header lists names of each %s as texts: %w", x.what, err)
		}
		for _, name := range names {
			if !x.has(name) {
				return nil, fmt.Errorf("the header names %.40q, and the specification has no such %s", name, x.what)
			}
		}
		*x.to = append([]string{}, names...)
	}
	return h, nil
}

func (d *Decoder[S]) hasNetwork(name string) bool {
	return slices.Contains(d.node.compares.Networks, name) ||
		slices.ContainsFunc(d.node.unmodelled, func(w *layout.Wires) bool { return w.Variable == name })
}

func (d *Decoder[S]) hasKind(name string) bool {
	return slices.ContainsFunc(d.msgs, func(c *flatjson.Codec) bool {
		kinds := c.FieldNamed([]byte(c.Type.Field(0).Name)).Of
		return kinds != nil && kinds.Has(name)
	})
}

// net returns the index in msgs of the net that has the kind of the next message. It returns 0 if
// no net has it: reading the message then fails.
func (d *Decoder[S]) net(s flatjson.Scanner) (found int) {
	if len(d.msgs) == 1 {
		return 0
	}
	_ = s.Members(func(name []byte) error { // a mistake is found where the message is read
		if !s.AtText() {
			return s.Skip()
		}
		value, err := s.Text()
		for x, c := range d.msgs {
			if kinds := c.FieldNamed(name).Of; kinds != nil && c.Type.Field(0).Name == string(name) && kinds.Has(string(value)) {
				found = x
			}
		}
		return err
	})
	return found
}

// maxLost bounds what one event says was lost, so that sums stay exact.
const maxLost = 1 << 40

// input returns an input event's: the instance of the action, and what it sets.
func (d *Decoder[S]) input(action string, params, set []byte) (*input[S], error) {
	ins := d.node.inputs[action]
	if len(ins) == 0 {
		return nil, fmt.Errorf("no input is named %.40q", action)
	}
	in := &input[S]{instance: &ins[0], action: action, params: params, sets: set}
	if params != nil {
		in.instance = nil
		c := d.params[action]
		v := reflect.New(c.Type)
		if err := c.Read(flatjson.NewScanner(params), v.UnsafePointer()); err != nil {
			return nil, err
		}
		if f := v.Elem().FieldByName("I"); f.IsValid() && f.CanInt() {
			f.SetInt(int64(d.node.me))
		} else if f.IsValid() && f.CanUint() {
			f.SetUint(uint64(d.node.me))
		}
		k := ins[0].bound.Match(v.Elem().Interface())
		for x := range ins {
			if ins[x].k == k {
				in.instance = &ins[x]
			}
		}
		if in.instance == nil {
			return nil, fmt.Errorf("input %s has no parameters %s", action, params)
		}
	}
	if set != nil {
		var err error
		if in.set, err = d.patch(d.allowed[action], set); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// patch reads values of variables without Chains, and returns what sets them.
func (d *Decoder[S]) patch(allowed map[string]flatjson.Field, text []byte) (func(*S), error) {
	if d.scratch == nil {
		d.scratch = new(S)
	}
	base := unsafe.Pointer(d.scratch)
	var spans []modules.Span
	var bytes []byte
	s := flatjson.NewScanner(text)
	err := s.Members(func(name []byte) error {
		f, ok := allowed[string(name)]
		if !ok || f.Of == nil {
			return fmt.Errorf("variable %.40q cannot be set", name)
		}
		value := unsafe.Slice((*byte)(unsafe.Add(base, f.At)), f.Of.Size)
		clear(value)
		if err := f.Of.Read(s, unsafe.Add(base, f.At)); err != nil {
			return err
		}
		spans = append(spans, modules.Span{Offset: f.At, Size: f.Of.Size})
		bytes = append(bytes, value...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(p *S) {
		from := bytes
		for _, x := range spans {
			copy(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), x.Offset)), x.Size), from[:x.Size])
			from = from[x.Size:]
		}
	}, nil
}

// variables reads values of those variables that are allowed, and returns what sets them; others of
// a State are passed over. Chains are made when they are set.
func (d *Decoder[S]) variables(allowed map[string]flatjson.Field, text []byte) (set func(*S), names []string, err error) {
	known := func(name string) bool { _, ok := reflect.TypeFor[S]().FieldByName(name); return ok }
	read := func(p *S) error {
		names = names[:0]
		s := flatjson.NewScanner(text)
		return s.Members(func(text []byte) error {
			name := string(text)
			f, ok := allowed[name]
			if !ok && known(name) {
				return s.Skip()
			}
			if !ok || f.Of == nil {
				return fmt.Errorf("variable %.40q cannot be set", name)
			}
			names = append(names, name)
			at := unsafe.Add(unsafe.Pointer(p), f.At)
			clear(unsafe.Slice((*byte)(at), f.Of.Size))
			return f.Of.Read(s, at)
		})
	}
	defer enter(modules.NewArena())()
	if err := read(new(S)); err != nil {
		return nil, nil, err
	}
	return func(p *S) { _ = read(p) }, names, nil // it was read before
}

// Lost returns the event that count events were lost, for a reason.
func (d *Decoder[S]) Lost(count int64, cause string) Event[S] {
	cause = strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r > '~' {
			return '\''
		}
		return r
	}, cause)
	return Event[S]{Kind: Lost, Peer: -1, Count: count, Cause: cause, line: fmt.Appendf(nil, `{"event":"lost","count":%d,"cause":"%s"}`, count, cause)}
}
