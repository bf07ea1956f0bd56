package zab

// logHeldBack logs what follower i holds back, or of that what is committed, in the thread that
// processes NEWLEADER.
func (n *State) logHeldBack(i Server) {
	if commitsFirst {
		n.logCommitted(i)
		return
	}
	q := &n.PacketsSync[i].NotCommitted
	for k := 1; k <= q.Len() && !stopsSyncProcessor; k++ {
		n.appendToLog(i, q.At(k)) // a SyncRequestProcessor that was left can have logged it
	}
	if stopsSyncProcessor {
		n.logAll(i, q)
	}
	q.Clear()
}

// beginNEWLEADER notes that follower i processes NEWLEADER, where it logs before it accepts the
// epoch: it notices only then that its leader has gone.
//
// Deviation: with fixes that change NEWLEADER, as "final", a follower can notice between the log
// and the epoch. That hides nothing: it adds a follower that stands there without a crash.
func (n *State) beginNEWLEADER(i Server) {
	if keepsNEWLEADER && n.ServingState[i] == SHUTDOWN {
		n.ConnectInfo[i].SyncMode = NEWLEADER
	}
}

// acknowledgeLogged acknowledges what follower i has logged, and not applied, since it began to
// follow.
func (n *State) acknowledgeLogged(i, j Server) {
	for k := int(n.InitialHistory[i]) + 1; k <= n.History[i].Len(); k++ {
		n.Msgs.Send(i, j, Msg{Kind: ACK, Zxid: n.History[i].At(k).Zxid})
	}
}
