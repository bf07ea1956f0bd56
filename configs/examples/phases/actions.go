package phases

import "github.com/multigrain/multigrain/modules"

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	One           = modules.One[Server]
	At            = modules.At[Server]
)

var (
	eachServer = modules.Each[Server](Servers)
	positions  = modules.Positions[Server](Servers, MaxChannel)
)

// Prepare starts the next phase that I leads.
var Prepare = Action[One]{
	Name:   "Prepare",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.nextOf(p.I) <= MaxPhases },
	Effect: func(s, n *State, p One) {
		phase := s.nextOf(p.I)
		n.join(p.I, phase)
		n.Answers[p.I].Clear()
		n.Answers[p.I].Put(p.I, Answer{Date: n.Date[p.I], Log: n.Log[p.I]})
		n.tell(p.I, Msg{Kind: PREPARE, Phase: phase})
	},
}

// join lets i join a phase. With the mistake the phase before dates its log from now on.
func (s *State) join(i Server, phase uint8) {
	if Dated == "joined" {
		s.Date[i] = s.Phase[i]
	}
	s.Phase[i] = phase
	s.Step[i] = Joined
	s.Promises[i].Clear()
	s.Answers[i].Clear()
}

// Join receives PREPARE: the server joins the phase if it is a later one than its own, and sends
// its log.
var Join = Action[At]{
	Name:   "Join",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), PREPARE) },
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), PREPARE)
		if m.Phase <= s.Phase[p.I] {
			return
		}
		n.join(p.I, m.Phase)
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACK, Phase: m.Phase, Date: n.Date[p.I], Log: n.Log[p.I]})
	},
}

// CountAck receives ACK: a leader that has proposed nothing in the phase yet keeps the log.
var CountAck = Action[At]{
	Name:   "CountAck",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), ACK) },
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), ACK)
		if m.Phase == s.Phase[p.I] && s.Step[p.I] == Joined && leaderOf(m.Phase) == p.I {
			n.Answers[p.I].Put(p.J, Answer{Date: m.Date, Log: m.Log})
		}
	},
}

// Propose lets a leader with the logs of a majority add a command to the latest of them.
var Propose = Action[One]{
	Name:   "Propose",
	Params: eachServer,
	Guard: func(s *State, p One) bool {
		return s.Step[p.I] == Joined && leaderOf(s.Phase[p.I]) == p.I && s.Answers[p.I].Keys().IsQuorum(Servers)
	},
	Effect: func(s, n *State, p One) {
		log := s.latest(p.I)
		log.Append(s.Phase[p.I])
		n.take(p.I, log)
		n.tell(p.I, Msg{Kind: PROPOSE, Phase: s.Phase[p.I], Log: log})
	},
}

// latest returns the log with the latest date among the answers that i has; of several the longest.
func (s *State) latest(i Server) Log {
	best := s.Answers[i].At(i)
	for j := range Server(Servers) {
		if !s.Answers[i].Has(j) {
			continue
		}
		a := s.Answers[i].At(j)
		if a.Date > best.Date || a.Date == best.Date && a.Log.Len() > best.Log.Len() {
			best = a
		}
	}
	return best.Log
}

// take lets i take over the leader's log.
func (s *State) take(i Server, log Log) {
	s.Log[i] = log
	s.Step[i] = Taken
	s.Answers[i].Clear()
	if Dated == "taken" {
		s.Date[i] = s.Phase[i]
	}
}

// Take receives PROPOSE: a server that joined the phase takes over the log.
var Take = Action[At]{
	Name:   "Take",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), PROPOSE) },
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), PROPOSE)
		if m.Phase == s.Phase[p.I] && s.Step[p.I] == Joined {
			n.take(p.I, m.Log)
		}
	},
}

// Promise tells all others that the server took over the log of its phase.
var Promise = Action[One]{
	Name:   "Promise",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Step[p.I] == Taken },
	Effect: func(s, n *State, p One) {
		n.Step[p.I] = Promised
		n.Promises[p.I].Add(p.I)
		n.tell(p.I, Msg{Kind: PROMISE, Phase: s.Phase[p.I]})
	},
}

// CountPromise receives PROMISE: a server that took over the log of the phase counts it.
var CountPromise = Action[At]{
	Name:   "CountPromise",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), PROMISE) },
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), PROMISE)
		if m.Phase == s.Phase[p.I] && (s.Step[p.I] == Taken || s.Step[p.I] == Promised) {
			n.Promises[p.I].Add(p.J)
		}
	},
}

// Output outputs the log, once a majority has promised.
var Output = Action[One]{
	Name:   "Output",
	Params: eachServer,
	Guard: func(s *State, p One) bool {
		return s.Step[p.I] == Promised && s.Promises[p.I].IsQuorum(Servers)
	},
	Effect: func(s, n *State, p One) {
		n.Step[p.I] = Done
		n.Promises[p.I].Clear()
		n.Output[s.Phase[p.I]] = s.Log[p.I]
	},
}

// Lose loses a message.
var Lose = Action[At]{
	Name:   "Lose",
	Params: positions,
	Guard:  func(s *State, p At) bool { return int(p.K) <= s.Msgs.Len(p.J, p.I) },
	Effect: func(s, n *State, p At) { n.Msgs.Lose(p.J, p.I, int(p.K)) },
}
