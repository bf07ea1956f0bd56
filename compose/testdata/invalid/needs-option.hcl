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
  grain = "paired" # ERROR: MG115 only with the option double = "true"
}
