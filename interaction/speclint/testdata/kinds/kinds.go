// Package kinds does not name the kinds of its messages by constants.
package kinds

import "github.com/multigrain/multigrain/modules"

type (
	Server int8
	Kind   uint8
)

const (
	ASK Kind = iota
	TELL
)

type Msg struct {
	Kind  Kind
	Value uint8
}

type Queue = modules.Channel[Msg, [1]Msg]

type State struct {
	Msgs  modules.Net[Server, Kind, Msg, [1]Msg, [2]Queue, [2][2]Queue]
	Loose modules.Bag[Server, Kind, Msg, [1]Msg, [2]Queue, [2][2]Queue]
	Last  Kind
}

type Pair = modules.Pair[Server]

func either(up bool) Kind {
	if up {
		return ASK
	}
	return TELL
}

// constants is called with constants only, varied is not.
func (s *State) constants(j, i Server, kinds ...Kind) bool { return s.Msgs.Is(j, i, kinds...) }

func (s *State) varied(j, i Server, kinds ...Kind) bool {
	return s.Msgs.Is(j, i, kinds...) // want `MG439: Is is asked for kinds; name the kind by its constant`
}

func (s *State) reassigned(j, i Server, k Kind) bool {
	k++
	return s.Msgs.Is(j, i, k) // want `MG439: Is is asked for k`
}

func (s *State) recursive(j, i Server, k Kind) bool {
	return s.Msgs.Is(j, i, k) || s.recursive(i, j, k)
}

var Answer = modules.Action[State, Pair]{
	Name:   "Answer",
	Params: modules.EachPair[Server](2),
	Guard: func(s *State, p Pair) bool {
		k := ASK
		return s.Msgs.Is(p.J, p.I, k) && // want `MG439: Is is asked for k`
			s.Msgs.Is(p.J, p.I) && // want `MG439: Is is asked for no kind`
			s.Loose.Is(p.J, p.I, 1, ASK, s.Last) && // want `MG439: Is is asked for s.Last`
			s.Msgs.Is(p.J, p.I, ASK, TELL) &&
			s.constants(p.J, p.I, ASK, TELL) && s.constants(p.J, p.I) &&
			s.varied(p.J, p.I, ASK, s.Last) &&
			s.recursive(p.J, p.I, ASK) &&
			s.reassigned(p.J, p.I, ASK)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, either(true)) // want `MG439: Recv is asked for either\(true\)`
		n.Last = n.Loose.Peek(p.J, p.I, 1, TELL).Kind
		n.Msgs.Send(p.I, p.J, Msg{Kind: m.Kind}) // want `MG439: a message is made with kind m.Kind`
		n.Msgs.Send(p.I, p.J, Msg{TELL, 1})
		n.Msgs.Send(p.I, p.J, Msg{Value: 1})
		m.Kind = TELL
		m.Kind = s.Last // want `MG439: the kind of a message is set to s.Last`
	},
}
