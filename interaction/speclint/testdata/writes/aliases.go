package writes

import "github.com/multigrain/multigrain/modules"

// Ways by which a pointer into the state gets to where it is written through.

type Outer struct{ Node }

type Deep struct {
	Outer [2]Outer
	Votes modules.Set[Server]
	Table [2]modules.Map[Server, uint8, [2]uint8]
}

func (m *Node) clear() { *m = Node{} }

func (m Node) cleared() Node { m.clear(); return m }

type doer struct{ do func() }

type pair struct{ a, b *Deep }

func (p pair) run() { p.b.Votes = 0 }

func parts(d *Deep) (votes *modules.Set[Server], rest *Outer) { return &d.Votes, &d.Outer[0] }

func named(d *Deep) (m *Node) {
	m = &d.Outer[1].Node
	return
}

func apply(f func(*Node), m *Node) { f(m) }

func nested(f func(func(*Node)), do func(*Node)) { f(do) }

func through(d *Deep, depth int, do func(*Deep)) {
	if depth == 0 {
		do(d)
		return
	}
	through(d, depth-1, func(e *Deep) { do(e) })
}

type list[T any] struct{ items []*T }

func (l *list[T]) add(t *T) { l.items = append(l.items, t) }

func (l *list[T]) first() *T { return l.items[0] }

var Aliases = modules.Action[Deep, modules.None]{
	Name:   "Aliases",
	Params: modules.Once,
	Guard: func(s *Deep, _ modules.None) bool {
		s.Outer[0].clear()              // want `MG421: the guard of Aliases writes s.Outer\[\].Node: clear writes through it`
		(*Node).clear(&s.Outer[0].Node) // want `MG421`
		votes, rest := parts(s)
		votes.Add(1)                                                // want `MG421`
		rest.Epoch = 1                                              // want `MG421`
		named(s).Epoch++                                            // want `MG421`
		apply((*Node).clear, &s.Outer[0].Node)                      // want `MG421: the guard of Aliases writes s.Outer\[\].Node: apply writes through it`
		apply(func(m *Node) { m.Epoch = 1 }, &s.Outer[0].Node)      // want `MG421`
		nested(func(do func(*Node)) { do(&s.Outer[1].Node) }, bump) // want `MG421`
		through(s, 3, func(d *Deep) { d.Votes = 1 })                // want `MG421: the guard of Aliases writes s: through writes through it`
		pair{s, s}.run()                                            // want `MG421`
		d := doer{func() { s.Votes = 2 }}                           // want `MG421: the guard of Aliases writes s.Votes`
		d.do()
		fs := [...]func(*Deep){func(*Deep) {}, func(d *Deep) { d.Votes = 3 }}
		for _, f := range fs {
			f(s) // want `MG421: the guard of Aliases writes s: a function literal writes through it`
		}
		var l list[Node]
		l.add(&s.Outer[0].Node) // want `MG421: the guard of Aliases writes s.Outer\[\].Node: add writes through it`
		l.first().Epoch = 2     // want `MG421: the guard of Aliases writes first\(\).Epoch`
		t := &s.Table[1]
		put := t.Put // want `MG421`
		put(0, 1)
		row := s.Outer[:]
		row[0].Epoch = 1 // want `MG421`
		p := &s
		(*p).Votes = 1 // want `MG421`
		var q *Deep
		func() { q = s }()
		q.Votes = 1 // want `MG421`
		arr := (*[1]Outer)(row)
		arr[0].Epoch = 1         // want `MG421`
		for i := range each(s) { // want `MG434` `MG421: the guard of Aliases writes s: each writes through it`
			*i = Node{}
		}

		// These write copies.
		c := *s
		c.Outer[0].clear()
		c.Votes.Add(1)
		m := s.Outer[0].cleared()
		m.Epoch = 1
		for _, o := range s.Outer {
			o.clear()
		}
		pick(&c, &Deep{}, true).Votes = 1
		with := s.Votes.With(1)
		with.Remove(1)
		return c.Votes == with
	},
	Effect: func(s, n *Deep, _ modules.None) {
		update := func(i int) { n.Outer[i] = s.Outer[i] }
		update(0)
		for _, step := range []func(d *Deep){(*Deep).grow} {
			step(n)
		}
		fresh := &Deep{}
		*fresh = *s
		fresh.Votes = 0
		*n = *fresh
		swap(&n.Outer[0], &n.Outer[1])
		swap(&s.Outer[0], &n.Outer[1]) // want `MG422`
	},
}

func (d *Deep) grow() { d.Votes.Add(0) }

func swap[T any](a, b *T) { *a, *b = *b, *a }

func each(d *Deep) func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) {
		for i := range d.Outer {
			if !yield(&d.Outer[i].Node) {
				return
			}
		}
	}
}
