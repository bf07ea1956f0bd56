//go:build !multigrain_runtime

package zab

// logRequests hands transactions to follower i's SyncRequestProcessor.
func (n *State) logRequests(i Server, q *Requests) {
	for k := 1; k <= q.Len(); k++ {
		n.logRequest(i, q.At(k))
	}
}

// commitRequests hands pending transactions of follower i, which must be q, to its CommitProcessor.
func (n *State) commitRequests(i Server, q *Zxids) {
	for k := 1; k <= q.Len(); k++ {
		n.commitRequest(i, q.At(k))
	}
}
