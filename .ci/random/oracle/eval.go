package oracle

import (
	"fmt"
	"math/bits"
	"slices"
)

// Machine interprets a specification.
type Machine struct {
	Spec      *Spec
	first     []int // slot of each variable
	slots     int
	Instances []Instance
}

// Param is a value of an action's parameter. Fields that its domain lacks are 0. The set of Subsets
// and Quorums is K, a bit for each node.
type Param struct{ I, J, K int }

// Instance is an action with a parameter.
type Instance struct {
	Action int
	Param
}

// New returns a machine.
func New(s *Spec) *Machine {
	m := &Machine{Spec: s}
	m.first, m.slots = s.layout()
	for a := range s.Actions {
		for _, p := range s.params(&s.Actions[a]) {
			m.Instances = append(m.Instances, Instance{a, p})
		}
	}
	return m
}

func (s *Spec) params(a *Action) (out []Param) {
	switch a.Domain {
	case Once:
		return []Param{{}}
	case Each:
		for i := range s.Nodes {
			out = append(out, Param{I: i})
		}
		return out
	case Subsets, Quorums:
		for i := range s.Nodes {
			for set := range 1 << s.Nodes {
				if set>>i&1 == 1 && (a.Domain == Subsets || 2*bits.OnesCount(uint(set)) > s.Nodes) {
					out = append(out, Param{I: i, K: set})
				}
			}
		}
		return out
	}
	for i := range s.Nodes {
		for j := range s.Nodes {
			switch {
			case i == j || a.Domain == Links && i > j:
			case a.Domain == Positions:
				for k := range a.Depth {
					out = append(out, Param{i, j, k + 1})
				}
			default:
				out = append(out, Param{I: i, J: j})
			}
		}
	}
	return out
}

// scope is what names mean.
type scope struct {
	m       *Machine
	s, n    *Value // the states before and after
	p       Param
	q       int   // of the innermost loop
	message int   // the number of the message that was received
	lets    []int // local variables
}

func (c *scope) node(who string) int {
	switch who {
	case "I":
		return c.p.I
	case "J":
		return c.p.J
	case "q":
		return c.q
	case "nobody":
		return -1
	}
	return int(who[0] - '0')
}

// of returns the state that an expression reads.
func (c *scope) of(e *Node) *Value {
	if e.Next {
		return c.n
	}
	return c.s
}

// slot returns what a variable has.
func (c *scope) slot(e *Node) []int { return c.of(e).Slot[c.m.first[e.Var]] }

// num evaluates an expression that is a number.
func (c *scope) num(e *Node) int {
	switch e.Op {
	case "const":
		return e.N
	case "num":
		return c.slot(e)[0]
	case "elem":
		return c.slot(e)[c.node(e.Who)]
	case "sum": // of Nums
		sum := 0
		for _, x := range c.slot(e) {
			sum += x
		}
		return sum
	case "count": // of Flags or Set
		return ones(c.slot(e))
	case "countof": // of an element of Sets
		i := c.node(e.Who) * c.m.Spec.Nodes
		return ones(c.slot(e)[i : i+c.m.Spec.Nodes])
	case "len": // of Seq or Recs
		return len(c.slot(e))
	case "last":
		if list := c.slot(e); len(list) > 0 {
			return list[len(list)-1]
		}
		return 0
	case "mapat":
		return max(c.slot(e)[c.node(e.Who)], 0)
	case "maplen":
		n := 0
		for _, x := range c.slot(e) {
			if x >= 0 {
				n++
			}
		}
		return n
	case "flight": // messages from Who to Peer
		return len(c.of(e).Slot[c.m.channel(e.Var, c.node(e.Who), c.node(e.Peer))])
	case "msg":
		return c.message
	case "local":
		return c.lets[e.N]
	case "add":
		return c.num(e.Args[0]) + c.num(e.Args[1])
	case "mul":
		return c.num(e.Args[0]) * c.num(e.Args[1])
	case "mod":
		return c.num(e.Args[0]) % e.N
	}
	panic("oracle: no number is " + e.Op)
}

func ones(list []int) int {
	n := 0
	for _, x := range list {
		n += x
	}
	return n
}

// is evaluates a condition. A nil one is true.
func (c *scope) is(e *Node) bool {
	if e == nil {
		return true
	}
	switch e.Op {
	case "true":
		return true
	case "not":
		return !c.is(e.Args[0])
	case "and":
		return c.is(e.Args[0]) && c.is(e.Args[1])
	case "or":
		return c.is(e.Args[0]) || c.is(e.Args[1])
	case "eq":
		return c.num(e.Args[0]) == c.num(e.Args[1])
	case "lt":
		return c.num(e.Args[0]) < c.num(e.Args[1])
	case "le":
		return c.num(e.Args[0]) <= c.num(e.Args[1])
	case "flag":
		return c.slot(e)[0] == 1
	case "flagof", "has": // of Flags, of Set
		return c.slot(e)[c.node(e.Who)] == 1
	case "hasof": // of Sets
		return c.slot(e)[c.node(e.Who)*c.m.Spec.Nodes+c.node(e.Peer)] == 1
	case "refis":
		return c.slot(e)[0] == c.node(e.Who)
	case "insub":
		return c.p.K>>c.node(e.Who)&1 == 1
	case "same":
		return c.node(e.Who) == c.node(e.Peer)
	case "inmap":
		return c.slot(e)[c.node(e.Who)] >= 0
	case "inrecs":
		return slices.Contains(c.slot(e), c.record(e))
	case "is": // of Net: the first message is of kind N
		list := c.of(e).Slot[c.m.channel(e.Var, c.node(e.Who), c.node(e.Peer))]
		return len(list) > 0 && list[0]/16 == e.N
	case "isat": // of Bag: message K is of kind N and differs from the one before it
		list := c.of(e).Slot[c.m.channel(e.Var, c.node(e.Who), c.node(e.Peer))]
		k := c.p.K
		return k <= len(list) && (k == 1 || list[k-1] != list[k-2]) && list[k-1]/16 == e.N
	case "broken":
		return c.slot(e)[c.node(e.Who)*c.m.Spec.Nodes+c.node(e.Peer)] == 1
	case "all", "any":
		inner := *c
		for inner.q = range c.m.Spec.Nodes {
			if inner.is(e.Body[0]) != (e.Op == "all") {
				return e.Op == "any"
			}
		}
		return e.Op == "all"
	}
	panic("oracle: no condition is " + e.Op)
}

// record returns the record that two numbers make, each up to the variable's Max.
func (c *scope) record(e *Node) int {
	top := c.m.Spec.Vars[e.Var].Max + 1
	return c.num(e.Args[0])%top*16 + c.num(e.Args[1])%top
}

func (p Param) String() string { return fmt.Sprintf("(I: %d, J: %d, K: %d)", p.I, p.J, p.K) }
