system "toy" {
  source = "../toy"
}

module "maker" { # ERROR: MG107 Mark them with target = true
  grain = "coarse"
}

module "store" {
  grain = "baseline"
}
