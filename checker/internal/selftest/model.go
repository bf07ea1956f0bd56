package selftest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/flatjson"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/modules"
)

// model executes single steps of nodes. It shares no code with package refine, except for what
// that has derived: the class of each action, and the variables of a node.
type model[S any] struct {
	spec     *refine.Spec[S]
	runtime  *modules.Runtime[S]
	opt      refine.Options
	servers  int
	nets     []*layout.Wires
	netAt    [256]int         // by kind
	spans    [][]modules.Span // of a message, by net
	msgSize  int
	base     S
	s, n     *S
	outside  []modules.Span // variables of the environment, and raised assertions
	raised   modules.Span
	foresees []modules.Span
	rows     [][]modules.Span // by node
	rowSize  int
	acts     [][]act[S] // by node
	// the same by what they need: those that receive by sender*256+kind, those that a node takes by
	// itself, inputs, restarts
	receive                 [][][]*act[S]
	own, inputs, restarting [][]*act[S]
	lanes                   int
	lane                    func(kind uint8) int
	names                   []string    // of the actions that a node takes, for weights
	facts                   []*facts[S] // by node, of this behaviour
}

// act is an action with parameters, of one node.
type act[S any] struct {
	name    string
	number  int // of its action
	class   refine.Class
	bound   *modules.Bound[S]
	k       int
	peer    int       // its J; -1 for none
	kinds   [256]bool // that it receives
	timeout bool
	in      *modules.Input[S]
	sets    []setting // of an input
}

// setting is a variable of the environment that an input may set.
type setting struct {
	name string
	at   uintptr
	of   *flatjson.Codec
	t    reflect.Type
}

// outcome says how a step ended.
type outcome uint8

const (
	stepped outcome = iota
	refused         // it is not enabled
	ended           // the process ends in it: modules.Runtime.Fatal
	faulty          // the specification has no such step, or a limit was reached
)

// sending is a message that a step sends.
type sending struct {
	to   int
	msg  []byte
	step int // of the sender
}

// newModel makes the model of all nodes. plan has the facts that the checker of a node derived.
func newModel[S any](spec *refine.Spec[S], opt refine.Options, plan *refine.Plan) (*model[S], error) {
	t := reflect.TypeFor[S]()
	m := &model[S]{spec: spec, runtime: spec.Runtime, opt: opt, s: new(S), n: new(S), lanes: max(spec.Runtime.Lanes, 1), lane: spec.Runtime.Lane}
	if m.lane == nil {
		m.lane = func(uint8) int { return 0 }
	}
	var err error
	if m.nets, _, err = layout.WiresOf(t); err != nil {
		return nil, err
	}
	for x, w := range m.nets {
		m.servers, m.msgSize = len(w.Of), max(m.msgSize, int(w.Message.Size()))
		m.spans = append(m.spans, modules.Spans(w.Message))
		for _, kind := range spec.Enum(w.Message.Field(0).Type) {
			m.netAt[uint8(kind)] = x
		}
	}
	for s := range spec.Composition.Init {
		m.base = s
	}
	*m.s = m.base
	m.environment(t)
	for me := range m.servers {
		var row []modules.Span
		for _, v := range plan.Variables {
			f, _ := t.FieldByName(v)
			elem := f.Type.Elem()
			for _, s := range modules.Spans(elem) {
				row = append(row, modules.Span{Offset: f.Offset + uintptr(me)*elem.Size() + s.Offset, Size: s.Size})
			}
		}
		m.rows = append(m.rows, row)
	}
	for _, s := range m.rows[0] {
		m.rowSize += int(s.Size)
	}
	return m, m.bind(plan)
}

// environment finds the variables outside a node's row that a step may set.
func (m *model[S]) environment(t reflect.Type) {
	sets := slices.Clone(m.runtime.Foresees)
	for _, in := range m.runtime.Inputs {
		sets = append(sets, in.Sets...)
	}
	for _, v := range sets {
		if f, ok := t.FieldByName(v); ok && f.Type.Size() > 0 {
			m.outside = append(m.outside, modules.Span{Offset: f.Offset, Size: f.Type.Size()})
		}
	}
	for _, v := range m.runtime.Foresees {
		if f, ok := t.FieldByName(v); ok && f.Type.Size() > 0 {
			m.foresees = append(m.foresees, modules.Span{Offset: f.Offset, Size: f.Type.Size()})
		}
	}
	if at, ok := modules.RaisedOffset(t); ok {
		for f := range t.Fields() {
			if f.Offset == at {
				m.raised = modules.Span{Offset: at, Size: f.Type.Size()}
				m.outside = append(m.outside, m.raised)
			}
		}
	}
}

// bind lists the acts of each node.
func (m *model[S]) bind(plan *refine.Plan) error {
	var bounds []modules.Bound[S]
	for _, a := range m.spec.Composition.Actions {
		bounds = append(bounds, a.Bound)
	}
	locals, _ := m.runtime.BindLocals(func(name string) bool {
		return slices.ContainsFunc(m.spec.Composition.Actions, func(a modules.SpecAction[S]) bool { return a.Name == name })
	})
	bounds = append(bounds, locals...)
	if len(bounds) != len(plan.Actions) {
		return fmt.Errorf("the plan has %d actions, the composition %d", len(plan.Actions), len(bounds))
	}
	m.acts = make([][]act[S], m.servers)
	for x := range bounds {
		b := &bounds[x]
		m.names = append(m.names, b.Name)
		a := act[S]{name: b.Name, number: x, class: plan.Actions[x].Class, bound: b}
		switch a.class {
		case refine.Environment, refine.Irrelevant, refine.Replaced:
			continue
		}
		a.timeout = slices.ContainsFunc(m.runtime.Timeouts, func(t modules.AnyAction[S]) bool { return modules.NameOf(t) == b.Name })
		if a.class == refine.Receive {
			m.receives(&a)
		}
		for k := range m.runtime.Inputs {
			if in := &m.runtime.Inputs[k]; a.class == refine.InputClass && modules.NameOf(in.Action) == b.Name {
				a.in = in
				m.settings(&a)
			}
		}
		for k, p := range b.Params {
			v := reflect.ValueOf(p)
			if a.class == refine.Receive && field(v, "K") > 1 {
				continue
			}
			a := a
			a.k, a.peer = k, field(v, "J")
			if i := field(v, "I"); i >= 0 && i < m.servers {
				m.acts[i] = append(m.acts[i], a)
			}
		}
	}
	m.index()
	return nil
}

// index sorts the acts of each node.
func (m *model[S]) index() {
	for me := range m.servers {
		receive := make([][]*act[S], m.servers*256)
		var own, inputs, restarting []*act[S]
		for k := range m.acts[me] {
			switch a := &m.acts[me][k]; a.class {
			case refine.Receive:
				for kind := range a.kinds {
					if a.kinds[kind] && a.peer >= 0 {
						receive[a.peer*256+kind] = append(receive[a.peer*256+kind], a)
					}
				}
			case refine.Spontaneous:
				own = append(own, a)
			case refine.InputClass:
				inputs = append(inputs, a)
			case refine.RestartStep:
				restarting = append(restarting, a)
			}
		}
		m.receive, m.own = append(m.receive, receive), append(m.own, own)
		m.inputs, m.restarting = append(m.inputs, inputs), append(m.restarting, restarting)
	}
}

// receives notes the kinds of messages that an action takes.
func (m *model[S]) receives(a *act[S]) {
	for _, f := range m.spec.Footprints {
		if f.Name != a.name {
			continue
		}
		for _, v := range f.Receives {
			network, name, _ := strings.Cut(v, "#")
			for _, w := range m.nets {
				if kind, ok := m.spec.Enum(w.Message.Field(0).Type)[name]; ok && w.Variable == network {
					a.kinds[uint8(kind)] = true
				}
			}
		}
	}
}

// settings are the variables that an input may set.
func (m *model[S]) settings(a *act[S]) {
	t := reflect.TypeFor[S]()
	for _, name := range a.in.Sets {
		if f, ok := t.FieldByName(name); ok && f.Type.Size() > 0 && len(layout.ChainsIn(f.Type)) == 0 {
			a.sets = append(a.sets, setting{name, f.Offset, flatjson.CodecOf(f.Type, m.spec.Enum), f.Type})
		}
	}
}

// field returns a number in a parameter; -1 if there is none.
func field(v reflect.Value, name string) int {
	if v.Kind() != reflect.Struct {
		return -1
	}
	switch f := v.FieldByName(name); {
	case !f.IsValid():
	case f.CanInt():
		return int(f.Int())
	case f.CanUint():
		return int(f.Uint())
	}
	return -1
}

func bytesOf[S any](p *S, s modules.Span) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), s.Offset)), s.Size)
}

// row appends the row of node me in p.
func (m *model[S]) row(to []byte, p *S, me int) []byte {
	for _, s := range m.rows[me] {
		to = append(to, bytesOf(p, s)...)
	}
	return to
}

// first returns the row with which a node begins.
func (m *model[S]) first(me int) []byte { return m.row(nil, &m.base, me) }

// load puts a row into the state before a step.
func (m *model[S]) load(me int, row []byte) {
	for _, s := range m.rows[me] {
		copy(bytesOf(m.s, s), row[:s.Size])
		row = row[s.Size:]
	}
}

// unload makes the state before a step that of no node again.
func (m *model[S]) unload(me int) {
	for _, s := range m.rows[me] {
		copy(bytesOf(m.s, s), bytesOf(&m.base, s))
	}
}

// deliver puts a message to me in flight, or takes it back if msg is nil.
func (m *model[S]) deliver(me, from, net int, msg []byte) {
	w := m.nets[net]
	at := w.Of[from][me]
	to := bytesOf(m.s, modules.Span{Offset: at.First, Size: w.Message.Size()})
	clear(to)
	copy(to, msg)
	count := (*uint8)(unsafe.Add(unsafe.Pointer(m.s), at.Count))
	if *count = 0; msg != nil {
		*count = 1
	}
}

// enabled reports whether an act is possible in the state before a step.
func (m *model[S]) enabled(a *act[S]) (out outcome) {
	defer func() {
		if e := recover(); e != nil {
			out = faultOf(e)
		}
	}()
	if !a.bound.Enabled(m.s, a.k) {
		return refused
	}
	return stepped
}

// faultOf returns the outcome of a panic of the specification.
func faultOf(e any) outcome {
	switch e.(type) {
	case *modules.FoldedError, *modules.CapacityError, *modules.RangeError:
		return faulty
	}
	panic(e)
}

// apply takes an enabled act of node me. It returns the row after it, and what it sends.
func (m *model[S]) apply(me int, a *act[S]) (out outcome, row []byte, sent []sending) {
	defer func() {
		if e := recover(); e != nil {
			out = faultOf(e)
		}
	}()
	*m.n = *m.s
	a.bound.Apply(m.s, m.n, a.k)
	for _, b := range bytesOf(m.n, m.raised) {
		if b != 0 && m.runtime.Fatal {
			return ended, nil, nil
		} else if b != 0 {
			return faulty, nil, nil
		}
	}
	for x, w := range m.nets {
		for to := range m.servers {
			if to == me {
				continue
			}
			at := w.Of[me][to]
			size := w.Message.Size()
			for k := range uintptr(*(*uint8)(unsafe.Add(unsafe.Pointer(m.n), at.Count))) {
				msg := make([]byte, m.msgSize)
				from := bytesOf(m.n, modules.Span{Offset: at.First + k*size, Size: size})
				for _, s := range m.spans[x] {
					copy(msg[s.Offset:s.Offset+s.Size], from[s.Offset:])
				}
				sent = append(sent, sending{to: to, msg: msg})
			}
		}
	}
	return stepped, m.row(make([]byte, 0, m.rowSize), m.n, me), sent
}

// netOf returns the network of a message, kindOf its kind.
func (m *model[S]) netOf(msg []byte) int { return m.netAt[msg[0]] }

// same reports whether two messages are equal.
func (m *model[S]) same(a, b []byte) bool {
	for _, s := range m.spans[m.netOf(a)] {
		if string(a[s.Offset:s.Offset+s.Size]) != string(b[s.Offset:s.Offset+s.Size]) {
			return false
		}
	}
	return true
}

// set sets variables of the environment, reset sets them back.
func (m *model[S]) set(set func(*S)) {
	if set != nil {
		set(m.s)
	}
}

func (m *model[S]) reset() {
	for _, s := range m.outside {
		copy(bytesOf(m.s, s), bytesOf(&m.base, s))
	}
}
