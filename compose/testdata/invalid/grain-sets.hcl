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
  grain = "baseline"
}

bounds {
  step = 1 # ERROR: MG119 sets the bound step to 2, and the manifest sets it to 1
}

options {
  order = "newest" # ERROR: MG117 sets the option order to newest itself
}
