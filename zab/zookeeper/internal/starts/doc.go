// Package starts shows what a start of a ZooKeeper server does with the files that it finds. It
// writes a folder of data, and starts one server of a release on it. The server's log has the zxid
// with which it looks for a leader, or the exception with which it ends.
//
// Files of logs are written here, in ZooKeeper's format. Snapshots are those that servers of the
// release have written themselves. Their names, which say the zxid, are changed.
//
// A start does not depend on the role that follows: a server loads its files before it looks for a
// leader (QuorumPeer.start). What a leader or a follower does with them later is not seen here.
package starts
