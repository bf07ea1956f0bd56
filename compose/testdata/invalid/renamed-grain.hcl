system "toy" {
  source = "../toy"
}

module "maker" {
  grain = "baseline"
}

module "carrier" {
  grain = "plain" # ERROR: MG244 Grain "plain" of module "carrier" is called "baseline" today.
}

module "store" {
  grain  = "baseline"
  target = true
}
