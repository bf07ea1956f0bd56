system "zab" {
  source = "../zab"
}

module "election" {
  grain = "coarse"
}

module "election" { # ERROR: MG008 Module "election" is declared a second time
  grain = "baseline"
}

bounds {
  servers = 3
}

bounds { # ERROR: MG008 Bounds is declared a second time
  servers = 4
}

interaction {
  bounds {}
  bounds {} # ERROR: MG008 declared a second time
}
