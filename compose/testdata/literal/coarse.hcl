system "literal" {
  source = "./"
}

module "client" {
  grain  = "baseline"
  target = true
}

module "worker" {
  grain = "coarse"
}

module "faults" {
  grain = "stop"
}

check {
  invariants = ["*"]
}
