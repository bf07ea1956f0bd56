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
  variant = "plain"
  release = "plain" # ERROR: MG244 Option "release" is called "variant" today, and the manifest sets that, too.
}
