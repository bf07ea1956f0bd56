package rounds_test

import (
	"slices"
	"strconv"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/rounds"
)

// oracle takes uniform executions round by round. It was written from the definition in doc.go,
// apart from the machine. It knows the actions of two specifications by their names, and uses
// neither footprints nor the bytes of messages.
type oracle[T any] struct {
	spec     *checker.Spec[T]
	servers  int
	lengths  func(n *T, i, j int) int
	parts    map[string]string // by action: deliver, internal, joint, fault
	schedule rounds.Schedule
	late     bool
}

// place is where an execution stands. Sent has for each channel, by sender*servers + receiver, the
// rounds of its messages.
type place[T any] struct {
	node  T
	round int // from 1; rounds + 1 at the end
	part  int // 0 repair, 1 faults, 2 deliver, 3 internal
	sent  [][]int
	done  []int // not again in this part
}

const endOfPart = -1

func (o *oracle[T]) start(n T) *place[T] {
	p := &place[T]{node: n, round: 1}
	for i := range o.servers {
		for j := range o.servers {
			p.sent = append(p.sent, slices.Repeat([]int{0}, o.lengths(&n, i, j)))
		}
	}
	return p
}

// param returns a field of an instance's parameter; -1 if it has none.
func (o *oracle[T]) param(k int, name string) int {
	params := o.spec.Instances[k].Params
	at := slices.Index(params.Names, name)
	if at < 0 {
		return -1
	}
	x, err := strconv.Atoi(params.Elems[at].Text)
	if err != nil {
		panic(err)
	}
	return x
}

// moves returns the instances that may be taken, and endOfPart where the part may end.
func (o *oracle[T]) moves(p *place[T]) (out []int) {
	if p.round > len(o.schedule) {
		return nil
	}
	for k := range o.spec.Instances {
		if o.spec.Enabled(&p.node, k) && !slices.Contains(p.done, k) && o.allowed(p, k) {
			out = append(out, k)
		}
	}
	if p.part == 1 || p.part == 3 || len(out) == 0 {
		out = append(out, endOfPart)
	}
	return out
}

func (o *oracle[T]) isolated(p *place[T], i int) bool {
	return i >= 0 && o.schedule[p.round-1]>>i&1 == 1
}

func (o *oracle[T]) allowed(p *place[T], k int) bool {
	i, j := o.param(k, "I"), o.param(k, "J")
	apart := o.isolated(p, i) || o.isolated(p, j)
	switch o.parts[o.spec.Actions[o.spec.Instances[k].Action].Name] {
	case "fault":
		return p.part == 1 && apart
	case "deliver":
		if p.part != 2 || apart {
			return false
		}
		first := p.sent[j*o.servers+i][0]
		return first == p.round-1 || o.late && first < p.round
	case "internal":
		return p.part == 3
	case "joint":
		return p.part == 3 && !apart
	}
	panic("an unknown action")
}

// move makes a move.
func (o *oracle[T]) move(p *place[T], k int) *place[T] {
	q := &place[T]{node: p.node, round: p.round, part: p.part, done: slices.Clone(p.done)}
	for _, s := range p.sent {
		q.sent = append(q.sent, slices.Clone(s))
	}
	if k == endOfPart {
		q.done = nil
		if q.part++; q.part == 4 {
			q.part = 0
			for i := range o.servers {
				for j := range o.servers {
					if !o.isolated(p, i) && !o.isolated(p, j) {
						for x, sent := range q.sent[i*o.servers+j] {
							if sent == p.round-1 || o.late && sent < p.round {
								q.sent[i*o.servers+j][x] = p.round
							}
						}
					}
				}
			}
			q.round++
		}
		return q
	}
	o.spec.Apply(&p.node, &q.node, k)
	i, j := o.param(k, "I"), o.param(k, "J")
	received := false
	if o.parts[o.spec.Actions[o.spec.Instances[k].Action].Name] == "deliver" && o.spec.Actions[o.spec.Instances[k].Action].Name != "UpdateTerm" {
		at := j*o.servers + i
		q.sent[at] = q.sent[at][1:]
		received = true
	}
	lost := false
	for a := range o.servers {
		for b := range o.servers {
			at, is := a*o.servers+b, o.lengths(&q.node, a, b)
			if is < len(q.sent[at]) { // single messages are lost only where one is in flight
				q.sent[at], lost = nil, true
			}
			for len(q.sent[at]) < is {
				q.sent[at] = append(q.sent[at], p.round)
			}
		}
	}
	if !received && !(lost && p.part == 1) {
		q.done = append(q.done, k)
		slices.Sort(q.done)
	}
	return q
}
