// Package control runs an ensemble of unmodified ZooKeeper servers on loopback and decides when
// a thread continues, a message arrives, or a server crashes.
//
// # How a server is held
//
// Each server is a JVM that runs the released jars. It is connected to this process by the Java
// Debug Wire Protocol, see package jdwp. A Point names an instruction of ZooKeeper's code. A thread
// that meets a point stands there until Release. Only that thread stands; the others run.
//
//	QuorumPeer        before an election, a packet, parts of NEWLEADER, the shutdown of its server
//	SyncThread        before it appends to the log
//	CommitProcessor   before it applies a transaction
//	LearnerHandler    before it synchronises its learner
//
// All packets of the quorum port pass through links of this process. A link keeps each packet until
// Deliver. So a thread either stands at a point or waits for a packet, and a server at rest does
// nothing at all. SyncRequestProcessor flushes after each transaction (maxBatchSize is 1), since
// what it has in a batch would be neither logged nor waiting. The election port is open between two
// servers while Elect says so.
//
// # What is read
//
// Disk reads epochs, log and snapshot from the server's files. Memory reads the memory of the
// server through the debugger, while all its threads stand. Neither calls a method in the JVM.
//
// # Cleanup
//
// No process, port or folder outlives the command, also if the command is killed. The kernel ends
// each server with the process that started it. A shell process waits for that end and then removes
// the folder.
//
// # Limits
//
// Linux only, since the kernel has to end the servers with their parent. forceSync is off: a crash
// is that of a process, not of the machine. Local sessions are on, so sessions are no transactions.
// Versions before 3.5 do not have them: there the prelude has sessions, and no request is driven.
package control
