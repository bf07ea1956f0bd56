system "roles" {
  source = "."
}

module "service" {
  grain = "baseline"
}

check {
  invariants = ["*"]
}
