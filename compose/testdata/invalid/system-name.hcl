system "toys" { # ERROR: MG101 Write system "toy"
  source = "../toy"
}

module "maker" {
  grain = "baseline"
}

module "carrier" {
  grain = "baseline"
}

module "store" {
  grain = "baseline"
}
