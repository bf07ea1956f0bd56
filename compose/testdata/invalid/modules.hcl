system "toy" {
  source = "../toy"
}

module "maker" {
  grain = "basline" # ERROR: MG103 Did you mean "baseline"?
}

module "carier" { # ERROR: MG102 Did you mean "carrier"?
  grain = "baseline"
}

module "store" {
  grain = "baseline"
}
