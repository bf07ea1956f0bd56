system "zab" {
  source = "../zab"
}

bounds {
  servers    = 2.5           # ERROR: MG018 is 2.5. Give a whole number
  crashes    = -1            # ERROR: MG018 It must be at least 0
  epochs     = "many"        # ERROR: MG016 a number is required
  terms      = [3]           # ERROR: MG016 number required
  requests   = true          # ERROR: MG016 number required
  partitions = pow(10, 30)   # ERROR: MG018 at most 63 bits
}
