# The final resolution of Remix keeps the error of ../bugs/truncated-ack.hcl: that lies in what the
# leader counts, and the resolution changes what a follower does with NEWLEADER.

extends = "../bugs/truncated-ack.hcl"

options {
  fix = "final"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
