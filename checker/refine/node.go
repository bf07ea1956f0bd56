package refine

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Spec is a composition with what is known of it.
type Spec[S any] struct {
	Composition *modules.Spec[S]
	// Footprints are those of the composition's actions and of the local actions that Runtime declares.
	Footprints []modules.Footprint
	Runtime    *modules.Runtime[S]
	Enum       modules.Enum
	Names      modules.Names
}

// Plan is a composition as one node sees it: what New derives from the footprints.
type Plan struct {
	Variables []string      // of the node's row
	Actions   []PlanAction  // in the order of the composition, local ones last
	Offenders []modules.Use // accesses that are not the node's own
}

// PlanAction says what becomes of an action beside a node.
type PlanAction struct {
	Name  string
	Class Class
	// Asap says that the action only takes a message away, whenever a variable that only grows says so.
	Asap bool
	// Free says that the action only sends, and changes nothing else: it is taken wherever its message comes next.
	Free bool
	Why  string
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

// LocalityError is the error of a composition that cannot run beside one node: its actions use what is not the acting server's.
type LocalityError struct {
	Uses []string // what each does, and where
}

func (e *LocalityError) Error() string {
	const most = 1
	text := fmt.Sprintf("the composition cannot run beside one node: %s", strings.Join(e.Uses[:min(most, len(e.Uses))], "; "))
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
	hidden  bool
	restart bool
	to      int    // its J; -1 for none
	lanes   uint64 // those of the messages that it sends
	done    bool   // an input that the node cannot have refused
}

// node runs the actions of one node, on a State of which only the node's row and its channels are used.
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
	msgSize   int  // of the largest
	msgChains bool // messages hold Chains
	raised    []modules.Span
	outside   []modules.Span // assertions and variables of the environment

	handlers    [][]instance[S] // by peer and kind: peer*256+kind
	spontaneous []instance[S]
	inputs      map[string][]instance[S]
	says        func(s *S, i, peer int, kind uint8) bool
	sets        map[string][]string                      // variables of the environment by input
	unused      map[string]bool                          // steps of the node's own that are not taken from the stream
	restarts    []instance[S]                            // ways in which the node may start again
	kinds       []uint8                                  // of messages that the node sends
	lazies      bool                                     // there are lazy instances
	fatal       bool                                     // an assertion ends the process
	kept        []string                                 // variables that a restart may keep
	foresees    []modules.Span                           // of the variables that foresee sets
	foresee     func(s *S, peer int, msg unsafe.Pointer) // nil where there is nothing to foresee
	plan        Plan
}

// newNode derives the view of node me.
func newNode[S any](spec *Spec[S], me int, opt Options) (*node[S], error) {
	t := reflect.TypeFor[S]()
	n := &node[S]{me: me, s: new(S), n: new(S),
		inputs: map[string][]instance[S]{}, sets: map[string][]string{}, unused: map[string]bool{}}
	if err := n.connect(t, spec.Enum); err != nil {
		return nil, err
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
	n.fatal = spec.Runtime.Fatal
	if !opt.Undeclared {
		n.says = spec.Runtime.Says
	}
	d := &deriver[S]{spec: spec, node: n, state: t, steps: opt.Steps, plain: opt.Undeclared}
	return n, d.derive()
}

// chainAt is where a Chain is in a row: its node, and how many elements were taken from it, where it is a Deque; -1 else.
type chainAt struct{ node, taken int }

// deriver derives the node-local view from footprints.
type deriver[S any] struct {
	spec   *Spec[S]
	node   *node[S]
	state  reflect.Type
	steps  bool // the node's own steps are inputs
	plain  bool // nothing is lazy, eager or hidden
	rows   map[string]bool
	env    map[string]bool // variables that inputs set
	errors []string
}

func (d *deriver[S]) derive() error {
	actions := slices.Clone(d.spec.Composition.Actions)
	has := func(name string) bool {
		return slices.ContainsFunc(actions, func(a modules.SpecAction[S]) bool { return a.Name == name })
	}
	locals, replaced := d.spec.Runtime.BindLocals(has)
	for _, b := range locals {
		actions = append(actions, modules.SpecAction[S]{Bound: b, Module: "local"})
	}
	d.rows, d.env = map[string]bool{}, map[string]bool{}
	sets := d.spec.Runtime.Foresees
	for _, in := range d.spec.Runtime.Inputs {
		sets = append(slices.Clip(sets), in.Sets...)
	}
	for _, v := range sets {
		d.env[v] = true
		if f, ok := d.state.FieldByName(v); ok {
			d.node.outside = append(d.node.outside, modules.Span{Offset: f.Offset, Size: f.Type.Size()})
		}
	}
	for _, v := range d.spec.Runtime.Foresees {
		if f, ok := d.state.FieldByName(v); ok && f.Type.Size() > 0 {
			d.node.foresee = d.spec.Runtime.Foresee
			d.node.foresees = append(d.node.foresees, modules.Span{Offset: f.Offset, Size: f.Type.Size()})
		}
	}
	classes := make([]PlanAction, len(actions))
	for k := range actions {
		classes[k] = d.classify(&actions[k], replaced)
	}
	d.relevance(actions, classes)
	for k := range actions {
		if c := classes[k].Class; c != Environment && c != Irrelevant && c != Replaced {
			d.locality(d.footprint(actions[k].Name), c)
		}
	}
	for k := range actions {
		classes[k].Asap = classes[k].Class == Receive && d.dropsOnly(d.footprint(actions[k].Name))
		classes[k].Free = classes[k].Class == Spontaneous && d.sendsOnly(d.footprint(actions[k].Name))
		if err := d.bind(&actions[k], &classes[k]); err != nil {
			return err
		}
	}
	d.node.plan.Actions = classes
	d.layRow()
	d.keeps(actions, classes)
	for k := range d.node.handlers { // what is taken as soon as possible goes before all else
		slices.SortStableFunc(d.node.handlers[k], func(a, b instance[S]) int {
			switch {
			case a.asap == b.asap:
				return 0
			case a.asap:
				return -1
			}
			return 1
		})
	}
	if len(d.errors) > 0 {
		return &LocalityError{d.errors}
	}
	return nil
}

func (d *deriver[S]) footprint(action string) *modules.Footprint {
	for k := range d.spec.Footprints {
		if d.spec.Footprints[k].Name == action {
			return &d.spec.Footprints[k]
		}
	}
	d.errors = append(d.errors, "action "+action+" has no footprint")
	return &modules.Footprint{Name: action}
}

func (d *deriver[S]) classify(a *modules.SpecAction[S], replaced []string) PlanAction {
	p := PlanAction{Name: a.Name, Class: Spontaneous}
	r := d.spec.Runtime
	switch {
	case r.Restart != nil && a.Name == modules.NameOf(r.Restart):
		p.Class = RestartStep
	case a.Environment:
		p.Class = Environment
	case slices.Contains(replaced, a.Name):
		p.Class = Replaced
	case slices.ContainsFunc(r.Inputs, func(in modules.Input[S]) bool {
		return modules.NameOf(in.Action) == a.Name && (d.steps || !in.Own)
	}):
		p.Class = InputClass
	case len(d.footprint(a.Name).Receives) > 0:
		p.Class = Receive
	}
	return p
}

// relevance finds spontaneous actions that send nothing and write nothing on which, through any number of steps, a message
// depends: the node's messages are the same without them.
func (d *deriver[S]) relevance(actions []modules.SpecAction[S], classes []PlanAction) {
	matters := map[string]bool{}
	add := func(list []modules.Access) (grown bool) {
		for _, x := range list {
			if !matters[x.Variable] {
				matters[x.Variable], grown = true, true
			}
		}
		return grown
	}
	isNet := func(v string) bool {
		return slices.ContainsFunc(d.node.nets, func(x net) bool { return strings.HasPrefix(v, x.Variable) })
	}
	for grown := true; grown; {
		grown = false
		for k := range actions {
			if classes[k].Class == Environment || classes[k].Class == Replaced {
				continue
			}
			f := d.footprint(actions[k].Name)
			used := false
			for x := range f.Writes {
				w := &f.Writes[x]
				if isNet(w.Variable) || matters[w.Variable] {
					used = true
					grown = add(w.Sources()) || grown
				}
			}
			if used {
				grown = add(f.Guard) || grown
			}
		}
	}
	for k := range actions {
		if classes[k].Class != Spontaneous {
			continue
		}
		f := d.footprint(actions[k].Name)
		if !slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return matters[w.Variable] || isNet(w.Variable) }) {
			classes[k].Class = Irrelevant
			classes[k].Why = "no message depends on what it writes"
		}
	}
}

// locality collects the variables of the node's row, and accesses to anything else.
func (d *deriver[S]) locality(f *modules.Footprint, c Class) {
	use := func(a modules.Access) {
		field, _, _ := strings.Cut(a.Variable, ".")
		field, _, _ = strings.Cut(field, "#")
		switch {
		case slices.ContainsFunc(d.node.nets, func(x net) bool { return x.Variable == field }):
			if !a.Local() && c != RestartStep {
				d.offend(f.Name, a)
			}
		case d.env[field] || d.empty(field):
		case d.assertions(field):
		case len(a.Index) > 0 && a.Index[0] == "p.I":
			d.rows[field] = true
		default:
			d.offend(f.Name, a)
		}
	}
	for _, a := range f.Reads() {
		use(a)
	}
	for _, w := range f.Writes {
		for _, e := range w.Elements {
			use(modules.Access{Variable: w.Variable, Index: e.Index, Key: e.Key})
		}
	}
}

// empty reports whether a variable has no room in this composition.
func (d *deriver[S]) empty(field string) bool {
	f, ok := d.state.FieldByName(field)
	return ok && f.Type.Size() == 0
}

func (d *deriver[S]) assertions(field string) bool {
	f, ok := d.state.FieldByName(field)
	return ok && len(d.node.raised) > 0 && f.Offset == d.node.raised[0].Offset
}

func (d *deriver[S]) offend(action string, a modules.Access) {
	u := modules.Use{Action: action, Access: a}
	if !slices.ContainsFunc(d.node.plan.Offenders, func(x modules.Use) bool { return x.Action == action && x.Access.String() == a.String() }) {
		d.node.plan.Offenders = append(d.node.plan.Offenders, u)
		d.errors = append(d.errors, fmt.Sprintf("action %s uses %s, which is not the acting server's (%s:%d)", action, a,
			path.Join(path.Base(path.Dir(filepath.ToSlash(a.At.File))), path.Base(filepath.ToSlash(a.At.File))), a.At.Line))
	}
}

// dropsOnly reports whether an action writes nothing but the channel that it takes a message from.
func (d *deriver[S]) dropsOnly(f *modules.Footprint) bool {
	if len(f.Sends) > 0 {
		return false
	}
	return !slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return !slices.Contains(f.Receives, w.Variable) })
}

// sendsOnly reports whether an action writes nothing but the channel to its J.
func (d *deriver[S]) sendsOnly(f *modules.Footprint) bool {
	return len(f.Sends) > 0 && !slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return !slices.Contains(f.Sends, w.Variable) })
}

// layRow gives the row its bytes: the node's element of each variable.
func (d *deriver[S]) layRow() {
	n := d.node
	for f := range d.state.Fields() {
		if !d.rows[f.Name] || f.Type.Kind() != reflect.Array || f.Type.Len() == 0 {
			continue
		}
		n.plan.Variables = append(n.plan.Variables, f.Name)
		elem := f.Type.Elem()
		at := f.Offset + uintptr(n.me)*elem.Size()
		chains := modules.ChainsIn(elem)
		for _, s := range modules.Spans(elem) {
			for _, c := range chains {
				if c.Node >= s.Offset && c.Node < s.Offset+s.Size {
					at := chainAt{node: n.rowSize + int(c.Node-s.Offset), taken: -1}
					if c.Deque { // whose two numbers are neighbours
						at.taken = n.rowSize + int(c.Taken-s.Offset)
					}
					n.chains = append(n.chains, at)
				}
			}
			n.row = append(n.row, modules.Span{Offset: at + s.Offset, Size: s.Size})
			n.rowSize += int(s.Size)
		}
	}
	n.rowSize = (n.rowSize + 7) &^ 7
}

// keeps finds the variables that the restart does not set to a constant.
func (d *deriver[S]) keeps(actions []modules.SpecAction[S], classes []PlanAction) {
	for k := range actions {
		if classes[k].Class != RestartStep {
			continue
		}
		writes := d.footprint(actions[k].Name).Writes
		for _, v := range d.node.plan.Variables {
			of := func(w modules.Write) bool { return w.Variable == v || strings.HasPrefix(w.Variable, v+".") }
			if !slices.ContainsFunc(writes, of) || slices.ContainsFunc(writes, func(w modules.Write) bool {
				return of(w) && (len(w.Sources()) > 0 || len(w.Elements) != 1 || len(w.Elements[0].Index) != 1)
			}) {
				d.node.kept = append(d.node.kept, v)
			}
		}
	}
}

// bind numbers the instances of an action that are this node's.
func (d *deriver[S]) bind(a *modules.SpecAction[S], p *PlanAction) error {
	n := d.node
	kinds := d.kinds(d.footprint(a.Name).Receives)
	for _, k := range d.kinds(d.footprint(a.Name).Sends) {
		if p.Class != Environment && p.Class != Replaced && !slices.Contains(n.kinds, uint8(k)) {
			n.kinds = append(n.kinds, uint8(k))
		}
	}
	is := func(list []modules.AnyAction[S]) bool {
		return slices.ContainsFunc(list, func(x modules.AnyAction[S]) bool { return modules.NameOf(x) == a.Name })
	}
	in := instance[S]{name: a.Name, peer: -1, asap: p.Asap, free: !d.plain && p.Free, timeout: is(d.spec.Runtime.Timeouts), lazy: !d.plain && is(d.spec.Runtime.Lazy),
		eager: !d.plain && is(d.spec.Runtime.Eager), hidden: !d.plain && is(d.spec.Runtime.Hidden)}
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
			}
			n.unused[a.Name] = in.Own && !d.steps
		}
	}
	return nil
}

// lane is the lane of a kind.
func (d *deriver[S]) lane(kind uint8) int {
	if d.spec.Runtime.Lane == nil {
		return 0
	}
	return d.spec.Runtime.Lane(kind)
}

// number is a field of a parameter, -1 where there is none.
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

// kinds are the kinds of messages that variables of a footprint name.
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
