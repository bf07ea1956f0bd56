system "zab" {
  source = "../zab"
}

module "election" {
  grain  = ["coarse"]  # ERROR: MG016 string required
  target = "perhaps"   # ERROR: MG016 a bool is required
  accept = [null]      # ERROR: MG017 An element of "accept" of module "election" is empty
}

module "discovery" {
  grain = "" # ERROR: MG017 must not be empty
}
