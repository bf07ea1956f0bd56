system "zab" {
  source = "../zab"
}

check {
  stop = 0 # ERROR: MG018 It must be at least 1
}
