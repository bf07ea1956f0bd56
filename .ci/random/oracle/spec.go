// Package oracle interprets a specification that is a syntax tree, and explores it in the most
// obvious way: every state is kept whole, successors are made one instance at a time, and properties
// are judged by definition. It imports the standard library only, so it shares no code with the
// programs that it is compared with.
//
//   - spec.go: the syntax tree. It is JSON in the files of kept specifications.
//   - state.go, eval.go, effect.go: states, and what expressions and statements do with them.
//   - step.go: guards, rules and budgets make the instances of a state.
//   - search.go: breadth-first search and what it finds.
//   - live.go: liveness under weak fairness, by the subsets of states that can repeat for ever.
//   - orbit.go: states up to permutations of the nodes.
//   - replay.go: whether a counterexample is a behaviour.
//   - view.go, compare.go: what a module under test observes, and levels L1 and L2.
package oracle

// Spec is a specification.
type Spec struct {
	Name  string
	Nodes int // 2 or 3
	Vars  []Var
	// Inits make the initial states: each is a list of statements on the state of zeros, in which
	// sets and maps are empty and references name nobody. A statement list with Each makes one
	// state for each node q.
	Inits       []Init
	Modules     []Module
	Actions     []Action
	Rules       []Rule
	Budgets     []Budget
	Properties  []Property
	Constraints []Property
	Liveness    []Leads
	Coarse      []Coarse
	Deadlock    bool // deadlocks are violations
}

// Init is a list of statements that make initial states.
type Init struct {
	Each bool
	Body []*Node
}

// Kinds of variables. Numbers are from 0 to Max.
const (
	Num   = "num"
	Flag  = "flag"
	Ref   = "ref"  // a node, or nobody
	Nums  = "nums" // one element for each node, as Flags and Sets
	Flags = "flags"
	Set   = "set"  // of nodes
	Sets  = "sets" // a set for each node
	Seq   = "seq"  // of at most Cap numbers
	Map   = "map"  // from nodes to numbers
	Recs  = "recs" // a set of at most Cap pairs of numbers
	Net   = "net"  // channels of at most Cap messages, first in first out
	Bag   = "bag"  // channels of at most Cap messages without an order
)

// Var is a variable. A message has a kind, from 1 to Kinds, and a number.
type Var struct {
	Name       string
	Kind       string
	Max        int
	Cap, Kinds int
}

// Module is a module with its baseline, which has the actions that name it.
type Module struct {
	Name        string
	Environment bool
	Target      bool
}

// Domains of parameters.
const (
	Once      = "once"
	Each      = "each"      // I
	Pairs     = "pairs"     // I and J, which differ
	Links     = "links"     // I below J
	Positions = "positions" // I, J that differ, and K from 1
	Subsets   = "subsets"   // I and a set that holds it
	Quorums   = "quorums"   // I and a set of more than half that holds it
)

// Action is an action of a module.
type Action struct {
	Name   string
	Module int
	Domain string
	Depth  int // of Positions
	Guard  *Node
	Effect []*Node
}

// Rule forbids a step or adds to it. On is an action; -1 is every action but those of Except.
type Rule struct {
	On     int
	Except []int
	When   *Node   // nil for an After rule
	After  []*Node // on the state after
}

// Budget bounds how often its actions happen along a behaviour.
type Budget struct {
	Name    string
	Actions []int
	Limit   int
}

// Kinds of properties.
const (
	State  = "state"
	Step   = "step"
	Assert = "assert"
)

// Property is an invariant or a constraint. A step property is about the steps of action On, or of
// all if that is -1.
type Property struct {
	ID    string
	Kind  string
	On    int
	Holds *Node
	Raise int // of Assert: the number of the assertion
}

// Leads is a liveness property: from each state in which From is true, one follows in which To is.
// A nil From asks in the initial states. Each asks for every node, as I.
type Leads struct {
	ID       string
	Each     bool
	From, To *Node
	Unfair   []int
}

// Coarse is a coarse grain of a module: it has the actions of Keep and those of its own, which are
// not in Spec.Actions. Rules on the others are void.
type Coarse struct {
	Name   string
	Module int
	Keep   []int
	Own    []Action
	How    string // in words
}

// Node is an expression or a statement. Reads of variables are of the state before or, with Next, of
// the state after. Who and Peer name nodes: I, J, q, or a digit.
type Node struct {
	Op        string
	Var       int     `json:",omitempty"`
	Next      bool    `json:",omitempty"`
	N         int     `json:",omitempty"`
	Who, Peer string  `json:",omitempty"`
	Args      []*Node `json:",omitempty"`
	Body      []*Node `json:",omitempty"` // of if, for and quantifiers
	Else      []*Node `json:",omitempty"`
}

// Clone returns a copy.
func (n *Node) Clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Args, c.Body, c.Else = CloneAll(n.Args), CloneAll(n.Body), CloneAll(n.Else)
	return &c
}

// CloneAll returns copies.
func CloneAll(list []*Node) []*Node {
	var out []*Node
	for _, n := range list {
		out = append(out, n.Clone())
	}
	return out
}

// Walk calls visit for n and every node below it.
func (n *Node) Walk(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, list := range [][]*Node{n.Args, n.Body, n.Else} {
		for _, c := range list {
			c.Walk(visit)
		}
	}
}

// Composition returns the specification in which a coarse grain replaces the baseline of its module,
// with the actions in another order: those of other modules and kept ones, then the coarse ones.
func (s *Spec) Composition(coarse int) *Spec {
	c := *s
	g := s.Coarse[coarse]
	at := map[int]int{} // number in c by number in s
	c.Actions = nil
	keep := map[int]bool{}
	for _, a := range g.Keep {
		keep[a] = true
	}
	for k, a := range s.Actions {
		if a.Module != g.Module || keep[k] {
			at[k] = len(c.Actions)
			c.Actions = append(c.Actions, a)
		}
	}
	c.Actions = append(c.Actions, g.Own...)
	moved := func(list []int) (out []int) {
		for _, k := range list {
			if to, ok := at[k]; ok {
				out = append(out, to)
			}
		}
		return out
	}
	c.Rules = nil
	for _, r := range s.Rules {
		if r.On >= 0 {
			to, ok := at[r.On]
			if !ok {
				continue
			}
			r.On = to
		}
		r.Except = moved(r.Except)
		c.Rules = append(c.Rules, r)
	}
	c.Budgets = nil
	for _, b := range s.Budgets {
		b.Actions = moved(b.Actions)
		c.Budgets = append(c.Budgets, b)
	}
	c.Properties = nil
	for _, p := range s.Properties {
		if p.Kind == Step && p.On >= 0 {
			continue // about steps that one of the compositions may lack
		}
		c.Properties = append(c.Properties, p)
	}
	return &c
}
