// Package phases is state machine replication in phases of four rounds. The protocol and its
// mistake are those of figure 1 and section 2 in "Testing Consensus Implementations Using
// Communication Closure" (OOPSLA 2020).
//
// Servers agree on a growing log of commands. Each phase has one leader, which adds one command:
//
//	prepare   the leader announces the phase; a server joins it unless it has joined a later one
//	ack       each server that joined sends its log to the leader, and the phase that dates this log
//	propose   of a majority's logs the leader takes the one of the latest phase, adds a command, and sends the result
//	promise   each server that takes the proposal over tells all others; whoever counts a majority outputs the log
//
// Any two outputs must be comparable: one is a prefix of the other. That needs the right date. A
// server's log is as old as the last phase in which it took over a proposal. With the option dated
// = "joined" it is as old as the last phase that the server joined, and a server that joins phases
// without success makes an old log look new.
//
// Not modelled: crashes, and who starts a phase when. A leader may start its next phase at any
// time. It hears itself at once, without a message.
package phases
