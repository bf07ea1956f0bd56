package protocol

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Recorder counts what the published bounds limit. The published recorder has more entries:
// nRestart is a budget of the checker, maxEpoch follows from the state, see newestEpoch, and
// nClientRequest is ClientRequest.
type Recorder struct {
	NTimeout     uint8 // time-outs and restarts
	NTransaction uint8 // length of the longest history when the last request was taken
}

// Rules of the grain published. A limit forbids when the count reaches it. A parameter that is
// missing from the published Parameters is unlimited, which a limit that is never reached is too.

// publishedTimeout. Zab.tla: CheckTimeout.
func publishedTimeout(s *State, _ Pair) bool {
	return int(s.Recorder.NTimeout) < MaxTimeoutFailures
}

func recordTimeout(s, n *State, _ Pair) {
	n.Recorder.NTimeout = s.Recorder.NTimeout + 1
}

// publishedRestart. Zab.tla: CheckRestart. The budget restarts is the rest of it. The publications
// differ. In that of the authors' repository, and in the counts published there, a restart counts
// as a time-out but is not limited by time-outs. In ZooKeeper's repository it needs CheckTimeout
// too.
func publishedRestart(s *State, _ One) bool {
	return !RestartsNeedTimeouts || int(s.Recorder.NTimeout) < MaxTimeoutFailures
}

func recordRestart(s, n *State, _ One) {
	n.Recorder.NTimeout = s.Recorder.NTimeout + 1
}

// publishedRequest. Zab.tla: CheckTransactionNum.
func publishedRequest(s *State, _ One) bool {
	return int(s.Recorder.NTransaction) < MaxTransactions
}

func recordRequest(_, n *State, _ One) {
	longest := 0
	for i := range Server(Servers) {
		longest = max(longest, n.History[i].Len())
	}
	n.Recorder.NTransaction = uint8(longest)
}

// publishedEpoch. Zab.tla: CheckEpoch. In the last epoch even a CEPOCH that only requires to join
// it waits for ever.
func publishedEpoch(s *State, _ Pair) bool {
	return int(s.newestEpoch()) < MaxEpochs
}

// Rules of the grain limits.

// withinRequests lets clients make MaxTransactions requests.
func withinRequests(s *State, _ One) bool { return int(s.ClientRequest) < MaxTransactions }

// withinEpochs lets a leader choose an epoch up to MaxEpochs, and answer in the last one.
func withinEpochs(s *State, p Pair) bool {
	return s.knowsEpoch(p.I) || int(s.newestEpoch()) < MaxEpochs
}

var boundsLimits = grains.Grain[State]{
	Name:   "limits",
	Doc:    "budgets of time-outs and restarts, and limits of requests and epochs",
	Covers: []string{"bounds"},
	Rules: []modules.Rule[State]{
		modules.When(&LeaderProcessRequest, withinRequests),
		modules.When(&LeaderProcessCEPOCH, withinEpochs),
	},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("timeouts", &Timeout),
		modules.Spend[State]("restarts", &Restart),
	},
}

var boundsPublished = grains.Grain[State]{
	Name:   "published",
	Doc:    "the bounds of Zab.tla, for counts that can be compared with its own",
	Covers: []string{"bounds"},
	Rules: []modules.Rule[State]{
		modules.When(&Timeout, publishedTimeout), modules.After(&Timeout, recordTimeout),
		modules.When(&Restart, publishedRestart), modules.After(&Restart, recordRestart),
		modules.When(&LeaderProcessRequest, publishedRequest), modules.After(&LeaderProcessRequest, recordRequest),
		modules.When(&LeaderProcessCEPOCH, publishedEpoch),
	},
	Budgets: []modules.Budget[State]{modules.Spend[State]("restarts", &Restart)},
}
