# Changes of go.etcd.io/raft/v3 v3.7.0 that keep its behaviour. The lines are those that change;
# refactoring.diff makes a diff of them from the copy in the module cache.

# Functions.

refactoring "condition-in-own-function" {
  what = "the condition of maybeCommit goes into a function"
  edit {
    file    = "log.go"
    in      = "raftLog.maybeCommit"
    line    = "if at.term != 0 && at.index > l.committed && l.matchTerm(at) {"
    becomes = "\tif l.mayCommit(at) {"
  }
  add {
    file = "log.go"
    text = <<-GO
    // mayCommit reports whether an entry can be committed.
    func (l *raftLog) mayCommit(at entryID) bool {
    	return at.term != 0 && at.index > l.committed && l.matchTerm(at)
    }
    GO
  }
}

refactoring "closure-to-method" {
  what = "the function literal of bcastAppend becomes a method"
  edit {
    file    = "raft.go"
    in      = "raft.bcastAppend"
    line    = <<-GO
    r.trk.Visit(func(id uint64, _ *tracker.Progress) {
    if id == r.id {
    return
    }
    r.sendAppend(id)
    })
    GO
    becomes = "\tr.trk.Visit(r.sendAppendToOther)"
  }
  add {
    file = "raft.go"
    text = <<-GO
    func (r *raft) sendAppendToOther(id uint64, _ *tracker.Progress) {
    	if id != r.id {
    		r.sendAppend(id)
    	}
    }
    GO
  }
}

refactoring "majority-in-own-function" {
  what = "the size of a majority is computed in one function for votes and commits"
  edit {
    file    = "quorum/majority.go"
    in      = "MajorityConfig.CommittedIndex"
    line    = "pos := n - (n/2 + 1)"
    becomes = "\tpos := n - c.majority()"
  }
  edit {
    file    = "quorum/majority.go"
    in      = "MajorityConfig.VoteResult"
    line    = "q := len(c)/2 + 1"
    becomes = "\tq := c.majority()"
  }
  add {
    file = "quorum/majority.go"
    text = <<-GO
    func (c MajorityConfig) majority() int { return len(c)/2 + 1 }
    GO
  }
}

refactoring "call-shortened" {
  what     = "a function of one line is written where it is called"
  manifest = "etcd-full"
  edit {
    file    = "raft.go"
    in      = "raft.appliedSnap"
    line    = "r.raftLog.stableSnapTo(index)"
    becomes = "\tr.raftLog.unstable.stableSnapTo(index)"
  }
}

refactoring "function-moves" {
  what = "a function goes to a new file, and gets a comment"
  edit {
    file    = "raft.go"
    in      = "raft.abortLeaderTransfer"
    line    = <<-GO
    func (r *raft) abortLeaderTransfer() {
    r.leadTransferee = None
    }
    GO
    becomes = ""
  }
  add {
    file = "transfer.go"
    text = <<-GO
    package raft

    // abortLeaderTransfer ends a transfer of leadership.
    func (r *raft) abortLeaderTransfer() {
    	r.leadTransferee = None
    }
    GO
  }
}

# Names.

refactoring "local-renamed" {
  what = "a local variable of the follower's append gets another name"
  rename {
    file = "raft.go"
    in   = "raft.handleAppendEntries"
    from = "a"
    to   = "received"
  }
}

refactoring "parameter-renamed" {
  what     = "a parameter gets another name"
  manifest = "etcd-full"
  rename {
    file = "tracker/inflights.go"
    in   = "Inflights.FreeLE"
    from = "to"
    to   = "acknowledged"
  }
}

refactoring "function-renamed" {
  what     = "an unexported function gets another name"
  manifest = "etcd-full"
  rename {
    from = "abortLeaderTransfer"
    to   = "stopLeaderTransfer"
  }
}

refactoring "function-renamed-that-is-called-often" {
  what     = "an unexported function of the log gets another name"
  manifest = "etcd-full"
  rename {
    from = "zeroTermOnOutOfBounds"
    to   = "termOrZero"
  }
}

refactoring "field-renamed" {
  what = "an unexported field that the adapter does not read gets another name"
  rename {
    folder = "tracker"
    from   = "buffer"
    to     = "ring"
  }
}

refactoring "type-renamed" {
  what = "an unexported type gets another name"
  rename {
    from = "logSlice"
    to   = "entryRange"
  }
}

# Order and conditions.

refactoring "assignments-reordered" {
  what = "two assignments to different fields change places"
  edit {
    file    = "raft.go"
    in      = "raft.becomeFollower"
    line    = <<-GO
    r.lead = lead
    r.state = StateFollower
    GO
    becomes = <<-GO
    	r.state = StateFollower
    	r.lead = lead
    GO
  }
}

refactoring "declarations-reordered" {
  what     = "two independent local variables are declared in the other order"
  manifest = "etcd-full"
  edit {
    file    = "raft.go"
    in      = "raft.Step"
    line    = <<-GO
    lastID := r.raftLog.lastEntryID()
    candLastID := entryID{term: m.GetLogTerm(), index: m.GetIndex()}
    GO
    becomes = <<-GO
    		candLastID := entryID{term: m.GetLogTerm(), index: m.GetIndex()}
    		lastID := r.raftLog.lastEntryID()
    GO
  }
}

refactoring "condition-inverted" {
  what     = "the branches of a condition change places"
  manifest = "etcd-full"
  edit {
    file    = "raft.go"
    in      = "raft.reduceUncommittedSize"
    line    = "if s > r.uncommittedSize {"
    becomes = "\tif s <= r.uncommittedSize {"
  }
  edit {
    file    = "raft.go"
    in      = "raft.reduceUncommittedSize"
    line    = <<-GO
    r.uncommittedSize = 0
    } else {
    r.uncommittedSize -= s
    GO
    becomes = "\t\tr.uncommittedSize -= s\n\t} else {\n\t\tr.uncommittedSize = 0"
  }
}

refactoring "de-morgan" {
  what = "a conjunction is written as the negation of a disjunction"
  edit {
    file    = "raft.go"
    in      = "raft.maybeCommit"
    line    = "return r.raftLog.maybeCommit(entryID{term: r.Term, index: r.trk.Committed()})"
    becomes = "\tat := entryID{term: r.Term, index: r.trk.Committed()}\n\treturn r.raftLog.maybeCommit(at)"
  }
  edit {
    file    = "log.go"
    in      = "raftLog.isUpToDate"
    line    = "return their.term > our.term || their.term == our.term && their.index >= our.index"
    becomes = "\treturn !(their.term < our.term || their.term == our.term && their.index < our.index)"
  }
}

refactoring "early-return" {
  what = "commitTo returns where there is nothing to commit"
  edit {
    file    = "log.go"
    in      = "raftLog.commitTo"
    line    = "if l.committed < tocommit {"
    becomes = "\tif l.committed >= tocommit {\n\t\treturn\n\t}\n\t{"
  }
}

refactoring "nesting-removed" {
  what = "a condition around the rest of a function becomes an early return"
  edit {
    file    = "raft.go"
    in      = "raft.tickElection"
    line    = "if r.promotable() && r.pastElectionTimeout() {"
    becomes = "\tif !r.promotable() || !r.pastElectionTimeout() {\n\t\treturn\n\t}"
  }
  edit {
    file    = "raft.go"
    in      = "raft.tickElection"
    line    = <<-GO
    r.logger.Debugf("error occurred during election: %v", err)
    }
    }
    GO
    becomes = "\t\tr.logger.Debugf(\"error occurred during election: %v\", err)\n\t}"
  }
}

refactoring "switch-for-if" {
  what     = "an if with else becomes a switch"
  manifest = "etcd-full"
  edit {
    file    = "raft.go"
    in      = "stepCandidate"
    line    = <<-GO
    if r.state == StatePreCandidate {
    r.campaign(campaignElection)
    } else {
    GO
    becomes = "\t\t\tswitch r.state {\n\t\t\tcase StatePreCandidate:\n\t\t\t\tr.campaign(campaignElection)\n\t\t\tdefault:"
  }
}

refactoring "cases-joined" {
  what     = "two cases with the same result become one"
  manifest = "etcd-full"
  edit {
    file    = "tracker/progress.go"
    in      = "Progress.IsPaused"
    line    = <<-GO
    case StateProbe:
    return pr.MsgAppFlowPaused
    case StateReplicate:
    GO
    becomes = "\tcase StateProbe, StateReplicate:"
  }
}

# Loops and expressions.

refactoring "loop-with-counter" {
  what = "a loop over a range counts itself"
  edit {
    file    = "log.go"
    in      = "raftLog.findConflict"
    line    = "for i := range ents {"
    becomes = "\tfor i := 0; i < len(ents); i++ {"
  }
}

refactoring "loop-with-condition" {
  what = "a loop over all indexes has its step in its body"
  edit {
    file    = "log.go"
    in      = "raftLog.findConflictByTerm"
    line    = "for ; index > 0; index-- {"
    becomes = "\tfor index > 0 {"
  }
  edit {
    file    = "log.go"
    in      = "raftLog.findConflictByTerm"
    line    = <<-GO
    return index, ourTerm
    }
    GO
    becomes = "\t\t\treturn index, ourTerm\n\t\t}\n\t\tindex--"
  }
}

refactoring "loop-with-values" {
  what = "a loop over the indexes of entries takes the entries"
  edit {
    file    = "raft.go"
    in      = "stepLeader"
    line    = <<-GO
    for i := range m.GetEntries() {
    e := m.GetEntries()[i]
    GO
    becomes = "\t\tfor i, e := range m.GetEntries() {"
  }
}

refactoring "minimum-as-condition" {
  what = "min becomes a condition"
  edit {
    file    = "log.go"
    in      = "raftLog.maybeAppend"
    line    = "l.commitTo(min(committed, lastnewi))"
    becomes = "\tif committed > lastnewi {\n\t\tcommitted = lastnewi\n\t}\n\tl.commitTo(committed)"
  }
}

refactoring "variable-introduced" {
  what = "a value that is read twice gets a name"
  edit {
    file    = "raft.go"
    in      = "raft.handleHeartbeat"
    line    = <<-GO
    r.raftLog.commitTo(m.GetCommit())
    GO
    becomes = "\tcommit := m.GetCommit()\n\tr.raftLog.commitTo(commit)"
  }
}

refactoring "constant-named" {
  what     = "the size 0 gets a name, and a constant of the package"
  manifest = "etcd-full"
  edit {
    file    = "raft.go"
    in      = "raft.appliedSnap"
    line    = "r.appliedTo(index, 0 /* size */)"
    becomes = "\tr.appliedTo(index, sizeOfSnapshot)"
  }
  add {
    file = "raft.go"
    text = <<-GO
    // sizeOfSnapshot is what a snapshot counts as applied entries.
    const sizeOfSnapshot entryEncodingSize = 0
    GO
  }
}

# What is noted.

refactoring "logging-added" {
  what = "a heartbeat is logged"
  edit {
    file    = "raft.go"
    in      = "raft.handleHeartbeat"
    line    = "r.raftLog.commitTo(m.GetCommit())"
    becomes = "\tr.logger.Debugf(\"%x received a heartbeat that commits %d\", r.id, m.GetCommit())\n\tr.raftLog.commitTo(m.GetCommit())"
  }
}

refactoring "logging-changed" {
  what = "the text of a message of the log changes"
  edit {
    file    = "raft.go"
    in      = "raft.becomeLeader"
    line    = "r.logger.Infof(\"%x became leader at term %d\", r.id, r.Term)"
    becomes = "\tr.logger.Infof(\"%x is the leader of term %d\", r.id, r.Term)"
  }
}

refactoring "metrics-added" {
  what = "a variable of the package counts appends"
  edit {
    file    = "raft.go"
    in      = "raft.maybeSendAppend"
    line    = "pr.SentCommit(r.raftLog.committed)"
    becomes = "\tpr.SentCommit(r.raftLog.committed)\n\tcountAppend(len(ents))"
  }
  add {
    file = "metrics.go"
    text = <<-GO
    package raft

    import "sync/atomic"

    // appendsSent and entriesSent count what leaders of this process have sent.
    var appendsSent, entriesSent atomic.Uint64

    func countAppend(entries int) {
    	appendsSent.Add(1)
    	entriesSent.Add(uint64(entries))
    }
    GO
  }
}

refactoring "deferred-call-replaced" {
  what = "a deferred call stands after the value is computed"
  edit {
    file    = "raft.go"
    in      = "raft.maybeCommit"
    line    = "defer traceCommit(r)"
    becomes = ""
  }
  edit {
    file    = "raft.go"
    in      = "raft.maybeCommit"
    line    = "return r.raftLog.maybeCommit(entryID{term: r.Term, index: r.trk.Committed()})"
    becomes = "\tcommitted := r.raftLog.maybeCommit(entryID{term: r.Term, index: r.trk.Committed()})\n\ttraceCommit(r)\n\treturn committed"
  }
}

refactoring "assertion-added" {
  what = "an invariant of a progress is asserted, which no run breaks"
  edit {
    file    = "tracker/progress.go"
    in      = "Progress.MaybeUpdate"
    line    = "pr.Match = n"
    becomes = "\tif pr.Match >= pr.Next {\n\t\tpanic(\"the match index is not before the next one\")\n\t}\n\tpr.Match = n"
  }
}
