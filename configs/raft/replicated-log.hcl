# The replicated log that Raft is for: multigrain refine replication.hcl replicated-log.hcl

system "replicated-log" {
  source = "github.com/multigrain/multigrain/configs/examples/replicated"
}

module "log" {
  grain = "baseline"
}

check {
  invariants = ["*"]
}

expect {
  verdict = "holds"
}
