# The atomic broadcast that Zab is for: multigrain refine mspec-1.hcl broadcast.hcl

system "atomic-broadcast" {
  source = "github.com/multigrain/multigrain/zab/broadcast"
}

module "broadcast" {
  grain = "baseline"
}

bounds {
  epochs = 2
}

check {
  invariants = ["*"]
}

expect {
  verdict = "holds"
}
