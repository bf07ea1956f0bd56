system "zab" {
  source = "../zab"
}

simulate {
  depth   = 0     # ERROR: MG018 It must be at least 1
  number  = "all" # ERROR: MG016 a number is required
  timeout = "-3s" # ERROR: MG017 Write a positive number with a unit
  seed    = -1    # ERROR: MG018 It must be at least 0

  weights {
    NodeCrash = -0.1    # ERROR: MG018 The weight of action "NodeCrash" is negative
    Restart   = "often" # ERROR: MG016 a number is required
  }
}
