# Changes of github.com/hashicorp/raft v1.8.0 that keep its behaviour, as harmless-etcd.hcl has them.

refactoring "condition-in-own-function" {
  what = "the condition of a commit goes into a method"
  edit {
    file    = "commitment.go"
    in      = "commitment.recalculate"
    line    = "if quorumMatchIndex > c.commitIndex && quorumMatchIndex >= c.startIndex {"
    becomes = "\tif c.commits(quorumMatchIndex) {"
  }
  add {
    file = "commitment.go"
    text = <<-GO
    func (c *commitment) commits(index uint64) bool {
    	return index > c.commitIndex && index >= c.startIndex
    }
    GO
  }
}

refactoring "local-renamed" {
  what = "a local variable gets another name"
  rename {
    file = "commitment.go"
    in   = "commitment.recalculate"
    from = "matched"
    to   = "indexes"
  }
}

refactoring "function-renamed" {
  what = "an unexported method gets another name"
  rename {
    from = "recalculate"
    to   = "moveCommitIndex"
  }
}

refactoring "variable-introduced" {
  what = "a length gets a name"
  edit {
    file    = "commitment.go"
    in      = "commitment.recalculate"
    line    = "matched := make([]uint64, 0, len(c.matchIndexes))"
    becomes = "\tvoters := len(c.matchIndexes)\n\tmatched := make([]uint64, 0, voters)"
  }
}

refactoring "assignments-reordered" {
  what = "two fields of a request are set in the other order"
  edit {
    file    = "replication.go"
    in      = "Raft.setupAppendEntries"
    line    = <<-GO
    req.Term = s.currentTerm
    GO
    becomes = ""
  }
  edit {
    file    = "replication.go"
    in      = "Raft.setupAppendEntries"
    line    = "req.LeaderCommitIndex = r.getCommitIndex()"
    becomes = "\treq.LeaderCommitIndex = r.getCommitIndex()\n\treq.Term = s.currentTerm"
  }
}

refactoring "logging-added" {
  what = "a new commit index is logged"
  edit {
    file    = "raft.go"
    in      = "Raft.requestVote"
    line    = "// Ignore an older term"
    becomes = "\tr.logger.Trace(\"considers a request for a vote\", \"term\", req.Term)\n\t// Ignore an older term"
  }
}
