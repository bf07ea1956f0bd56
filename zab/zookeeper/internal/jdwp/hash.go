package jdwp

import "fmt"

// table returns the nodes that start the bins of a hash table; nil where a bin or the table is
// empty.
func (o Object) table(field string) ([]Object, error) {
	t, err := o.reference(field)
	if err != nil || t.IsNull() {
		return nil, err
	}
	bins, err := t.Array()
	if err != nil {
		return nil, err
	}
	out := make([]Object, len(bins))
	for k, v := range bins {
		out[k] = Object{o.vm, ID(v.bits)}
	}
	return out, nil
}

// chain appends the entries of the nodes from one on, which are linked through a field.
func chain(out []Entry, node Object, value, next string) ([]Entry, error) {
	for !node.IsNull() {
		v, err := node.Fields("key", value, next)
		if err != nil {
			return nil, err
		}
		out = append(out, Entry{v[0], v[1]})
		if len(out) > maxItems {
			return nil, fmt.Errorf("jdwp: a map has more than %d entries, or changed while it was read", maxItems)
		}
		node = Object{node.vm, ID(v[2].bits)}
	}
	return out, nil
}

// hashMap reads bin after bin. The nodes of a bin that became a tree are still linked by next.
func hashMap(o Object) (out []Entry, err error) {
	bins, err := o.table("table")
	if err != nil {
		return nil, err
	}
	for _, node := range bins {
		if out, err = chain(out, node, "value", "next"); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// linkedHashMap reads the list through all nodes, which keeps the order of insertion.
func linkedHashMap(o Object) ([]Entry, error) {
	head, err := o.reference("head")
	if err != nil {
		return nil, err
	}
	return chain(nil, head, "value", "after")
}

// treeMap walks the tree in order of the keys.
func treeMap(o Object) ([]Entry, error) {
	root, err := o.reference("root")
	if err != nil {
		return nil, err
	}
	var out []Entry
	type step struct {
		node Object
		e    Entry
	}
	var above []step // nodes whose left subtree is being read
	for node := root; !node.IsNull() || len(above) > 0; {
		if len(out)+len(above) > maxItems {
			return nil, fmt.Errorf("jdwp: a TreeMap has more than %d entries, or changed while it was read", maxItems)
		}
		if !node.IsNull() {
			v, err := node.Fields("key", "value", "left", "right")
			if err != nil {
				return nil, err
			}
			above = append(above, step{Object{o.vm, ID(v[3].bits)}, Entry{v[0], v[1]}})
			node = Object{o.vm, ID(v[2].bits)}
			continue
		}
		last := above[len(above)-1]
		above = above[:len(above)-1]
		out = append(out, last.e)
		node = last.node
	}
	return out, nil
}

// Hashes of nodes of a ConcurrentHashMap that hold no entry themselves.
const (
	hashMoved    = -1 // the bin was moved to a larger table
	hashTree     = -2 // the bin is a tree, whose nodes are also linked from the field first
	hashReserved = -3 // computeIfAbsent is computing the bin's first entry
)

// concurrentHashMap reads bin after bin, and follows bins that a resize has moved.
func concurrentHashMap(o Object) (out []Entry, err error) {
	bins, err := o.table("table")
	if err != nil {
		return nil, err
	}
	for k, node := range bins {
		if out, err = concurrentBin(out, node, k, len(bins)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// concurrentBin appends the entries of bin k of a table with n bins. A resize moves its entries to
// bins k and k+n of the next table, which is twice as large.
func concurrentBin(out []Entry, node Object, k, n int) ([]Entry, error) {
	if node.IsNull() {
		return out, nil
	}
	hash, err := node.integer("hash")
	if err != nil {
		return nil, err
	}
	switch {
	case hash >= 0:
		return chain(out, node, "val", "next")
	case hash == hashReserved:
		return out, nil
	case hash == hashTree:
		first, err := node.reference("first")
		if err != nil {
			return nil, err
		}
		return chain(out, first, "val", "next")
	case hash != hashMoved:
		return nil, fmt.Errorf("jdwp: a node of a ConcurrentHashMap has hash %d, known are %d to %d and positive ones", hash, hashReserved, hashMoved)
	}
	next, err := node.table("nextTable")
	if err != nil {
		return nil, err
	}
	for _, at := range []int{k, k + n} {
		if at >= len(next) {
			return nil, fmt.Errorf("jdwp: the next table of a ConcurrentHashMap has %d bins, and %d was expected", len(next), 2*n)
		}
		if out, err = concurrentBin(out, next[at], at, len(next)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
