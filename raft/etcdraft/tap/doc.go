// Package tap writes the events of a node that runs on go.etcd.io/raft/v3: what the node receives,
// sends and is asked for. The command multigrain monitor checks this stream; see
// docs/reference/stream.md.
//
// A program that drives a RawNode adds a line at each of these places:
//
//	t := tap.New(tap.Unix("/run/node1.tap"), tap.Options{Snapshots: true})
//	t.Missed("killed")              // first, if the process before did not end with Close
//	t.RestartFrom(storage, applied) // before NewRawNode, of a new node and of one with state
//	t.Receive(m); node.Step(m)
//	t.Propose(data, node.Propose(data))
//	t.ReadIndex(id, request); node.ReadIndex(request)
//	t.TransferLeader(to); node.TransferLeader(to) // if the node leads
//	t.Send(rd.Messages...) // after the write to disk, as they are handed to the transport
//	t.Applying(entry.GetIndex()); node.ApplyConfChange(cc) // see Applying
//	t.Advance(&rd, node.BasicStatus()) // for monitor -order steps
//	t.Applied(index); node.Advance(rd) // see below
//	t.Snapshot(snap.GetMetadata()) // together with storage.CreateSnapshot
//	t.Compact(index)               // together with storage.Compact
//	t.ReportSnapshot(to, status); node.ReportSnapshot(to, status)
//	t.ReportUnreachable(to); node.ReportUnreachable(to)
//	t.Close()
//
// Applied gets the index of the last of rd.CommittedEntries, or that of rd.Snapshot. It is called
// only if there are any.
//
// RestartFrom may be replaced by Restart, which reports nothing about the disk. A stream of a node
// that has state already must begin with RestartFrom: without it the monitor assumes a new node. A
// tap that is added to a running node calls Missed first; the monitor is undecided up to the next
// RestartFrom.
//
// With a tap at Step, as here, the order of all that the node takes is known (monitor -order
// total). A tap at the network may call Receive as messages arrive. Then only the order on each
// connection is known, and the check costs more.
//
// A tap never makes the node wait. Events go into a buffer. Those without room are dropped and
// counted, and the stream says so, so the monitor is undecided from there on. A message that the
// transport drops must not be given to Send. Written and Lost count lines of the stream, as the
// monitor does.
//
// MsgSnap goes to Send as the library hands it out, even if another snapshot is sent in its place,
// as etcd's servers do. Receive gets the one that arrives.
//
// The library must run as the specification has it. With MaxSizePerMsg 0 an append carries at most
// one entry; other sizes need a monitor with -var batch=2. A message is sent after its writes are
// on disk. No proposals are forwarded. Messages that the specification does not have count as lost,
// and the stream says why: see Unknown. Supports names the versions of the library.
package tap
