// Package zab specifies ZooKeeper's atomic broadcast, Zab, as ZooKeeper 3.9.1 runs it: Fast Leader
// Election, Discovery, Synchronization and Broadcast, each at several grains, with crashes and
// partitions. It is written from ZooKeeper's code. Published TLA+ specifications of ZooKeeper are
// packages of their own: zab/published, zab/published/sandtable, and zab/protocol for the protocol
// on paper.
//
// Files sort by phase: election_*, discovery_*, synchronization_*, broadcast_*, faults_*. Read
// state.go and messages.go first, then the baseline of each module (election.go, discovery.go,
// synchronization.go, broadcast.go). The other grains follow: election_discovery_coarse.go,
// synchronization_fine_atomic.go, and with a follower's threads broadcast_threads.go,
// synchronization_fine_concurrent.go and broadcast_fine_concurrent.go. A leader's threads are in
// broadcast_fine_leader.go. What a server has on disk is in disk.go, disk_memory.go and
// disk_committed.go, losses of power are in faults_power.go. The steps after an exception are in
// exceptions.go and exceptions_warnings.go. The rest are faults.go, invariants.go, and catalog.go,
// which lists what manifests can choose. Each file of actions ends with the grain that they make
// up; the catalog lists the grains by name.
//
// What runs next to a live server, the node, has files of its own. Runtime in zab/node.go declares
// it, and NodeState in state.go has its variables. node_hooks.go shows where it touches the
// protocol's own steps, and *_node.go has each end's half of a step. Package zab/zookeeper connects
// it to a server.
//
// The phases have an order: no file uses a name that a higher phase declares. TestPhases of the
// module's root holds it.
//
// # Why one package
//
// The package has more than 20 files: one for each module and grain. All of them act on one State,
// and Go declares the methods of a type in one package.
//
// # Names
//
// Server code is org.apache.zookeeper.server.quorum at 3.9.1.
//
//	Zab paper    TLA+                          ZooKeeper                                        here
//	f.p          acceptedEpoch                 QuorumPeer.acceptedEpoch                         AcceptedEpoch
//	f.a          currentEpoch                  QuorumPeer.currentEpoch                          CurrentEpoch
//	h_f          history                       transaction log and snapshots                    History
//	delivered    lastCommitted                 Leader.lastCommitted, what pendingTxns has lost  LastCommitted
//	             lastProcessed                 DataTree.lastProcessedZxid                       LastProcessed
//	I_e          initialHistory                what loadDataBase has read                       InitialHistory, EpochHistory
//	Q            learners                      Leader.learners                                  Learners
//	             connecting                    Leader.connectingFollowers                       Connecting
//	             electing                      Leader.electingFollowers                         Electing
//	             ackldRecv                     Leader.newLeaderProposal                         AckldRecv
//	             forwarding                    Leader.forwardingFollowers                       Forwarding
//	             txn.ackSid                    Leader.outstandingProposals, ackset              AckSid
//	             tempMaxEpoch                  Leader.epoch                                     TempMaxEpoch
//	             leaderAddr, connectInfo       Learner.leaderAddr, syncWithLeader's locals      LeaderAddr, ConnectInfo
//	             packetsSync                   packetsNotCommitted, packetsCommitted            PacketsSync
//	             queuedRequests                SyncRequestProcessor.queuedRequests              QueuedRequests, LeftRequests
//	                                           FollowerZooKeeperServer.pendingTxns              PendingTxns
//	             committedRequests             CommitProcessor.committedRequests                CommittedRequests
//	CEPOCH       FOLLOWERINFO                  Leader.FOLLOWERINFO                              FOLLOWERINFO
//	NEWEPOCH     LEADERINFO                    Leader.LEADERINFO                                LEADERINFO
//	ACK-E        ACKEPOCH                      Leader.ACKEPOCH                                  ACKEPOCH
//	             DIFF, TRUNC                   Leader.DIFF, TRUNC, SNAP                         DIFF, TRUNC, SNAP
//	NEWLEADER    NEWLEADER                     Leader.NEWLEADER                                 NEWLEADER
//	ACK-LD       ACKLD                         Leader.ACK with counter 0                        ACKLD
//	COMMIT-LD    UPTODATE                      Leader.UPTODATE                                  UPTODATE
//	             currentVote                   getVote, QuorumPeer.currentVote                  CurrentVote
//	             logicalClock                  FastLeaderElection.logicalclock                  LogicalClock
//	             receiveVotes, outOfElection   recvset and outofelection of lookForLeader       ReceiveVotes, OutOfElection
//	             recvQueue, waitNotmsg         recvqueue; poll(finalizeWait)                    RecvQueue, WaitNotmsg
//	             electionMsgs                  QuorumCnxManager                                 ElectionMsgs
//	                                           FastLeaderElection.lookForLeader                 FLELookForLeader
//	             FLEReceiveNotmsg              WorkerReceiver.run                               FLEReceiveNotmsg
//	             FLENotmsgTimeout              lookForLeader, n == null                         FLENotmsgTimeout
//	             FLEHandleNotmsg               lookForLeader, switch (n.state)                  FLEHandleNotmsg
//	             FLEWaitNewNotmsg              lookForLeader, while poll(finalizeWait)          FLEWaitNewNotmsg, -End
//	f.1.1        ConnectAndFollowerSend...     Learner.connectToLeader, registerWithLeader      ConnectAndFollowerSend...
//	l.1.1        LeaderProcessFOLLOWERINFO     Leader.getEpochToPropose                         LeaderProcessFOLLOWERINFO
//	f.1.2, f.1.3 FollowerProcessLEADERINFO     Learner.registerWithLeader                       FollowerProcessLEADERINFO
//	l.1.2        LeaderProcessACKEPOCH         Leader.waitForEpochAck                           LeaderProcessACKEPOCH
//	             LeaderSyncFollower            LearnerHandler.syncFollower                      LeaderSyncFollower
//	             FollowerProcessSyncMessage    Learner.syncWithLeader                           FollowerProcessSyncMessage
//	             FollowerProcessPROPOSALInSync Learner.syncWithLeader                           FollowerProcessPROPOSALInSync
//	             FollowerProcessCOMMITInSync   Learner.syncWithLeader                           FollowerProcessCOMMITInSync
//	f.2.1        FollowerProcessNEWLEADER      Learner.syncWithLeader                           FollowerProcessNEWLEADER
//	l.2.2        LeaderProcessACKLD            Leader.waitForNewLeaderAck, startZkServer        LeaderProcessACKLD
//	f.2.2        FollowerProcessUPTODATE       Learner.syncWithLeader                           FollowerProcessUPTODATE
//	l.3.1        LeaderProcessRequest          Leader.propose                                   LeaderProcessRequest
//	f.3.1        FollowerProcessPROPOSAL       Follower.processPacket, logRequest               FollowerProcessPROPOSAL
//	l.3.2        LeaderProcessACK              Leader.processAck, tryToCommit                   LeaderProcessACK
//	f.3.2        FollowerProcessCOMMIT         FollowerZooKeeperServer.commit                   FollowerProcessCOMMIT
//	             NodeCrash, NodeStart          QuorumPeer.start, loadDataBase                   NodeCrash, NodeStart
//	             PartitionStart                time-outs of Learner and LearnerHandler          PartitionStart
//	             PartitionRecover                                                               PartitionRecover
//
// # What is not modelled
//
// Observers, and followers to which observers connect instead of the leader (ObserverMaster, since
// 3.6). Read-only mode: with readonlymode.enabled a server without a quorum answers reads
// (ReadOnlyZooKeeperServer), and here it serves nobody. Dynamic reconfiguration, weights and
// hierarchical quorums, the oracle of two-server ensembles. Reads, sessions, and requests that
// reach a follower. Pings and the limits of ticks: a connection breaks by a fault only. Snapshots
// while serving, except with option disk_faults, and purged logs. A disk that differs from the
// memory, and a committed log that does not reach back to the first transaction, except with option
// disk. Full disks. Files that are empty, half written or corrupt, except those that a write leaves
// in part with disk_faults = "files". So a start that finds no number in the file of an epoch, or a
// damaged snapshot, is no step. docs/results/starts.md has all refusals. The failure of a server of
// 3.9.4 or later that runs, and whose committedLog would get a gap: here it continues with the gap.
// The refusal of a gap by NodeRestarts, in the grains that run next to a server: such a server
// sends no messages. The zxid with counter 0 that ZooKeeper takes for the last processed one when
// an epoch begins: here that is the last transaction's, except with option epoch_zxids. A SNAP
// carries a snapshot that no transaction changes while it is written. The threads of a follower are
// at the follower-threads grains only, and those of a leader at the leader-threads grains of
// Broadcast only. At other grains logging and committing are parts of the step that causes them.
// The answers to clients, and requests with conditions: without them the failure of sequential
// consistency that the communication-closure paper reports (ZOOKEEPER-3875) cannot be stated. Of
// the divergence there the code of 3.4.9 is modelled (bug "zk-2832"). The leader of 3.5.8 truncates
// a follower in the ticket's case; the paper does not say by which steps 3.5.8 diverges.
//
// Other departures stand, as lines that begin with Deviation, where they are made.
// docs/reference/deviations.md lists them.
//
// # Options
//
// variant: the versions have the same code in what is modelled here, with one exception. In
// versions with readsTmpEpoch a server whose crash hit the acceptance of an epoch can find that
// epoch in currentEpoch.tmp; see NodeStart. In "v3.4.3" votes are ordered as they were there
// (ZOOKEEPER-1419), and whether somebody leads is known from those that have left the election; all
// else is as in later versions.
//
// snap: without it a follower that has nothing gets all transactions by DIFF, and one whose last
// transaction the leader lacks a TRUNC even across epochs. No message of the specification has what
// a snapshot holds.
//
// disk: "one" is the abstraction of the paper, where History is log, snapshot and memory at the
// same time. "apart" keeps the three apart; see disk.go. Requests must not exceed transactions
// then.
//
// exceptions: "continue" does after an exception what the code does next; see exceptions.go. With
// "end", as in the paper, the behaviour ends there.
//
// truncation: with disk "apart", what TRUNC does to the log and to snapshots: as the code does it,
// or with repairs.
//
// epoch_zxids: with disk "apart", a leader that serves takes the zxid of its epoch for its last
// one, and SNAP carries it, as in ZooKeeper. Without it see lastProcessedZxid and saveReceived.
//
// forces: with disk "apart" and a grain of Faults in which servers lose power, what they force to
// disk; see faults_power.go.
//
// `live_node`: the specification runs next to one server.
//
// fix: what is changed in 3.9.1; see variants.go. The grains of Synchronization other than
// follower-threads know the final resolution, and of the pull requests what can be seen there.
//
// bug: faulty code of an earlier version, each alone in what is otherwise the chosen version; see
// earlier.go. With zk-2832 and zk-2845 History holds the memory of a server.
package zab
