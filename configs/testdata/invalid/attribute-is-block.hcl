system "zab" {
  source = "../zab"
}

bounds = { # ERROR: MG005 It is a block: write it without the equals sign.
  servers = 3
}

variables = 3 # ERROR: MG005 Did you mean the block variable?
