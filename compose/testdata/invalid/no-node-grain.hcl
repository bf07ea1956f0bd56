system "toy" {
  source = "../toy"
  node   = true # ERROR: MG103 No module of system "toy" has a grain "node"
}

module "maker" {
  grain = "baseline"
}

module "carrier" {
  grain = "baseline"
}

module "store" {
  grain  = "baseline"
  target = true
}
