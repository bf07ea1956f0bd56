package refine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/refine/internal/shown"
	"github.com/multigrain/multigrain/modules"
)

// Spec is a composition with what is known of it.
type Spec[S any] struct {
	Composition *modules.Spec[S]
	// Footprints are those of the composition's actions and of the local actions that Runtime
	// declares.
	Footprints []modules.Footprint
	Runtime    *modules.Runtime[S]
	Enum       modules.Enum
	Names      modules.Names
}

// Plan is a composition as one node sees it: what New derives from the footprints.
type Plan struct {
	Variables []string            `json:"variables"`           // of the node's row
	Actions   []PlanAction        `json:"actions,omitempty"`   // as composed, local ones last
	Offenders []modules.Use       `json:"offenders,omitempty"` // accesses to other nodes
	Remains   []modules.Remainder `json:"remains,omitempty"`
	Networks  []string            `json:"networks,omitempty"` // whose messages are compared
}

// PlanAction says what becomes of an action next to a node.
type PlanAction struct {
	Name  string `json:"name"`
	Class Class  `json:"class"`
	// Asap says that the action only takes a message away, whenever a variable that only grows says
	// so.
	Asap bool `json:"asap,omitempty"`
	// Free says that the action only sends, and changes nothing else: it is taken wherever its
	// message comes next.
	Free   bool   `json:"free,omitempty"`
	Why    string `json:"why,omitempty"`
	Module string `json:"module"` // of the composition; "local" for a local action
	// For are the actions of several servers that a local action stands for.
	For []string `json:"for,omitempty"`
	// Declared lists the declarations about the action: Lazy and others.
	Declared []string `json:"declared,omitempty"`
}

// Class is how an action happens at a node.
type Class string

// Classes of actions.
const (
	Receive     Class = "receive"     // takes a message
	InputClass  Class = "input"       // is an event of the stream
	Spontaneous Class = "spontaneous" // a time-out or an internal step, which nobody sees
	RestartStep Class = "restart"
	Environment Class = "environment" // none of the node's own
	Irrelevant  Class = "irrelevant"  // nothing that the node sends depends on it
	Replaced    Class = "replaced"    // by a declared local effect
)

// OptionsError is the error of options that make no sense for a composition.
type OptionsError string

func (e OptionsError) Error() string { return string(e) }

// LocalityError is the error of a composition that cannot run next to one node: its actions use
// what is not the acting server's.
type LocalityError struct {
	Uses []string // what each does, and where
}

func (e *LocalityError) Error() string {
	const most = 1
	text := fmt.Sprintf("the composition cannot run next to one node: %s", strings.Join(e.Uses[:min(most, len(e.Uses))], "; "))
	if more := len(e.Uses) - most; more > 0 {
		text += fmt.Sprintf(", and %d more like it", more)
	}
	return text
}

// instance is an action with parameters, of this node.
type instance[S any] struct {
	name    string
	bound   *modules.Bound[S]
	k       int
	peer    int // whose message it takes; -1 for none
	asap    bool
	timeout bool
	lazy    bool
	eager   bool
	free    bool
	open    func(s *S, i, j int) bool // of its gate; nil: none
	past    int                       // in others: the first one after it with another gate or J
	hidden  bool
	restart bool
	to      int    // its J; -1 for none
	lanes   uint64 // those of the messages that it sends
	done    bool   // an input that the node cannot have refused
	about   int    // the network that an input is about; -1 for none
	ends    int    // about, of an input that ends a connection to its J; -1 for others
	loses   bool   // such an input, where the connection loses what is sent to J
}

// node runs the actions of one node on a State. It uses only the node's row and its channels.
type node[S any] struct {
	me        int
	peers     []int // the other servers
	base      S
	s, n      *S
	row       []modules.Span // of the State
	rowSize   int
	chains    []chainAt // in a row
	nets      []net
	netAt     [256]uint8 // by kind: the number of its net
	servers   int
	arrivals  int  // incoming lanes of a network and a peer
	msgSize   int  // of the largest
	msgChains bool // messages hold Chains
	raised    []modules.Span
	outside   []modules.Span // assertions and variables of the environment

	course[S]           // that searches take
	crashing  course[S] // right before a crash
	inputs    map[string][]instance[S]
	says      func(s *S, i, peer int, kind uint8) bool
	sends     func(s *S, i, peer int, msg unsafe.Pointer) bool
	waits     func(s *S, i, peer int, msg, next unsafe.Pointer) bool
	merge     func(s *S, i int)   // nil where each state stands for itself
	sets      map[string][]string // variables of the environment by input
	// steps of the node's own that are not taken from the stream
	unused   map[string]bool
	restarts []instance[S]                            // ways in which the node may start again
	kinds    []uint8                                  // of messages that the node sends
	lazies   bool                                     // there are lazy instances
	fatal    bool                                     // an assertion ends the process
	kept     []string                                 // variables that a restart may keep
	foresees []modules.Span                           // of the variables that foresee sets
	foresee  func(s *S, peer int, msg unsafe.Pointer) // nil where there is nothing to foresee
	plan     Plan

	// unmodelled are the networks whose messages the composition does not have. elsewhere are the
	// inputs about one of these.
	unmodelled []*layout.Wires
	elsewhere  map[string]string
	declared   []string // the inputs that the specification declares
	compares   shown.Composition
}

// newNode derives the view of node me.
func newNode[S any](spec *Spec[S], me int, opt Options) (*node[S], error) {
	t := reflect.TypeFor[S]()
	n := &node[S]{me: me, s: new(S), n: new(S),
		inputs: map[string][]instance[S]{}, sets: map[string][]string{}, unused: map[string]bool{}, elsewhere: map[string]string{}}
	if err := n.connect(t, spec.Enum); err != nil {
		return nil, err
	}
	for _, in := range spec.Runtime.Inputs {
		n.declared = append(n.declared, modules.NameOf(in.Action))
		if slices.ContainsFunc(n.unmodelled, func(w *layout.Wires) bool { return w.Variable == in.Network }) {
			n.elsewhere[modules.NameOf(in.Action)] = in.Network
		}
	}
	if me < 0 || me >= n.servers {
		return nil, OptionsError(fmt.Sprintf("there is no node %d: nodes are 0 to %d", me, n.servers-1))
	}
	n.handlers = make([][]instance[S], n.servers*256)
	for j := range n.servers {
		if j != me {
			n.peers = append(n.peers, j)
		}
	}
	initial := 0
	for s := range spec.Composition.Init {
		n.base = s
		initial++
	}
	if initial != 1 {
		return nil, fmt.Errorf("a node starts in one state; Init has %d", initial)
	}
	*n.s, *n.n = n.base, n.base
	if at, ok := modules.RaisedOffset(t); ok {
		for f := range t.Fields() {
			if f.Offset == at {
				n.raised = []modules.Span{{Offset: at, Size: f.Type.Size()}}
				n.outside = append(n.outside, n.raised...)
			}
		}
	}
	for _, name := range slices.Concat(spec.Runtime.Written...) {
		if _, ok := t.FieldByName(name); !ok {
			return nil, fmt.Errorf("Runtime.Written names %s, which is no variable of the state", name)
		}
	}
	n.fatal = spec.Runtime.Fatal
	n.arrivals = max(spec.Runtime.Arrivals, 1)
	if !opt.Undeclared {
		n.says, n.sends, n.waits, n.merge = spec.Runtime.Says, spec.Runtime.Sends, spec.Runtime.Waits, spec.Runtime.Merge
	}
	d := &deriver[S]{spec: spec, node: n, state: t, steps: opt.Steps, plain: opt.Undeclared, late: opt.NoAsap, blinkered: opt.NoAhead}
	return n, d.derive()
}

// chainAt is where a Chain is in a row: its node, and how many elements were taken from it, where
// it is a Deque; -1 else.
type chainAt struct{ node, taken int }

// bind numbers the instances of an action that are this node's.
func (d *deriver[S]) bind(a *modules.SpecAction[S], p *PlanAction) error {
	n := d.node
	kinds := d.kinds(d.footprint(a.Name).Receives)
	for _, k := range d.kinds(d.footprint(a.Name).Sends) {
		if p.Class != Environment && p.Class != Replaced && !slices.Contains(n.kinds, uint8(k)) {
			n.kinds = append(n.kinds, uint8(k))
		}
	}
	is := func(list []modules.AnyAction[S]) bool { return isIn(list, a.Name) }
	in := instance[S]{name: a.Name, peer: -1, about: -1, ends: -1, asap: p.Asap, free: !d.plain && p.Free, timeout: is(d.spec.Runtime.Timeouts), lazy: !d.plain && is(d.spec.Runtime.Lazy),
		eager: !d.plain && is(d.spec.Runtime.Eager), hidden: !d.plain && is(d.spec.Runtime.Hidden)}
	if d.late {
		in.asap, in.eager = false, false
	}
	for _, g := range d.spec.Runtime.Gates {
		if modules.NameOf(g.Action) == a.Name && !d.plain {
			in.open = g.Open
		}
	}
	in.free = in.free && !d.late && !d.blinkered // a free action is taken where its message is seen
	for _, kind := range d.kinds(d.footprint(a.Name).Sends) {
		in.lanes |= 1 << d.lane(uint8(kind))
	}
	bound := a.Bound
	for k, param := range a.Params {
		v := reflect.ValueOf(param)
		if number(v, "I") != n.me {
			continue
		}
		in := in
		in.bound, in.k, in.to = &bound, k, number(v, "J")
		// An action without J may send to several servers: it is more than a message of one lane.
		in.free = in.free && in.to >= 0
		if in.open != nil && in.to < 0 {
			return fmt.Errorf("action %s has a gate, and its parameter has no J", a.Name)
		}
		if in.lazy && in.to < 0 {
			return fmt.Errorf("action %s is declared as Lazy, and its parameter has no J to whom it sends", a.Name)
		}
		switch p.Class {
		case RestartStep:
			in.restart = true
			n.restarts = append(n.restarts, in)
		case InputClass:
			n.inputs[a.Name] = append(n.inputs[a.Name], in)
		case Spontaneous:
			n.spontaneous = append(n.spontaneous, in)
			n.lazies = n.lazies || in.lazy
		case Receive:
			if v.FieldByName("K").IsValid() && number(v, "K") != 1 {
				continue
			}
			if in.peer = number(v, "J"); in.peer < 0 {
				return &LocalityError{[]string{fmt.Sprintf("action %s receives, and its parameter has no sender J", a.Name)}}
			}
			for _, kind := range kinds {
				h := &n.handlers[in.peer*256+kind]
				*h = append(*h, in)
			}
		}
	}
	for _, in := range d.spec.Runtime.Inputs {
		if modules.NameOf(in.Action) == a.Name {
			n.sets[a.Name] = in.Sets
			for x := range n.inputs[a.Name] {
				n.inputs[a.Name][x].done = in.Done
				about := slices.IndexFunc(n.nets, func(x net) bool { return x.Variable == in.Network })
				n.inputs[a.Name][x].about = about
				if in.Ends {
					n.inputs[a.Name][x].ends = about
					n.inputs[a.Name][x].loses = in.Loses
				}
			}
			n.unused[a.Name] = in.Own && !d.steps
		}
	}
	return nil
}

// isIn reports whether a list has an action of that name.
func isIn[S any](list []modules.AnyAction[S], name string) bool {
	return slices.ContainsFunc(list, func(a modules.AnyAction[S]) bool { return modules.NameOf(a) == name })
}

// lane returns the lane of a kind.
func (d *deriver[S]) lane(kind uint8) int {
	if d.spec.Runtime.Lane == nil {
		return 0
	}
	return d.spec.Runtime.Lane(kind)
}

// number returns a field of a parameter, -1 where there is none.
func number(v reflect.Value, field string) int {
	if v.Kind() != reflect.Struct {
		return -1
	}
	f := v.FieldByName(field)
	switch {
	case !f.IsValid():
		return -1
	case f.CanInt():
		return int(f.Int())
	case f.CanUint():
		return int(f.Uint())
	}
	return -1
}

// kinds returns the kinds of messages that variables of a footprint name.
func (d *deriver[S]) kinds(variables []string) (out []int) {
	for _, v := range variables {
		network, name, split := strings.Cut(v, "#")
		for _, x := range d.node.nets {
			if k, ok := d.spec.Enum(x.Message.Field(0).Type)[name]; split && ok && x.Variable == network {
				out = append(out, int(k))
			}
		}
	}
	return out
}

// load and save copy the row between a State and its bytes.
func (n *node[S]) load(p *S, row []byte) {
	at := uintptr(0)
	for _, s := range n.row {
		copy(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), s.Offset)), s.Size), row[at:at+s.Size])
		at += s.Size
	}
}

func (n *node[S]) save(row []byte, p *S) {
	at := uintptr(0)
	for _, s := range n.row {
		copy(row[at:at+s.Size], unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), s.Offset)), s.Size))
		at += s.Size
	}
}

// net is one of the networks of a State. Messages of all of them have the same room in lanes; a
// message's kind says which network it is of, so kinds of different networks have different
// numbers.
type net struct {
	*layout.Wires
	spans  []modules.Span // of a message
	chains []int          // the nodes of the Chains in it
	size   int
}

// connect finds the networks.
func (n *node[S]) connect(t reflect.Type, enum modules.Enum) error {
	wires, unused, err := layout.WiresOf(t)
	if err != nil {
		return err
	}
	n.unmodelled = unused
	names := map[int64]string{}
	for x, w := range wires {
		var chains []int
		for _, c := range layout.ChainsIn(w.Message) {
			if c.Deque {
				return fmt.Errorf("message type %s holds a Deque", w.Message)
			}
			chains = append(chains, int(c.Node))
			n.msgChains = true
		}
		n.plan.Networks = append(n.plan.Networks, w.Variable)
		n.nets = append(n.nets, net{Wires: w, spans: modules.Spans(w.Message), chains: chains, size: int(w.Message.Size())})
		n.servers, n.msgSize = len(w.Of), max(n.msgSize, int(w.Message.Size()))
		for name, kind := range enum(w.Message.Field(0).Type) {
			if other, taken := names[kind]; taken && n.netAt[uint8(kind)] != uint8(x) {
				return fmt.Errorf("kinds %s and %s of two networks have the same number, which says to which network a message belongs", other, name)
			}
			names[kind], n.netAt[uint8(kind)] = name, uint8(x)
		}
	}
	return nil
}

// netOf returns the network of a message.
func (n *node[S]) netOf(msg []byte) *net { return &n.nets[n.netAt[kind(msg)]] }
