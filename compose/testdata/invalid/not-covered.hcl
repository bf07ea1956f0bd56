system "toy" { # ERROR: MG105 with one of: "baseline", "coarse" of module "maker"
  source = "../toy"
}

module "maker" {
  grain = "baseline"
}

module "store" {
  grain = "baseline"
}
