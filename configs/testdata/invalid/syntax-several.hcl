system "zab" {
  source = "../zab"
}

bounds {
  servers = = 3 # ERROR: MG003 Invalid expression
}

module "election" {
  grian = "coarse" # ERROR: MG005 Did you mean "grain"?
}

check {
  stop = "frist" # ERROR: MG017 Did you mean "first"?
}
