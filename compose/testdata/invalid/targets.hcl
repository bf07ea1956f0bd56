system "toy" {
  source = "../toy"
}

module "maker" {
  grain  = "coarse"
  target = true # ERROR: MG107 Choose a finer grain
}

module "store" {
  grain = "picky" # ERROR: MG106 grain "baseline" of module "carrier"
}

module "faults" {
  grain  = "losing"
  target = true # ERROR: MG107 part of the environment
}
