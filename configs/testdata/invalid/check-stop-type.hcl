system "zab" {
  source = "../zab"
}

check {
  stop = true # ERROR: MG016 and not a bool
}
