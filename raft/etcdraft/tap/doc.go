// Package tap writes down what a node that runs on go.etcd.io/raft/v3 receives, sends and is asked for, as the stream that multigrain
// monitor checks: docs/runtime.md.
//
// A program that drives a RawNode adds a line at each of these places:
//
//	t := tap.New(tap.Unix("/run/node1.tap"), tap.Options{Snapshots: true})
//	t.Missed("killed")                // first, where the process before did not end with Close
//	t.RestartFrom(storage, applied)   // before NewRawNode, unless the node is new; or t.Restart(), which tells nothing of what is kept
//	t.Receive(m); node.Step(m)
//	t.Propose(data, node.Propose(data))
//	t.ReadIndex(id, request); node.ReadIndex(request)
//	t.TransferLeader(to); node.TransferLeader(to)          // where the node leads
//	t.Send(rd.Messages...)            // behind the write to disk, as they are handed to the transport
//	t.Applying(entry.GetIndex()); node.ApplyConfChange(cc) // for the manifests in which apply is told
//	t.Advance(&rd, node.BasicStatus())                     // for monitor -order steps
//	t.Applied(index); node.Advance(rd)                     // index: the last of rd.CommittedEntries or that of rd.Snapshot, if there are any; see Applying
//	t.Snapshot(snap.GetMetadata())                         // beside storage.CreateSnapshot
//	t.Compact(index)                                       // beside storage.Compact
//	t.ReportSnapshot(to, status); node.ReportSnapshot(to, status)
//	t.ReportUnreachable(to); node.ReportUnreachable(to)
//	t.Close()
//
// With a tap at Step, as here, the order of all that the node takes is known (monitor -order total). One that is farther away, at the
// network, may use Receive as messages arrive; then only the order on each connection is known, and the check costs more.
//
// A tap never makes the node wait. Events go into a buffer; what does not fit is dropped and counted, and the stream says so, which
// makes the monitor undecided from there on. A message that the transport drops must not be given to Send.
//
// MsgSnap goes to Send as the library hands it out, where another snapshot is sent in its place, too, as etcd's servers do; Receive gets what arrives.
//
// The library must run as the specification has it: MaxSizePerMsg 0, so an append carries at most one entry, or a monitor with -var batch=2; what it
// writes is on disk before its messages are sent; no proposals are forwarded. Messages that the specification does not have count as lost, and the stream says why: see Unknown.
package tap
