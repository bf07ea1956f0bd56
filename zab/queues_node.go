//go:build multigrain_runtime

package zab

// logRequests hands transactions to follower i's SyncRequestProcessor, as logRequest does. There
// may be thousands of them, and the follower may send as many messages before: see modules.Deque.
func (n *State) logRequests(i Server, q *Requests) {
	n.QueuedRequests[i].AppendAll(q, asReceived)
	n.PendingTxns[i].txns.AppendAll(q, withoutValue)
}

// commitRequests hands pending transactions of follower i, which must be q, to its CommitProcessor,
// as commitRequest does. That applies nothing: see queuesCommits.
func (n *State) commitRequests(i Server, q *Zxids) {
	pending := &n.PendingTxns[i].txns
	k := pending.Common(&q.txns)
	pending.Drop(k)
	if k < q.Len() && !pending.Empty() {
		n.Raised.Raise(CommitNotNext)
	}
}
