system "zab" {
  source = "../zab"
}

bounds { servers = 3 crashes = 2 } # ERROR: MG003 Invalid single-argument block definition
