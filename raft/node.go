package raft

import (
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Runtime declares how Raft runs next to a node.
var Runtime = modules.Runtime[State]{
	Remains: remains,
	Lane:    lane,
	Lanes:   lanes, Ordered: !Streamed,
	Elided:  elided,
	Arrival: arrival, Arrivals: arrivals,
	Inputs: append([]modules.Input[State]{
		{Action: &Propose, Sets: []string{"Proposed"}},
		{Action: &ProposeChange, Sets: []string{"Changes"}},
		{Action: &ProposeLearner, Sets: []string{"Changes"}},
		{Action: &ProposeLeave},
		{Action: &AskAddition, Sets: []string{"Changes"}},
		{Action: &AnswerAddition, Done: true},
		{Action: &Transfer},
		{Action: &AskRead, Sets: []string{"Asked"}},
		{Action: &ApplyChange, Sets: []string{"AppliedTo"}, Done: true},
		{Action: &NoteApplied, Sets: []string{"AppliedTo"}, Done: true},
		{Action: &NoteSnapshot, Sets: []string{"Stored"}, Done: true},
		{Action: &NoteCompaction, Sets: []string{"Stored"}, Done: true},
		{Action: &Disconnect, Network: "Stream", Ends: true, Loses: true},
		{Action: &Advance, Own: true},
	}, reportedInputs()...),
	Early:    Streamed,
	Steps:    true,
	Foresees: []string{"Ahead", "Coming"},
	Foresee:  foresee,
	Restart:  &Restart,
	Written:  written,
	Promises: promises,
	Fatal:    true, // the library's panics
	Timeouts: []modules.AnyAction[State]{&Timeout, &Beat, &SeekVotes, &LeadTerm},
	Locals:   []modules.Local[State]{electLocally, readLocally},
	Elected: func(s *State, i int) uint64 {
		if s.Lead[i] == None {
			return 0
		}
		return uint64(s.Term[i])
	},
	Sends:     sends(),
	Waits:     waits(),
	Merge:     merge(),
	Committed: func(s *State, i int) uint64 { return uint64(s.Commit[i]) },
}

// foresee notes which entries the next append to a server has.
func foresee(s *State, peer int, msg unsafe.Pointer) {
	m := (*Msg)(msg)
	s.comes(peer, m)
	if m.Kind != MsgApp {
		return
	}
	for x := range s.Ahead {
		if x == peer && s.Ahead[x].Len() < maxAhead {
			s.Ahead[x].Append(Run{m.Index, m.entries()})
		}
	}
}

// reportedInputs are the reports of a transport, which are seen at its calls alone.
func reportedInputs() []modules.Input[State] {
	if Streamed {
		return nil
	}
	return []modules.Input[State]{{Action: &ReportFinish}, {Action: &ReportFailure}, {Action: &ReportUnreachable}}
}

// waits returns what says which acknowledgements a leader may take later, where only messages are
// seen; nil elsewhere. It is one of a server that follows in step: nothing waits for it to be sent.
// It matters for what the leader commits, what a heartbeat says, where appends that are sent again
// begin, and whether the leader hands over. A leader that commits tells all whom it sends appends.
// So it waits where the next messages show nothing of that.
func waits() func(s *State, i, peer int, msg, next unsafe.Pointer) bool {
	if !Streamed || Snapshots {
		return nil
	}
	return func(s *State, me, peer int, msg, next unsafe.Pointer) bool {
		m, i, j := (*Msg)(msg), Server(me), Server(peer)
		if m.Kind != MsgAppResp || m.Reject || m.Term != s.Term[i] || s.Role[i] != Leader || !s.tracks(i, j) || !s.inStep(i, j, m.Index) {
			return false
		}
		raises := m.Index > s.Commit[i]
		for x := range s.Coming {
			c, pr := &s.Coming[x], &s.Pr[i][j]
			if Server(x) == i || !s.tracks(i, Server(x)) {
				continue
			}
			raises = raises && (s.isPaused(i, Server(x)) || !c.App || c.Commit > s.Commit[i])
			beats := pr.Match < s.Commit[i]
			if c.Beats {
				beats = pr.Match < c.Beat && c.Beat <= s.Commit[i]
			}
			if x == peer && (beats || c.App && c.Index+1 < pr.Next) {
				return false
			}
		}
		if raises {
			return false
		}
		if next == nil {
			return true
		}
		f := (*Msg)(next)
		return f.Kind == MsgAppResp && !f.Reject && f.Term == m.Term && f.Index >= m.Index
	}
}

// inStep reports whether the leader i has sent all that it has to j, may send it more, and learns
// by the acknowledgement of index k only what j has.
func (s *State) inStep(i, j Server, k Number) bool {
	pr := &s.Pr[i][j]
	return pr.State == Replicate && !s.isPaused(i, j) && !s.inflightFull(i, j) && pr.Next > s.lastIndex(i) && pr.Match < k && k < pr.Next &&
		(blindCommits || !s.canBumpCommit(i, j)) && (MaxTransfers == 0 || s.Transferee[i] == None && k < s.lastIndex(i))
}
