system "zab" {
  source = "../zab"
}

expect {
  verdict     = "violatd" # ERROR: MG017 Did you mean "violated"?
  kind        = "safety"  # ERROR: MG017 Those that exist: assert, deadlock, liveness, state, step
  depth       = "deep"    # ERROR: MG016 a number is required
  distinct    = 1.5       # ERROR: MG018 Give a whole number
  interaction = "no"      # ERROR: MG017 cannot be "no"
  invariant   = ["I-1"]   # ERROR: MG016 string required
}
