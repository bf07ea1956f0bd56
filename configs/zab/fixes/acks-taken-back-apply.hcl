# The repair acks-taken-back where the leader also applies in a thread of its own: it leaves
# ../bugs/truncated-commit.hcl, which this composition finds.

extends = "acks-taken-back.hcl"

module "broadcast" {
  grain = "leader-threads"
}

options {
  leader_threads = "both"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
