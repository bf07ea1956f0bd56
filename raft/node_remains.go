package raft

import "github.com/multigrain/multigrain/modules"

// remains lists all of Raft that exists only for running next to a node. TestRemains fails on
// anything else.
var remains = append([]modules.Remainder{
	{Kind: modules.RemainingAction, Name: "SeekVotes", Why: "one candidate's half of Elect: it begins a term and asks for votes"},
	{Kind: modules.RemainingAction, Name: "GiveVote", Why: "one voter's half of Elect"},
	{Kind: modules.RemainingAction, Name: "SeeVote", Why: "Elect counts no votes, so of an answer only the term counts"},
	{Kind: modules.RemainingAction, Name: "LeadTerm", Why: "one candidate's half of Elect: it leads at any moment"},
	{Kind: modules.RemainingAction, Name: "AskRead", Why: "which client asks for a read is not seen"},

	{Kind: modules.RemainingDeclaration, Name: "Inputs", Why: "clients and the application act from outside"},
	{Kind: modules.RemainingDeclaration, Name: "Steps", Why: "a tap inside the process can tell the steps that a leader takes by itself"},
	{Kind: modules.RemainingDeclaration, Name: "Lane", Why: "the library sends answers that wait for the disk after all others"},
	{Kind: modules.RemainingDeclaration, Name: "Lanes", Why: "the library sends answers that wait for the disk after all others"},
	{Kind: modules.RemainingDeclaration, Name: "Ordered", Why: "the library sends answers that wait for the disk after all others"},
	{Kind: modules.RemainingDeclaration, Name: "Elided", Why: "of the acknowledgements in a Ready etcd sends the last one"},
	{Kind: modules.RemainingDeclaration, Name: "Arrival", Why: "in etcd's transport appends have a stream of their own"},
	{Kind: modules.RemainingDeclaration, Name: "Arrivals", Why: "in etcd's transport appends have a stream of their own"},
	{Kind: modules.RemainingDeclaration, Name: "Foresee", Why: "how many entries an append carries depends on bytes, which the specification does not count"},
	{Kind: modules.RemainingDeclaration, Name: "Foresees", Why: "how many entries an append carries depends on bytes, which the specification does not count"},
	{Kind: modules.RemainingDeclaration, Name: "Restart", Why: "the stream has an event for it"},
	{Kind: modules.RemainingDeclaration, Name: "Written", Why: "a crash within a write leaves some of its pieces"},
	{Kind: modules.RemainingDeclaration, Name: "Promises", Why: "a message says what is on disk, and a restart is compared with it"},
	{Kind: modules.RemainingDeclaration, Name: "Fatal", Why: "the process ends where the library panics"},
	{Kind: modules.RemainingDeclaration, Name: "Timeouts", Why: "nobody sees a time-out, and it may come again and again"},
	{Kind: modules.RemainingDeclaration, Name: "Committed", Why: "a log grows as long as the node runs, so its committed part is folded away"},
	{Kind: modules.RemainingDeclaration, Name: "Elected", Why: "a second judgement with finer grains begins with an election"},
	{Kind: modules.RemainingDeclaration, Name: "Locals", Why: "explored steps concern several servers"},

	{Kind: modules.RemainingDecoding, Name: "commands", Why: "a command is a digest of its bytes"},
	{Kind: modules.RemainingDecoding, Name: "messages of a server to itself", Why: "the library counts them in Advance"},
}, streamedRemains()...)

// streamedRemains are those of a server whose messages alone are seen.
func streamedRemains() []modules.Remainder {
	if !Streamed {
		return nil
	}
	return []modules.Remainder{
		{Kind: modules.RemainingDeclaration, Name: "Sends", Why: "it ends schedules early; -verify tries the condition"},
		{Kind: modules.RemainingDeclaration, Name: "Waits", Why: "the order of acknowledgements of several followers is not seen; -verify tries the condition"},
		{Kind: modules.RemainingDeclaration, Name: "Merge", Why: "an election timeout of a leader is not seen, so whom it has heard of makes no difference"},
		{Kind: modules.RemainingDeclaration, Name: "Early", Why: "a proposal is known by the first append that has it"},
	}
}
