system "toy" {
  source = "../toy"
}

module "maker" {
  grain = "coarse"
}

module "carrier" { # ERROR: MG104 Remove one of the blocks
  grain = "baseline"
}

module "store" {
  grain  = "baseline"
  target = true
}
