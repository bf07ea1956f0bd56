// Package phases is state machine replication in phases of four rounds. The protocol and its
// mistake are those of figure 1 and section 2 in "Testing Consensus Implementations Using
// Communication Closure" (OOPSLA 2020).
//
// Servers agree on a growing log of commands. Each phase has one leader, which adds one command:
//
//	prepare   The leader announces the phase. A server joins it unless it has joined a later one.
//	ack       Each server that joined sends the leader its log, and the phase that dates it.
//	propose   The leader takes the log of the latest phase from a majority, adds a command, and
//	          sends the result.
//	promise   Each server that takes the proposal over sends a promise to all others. A server
//	          with the promises of a majority outputs the log.
//
// Any two outputs must be comparable: one is a prefix of the other. That needs the right date. A
// server's log is as old as the last phase in which it took over a proposal. With the option dated
// = "joined" it is as old as the last phase that the server joined. A server that joins phases
// without success then makes an old log look new.
//
// Not modelled: crashes, and who starts a phase when. A leader may start its next phase at any
// time. It hears itself at once, without a message.
package phases
