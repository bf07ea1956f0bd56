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
  grain = "roomy" # ERROR: MG115 only with the bound tokens of at least 4
}

bounds {
  tokens = 3
}
