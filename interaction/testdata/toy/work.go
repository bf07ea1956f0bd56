package toy

import "github.com/multigrain/multigrain/modules"

// SendJOB gives j something to do.
var SendJOB = Action[Pair]{
	Name:   "SendJOB",
	Params: modules.EachPair[Server](Servers),
	Guard: func(s *State, p Pair) bool {
		return s.chief(p.I) && (Eager || s.Phase[p.I] == WORKING) && s.Crew[p.I].Has(p.J) &&
			s.Duty[p.I].Given == s.Duty[p.I].Ended && s.Log[p.I].Len() < MaxJobs
	},
	Effect: func(s, n *State, p Pair) {
		n.Duty[p.I].Given++
		n.Msgs.Send(p.I, p.J, Msg{Kind: JOB, Term: s.Term[p.I], Job: s.Duty[p.I].Given})
	},
}

// ProcessJOB does it.
var ProcessJOB = Action[Pair]{
	Name:   "ProcessJOB",
	Params: modules.EachPair[Server](Servers),
	Guard: func(s *State, p Pair) bool {
		return s.member(p.I) && s.Phase[p.I] == WORKING && s.Msgs.Is(p.J, p.I, JOB) && s.Log[p.I].Len() < MaxJobs
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, JOB)
		if m.Term != s.Term[p.I] {
			n.Mishaps.Raise(WrongTerm)
			return
		}
		n.Log[p.I].Append(m.Job)
		n.Msgs.Send(p.I, p.J, Msg{Kind: REPORT, Job: m.Job})
	},
}

// ProcessREPORT notes that it is done.
var ProcessREPORT = Action[Pair]{
	Name:   "ProcessREPORT",
	Params: modules.EachPair[Server](Servers),
	Guard: func(s *State, p Pair) bool {
		return s.chief(p.I) && s.Phase[p.I] == WORKING && s.Msgs.Is(p.J, p.I, REPORT) && s.Log[p.I].Len() < MaxJobs
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, REPORT)
		if m.Job != s.Duty[p.I].Given {
			n.Mishaps.Raise(UnknownReport)
			return
		}
		n.Duty[p.I].Ended = m.Job
		n.Log[p.I].Append(m.Job)
	},
}
