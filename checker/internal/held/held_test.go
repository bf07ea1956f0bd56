package held

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

type leaf struct {
	Number int
	text   string
}

type node struct {
	leaf
	next   *node
	leaves map[uint64]*leaf
	list   []*leaf
	any    any
	call   func()
	inner  struct{ flag bool }
	bytes  []byte
}

const own = "github.com/multigrain/multigrain/checker/internal/held"

// of returns the sums of one moment.
func of(packages []string, roots ...any) Sums {
	o := New(packages...)
	o.Add(roots...)
	return o.Sums()
}

func sample() *node {
	a := &leaf{1, "a"}
	n := &node{leaf: leaf{7, "n"}, leaves: map[uint64]*leaf{}, list: []*leaf{a, {2, "b"}}, any: leaf{3, "c"}, bytes: []byte("some bytes")}
	for k := range uint64(20) {
		n.leaves[k] = &leaf{int(k), "leaf"}
	}
	n.leaves[20] = a
	n.next = &node{next: n}
	return n
}

func TestOf(t *testing.T) {
	want := of([]string{own}, sample())
	for range 20 { // maps are iterated in random order, and objects lie elsewhere
		if got := of([]string{own}, sample()); !maps.Equal(got, want) {
			t.Fatalf("two equal values have other sums: %v and %v", got, want)
		}
	}
	if other := of([]string{"elsewhere"}, sample()); len(other) != 0 {
		t.Errorf("structs of other packages are entered: %v", other)
	}
	for _, test := range []struct {
		name   string
		change func(n *node)
		fields []string // all that differ
	}{
		{"a number", func(n *node) { n.Number++ }, []string{"leaf.Number", "node.leaf", "node.next"}},
		{"a text", func(n *node) { n.list[1].text = "x" }, []string{"leaf.text", "node.list", "node.next"}},
		{"an object in a map", func(n *node) { n.leaves[4].Number = -1 }, []string{"leaf.Number", "node.leaves", "node.next"}},
		{"an entry of a map", func(n *node) { delete(n.leaves, 4) }, []string{"leaf.Number", "leaf.text", "node.leaves", "node.next"}},
		{"another pointer", func(n *node) { n.leaves[5] = n.leaves[6] }, []string{"leaf.Number", "leaf.text", "node.leaves", "node.next"}},
		{"a value behind an interface", func(n *node) { n.any = leaf{4, "c"} }, []string{"leaf.Number", "node.any", "node.next"}},
		{"another type behind an interface", func(n *node) { n.any = 5 }, []string{"leaf.Number", "leaf.text", "node.any", "node.next"}},
		{"two elements", func(n *node) { slices.Reverse(n.list) }, []string{"leaf.Number", "leaf.text", "node.list", "node.next"}},
		{"a field of a struct without a name", func(n *node) { n.inner.flag = true }, []string{".flag", "node.inner", "node.next"}},
		{"bytes", func(n *node) { n.bytes[9] = 'x' }, []string{"node.bytes", "node.next"}},
		{"no slice", func(n *node) { n.bytes = nil }, []string{"node.bytes", "node.next"}},
		{"a function", func(n *node) { n.call = func() {} }, []string{"node.call", "node.next"}},
		{"an object that is far away", func(n *node) { n.next.text = "far" }, []string{"leaf.text", "node.leaf", "node.next"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := sample()
			test.change(n)
			got := of([]string{own}, n)
			var differ []string
			for name := range maps.Keys(want) {
				if got[name] != want[name] {
					differ = append(differ, name[len(own)+1:])
				}
			}
			if slices.Sort(differ); !slices.Equal(differ, test.fields) {
				t.Errorf("%v differ, and not %v", differ, test.fields)
			}
		})
	}
}

// TestSharedArray: elements of a slice that only a longer slice of the same array has count, too.
func TestSharedArray(t *testing.T) {
	sums := func(text string) Sums {
		leaves := []*leaf{{1, "a"}, {2, text}}
		return of([]string{own}, &struct{ short, long []*leaf }{leaves[:1], leaves})
	}
	if field := own + ".leaf.text"; sums("b")[field] == sums("c")[field] {
		t.Error("the second element does not count")
	}
}

// TestThen holds that the order of moments counts, and that a moment in which a field is not there
// does.
func TestThen(t *testing.T) {
	sums := func(all ...Sums) Sums {
		out := Sums{}
		for _, s := range all {
			out.Then(s)
		}
		return out
	}
	a, b := Sums{"f": 1, "g": 2}, Sums{"f": 3}
	if maps.Equal(sums(a, b), sums(b, a)) {
		t.Error("the order does not count")
	}
	if sums(a, b)["g"] == sums(a)["g"] {
		t.Error("a moment without the field does not count")
	}
	if !maps.Equal(sums(a, b), sums(a, b)) {
		t.Error("equal moments have other sums")
	}
}

func BenchmarkAdd(b *testing.B) {
	o := New(own)
	n := sample()
	for range b.N {
		n.Number = rand.Int()
		o.Add(n)
	}
}
