system "zab" {
  source = "../zab"
}

interaction {
  level      = "L4"  # ERROR: MG017 "level" of interaction cannot be "L4". Did you mean "L0"?
  max_states = 0     # ERROR: MG018 It must be at least 1
  timeout    = "10"  # ERROR: MG017 Write a positive number with a unit
  accept     = "Join: late" # ERROR: MG017 A text accepts a gap of any extent

  bounds {
    servers = "three" # ERROR: MG016 a number is required
  }
}
