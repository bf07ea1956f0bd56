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
  grain  = "baseline"
  target = true
}

options {
  release = "plain" # ERROR: MG244 Option "release" is called "variant" today.
}
