package trace

// Mapping says what the events of a log stand for. It is made from the trace block of a manifest.
type Mapping struct {
	Format string `json:"format"`
	// Order is OrderLog or "", OrderNodes or OrderClocks.
	Order string `json:"order,omitempty"`
	// Rules apply in their order; one event may have several.
	Rules    []Rule     `json:"rules"`
	Unlogged []Unlogged `json:"unlogged,omitempty"`
}

// Orders of events.
const (
	OrderLog   = "log"   // that of the log
	OrderNodes = "nodes" // that of the log among the events of each node, and no other
	// that of OrderNodes, and that of vector clocks: field clock, with a number for each node
	OrderClocks = "clocks"
)

// Partial reports whether events of different nodes may have no order.
func (m *Mapping) Partial() bool { return m.Order == OrderNodes || m.Order == OrderClocks }

// Rule is one thing that events of a name may stand for.
type Rule struct {
	Event string `json:"event"`
	// When says which of these events are meant; nil: all.
	When *Formula `json:"when,omitempty"`
	// Actions happen one after the other; with none of them the state stays as it is.
	Actions []string `json:"actions,omitempty"`
	// Where binds parameters by the names of their fields, for all of the actions that have such a
	// field.
	Where []Binding `json:"where,omitempty"`
	// Before must hold in the state before the actions, Check after them.
	Before []*Formula `json:"before,omitempty"`
	Check  []*Formula `json:"check,omitempty"`
}

// Unlogged is an action that may happen between events without being logged.
type Unlogged struct {
	Action string `json:"action"`
	// Max is how often it may happen between two events.
	Max int `json:"max"`
	// Events are names of the events that it may precede; none: any.
	Events []string  `json:"events,omitempty"`
	When   *Formula  `json:"when,omitempty"` // on the next event and the state
	Where  []Binding `json:"where,omitempty"`
	// Check must hold after it.
	Check []*Formula `json:"check,omitempty"`
}

// Binding gives a field of a parameter its value.
type Binding struct {
	Field string   `json:"field"`
	Value *Formula `json:"value"`
}

// Formula is an expression of a mapping. ID numbers the formulas of a mapping, and Text is how the
// manifest writes it.
type Formula struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	Expr *Expr  `json:"expr"`
}

// Expr is a node of an expression.
type Expr struct {
	Op    string  `json:"op"`
	Name  string  `json:"name,omitempty"`
	Value any     `json:"value,omitempty"`
	Args  []*Expr `json:"args,omitempty"`
}

// What Expr.Op may be, next to the operators == != < <= > >= + - * / % && || !.
const (
	OpLiteral = "literal" // Value
	// a name that a for binds, event, a variable of the state, param, a field of the parameters
	OpName     = "name"
	OpField    = "field"    // Args[0].Name
	OpIndex    = "index"    // Args[0][Args[1]]
	OpList     = "list"     // [Args...]
	OpChoose   = "choose"   // Args[0] ? Args[1] : Args[2]
	OpFor      = "for"      // [for Name in Args[0] : Args[1] if Args[2]]
	OpCall     = "call"     // Name(Args...)
	OpTemplate = "template" // the texts of Args, one after the other
)

// A Problem is a mistake in a mapping for a specification.
type Problem struct {
	Formula int `json:"formula"` // its ID; -1: the rule itself
	// number of the rule; that of an Unlogged is counted on
	Rule    int      `json:"rule"`
	Kind    string   `json:"kind"`            // action, field, name, function, type, event
	Name    string   `json:"name,omitempty"`  // what is not known
	Message string   `json:"message"`         // in words for people
	Names   []string `json:"names,omitempty"` // names that exist
	Line    int      `json:"line,omitempty"`  // of the log, for what depends on an event
	File    string   `json:"file,omitempty"`  // the log of an event that the mapping does not know
}

func (p *Problem) Error() string { return p.Message }
