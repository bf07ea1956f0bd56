package classic

import "github.com/multigrain/multigrain/modules"

const participants = 5

// Phase is the state of a participant or of the coordinator.
type Phase uint8

// Phases. The coordinator is never ready.
const (
	Preparing Phase = iota
	ReadyCommit
	ReadyAbort
	Committed
	Aborted
)

// Commitment is the state of TwoPhaseCommit. The set of messages that were sent is split by kind.
type Commitment struct {
	Coordinator Phase
	Participant [participants]Phase
	Known       modules.Set[id] // participants that the coordinator knows to be ready
	Commits     modules.Set[id] // who sent commit
	Aborts      modules.Set[id] // who sent abort
	DoCommit    bool
	DoAbort     bool
}

// decision is a participant's.
type decision struct {
	I      id
	Commit bool
}

func decisions(yield func(decision) bool) {
	for i := range id(participants) {
		if !yield(decision{i, true}) || !yield(decision{i, false}) {
			return
		}
	}
}

var decide = modules.Action[Commitment, decision]{
	Name: "Decide", Params: decisions,
	Guard: func(s *Commitment, p decision) bool { return s.Participant[p.I] == Preparing },
	Effect: func(s, n *Commitment, p decision) {
		if p.Commit {
			n.Participant[p.I] = ReadyCommit
			n.Commits.Add(p.I)
		} else {
			n.Participant[p.I] = ReadyAbort
			n.Aborts.Add(p.I)
		}
	},
}

var executeCommit = modules.Action[Commitment, one]{
	Name: "ExecuteCommit", Params: modules.Each[id](participants),
	Guard:  func(s *Commitment, p one) bool { return s.DoCommit },
	Effect: func(s, n *Commitment, p one) { n.Participant[p.I] = Committed },
}

var executeAbort = modules.Action[Commitment, one]{
	Name: "ExecuteAbort", Params: modules.Each[id](participants),
	Guard:  func(s *Commitment, p one) bool { return s.DoAbort },
	Effect: func(s, n *Commitment, p one) { n.Participant[p.I] = Aborted },
}

var rcvCommit = modules.Action[Commitment, one]{
	Name: "RcvCommit", Params: modules.Each[id](participants),
	Guard: func(s *Commitment, p one) bool { return s.Commits.Has(p.I) && !s.Known.Has(p.I) },
	Effect: func(s, n *Commitment, p one) {
		n.Known.Add(p.I)
		if n.Known == modules.Below[id](participants) {
			n.Coordinator = Committed
			n.DoCommit = true
		}
	},
}

var rcvAbort = modules.Action[Commitment, one]{
	Name: "RcvAbort", Params: modules.Each[id](participants),
	Guard: func(s *Commitment, p one) bool { return s.Aborts.Has(p.I) },
	Effect: func(s, n *Commitment, p one) {
		n.Coordinator = Aborted
		n.DoAbort = true
	},
}

// TwoPhaseCommit is symmetry/TwoPhaseCommit/TwoPhaseCommit.tla with five participants, without
// symmetry.
func TwoPhaseCommit() Model[Commitment] {
	return Model[Commitment]{
		Name: "TwoPhaseCommit, 5 participants", Init: start(Commitment{}),
		Actions: []modules.AnyAction[Commitment]{&decide, &executeCommit, &executeAbort, &rcvCommit, &rcvAbort},
		Invariants: []modules.Invariant[Commitment]{
			{ID: "CommitOrAbort", Doc: "the coordinator never orders both", State: func(s *Commitment) bool { return !(s.DoCommit && s.DoAbort) }},
			{ID: "AbortWins", Doc: "it orders to commit only if all participants are ready", State: abortWins},
		},
		Distinct: 26_047, Generated: 227_201, Depth: 15,
	}
}

func abortWins(s *Commitment) bool {
	if !s.DoCommit {
		return true
	}
	for p, phase := range s.Participant {
		if phase != ReadyCommit && phase != Committed || !s.Commits.Has(id(p)) || s.Aborts.Has(id(p)) {
			return false
		}
	}
	return true
}
