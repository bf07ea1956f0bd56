system "toy" {
  source = "../toy"
}

module "maker" {
  grain = "baseline"
}

module "carrier" {
  grain = "baseline"
}

module "store" {
  grain = "baseline"
}

bounds {
  tokens = 10 # ERROR: MG109 It can be 1 to 9
  loses  = 1  # ERROR: MG108 Did you mean "losses"?
}

options {
  variant = "fency" # ERROR: MG111 Did you mean "fancy"?
  double  = "yes"   # ERROR: MG111 It is one of: true, false
  tripled = true    # ERROR: MG110 Those that exist
}

check {
  invariants  = ["A", "C"] # ERROR: MG112 offers invariant "C"
  except      = ["A.lots"] # ERROR: MG112 Those that exist: A, A.few
  constraints = ["smal"]   # ERROR: MG113 Did you mean "small"?
  unused      = ["Lose"]   # ERROR: MG114 Those that exist
}

expect {
  invariant = "A.mani" # ERROR: MG112 Did you mean "A.many"?
}
