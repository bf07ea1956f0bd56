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

refactoring "early-return" {
  what = "match returns where nothing is new"
  edit {
    file    = "commitment.go"
    in      = "commitment.match"
    line    = "if prev, hasVote := c.matchIndexes[server]; hasVote && matchIndex > prev {"
    becomes = "\tprev, hasVote := c.matchIndexes[server]\n\tif !hasVote || matchIndex <= prev {\n\t\treturn\n\t}"
  }
  edit {
    file    = "commitment.go"
    in      = "commitment.match"
    line    = <<-GO
    c.recalculate()
    }
    GO
    becomes = "\tc.recalculate()"
  }
}

refactoring "loop-with-counter" {
  what = "a loop over a range counts itself"
  edit {
    file    = "commitment.go"
    in      = "commitment.setConfiguration"
    line    = "for _, server := range configuration.Servers {"
    becomes = "\tfor k := 0; k < len(configuration.Servers); k++ {\n\t\tserver := configuration.Servers[k]"
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
