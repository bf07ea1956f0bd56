// Package protocol is the Zab protocol as it stands on paper, with an oracle that names leaders: no
// thread, no disk and no election algorithm of ZooKeeper. Package zab is the system that ZooKeeper
// makes of it.
//
// The protocol is that of Junqueira, Reed and Serafini, "Zab: High-performance broadcast for
// primary-backup systems" (DSN 2011), phases 1 to 3. It has the form of the published module
// Zab.tla. That module adds what the paper leaves open: who connects to whom, and what happens when
// a connection breaks. It also fixes when a client's request is taken, and to whom a leader
// broadcasts. At its published bounds (module bounds, grain published) the reachable states are
// those of Zab.tla, one for one.
//
// The steps of the phases, with a leader l and its follower f:
//
//	l, f    CEPOCH(f.p)         f tells the last epoch that it accepted
//	l.1.1   NEWEPOCH(e)         of a quorum of CEPOCH l takes a newer epoch e
//	f.1.2   ACKEPOCH(f.a, h)    f promises to ignore older epochs and sends its history
//	l.1.2                       of a quorum of ACKEPOCH l takes the newest history for the initial history I of e
//	l.2.1   NEWLEADER(e, I)
//	f.2.1   ACKLD               f sets f.a to e and its history to I, at once
//	l.2.2   COMMITLD            a quorum has acknowledged: epoch e is established
//	f.2.3                       f delivers I
//	l.3, f.3  PROPOSE, ACK, COMMIT
//
// Section 5.4 of "Multi-Grained Specifications for Distributed System Model Checking and
// Verification" (EuroSys 2025) gives up that f.2.1 happens at once. The grains of module
// synchronization are the three ways to carry it out: in one step, the history before the epoch,
// and the epoch before the history. The last one goes wrong in ZooKeeper.
//
// Not modelled: the election of a leader, loss or reordering within a connection, and clients other
// than through the leader. Nor are a crash without a restart (a server that does nothing more is
// one), snapshots and truncation (a history is sent whole).
//
// # Names
//
//	paper                   Zab.tla              here
//	-                       state, zabState      State, ZabState
//	f.p                     acceptedEpoch        AcceptedEpoch
//	f.a                     currentEpoch         CurrentEpoch
//	h                       history              History
//	-                       lastCommitted        LastCommitted
//	Q of phase 1            cepochRecv           CepochRecv
//	Q of phase 1, ACKEPOCH  ackeRecv             AckeRecv
//	Q of phase 2            ackldRecv            AckldRecv
//	-                       learners             Learners
//	-                       connectInfo          ConnectInfo
//	-                       sendCounter          SendCounter
//	prospective leader      leaderOracle         LeaderOracle
//	FIFO channels           msgs                 Msgs
//	-                       epochLeader          EpochLeader
//	-                       proposalMsgsLog      ProposalMsgsLog
//	-                       violatedInvariants   Raised
//	-                       recorder             Recorder, ClientRequest
//	-                       servingState (5.4)   Halfway
//	I                       -                    initialHistory
//
// Actions have the names that they have in Zab.tla. Servers count from 0, epochs from 1 (0 is
// before the first), positions in a history from 1.
//
// Two parts of the published state are left out since they follow from the rest. The epoch in which
// a transaction was received is that of its zxid; recorder.maxEpoch is the largest accepted epoch.
package protocol
