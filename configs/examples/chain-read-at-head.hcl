# The mistake of a head that answers queries: what it has stored can be lost with it.

extends = "chain.hcl"

options {
  read_at_head = true
}

expect {
  verdict   = "violated"
  invariant = "FreshReads"
}
