system "derived" {
  source = "../derived"
}

module "client" {
  grain  = "baseline"
  target = true
}

module "worker" {
  grain = "pairs"
}

module "log" {
  grain = "ordered" # ERROR: MG119 sets order to oldest, and grain "pairs" of module "worker" sets it to newest
}
