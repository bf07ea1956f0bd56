# As monitor.hcl, with coarse Election: candidacies and votes are accepted as what one server sees of Elect; see raft/election_node.go.

extends = "monitor.hcl"

module "election" {
  grain = "coarse"
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
