package events

// Found is how a server is found when a log begins.
type Found struct {
	I                Server
	Term             uint16
	Vote             Server
	Commit, Last     uint16
	Voters, Outgoing Set
}

// Boot takes over how a server is set up, before it does anything. Entries that it has are of term
// 1, as those of RawNode.Bootstrap.
//
// Code: raft.go newRaft, bootstrap.go.
var Boot = Action[Found]{
	Name:   "Boot",
	Params: observed[Found],
	Guard: func(s *State, p Found) bool {
		return p.I >= 0 && p.I < Servers && !s.Begun.Has(p.I) && p.Term <= MaxTerm && p.Commit <= p.Last
	},
	Effect: func(s, n *State, p Found) {
		n.Term[p.I], n.Vote[p.I], n.Commit[p.I] = p.Term, p.Vote, p.Commit
		n.Log[p.I] = Position{}
		if p.Last > 0 {
			n.First[1] = 1
			n.Log[p.I] = Position{p.Last, 1}
			n.found(s.Voters[p.I], p)
		}
		n.Voters[p.I], n.Outgoing[p.I] = p.Voters, p.Outgoing
		if n.Learners[p.I], n.Unstated[p.I] = 0, 0; p.Voters != 0 {
			n.Unstated[p.I] = everyone &^ (p.Voters | p.Outgoing)
		}
		n.writeDisk(p.I)
		n.DiskTerm[1][p.I], n.DiskCommit[1][p.I], n.DiskVote[1][p.I], n.DiskLog[1][p.I] = p.Term, p.Commit, p.Vote, n.Log[p.I]
	},
}

// everyone is the set of all servers.
const everyone Set = 1<<Servers - 1

// found notes that the entry with which RawNode.Bootstrap adds one more server is a change: a
// server that joins later applies it.
func (n *State) found(had Set, p Found) {
	c := Change{At: Position{uint16(had.Len() + 1), 1}, Add: p.Voters &^ had}
	if had&^p.Voters != 0 || c.Add.Len() != 1 || c.At.Index > p.Last || n.ChangeCount == MaxChanges {
		return
	}
	for k := range int(n.ChangeCount) {
		if n.Changes[k].At == c.At {
			return
		}
	}
	n.Changes[n.ChangeCount] = c
	n.ChangeCount++
}

// Crash is a server that starts again, from what was on its disk after the last Ready or the one
// before it.
type Crash struct {
	I       Server
	Earlier bool
}

func crashes(yield func(Crash) bool) {
	for i := range Server(Servers) {
		if !yield(Crash{i, false}) || !yield(Crash{i, true}) {
			return
		}
	}
}

// Restart loses what is neither on disk nor sent. The server is up when Recover has read the disk.
//
// TLA+: Restart. Code: raft.go newRaft, traceInitState.
var Restart = Action[Crash]{
	Name:   "Restart",
	Params: crashes,
	Guard:  func(s *State, p Crash) bool { return s.Begun.Has(p.I) },
	Effect: func(s, n *State, p Crash) {
		x := 0
		if p.Earlier {
			x = 1
		}
		n.Restarting = n.Restarting.With(p.I)
		n.Term[p.I], n.Vote[p.I], n.Commit[p.I], n.Log[p.I] = s.DiskTerm[x][p.I], s.DiskVote[x][p.I], s.DiskCommit[x][p.I], s.DiskLog[x][p.I]
		n.reset(p.I, n.Term[p.I])
		n.writeDisk(p.I)
		n.DiskTerm[1][p.I], n.DiskCommit[1][p.I], n.DiskVote[1][p.I], n.DiskLog[1][p.I] = n.Term[p.I], n.Commit[p.I], n.Vote[p.I], n.Log[p.I]
		n.Role[p.I] = Follower
		n.Await[p.I], n.Appending[p.I], n.Applied[p.I] = Nothing, 0, 0
		n.Handling[p.I] = Packet{}
		for k := int(n.WireCount) - 1; k >= 0; k-- {
			if w := &n.Wire[k]; w.From == p.I && (w.Sent == 0 || w.To == p.I) {
				n.take(k)
			}
		}
	},
}

// RestoreConf gives a server that starts again the configuration that its storage has.
var RestoreConf = Action[NewConf]{
	Name:   "RestoreConf",
	Params: confs,
	Guard:  func(s *State, p NewConf) bool { return p.I >= 0 && s.Restarting.Has(p.I) && !p.Joint },
	Effect: func(s, n *State, p NewConf) { n.Voters[p.I], n.Outgoing[p.I] = p.Voters, 0 },
}

// Recovery is a server with the term that it comes up with, and the voters of the configuration
// that a joint one leaves.
type Recovery struct {
	I        Server
	Term     uint16
	Outgoing Set
}

// Recover ends a restart: the server is a follower of the term on its disk. Code: raft.go newRaft,
// loadState, becomeFollower.
var Recover = Action[Recovery]{
	Name:   "Recover",
	Params: observed[Recovery],
	Guard:  func(s *State, p Recovery) bool { return p.I >= 0 && s.Restarting.Has(p.I) && p.Term == s.Term[p.I] },
	Effect: func(s, n *State, p Recovery) {
		n.Restarting = n.Restarting.Without(p.I)
		n.Outgoing[p.I] = p.Outgoing
	},
}
