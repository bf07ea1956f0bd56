system "zab" {
  source = "../zab"
}

module "election" {
  grain = corase # ERROR: MG014 write it in quotes
  tagret = true # ERROR: MG005 Did you mean "target"?
}

bonds { # ERROR: MG004 Did you mean "bounds"?
  servers = 3
}

bounds {
  servers = 0.5 # ERROR: MG018 Not a whole number
}

check {
  stop = "last" # ERROR: MG017 Use "first", "never" or a number
}

expect {
  verdict = "good" # ERROR: MG017 Those that exist: holds, undecided, unexplored, violated
}
