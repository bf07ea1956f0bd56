system "zab" {
  source = "../zab"
}

module "election" {
  grain  = "coarse"
  traget = true # ERROR: MG005 Module "election" has no attribute "traget". Did you mean "target"?
}

check {
  invariant = ["*"] # ERROR: MG005 Did you mean "invariants"?
  workers   = 4     # ERROR: MG005 Those that exist: constraints, deadlock
}

grain = "coarse" # ERROR: MG005 A manifest has no attribute "grain". The only one is "extends".
