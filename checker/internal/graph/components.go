package graph

// What it computes. The strongly connected components of a graph, numbered so that edges between
// components lead to smaller numbers.
//
// Why it is right. It is Tarjan's algorithm: a node is the root of a component exactly if no edge
// from its subtree leads to an open node that was entered earlier. A component is closed after all
// components that it reaches, so those have smaller numbers.
//
// What it costs. Time is linear in nodes and edges. The stack is a slice, so depth does not matter.
//
// Example.
//
//	a --> b --> c        {c} gets 0
//	^     |              {a, b} gets 1, since its edge to c leads to a smaller number
//	+-----+

// Components finds the strongly connected components of a graph (Tarjan, "Depth-first search and
// linear graph algorithms", 1972, without recursion, so that deep graphs do not exhaust the stack).
// It sets of, which has an element for each node, to the nodes' components, and returns how many
// there are. They are numbered from 0 on, and edges between components lead to smaller numbers.
//
// from returns the edges of a node. Only nodes for which in reports true belong to the graph, all
// if in is nil. The others have the component None, and edges to them or to None are ignored.
// found, if not nil, is called for each component, when its nodes have their number.
func Components(of []uint32, from func(k uint32) []Edge, in func(k uint32) bool, found func(nodes []uint32, component uint32)) (count uint32) {
	t := &tarjan{from: from, in: in, found: found, of: of, index: make([]uint32, len(of)), low: make([]uint32, len(of))}
	for k := range of {
		of[k] = None
	}
	for root := range uint32(len(of)) {
		if t.index[root] == 0 && (in == nil || in(root)) {
			t.search(root)
		}
	}
	return t.count
}

// tarjan is a depth-first search.
type tarjan struct {
	from  func(k uint32) []Edge
	in    func(k uint32) bool
	found func(nodes []uint32, component uint32)

	of    []uint32 // the result
	count uint32   // of components

	index   []uint32 // when a node was entered, from 1 on; 0: it was not
	low     []uint32 // the least index that is known to be in the node's component
	entered uint32   // how many nodes were entered
	open    []uint32 // nodes without a component yet
	calls   []call
}

// call is a node whose edges are being walked.
type call struct{ node, edge uint32 }

func (t *tarjan) enter(k uint32) {
	t.entered++
	t.index[k], t.low[k] = t.entered, t.entered
	t.open = append(t.open, k)
	t.calls = append(t.calls, call{node: k})
}

// search walks what can be reached from a node.
func (t *tarjan) search(root uint32) {
	t.enter(root)
	for len(t.calls) > 0 {
		c := &t.calls[len(t.calls)-1]
		k := c.node
		if t.deeper(c) {
			continue
		}
		t.calls = t.calls[:len(t.calls)-1]
		if len(t.calls) > 0 {
			p := t.calls[len(t.calls)-1].node
			t.low[p] = min(t.low[p], t.low[k])
		}
		if t.low[k] == t.index[k] {
			t.close(k)
		}
	}
}

// deeper walks the edges of a call up to one to a node that was not entered, which it enters. It
// reports whether there is one.
func (t *tarjan) deeper(c *call) bool {
	k, edges := c.node, t.from(c.node)
	for int(c.edge) < len(edges) {
		to := edges[c.edge].To
		c.edge++
		switch {
		case to == None || t.in != nil && !t.in(to):
		case t.index[to] == 0:
			t.enter(to)
			return true
		case t.of[to] == None:
			t.low[k] = min(t.low[k], t.index[to])
		}
	}
	return false
}

// close makes a component of the open nodes from k on.
func (t *tarjan) close(k uint32) {
	at := len(t.open) - 1
	for t.open[at] != k {
		at--
	}
	component := t.count
	t.count++
	for _, x := range t.open[at:] {
		t.of[x] = component
	}
	if t.found != nil {
		t.found(t.open[at:], component)
	}
	t.open = t.open[:at]
}
