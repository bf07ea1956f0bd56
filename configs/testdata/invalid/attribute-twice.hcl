system "zab" {
  source = "../zab"
}

bounds {
  servers = 3
  servers = 4 # ERROR: MG003 was already set
}
