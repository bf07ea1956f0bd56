system "zab" {
  source = "../zab"
}

module "election" {
  grain  = ["coarse"]  # ERROR: MG016 string required
  target = "perhaps"   # ERROR: MG016 a bool is required
  accept = [null]      # ERROR: MG017 An element of "accept" of module "election" is empty
}

module "broadcast" {
  grain  = "baseline"
  accept = {} # ERROR: MG016 Write a list of texts

  accept { # ERROR: MG006 needs the attribute "action"
    reason = "late"
    digest = "5f0c1a7e"
    missed = -1 # ERROR: MG018 at least 0
  }
}

module "discovery" {
  grain = "" # ERROR: MG017 must not be empty
}
