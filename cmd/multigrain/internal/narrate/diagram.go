package narrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. A sequence diagram of any trace: the messages with the steps that send them and
// that receive or lose them, and the links that are disconnected and mended.
//
// Why it is right. A variable that is a square array of sequences, sets or multisets is taken to be
// the channels between nodes. Compare a channel before and after a step.
//
//   - A sequence is a queue. The longest tail of the old messages that is a subsequence at the
//     start of the new ones was kept. The old messages that are not in it are gone, and the new
//     ones that follow it were sent. Where several choices explain a step, the first messages are
//     gone.
//   - In a multiset the order means nothing: a message can have any place among the others. The
//     messages that there are fewer of are gone, and those that there are more of were sent. Of
//     equal messages the one that was sent first is gone. Nobody can tell them apart, so this is
//     one of the behaviours that the trace describes. Sets are compared in the same way.
//
// A message that its receiver's step takes is received. If another node or the environment takes
// it, it is lost. If the environment adds a message that is in flight already, it is a copy.
//
// What it costs. For each channel that a step changes, the product of its lengths at most. Channels
// are short.
//
// Example. Channel 0 to 1 in three steps:
//
//	<<>>      Send of 0         <<a, b>>   a and b are sent in step 1
//	<<a, b>>  Take of 1         <<b>>      a is received in step 2
//	<<b>>     Crash of 1        <<>>       b is lost in step 3
//
// And as a multiset, where b comes after a whenever it was sent:
//
//	{}        Send of 0         {b}        b is sent in step 1
//	{b}       Send of 0         {a, b}     a is sent in step 2
//	{a, b}    Take of 1         {a}        b is received in step 3

// DiagramOf reads a diagram off a trace.
func DiagramOf(t *wire.Trace, known Known) *result.Diagram { return diagramOf(known.trace(t)) }

// diagramOf does it with a trace whose messages have no fields of other kinds.
func diagramOf(t *wire.Trace) *result.Diagram {
	d := &result.Diagram{Lanes: len(t.Nodes), Nodes: t.Nodes, Rows: []result.Row{}, Messages: []result.Message{}}
	nets := netsOf(t.Init)
	for _, n := range nets {
		d.Lanes = max(d.Lanes, len(field(&t.Init, n).Elems))
	}
	x := &arrows{Diagram: d, flying: map[string][]flight{}}
	for _, n := range nets {
		x.step(n, nil, field(&t.Init, n), -1, -1, true)
	}
	before := &t.Init
	for k := range t.Steps {
		s := &t.Steps[k]
		r := result.Row{Step: k + 1, Label: callText(s), Module: s.Module, Lane: s.Server, Environment: s.Environment}
		if s.Environment {
			if r.Touched = s.Touched; r.Touched == nil {
				r.Touched = serversIn(s.Params)
			}
		}
		d.Lanes = max(d.Lanes, s.Server+1)
		d.Rows = append(d.Rows, r)
		for _, n := range nets {
			x.step(n, field(before, n), field(&s.State, n), k, s.Server, s.Environment)
		}
		before = &s.State
	}
	d.Lanes = max(d.Lanes, 1)
	x.changed(t, nets)
	x.stops(t)
	return d
}

// crashes is the bound whose budget the crashes of a specification spend. Traces have its counter.
const crashes = "crashes"

// stops says which steps of the environment stop a node. They spend a crash, or they take the node
// from the nodes that run: from a set that held all nodes at first. Traces of implementations and
// of other tools may lack the counter of crashes. There, a step that disconnects a node or loses
// its messages stops it, too.
func (x *arrows) stops(t *wire.Trace) {
	counted := field(&t.Init, crashes) != nil
	before := &t.Init
	for k := range t.Steps {
		r, after := &x.Rows[k], &t.Steps[k].State
		if lanes := r.LanesOf(); r.Environment && len(lanes) == 1 {
			r.Stops = counted && !itf.Equal(*field(before, crashes), *field(after, crashes)) ||
				x.leaves(t, before, after, lanes[0]) || !counted && x.loses(k, lanes[0])
		}
		before = after
	}
}

// leaves reports whether a step takes a node from a set that held all nodes at first.
func (x *arrows) leaves(t *wire.Trace, before, after *modules.View, node int) bool {
	for k, name := range t.Init.Names {
		all := &t.Init.Elems[k]
		if all.Shape != modules.Collection || len(all.Elems) != x.Lanes {
			continue
		}
		if was, is := field(before, name), field(after, name); was != nil && is != nil && holds(was, node) && !holds(is, node) {
			return true
		}
	}
	return false
}

func holds(set *modules.View, node int) bool {
	return slices.ContainsFunc(set.Elems, func(e modules.View) bool { return e.Shape == modules.Scalar && e.Text == strconv.Itoa(node) })
}

// loses reports whether a row disconnects a node or loses its messages.
func (x *arrows) loses(k, node int) bool {
	if _, what := x.Rows[k].Isolated(); what == "cut" {
		return true
	}
	return slices.ContainsFunc(x.Messages, func(m result.Message) bool {
		return m.Lost && m.End == k && (m.From == node || m.To == node)
	})
}

// changed says what steps without messages change.
func (x *arrows) changed(t *wire.Trace, nets []string) {
	about := map[int]bool{}
	for _, m := range x.Messages {
		about[m.Sent], about[m.End] = true, true
	}
	before := t.Init
	for k := range t.Steps {
		after := t.Steps[k].State
		if !about[k] {
			for _, c := range itf.Changes(before, after) {
				name, _, _ := strings.Cut(c.Path, "[")
				if slices.Contains(nets, name) {
					continue
				}
				text := partText(c.Old) + " \u2192 " + partText(c.New)
				if queue := Queued(c); queue != "" {
					text = queue
				}
				x.Rows[k].Changed = append(x.Rows[k].Changed, c.Path+" "+text)
			}
		}
		before = after
	}
}

// serversIn returns the parameters that name servers by the framework's convention: I, J and what
// follows.
func serversIn(params modules.View) (out []int) {
	for k, name := range params.Names {
		if name != "I" && name != "J" {
			continue
		}
		if i, err := strconv.Atoi(params.Elems[k].Text); err == nil && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// netsOf returns the variables that hold channels: square arrays whose elements are all channels.
func netsOf(state modules.View) (out []string) {
	for k, name := range state.Names {
		v := state.Elems[k]
		n := len(v.Elems)
		if v.Shape != modules.Function || n == 0 {
			continue
		}
		square := !slices.ContainsFunc(v.Elems, func(r modules.View) bool {
			return r.Shape != modules.Function || len(r.Elems) != n || slices.ContainsFunc(r.Elems, func(c modules.View) bool {
				_, ok := channel(&c)
				return !ok
			})
		})
		if square {
			out = append(out, name)
		}
	}
	return out
}

// content holds the messages that a trace shows in a channel.
type content struct {
	messages []modules.View
	ordered  bool // first in, first out
	cut      bool // disconnected
}

// channel returns the content of a channel; false for a value that is none. The messages of a
// disconnected channel are a field of a record.
func channel(v *modules.View) (content, bool) {
	if v == nil {
		return content{}, true
	}
	if v.Shape == modules.Record && slices.Equal(v.Names, []string{"cut", "messages"}) {
		return content{v.Elems[1].Elems, v.Elems[1].Shape == modules.Sequence, v.Elems[0].Text == "true"}, true
	}
	switch v.Shape {
	case modules.Sequence, modules.Collection, modules.Multiset:
		return content{v.Elems, v.Shape == modules.Sequence, false},
			!slices.ContainsFunc(v.Elems, func(m modules.View) bool { return m.Shape == modules.Function })
	}
	return content{}, false
}

func field(state *modules.View, name string) *modules.View {
	if k := slices.Index(state.Names, name); k >= 0 {
		return &state.Elems[k]
	}
	return nil
}

// arrows follows the messages of every channel.
type arrows struct {
	*result.Diagram
	flying map[string][]flight // by channel: messages in flight, first those that were sent first
}

// flight is a message in flight and its number in the diagram.
type flight struct {
	id      int
	message modules.View
}

// step compares the channels of a variable before and after a row.
func (x *arrows) step(net string, before, after *modules.View, at, server int, environment bool) {
	if after == nil {
		return
	}
	for i := range after.Elems {
		for j := range after.Elems[i].Elems {
			var old *modules.View
			if before != nil && i < len(before.Elems) && j < len(before.Elems[i].Elems) {
				old = &before.Elems[i].Elems[j]
			}
			x.channel(net, i, j, old, &after.Elems[i].Elems[j], at, server, environment)
		}
	}
}

func (x *arrows) channel(net string, i, j int, before, after *modules.View, at, server int, environment bool) {
	old, _ := channel(before)
	now, ok := channel(after)
	if !ok {
		return
	}
	if at >= 0 && old.cut != now.cut {
		x.markLink(at, i, j, now.cut)
	}
	if slices.EqualFunc(old.messages, now.messages, itf.Equal) {
		return
	}
	key := fmt.Sprint(net, " ", i, " ", j)
	flying := x.flying[key]
	gone, sent := taken(flying, old.messages, now.messages, now.ordered)
	var left []flight
	for k, f := range flying {
		if gone[k] {
			m := &x.Messages[f.id]
			// A message that nobody but its receiver can take is lost where somebody
			// else takes it.
			m.End, m.Lost = at, environment || server >= 0 && server != j
			continue
		}
		left = append(left, f)
	}
	for _, m := range sent {
		left = append(left, flight{len(x.Messages), m})
		x.Messages = append(x.Messages, result.Message{From: i, To: j, Text: kindOf(m), Full: itf.Text(m),
			Fields: fieldsOf(m), Sent: at, End: -1,
			Copy: environment && slices.ContainsFunc(old.messages, func(o modules.View) bool { return itf.Equal(o, m) })})
	}
	x.flying[key] = left
}

// taken says which messages in flight are gone after a step, and which ones the step sent.
func taken(flying []flight, old, now []modules.View, ordered bool) (gone []bool, sent []modules.View) {
	if ordered {
		all, kept := removed(old, now)
		gone = make([]bool, len(flying))
		copy(gone, all)
		return gone, now[kept:]
	}
	less, sent := itf.Difference(old, now)
	gone = make([]bool, len(flying))
	for _, m := range less {
		for k, f := range flying { // the first of equal messages is the one that was sent first
			if !gone[k] && itf.Equal(f.message, m) {
				gone[k] = true
				break
			}
		}
	}
	return gone, sent
}

// markLink says that the link between two servers is disconnected or mended, once for both
// directions.
func (x *arrows) markLink(at, i, j int, cut bool) {
	m := result.Mark{What: "mended", A: min(i, j), B: max(i, j)}
	if cut {
		m.What = "cut"
	}
	if r := &x.Rows[at]; !slices.Contains(r.Marks, m) {
		r.Marks = append(r.Marks, m)
	}
}

// removed says which of the old messages of a queue are gone, and how many of the new ones are old:
// the first ones, in order. Of several ways the one in which the first messages are gone is taken.
func removed(old, now []modules.View) (gone []bool, kept int) {
	gone = make([]bool, len(old))
	for k := range old {
		gone[k] = true
	}
	// From the end: the longest tail of old, as a subsequence, that now begins with.
	for n := min(len(old), len(now)); n > 0; n-- {
		x := n - 1
		at := make([]int, 0, n)
		for k := len(old) - 1; k >= 0 && x >= 0; k-- {
			if itf.Equal(old[k], now[x]) {
				at = append(at, k)
				x--
			}
		}
		if x < 0 {
			for _, k := range at {
				gone[k] = false
			}
			return gone, n
		}
	}
	return gone, 0
}
