//go:build !multigrain_runtime

package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

type step = conform.Step[zab.State]

// rows has the actions of package zab as the servers do them.
var rows map[string]func(*adapter, context.Context, step) error

func init() { // some rows name actions whose rows they end
	rows = map[string]func(*adapter, context.Context, step) error{
		// Election and Discovery.
		zab.ElectionAndDiscovery.Name:               elect,
		zab.QuorumElection.Name:                     elect,
		zab.JoinLeader.Name:                         join,
		zab.ElectLeader.Name:                        electLeader,
		zab.FollowElected.Name:                      followElected,
		zab.FLELookForLeader.Name:                   lookForLeader,
		zab.FLEReceiveNotmsg.Name:                   receive,
		zab.FLENotmsgTimeout.Name:                   waitInVain,
		zab.FLEHandleNotmsg.Name:                    handle,
		zab.FLEWaitNewNotmsg.Name:                   skip,
		zab.FLEWaitNewNotmsgEnd.Name:                leave,
		zab.ConnectAndFollowerSendFOLLOWERINFO.Name: connect,
		zab.LeaderProcessFOLLOWERINFO.Name:          takeInfo,
		zab.FollowerProcessLEADERINFO.Name:          takeEpoch,
		zab.LeaderProcessACKEPOCH.Name:              takeAck,
		zab.DiscoverEpoch.Name:                      discover,
		// Synchronization.
		zab.LeaderSyncFollower.Name:                   syncFollower,
		zab.FollowerProcessSyncMessage.Name:           openSync,
		zab.FollowerProcessPROPOSALInSync.Name:        read,
		zab.FollowerProcessCOMMITInSync.Name:          read,
		zab.FollowerProcessNEWLEADER.Name:             newLeader,
		zab.FollowerProcessNEWLEADERTakeSnapshot.Name: newLeader,
		zab.FollowerProcessNEWLEADERUpdateEpoch.Name:  newLeader,
		zab.FollowerProcessNEWLEADERLog.Name:          newLeader,
		zab.LeaderProcessACKLD.Name:                   countNewLeader,
		zab.FollowerProcessUPTODATE.Name:              readAndLog,
		zab.AdoptHistory.Name:                         adopt,
		zab.FollowerGivesUp.Name:                      giveUp,
		zab.FollowerExitsAtTRUNC.Name:                 exit,
		zab.FollowerExitsAtUPTODATE.Name:              exit,
		zab.FollowerIgnoresSync.Name:                  read,
		zab.FollowerHoldsBackAfterGap.Name:            readOrGiveUp,
		zab.FollowerIgnoresCOMMIT.Name:                read,
		// Synchronization with a follower's threads.
		zab.FollowerHoldBackPROPOSAL.Name:           read,
		zab.FollowerProcessNEWLEADERLogPackets.Name: newLeader,
		zab.FollowerProcessNEWLEADERReplyAck.Name:   newLeader,
		zab.LeaderProcessFirstACK.Name:              countFirst,
		zab.LeaderIgnoresFirstACK.Name:              countFirst,
		zab.FollowerProcessUPTODATEAsync.Name:       read,
		zab.FollowerExitsAtUPTODATEAsync.Name:       exit,
		zab.FollowerHoldsBackAfterGapAsync.Name:     readOrGiveUp,
		zab.LeaderOpensSync.Name:                    opensSync,
		zab.LeaderFindsLogLarge.Name:                findsLogLarge,
		zab.LeaderQueuesNEWLEADER.Name:              queuesNEWLEADER,
		// Broadcast with a follower's threads.
		zab.FollowerProcessPROPOSALAsync.Name:    read,
		zab.FollowerSyncProcessorLogRequest.Name: logOne,
		zab.LeftSyncProcessorLogRequest.Name:     logLeft,
		zab.LeaderProcessNextACK.Name:            count,
		zab.FollowerProcessCOMMITAsync.Name:      read,
		zab.FollowerCommitProcessorCommit.Name:   applyOne,
		zab.FollowerCommitProcessorApply.Name:    applyOne,
		zab.FollowerExitsAtCOMMITAsync.Name:      exit,
		zab.FollowerLogsAfterGapAsync.Name:       read,
		zab.LeaderIgnoresNextACK.Name:            count,
		// Broadcast with a leader's threads.
		zab.LeaderProcessRequestAsync.Name:          requestOnly,
		zab.LeaderSyncProcessorLogRequest.Name:      logProposed,
		zab.LeaderSyncProcessorLogRequestApply.Name: logProposed,
		zab.LeaderProcessNextACKAsync.Name:          count,
		zab.LeaderCommitProcessorCommit.Name:        applyCommitted,
		// Broadcast.
		zab.LeaderProcessRequest.Name:    request,
		zab.FollowerProcessPROPOSAL.Name: readAndLog,
		zab.LeaderProcessACK.Name:        count,
		zab.FollowerProcessCOMMIT.Name:   read,
		zab.Replicate.Name:               replicate,
		zab.CatchUp.Name:                 catchUp,
		zab.CountACK.Name:                countAndCommit,
		zab.FollowerExitsAtCOMMIT.Name:   exit,
		zab.FollowerLogsAfterGap.Name:    readAndLog,
		zab.LeaderIgnoresACK.Name:        count,
		// Faults.
		zab.NodeCrash.Name:                 crash,
		zab.NodeLosesPower.Name:            losePower,
		zab.NodeLosesRolledLog.Name:        loseRolledLog,
		zab.NodeCrashBeforeForce.Name:      crashBeforeForce,
		zab.NodeLosesEpochs.Name:           loseEpochs,
		zab.NodeLosesTruncation.Name:       loseTruncation,
		zab.NodeStart.Name:                 start,
		zab.PartitionStart.Name:            disconnect,
		zab.PartitionRecover.Name:          heal,
		zab.ServerTakesSnapshot.Name:       takeSnapshot,
		zab.LeaderTimesOutAtNEWLEADER.Name: func(a *adapter, ctx context.Context, s step) error { return a.partWays(ctx, s) },
		zab.FollowerTimeout.Name:           followerWaits,
		zab.LeaderTimeout.Name:             leaderWaits,
		// Faults where each end of a connection notices by itself.
		zab.NodeCrashUnnoticed.Name:    crash,
		zab.LinkCut.Name:               disconnect,
		zab.FollowerProcessCLOSED.Name: readEnd,
		zab.LeaderProcessCLOSED.Name:   readEnd,
		zab.FollowerTimesOut.Name:      followerTimesOut,
		zab.LeaderDropsLearner.Name:    dropLearner,
		zab.LeaderGivesUp.Name:         giveUpLeading,
	}
}

// monitored are the actions of the grains node. They are not driven: multigrain monitor
// compares them with real servers, on streams of their messages. Most are halves of steps that are
// driven.
var monitored = []string{
	zab.NodeLooks.Name, zab.NodeBringsUpLog.Name, zab.NodeTakesNotification.Name, zab.NodeAnswersNotification.Name,
	zab.NodeTellsVote.Name, zab.NodeTellsAgain.Name, zab.NodeMeets.Name, zab.NodeParts.Name,
	zab.NodeLeads.Name, zab.NodeFollows.Name, zab.NodeConnects.Name, zab.NodeProcessFOLLOWERINFO.Name,
	zab.NodeDropsFOLLOWERINFO.Name, zab.NodeProcessLEADERINFO.Name, zab.NodeBringsUpMemory.Name, zab.NodeAnswersLEADERINFO.Name,
	zab.NodeProcessACKEPOCH.Name, zab.NodeDecidesSync.Name, zab.NodeSendsOpening.Name, zab.NodeSendsSNAP.Name,
	zab.NodeSendsProposal.Name, zab.NodeSendsCommit.Name, zab.NodeSendsNEWLEADER.Name, zab.NodeProcessFirstACK.Name,
	zab.NodeSendsUPTODATE.Name, zab.NodeProcessSyncMessage.Name, zab.NodeProcessNEWLEADER.Name, zab.NodeUpdatesEpoch.Name,
	zab.NodeLogsPackets.Name, zab.NodeAcknowledgesNEWLEADER.Name, zab.NodeDropsACK.Name, zab.NodeProcessNextACK.Name,
	zab.NodeRestarts.Name, zab.NodeProcessCLOSED.Name, zab.NodeTimesOut.Name, zab.NodeIsUnheard.Name,
	zab.NodeProcessLearnerCLOSED.Name, zab.NodeDropsLearner.Name, zab.NodeGivesUp.Name, zab.NodeTakesUnseenRequest.Name,
}

// undriven are actions that no server is driven through, and why.
var undriven = map[string]string{
	zab.NodeCrashInFile.Name:      inPart,
	zab.NodeLosesPowerInFile.Name: inPart,
	zab.NodeLosesSnapshots.Name:   inPart,
	zab.NodeStartReadsFiles.Name:  inPart,
}

// inPart is the reason for files that are written in part.
const inPart = "docs/results/starts.md has starts of real servers with files that are written in part"

// elect lets the servers of a quorum elect a leader and begin Synchronization.
func elect(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Party)
	votes, err := a.ensemble.Elect(ctx, int(p.I)+1, members(zab.Voters(s.Before, p)), members(p.S))
	if err := a.noteVotes(p.I, votes, err); err != nil {
		return a.noteHeard(err)
	}
	a.led[p.I] = s.After.AcceptedEpoch[p.I]
	a.joined[p.I], a.heard[p.I] = p.S, zab.Set(0).With(p.I)
	m, err := a.node(p.I).Memory()
	if err != nil {
		return err
	}
	for k, z := range m.Leader.Unsynced {
		a.peerLast[k-1] = a.zxid(z)
	}
	return nil
}

// noteVotes notes the votes of an election. Its error says who is elected where I is not.
func (a *adapter) noteVotes(i zab.Server, votes map[int]control.Ballot, err error) error {
	for k, b := range votes {
		a.evidence.Votes[k-1] = a.vote(b)
	}
	if v := (*control.VotesError)(nil); errors.As(err, &v) {
		a.evidence.Elected = zab.Server(v.Votes[0].Leader - 1)
		return fmt.Errorf("the servers do not elect %d as the specification does: server %d has a greater vote, with epoch %d and zxid %v",
			i, a.evidence.Elected, a.epoch(v.Votes[0].Epoch), a.zxid(v.Votes[0].Zxid))
	}
	if err == nil {
		a.evidence.Elected = i
	}
	return err
}

// electLeader lets the servers of a quorum elect I, which leads. The others have a quorum for their
// votes, too, and stand before they wait for better ones. Those that stand there since an earlier
// election look for a leader again.
func electLeader(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Party)
	for _, k := range members(p.S) {
		if err := a.ensemble.LooksAgain(ctx, k); err != nil {
			return err
		}
	}
	votes, err := a.ensemble.Lead(ctx, int(p.I)+1, members(p.S))
	if err := a.noteVotes(p.I, votes, err); err != nil {
		return err
	}
	return a.turnsToLeading(ctx, p.I)
}

// followElected lets J follow I, which leads.
func followElected(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	heard := zab.Set(0)
	for k := range zab.Server(zab.Servers) {
		if k != p.J && s.Before.Status.Has(k) && !s.Before.Msgs.IsCut(p.J, k) {
			heard.Add(k)
		}
	}
	return a.ensemble.Follow(ctx, int(p.I)+1, int(p.J)+1, members(heard), a.followerRests())
}

// join lets a server join the leader that has its quorum.
func join(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	vote, err := a.ensemble.Join(ctx, int(p.I)+1, int(p.J)+1)
	if err != nil {
		return a.noteHeard(err)
	}
	a.evidence.Votes[p.J] = a.vote(vote)
	a.joined[p.I].Add(p.J)
	a.heard[p.I].Remove(p.J)
	m, err := a.node(p.I).Memory()
	if err == nil {
		a.peerLast[p.J] = a.zxid(m.Leader.Unsynced[int(p.J)+1])
	}
	return err
}

// noteHeard notes the votes that a server hears which does not follow a leader. The error that it
// returns numbers servers as the specification does.
func (a *adapter) noteHeard(err error) error {
	v := (*control.JoinError)(nil)
	if !errors.As(err, &v) {
		return err
	}
	var votes []string
	for k := range zab.Server(zab.Servers) {
		if b, some := v.Heard[int(k)+1]; some {
			x := a.vote(b)
			a.evidence.Hears.Add(k)
			a.evidence.Heard[k] = x
			votes = append(votes, fmt.Sprintf("server %d votes for %d with epoch %d", k, x.Leader, x.Epoch))
		}
	}
	return fmt.Errorf("server %d does not follow %d as in the specification: it hears no quorum of equal votes, but %s",
		v.Joiner-1, v.Leader-1, strings.Join(votes, ", "))
}

// syncFollower lets the LearnerHandler of J decide and send.
func syncFollower(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.readCommittedLog(ctx, p); err != nil {
		return err
	}
	return a.releaseHandler(ctx, p, control.Sync)
}

// readsNoLog is a snapshotSizeFactor with which a leader sends SNAP where it would read its log.
const readsNoLog = -1

// findsLogLarge is syncFollower of a leader that finds its log too large. A log of one file is not
// too large for any other factor, since the file that is read first does not count. So the leader
// has another setting until it has decided.
func findsLogLarge(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.readCommittedLog(ctx, p); err != nil {
		return err
	}
	was, err := a.node(p.I).SetSnapshotSizeFactor(readsNoLog)
	if err != nil {
		return err
	}
	if err := a.releaseHandler(ctx, p, control.Sync); err != nil {
		return err
	}
	err = a.ensemble.Await(ctx, func() (bool, error) {
		return len(a.ensemble.Network.Kept(int(p.I)+1, int(p.J)+1)) > 0, a.node(p.I).Err()
	})
	if err != nil {
		return fmt.Errorf("waiting for what leader %d sends to server %d: %w", p.I, p.J, err)
	}
	_, err = a.node(p.I).SetSnapshotSizeFactor(was)
	return err
}

// releaseHandler releases the LearnerHandler of J at its leader I as soon as it stands at a place.
func (a *adapter) releaseHandler(ctx context.Context, p zab.Pair, at control.Place) error {
	err := a.ensemble.Await(ctx, func() (bool, error) {
		h, err := a.node(p.I).Handler(int(p.J)+1, at)
		if h == nil || err != nil {
			return false, errors.Join(err, a.node(p.I).Err())
		}
		return true, h.Release()
	})
	if err != nil {
		return fmt.Errorf("the LearnerHandler of server %d at its leader %d, at %v: %w", p.J, p.I, at, err)
	}
	return nil
}

// opensSync lets the LearnerHandler of J decide, and queue all that comes before NEWLEADER.
func opensSync(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.readCommittedLog(ctx, p); err != nil {
		return err
	}
	if err := a.releaseHandler(ctx, p, control.Sync); err != nil {
		return err
	}
	err := a.ensemble.Await(ctx, func() (bool, error) {
		h, err := a.node(p.I).Handler(int(p.J)+1, control.Opened)
		return h != nil, errors.Join(err, a.node(p.I).Err())
	})
	if err != nil {
		return fmt.Errorf("waiting for the LearnerHandler of server %d at its leader %d: %w", p.J, p.I, err)
	}
	return nil
}

// queuesNEWLEADER lets the LearnerHandler of J queue NEWLEADER and start its sender.
func queuesNEWLEADER(a *adapter, ctx context.Context, s step) error {
	return a.releaseHandler(ctx, s.Params.(zab.Pair), control.Opened)
}

// takeSnapshot lets a server write the snapshot that is due.
func takeSnapshot(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	return a.once(ctx, i, "thread of a due snapshot", func() (*control.Stop, error) {
		if standing := a.node(i).Standing(control.Save); len(standing) > 0 {
			return standing[0], nil
		}
		return nil, a.node(i).Err()
	})
}

// deliver delivers the first packet from one server to another.
func (a *adapter) deliver(from, to zab.Server) error {
	m, err := a.ensemble.Network.Deliver(int(from)+1, int(to)+1)
	if err == nil {
		a.say("server %d gets %v %v from %d", to, m.Type, m.Zxid, from)
	}
	return err
}

// rests waits until the QuorumPeer of a server stands at a place.
func (a *adapter) rests(ctx context.Context, i zab.Server, at control.Place) error {
	err := a.ensemble.Await(ctx, func() (bool, error) { return a.ensemble.Stands(int(i)+1, at) })
	if err != nil {
		return fmt.Errorf("waiting for server %d at %v: %w", i, at, err)
	}
	return nil
}

// moves releases the QuorumPeer of a server from one place, and waits until it stands at the next.
func (a *adapter) moves(ctx context.Context, i zab.Server, from, to control.Place) error {
	stop := a.node(i).Peer()
	if stop == nil || stop.Point.Place != from {
		return fmt.Errorf("the QuorumPeer of server %d does not stand at %v", i, from)
	}
	if err := stop.Release(); err != nil {
		return err
	}
	return a.rests(ctx, i, to)
}

// read lets follower I read a packet of its leader J.
func read(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.deliver(p.J, p.I); err != nil {
		return err
	}
	return a.moves(ctx, p.I, control.Read, control.Read)
}

// readAndLog lets follower I read a packet of its leader J, and its SyncRequestProcessor log and
// acknowledge what that hands over.
func readAndLog(a *adapter, ctx context.Context, s step) error {
	if err := read(a, ctx, s); err != nil {
		return err
	}
	return a.log(ctx, s.Params.(zab.Pair).I)
}

// log lets a follower's SyncRequestProcessor log and acknowledge all that it has.
func (a *adapter) log(ctx context.Context, i zab.Server) error {
	err := a.ensemble.Await(ctx, func() (bool, error) {
		for _, stop := range a.node(i).Standing(control.Append) {
			if err := stop.Release(); err != nil {
				return false, err
			}
		}
		return a.node(i).Logged()
	})
	if err != nil {
		return fmt.Errorf("waiting for the SyncRequestProcessor of server %d: %w", i, err)
	}
	return nil
}

// newLeader takes follower I through the places of NEWLEADER, up to that where the step ends. The
// packet counts as in flight until the follower has acknowledged it.
func newLeader(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	at := control.Read
	if a.taken[p.I] == nil {
		var m zab.Msg
		if kept := a.ensemble.Network.Kept(int(p.J)+1, int(p.I)+1); len(kept) > 0 {
			m = zab.Msg{Kind: zab.NEWLEADER, Zxid: a.zxid(kept[0].Zxid)}
		}
		if err := a.deliver(p.J, p.I); err != nil {
			return err
		}
		a.taken[p.I] = &m
	} else if stop := a.node(p.I).Peer(); stop != nil {
		at = stop.Point.Place
	}
	end := a.endOfNEWLEADER(s)
	for _, next := range []control.Place{control.Snapshot, control.Logged, control.Epoch, control.Ack, control.Read} {
		if next != control.Read && at != control.Read && next <= at || next == control.Ack && !a.threads || !control.HasPlace(a.jars.Version, next) {
			continue // it has been there, or does not stop there
		}
		if err := a.moves(ctx, p.I, at, next); err != nil {
			return err
		}
		a.openings[p.I] = nil
		if at = next; at == end {
			break
		}
	}
	if at != control.Read {
		return nil
	}
	a.taken[p.I] = nil
	if a.threads {
		return nil
	}
	return a.log(ctx, p.I)
}

// endOfNEWLEADER returns where a step of NEWLEADER ends. A follower may log before it accepts the
// epoch. Where that has no place of its own, snapshot and log come before the place Snapshot.
func (a *adapter) endOfNEWLEADER(s step) control.Place {
	i := s.Params.(zab.Pair).I
	switch {
	case s.After.ConnectInfo[i].NlRcv:
		return control.Read
	case s.After.ServingState[i] != zab.INITIAL && s.Action != zab.FollowerProcessNEWLEADERTakeSnapshot.Name && control.HasPlace(a.jars.Version, control.Logged):
		return control.Logged
	case s.After.ServingState[i] != zab.INITIAL:
		return control.Snapshot
	case s.Action == zab.FollowerProcessNEWLEADERLogPackets.Name:
		return control.Ack
	}
	return control.Epoch
}

// logOne lets the SyncRequestProcessor of follower I log and acknowledge one transaction.
func logOne(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.Pair).I
	return a.once(ctx, i, "SyncRequestProcessor", a.node(i).Logger)
}

// applyOne lets the CommitProcessor of follower I apply one transaction.
func applyOne(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	return a.once(ctx, i, "CommitProcessor", a.node(i).Committer)
}

// logLeft lets a SyncRequestProcessor that a shutdown has left running log one transaction, and
// waits until the thread stands with the next one, waits for one, or has failed.
func logLeft(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	a.leftLogs = leftLogs{true, i, a.node(i).LogSize()}
	var thread jdwp.Thread
	err := a.once(ctx, i, "SyncRequestProcessor that was left", func() (*control.Stop, error) {
		left, err := a.node(i).Left()
		if len(left) == 0 {
			return nil, err
		}
		thread = left[0].Thread
		return left[0], err
	})
	if err != nil {
		return err
	}
	return a.ensemble.Await(ctx, func() (bool, error) {
		return a.node(i).Rests(thread)
	})
}

// once waits until a thread of a server stands, and releases it.
func (a *adapter) once(ctx context.Context, i zab.Server, what string, find func() (*control.Stop, error)) error {
	err := a.ensemble.Await(ctx, func() (bool, error) {
		stop, err := find()
		if stop == nil || err != nil {
			return false, err
		}
		return true, stop.Release()
	})
	if err != nil {
		return fmt.Errorf("waiting for the %s of server %d: %w", what, i, err)
	}
	return nil
}

// countNewLeader lets leader I take J's acknowledgement of NEWLEADER. A leader that has its quorum
// does not note who sends one.
func countNewLeader(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	m, err := a.memory(p.I)
	if err != nil {
		return err
	}
	if m != nil && m.Leader != nil && !setOf(m.Leader.Acked).IsQuorum(zab.Servers) {
		a.heard[p.I].Add(p.J)
	}
	return count(a, ctx, s)
}

// countFirst lets leader I take an acknowledgement of J for that of NEWLEADER.
func countFirst(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	a.heard[p.I].Add(p.J)
	return count(a, ctx, s)
}

// count lets leader I take an acknowledgement of J. Its LearnerHandler reads at once. When the
// leader begins to serve, the clients open their sessions.
func count(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.deliver(p.J, p.I); err != nil {
		return err
	}
	if s.Before.ServingState[p.I] == zab.RUNNING || s.After.ServingState[p.I] != zab.RUNNING {
		return nil
	}
	if !a.jars.Version.HasLocalSessions() {
		return &conform.UndrivenError{Message: fmt.Sprintf("ZooKeeper %s has no local sessions: the session of a client would be a transaction that the specification does not have", a.jars.Version)}
	}
	return a.clients.connect(ctx, a.node(p.I), zab.MaxRequests-a.requests)
}

// path returns the node that a request creates.
func path(value int) string { return fmt.Sprintf("/v%d", value) }

// request sends a client's write to the leader, and lets the leader log its own proposal.
func request(a *adapter, ctx context.Context, s step) error {
	if err := requestOnly(a, ctx, s); err != nil {
		return err
	}
	return logProposed(a, ctx, s)
}

// logProposed lets the SyncRequestProcessor of a leader log and acknowledge one proposal.
func logProposed(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	return a.once(ctx, i, "SyncRequestProcessor", a.first(i, control.Append))
}

// applyCommitted lets the CommitProcessor of a leader apply one transaction.
func applyCommitted(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	return a.once(ctx, i, "CommitProcessor", a.first(i, control.Commit))
}

// first finds a thread of a server that stands at a place, as own does.
func (a *adapter) first(i zab.Server, at control.Place) func() (*control.Stop, error) {
	return func() (*control.Stop, error) {
		standing, err := a.own(i, at)
		if len(standing) > 0 {
			return standing[0], err
		}
		return nil, errors.Join(err, a.node(i).Err())
	}
}

// requestOnly sends a client's write to the leader.
func requestOnly(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	value := int(s.Before.ClientRequest)
	if err := a.clients.write(ctx, a.node(i), path(value)); err != nil {
		return fmt.Errorf("a client of leader %d: %w", i, err)
	}
	a.requests++
	return nil
}

// crash kills a server. With Tmp that is after it has written the epoch of NEWLEADER into
// currentEpoch.tmp, and before the file gets its name. A server that loses its leader, or as a
// leader its quorum, looks for a leader.
func crash(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Crash)
	if p.Tmp {
		a.node(p.I).Catch(control.Rename)
		if err := a.moves(ctx, p.I, control.Snapshot, control.Rename); err != nil {
			return err
		}
	}
	if err := a.noteMemory(s, p.I); err != nil {
		return err
	}
	a.node(p.I).Kill()
	a.voted.Remove(p.I)
	a.say("server %d is killed", p.I)
	a.taken[p.I], a.openings[p.I] = nil, nil
	return a.partWays(ctx, s)
}

// noteMemory notes what a server that looks for a leader has in memory when it crashes. Its log may
// have more. The specification keeps both until the server starts again.
func (a *adapter) noteMemory(s step, i zab.Server) (err error) {
	defer caught(&err)
	if s.Before.State[i] != zab.LOOKING {
		return nil
	}
	var have zab.State
	if err := a.observeServer(&have, i); err != nil {
		return err
	}
	a.lost[i] = &have.LastProcessed[i]
	return nil
}

// losePower kills a server and takes from its files what was not forced to disk.
func losePower(a *adapter, ctx context.Context, s step) error {
	return a.outage(ctx, s, s.Params.(zab.One).I, control.Kept{})
}

// loseEpochs is losePower where the file system has not kept the names of epochs.
func loseEpochs(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Renames)
	return a.outage(ctx, s, p.I, control.Kept{CurrentEpoch: true, AcceptedEpoch: p.Accepted})
}

// loseTruncation is losePower where the file system has not kept what TRUNC did.
func loseTruncation(a *adapter, ctx context.Context, s step) error {
	return a.outage(ctx, s, s.Params.(zab.One).I, control.Kept{Truncated: true})
}

// loseRolledLog lets the SyncRequestProcessor of a server write two transactions to two files,
// and kills the server before the first one is forced. The disk has the second file only.
func loseRolledLog(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	if err := a.flushUnforced(ctx, i, 2, true); err != nil {
		return err
	}
	return a.outage(ctx, s, i, control.Kept{LastLog: true})
}

// crashBeforeForce lets a SyncRequestProcessor write transactions, and kills the server before they
// are forced.
func crashBeforeForce(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Flush)
	if err := a.flushUnforced(ctx, p.I, int(p.Written), false); err != nil {
		return err
	}
	s.Params = zab.Crash{I: p.I}
	return crash(a, ctx, s)
}

// flushUnforced waits until the SyncRequestProcessor of a server stands, and lets it write.
func (a *adapter) flushUnforced(ctx context.Context, i zab.Server, count int, apart bool) error {
	var first *control.Stop
	err := a.ensemble.Await(ctx, func() (some bool, err error) {
		first, err = a.first(i, control.Append)()
		return first != nil, err
	})
	if err != nil {
		return fmt.Errorf("waiting for the SyncRequestProcessor of server %d: %w", i, err)
	}
	return a.node(i).FlushUnforced(ctx, first, count, apart)
}

// outage kills server i, and leaves of its files what was forced and what the file system has kept.
func (a *adapter) outage(ctx context.Context, s step, i zab.Server, kept control.Kept) error {
	if err := a.noteMemory(s, i); err != nil {
		return err
	}
	a.node(i).Kill()
	a.voted.Remove(i)
	a.taken[i], a.openings[i] = nil, nil
	lost, err := a.node(i).LosePower(kept)
	if err != nil {
		return err
	}
	a.say("server %d loses power, and of its files %s", i, cmp.Or(strings.Join(lost, ", "), "nothing"))
	return a.partWays(ctx, s)
}

// giveUp lets follower I read a packet at which its QuorumPeer throws, and look for a leader again.
func giveUp(a *adapter, ctx context.Context, s step) error {
	if err := a.readsLast(s.Params.(zab.Pair)); err != nil {
		return err
	}
	return a.partWays(ctx, s)
}

// readsLast lets follower I read the next packet of its leader J, and does not wait for the
// follower to read another one. A leader that loses its quorum by this notices only afterwards.
func (a *adapter) readsLast(p zab.Pair) error {
	if err := a.deliver(p.J, p.I); err != nil {
		return err
	}
	if stop := a.node(p.I).Peer(); stop != nil {
		return stop.Release()
	}
	return nil
}

// readOrGiveUp lets follower I read a proposal after a gap, at which some versions throw.
func readOrGiveUp(a *adapter, ctx context.Context, s step) error {
	if s.After.State[s.Params.(zab.Pair).I] == zab.LOOKING {
		return giveUp(a, ctx, s)
	}
	return read(a, ctx, s)
}

// exit lets follower I read a packet at which its process exits.
func exit(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.readsLast(p); err != nil {
		return err
	}
	if err := a.ensemble.Await(ctx, func() (bool, error) { return !a.node(p.I).Runs(), nil }); err != nil {
		return fmt.Errorf("waiting for the process of server %d to exit: %w", p.I, err)
	}
	a.node(p.I).Kill() // what is left of its record
	a.taken[p.I] = nil
	return a.partWays(ctx, s)
}

// start starts a server that has crashed.
func start(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	a.lost[i] = nil
	a.ensemble.Network.StartVotes(int(i) + 1)
	if err := a.node(i).Start(ctx); err != nil {
		return err
	}
	return a.rests(ctx, i, control.Election)
}

// disconnect breaks the link between two servers.
func disconnect(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	a.ensemble.Network.Disconnect(int(p.I)+1, int(p.J)+1)
	return a.partWays(ctx, s)
}

// arriving is how long a packet takes at most from a server that has sent it to the network.
const arriving = 50 * time.Millisecond

// heal heals the link between two servers. Where ends notice one by one, what they have sent before
// is lost.
func heal(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	for _, i := range []zab.Server{p.I, p.J} {
		if !a.apart || a.node(i).Gates == nil {
			continue
		}
		err := a.ensemble.Await(ctx, func() (bool, error) {
			sends, err := a.node(i).Sends()
			return !sends, errors.Join(err, a.node(i).Err())
		})
		if err != nil {
			return fmt.Errorf("the LearnerHandlers of server %d: %w", i, err)
		}
		time.Sleep(arriving)
	}
	a.ensemble.Network.Heal(int(p.I)+1, int(p.J)+1)
	return nil
}
