system "toy" {
  source = "../toy"
}

module "maker" {
  grain = "baseline"
}

module "carrier" {
  grain = "coarse" # ERROR: MG103 Grain "coarse" of module "maker" covers it
}

module "store" {
  grain = "baseline"
}
