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
