package classic

import "github.com/multigrain/multigrain/modules"

const (
	acceptors = 3
	learners  = 2
	ballots   = 3                               // 0 to 2; the smaller model uses 0 and 1
	promises  = ballots * (2*acceptors + 1 + 1) // messages of all kinds
	noBallot  = int8(-1)                        // before the first
	noCommand = int8(-1)                        // NotACmd; the commands are 1 and 2
)

// PaxosKind is the kind of a message of Paxos.
type PaxosKind uint8

// Kinds. Zero is no message.
const (
	_       PaxosKind = iota
	Prepare           // 1a
	Promise           // 1b
	Accept            // 2a
	Voted             // 2b
)

// PaxosMsg is a message of any kind.
type PaxosMsg struct {
	Kind         PaxosKind
	Ballot       int8
	Acceptor     id   // of Promise and Voted
	VotedBallot  int8 // of Promise: mbal
	VotedCommand int8 // of Promise: mcmd
	Command      int8 // of Accept and Voted
}

// Paxos is the state of PcalPaxos. Messages are never taken out of the set.
type Paxos struct {
	Msgs         modules.Records[PaxosMsg, [promises]PaxosMsg]
	LeaderBallot int8
	LeaderPhase  uint8
	Ballot       [acceptors]int8
	VotedBallot  [acceptors]int8
	VotedCommand [acceptors]int8
	Learned      [learners]int8 // noCommand until the learner is done
}

// ballot is a parameter: a new ballot of the leader.
type ballot struct{ B int8 }

// on is a parameter: process I examines the K-th message.
type on struct {
	I id
	K uint8
}

// proposal is a parameter: the leader follows the K-th message, with a command of its own choice
// or, for 0, the one that was voted for.
type proposal struct {
	K       uint8
	Command int8
}

func eachOn(n int) modules.Domain[on] {
	return func(yield func(on) bool) {
		for i := range id(n) {
			for k := range uint8(promises) {
				if !yield(on{i, k + 1}) {
					return
				}
			}
		}
	}
}

func proposals(yield func(proposal) bool) {
	for k := range uint8(promises) {
		for c := range int8(3) {
			if !yield(proposal{k + 1, c}) {
				return
			}
		}
	}
}

// msg returns the K-th message if it is of that kind.
func (s *Paxos) msg(k uint8, kind PaxosKind) (m PaxosMsg, ok bool) {
	if int(k) > s.Msgs.Len() {
		return m, false
	}
	m = s.Msgs.At(int(k))
	return m, m.Kind == kind
}

// senders returns the acceptors that sent a message of that kind in a ballot, and the largest
// ballot that they voted in.
func (s *Paxos) senders(kind PaxosKind, b int8) (from modules.Set[id], voted int8) {
	voted = noBallot
	for k := range s.Msgs.Len() {
		if m := s.Msgs.At(k + 1); m.Kind == kind && m.Ballot == b {
			from.Add(m.Acceptor)
			voted = max(voted, m.VotedBallot)
		}
	}
	return from, voted
}

// isMajority: the published set Majority holds the sets of exactly two acceptors.
func isMajority(a modules.Set[id]) bool { return a.Len() == 2 }

func newBallot(upTo int) *modules.Action[Paxos, ballot] {
	return &modules.Action[Paxos, ballot]{
		Name: "L.prepare",
		Params: func(yield func(ballot) bool) {
			for b := range int8(upTo) + 1 {
				if !yield(ballot{b}) {
					return
				}
			}
		},
		Guard: func(s *Paxos, p ballot) bool { return s.LeaderBallot < p.B },
		Effect: func(s, n *Paxos, p ballot) {
			n.LeaderBallot, n.LeaderPhase = p.B, 1
			n.Msgs.Add(PaxosMsg{Kind: Prepare, Ballot: p.B})
		},
	}
}

var propose = modules.Action[Paxos, proposal]{
	Name: "L.propose", Params: proposals,
	Guard: func(s *Paxos, p proposal) bool {
		m, ok := s.msg(p.K, Promise)
		if !ok || s.LeaderPhase != 1 || m.Ballot != s.LeaderBallot || (m.VotedBallot > noBallot) != (p.Command == 0) {
			return false
		}
		from, voted := s.senders(Promise, m.Ballot)
		return isMajority(from) && m.VotedBallot == voted
	},
	Effect: func(s, n *Paxos, p proposal) {
		command := p.Command
		if command == 0 {
			command = s.Msgs.At(int(p.K)).VotedCommand
		}
		n.LeaderPhase = 2
		n.Msgs.Add(PaxosMsg{Kind: Accept, Ballot: s.LeaderBallot, Command: command})
	},
}

var promise = modules.Action[Paxos, on]{
	Name: "A.promise", Params: eachOn(acceptors),
	Guard: func(s *Paxos, p on) bool {
		m, ok := s.msg(p.K, Prepare)
		return ok && m.Ballot > s.Ballot[p.I]
	},
	Effect: func(s, n *Paxos, p on) {
		b := s.Msgs.At(int(p.K)).Ballot
		n.Ballot[p.I] = b
		n.Msgs.Add(PaxosMsg{
			Kind: Promise, Ballot: b, Acceptor: p.I, VotedBallot: s.VotedBallot[p.I], VotedCommand: s.VotedCommand[p.I],
		})
	},
}

var vote = modules.Action[Paxos, on]{
	Name: "A.vote", Params: eachOn(acceptors),
	Guard: func(s *Paxos, p on) bool {
		m, ok := s.msg(p.K, Accept)
		return ok && m.Ballot >= s.Ballot[p.I] && m.Ballot > s.VotedBallot[p.I]
	},
	Effect: func(s, n *Paxos, p on) {
		m := s.Msgs.At(int(p.K))
		n.Ballot[p.I], n.VotedBallot[p.I], n.VotedCommand[p.I] = m.Ballot, m.Ballot, m.Command
		n.Msgs.Add(PaxosMsg{Kind: Voted, Ballot: m.Ballot, Acceptor: p.I, Command: m.Command})
	},
}

var learn = modules.Action[Paxos, on]{
	Name: "N.learn", Params: eachOn(learners),
	Guard: func(s *Paxos, p on) bool {
		m, ok := s.msg(p.K, Voted)
		if !ok || s.Learned[p.I] != noCommand {
			return false
		}
		from, _ := s.senders(Voted, m.Ballot)
		return isMajority(from)
	},
	Effect: func(s, n *Paxos, p on) { n.Learned[p.I] = s.Msgs.At(int(p.K)).Command },
}

// PcalPaxos is pcal/PcalPaxos.tla with one leader, three acceptors, two learners and two commands,
// for ballots 0 to maxBallot, 1 or 2.
func PcalPaxos(maxBallot int) Model[Paxos] {
	first := Paxos{LeaderBallot: noBallot, LeaderPhase: 2}
	for a := range acceptors {
		first.Ballot[a], first.VotedBallot[a], first.VotedCommand[a] = noBallot, noBallot, noCommand
	}
	for l := range learners {
		first.Learned[l] = noCommand
	}
	m := Model[Paxos]{
		Name: "PcalPaxos, MaxBallot 1", Init: start(first),
		Actions: []modules.AnyAction[Paxos]{newBallot(maxBallot), &propose, &promise, &vote, &learn},
		Invariants: []modules.Invariant[Paxos]{{ID: "Safety", Doc: "all learn the same", State: func(s *Paxos) bool {
			return s.Learned[0] == s.Learned[1] || s.Learned[0] == noCommand || s.Learned[1] == noCommand
		}}},
		Distinct: 11_217, Generated: 38_343, Depth: 18,
	}
	if maxBallot == 2 {
		m.Name = "PcalPaxos, MaxBallot 2"
		m.Distinct, m.Generated, m.Depth = 592_889, 2_389_374, 26
	}
	return m
}
