package awkward

import "github.com/multigrain/multigrain/modules"

// Sequence uses a sequence.
//
//	reads Nodes.Log[p.I] Nodes.Log[p.J]
//	writes C[p.I] = ...; data Nodes.Log[p.J]; index B[p.I]
//	writes Nodes.Log[p.I] = ...; data A[p.I]
var Sequence = Act{Name: "Sequence", Params: pairs,
	Guard: func(s *State, p Pair) bool {
		return s.Nodes[p.I].Log.Len() > 0 && s.Nodes[p.I].Log.HasPrefix(&s.Nodes[p.J].Log)
	},
	Effect: func(s, n *State, p Pair) {
		n.Nodes[p.I].Log.Append(s.A[p.I])
		n.C[p.I] = s.Nodes[p.J].Log.At(int(s.B[p.I]))
	}}

// SequenceCopy builds a sequence in a local variable.
//
//	writes Nodes.Log[p.I] = ...; data Nodes.Log[0] Nodes.Log[p.J]
var SequenceCopy = Act{Name: "SequenceCopy", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		h := s.Nodes[p.J].Log
		h.AppendAll(&s.Nodes[0].Log)
		n.Nodes[p.I].Log = h
	}}

// SequencePop takes an element out.
//
//	writes A[p.I] = ...; data Nodes.Log[p.I]
//	writes Nodes.Log[p.I] = ...
var SequencePop = Act{Name: "SequencePop", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.A[p.I] = n.Nodes[p.I].Log.PopFront() }}

// SetMember tests and changes one member.
//
//	reads Nodes.Sees[p.I]{p.J}
//	writes Boss = ...; control Nodes.Sees[p.I]
//	writes Nodes.Sees[p.I]{p.J} = ...
var SetMember = Act{Name: "SetMember", Params: pairs,
	Guard: func(s *State, p Pair) bool { return !s.Nodes[p.I].Sees.Has(p.J) },
	Effect: func(s, n *State, p Pair) {
		n.Nodes[p.I].Sees.Add(p.J)
		if n.Nodes[p.I].Sees.IsQuorum(N) {
			n.Boss = p.I
		}
	}}

// SetWith changes a set as a value.
//
//	writes Nodes.Sees[p.I] = ...
//	writes Quorum = ...; data Nodes.Sees[p.I] Quorum
var SetWith = Act{Name: "SetWith", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		n.Nodes[p.I].Sees = s.Nodes[p.I].Sees.With(p.J)
		n.Quorum = s.Quorum.Union(s.Nodes[p.I].Sees)
	}}

// MapMember uses one key.
//
//	reads Known[p.I]{p.J}
//	writes Quorum = ...; data Clock.Skew Known[p.I]
//	writes Known[p.I]{p.J} = ...; data A[p.J]
var MapMember = Act{Name: "MapMember", Params: pairs,
	Guard: func(s *State, p Pair) bool { return s.Known[p.I].Has(p.J) && s.Known[p.I].At(p.J).Now > 0 },
	Effect: func(s, n *State, p Pair) {
		n.Known[p.I].Put(p.J, Clock{Now: s.A[p.J]})
		n.Quorum = s.Known[p.I].Where(func(_ ID, c Clock) bool { return c.Skew == s.Clock.Skew })
	}}

// Chosen asks all identities.
//
//	reads A[*]
//	writes Quorum = ...; data Clock.Skew Known[*]
var Chosen = Act{Name: "Chosen", Params: pairs,
	Guard: func(s *State, p Pair) bool { return modules.All(N, func(i ID) bool { return s.A[i] > 0 }) },
	Effect: func(s, n *State, p Pair) {
		n.Quorum = modules.Where(N, func(i ID) bool { return s.Known[i].Len() > int(s.Clock.Skew) })
	}}

// RecordSet uses a set of records.
//
//	reads A[0] Notes
//	writes Notes = ...; data B[0]
//	writes Faults#Odd = ...; control Flag
var RecordSet = Act{Name: "RecordSet", Params: pairs, Guard: func(s *State, p Pair) bool { return s.Notes.Has(Clock{Now: s.A[0]}) },
	Effect: func(s, n *State, p Pair) {
		n.Notes.Add(Clock{s.B[0], 1})
		if s.Flag {
			n.Faults.Raise(Odd)
		}
	}}

// Ping sends a kind of message that stands where it is made.
//
//	writes Msgs#PING[p.I][p.J] = ...; data A[p.I]; control Msgs.cut[p.I][p.J]
var Ping = Act{Name: "Ping", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) { n.Msgs.Send(p.I, p.J, Msg{Kind: PING, Load: s.A[p.I]}) }}

// HandlePing receives one kind and sends another.
//
//	reads Msgs#PING[p.J][p.I]
//	writes Msgs#PING[p.J][p.I] = ...
//	writes Msgs#PONG[p.I][*] = ...; data Msgs#PING[p.J][p.I]; control Msgs.cut[p.I][*]; index Msgs#PING[p.J][p.I]
var HandlePing = Act{Name: "HandlePing", Params: pairs,
	Guard: func(s *State, p Pair) bool { return s.Msgs.Is(p.J, p.I, PING) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, PING)
		n.answer(p.I, m.From, PONG, m.Load)
	}}

// answer is given the kind as an argument.
func (n *State) answer(i, j ID, k Kind, load int8) {
	n.Msgs.Send(i, j, Msg{Kind: k, From: i, Load: load})
}

// TwoKinds receives one of two kinds and does different things.
//
//	reads Msgs#PING[p.J][p.I] Msgs#PONG[p.J][p.I]
//	writes A[p.I] = ...; data Msgs#PING[p.J][p.I] Msgs#PONG[p.J][p.I]; control Msgs#PING[p.J][p.I] Msgs#PONG[p.J][p.I]
//	writes Msgs#PING[p.J][p.I] = ...
//	writes Msgs#PONG[p.J][p.I] = ...
var TwoKinds = Act{Name: "TwoKinds", Params: pairs,
	Guard: func(s *State, p Pair) bool { return s.arrived(p, PING, PONG) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, PING, PONG)
		if m.Kind == PING {
			n.A[p.I] = m.Load
		}
	}}

// arrived passes kinds on.
func (s *State) arrived(p Pair, kinds ...Kind) bool { return s.Msgs.Is(p.J, p.I, kinds...) }

// EitherKind sends one of two kinds.
//
//	writes Msgs#PONG[p.I][p.J] = ...; control Flag Msgs.cut[p.I][p.J]
//	writes Msgs#STOP[p.I][p.J] = ...; control Flag Msgs.cut[p.I][p.J]
var EitherKind = Act{Name: "EitherKind", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		m := Msg{Kind: PONG}
		if s.Flag {
			m.Kind = STOP
		}
		n.Msgs.Send(p.I, p.J, m)
	}}

// Broadcast sends to everyone.
//
//	writes Msgs#STOP[p.I][*] = ...; control Msgs.cut[p.I][*] Quorum
var Broadcast = Act{Name: "Broadcast", Params: pairs, Guard: always,
	Effect: func(s, n *State, p Pair) {
		for j := range ID(N) {
			if s.Quorum.Has(j) {
				n.Msgs.Send(p.I, j, Msg{Kind: STOP})
			}
		}
	}}

// Blind looks at a channel and takes a message whatever its kind.
//
//	reads Msgs#PING[p.J][p.I] Msgs#PONG[p.J][p.I] Msgs#STOP[p.J][p.I]
//	writes Msgs#PING[p.J][p.I] = ...; data Msgs#PING[p.J][p.I] Msgs#PONG[p.J][p.I] Msgs#STOP[p.J][p.I]
//	writes Msgs#PONG[p.J][p.I] = ...; data Msgs#PING[p.J][p.I] Msgs#PONG[p.J][p.I] Msgs#STOP[p.J][p.I]
//	writes Msgs#STOP[p.J][p.I] = ...; data Msgs#PING[p.J][p.I] Msgs#PONG[p.J][p.I] Msgs#STOP[p.J][p.I]
var Blind = Act{Name: "Blind", Params: pairs, Guard: func(s *State, p Pair) bool { return !s.Msgs.Empty(p.J, p.I) },
	Effect: func(s, n *State, p Pair) { n.Msgs.Pop(p.J, p.I) }}

// Sever cuts a connection.
//
//	reads Msgs.cut[p.I][p.J]
//	writes Msgs#PING[p.I][p.J] = {}
//	writes Msgs#PONG[p.I][p.J] = {}
//	writes Msgs#STOP[p.I][p.J] = {}
//	writes Msgs.cut[p.I][p.J] = true
var Sever = Act{Name: "Sever", Params: pairs, Guard: func(s *State, p Pair) bool { return !s.Msgs.IsCut(p.I, p.J) },
	Effect: func(s, n *State, p Pair) { n.Msgs.Cut(p.I, p.J) }}

// Unordered receives from a bag.
//
//	reads Loose#PING[p.J][p.I]
//	writes A[p.I] = ...; data Loose#PING[p.J][p.I]
//	writes Loose#PING[p.J][p.I] = ...
var Unordered = modules.Action[State, Place]{Name: "Unordered", Params: modules.Positions[ID](N, Capacity),
	Guard: func(s *State, p Place) bool { return s.Loose.Is(p.J, p.I, int(p.K), PING) },
	Effect: func(s, n *State, p Place) {
		m := n.Loose.Recv(p.J, p.I, int(p.K), PING)
		n.A[p.I] = m.Load
	}}

// Ridden has rules of every sort.
//
//	reads C[p.J] Clock.Now Flag
//	writes A[p.I] = ...; data B[p.I]
//	writes Clock.Now = ...; data B[p.I]
//	writes Clock.Skew = ...; data B[p.I]
var Ridden = Act{Name: "Ridden", Params: pairs, Guard: func(s *State, p Pair) bool { return s.Flag },
	Effect: func(s, n *State, p Pair) { n.A[p.I] = s.B[p.I] }}

// RiddenToo is excepted from one of them.
//
//	reads Flag
//	writes B[p.I] = 0
//	writes Clock.Skew = ...; data Clock.Now
var RiddenToo = Act{Name: "RiddenToo", Params: pairs, Guard: func(s *State, p Pair) bool { return s.Flag },
	Effect: func(s, n *State, p Pair) { n.B[p.I] = 0 }}

// Addressed receives from a bag as Unordered does, with the methods that take an At, and answers.
//
//	reads Loose#PING[p.J][p.I]
//	writes A[p.I] = ...; data Loose#PING[p.J][p.I]
//	writes Loose#PING[p.J][p.I] = ...
//	writes Loose#PONG[p.I][p.J] = ...; data B[p.I] Loose#PING[p.J][p.I]; control Loose.cut[p.I][p.J]
var Addressed = modules.Action[State, Place]{Name: "Addressed", Params: modules.Positions[ID](N, Capacity),
	Guard: func(s *State, p Place) bool { return s.Loose.Arrived(p, PING) },
	Effect: func(s, n *State, p Place) {
		n.A[p.I] = s.Loose.Read(p, PING).Load
		m := n.Loose.Take(p, PING)
		n.Loose.Reply(p, Msg{Kind: PONG, From: m.From, Load: s.B[p.I]})
	}}

// Told sends to all others, over a net and over a bag.
//
//	reads Flag
//	writes Msgs#PING[p.I][*] = ...; data B[p.I]; control Msgs.cut[p.I][*]
//	writes Loose#STOP[p.I][*] = ...; control Loose.cut[p.I][*]
var Told = Act{Name: "Told", Params: pairs, Guard: func(s *State, p Pair) bool { return s.Flag },
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Tell(p.I, N, Msg{Kind: PING, Load: s.B[p.I]})
		n.Loose.Tell(p.I, N, Msg{Kind: STOP})
	}}

// Tallied asks for messages of single kinds, and for one like it, wherever they are in a channel.
//
//	reads Loose#STOP[p.I][p.J]{*} Msgs#PING[p.J][p.I] Msgs#PING[p.J][p.I]{*} Msgs#PONG[p.I][p.J]{*}
//	writes A[p.I] = ...; data Loose#PING[p.J][p.I]{*}; control Loose#PING[p.J][p.I]{*}
var Tallied = Act{Name: "Tallied", Params: pairs,
	Guard: func(s *State, p Pair) bool {
		return s.Msgs.Is(p.J, p.I, PING) && s.Msgs.Count(p.J, p.I, PING) < Capacity &&
			!s.Msgs.Holds(p.I, p.J, Msg{Kind: PONG, From: p.I}) && s.Loose.Count(p.I, p.J, STOP) == 0
	},
	Effect: func(s, n *State, p Pair) {
		if s.Loose.Count(p.J, p.I, PING) > 0 {
			n.A[p.I] = s.Loose.Nth(p.J, p.I, 1, PING).Load
		}
	}}

// Copied asks a copy of the channels.
//
//	reads Boss Msgs#PING[p.J][p.I]{*}
//	writes A[p.I] = 1
var Copied = Act{Name: "Copied", Params: pairs,
	Guard: func(s *State, p Pair) bool {
		msgs := s.Msgs
		return s.Boss == p.I && msgs.Count(p.J, p.I, PING) == 1
	},
	Effect: func(s, n *State, p Pair) { n.A[p.I] = 1 }}

var heavy = modules.Quorum{Members: N, Weights: []int{2, 1, 1}, Least: 2}

// Weighed asks whether a set is a quorum.
//
//	reads Quorum
//	writes A[p.I] = 1
var Weighed = Act{Name: "Weighed", Params: pairs, Guard: func(s *State, p Pair) bool { return s.Quorum.IsQuorumOf(heavy) },
	Effect: func(s, n *State, p Pair) { n.A[p.I] = 1 }}
