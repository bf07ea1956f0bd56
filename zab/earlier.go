package zab

// What faulty code of earlier versions does, as option "bug" chooses; all else stays as the chosen
// version has it. The tickets are on issues.apache.org/jira/browse.
//
//	zk-1154  LearnerHandler.java:271-292@3.3.3: a learner whose last zxid lies within the leader's committed log gets a DIFF,
//	         whether the leader has that transaction or not.
//	zk-2832  LearnerHandler.java:391-456@3.4.9, Learner.java:332-333@3.4.9: a leader whose committed log is empty, because its last
//	         snapshot covers all that it has, sends a SNAP also to a learner that is ahead of it; the learner puts it into
//	         memory and leaves its log as it is, and reads what that has behind the snapshot when it loads its database,
//	         which follows each shutdown (ZooKeeperServer.java:511@3.4.9).
//	zk-2845  ZooKeeperServer.java:515-522@3.4.11, since ZOOKEEPER-2678: who looks for a leader keeps its database in memory,
//	         without the transactions that it has logged and not applied; a restart reads them.
//	zk-3911  Learner.java:675-718@3.6.2: NEWLEADER is acknowledged before what was sent ahead of it is logged, which UPTODATE does.
//
// Variant "v3.4.3" has ZOOKEEPER-1419, and "v3.4.14" has ZOOKEEPER-3911. Grains with a follower's
// threads know zk-1154, zk-2832 and zk-3911.
const (
	diffsDiverged   = Bug == "zk-1154"
	snapsOverLog    = Bug == "zk-2832"
	keepsDatabase   = Bug == "zk-2845"
	logLeavesMemory = snapsOverLog || keepsDatabase
)

// LogSlots is 1 where a bug is chosen and 0 where none is: the names of bugs are equally long, and
// "none" is shorter.
const LogSlots = len(Bug) / len("zk-1154")

// Log is a server's log on disk, if that can differ from the History that it has in memory.
//
// Deviation: what the log has in addition is put back by its zxids. What the leader sends a second
// time is there once, as in ZooKeeper's data tree. All transactions together must fit into a
// history: requests must not exceed transactions. That hides orders of records in a log; option
// disk = "apart" has them, and does not know these bugs.
type Log struct {
	Unread History // transactions of the log that are not in History, in the order of their zxids
	// what the database's last snapshot had when it was loaded: the length of that part of History
	Covered Number
}

// log is i's. It is used only where a bug is chosen that needs it.
func (s *State) log(i Server) *Log {
	k := 0
	return &s.Logs[k][i]
}

// committedLogIsEmpty reports whether leader i has loaded nothing but a snapshot and committed
// nothing since.
func (s *State) committedLogIsEmpty(i Server) bool {
	return int(s.log(i).Covered) >= s.History[i].Len()
}

// merge returns the transactions of two histories in the order of their zxids.
func merge(a, b *History) (all History) {
	for x, y := 1, 1; x <= a.Len() || y <= b.Len(); {
		switch {
		case y > b.Len() || x <= a.Len() && b.At(y).Zxid.After(a.At(x).Zxid):
			all.Append(a.At(x))
			x++
		case x <= a.Len() && a.At(x) == b.At(y):
			x++
		default:
			all.Append(b.At(y))
			y++
		}
	}
	return all
}

// without returns the transactions of a that b does not have.
func without(a, b *History) (rest History) {
	for k := 1; k <= a.Len(); k++ {
		if t := a.At(k); b.Find(t) == 0 {
			rest.Append(t)
		}
	}
	return rest
}
