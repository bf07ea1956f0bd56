system "toy" {
  source = "../toy"
}

module "maker" {
  grain = "baseline"
}

module "carrier" {
  grain = "baseline"
}

module "store" {
  grain = "picky" # ERROR: MG115 does not model variant = "fancy", because it has taste
}

options {
  variant = "fancy"
}
