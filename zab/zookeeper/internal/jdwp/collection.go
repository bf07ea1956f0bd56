package jdwp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The fields of Java's collections are those of OpenJDK 8 to 25, whose names have not changed. A
// subclass is read as its closest superclass in the tables below.

// maxItems limits a walk, so that a list that changes during the walk cannot make it endless.
const maxItems = 1 << 20

// Entry is a key of a map with its value.
type Entry struct {
	Key, Value Value
}

// items are the readers of collections, by class.
var items map[string]func(Object) ([]Value, error)

// entries are the readers of maps, by class.
var entries map[string]func(Object) ([]Entry, error)

func init() { // the readers call each other through the tables
	items = map[string]func(Object) ([]Value, error){
		"java.util.ArrayList":                               slice("elementData", "size"),
		"java.util.Vector":                                  slice("elementData", "elementCount"),
		"java.util.Arrays$ArrayList":                        wholeArray("a"),
		"java.util.concurrent.CopyOnWriteArrayList":         wholeArray("array"),
		"java.util.concurrent.CopyOnWriteArraySet":          inside("al"),
		"java.util.ArrayDeque":                              arrayDeque,
		"java.util.concurrent.ArrayBlockingQueue":           arrayBlockingQueue,
		"java.util.LinkedList":                              linked("first", true),
		"java.util.concurrent.ConcurrentLinkedQueue":        linked("head", false),
		"java.util.concurrent.LinkedBlockingQueue":          linked("head", false),
		"java.util.concurrent.LinkedBlockingDeque":          linked("first", false),
		"java.util.HashSet":                                 keysOf("map"),
		"java.util.TreeSet":                                 keysOf("m"),
		"java.util.concurrent.ConcurrentHashMap$KeySetView": keysOf("map"),
		"java.util.Collections$SetFromMap":                  keysOf("m"),
		"java.util.Collections$SynchronizedCollection":      inside("c"),
		"java.util.Collections$UnmodifiableCollection":      inside("c"),
		"java.util.Collections$CheckedCollection":           inside("c"),
		"java.util.Collections$EmptyList":                   none[Value],
		"java.util.Collections$EmptySet":                    none[Value],
	}
	entries = map[string]func(Object) ([]Entry, error){
		"java.util.HashMap":                      hashMap,
		"java.util.LinkedHashMap":                linkedHashMap,
		"java.util.TreeMap":                      treeMap,
		"java.util.concurrent.ConcurrentHashMap": concurrentHashMap,
		"java.util.Collections$SynchronizedMap":  insideMap("m"),
		"java.util.Collections$UnmodifiableMap":  insideMap("m"),
		"java.util.Collections$EmptyMap":         none[Entry],
	}
}

func none[T any](Object) ([]T, error) { return nil, nil }

// Items returns the elements of a list, queue, deque or set in the order of its iterator. It reads
// fields and calls no method. Suspend the threads that change the collection, or accept a mixture
// of its contents before and after.
func (o Object) Items() ([]Value, error) { return readWith(o, items, "collection") }

// Entries returns the entries of a map in the order of its iterator, see Items. During a resize of
// a ConcurrentHashMap the order may differ.
func (o Object) Entries() ([]Entry, error) { return readWith(o, entries, "map") }

// readWith reads the object with the reader of its closest superclass that has one.
func readWith[T any](o Object, readers map[string]func(Object) (T, error), what string) (out T, err error) {
	first, err := o.Class()
	if err != nil {
		return out, err
	}
	for class := first; !class.IsNull(); {
		name, err := class.Name()
		if err != nil {
			return out, err
		}
		if read := readers[name]; read != nil {
			return read(o)
		}
		if class, err = class.Superclass(); err != nil {
			return out, err
		}
	}
	name, err := first.Name()
	if err != nil {
		return out, err
	}
	known := strings.Join(slices.Sorted(maps.Keys(readers)), ", ")
	return out, fmt.Errorf("jdwp: class %s is no %s that can be read, known are %s: read its fields with Path", name, what, known)
}

// reference returns the object that a field holds.
func (o Object) reference(field string) (Object, error) {
	v, err := o.Field(field)
	if err != nil {
		return Object{}, err
	}
	return v.Object()
}

// integer returns the integer that a field holds.
func (o Object) integer(field string) (int, error) {
	v, err := o.Field(field)
	if err != nil {
		return 0, err
	}
	n, err := v.Int64()
	return int(n), err
}

// slice reads the first elements of an array; a field has their number.
func slice(array, size string) func(Object) ([]Value, error) {
	return func(o Object) ([]Value, error) {
		n, err := o.integer(size)
		if err != nil || n == 0 {
			return nil, err
		}
		a, err := o.reference(array)
		if err != nil {
			return nil, err
		}
		return a.Elements(0, n)
	}
}

// wholeArray reads all elements of an array.
func wholeArray(array string) func(Object) ([]Value, error) {
	return func(o Object) ([]Value, error) {
		a, err := o.reference(array)
		if err != nil {
			return nil, err
		}
		return a.Array()
	}
}

// inside reads the collection that a field holds.
func inside(field string) func(Object) ([]Value, error) {
	return func(o Object) ([]Value, error) {
		c, err := o.reference(field)
		if err != nil {
			return nil, err
		}
		return c.Items()
	}
}

// insideMap reads the map that a field holds.
func insideMap(field string) func(Object) ([]Entry, error) {
	return func(o Object) ([]Entry, error) {
		m, err := o.reference(field)
		if err != nil {
			return nil, err
		}
		return m.Entries()
	}
}

// keysOf reads the keys of the map that a field holds.
func keysOf(field string) func(Object) ([]Value, error) {
	return func(o Object) ([]Value, error) {
		all, err := insideMap(field)(o)
		var out []Value
		for _, e := range all {
			out = append(out, e.Key)
		}
		return out, err
	}
}

// arrayDeque reads a circular array with the elements from head to before tail.
func arrayDeque(o Object) ([]Value, error) {
	head, err := o.integer("head")
	if err != nil {
		return nil, err
	}
	tail, err := o.integer("tail")
	if err != nil {
		return nil, err
	}
	return circular(o, "elements", head, func(n int) int { return (tail - head + n) % n })
}

// arrayBlockingQueue reads a circular array; a field has the number of elements.
func arrayBlockingQueue(o Object) ([]Value, error) {
	head, err := o.integer("takeIndex")
	if err != nil {
		return nil, err
	}
	count, err := o.integer("count")
	if err != nil {
		return nil, err
	}
	return circular(o, "items", head, func(int) int { return count })
}

// circular reads elements of an array from head on, modulo its length.
func circular(o Object, array string, head int, count func(length int) int) ([]Value, error) {
	a, err := o.reference(array)
	if err != nil {
		return nil, err
	}
	all, err := a.Array()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var out []Value
	for k := range count(len(all)) {
		out = append(out, all[(head+k)%len(all)])
	}
	return out, nil
}

// linked reads nodes with the fields item and next. If the collection cannot hold null, a node
// without an item is a dummy or deleted. A node that a concurrent queue removed points to itself.
func linked(first string, nulls bool) func(Object) ([]Value, error) {
	return func(o Object) ([]Value, error) {
		node, err := o.reference(first)
		if err != nil {
			return nil, err
		}
		var out []Value
		for n := 0; !node.IsNull(); n++ {
			v, err := node.Fields("item", "next")
			if err != nil {
				return nil, err
			}
			if nulls || !v[0].IsNull() {
				out = append(out, v[0])
			}
			next := Object{o.vm, ID(v[1].bits)}
			if next == node || n > maxItems {
				return nil, errors.New("jdwp: a queue changed while it was read: suspend the threads that change it")
			}
			node = next
		}
		return out, nil
	}
}

// Bits returns the indices of the bits that are set in a java.util.BitSet, in ascending order.
func (o Object) Bits() ([]int, error) {
	n, err := o.integer("wordsInUse")
	if err != nil {
		return nil, err
	}
	words, err := o.reference("words")
	if err != nil {
		return nil, err
	}
	values, err := words.Elements(0, n)
	if err != nil {
		return nil, err
	}
	var out []int
	for k, v := range values {
		for bit := range 64 {
			if v.bits>>bit&1 != 0 {
				out = append(out, 64*k+bit)
			}
		}
	}
	return out, nil
}
